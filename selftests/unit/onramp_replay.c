// SPDX-License-Identifier: GPL-2.0
/*
 * Datagrams are accepted once: the rule by hand, and then a receiver that forgets its
 * serial number as it likes, over a network that reorders, loses and repeats,
 * and an attacker that has kept every datagram.
 */
#include <string.h>

#include "onramp_replay.h"
#include "options.h"
#include "oracle_replay.h"
#include "random.h"
#include "../lib/tap.h"

#define MS	1000000ULL
#define S	1000000000ULL
#define NOW	(1700000000ULL * S)

#define KEPT	4096
/* How far the network puts datagrams out of order, at most. */
#define LATE	32

/**
 * struct step - a datagram and what must become of it
 * @name: of the test
 * @serial: its number
 * @stamp_ns: its newest stamp, less NOW
 * @now_ns: our clock, less NOW
 * @epoch: of the clock
 * @verdict: expected
 */
struct step {
	const char *name;
	u32 serial;
	s64 stamp_ns;
	s64 now_ns;
	u32 epoch;
	enum onramp_replay_verdict verdict;
};

static const struct step steps[] = {
	{ "a stamp more than a second old", 5, -(s64)S - 1, 0, 0, ONRAMP_REPLAY_STALE },
	{ "a stamp more than a second ahead", 5, S + 1, 0, 0, ONRAMP_REPLAY_STALE },
	{ "the first is taken, whatever its serial", 5, -(s64)S, 0, 0, ONRAMP_REPLAY_NEW },
	{ "and no second time", 5, -(s64)S, 0, 0, ONRAMP_REPLAY_SEEN },
	{ "the next", 6, 10, 20, 0, ONRAMP_REPLAY_NEW },
	{ "one ahead by 63, though it is older", 69, 5, 20, 0, ONRAMP_REPLAY_NEW },
	{ "the first again, with the end of the window in sight", 6, 10, 20, 0, ONRAMP_REPLAY_SEEN },
	{ "one that was late, at the end of the window", 7, 8, 20, 0, ONRAMP_REPLAY_NEW },
	{ "and no second time, late", 7, 8, 20, 0, ONRAMP_REPLAY_SEEN },
	{ "one behind the window", 5, 9, 20, 0, ONRAMP_REPLAY_OLD },
	{ "one ahead by 64, as old as the newest", 133, 10, 20, 0, ONRAMP_REPLAY_OLD },
	{ "one far ahead", 0x80000000, 10, 20, 0, ONRAMP_REPLAY_OLD },
	{ "newer than all: a serial begun anew", 3, 11, 20, 0, ONRAMP_REPLAY_NEW },
	{ "and no second time, begun anew", 3, 11, 20, 0, ONRAMP_REPLAY_SEEN },
	{ "what was taken before, ahead in the new order", 6, 10, 20, 0, ONRAMP_REPLAY_OLD },
	{ "what was not, but is as old", 8, 10, 20, 0, ONRAMP_REPLAY_OLD },
	{ "what is newer than the old order", 4, 12, 20, 0, ONRAMP_REPLAY_NEW },
	{ "a serial used twice, by one that is newer", 4, 13, 20, 0, ONRAMP_REPLAY_NEW },
	{ "the one that used it first", 4, 12, 20, 0, ONRAMP_REPLAY_OLD },
	{ "our clock went on: what is in the window is stale", 4, 13, S + 14, 0, ONRAMP_REPLAY_STALE },
	{ "another epoch begins anew", 4, 1, 20, 1, ONRAMP_REPLAY_NEW },
	{ "and is remembered", 4, 1, 20, 1, ONRAMP_REPLAY_SEEN },
	{ "the serial wraps, backwards and in the window", 0xfffffffa, 1, 20, 1, ONRAMP_REPLAY_NEW },
	{ "and is remembered, wrapped", 0xfffffffa, 1, 20, 1, ONRAMP_REPLAY_SEEN },
	{ "our clock was stepped back: a serial that goes on", 5, -(s64)S, -(s64)S, 1, ONRAMP_REPLAY_NEW },
	{ "our clock was stepped back: one begun anew", 1000, 1 - (s64)S, 1 - (s64)S, 1, ONRAMP_REPLAY_OLD },
	{ "begun anew, far behind", 0x80000000, 0, 0, 1, ONRAMP_REPLAY_OLD },
	{ "begun anew, where the clock was", 1001, 1, 1, 1, ONRAMP_REPLAY_OLD },
	{ "begun anew, past where the clock was", 1002, 2, 2, 1, ONRAMP_REPLAY_NEW },
	{ "our clock was stepped back once more: what goes on, too", 1003, 1, 1, 1, ONRAMP_REPLAY_OLD },
};

static void steps_test(void)
{
	struct onramp_replay w = {}, before;
	struct oracle_replay oracle = {};
	enum onramp_replay_verdict verdict;
	bool untouched = true, agreed = true;
	u32 i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct step *x = &steps[i];
		const struct onramp_replay_mark m = {
			.stamp_ns = NOW + x->stamp_ns,
			.serial = x->serial,
			.epoch = x->epoch,
		};

		before = w;
		verdict = onramp_replay_check(&w, &m, NOW + x->now_ns);
		if (!tap_ok(verdict == x->verdict, "replay__%s", x->name))
			tap_remark("verdict %u", verdict);
		agreed = agreed && oracle_replay_check(&oracle, &m, NOW + x->now_ns) == x->verdict;
		if (verdict != ONRAMP_REPLAY_NEW)
			untouched = untouched && before.seen == w.seen &&
				    before.newest_ns == w.newest_ns &&
				    before.floor_ns == w.floor_ns &&
				    before.top == w.top && before.epoch == w.epoch &&
				    before.started == w.started;
	}
	tap_ok(agreed, "replay__the_oracle_says_the_same");
	tap_ok(untouched, "replay__what_is_refused_leaves_the_window");
}

/**
 * struct story - a receiver, its datagrams, and what became of them
 * @seed: of everything
 * @now_ns: time, of both clocks
 * @serial: of the next datagram
 * @sent: how many
 * @mark: of the latest KEPT
 * @taken: how often each was
 * @w: the window
 */
struct story {
	u64 seed;
	u64 now_ns;
	u32 serial;
	u64 sent;
	struct onramp_replay_mark mark[KEPT];
	u32 taken[KEPT];
	struct onramp_replay w;
};

static struct story story;

static void story_emit(struct story *t)
{
	u32 i = t->sent++ % KEPT;

	t->now_ns += 1 + random_below(&t->seed, random_below(&t->seed, 50) ? 50000 : 200 * MS);
	t->mark[i] = (struct onramp_replay_mark){
		.stamp_ns = t->now_ns,
		.serial = t->serial++,
	};
	t->taken[i] = 0;
}

static bool story_offer(struct story *t, u64 which)
{
	u32 i = which % KEPT;
	bool taken = onramp_replay_check(&t->w, &t->mark[i], t->now_ns) == ONRAMP_REPLAY_NEW;

	t->taken[i] += taken;
	return taken;
}

/* Somebody repeats what he has, of a short while ago or of long ago. */
static bool story_attack(struct story *t)
{
	u64 kept = t->sent < KEPT ? t->sent : KEPT;
	u32 repeats = random_below(&t->seed, 20);
	bool good = true;
	u64 which;

	while (repeats--) {
		u64 back = random_below(&t->seed, random_below(&t->seed, 2) ? kept : min(kept, 200ULL));

		which = t->sent - 1 - back;
		story_offer(t, which);
		good = good && t->taken[which % KEPT] <= 1;
	}
	return good;
}

/* A serial that is anything, or near, or close to where it was long ago. */
static void story_forget(struct story *t)
{
	switch (random_below(&t->seed, 3)) {
	case 0:
		t->serial = random_u64(&t->seed);
		break;
	case 1:
		t->serial -= random_below(&t->seed, 300);
		break;
	default:
		t->serial += random_below(&t->seed, 300);
	}
}

/* In order, with losses: all is taken, the first time. */
static void story_in_order(u64 seed, unsigned long n)
{
	bool once = true, all = true;
	struct story *t = &story;

	memset(t, 0, sizeof(*t));
	t->seed = seed;
	t->now_ns = NOW;
	t->serial = -1000;
	while (n--) {
		if (!random_below(&t->seed, 100))
			story_forget(t);
		story_emit(t);
		if (random_below(&t->seed, 10))
			all = story_offer(t, t->sent - 1) && all;
		once = story_attack(t) && once;
	}
	tap_ok(all, "replay__what_comes_in_order_is_taken_whatever_its_serial");
	tap_ok(once, "replay__nothing_is_taken_twice");
}

/* Out of order by less than the window: all is taken while the serial goes on. */
static void story_reordered(u64 seed, unsigned long n)
{
	struct story *t = &story;
	bool all = true;
	u32 i, j;

	memset(t, 0, sizeof(*t));
	t->seed = seed;
	t->now_ns = NOW;
	t->serial = -5000;
	n = n / LATE;
	while (n--) {
		u32 order[LATE];

		for (i = 0; i < LATE; i++) {
			story_emit(t);
			j = random_below(&t->seed, i + 1);
			order[i] = order[j];
			order[j] = i;
		}
		/* Delays of more than a second are not checked. */
		if (t->now_ns - t->mark[(t->sent - LATE) % KEPT].stamp_ns > S) {
			t->w.started = false;
			continue;
		}
		for (i = 0; i < LATE; i++)
			all = story_offer(t, t->sent - LATE + order[i]) && all;
	}
	tap_ok(all, "replay__what_is_late_by_less_than_the_window_is_taken");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100000, "datagrams");

	steps_test();
	story_in_order(o.seed, o.n);
	story_reordered(o.seed, o.n);
	return tap_done();
}
