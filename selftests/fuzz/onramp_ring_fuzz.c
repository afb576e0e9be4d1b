// SPDX-License-Identifier: GPL-2.0
/*
 * Packets of a flow, sent in order, again, with gaps and as another connection,
 * and reports of them, whole, in part, across several and of what was never
 * sent: the ring says what somebody who keeps a list says, and has the records
 * that he has, after every step.  Anything else aborts.
 *
 *   head        4 bytes: the first sequence number; 2 bytes: when a record is idle
 *   operation   1 byte: modulo 8 what, next 3 bits where, next 2 bits up to
 *		 where; of packets in order: 64: there is no memory to grow
 *   where       0 to 5 bytes, and 0 to 2 up to where
 *
 * What is missing at the end is 0.
 */
#include <stdlib.h>

#include "bytes.h"
#include "oracle_ring.h"

#define NOW	1700000000000000000ULL
#define STEPS	400

/* So far from 0 that no input gets there, however often a connection begins far behind. */
#define ORIGIN	0x4000000000000000ULL

/**
 * struct story - a ring, its oracle, and what decides
 * @r: the ring
 * @oracle: who keeps a list
 * @now_ns: time
 * @idle_ns: age of records that are not missed
 * @pushed: packets, by which records are told apart
 */
struct story {
	struct onramp_ring r;
	struct oracle_ring oracle;
	u64 now_ns;
	u64 idle_ns;
	u64 pushed;
};

/**
 * struct range - some bytes
 * @at: the first
 * @len: how many
 */
struct range {
	u64 at;
	u32 len;
};

static struct story t;

static void require(bool good)
{
	if (!good)
		abort();
}

static void move(u32 size)
{
	struct onramp_record *records = size ? malloc(size * sizeof(*records)) : NULL;
	struct onramp_record *was = t.r.records;

	require(records || !size);
	require(onramp_ring_move(&t.r, records, size) == was);
	free(was);
	oracle_ring_resize(&t.oracle, size);
}

static void grow(bool has_memory)
{
	u32 wanted = onramp_ring_wanted(&t.r);

	require(wanted == oracle_ring_wanted(&t.oracle));
	if (wanted && has_memory)
		move(wanted);
}

/* The 64 bits that are nearest to some others, of all with the same sequence number. */
static u64 nearest(u64 at, u64 to)
{
	return to + (s32)(u32)(at - to);
}

/* The oldest record, or if there is none what would be the next. */
static u64 oldest(void)
{
	return oracle_ring_count(&t.oracle) ? t.oracle.packet[t.oracle.first].at : t.oracle.end;
}

static void push(u64 at, u32 len)
{
	struct onramp_record x = {
		.seq = at, .len = len, .tx_ns = t.now_ns, .total_ns = ++t.pushed,
	};

	if (t.oracle.n == ORACLE_RING_LONGEST)
		return;
	require(onramp_ring_push(&t.r, &x, t.idle_ns) ==
		oracle_ring_push(&t.oracle, at, &x, t.idle_ns));
}

static void push_in_order(struct bytes *b, bool has_memory)
{
	u32 n = 1 + take(b, 1), len = 1 + take(b, 2);

	while (n--) {
		grow(has_memory);
		push(t.oracle.end, len);
	}
}

static void push_range(struct range range)
{
	if (t.oracle.has_end)
		range.at = nearest(range.at, t.oracle.end);
	push(range.at, range.len);
}

static void find(struct range range)
{
	const struct onramp_record *x = NULL, *expected = NULL;
	enum onramp_found found;

	range.at = nearest(range.at, oldest());
	found = oracle_ring_find(&t.oracle, range.at, range.len, &expected);
	require(onramp_ring_find(&t.r, range.at, range.len, &x) == found);
	require(!x == !expected && (!x || oracle_ring_is_same(x, expected)));
}

static u64 take_at(struct bytes *b, const struct oracle_ring_packet *e, unsigned int form)
{
	unsigned int beside;

	if (form == 0)
		return e->at;
	if (form == 1)
		return e->at + take(b, 2) % e->x.len;
	if (form == 2)
		return t.oracle.end + (s32)take(b, 4);
	beside = take(b, 1);
	switch (form) {
	case 3:
		return around(e->at, beside);
	case 4:
		return around(e->at + e->x.len, beside);
	case 5:
		return around(t.oracle.end - ORACLE_RING_REACH, beside);
	case 6:
		return around(oldest() + ORACLE_RING_SPAN, beside);
	default:
		return around(t.oracle.end, beside);
	}
}

static struct range take_range(struct bytes *b, unsigned int operation, unsigned int longest)
{
	const struct oracle_ring_packet none = { .at = t.oracle.end, .x.len = 1 };
	u32 count = oracle_ring_count(&t.oracle);
	const struct oracle_ring_packet *e = &none;
	struct range range;

	if (count)
		e = &t.oracle.packet[t.oracle.first + take(b, 1) % count];
	range.at = take_at(b, e, operation / 8 % 8);
	switch (operation / 64) {
	case 0:
		range.len = take(b, 2);
		break;
	case 1:
		range.len = 1 + take(b, 1) % 2;
		break;
	case 2:
		range.len = e->at + e->x.len - range.at;
		if (range.len > 65534)
			range.len = 65534;
		range.len = around(range.len, take(b, 1));
		break;
	default:
		range.len = around(longest, take(b, 1));
		break;
	}
	return range;
}

static void pass_time(struct bytes *b, unsigned int form)
{
	unsigned int beside = take(b, 1);
	u64 then_ns = t.now_ns + beside;

	if (form % 2 && oracle_ring_count(&t.oracle))
		then_ns = around(t.oracle.packet[t.oracle.first].x.tx_ns + t.idle_ns, beside);
	t.now_ns = max(t.now_ns, then_ns);
	if (form & 2) {
		onramp_ring_retire(&t.r, t.now_ns, t.idle_ns);
		oracle_ring_retire(&t.oracle, t.now_ns, t.idle_ns);
	}
}

/* Into an array of any size that holds the records; seldom, none, or as if a connection began. */
static void rearrange(struct bytes *b)
{
	unsigned int form = take(b, 1);
	u32 size = ORACLE_RING_LEAST << form % 5;

	if (form >= 248) {
		onramp_ring_clear(&t.r);
		oracle_ring_clear(&t.oracle);
	} else if (form >= 240) {
		move(0);
	} else if (size >= oracle_ring_count(&t.oracle)) {
		move(size);
	}
}

static void step(struct bytes *b)
{
	unsigned int operation = take(b, 1);

	switch (operation % 8) {
	case 0:
		push_in_order(b, !(operation & 64));
		break;
	case 1:
	case 2:
		push_range(take_range(b, operation, ORACLE_RING_SPAN - 1));
		break;
	case 3:
		pass_time(b, operation / 8);
		break;
	case 4:
		rearrange(b);
		break;
	default:
		find(take_range(b, operation, 65534));
		break;
	}
	require(oracle_ring_agrees(&t.oracle, &t.r));
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: bytes, read as above
 * @size: how many
 *
 * Return: 0; does not return if something is wrong with the ring.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .end = data + size };
	unsigned int n;

	t = (struct story){ .now_ns = NOW };
	t.oracle.end = ORIGIN + take(&b, 4);
	t.idle_ns = 1 + take(&b, 2);
	for (n = 0; n < STEPS && b.at < b.end; n++)
		step(&b);
	move(0);
	return 0;
}
