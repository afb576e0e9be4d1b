// SPDX-License-Identifier: GPL-2.0
/*
 * Edges over many windows: what the memory of the min-delay sum has, and what a slope
 * that is known is worth when clean samples are few.  -s SEED repeats, -n is
 * the number of rounds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edge_filter.h"
#include "options.h"
#include "random.h"
#include "world.h"

#define S		1000000000LL
#define WINDOW		(2 * S)
#define EACH		100
#define FLOOR_NS	3000

/* Gaps */

static double note(struct delay_sum *g, int64_t now_ns, double delay_sum_ns, bool clean)
{
	delay_sum_note(g, now_ns, delay_sum_ns, clean);
	return delay_sum_excess_ns(g, delay_sum_ns, false);
}

static void delay_sum_minutes(void)
{
	struct delay_sum g = { 0 };
	int64_t minute;

	tap_ok(delay_sum_excess_ns(&g, 7, false) == 7, "delay_sum__nothing_seen");
	tap_ok(note(&g, 0, 8000, true) == 8000, "delay_sum__of_the_first_all_may_be_bias");
	tap_ok(note(&g, 1, 10001, true) == 10001, "delay_sum__one_that_is_far_is_no_clean_window");
	tap_ok(note(&g, 2, 8000, false) == 8000, "delay_sum__nor_one_that_was_not_clean");
	tap_ok(note(&g, 3, 10000, true) == 2000, "delay_sum__two_are_enough");
	tap_ok(note(&g, 4, 6000, false) == 6000, "delay_sum__a_lower_one_has_the_observations_that_are_near_it");
	tap_ok(note(&g, 5, 3999, true) == 3999, "delay_sum__much_lower_begins_anew");
	tap_ok(note(&g, 6, 4100, true) == 101, "delay_sum__and_is_accepted_again");
	for (minute = 1; minute < 8; minute++)
		note(&g, minute * DELAY_SUM_BUCKET_NS, 9000, true);
	tap_ok(note(&g, 7 * DELAY_SUM_BUCKET_NS, 9000, true) == 5001, "delay_sum__remembered_for_eight_minutes");
	tap_ok(note(&g, 8 * DELAY_SUM_BUCKET_NS, 9000, true) == 0,
	       "delay_sum__then_forgotten_for_what_other_minutes_saw");
	tap_ok(note(&g, 100 * DELAY_SUM_BUCKET_NS, 9500, true) == 9500, "delay_sum__nothing_lasts_a_long_silence");
	tap_ok(note(&g, 99 * DELAY_SUM_BUCKET_NS, 9500, true) == 0, "delay_sum__a_minute_back_is_no_step");
	tap_ok(note(&g, 0, 9900, true) == 9900, "delay_sum__a_clock_that_fell_back_begins_anew");
	tap_ok(note(&g, -500 * S, 9950, true) == 9950, "delay_sum__times_below_0");
	g = (struct delay_sum){ 0 };
	note(&g, 0, 9000, true);
	note(&g, 1, 9000, true);
	tap_ok(note(&g, DELAY_SUM_BUCKET_NS, 6000, true) == 6000 && note(&g, 2 * DELAY_SUM_BUCKET_NS, 6000, true) == 0,
	       "delay_sum__observations_are_of_all_minutes_near_the_least");
	tap_ok(delay_sum_excess_ns(&g, 5000, false) == 0, "delay_sum__there_is_no_space_below_the_least");
	g = (struct delay_sum){ 0 };
	note(&g, 0, 4000, true);
	note(&g, 1, 4101, true);
	tap_ok(delay_sum_excess_ns(&g, 4101, true) == 4101, "delay_sum__near_is_nearer_for_hardware");
	note(&g, 2, 4100, true);
	tap_ok(delay_sum_excess_ns(&g, 4100, true) == 100, "delay_sum__and_near_enough_is_accepted");
}

/* Edges */

struct edge {
	uint64_t seed;
	int64_t at_ns;
	double theta;
	double drift;
	double most;
	struct edge_filter m;
	struct edge_filter_error worth;
};

static struct edge edge_of(uint64_t seed, double drift)
{
	return (struct edge){ .seed = seed, .at_ns = 5 * S, .theta = 123456789, .drift = drift, .most = EDGE_DRIFT_MOST_PPB };
}

/*
 * The next window: samples are clean from @from to @until, in parts of the
 * window, and wait for 0.5 to 1 ms else.  @end: whose stamps, or NULL: both
 * are software; @mixed: a NIC's and software's, as is reported.
 */
static struct edge_fit next_window(struct edge *e, double from, double until, struct world *end, bool mixed)
{
	struct envelope envelope[2];
	struct edge_filter_window c = {
		.forward = &envelope[0], .backward = &envelope[1], .at_ns = e->at_ns += WINDOW, .window_ns = WINDOW, .drift_most_ppb = e->most,
		.hardware = end, .mixed = mixed,
	};
	struct sample s[EACH];
	int way, k;

	e->theta += 2 * e->drift;
	for (way = 0; way < 2; way++) {
		for (k = 0; k < EACH; k++) {
			double t = WINDOW * ((k + world_uniform(&e->seed)) / EACH - 0.5);
			double d = FLOOR_NS + (end ? world_tx_ns(&end[way]) + world_rx_ns(&end[!way]) :
						     world_lognormal(&e->seed, 300, 0.6) + world_lognormal(&e->seed, 1000, 0.6));
			double part = (double)k / EACH;

			if (part < from || part >= until)
				d += 1e6 * (0.5 + 0.5 * world_uniform(&e->seed));
			s[k] = (struct sample){ e->at_ns + (int64_t)t, llround((way ? -1 : 1) * (e->theta + e->drift * t / 1e9) + d) };
		}
		envelope_make(s, EACH, &envelope[way]);
	}
	return edge_filter_update(&e->m, &c, &e->worth);
}

static struct edge_fit window(struct edge *e, double from, double until)
{
	return next_window(e, from, until, NULL, false);
}

static double off(const struct edge *e, const struct edge_fit *fit)
{
	return fabs((double)fit->theta_ns - e->theta);
}

static void quiet(struct options o)
{
	struct edge e = edge_of(o.seed, 30000);
	struct edge_fit fit = window(&e, 0, 1);
	double most = 0, bias = 0, plain = 0, known = 0;
	int k;

	tap_ok(fit.verdict == EDGE_VALID && e.worth.bias_ns >= fit.delay_sum_ns / 2, "edge_filter__at_first_half_the_delay_sum_may_be_bias");
	tap_ok(off(&e, &fit) < 200 && fabs(fit.drift_ppb - 30000) < 500 && e.worth.sigma_ppb > 80, "edge_filter__of_a_quiet_edge");
	for (k = 0; k < 50; k++) {
		struct edge fresh;

		fit = window(&e, 0, 1);
		fresh = e;
		fresh.m = (struct edge_filter){ 0 };
		if (k < 10)
			continue;
		most = fmax(most, off(&e, &fit));
		bias = fmax(bias, e.worth.bias_ns);
		known += fabs(fit.slope_ppb - e.drift);
		fit = window(&fresh, 0, 1);
		plain += fabs(fit.slope_ppb - fresh.drift);
	}
	tap_remark("off by %.0f ns at most, bias %.0f at most, drifts by %.0f ppb of %.0f", most, bias, known / 40, plain / 40);
	tap_ok(most < 200 && bias < 400, "edge_filter__then_what_its_least_delay_sum_leaves");
	tap_ok(known < plain / 2, "edge_filter__a_slope_that_is_known_is_better_than_a_windows");
	tap_ok(e.worth.sigma_ns > EDGE_FILTER_SIGMA_SOFTWARE_NS && e.worth.sigma_ns < 100, "edge_filter__noise_is_the_stamps_and_the_samples");
}

/* Clean for a twentieth of the window, somewhere. */
static void crowded(struct options o)
{
	bool covered = true, bounded = true, near = true;
	double worst = 0, fresh_worst = 0, sum = 0, fresh_sum = 0;
	unsigned long round;
	int k;

	for (round = 0; round < o.n; round++) {
		struct edge e = edge_of(random_u64(&o.seed), 200000 * (world_uniform(&o.seed) - 0.5));
		struct edge fresh = edge_of(random_u64(&o.seed), e.drift);
		struct edge_fit fit;

		for (k = 0; k < 20; k++)
			window(&e, 0, 1);
		for (k = 0; k < 5; k++) {
			double from = 0.95 * world_uniform(&o.seed);

			fit = window(&e, from, from + 0.05);
			covered &= off(&e, &fit) <= e.worth.bias_ns + 4 * e.worth.sigma_ns;
			near &= e.worth.bias_ns < 2500;
			worst = fmax(worst, off(&e, &fit));
			sum += k ? 0 : off(&e, &fit);
			fit = window(&fresh, from, from + 0.05);
			bounded &= off(&fresh, &fit) <= fresh.worth.bias_ns + 4 * fresh.worth.sigma_ns &&
				fabs(fit.slope_ppb - fresh.drift) <= 2 * fresh.worth.sigma_ppb;
			fresh_worst = fmax(fresh_worst, k ? 0 : off(&fresh, &fit));
			fresh_sum += k ? 0 : off(&fresh, &fit);
		}
	}
	tap_remark("clean for 0.1 s: off by %.0f ns at most with a known slope, by %.0f without", worst, fresh_worst);
	tap_ok(covered && near, "edge_filter__a_known_slope_makes_few_clean_samples_enough");
	tap_remark("in the mean, each round's first: %.0f ns and %.0f", sum / o.n, fresh_sum / o.n);
	tap_ok(sum < fresh_sum / 4, "edge_filter__which_they_are_not_without");
	tap_ok(bounded, "edge_filter__and_what_they_may_be_off_is_known");
}

static void never_clean(struct options o)
{
	struct edge e = edge_of(o.seed, 1000);
	double known, soon = 0, bias = 0;
	struct edge_fit fit;
	bool covered = true;
	int k;

	for (k = 0; k < 12; k++)
		window(&e, 0, 1);
	known = kalman_drift_std_ppb(&e.m.theta);
	for (k = 0; k < 2 * EDGE_HISTORY_WINDOWS; k++) {
		fit = window(&e, 1, 1);
		covered &= off(&e, &fit) <= e.worth.bias_ns + 4 * e.worth.sigma_ns;
		soon = fmax(soon, k < 5 ? e.worth.bias_ns : 0);
		bias = fmax(bias, e.worth.bias_ns);
	}
	tap_ok(covered && soon < 1500, "edge_filter__samples_of_earlier_windows_outlast_a_queue");
	tap_ok(covered && bias > 100000, "edge_filter__a_queue_that_never_empties_is_known");
	tap_ok(kalman_drift_std_ppb(&e.m.theta) > known, "edge_filter__and_teaches_nothing");
	fit = window(&e, 0, 1);
	tap_ok(off(&e, &fit) < 200 && e.worth.bias_ns < 500, "edge_filter__and_forgotten_when_it_does");
}

/**
 * struct queues - what samples of a window wait for
 * @clean: how many of each way do not, one after the other, somewhere
 * @least_ns: the others, at least
 * @most_ns: and at most
 * @hardware: stamps are a NIC's
 */
struct queues {
	int clean[2];
	double least_ns;
	double most_ns;
	bool hardware;
};

static struct edge_fit queued_window(struct edge *e, const struct queues *q)
{
	struct envelope envelope[2];
	struct edge_filter_window c = {
		.forward = &envelope[0], .backward = &envelope[1], .at_ns = e->at_ns += WINDOW, .window_ns = WINDOW, .drift_most_ppb = e->most,
		.hardware = q->hardware,
	};
	struct sample s[EACH];
	int way, k;

	e->theta += 2 * e->drift;
	for (way = 0; way < 2; way++) {
		int from = random_below(&e->seed, EACH - q->clean[way] + 1);

		for (k = 0; k < EACH; k++) {
			double t = WINDOW * ((k + world_uniform(&e->seed)) / EACH - 0.5);
			double d = FLOOR_NS + world_lognormal(&e->seed, 300, 0.6) + world_lognormal(&e->seed, 1000, 0.6);

			if (k < from || k >= from + q->clean[way])
				d += q->least_ns + (q->most_ns - q->least_ns) * world_uniform(&e->seed);
			s[k] = (struct sample){ e->at_ns + (int64_t)t, llround((way ? -1 : 1) * (e->theta + e->drift * t / 1e9) + d) };
		}
		envelope_make(s, EACH, &envelope[way]);
	}
	return edge_filter_update(&e->m, &c, &e->worth);
}

/* A twentieth of a way's samples is clean, or none. */
static struct edge_fit parted_window(struct edge *e, bool forward, bool backward, bool hardware)
{
	struct queues q = { { forward ? 5 : 0, backward ? 5 : 0 }, 5e5, 1e6, hardware };

	return queued_window(e, &q);
}

/* Does the filter know what an average of lines with these errors tells? */
static bool learned(const struct edge *e, const struct kalman *before, const struct edge_fit *fit)
{
	struct kalman_measurement m = {
		.line = { fit->at_ns, fit->theta_ns, fit->drift_ppb },
		.std_ns = sqrt(e->worth.sigma_ns * e->worth.sigma_ns + e->worth.bias_ns * e->worth.bias_ns * e->worth.windows),
		.std_ppb = e->worth.sigma_ppb,
	};
	struct kalman k = *before;

	kalman_update(&k, &m, &EDGE_FILTER_CLOCKS);
	return fabs(kalman_std_ns(&k) / kalman_std_ns(&e->m.theta) - 1) < 1e-6 &&
	       fabs(kalman_drift_std_ppb(&k) / kalman_drift_std_ppb(&e->m.theta) - 1) < 1e-6;
}

/* No window has clean samples of both ways, but two in a row do; every other round's stamps are a NIC's. */
static void parted(struct options o)
{
	double worst = 0, bias = 0, alone = INFINITY;
	bool covered = true, scaled = true, known = true;
	unsigned long rounds = o.n / 4 + 2, round;
	int k;

	for (round = 0; round < rounds; round++) {
		struct edge e = edge_of(random_u64(&o.seed), 200000 * (world_uniform(&o.seed) - 0.5)), blind;
		struct kalman before;
		struct edge_fit fit;

		for (k = 0; k < 20; k++)
			window(&e, 0, 1);
		for (k = 0; k < 30; k++) {
			blind = e;
			blind.m.history.windows = 0;
			fit = parted_window(&blind, k % 2, !(k % 2), round % 2);
			alone = fmin(alone, blind.worth.bias_ns);
			scaled &= blind.worth.windows == 1;
			before = e.m.theta;
			fit = parted_window(&e, k % 2, !(k % 2), round % 2);
			known &= learned(&e, &before, &fit);
			worst = fmax(worst, off(&e, &fit));
			bias = fmax(bias, e.worth.bias_ns);
			covered &= off(&e, &fit) <= e.worth.bias_ns + 4 * e.worth.sigma_ns;
			scaled &= e.worth.windows > 1 && e.worth.sigma_ns >= EDGE_FILTER_SIGMA_SOFTWARE_NS * sqrt(e.worth.windows);
		}
	}
	tap_remark("clean one way in turn: off by %.0f ns at most, bias %.0f at most; of a window alone %.0f at least", worst, bias, alone);
	tap_ok(worst < 2000 && bias < 5000, "edge_filter__a_union_has_clean_samples_of_both_ways");
	tap_ok(alone > 100000, "edge_filter__which_no_window_has");
	tap_ok(covered, "edge_filter__and_what_it_is_off_is_known");
	tap_ok(scaled, "edge_filter__lines_that_share_windows_are_worth_less");
	tap_ok(known, "edge_filter__and_teach_less");
}

/* A clean window counts as one observation of the least delay sum, in however many unions it is. */
static void observed_once(struct options o)
{
	unsigned long rounds = o.n / 4 + 1, round, once = 0, twice = 0;
	int k;

	for (round = 0; round < rounds; round++) {
		struct edge e = edge_of(random_u64(&o.seed), 500);
		struct edge_fit fit = window(&e, 0, 1);

		for (k = 0; k < 10; k++) {
			fit = window(&e, 1, 1);
			once += e.worth.bias_ns >= fit.delay_sum_ns / 2;
		}
		window(&e, 0, 1);
		fit = window(&e, 0, 1);
		twice += e.worth.bias_ns < fit.delay_sum_ns / 2;
	}
	tap_ok(once == 10 * rounds, "edge_filter__a_window_in_many_unions_is_one_observation");
	tap_ok(twice == rounds, "edge_filter__and_two_windows_are_two");
}

/* A few samples that found no queue do not form a cluster, whatever is above them in other windows of the union. */
static void crowd_of_another_window(struct options o)
{
	static const struct queues few = { { 2, 2 }, 5e5, 1e6, false }, stands = { { 0, 0 }, 20000, 20001, false };
	unsigned long rounds = o.n / 4 + 1, unions = 0, round;
	bool open = true;
	int k;

	for (round = 0; round < rounds; round++) {
		struct edge e = edge_of(random_u64(&o.seed), 500);

		for (k = 0; k < 12; k++) {
			struct edge_fit fit = queued_window(&e, k % 3 ? &stands : &few);

			open &= e.worth.bias_ns >= fit.delay_sum_ns / 2 - 1 || fit.delay_sum_ns > 30000;
			unions += e.worth.windows > 1 && fit.delay_sum_ns < 30000;
		}
	}
	tap_ok(open && unions > rounds, "edge_filter__a_floor_is_as_dense_as_in_its_own_window");
}

/*
 * A clock steps by less than is taken for a step, while queues stand.  The first window may have
 * no clean sample that tells, so the second has to.  With @once the way that tells is clean ever
 * after, and the other never.
 */
static double stepped_covered(struct options *o, bool once)
{
	static const double steps[] = { 2000, 5000, 9000, -2000, -5000, -9000 };
	unsigned long rounds = o->n / 20 + 3, claims = 0, covered = 0, round;
	unsigned int n;
	int k;

	for (round = 0; round < rounds; round++) {
		for (n = 0; n < sizeof(steps) / sizeof(steps[0]); n++) {
			struct edge e = edge_of(random_u64(&o->seed), 500);
			bool up = steps[n] > 0;
			struct edge_fit fit;

			for (k = 0; k < 20; k++)
				window(&e, 0, 1);
			for (k = 0; k < 6; k++)
				parted_window(&e, k % 2, !(k % 2), false);
			e.theta += steps[n];
			for (k = 0; k < 20; k++) {
				fit = parted_window(&e, once ? !up : k % 2, once ? up : !(k % 2), false);
				claims += k > 0;
				covered += k > 0 && off(&e, &fit) <= e.worth.bias_ns + 4 * e.worth.sigma_ns;
			}
		}
	}
	tap_remark("a clock steps under load: %.2f %% covered", 100.0 * covered / claims);
	return (double)covered / claims;
}

static void stepped_under_load(struct options o)
{
	tap_ok(stepped_covered(&o, false) >= 0.99, "edge_filter__a_step_under_load_is_in_the_bound");
	tap_ok(stepped_covered(&o, true) >= 0.99, "edge_filter__though_only_one_way_tells");
}

/* Both clocks ramp as fast as is allowed for: unions of many windows are off by what they say. */
static void ramped(struct options o)
{
	unsigned long rounds = o.n / 4 + 1, round;
	bool covered = true, several = false;
	int k;

	for (round = 0; round < rounds; round++) {
		struct edge e = edge_of(random_u64(&o.seed), 500);
		struct edge_fit fit;

		for (k = 0; k < 80; k++) {
			e.drift += 20;
			if (k < 20 || k % 6 == 0)
				fit = window(&e, 0, 1);
			else
				fit = window(&e, 1, 1);
			covered &= k < 20 || off(&e, &fit) <= e.worth.bias_ns + 4 * e.worth.sigma_ns;
			several |= e.worth.windows > 3;
		}
	}
	tap_ok(covered && several, "edge_filter__a_ramp_within_a_union_is_in_the_bound");
}

/*
 * A queue that stands on one way, of @most_ns of buffer that half a window's samples
 * never see empty: the shorter the buffer the closer the lowest samples lie.
 */
static struct edge_fit standing_window(struct edge *e, double stands_ns, double most_ns)
{
	struct envelope envelope[2];
	struct edge_filter_window c = {
		.forward = &envelope[0], .backward = &envelope[1], .at_ns = e->at_ns += WINDOW, .window_ns = WINDOW, .drift_most_ppb = e->most,
	};
	struct sample s[EACH];
	int way, k;

	e->theta += 2 * e->drift;
	for (way = 0; way < 2; way++) {
		for (k = 0; k < EACH; k++) {
			double t = WINDOW * ((k + world_uniform(&e->seed)) / EACH - 0.5);
			double d = FLOOR_NS + world_lognormal(&e->seed, 300, 0.6) + world_lognormal(&e->seed, 1000, 0.6);

			d += way ? 0 : stands_ns + (most_ns - stands_ns) * world_uniform(&e->seed);
			s[k] = (struct sample){ e->at_ns + (int64_t)t, llround((way ? -1 : 1) * (e->theta + e->drift * t / 1e9) + d) };
		}
		envelope_make(s, EACH, &envelope[way]);
	}
	return edge_filter_update(&e->m, &c, &e->worth);
}

static void standing(struct options o)
{
	/* The lowest five of 100 samples then often lie within 4 us of each other. */
	static const double most[] = { 300000, 200000, 150000 };
	unsigned long claims = 0, covered = 0, round;
	bool clean = true;
	unsigned int n;
	int k;

	for (round = 0; round < o.n; round++) {
		for (n = 0; n < sizeof(most) / sizeof(most[0]); n++) {
			struct edge e = edge_of(random_u64(&o.seed), 0);
			struct edge_fit fit;

			for (k = 0; k < 10; k++) {
				fit = standing_window(&e, most[n] / 4, most[n]);
				covered += off(&e, &fit) <= e.worth.bias_ns + 4 * e.worth.sigma_ns;
				claims++;
			}
			for (k = 0; k < 5; k++)
				fit = window(&e, 0, 1);
			clean &= off(&e, &fit) < 300 && e.worth.bias_ns < 2500;
		}
	}
	tap_remark("a queue stands: %.2f %% covered", 100.0 * covered / claims);
	tap_ok(covered >= 0.995 * claims, "edge_filter__a_queue_that_stands_is_no_floor_however_close_its_samples_lie");
	tap_ok(clean, "edge_filter__and_is_forgotten_when_it_empties");
}

/* A rate that changes by some ppm at once, or a small step: the slope that is known is wrong, and must not be held to. */
static void turned(struct options o)
{
	static const double turns[][2] = { { 1000, 0 }, { 2000, 0 }, { 5000, 0 }, { -2000, 0 }, { 0, 3000 }, { 0, 9000 }, { 0, -9000 } };
	bool covered = true, soon = true;
	unsigned int n;
	int k;

	for (n = 0; n < sizeof(turns) / sizeof(turns[0]); n++) {
		struct edge e = edge_of(o.seed + n, 12345);
		struct edge_fit fit;

		for (k = 0; k < 20; k++)
			window(&e, 0, 1);
		e.drift += turns[n][0];
		e.theta -= turns[n][0];
		e.theta += turns[n][1];
		for (k = 0; k < 20; k++) {
			fit = window(&e, 0, 1);
			covered &= off(&e, &fit) <= e.worth.bias_ns + 4 * e.worth.sigma_ns;
			soon &= k < 4 || fabs(fit.slope_ppb - e.drift) < 400;
		}
	}
	tap_ok(covered, "edge_filter__what_it_is_off_is_known_while_a_clock_turns");
	tap_ok(soon, "edge_filter__and_it_has_turned_after_four_windows");
}

static void stepped(struct options o)
{
	struct edge e = edge_of(o.seed, -20000);
	struct edge_fit fit;
	double drift;
	int k;

	for (k = 0; k < 10; k++)
		window(&e, 0, 1);
	drift = e.m.theta.line.drift_ppb;
	e.theta += S;
	fit = window(&e, 0, 1);
	tap_ok(off(&e, &fit) < 300 && e.m.theta.line.drift_ppb != drift && e.worth.bias_ns > fit.delay_sum_ns / 2,
	       "edge_filter__a_clock_that_stepped_is_learned_anew");
	for (k = 0; k < 10; k++)
		window(&e, 0, 1);
	/* Its rate, by more than is searched: 30 ppm. */
	e.drift += 30000;
	e.theta -= 30000;
	for (k = 0; k < 5; k++)
		fit = window(&e, 0, 1);
	tap_ok(off(&e, &fit) < 300 && fabs(fit.drift_ppb - e.drift) < 300, "edge_filter__and_one_that_runs_faster");
	turned(o);
	/* A ramp, both of whose clocks turn by 5 ppb/s. */
	for (k = 0; k < 60; k++) {
		e.drift += 20;
		fit = window(&e, 0, 1);
	}
	tap_ok(off(&e, &fit) < 200 && e.worth.bias_ns < 300, "edge_filter__a_ramp_is_followed");
}

static void refused(struct options o)
{
	struct edge e = edge_of(o.seed, 100);
	struct edge_filter_window c = { .at_ns = 100 * S, .window_ns = WINDOW, .drift_most_ppb = EDGE_DRIFT_MOST_PPB };
	struct envelope none = { 0 };
	struct edge_filter before;
	struct edge_fit fit;
	int k;

	for (k = 0; k < 10; k++)
		window(&e, 0, 1);
	before = e.m;
	c.forward = &none;
	c.backward = &none;
	fit = edge_filter_update(&e.m, &c, &e.worth);
	tap_ok(fit.verdict == EDGE_FEW_FORWARD && !memcmp(&before, &e.m, sizeof(before)), "edge_filter__a_window_of_few_samples_changes_nothing");
	e.most = 0.01;
	fit = window(&e, 0, 1);
	tap_ok(fit.verdict == EDGE_DRIFT && !memcmp(&before, &e.m, sizeof(before)), "edge_filter__nor_one_of_a_drift_that_is_not_accepted");
}

/* The next window of an edge from a NIC to software, without queues: what software adds stands on one way. */
static struct edge_fit mixed_window(struct edge *e, bool bounded)
{
	struct world end[2] = { { .seed = random_u64(&e->seed), .hardware = true }, { .seed = random_u64(&e->seed) } };

	return next_window(e, 0, 1, end, bounded);
}

static void mixed(struct options o)
{
	struct edge e = edge_of(o.seed, 30000), blind = edge_of(o.seed, 30000);
	bool covered = true, learned = true;
	double worst = 0;
	int k;

	for (k = 0; k < 60; k++) {
		struct edge_fit fit = mixed_window(&e, true);

		worst = fmax(worst, off(&e, &fit));
		covered &= off(&e, &fit) <= e.worth.bias_ns && e.worth.bias_ns >= fit.delay_sum_ns / 2 &&
			   e.worth.sigma_ns >= EDGE_FILTER_SIGMA_SOFTWARE_NS;
		learned &= k < 10 || (fabs(fit.slope_ppb - e.drift) < 200 && e.worth.bias_ns < fit.delay_sum_ns / 2 + 400);
		mixed_window(&blind, false);
	}
	tap_remark("off by %.0f ns at most, bias %.0f; taken for a NIC's %.0f", worst, e.worth.bias_ns, blind.worth.bias_ns);
	tap_ok(worst > 1000, "edge_filter__a_card_and_software_are_off_together_and_no_window_shows_it");
	tap_ok(covered, "edge_filter__so_half_the_delay_sum_is_uncertain_and_sigma_is_softwares");
	tap_ok(learned, "edge_filter__and_no_more_than_that_and_their_drift_is_known");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100, "random edges");

	delay_sum_minutes();
	quiet(o);
	crowded(o);
	never_clean(o);
	parted(o);
	observed_once(o);
	crowd_of_another_window(o);
	stepped_under_load(o);
	ramped(o);
	standing(o);
	stepped(o);
	refused(o);
	mixed(o);
	return tap_done();
}
