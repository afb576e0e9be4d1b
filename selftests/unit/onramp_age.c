// SPDX-License-Identifier: GPL-2.0
/*
 * Ageing neither stops while something is due nor goes on while nothing is:
 * kernel/core/age.c itself, over a work queue and a table that are made up here.
 * Things come and are used no more at any time: before a pass, between two of
 * its batches, and while a batch is looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "port.h"
#include "random.h"
#include "../lib/tap.h"

/* Instead of kernel/core/core.h, and as it has them. */
#define SHARPRAMP_ONRAMP_CORE_PRIVATE_H

#define HZ		250
#define TICK_NS		(1000000000ULL / HZ)
#define THINGS		64
#define BATCH		8
/* Nothing is due later than so many ticks after its last use. */
#define LATEST		500

struct delayed_work {
	bool pending;
	unsigned long at;
};

struct onramp_age {
	struct delayed_work work;
	u32 flows;
	u32 paths;
	u64 due_ns;
	unsigned long woken;
};

struct onramp_net {
	struct {
		u32 nelems;
	} flows, paths;
	struct onramp_age age;
};

void onramp_age_wake(struct onramp_net *on);
void onramp_age_begin(struct onramp_net *on);
void onramp_age_due(struct onramp_net *on, u64 due_ns);
void onramp_age_end(struct onramp_net *on, u64 now_ns);

static unsigned long tick;

#define atomic_read(x)			(*(x))
#define smp_mb__after_atomic()		do { } while (0)
#define test_bit(bit, word)		(*(word) >> (bit) & 1)
#define clear_bit(bit, word)		(*(word) &= ~(1UL << (bit)))
#define nsecs_to_jiffies(ns)		((unsigned long)((ns) / TICK_NS))
#define mod_delayed_work(wq, work, wait) queue(work, wait, true)
#define queue_delayed_work(wq, work, wait) queue(work, wait, false)

static inline bool test_and_set_bit(int bit, unsigned long *word)
{
	bool was = test_bit(bit, word);

	*word |= 1UL << bit;
	return was;
}

/* Queued packets stay as they are, or are delayed. */
static void queue(struct delayed_work *work, unsigned long wait, bool again)
{
	if (work->pending && !again)
		return;
	work->pending = true;
	work->at = tick + wait;
}

#include "../../kernel/core/age.c"

/**
 * struct thing - what is forgotten
 * @used: so it is not due
 * @due_ns: if it is not used
 */
struct thing {
	bool used;
	u64 due_ns;
};

/**
 * struct world - a namespace; on.flows has how many things there are
 * @on: its ageing
 * @list: things, least recently looked at first
 * @batches: that were looked at
 */
struct world {
	struct onramp_net on;
	struct thing list[THINGS];
	unsigned long batches;
};

static u64 now_ns(void)
{
	return tick * TICK_NS;
}

static void make(struct world *w)
{
	if (w->on.flows.nelems == THINGS)
		return;
	w->list[w->on.flows.nelems++] = (struct thing){ .used = true };
	onramp_age_wake(&w->on);
}

/* Return: false if it is used no more already. */
static bool end_use(struct world *w, u32 i, u64 after)
{
	struct thing *t = &w->list[i];

	if (!t->used)
		return false;
	*t = (struct thing){ .due_ns = now_ns() + after * TICK_NS };
	onramp_age_wake(&w->on);
	return true;
}

static void happen(struct world *w, u64 *seed)
{
	if (random_below(seed, 2)) {
		make(w);
	} else if (w->on.flows.nelems) {
		u64 after = random_below(seed, LATEST);

		end_use(w, random_below(seed, w->on.flows.nelems), after);
	}
}

/* The first of the list is forgotten, or goes to its end. */
static void look(struct world *w)
{
	struct thing t = w->list[0];
	u32 left = w->on.flows.nelems - 1;

	memmove(w->list, w->list + 1, left * sizeof(t));
	if (!t.used && t.due_ns <= now_ns()) {
		w->on.flows.nelems = left;
		onramp_age_due(&w->on, now_ns());
		return;
	}
	w->list[left] = t;
	onramp_age_due(&w->on, t.used ? U64_MAX : t.due_ns);
}

/* The work; something happens meanwhile if there is a seed. */
static void batch(struct world *w, u64 *seed)
{
	u32 left, i;

	w->batches++;
	w->on.age.work.pending = false;
	onramp_age_begin(&w->on);
	left = min(w->on.age.flows, (u32)BATCH);
	w->on.age.flows -= left;
	for (i = 0; i < left && w->on.flows.nelems; i++) {
		look(w);
		if (seed && !random_below(seed, 16))
			happen(w, seed);
	}
	onramp_age_end(&w->on, now_ns());
}

static void pass_time(struct world *w, unsigned long ticks, u64 *seed)
{
	for (; ticks; ticks--, tick++) {
		if (seed && !random_below(seed, 4))
			happen(w, seed);
		if (w->on.age.work.pending && w->on.age.work.at <= tick)
			batch(w, seed);
	}
}

/* How many things are there that should not be. */
static u32 forgotten_not(const struct world *w)
{
	u32 i, n = 0;

	for (i = 0; i < w->on.flows.nelems; i++)
		n += !w->list[i].used;
	return n;
}

/* Long enough for a pass, and what it puts off, and a last one. */
static void settle(struct world *w)
{
	pass_time(w, 4 * (LATEST + HZ + THINGS), NULL);
}

static void between_batches_test(void)
{
	struct world w = {};
	u32 i;

	tick = 1000;
	for (i = 0; i < BATCH + 1; i++)
		make(&w);
	while (!w.batches)
		pass_time(&w, 1, NULL);
	tap_ok(w.on.age.flows == 1 && w.on.age.work.pending, "age__a_pass_of_two_batches");
	make(&w);
	settle(&w);
	tap_ok(!w.on.age.work.pending && !w.on.age.woken, "age__it_sleeps_after_one_that_came_between_them");
	w.batches = 0;
	settle(&w);
	tap_ok(!w.batches, "age__it_sleeps_while_all_are_used");
	for (i = 0; i < w.on.flows.nelems; i++)
		end_use(&w, i, i);
	settle(&w);
	tap_ok(!w.on.flows.nelems, "age__and_wakes_when_none_is");
}

static void random_test(u64 seed, unsigned long n)
{
	unsigned long i, stuck = 0, awake = 0, kept = 0;

	for (i = 0; i < n; i++) {
		struct world w = {};

		tick = random_below(&seed, 1000);
		pass_time(&w, random_below(&seed, 4 * HZ), &seed);
		settle(&w);
		stuck += forgotten_not(&w) > 0;
		awake += w.on.age.work.pending;
		kept += w.on.flows.nelems > BATCH;
	}
	tap_ok(!stuck, "age__all_that_is_due_is_forgotten");
	tap_ok(!awake, "age__it_sleeps_when_nothing_is_due");
	tap_ok(kept > n / 10, "age__some_passes_had_several_batches");
	tap_remark("%lu stuck, %lu awake, %lu of several batches, of %lu", stuck, awake, kept, n);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 500, "namespaces");

	between_batches_test();
	random_test(o.seed, o.n);
	return tap_done();
}
