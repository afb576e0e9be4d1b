// SPDX-License-Identifier: GPL-2.0
/*
 * The guard: triggers, hold-off, comparison.  -s SEED repeats, -n is the number of random
 * histories.
 */
#include <math.h>
#include <string.h>

#include "feature.h"
#include "guard.h"
#include "options.h"
#include "random.h"

#define MS	1000000ULL
#define SECOND	(1000 * MS)

/**
 * struct history - a guard and its time
 * @p: settings
 * @v: state
 * @now_ns: time
 * @state: of chance
 */
struct history {
	struct guard_params p;
	struct guard_vars v;
	uint64_t now_ns;
	uint64_t state;
};

/* The first block is static here, so that its delay is known. */
static struct history history(uint32_t share_ppm, uint64_t seed)
{
	struct history h = {
		.p = { share_ppm, GUARD_HOLDOFF_NS, GUARD_HOLDOFF_MOST_NS },
		.now_ns = SECOND, .state = seed,
	};

	guard_begin(&h.p, &h.v);
	h.v.is_static = true;
	return h;
}

/* An interval at which there is nothing to find fault with. */
static struct guard_interval calm(struct history *h)
{
	h->now_ns += MS;
	return (struct guard_interval) {
		.now_ns = h->now_ns, .delay_ns = 50000, .utilisation = FEATURE_ONE * 3 / 4,
		.reward = 0.5f, .random = random_u64(&h->state),
	};
}

static enum guard_verdict step(struct history *h, const struct guard_interval *x)
{
	return guard_on_interval(&h->p, &h->v, x);
}

/* Calm intervals until the queue is tuned. */
static void until_tuned(struct history *h)
{
	do {
		struct guard_interval x = calm(h);

		step(h, &x);
	} while (h->v.is_static);
}

static void test_begin(void)
{
	struct history h = history(0, 1);
	struct guard_interval x = calm(&h);

	guard_begin(&h.p, &h.v);
	tap_ok(!h.v.is_static && !h.v.holding, "begin: the first block is tuned");
	x.utilisation = GUARD_UTILISATION - 1;
	guard_note_static(&h.v, &x);
	tap_ok(!h.v.static_delay.count, "begin: an interval without traffic has no delay to count");
	x.utilisation++;
	guard_note_static(&h.v, &x);
	tap_ok(h.v.static_delay.count == 1 && h.v.static_delay.ns == 50000,
	       "begin: with traffic it has");
}

static void test_drops(void)
{
	struct history h = history(0, 1);
	struct guard_interval x = calm(&h);

	x.drops = 5;
	tap_ok(h.v.is_static && step(&h, &x) == GUARD_KEEP,
	       "drops of the static setting are its own");
	until_tuned(&h);
	x = calm(&h);
	x.drops = 1;
	tap_ok(step(&h, &x) == GUARD_DROPS && h.v.is_static, "a drop while tuned");
	x = calm(&h);
	x.drops = 1;
	tap_ok(step(&h, &x) == GUARD_KEEP, "in the hold-off there is nothing to fall from");
}

static void test_marks(void)
{
	struct history h = history(0, 1);
	struct guard_interval x;
	int i;

	until_tuned(&h);
	for (i = 0; i < 8; i++) {
		x = calm(&h);
		x.marked_fraction = GUARD_MARKED + 1;
		x.utilisation = GUARD_UTILISATION - (i % 3 < 2);
		if (step(&h, &x))
			break;
	}
	tap_ok(i == 8, "marks: never three intervals in a row");
	for (i = 0; i < 3; i++) {
		x = calm(&h);
		x.marked_fraction = GUARD_MARKED;
		x.utilisation = 0;
		if (step(&h, &x))
			break;
	}
	tap_ok(i == 3, "marks: nine tenths are not too many");
	for (i = 0; i < 3; i++) {
		x = calm(&h);
		x.marked_fraction = GUARD_MARKED + 1;
		x.utilisation = GUARD_UTILISATION - 1;
		if (step(&h, &x))
			break;
	}
	tap_ok(i == 2 && h.v.is_static, "marks: the third interval in a row");
}

/* A queue that is always tuned, and whose static delay is known from as many intervals. */
static struct history known(uint64_t static_ns, int intervals)
{
	struct history h = history(0, 1);

	h.v.is_static = false;
	while (intervals--) {
		struct guard_interval x = calm(&h);

		x.delay_ns = static_ns;
		guard_note_static(&h.v, &x);
	}
	return h;
}

/* Return: intervals with that delay until the guard falls back, 999 if it does not. */
static int delayed(struct history *h, uint64_t delay_ns)
{
	int i;

	for (i = 1; i < 999; i++) {
		struct guard_interval x = calm(h);

		x.delay_ns = delay_ns;
		if (step(h, &x) == GUARD_DELAY)
			return i;
	}
	return 999;
}

/* Until GUARD_DELAY_SPAN have counted, without the first ones of each block; the next sees it. */
#define SPAN_INTERVALS	(GUARD_DELAY_SPAN + 3 * GUARD_SKIP + 1)

static void test_delay(void)
{
	struct history h = known(50000, GUARD_DELAY_SPAN);

	tap_ok(delayed(&h, 200000) == 999, "delay: four times the static one is not above it");
	h = known(50000, GUARD_DELAY_SPAN);
	tap_ok(delayed(&h, 200001) == SPAN_INTERVALS,
	       "delay: more than that, as soon as the mean is known");
	tap_ok(h.v.holding && !h.v.tuned_delay.count, "delay: a fallback forgets the tuned mean");
	h = known(50000, GUARD_DELAY_SPAN - 1);
	tap_ok(delayed(&h, 900000) == 999,
	       "delay: the static mean of fewer intervals is not known");
	h = known(1, GUARD_DELAY_SPAN);
	tap_ok(delayed(&h, 99999) == 999, "delay: a short one never counts");
}

/* Slow starts of @length after @before calm ones. Return: which of one was too many; 0: none. */
static int slow_start(struct history *h, int before, int length)
{
	int round, i;

	for (round = 0; round < 3; round++) {
		for (i = 1 - before; i <= length; i++) {
			struct guard_interval x = calm(h);

			x.delay_ns = i < 1 ? 10000 : 1000000;
			if (step(h, &x) == GUARD_DELAY)
				return i;
		}
	}
	return 0;
}

static void test_slow_start(void)
{
	struct history h = known(30000, GUARD_DELAY_SPAN);

	tap_ok(!slow_start(&h, 300, 20), "delay: 20 intervals of a slow start are not the tuner's");
	h = known(30000, GUARD_DELAY_SPAN);
	tap_ok(slow_start(&h, 300, 200) > 20, "delay: 200 are");
	h = known(30000, GUARD_DELAY_SPAN);
	tap_ok(slow_start(&h, 0, 999) > 0, "delay: a queue that stands is");
}

/* Drops as soon as it is tuned. Return: how long it then was static. */
static uint64_t fall(struct history *h)
{
	struct guard_interval x;
	uint64_t since;

	until_tuned(h);
	x = calm(h);
	x.drops = 1;
	step(h, &x);
	since = h->now_ns;
	while (h->v.is_static) {
		h->now_ns += 10 * SECOND - MS;
		x = calm(h);
		step(h, &x);
	}
	return h->now_ns - since;
}

static void test_holdoff(void)
{
	struct history h = history(0, 1);
	uint64_t want = GUARD_HOLDOFF_NS;
	bool doubles = true;
	int i;

	for (i = 0; i < 10; i++) {
		doubles = doubles && fall(&h) == want;
		want = want * 2 < GUARD_HOLDOFF_MOST_NS ? want * 2 : GUARD_HOLDOFF_MOST_NS;
	}
	tap_ok(doubles, "hold-off: ten minutes, doubled up to a day");
	h.now_ns += GUARD_HOLDOFF_MOST_NS;
	tap_ok(fall(&h) == GUARD_HOLDOFF_NS, "hold-off: ten minutes again after a good day");
	tap_ok(fall(&h) == 2 * GUARD_HOLDOFF_NS, "hold-off: and doubled from there");
}

/**
 * compare() - intervals whose reward differs between the arms
 * @h: the guard
 * @gain: reward of tuned intervals above that of static ones
 * @noise: width of a uniform noise
 * @intervals: how many
 *
 * Return: the interval in which it fell back, 0 if it did not.
 */
static unsigned long compare(struct history *h, double gain, double noise, unsigned long intervals)
{
	unsigned long i;

	for (i = 1; i <= intervals; i++) {
		struct guard_interval x = calm(h);
		double chance = (double)(random_u64(&h->state) >> 11) / 0x1p53 - 0.5;

		x.reward = 0.5 + (h->v.is_static ? 0 : gain) + noise * chance;
		/* The effect of a block on the next one does not count. */
		if (h->v.position < GUARD_SKIP)
			x.reward = h->v.is_static ? 1000 : -1000;
		if (step(h, &x) == GUARD_COMPARISON)
			return i;
	}
	return 0;
}

static void test_comparison(struct options o)
{
	unsigned long i, fell = 0, latest = 0, harmless = 0;
	struct history h;

	for (i = 0; i < o.n; i++) {
		unsigned long at;

		h = history(100000, o.seed + i);
		at = compare(&h, -0.1, 0.5, 100000);
		fell += !!at;
		latest = at > latest ? at : latest;
		h = history(100000, o.seed + i);
		harmless += !!compare(&h, 0.02, 0.5, 100000);
	}
	tap_ok(fell == o.n, "comparison: what is worse falls, in %lu of %lu histories", fell, o.n);
	tap_remark("the latest after %lu intervals", latest);
	tap_ok(!harmless, "comparison: what is better stays, but for %lu", harmless);

	h = history(0, o.seed);
	tap_ok(!compare(&h, -0.5, 0, 100000), "comparison: without a share there is none");
}

/* Great harm shows in few rounds; arms that are equal are seldom found to differ in as many. */
static void test_early(struct options o)
{
	const unsigned long limit = 30 * GUARD_BLOCK, full = 102 * GUARD_BLOCK;
	unsigned long i, early = 0, false_early = 0, false_full = 0;
	struct history h;

	for (i = 0; i < o.n; i++) {
		h = history(500000, o.seed + i);
		early += !!compare(&h, -0.1, 0.5, limit);
	}
	for (i = 0; i < 50 * o.n; i++) {
		unsigned long at;

		h = history(500000, o.seed + i);
		at = compare(&h, 0, 0.5, full);
		false_early += at && at <= limit;
		false_full += !!at;
	}
	tap_ok(early == o.n,
	       "comparison: great harm falls within %lu intervals, in %lu of %lu histories",
	       limit, early, o.n);
	tap_ok(4 * false_early <= o.n && 4 * false_full <= 5 * o.n,
	       "comparison: of %lu with equal arms at most 0.5 %% fall by then, and 2.5 %% in 50 rounds: %lu and %lu",
	       50 * o.n, false_early, false_full);
}

/* The static blocks of 1000 rounds: how many, and how often each place of a round had them. */
static void test_rounds(struct options o)
{
	static const uint32_t shares[] = { 500000, 400000, 300000, 100000, 10000 };
	size_t k;

	for (k = 0; k < sizeof(shares) / sizeof(shares[0]); k++) {
		struct history h = history(shares[k], o.seed);
		unsigned long blocks, all = 1000000000UL / shares[k];
		unsigned long fixed = 0, run = 0, longest = 0;

		for (blocks = 0; blocks < all; blocks++) {
			int i;

			for (i = 0; i < GUARD_BLOCK; i++) {
				struct guard_interval x = calm(&h);

				step(&h, &x);
			}
			fixed += h.v.is_static;
			run = h.v.is_static ? 0 : run + 1;
			longest = run > longest ? run : longest;
		}
		tap_ok(fixed >= 980 && fixed <= 1020,
		       "rounds: with a share of %g %% %lu of %lu blocks are static",
		       shares[k] / 1e4, fixed, all);
		tap_ok(longest <= 2 * (1000000 / shares[k] + 1) - 2 &&
		       longest >= 1000000 / shares[k],
		       "rounds: at most %lu blocks in a row are tuned", longest);
	}
}

/* Blocks until a pair is made, 999 if none is. */
static int until_pair(struct history *h)
{
	uint32_t before = h->v.pairs;
	int blocks, i;

	for (blocks = 1; blocks < 999; blocks++) {
		for (i = 0; i < GUARD_BLOCK; i++) {
			struct guard_interval x = calm(h);

			step(h, &x);
		}
		if (h->v.pairs != before)
			break;
	}
	return blocks;
}

static void test_pairs(struct options o)
{
	struct history h = history(100000, o.seed);
	struct guard_interval x;
	bool whole;
	int i;

	guard_begin(&h.p, &h.v);
	whole = until_pair(&h) == 11;
	for (i = 1; i < GUARD_PAIRS; i++)
		whole = until_pair(&h) == 10 && whole;
	tap_ok(whole, "rounds: each makes one pair when it is over");

	/* In the middle of a round. */
	h.v.left = 5;
	h.v.is_static = false;
	x = calm(&h);
	x.drops = 1;
	step(&h, &x);
	h.now_ns += GUARD_HOLDOFF_NS;
	x = calm(&h);
	step(&h, &x);
	tap_ok(!h.v.holding && !h.v.pairs && until_pair(&h) == 10,
	       "rounds: a whole one begins after a hold-off");
}

static void test_least(void)
{
	struct guard_vars v = { .pairs = GUARD_PAIRS_LEAST - 1 };
	int i;

	for (i = 0; i < GUARD_PAIRS; i++)
		v.difference[i] = i & 1 ? -1 : -1.1;
	tap_ok(!guard_is_worse(&v), "comparison: %u rounds are too few", v.pairs);
	v.pairs++;
	tap_ok(guard_is_worse(&v), "comparison: %u are not", v.pairs);
}

/* The definition, with a root. */
static bool oracle_worse(const double *d, int n)
{
	double mean = 0, variance = 0;
	int i;

	for (i = 0; i < n; i++)
		mean += d[i] / n;
	for (i = 0; i < n; i++)
		variance += (d[i] - mean) * (d[i] - mean) / (n - 1);
	return n >= GUARD_PAIRS_LEAST && mean + 3 * sqrt(variance / n) * sqrt(30.0 / n) < 0;
}

static void test_oracle(struct options o)
{
	unsigned long i, worse = 0, wrong = 0;
	uint64_t state = o.seed;

	for (i = 0; i < 100 * o.n; i++) {
		struct guard_vars v = { .pairs = 1 + random_below(&state, GUARD_PAIRS) };
		double shift = (double)random_below(&state, 1000) / 1000 - 0.5;
		int k;

		for (k = 0; k < GUARD_PAIRS; k++)
			v.difference[k] = (double)random_below(&state, 2000) / 1000 - 1 + shift;
		worse += guard_is_worse(&v);
		wrong += guard_is_worse(&v) != oracle_worse(v.difference, v.pairs);
	}
	tap_ok(!wrong && worse > 4 * o.n && worse < 90 * o.n,
	       "comparison: as its definition, %lu of %lu times worse", worse, 100 * o.n);
}

static void test_share(void)
{
	struct history h = history(100000, 5);
	unsigned long i, fixed = 0;

	for (i = 0; i < 1000000; i++) {
		struct guard_interval x = calm(&h);

		fixed += h.v.is_static;
		step(&h, &x);
	}
	tap_ok(fixed > 90000 && fixed < 110000, "a tenth of the time is static: %lu of a million",
	       fixed);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 20, "random histories");

	test_begin();
	test_drops();
	test_marks();
	test_delay();
	test_slow_start();
	test_holdoff();
	test_comparison(o);
	test_early(o);
	test_rounds(o);
	test_pairs(o);
	test_least();
	test_oracle(o);
	test_share();
	return tap_done();
}
