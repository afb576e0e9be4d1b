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
 *   sequential search of the array    cp_occupancy_at_unit(), by sums of blocks of slots
 *   deterministic, largest occupancy  cp_occupancy_largest(), a bucket a hash of flows
 *
 * The paper's array has a word for each buffer unit, so a random word finds a flow with
 * probability P(n) = q_n / q.  Here a frame has one slot, whatever its length, so a random
 * slot is taken with a probability in proportion to its units, and after some tries that
 * failed the slot of a random unit is looked up, which is exact, too.
 *
 * The steps of each function are bounded, whatever is in the buffer: a look-up of a unit takes
 * CP_GROUPS + 2 * CP_BLOCK at most; the bucket with most units is the winner of a tournament,
 * of which a frame that comes or leaves plays 10 matches at most.
 *
 * The caller gives the memory, and keeps the index of each frame's slot with the frame.
 */
#ifndef SHARPRAMP_ALGO_CP_OCCUPANCY_H
#define SHARPRAMP_ALGO_CP_OCCUPANCY_H

#include "port.h"

#define CP_UNIT_BYTES 64U
#define CP_BUCKETS 1024U
/* Slots of a block, and blocks of a group. */
#define CP_BLOCK 64U
#define CP_GROUPS 32U
#define CP_SLOTS_MAX (CP_GROUPS * CP_BLOCK * CP_BLOCK)
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

static_assert(sizeof(struct cp_slot) <= 16, "a cache line has four");

/**
 * struct cp_link - neighbours of a slot in the ring of its bucket
 * @next: index of a slot, which may be itself
 * @prev: likewise
 */
struct cp_link {
	u32 next;
	u32 prev;
};

/**
 * struct cp_sums - units of many slots together; all zero at the start
 * @group: of CP_BLOCK blocks each
 * @block: of CP_BLOCK slots each; as many as there are slots for
 */
struct cp_sums {
	u32 group[CP_GROUPS];
	u32 block[];
};

/**
 * struct cp_flows - units by bucket, see cp_flows_init()
 * @units: of a bucket
 * @cursor: the slot of a bucket that is its next culprit; valid if it has units
 * @winner: the bucket with most units of those below a node; node n has nodes 2 n and
 *	2 n + 1 below it, which are buckets from CP_BUCKETS on
 */
struct cp_flows {
	u32 units[CP_BUCKETS];
	u32 cursor[CP_BUCKETS];
	u16 winner[CP_BUCKETS];
};

/**
 * struct cp_occupancy - what is in a buffer; all zero but for the memory and @size at the start
 * @slots: memory of @size slots; the first @count are in use
 * @sums: for cp_occupancy_random(), else NULL
 * @flows: for cp_occupancy_largest(), else NULL
 * @links: with @flows: memory of @size links
 * @size: slots there are, at most CP_SLOTS_MAX
 * @count: frames in the buffer
 * @longest: units of the longest frame since the buffer was last empty
 * @units: in the buffer
 */
struct cp_occupancy {
	struct cp_slot *slots;
	struct cp_sums *sums;
	struct cp_flows *flows;
	struct cp_link *links;
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
 * cp_blocks() - how many blocks hold some slots
 * @slots: at most CP_SLOTS_MAX
 *
 * Return: length of @block in struct cp_sums.
 */
static inline u32 cp_blocks(u32 slots)
{
	return (slots + CP_BLOCK - 1) / CP_BLOCK;
}

/* The bucket with most units of those below a node; the first of several. */
static inline u32 cp_flows_best(const struct cp_flows *f, u32 node)
{
	return node < CP_BUCKETS ? f->winner[node] : node - CP_BUCKETS;
}

/**
 * cp_flows_init() - no bucket has units
 * @f: written
 */
static inline void cp_flows_init(struct cp_flows *f)
{
	u32 node;

	for (node = 0; node < CP_BUCKETS; node++)
		f->units[node] = 0;
	for (node = CP_BUCKETS - 1; node; node--)
		f->winner[node] = cp_flows_best(f, 2 * node);
}

/* The units of a bucket changed: its matches are played again, while they change others. */
static inline void cp_flows_replay(struct cp_flows *f, u32 bucket)
{
	u32 node, left, right;

	for (node = (CP_BUCKETS + bucket) / 2; node; node /= 2) {
		left = cp_flows_best(f, 2 * node);
		right = cp_flows_best(f, 2 * node + 1);
		if (f->units[left] < f->units[right])
			left = right;
		if (left == f->winner[node] && left != bucket)
			return;
		f->winner[node] = left;
	}
}

/* A slot joins the ring of its bucket, as the last that becomes a culprit. */
static inline void cp_flows_add(struct cp_occupancy *o, u32 index)
{
	u32 bucket = o->slots[index].bucket, cursor = o->flows->cursor[bucket];

	if (!o->flows->units[bucket]) {
		o->links[index] = (struct cp_link){ index, index };
		o->flows->cursor[bucket] = index;
	} else {
		o->links[index] = (struct cp_link){ cursor, o->links[cursor].prev };
		o->links[o->links[cursor].prev].next = index;
		o->links[cursor].prev = index;
	}
	o->flows->units[bucket] += o->slots[index].units;
	cp_flows_replay(o->flows, bucket);
}

static inline void cp_flows_remove(struct cp_occupancy *o, u32 index)
{
	u32 bucket = o->slots[index].bucket;
	struct cp_link link = o->links[index];

	o->links[link.prev].next = link.next;
	o->links[link.next].prev = link.prev;
	if (o->flows->cursor[bucket] == index)
		o->flows->cursor[bucket] = link.next;
	o->flows->units[bucket] -= o->slots[index].units;
	cp_flows_replay(o->flows, bucket);
}

/* A slot of a ring has another index. */
static inline void cp_flows_move(struct cp_occupancy *o, u32 from, u32 to)
{
	u32 *cursor = &o->flows->cursor[o->slots[from].bucket];
	struct cp_link link = o->links[from];

	if (link.next == from)
		link = (struct cp_link){ to, to };
	o->links[to] = link;
	o->links[link.prev].next = to;
	o->links[link.next].prev = to;
	if (*cursor == from)
		*cursor = to;
}

/* Sums are modulo 2^32, so that a difference is added. */
static inline void cp_sums_add(struct cp_sums *sums, u32 index, u32 units)
{
	sums->block[index / CP_BLOCK] += units;
	sums->group[index / (CP_BLOCK * CP_BLOCK)] += units;
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
	if (o->sums)
		cp_sums_add(o->sums, o->count, slot.units);
	if (o->flows)
		cp_flows_add(o, o->count);
	o->longest = max(o->longest, slot.units);
	o->units += slot.units;
	return o->count++;
}

/**
 * cp_occupancy_has() - is this the slot of that frame?
 * @o: the buffer
 * @index: any; it may have been the frame's slot in another buffer
 * @frame: the caller's
 *
 * Return: true if it is.
 */
static inline bool cp_occupancy_has(const struct cp_occupancy *o, u32 index, const void *frame)
{
	return index < o->count && o->slots[index].frame == frame;
}

/* The last slot takes the place of another. */
static inline void cp_occupancy_fill(struct cp_occupancy *o, u32 index)
{
	u32 units = o->slots[o->count].units;

	if (o->sums) {
		cp_sums_add(o->sums, o->count, -units);
		cp_sums_add(o->sums, index, units);
	}
	if (o->flows)
		cp_flows_move(o, o->count, index);
	o->slots[index] = o->slots[o->count];
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
	u32 units = o->slots[index].units;

	if (o->sums)
		cp_sums_add(o->sums, index, -units);
	if (o->flows)
		cp_flows_remove(o, index);
	o->units -= units;
	o->count--;
	if (!o->count)
		o->longest = 0;
	if (index == o->count)
		return NULL;
	cp_occupancy_fill(o, index);
	return o->slots[index].frame;
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
 * @o: the buffer, with sums
 * @unit: which, below the units in it
 *
 * Return: index of its slot.
 */
static inline u32 cp_occupancy_at_unit(const struct cp_occupancy *o, u32 unit)
{
	u32 i = 0;

	while (unit >= o->sums->group[i])
		unit -= o->sums->group[i++];
	i *= CP_BLOCK;
	while (unit >= o->sums->block[i])
		unit -= o->sums->block[i++];
	i *= CP_BLOCK;
	while (unit >= o->slots[i].units)
		unit -= o->slots[i++].units;
	return i;
}

/**
 * cp_occupancy_random() - a frame, with a probability in proportion to its units
 * @o: the buffer, with sums
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
 * @o: the buffer, with flows
 *
 * The frames of a bucket become culprits one after the other.
 *
 * Return: index of its slot; CP_NO_SLOT if the buffer is empty.
 */
static inline u32 cp_occupancy_largest(struct cp_occupancy *o)
{
	u32 *cursor, index;

	if (!o->count)
		return CP_NO_SLOT;
	cursor = &o->flows->cursor[o->flows->winner[1]];
	index = *cursor;
	*cursor = o->links[index].next;
	return index;
}

#endif /* SHARPRAMP_ALGO_CP_OCCUPANCY_H */
