// SPDX-License-Identifier: GPL-2.0
/*
 * Two snapshots of facts, and what happened between them.
 */
#include <errno.h>

#include "findings.h"

static void copy(struct host *to)
{
	*to = h;
	to->f.devs = to->devs;
	to->f.qdiscs = to->qdiscs;
}

static void since(void)
{
	struct host before;

	copy(&before);
	h.f.core.records += 5;
	h.f.core.acks += 1;
	onramp->n.packets += 4;
	onramp->n.samples += 3;
	ecn->n.packets -= 1;
	eth0->n.bytes += 10;
	eth0->n.rx_bytes += 10;
	facts_since(&h.f, &before.f);
	tap_ok(h.f.core.records == 5 && h.f.core.acks == 1 &&
	       onramp->n.packets == 4 && onramp->n.samples == 3 &&
	       !onramp->n.records && eth0->n.rx_bytes == 10 &&
	       !eth0->n.tx_bytes && !h.f.still && !eth0->still,
	       "of counters that moved, what happened meanwhile is left");
	tap_ok(h.f.ack.packets == 600 && eth1->n.tx_bytes == 1000000 &&
	       eth1->still,
	       "of those that stood still, all");
	tap_ok(ecn->n.packets == 999 && ecn->n.marks == 12,
	       "of those that began anew, all");
	well();
	h.qdiscs[0].handle = 0x50000;
	onramp->n.packets += 1;
	facts_since(&h.f, &before.f);
	tap_ok(onramp->n.packets == 801, "of a new qdisc, all");
	tap_ok(h.f.still && h.f.core.records == 700,
	       "of what stood still it is known");
	well();
	h.f.core.forged += 2;
	facts_since(&h.f, &before.f);
	tap_ok(!h.f.still && !h.f.core.records && h.f.core.forged == 2,
	       "any counter that moved will do");
	well();
	h.f.core.records -= 1;
	facts_since(&h.f, &before.f);
	tap_ok(h.f.still && h.f.core.records == 699,
	       "what began anew is of all time, too");
}

#define PATHS	5

/* The change between two snapshots of paths: how many are in each state, and the first of them. */
static void looked(struct facts *f, const struct facts_path *first, size_t n,
		   const struct facts_path *second)
{
	struct facts_path were[PATHS], are[PATHS];
	struct facts before = { 0 };

	memcpy(were, first, n * sizeof(*first));
	memcpy(are, second, PATHS * sizeof(*second));
	before.paths.list = were;
	before.paths.n = n;
	memset(f, 0, sizeof(*f));
	f->paths.list = are;
	f->paths.n = PATHS;
	facts_since(f, &before);
	f->paths.list = NULL;
}

#define IN(f, state, ends, address) \
	((f)->paths.in[ONRAMP_STATE_##state].n == (ends) && \
	 !strcmp((f)->paths.in[ONRAMP_STATE_##state].daddr, address))

static void paths_since(void)
{
	/* Not in order; one of IPv6, and a class of another. */
	static const struct facts_path first[PATHS] = {
		{ { { 10, 0, 0, 1 }, { 10, 0, 0, 9 }, 4 },
		  ONRAMP_STATE_NO_CLOCK, 90 },
		{ { { 10, 0, 0, 1 }, { 10, 0, 0, 3 }, 4 },
		  ONRAMP_STATE_NO_CLOCK, 30, 7000 },
		{ { { 10, 0, 0, 1 }, { 10, 0, 0, 3 }, 4, 8 },
		  ONRAMP_STATE_VALID, 50, 5000 },
		{ { { 10, 0, 0, 1 }, { 10, 0, 0, 4 }, 4 },
		  ONRAMP_STATE_UNACKED, 0 },
		{ { { 1 }, { 2 }, 16 }, ONRAMP_STATE_NEGATIVE, 60 },
	};
	struct facts_path second[PATHS];
	struct facts f;

	memcpy(second, first, sizeof(first));
	second[2].samples++;
	looked(&f, first, PATHS, second);
	tap_ok(IN(&f, VALID, 1, "10.0.0.3") && IN(&f, NO_CLOCK, 0, "") &&
	       IN(&f, NEGATIVE, 0, ""),
	       "where a path is measured the others' states are past");
	tap_ok(IN(&f, UNACKED, 1, "10.0.0.4") && f.paths.all.n == PATHS &&
	       f.paths.unacked.n == 1 && f.paths.error_ns == 7000,
	       "but unacknowledged ones are reported, and all are there");
	second[1].samples++;
	second[4].samples++;
	looked(&f, first, PATHS, second);
	tap_ok(IN(&f, NO_CLOCK, 1, "10.0.0.3") && IN(&f, NEGATIVE, 1, "200::"),
	       "each path that is measured tells its state");
	looked(&f, first, PATHS, first);
	tap_ok(IN(&f, NO_CLOCK, 2, "10.0.0.9") && IN(&f, NEGATIVE, 1, "200::") &&
	       IN(&f, VALID, 1, "10.0.0.3"),
	       "where none is, all do");
	second[0].samples = 2;
	looked(&f, first, PATHS, second);
	tap_ok(IN(&f, NO_CLOCK, 2, "10.0.0.9"),
	       "a path that began anew was measured");
	memcpy(second, first, sizeof(first));
	looked(&f, first, 4, second);
	tap_ok(IN(&f, NEGATIVE, 1, "200::") && IN(&f, NO_CLOCK, 0, ""),
	       "so was one that is new");
	second[4].samples = 0;
	looked(&f, first, 4, second);
	tap_ok(IN(&f, NO_CLOCK, 2, "10.0.0.9"),
	       "but not one that is new and has no samples");
	looked(&f, first, 0, first);
	tap_ok(IN(&f, NO_CLOCK, 2, "10.0.0.9") && IN(&f, NEGATIVE, 1, "200::"),
	       "without an earlier look at paths all tell");
	second[4].state = FACTS_STATES;
	second[3].state = -1;
	looked(&f, first, PATHS, second);
	tap_ok(f.paths.unacked.n == 1 && IN(&f, UNACKED, 0, "") &&
	       IN(&f, NEGATIVE, 0, "") && f.paths.all.n == PATHS,
	       "a state of tomorrow, and none, are nobody's");
}

static void misses(void)
{
	struct facts f = { 0 };
	int i;

	for (i = 0; i < 2 * FACTS_UNREAD_MAX; i++)
		facts_miss(&f, "much", EPERM);
	tap_ok(f.nr_unread == FACTS_UNREAD_MAX,
	       "what cannot be read is bounded");
}

void facts_tests(void)
{
	since();
	paths_since();
	misses();
}
