/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Occupancy sampling: whose frame fills a buffer?
 *
 * Source: N. Chrysos et al., quantized congestion notification with occupancy sampling,
 * section IV.B: the culprit is chosen by what it has in the buffer, not by what arrives, and
 * V for the CulpritArray.
 *
 *   in the paper                      here
 *   CulpritArray                      slots: dense, a slot a frame
 *   buffer unit of 256 B              unit of CP_UNIT_BYTES
 *   random occupancy sampling         cp_occupancy_random()
 *   sequential search of the array    cp_occupancy_at_unit()
 *   deterministic, largest occupancy  cp_occupancy_largest(), a bucket a hash of flows
 *
 * The paper's array has a word for each buffer unit, so a random word finds a flow with
 * probability P(n) = q_n / q.  Here a frame has one slot, whatever its length, so a random
 * slot is taken with a probability in proportion to its units, and after some tries that
 * failed the array is searched for a random unit, which is exact, too.
 *
 * The caller gives the memory, and keeps the index of each frame's slot with the frame.
 */
#ifndef SHARPRAMP_ALGO_CP_OCCUPANCY_H
#define SHARPRAMP_ALGO_CP_OCCUPANCY_H

#include "port.h"

#define CP_UNIT_BYTES 64U
#define CP_BUCKETS 1024U
/* Random slots that are tried. */
#define CP_TRIES 32U
/* No slot. */
#define CP_NO_SLOT U32_MAX

/**
 * struct cp_slot - a frame in the buffer
 * @frame: the caller's
 * @units: its length, at least 1
 * @bucket: its flow's, below CP_BUCKETS
 */
struct cp_slot {
	void *frame;
	u32 units;
	u16 bucket;
};

/**
 * struct cp_occupancy - what is in a buffer; all zero but for the first three at the start
 * @slots: memory of @size slots; the first @count are in use
 * @buckets: memory of CP_BUCKETS numbers, all zero at the start: units a bucket
 * @size: slots there are
 * @count: frames in the buffer
 * @longest: units of the longest frame since the buffer was last empty
 * @units: in the buffer
 */
struct cp_occupancy {
	struct cp_slot *slots;
	u32 *buckets;
	u32 size;
	u32 count;
	u32 longest;
	u32 units;
};

/**
 * cp_units() - how many units a frame takes
 * @len: bytes
 *
 * Return: units, rounded up, at least 1.
 */
static inline u32 cp_units(u32 len)
{
	return len ? (len - 1) / CP_UNIT_BYTES + 1 : 1;
}

/**
 * cp_occupancy_add() - a frame enters the buffer
 * @o: the buffer; all units in it together stay below 2^32
 * @frame: the caller's
 * @len: bytes
 * @hash: of its flow
 *
 * Return: index of its slot; CP_NO_SLOT if there is none free.
 */
static inline u32 cp_occupancy_add(struct cp_occupancy *o, void *frame, u32 len, u32 hash)
{
	struct cp_slot slot = { frame, cp_units(len), hash % CP_BUCKETS };

	if (o->count == o->size)
		return CP_NO_SLOT;
	o->slots[o->count] = slot;
	o->buckets[slot.bucket] += slot.units;
	o->longest = max(o->longest, slot.units);
	o->units += slot.units;
	return o->count++;
}

/**
 * cp_occupancy_remove() - a frame leaves the buffer
 * @o: the buffer
 * @index: of its slot
 *
 * Return: the frame whose slot is @index now, which the caller must note; NULL if none is.
 */
static inline void *cp_occupancy_remove(struct cp_occupancy *o, u32 index)
{
	struct cp_slot *slot = &o->slots[index];

	o->buckets[slot->bucket] -= slot->units;
	o->units -= slot->units;
	o->count--;
	if (!o->count)
		o->longest = 0;
	if (index == o->count)
		return NULL;
	*slot = o->slots[o->count];
	return slot->frame;
}

/* Marsaglia's xorshift, of period 2^32 - 1; 0 would stay. */
static inline u32 cp_xorshift(u32 x)
{
	x = x ? x : 1;
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

/* Uniform, 0 to n - 1. */
static inline u32 cp_below(u32 random, u32 n)
{
	return (u64)random * n >> 32;
}

/**
 * cp_occupancy_at_unit() - the frame that has a unit of the buffer
 * @o: the buffer
 * @unit: which, below the units in it
 *
 * Return: index of its slot.
 */
static inline u32 cp_occupancy_at_unit(const struct cp_occupancy *o, u32 unit)
{
	u32 i = 0;

	while (unit >= o->slots[i].units)
		unit -= o->slots[i++].units;
	return i;
}

/**
 * cp_occupancy_random() - a frame, with a probability in proportion to its units
 * @o: the buffer
 * @random: 32 random bits
 *
 * Return: index of its slot; CP_NO_SLOT if the buffer is empty.
 */
static inline u32 cp_occupancy_random(const struct cp_occupancy *o, u32 random)
{
	u32 tries, index;

	if (!o->count)
		return CP_NO_SLOT;
	for (tries = 0; tries < CP_TRIES; tries++) {
		random = cp_xorshift(random);
		index = cp_below(random, o->count);
		random = cp_xorshift(random);
		if (cp_below(random, o->longest) < o->slots[index].units)
			return index;
	}
	return cp_occupancy_at_unit(o, cp_below(cp_xorshift(random), o->units));
}

/**
 * cp_occupancy_largest() - a frame of the bucket that has most of the buffer
 * @o: the buffer
 * @random: 32 random bits; where the search for a frame of the bucket begins
 *
 * Return: index of its slot; CP_NO_SLOT if the buffer is empty.
 */
static inline u32 cp_occupancy_largest(const struct cp_occupancy *o, u32 random)
{
	u32 bucket = 0, index, i;

	if (!o->count)
		return CP_NO_SLOT;
	for (i = 1; i < CP_BUCKETS; i++)
		if (o->buckets[i] > o->buckets[bucket])
			bucket = i;
	index = cp_below(random, o->count);
	while (o->slots[index].bucket != bucket)
		index = index + 1 < o->count ? index + 1 : 0;
	return index;
}

#endif /* SHARPRAMP_ALGO_CP_OCCUPANCY_H */
