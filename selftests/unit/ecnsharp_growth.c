// SPDX-License-Identifier: GPL-2.0
/*
 * How the persistent marks grow while a queue stands: as e^(t / interval),
 * until every packet is marked.  Bounds are derived, not observed.
 *
 * Say the first mark falls at t1.  Mark n + 1 is due at
 *
 *   due(n) = t1 + floor(I/1) + ... + floor(I/n)   with   I H(n) - n < sum <= I H(n)
 *
 * and H(n) lies between ln n + gamma and ln n + gamma + 1/(2n).  A packet every
 * d ns is marked if a mark is due before it.  So at time t, n marks mean
 *
 *   t > t1 + I H(n-1) - n   (the last one was due), and, while gaps are above d,
 *   t <= t1 + I H(n) + d    (the next one is not overdue by a packet).
 *
 * Where a gap is at least 2d, a packet between two marks goes unmarked; from
 * the first gap of at most d on, none does.
 */
#include <inttypes.h>
#include <math.h>

#include "ecnsharp.h"
#include "../lib/tap.h"

#define EULER_GAMMA	0.5772156649015329

/**
 * struct standing - a queue that never falls, one packet after the other
 * @name: of the test
 * @bytes: a packet's size on the wire
 * @bps: the link's rate
 * @interval_ns: pst_interval
 */
struct standing {
	const char *name;
	u64 bytes;
	u64 bps;
	u64 interval_ns;
};

static const struct standing standings[] = {
	{ "10G_1500B_200us", 1538, 10000000000ULL, 200000 },
	{ "100G_1500B_200us", 1538, 100000000000ULL, 200000 },
	{ "100G_9000B_200us", 9038, 100000000000ULL, 200000 },
	{ "25G_4096B_100us", 4134, 25000000000ULL, 100000 },
	{ "1G_1500B_1ms", 1538, 1000000000ULL, 1000000 },
	{ "10G_64B_200us", 84, 10000000000ULL, 200000 },
};

#define NR_STANDINGS	(sizeof(standings) / sizeof(standings[0]))

/**
 * struct growth - what was seen
 * @marks: all
 * @first_ns: time of the first mark, from when the queue rose
 * @unmarked_ns: time of the last packet that was not marked
 * @wrong_ns: when the number of marks first left its bounds, or 0
 * @saturated: the algorithm's own count
 */
struct growth {
	u64 marks;
	u64 first_ns;
	u64 unmarked_ns;
	u64 wrong_ns;
	u64 saturated;
};

/* Do @n marks fit @t ns after the first of them? */
static bool in_bounds(const struct standing *s, u64 gap_ns, u64 n, u64 t)
{
	double i = s->interval_ns, x = t;

	if (n > 1 && x <= i * (log(n - 1.0) + EULER_GAMMA) - n)
		return false;
	/* Once gaps are below a packet there is no more room to keep up. */
	if (n * gap_ns >= s->interval_ns)
		return true;
	return x <= i * (log(n) + EULER_GAMMA + 1.0 / (2 * n)) + gap_ns;
}

static struct growth grow(const struct standing *s, u64 gap_ns, u64 intervals)
{
	struct ecnsharp_stats stats = { 0 };
	struct ecnsharp_params p = {
		.pst_target_ns = 1,
		.pst_interval_ns = s->interval_ns,
		.persistent = true,
	};
	struct ecnsharp_vars vars = { 0 };
	struct ecnsharp_sample x = { .sojourn_ns = 1, .backlog_bytes = 1 };
	struct growth g = { 0 };

	for (; x.now_ns < intervals * s->interval_ns; x.now_ns += gap_ns) {
		if (ecnsharp_on_dequeue(&p, &vars, &stats, &x)) {
			if (!g.marks++)
				g.first_ns = x.now_ns;
		} else {
			g.unmarked_ns = x.now_ns;
		}
		if (g.marks && !g.wrong_ns &&
		    !in_bounds(s, gap_ns, g.marks, x.now_ns - g.first_ns))
			g.wrong_ns = x.now_ns;
	}
	g.saturated = stats.pst_saturated;
	return g;
}

/* Sum of the gaps down to the last one that is at least @least_ns. */
static u64 due_ns(const struct standing *s, u64 least_ns)
{
	u64 sum = 0, k;

	for (k = 1; s->interval_ns / k >= least_ns; k++)
		sum += s->interval_ns / k;
	return sum;
}

static void standing_test(const struct standing *s)
{
	u64 gap_ns = s->bytes * 8000000000ULL / s->bps;
	struct growth g = grow(s, gap_ns, 20);
	double unmarked = (double)g.unmarked_ns / s->interval_ns;
	u64 earliest, latest, packets;

	tap_ok(g.first_ns > s->interval_ns && g.first_ns <= s->interval_ns + gap_ns,
	       "growth__%s_first_mark_after_one_interval", s->name);
	if (!tap_ok(!g.wrong_ns, "growth__%s_is_exponential", s->name))
		tap_remark("out of bounds at %" PRIu64 " ns", g.wrong_ns);

	earliest = g.first_ns + due_ns(s, 2 * gap_ns) - gap_ns;
	latest = g.first_ns + due_ns(s, gap_ns) + gap_ns;
	if (!tap_ok(g.unmarked_ns >= earliest && g.unmarked_ns <= latest,
		    "growth__%s_then_every_packet", s->name))
		tap_remark("last unmarked at %" PRIu64 " ns, should be %" PRIu64
			   " to %" PRIu64, g.unmarked_ns, earliest, latest);

	/* From then on each mark finds the next one due, but for the first few. */
	packets = (20 * s->interval_ns - g.unmarked_ns) / gap_ns;
	tap_ok(g.saturated <= packets + 1 && g.saturated >= packets / 2,
	       "growth__%s_is_counted_as_saturated", s->name);
	tap_remark("%s: every packet marked after %.2f intervals", s->name, unmarked);
}

/* Intervals from the first mark to the last packet without one. */
static double intervals_of(const struct standing *s)
{
	struct growth g = grow(s, s->bytes * 8000000000ULL / s->bps, 20);

	return (double)(g.unmarked_ns - g.first_ns) / s->interval_ns;
}

/*
 * What the man page says of full frames at 10 and at 100 Gbit/s.  While gaps
 * shrink from (1 + e) d to d, which takes e intervals, packets gain e^2 I / 2d
 * on the marks; a gain of 1 leaves one unmarked.  So the last unmarked one comes
 * at most e = sqrt(2d / I) intervals, 0.11 and 0.04, before gaps reach d.
 */
static void man_page_test(void)
{
	double at_10g = intervals_of(&standings[0]);
	double at_100g = intervals_of(&standings[1]);

	if (!tap_ok(at_10g > 5.5 && at_10g < 5.7,
		    "growth__about_six_intervals_at_10G"))
		tap_remark("%.2f intervals after the first mark", at_10g);
	if (!tap_ok(at_100g - at_10g > M_LN10 - 0.04 &&
		    at_100g - at_10g < M_LN10 + 0.12,
		    "growth__ln_10_intervals_more_at_100G"))
		tap_remark("%.2f intervals more", at_100g - at_10g);
	tap_ok(due_ns(&standings[0], 1230) / 1000 == 1133 &&
	       200000 / 162 > 1230 && 200000 / 163 < 1230,
	       "growth__from_the_163rd_mark_at_10G");
}

int main(void)
{
	u32 i;

	for (i = 0; i < NR_STANDINGS; i++)
		standing_test(&standings[i]);
	man_page_test();
	return tap_done();
}
