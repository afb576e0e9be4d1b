// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of records: cases, then random packets and reports against a list
 * that is searched from end to end and counts bytes in 64 bits.
 */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "oracle_ring.h"
#include "random.h"

#define IDLE_NS 1000000000ULL

static struct onramp_record array[2 * ONRAMP_RING_MAX];

static struct onramp_record packet(u32 seq, u32 len, u64 tx_ns)
{
	return (struct onramp_record){ .seq = seq, .len = len, .tx_ns = tx_ns };
}

static enum onramp_pushed push(struct onramp_ring *r, u32 seq, u32 len)
{
	struct onramp_record x = packet(seq, len, 1000);

	return onramp_ring_push(r, &x, IDLE_NS);
}

static enum onramp_found find(struct onramp_ring *r, u32 seq, u32 len)
{
	const struct onramp_record *x;

	return onramp_ring_find(r, seq, len, &x);
}

static struct onramp_ring sized(u32 size)
{
	struct onramp_ring r = {};

	onramp_ring_move(&r, array, size);
	return r;
}

static void test_order(void)
{
	struct onramp_ring r = sized(16);
	bool good = true;
	u32 i;

	/* Across the wrap: 0 is in the third. */
	for (i = 0; i < 8; i++)
		good &= push(&r, 0xfffffe00u + i * 200, 200) == ONRAMP_PUSHED;
	tap_ok(good && r.count == 8, "packets across the wrap are recorded");
	for (good = true, i = 8; i--;)
		good &= find(&r, 0xfffffe00u + i * 200, 200) == ONRAMP_FOUND;
	tap_ok(good, "found in reverse order");
	tap_ok(find(&r, 0xfffffe00u + 250, 100) == ONRAMP_FOUND &&
	       find(&r, 0xfffffe00u + 399, 1) == ONRAMP_FOUND,
	       "a part of a packet is found");
	tap_ok(find(&r, 0xfffffe00u + 100, 200) == ONRAMP_FOUND_NOT &&
	       find(&r, 0xfffffe00u - 1, 2) == ONRAMP_FOUND_NOT &&
	       find(&r, 0xfffffe00u + 1599, 2) == ONRAMP_FOUND_NOT &&
	       find(&r, 0xfffffe00u + 1600, 1) == ONRAMP_FOUND_NOT,
	       "what is not all in one packet is not");
}

static void test_again(void)
{
	struct onramp_ring r = sized(16);
	u32 i;

	for (i = 0; i < 4; i++)
		push(&r, 1000 + i * 100, 100);
	tap_ok(push(&r, 1150, 100) == ONRAMP_PUSHED_AGAIN && r.count == 4,
	       "what was sent before gets no record");
	tap_ok(find(&r, 1000, 100) == ONRAMP_FOUND &&
	       find(&r, 1100, 50) == ONRAMP_FOUND_AMBIGUOUS &&
	       find(&r, 1250, 50) == ONRAMP_FOUND_AMBIGUOUS &&
	       find(&r, 1300, 100) == ONRAMP_FOUND,
	       "and makes ambiguous what it overlaps, whole");
	tap_ok(find(&r, 1050, 100) == ONRAMP_FOUND_AMBIGUOUS &&
	       find(&r, 1350, 100) == ONRAMP_FOUND_NOT,
	       "a range over two packets is ambiguous if one is");
	tap_ok(push(&r, 1350, 200) == ONRAMP_PUSHED_AGAIN &&
	       push(&r, 1400, 100) == ONRAMP_PUSHED_AGAIN &&
	       push(&r, 1550, 100) == ONRAMP_PUSHED,
	       "what was new in it counts as sent");
	tap_ok(push(&r, 500, 501) == ONRAMP_PUSHED_AGAIN &&
	       find(&r, 1000, 100) == ONRAMP_FOUND_AMBIGUOUS,
	       "from before the oldest into it");
	tap_ok(push(&r, 100, 100) == ONRAMP_PUSHED_AGAIN &&
	       find(&r, 1550, 100) == ONRAMP_FOUND, "long before the oldest");
	tap_ok(push(&r, 1650 - ONRAMP_RING_REACH, 100) == ONRAMP_PUSHED_AGAIN,
	       "as far before as a window reaches");
	tap_ok(push(&r, 1649 - ONRAMP_RING_REACH, 100) == ONRAMP_PUSHED &&
	       r.count == 1, "a byte before that: another connection");
}

static void test_far(void)
{
	struct onramp_ring r = sized(16);

	push(&r, 0, 1);
	push(&r, 0x7ffffffe, 1);
	tap_ok(r.count == 2 && find(&r, 0, 1) == ONRAMP_FOUND,
	       "two packets that are almost 2^31 apart");
	tap_ok(push(&r, 0xfffffffd, 16) == ONRAMP_PUSHED_EVICTED &&
	       r.count == 1 && find(&r, 0xfffffffd, 16) == ONRAMP_FOUND &&
	       find(&r, 0, 1) == ONRAMP_FOUND &&
	       find(&r, 0x7ffffffe, 1) == ONRAMP_FOUND_NOT,
	       "a third as far: its number comes round, and the others are gone");

	r = sized(16);
	push(&r, 0, 100);
	tap_ok(push(&r, 99, 0x7fffff00) == ONRAMP_PUSHED_AGAIN &&
	       r.count == 1 &&
	       push(&r, 0x7fffff00, 0x7fffff00) == ONRAMP_PUSHED_AGAIN &&
	       !r.count,
	       "repeats that reach ever farther leave it behind");
	tap_ok(push(&r, 0xfffffe00, 100) == ONRAMP_PUSHED &&
	       find(&r, 0xfffffe00, 100) == ONRAMP_FOUND &&
	       find(&r, 0, 100) == ONRAMP_FOUND_NOT,
	       "and what follows is found, it is not");
}

static void test_room(void)
{
	struct onramp_record *more = array + ONRAMP_RING_MAX;
	struct onramp_ring r = {};
	struct onramp_record x;
	u32 i;

	tap_ok(push(&r, 0, 1) == ONRAMP_PUSHED_NOT &&
	       find(&r, 0, 1) == ONRAMP_FOUND_NOT &&
	       onramp_ring_wanted(&r) == ONRAMP_RING_MIN,
	       "without an array nothing is recorded, and one is wanted");
	tap_ok(push(&r, 0, 1) == ONRAMP_PUSHED_AGAIN,
	       "but what was sent is known");
	tap_ok(!onramp_ring_move(&r, array, 16), "there was none");
	for (i = 0; i < 16; i++)
		push(&r, 10 + i * 10, 10);
	tap_ok(r.count == 16 && onramp_ring_wanted(&r) == 32,
	       "a full ring wants the double");
	tap_ok(push(&r, 170, 10) == ONRAMP_PUSHED_EVICTED && r.count == 16 &&
	       find(&r, 10, 10) == ONRAMP_FOUND_NOT &&
	       find(&r, 20, 10) == ONRAMP_FOUND, "or evicts the oldest");
	tap_ok(onramp_ring_move(&r, more, 32) == array && r.count == 16 &&
	       find(&r, 20, 10) == ONRAMP_FOUND &&
	       find(&r, 170, 10) == ONRAMP_FOUND &&
	       push(&r, 180, 10) == ONRAMP_PUSHED && r.count == 17,
	       "moves into a larger one");
	x = packet(190, 10, 1000 + IDLE_NS);
	tap_ok(onramp_ring_push(&r, &x, IDLE_NS) == ONRAMP_PUSHED &&
	       r.count == 1, "what is too old is not missed");
	tap_ok(push(&r, 190 + ONRAMP_RING_SPAN - 10, 10) ==
	       ONRAMP_PUSHED_EVICTED && r.count == 1,
	       "the ring spans less than half of the numbers");
	tap_ok(push(&r, 190 + ONRAMP_RING_SPAN, 0) == ONRAMP_PUSHED_NOT &&
	       find(&r, 190 + ONRAMP_RING_SPAN - 10, 0) == ONRAMP_FOUND_NOT,
	       "no payload, no record");
	tap_ok(onramp_ring_move(&r, NULL, 0) == more && !r.count && !r.size,
	       "gives its array up");
	onramp_ring_move(&r, array, ONRAMP_RING_MAX);
	for (i = 0; i < ONRAMP_RING_MAX; i++)
		push(&r, i, 1);
	tap_ok(r.count == ONRAMP_RING_MAX && !onramp_ring_wanted(&r),
	       "%u records are enough", ONRAMP_RING_MAX);
	/* Memory as stated in docs/security.md, and measured by onramp_tables.py. */
	tap_ok(r.size == 256 && sizeof(struct onramp_record) == 64,
	       "a flow has 256 records of 64 bytes at most");
}

static void test_before(void)
{
	struct onramp_record x = packet(0xfffffff0u, 4500, 0);

	x.header_bytes = 90;
	tap_ok(onramp_record_before(&x, 0xfffffff0u) == 0,
	       "nothing lies before the first");
	x.segment_bytes = 1448;
	tap_ok(onramp_record_before(&x, 0xfffffff0u + 2896) == 2896 + 180,
	       "two segments with their headers before the third");
}

static void test_empty(void)
{
	struct onramp_ring r = sized(16);

	push(&r, 1000, 100);
	push(&r, 1100, 100);
	find(&r, 1000, 100);
	onramp_ring_empty(&r);
	tap_ok(!r.count && find(&r, 1000, 100) == ONRAMP_FOUND_NOT &&
	       find(&r, 1100, 100) == ONRAMP_FOUND_NOT,
	       "emptied: what was sent is found no more");
	tap_ok(push(&r, 1100, 100) == ONRAMP_PUSHED_AGAIN && !r.count,
	       "emptied: what is sent again is no first copy");
	tap_ok(push(&r, 1200, 100) == ONRAMP_PUSHED &&
	       find(&r, 1200, 100) == ONRAMP_FOUND,
	       "emptied: what comes then is recorded");
}

static struct oracle_ring oracle;

/* With memory of just that size, so that a sanitizer sees what lies beyond. */
static void resize(struct onramp_ring *r, u32 size)
{
	free(onramp_ring_move(r, malloc(size * sizeof(*r->records)), size));
	oracle_ring_resize(&oracle, size);
}

static bool agrees_on_push(struct onramp_ring *r, uint64_t *random, u64 now_ns)
{
	u64 at = oracle.end;
	u32 len = 1 + random_below(random, 3000);
	struct onramp_record x;
	u32 wanted;

	if (!random_below(random, 8))
		at -= random_below(random, 1 << random_below(random, 20));
	else if (!random_below(random, 16))
		at += random_below(random, 1 << random_below(random, 30));
	wanted = onramp_ring_wanted(r);
	if (wanted != oracle_ring_wanted(&oracle))
		return false;
	if (wanted && random_below(random, 2))
		resize(r, wanted);
	x = packet(at, len, now_ns);
	return onramp_ring_push(r, &x, IDLE_NS) ==
	       oracle_ring_push(&oracle, at, &x, IDLE_NS);
}

/* A report of what was sent lately, or of what was never. */
static bool agrees_on_find(struct onramp_ring *r, uint64_t *random)
{
	u32 i = oracle.first + random_below(random, oracle_ring_count(&oracle) + 1);
	const struct onramp_record *x = NULL, *expected = NULL;
	u64 at = i < oracle.n ? oracle.packet[i].at : oracle.end;
	u32 len = i < oracle.n ? oracle.packet[i].x.len : 100;
	enum onramp_found found;

	if (random_below(random, 2)) {
		at += random_below(random, 4000) - 2000;
		len = 1 + random_below(random, 4000);
	}
	found = oracle_ring_find(&oracle, at, len, &expected);
	return onramp_ring_find(r, at, len, &x) == found &&
	       (found != ONRAMP_FOUND || oracle_ring_is_same(x, expected));
}

static bool test_random(uint64_t *random)
{
	struct onramp_ring r = {};
	u64 now_ns = 1;
	int step;

	/* Far enough from 0, and near the wrap. */
	oracle = (struct oracle_ring){
		.end = 5 * (1ULL << 32) - random_below(random, 1 << 20),
		.has_end = true,
	};
	r.end = oracle.end;
	r.has_end = true;
	resize(&r, ONRAMP_RING_MIN);
	for (step = 0; step < 2000; step++) {
		now_ns += random_below(random, 1 << random_below(random, 28));
		if (!random_below(random, 200)) {
			onramp_ring_empty(&r);
			oracle_ring_empty(&oracle);
		}
		if (!agrees_on_push(&r, random, now_ns))
			return tap_ok(false, "push %d", step);
		while (random_below(random, 3))
			if (!agrees_on_find(&r, random))
				return tap_ok(false, "find after %d", step);
		if (!oracle_ring_agrees(&oracle, &r))
			return tap_ok(false, "records after %d", step);
	}
	free(onramp_ring_move(&r, NULL, 0));
	return true;
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 200, "connections");
	bool good = true;
	unsigned long i;

	test_order();
	test_again();
	test_far();
	test_room();
	test_empty();
	test_before();
	for (i = 0; i < o.n && good; i++)
		good = test_random(&o.seed);
	tap_ok(good, "agrees with a list");
	return tap_done();
}
