/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: what is remembered of the packets that a flow sent, until the
 * receiver reports when they came.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, section 4.1.
 *
 * A ring of records in the order of their sequence numbers, which is that of
 * sending: what is sent again gets no record, and makes those it overlaps
 * ambiguous, since a report does not show which copy came (Karn).  Sequence
 * numbers wrap; they are compared by their distance from the oldest record's,
 * and the ring spans less than 2^31 of them.
 *
 * The array is the caller's, which may give a larger one when it is full.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_RING_H
#define SHARPRAMP_ALGO_ONRAMP_RING_H

#include "port.h"

/* Sizes of the array: powers of two. */
#define ONRAMP_RING_MIN 16
#define ONRAMP_RING_MAX 256

/* The ring spans less. */
#define ONRAMP_RING_SPAN 0x80000000U

/* No TCP window reaches so far back: another connection. */
#define ONRAMP_RING_REACH 0x40000000U

/* onramp_record.error_ns of a packet that left while the clock was unknown. */
#define ONRAMP_RECORD_NO_CLOCK U32_MAX

/**
 * struct onramp_record - a packet that was sent, GSO packets whole
 * @tx_ns: when it left, monotone clock
 * @common_ns: same, common time; see @error_ns
 * @total_ns: A(@tx_ns), see onramp_hold.h
 * @seq: sequence number of its first byte
 * @len: bytes of payload, at least 1
 * @epoch: of the common time
 * @error_ns: its bound, or ONRAMP_RECORD_NO_CLOCK
 * @backlog_bytes: what the NIC had not sent yet before it
 * @segment_bytes: payload of each of its segments but the last; 0: is one
 * @header_bytes: of each segment
 * @stamp: where it was seen as it left; the ring does not read it
 * @ambiguous: some of it was sent again
 * @unused: makes it 64 bytes, so that it lies in one cache line
 */
struct onramp_record {
	u64 tx_ns;
	u64 common_ns;
	u64 total_ns;
	u32 seq;
	u32 len;
	u32 epoch;
	u32 error_ns;
	u32 backlog_bytes;
	u16 segment_bytes;
	u16 header_bytes;
	u8 stamp;
	bool ambiguous;
	u8 unused[14];
};

/**
 * struct onramp_ring - the records of a flow; zero: none, and no space
 * @records: array of @size
 * @size: a power of two, or 0
 * @head: index of the oldest, modulo @size
 * @count: how many there are
 * @hint: after the oldest, where the next look-up will probably end
 * @end: sequence number behind all that was sent; valid if @has_end
 * @has_end: something was sent
 */
struct onramp_ring {
	struct onramp_record *records;
	u16 size;
	u16 head;
	u16 count;
	u16 hint;
	u32 end;
	bool has_end;
};

/**
 * enum onramp_pushed - what became of a packet
 * @ONRAMP_PUSHED: there is a record of it
 * @ONRAMP_PUSHED_EVICTED: same, and one that was younger than idle_ns is gone
 * @ONRAMP_PUSHED_AGAIN: some of it was sent before; no record, and those that
 *	its end leaves too far behind are gone
 * @ONRAMP_PUSHED_NOT: the ring has no array, or the packet no payload
 */
enum onramp_pushed {
	ONRAMP_PUSHED,
	ONRAMP_PUSHED_EVICTED,
	ONRAMP_PUSHED_AGAIN,
	ONRAMP_PUSHED_NOT,
};

/**
 * enum onramp_found - result of a look-up
 * @ONRAMP_FOUND: the record
 * @ONRAMP_FOUND_AMBIGUOUS: some of the range was sent twice
 * @ONRAMP_FOUND_NOT: no single record has all of the range
 */
enum onramp_found {
	ONRAMP_FOUND,
	ONRAMP_FOUND_AMBIGUOUS,
	ONRAMP_FOUND_NOT,
};

/* The record that is @i after the oldest. */
static inline struct onramp_record *
onramp_ring_at(const struct onramp_ring *r, u32 i)
{
	return &r->records[(r->head + i) & (r->size - 1)];
}

/* Bytes from the oldest record's first to a sequence number. */
static inline u32 onramp_ring_offset(const struct onramp_ring *r, u32 seq)
{
	return seq - onramp_ring_at(r, 0)->seq;
}

static inline void onramp_ring_drop(struct onramp_ring *r)
{
	r->head++;
	r->count--;
	if (r->hint)
		r->hint--;
}

/**
 * onramp_ring_empty() - forget all records, but not what was sent
 * @r: the ring; it keeps its array
 *
 * A segment that is sent again after this gets no record either.
 */
static inline void onramp_ring_empty(struct onramp_ring *r)
{
	r->head = 0;
	r->count = 0;
	r->hint = 0;
}

/**
 * onramp_ring_clear() - forget all, for instance since a connection begins
 * @r: the ring; it keeps its array
 */
static inline void onramp_ring_clear(struct onramp_ring *r)
{
	onramp_ring_empty(r);
	r->has_end = false;
}

/**
 * onramp_ring_retire() - forget what is too old to be reported
 * @r: the ring
 * @now_ns: time
 * @idle_ns: age
 */
static inline void onramp_ring_retire(struct onramp_ring *r, u64 now_ns,
				      u64 idle_ns)
{
	while (r->count &&
	       (s64)(now_ns - onramp_ring_at(r, 0)->tx_ns) >= (s64)idle_ns)
		onramp_ring_drop(r);
}

/**
 * onramp_ring_wanted() - should the ring get a larger array?
 * @r: the ring
 *
 * Return: the size that it should have before the next packet; 0: as it is.
 */
static inline u32 onramp_ring_wanted(const struct onramp_ring *r)
{
	if (!r->size)
		return ONRAMP_RING_MIN;
	return r->count == r->size && r->size < ONRAMP_RING_MAX ?
	       2 * r->size : 0;
}

/**
 * onramp_ring_move() - into another array
 * @r: the ring
 * @records: the array, or NULL if @size is 0
 * @size: a power of two, at least the number of records; or 0
 *
 * Return: the array that it had, for the caller to free, or NULL.
 */
static inline struct onramp_record *
onramp_ring_move(struct onramp_ring *r, struct onramp_record *records, u32 size)
{
	struct onramp_record *was = r->records;
	u32 i;

	if (!size)
		onramp_ring_clear(r);
	for (i = 0; i < r->count; i++)
		records[i] = *onramp_ring_at(r, i);
	r->records = records;
	r->size = size;
	r->head = 0;
	return was;
}

/*
 * Which record has a byte, or if none has it the first behind it.
 *
 * Reports come mostly in order, so the place after the last one is tried
 * first.  @offset is below ONRAMP_RING_SPAN.
 */
static inline u32 onramp_ring_search(const struct onramp_ring *r, u32 offset)
{
	u32 low = 0, high = r->count;

	while (low < high) {
		u32 i = r->hint >= low && r->hint < high && low == 0 &&
			high == r->count ? r->hint : (low + high) / 2;
		const struct onramp_record *x = onramp_ring_at(r, i);
		u32 begin = onramp_ring_offset(r, x->seq);

		if (offset < begin)
			high = i;
		else if (offset - begin >= x->len)
			low = i + 1;
		else
			return i;
	}
	return low;
}

/*
 * Make what overlaps @len bytes from @seq ambiguous.  The part of the range
 * that lies before the oldest record is skipped.
 */
static inline void onramp_ring_repeat(struct onramp_ring *r, u32 seq, u32 len)
{
	u32 offset, i;

	if (!r->count)
		return;
	offset = onramp_ring_offset(r, seq);
	if (offset >= ONRAMP_RING_SPAN) {
		u32 before = -offset;

		if (before >= len)
			return;
		len -= before;
		offset = 0;
	}
	for (i = onramp_ring_search(r, offset); i < r->count; i++) {
		struct onramp_record *x = onramp_ring_at(r, i);
		u32 begin = onramp_ring_offset(r, x->seq);

		if (begin >= offset && begin - offset >= len)
			break;
		x->ambiguous = true;
	}
}

/*
 * Forget what lies so far before a sequence number that it would pass for what
 * comes after it.  The number is less than 2^32 bytes behind the oldest
 * record's, so that one look tells.  Return: was there anything?
 */
static inline bool onramp_ring_forget(struct onramp_ring *r, u32 seq)
{
	bool any = false;

	while (r->count && onramp_ring_offset(r, seq) >= ONRAMP_RING_SPAN) {
		onramp_ring_drop(r);
		any = true;
	}
	return any;
}

/*
 * Make space for a packet.  Its beginning is less than 2^31 behind what was
 * sent, and its end less than that behind its beginning: one after the other.
 * Return: false if a young record had to go.
 */
static inline bool onramp_ring_room(struct onramp_ring *r, u32 seq, u32 end)
{
	bool young = onramp_ring_forget(r, seq);

	young |= onramp_ring_forget(r, end);
	if (r->count == r->size) {
		onramp_ring_drop(r);
		young = true;
	}
	return !young;
}

/**
 * onramp_ring_again() - some of a packet was sent before
 * @r: the ring
 * @seq: sequence number of its first byte
 * @len: bytes of payload, below ONRAMP_RING_SPAN
 *
 * There is no record of it, those that it overlaps are ambiguous, and those that its end
 * leaves too far behind are gone.
 */
static inline void onramp_ring_again(struct onramp_ring *r, u32 seq, u32 len)
{
	u32 end = seq + len;

	onramp_ring_repeat(r, seq, len);
	if (!r->has_end || (s32)(end - r->end) <= 0)
		return;
	r->end = end;
	onramp_ring_forget(r, end);
}

/**
 * onramp_ring_push() - a packet leaves
 * @r: the ring
 * @x: the packet; @x->ambiguous is false
 * @idle_ns: records of this age make space without being missed
 *
 * Return: see enum onramp_pushed.
 */
static inline enum onramp_pushed
onramp_ring_push(struct onramp_ring *r, const struct onramp_record *x,
		 u64 idle_ns)
{
	u32 end = x->seq + x->len;
	bool kept;

	if (!x->len || x->len >= ONRAMP_RING_SPAN)
		return ONRAMP_PUSHED_NOT;
	if (r->has_end && (s32)(x->seq - r->end) < -(s32)ONRAMP_RING_REACH)
		onramp_ring_clear(r);
	if (r->has_end && (s32)(x->seq - r->end) < 0) {
		onramp_ring_again(r, x->seq, x->len);
		return ONRAMP_PUSHED_AGAIN;
	}
	r->has_end = true;
	r->end = end;
	if (!r->size)
		return ONRAMP_PUSHED_NOT;

	onramp_ring_retire(r, x->tx_ns, idle_ns);
	kept = onramp_ring_room(r, x->seq, end);
	*onramp_ring_at(r, r->count) = *x;
	r->count++;
	return kept ? ONRAMP_PUSHED : ONRAMP_PUSHED_EVICTED;
}

/* Does a range, not all in one record, touch one that was sent twice? */
static inline bool onramp_ring_touches(const struct onramp_ring *r, u32 offset,
				       u32 len, u32 i)
{
	for (; i < r->count; i++) {
		const struct onramp_record *x = onramp_ring_at(r, i);
		u32 begin = onramp_ring_offset(r, x->seq);

		if (begin >= offset && begin - offset >= len)
			return false;
		if (x->ambiguous)
			return true;
	}
	return false;
}

/**
 * onramp_ring_find() - the record of a packet that is reported
 * @r: the ring
 * @seq: sequence number of its first byte
 * @len: bytes of payload, 1 to 65535
 * @found: set if ONRAMP_FOUND is returned
 *
 * Amortised O(1) for reports in order, else O(log ONRAMP_RING_MAX), and up to
 * ONRAMP_RING_MAX for a range that is in no record.
 *
 * Return: see enum onramp_found.
 */
static inline enum onramp_found
onramp_ring_find(struct onramp_ring *r, u32 seq, u32 len,
		 const struct onramp_record **found)
{
	const struct onramp_record *x;
	u32 offset, i, inside;

	if (!r->count || !len)
		return ONRAMP_FOUND_NOT;
	offset = onramp_ring_offset(r, seq);
	if (offset >= ONRAMP_RING_SPAN)
		return ONRAMP_FOUND_NOT;

	i = onramp_ring_search(r, offset);
	if (i == r->count)
		return ONRAMP_FOUND_NOT;
	x = onramp_ring_at(r, i);
	inside = offset - onramp_ring_offset(r, x->seq);
	if (inside >= x->len || len > x->len - inside)
		return onramp_ring_touches(r, offset, len, i) ?
		       ONRAMP_FOUND_AMBIGUOUS : ONRAMP_FOUND_NOT;
	r->hint = inside + len == x->len ? i + 1 : i;
	if (x->ambiguous)
		return ONRAMP_FOUND_AMBIGUOUS;
	*found = x;
	return ONRAMP_FOUND;
}

/**
 * onramp_record_before() - bytes of a GSO packet that the wire took before one
 *	of its segments
 * @x: the packet
 * @seq: sequence number of the segment's first byte, in @x
 *
 * Return: with the headers of the segments before.
 */
static inline u64 onramp_record_before(const struct onramp_record *x, u32 seq)
{
	u32 offset = seq - x->seq;

	if (!x->segment_bytes)
		return offset;
	return offset + (u64)(offset / x->segment_bytes) * x->header_bytes;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_RING_H */
