/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of a flow, kept by a model that has all packets in a list, searches it from end to
 * end and counts bytes in 64 bits, which do not wrap.
 */
#ifndef SHARPRAMP_ORACLE_RING_H
#define SHARPRAMP_ORACLE_RING_H

#include "onramp_ring.h"

/* Constants as documented, not those of the tested header. */
#define ORACLE_RING_SPAN	0x80000000ULL
#define ORACLE_RING_REACH	0x40000000ULL
#define ORACLE_RING_LEAST	16
#define ORACLE_RING_MOST	256
#define ORACLE_RING_LONGEST	2048

/**
 * struct oracle_ring_packet - a packet
 * @at: its first byte; the lower half is the sequence number
 * @x: its record
 */
struct oracle_ring_packet {
	u64 at;
	struct onramp_record x;
};

/**
 * struct oracle_ring - all packets that ever got a record; all zero at the start
 * @size: space for so many
 * @has_end: something was sent
 * @end: behind all that was sent
 * @first: the oldest that is not forgotten
 * @n: how many there were
 * @packet: which, in the order of their bytes
 */
struct oracle_ring {
	u32 size;
	bool has_end;
	u64 end;
	u32 first;
	u32 n;
	struct oracle_ring_packet packet[ORACLE_RING_LONGEST];
};

/**
 * oracle_ring_count() - how many records there are
 * @o: all packets
 *
 * Return: what the algorithm must return.
 */
static inline u32 oracle_ring_count(const struct oracle_ring *o)
{
	return o->n - o->first;
}

/**
 * oracle_ring_empty() - what was sent gets no report any more
 * @o: all packets
 */
static inline void oracle_ring_empty(struct oracle_ring *o)
{
	o->first = o->n;
}

/**
 * oracle_ring_clear() - a connection begins
 * @o: all packets
 */
static inline void oracle_ring_clear(struct oracle_ring *o)
{
	oracle_ring_empty(o);
	o->has_end = false;
}

/**
 * oracle_ring_wanted() - should there be more space?
 * @o: all packets
 *
 * Return: what the algorithm must return.
 */
static inline u32 oracle_ring_wanted(const struct oracle_ring *o)
{
	if (!o->size)
		return ORACLE_RING_LEAST;
	return oracle_ring_count(o) < o->size || o->size == ORACLE_RING_MOST ? 0 : 2 * o->size;
}

/**
 * oracle_ring_resize() - there is space for more or for less
 * @o: all packets
 * @size: for how many, at least those that there are; or 0
 */
static inline void oracle_ring_resize(struct oracle_ring *o, u32 size)
{
	o->size = size;
	if (!size)
		oracle_ring_clear(o);
}

/**
 * oracle_ring_retire() - time passed
 * @o: all packets
 * @now_ns: time
 * @idle_ns: what is so old is forgotten
 */
static inline void oracle_ring_retire(struct oracle_ring *o, u64 now_ns, u64 idle_ns)
{
	while (o->first < o->n && o->packet[o->first].x.tx_ns + idle_ns <= now_ns)
		o->first++;
}

static inline bool oracle_ring_overlaps(const struct oracle_ring_packet *e, u64 at, u64 len)
{
	return e->at < at + len && at < e->at + e->x.len;
}

static inline enum onramp_pushed oracle_ring_repeat(struct oracle_ring *o, u64 at, u32 len)
{
	u32 i;

	for (i = o->first; i < o->n; i++)
		o->packet[i].x.ambiguous |= oracle_ring_overlaps(&o->packet[i], at, len);
	o->end = max(o->end, at + len);
	while (o->first < o->n && o->end - o->packet[o->first].at >= ORACLE_RING_SPAN)
		o->first++;
	return ONRAMP_PUSHED_AGAIN;
}

/**
 * oracle_ring_push() - a packet leaves
 * @o: those before it; less than ORACLE_RING_LONGEST got a record
 * @at: its first byte, at most 2^31 before @o->end, less than that behind it
 * @x: its record
 * @idle_ns: what is so old is forgotten
 *
 * Return: what the algorithm must return.
 */
static inline enum onramp_pushed
oracle_ring_push(struct oracle_ring *o, u64 at, const struct onramp_record *x, u64 idle_ns)
{
	enum onramp_pushed result = ONRAMP_PUSHED;

	if (!x->len || x->len >= ORACLE_RING_SPAN)
		return ONRAMP_PUSHED_NOT;
	if (o->has_end && at + ORACLE_RING_REACH < o->end)
		oracle_ring_clear(o);
	if (o->has_end && at < o->end)
		return oracle_ring_repeat(o, at, x->len);
	o->has_end = true;
	o->end = at + x->len;
	if (!o->size)
		return ONRAMP_PUSHED_NOT;
	oracle_ring_retire(o, x->tx_ns, idle_ns);
	while (o->first < o->n && (oracle_ring_count(o) == o->size ||
				   o->end - o->packet[o->first].at >= ORACLE_RING_SPAN)) {
		o->first++;
		result = ONRAMP_PUSHED_EVICTED;
	}
	o->packet[o->n++] = (struct oracle_ring_packet){ .at = at, .x = *x };
	return result;
}

/**
 * oracle_ring_find() - the record of a packet that is reported
 * @o: all packets
 * @at: its first byte
 * @len: its bytes
 * @found: set if ONRAMP_FOUND is returned
 *
 * Return: what the algorithm must return.
 */
static inline enum onramp_found
oracle_ring_find(const struct oracle_ring *o, u64 at, u32 len, const struct onramp_record **found)
{
	u32 i;

	if (!len || !oracle_ring_count(o) || at < o->packet[o->first].at)
		return ONRAMP_FOUND_NOT;
	for (i = o->first; i < o->n; i++) {
		const struct oracle_ring_packet *e = &o->packet[i];

		if (!oracle_ring_overlaps(e, at, len))
			continue;
		if (e->x.ambiguous)
			return ONRAMP_FOUND_AMBIGUOUS;
		if (e->at <= at && at + len <= e->at + e->x.len) {
			*found = &e->x;
			return ONRAMP_FOUND;
		}
	}
	return ONRAMP_FOUND_NOT;
}

/**
 * oracle_ring_is_same() - are two records of the same packet, and is the same known of it?
 * @a: a record
 * @b: another
 *
 * @total_ns is compared although the ring does not use it: tests identify packets by it.
 *
 * Return: true if both are of the same packet and equal.
 */
static inline bool oracle_ring_is_same(const struct onramp_record *a, const struct onramp_record *b)
{
	return a->seq == b->seq && a->len == b->len && a->tx_ns == b->tx_ns &&
	       a->total_ns == b->total_ns && a->ambiguous == b->ambiguous;
}

/**
 * oracle_ring_agrees() - has the ring what the list has?
 * @o: all packets
 * @r: the ring
 *
 * Return: it has, in the same order.
 */
static inline bool oracle_ring_agrees(const struct oracle_ring *o, const struct onramp_ring *r)
{
	u32 i;

	if (r->size != o->size || r->count > r->size || r->count != oracle_ring_count(o))
		return false;
	if (r->has_end != o->has_end || (r->has_end && r->end != (u32)o->end))
		return false;
	for (i = 0; i < r->count; i++)
		if (!oracle_ring_is_same(onramp_ring_at(r, i), &o->packet[o->first + i].x))
			return false;
	return true;
}

#endif /* SHARPRAMP_ORACLE_RING_H */
