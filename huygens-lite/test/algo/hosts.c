// SPDX-License-Identifier: GPL-2.0
/*
 * The lines that a host makes of its solution: datum, Kalman filter, error growth and slew;
 * states and servo are in states.c.  -s SEED repeats, -n is the number of rounds.
 */
#include <stdlib.h>
#include <string.h>

#include "datum.h"
#include "error_growth.h"
#include "options.h"
#include "kalman.h"
#include "slew.h"
#include "world.h"

#define S	1000000000LL
#define WINDOW	(2 * S)

/* Datum */

static void datum_weights(void)
{
	bool reached[5] = { true, true, true, true, true };
	struct line line[5] = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
	struct datum_prior prior[5] = { { true, { 0, 10, 1 }, 0, 0 }, { true, { 0, 11, 2 }, 0, 0 }, { true, { 0, 5000, 3 }, 0, 0 },
					{ true, { 0, 6000, 40 }, 0, 0 }, { true, { 0, 7000, 50 }, 0, 0 } };
	struct datum g = { DATUM_MEAN, 0, 0, NULL, DATUM_SLEW_PPB, WINDOW, prior };
	double weight[5] = { 1e8, 1e8, 1e6, 1e6, 1e6 };
	struct datum_sample samples[5];
	double moved;

	tap_ok(datum_offset_ns(&g, 5, reached, weight, weight, line, samples, &moved) == 11, "datum__hosts_that_are_known_badly_have_little_say");
	tap_ok(datum_drift_ppb(&g, 5, reached, weight, line, samples, &moved) == 0, "datum__nor_in_its_rate");
	weight[2] = 1e9;
	tap_ok(datum_offset_ns(&g, 5, reached, weight, weight, line, samples, &moved) == 11, "datum__no_host_weighs_more_than_others_let_it");
	weight[1] = weight[2] = 1e6;
	weight[4] = 1e8;
	tap_ok(datum_offset_ns(&g, 5, reached, weight, weight, line, samples, &moved) == 5000, "datum__a_median_of_weights");
	reached[4] = false;
	tap_ok(datum_offset_ns(&g, 5, reached, weight, weight, line, samples, &moved) == 5000, "datum__of_those_that_are_reached");
}

/* Between hosts that do not know exactly. */
static void datum_means(void)
{
	bool reached[4] = { true, true, true, true };
	struct line line[4] = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
	struct datum_prior prior[4] = { { true, { 0, 10, 1 }, 0, 0 }, { true, { 0, 110, 1 }, 0, 0 }, { true, { 0, 40, 1 }, 0, 0 },
					{ true, { 0, 1000000, 40 }, 0, 0 } };
	struct datum g = { DATUM_MEAN, 0, 0, NULL, DATUM_SLEW_PPB, WINDOW, prior };
	double weight[4] = { 1e-2, 1e-6, 1, 1 };
	struct datum_sample samples[4];
	double moved;

	tap_ok(datum_offset_ns(&g, 2, reached, weight, weight, line, samples, &moved) == 10, "datum__who_knows_better_is_gone_by");
	weight[0] = weight[1] = 1e-4;
	tap_ok(datum_offset_ns(&g, 2, reached, weight, weight, line, samples, &moved) == 60 && moved == 0, "datum__of_equals_the_mean");
	weight[0] = weight[1] = weight[2] = 1e-3;
	weight[3] = 1e12;
	/* 110 and three deviations of 31.6. */
	tap_ok(datum_offset_ns(&g, 4, reached, weight, weight, line, samples, &moved) == 205 && fabs(moved - (1000000 - 205)) < 1,
	       "datum__a_liar_pulls_by_three_deviations_at_most");
	weight[0] = weight[1] = weight[2] = weight[3] = 1e-4;
	tap_ok(datum_drift_ppb(&g, 4, reached, weight, line, samples, &moved) == 0, "datum__a_rate_that_nobody_knows_is_the_means");
}

/* Clocks 0, 1 and 2 report UTC: two agree, if what their solutions may be wrong counts. */
static void datum_utcs(void)
{
	bool reached[4] = { true, true, true, true };
	struct line line[4] = { { 0, 10, 1 }, { 0, 20, 2 }, { 0, 30, 3 }, { 0, 60, 6 } };
	struct datum_utc utc[3] = { { 0, { 0, 1010, 11 }, 5 }, { 1, { 0, 5020, 502 }, 1 }, { 2, { 0, 1050, 23 }, 5 } };
	struct datum g = { DATUM_UTC, 1, 3, utc, DATUM_SLEW_PPB, WINDOW, NULL };
	double weight[4] = { 1, 1, 1, 1 }, none[4] = { 0 }, bound[4] = { 10, 10, 10, 10 };
	struct datum_sample samples[4];
	double moved;

	tap_ok(datum_offset_ns(&g, 4, reached, weight, bound, line, samples, &moved) == 1010, "datum__utc_that_most_report");
	tap_ok(datum_drift_ppb(&g, 4, reached, weight, line, samples, &moved) == 500, "datum__its_rate_is_that_of_the_best_if_none_is_most");
	utc[1].error_ns = 5;
	tap_ok(datum_drift_ppb(&g, 4, reached, weight, line, samples, &moved) == 20, "datum__of_equals_the_rate_in_the_middle");
	tap_ok(datum_offset_ns(&g, 4, reached, weight, none, line, samples, &moved) == -30, "datum__utc_that_all_dispute_is_the_mean");
	reached[2] = false;
	tap_ok(datum_offset_ns(&g, 4, reached, weight, bound, line, samples, &moved) == -30, "datum__of_two_neither");
	reached[1] = false;
	tap_ok(datum_offset_ns(&g, 4, reached, weight, bound, line, samples, &moved) == 1000 &&
	       datum_drift_ppb(&g, 4, reached, weight, line, samples, &moved) == 10, "datum__one_is_followed");
	utc[0].host = 4;
	tap_ok(datum_offset_ns(&g, 4, reached, weight, bound, line, samples, &moved) == -35, "datum__not_one_that_is_not_there");
	g.kind = DATUM_MEAN;
	utc[0].host = 0;
	tap_ok(datum_offset_ns(&g, 4, reached, weight, bound, line, samples, &moved) == -35 &&
	       datum_drift_ppb(&g, 4, reached, weight, line, samples, &moved) == -3.5, "datum__nor_if_the_mean_is_wanted");
}

static void datums(void)
{
	bool reached[4] = { true, true, true, true };
	struct line line[4] = { { 0, 10, 1 }, { 0, 20, 2 }, { 0, 30, 3 }, { 0, 60, 6 } };
	struct datum_prior prior[4] = { { 0 } };
	struct datum g = { .kind = DATUM_HOST, .host = 1, .slew_ppb = DATUM_SLEW_PPB, .window_ns = WINDOW };
	double same[4] = { 1e6, 1e6, 1e6, 1e6 };
	struct datum_utc utc = { 1, { 0, 5000, 9 }, 0 };
	struct datum_sample samples[4];
	double moved;

	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == -20 && datum_drift_ppb(&g, 4, reached, same, line, samples, &moved) == -2,
	       "datum__the_hosts_correction_is_0");
	g.kind = DATUM_MEAN;
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == -30 && datum_drift_ppb(&g, 4, reached, same, line, samples, &moved) == -3,
	       "datum__the_mean_is_0_at_first");
	g.prior = prior;
	prior[0] = (struct datum_prior){ true, { -S, 1009, 1 }, 0, 0 };
	prior[1] = (struct datum_prior){ true, { -S, 1018, 2 }, 0, 0 };
	prior[3] = (struct datum_prior){ true, { -S, 700054, 6 }, 0, 0 };
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == 1000, "datum__goes_on_where_most_hosts_were");
	tap_ok(datum_drift_ppb(&g, 4, reached, same, line, samples, &moved) == -3, "datum__rate_of_the_mean_if_near");
	prior[0].line.drift_ppb = prior[1].line.drift_ppb = 1000;
	tap_ok(datum_drift_ppb(&g, 4, reached, same, line, samples, &moved) == 998 - DATUM_TURN_PPB, "datum__turns_slowly_to_the_mean");
	reached[1] = false;
	g.kind = DATUM_HOST;
	prior[0].line.drift_ppb = 1;
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == 700000 &&
	       datum_offset_ns(&g, 2, reached, same, same, line, samples, &moved) == 1000, "datum__goes_on_without_the_host");
	g.host = 77;
	tap_ok(datum_offset_ns(&g, 2, reached, same, same, line, samples, &moved) == 1000, "datum__a_host_that_is_not_there");
	reached[1] = true;
	g = (struct datum){ DATUM_UTC, 1, 0, &utc, DATUM_SLEW_PPB, WINDOW, NULL };
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == -30, "datum__utc_that_is_not_known_is_the_mean");
	g.utcs = 1;
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == 4980 && datum_drift_ppb(&g, 4, reached, same, line, samples, &moved) == 7,
	       "datum__utc_at_once_at_first");
	g.prior = prior;
	prior[1].line.drift_ppb = 2;
	prior[3].known = false;
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == 1000 + 2000, "datum__utc_is_followed_by_1_ppm");
	utc.line.offset_ns = 1021;
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == 1001, "datum__utc_is_met");
	g.slew_ppb = 0;
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == 1000, "datum__utc_is_followed_as_known");
	g = (struct datum){ DATUM_HOST, 1, 0, NULL, DATUM_SLEW_PPB, WINDOW, prior };
	prior[0].line.offset_ns = 1009 - 1015;
	prior[1].line.offset_ns = 1018 - 1025;
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == -20 && datum_drift_ppb(&g, 4, reached, same, line, samples, &moved) == -2,
	       "datum__the_hosts_correction_stays_0");
	line[1].offset_ns += 50000000;
	prior[1].known = false;
	tap_ok(datum_offset_ns(&g, 4, reached, same, same, line, samples, &moved) == -15 - 2000, "datum__a_host_that_was_stepped_drags_nobody");
	line[1].drift_ppb += 70000;
	tap_ok(datum_drift_ppb(&g, 4, reached, same, line, samples, &moved) == -1000, "datum__nor_one_that_runs_otherwise");
	datum_weights();
	datum_means();
	datum_utcs();
}

/* Prediction */

static const struct kalman_clock steady = { 1, 0, 50 }, still = { 0, 0, 50 };

static void kalman_filters(struct options o)
{
	double error = 0, claimed = 0, worst = 0, drift = 12345;
	struct kalman p = { 0 };
	struct kalman_measurement m = { 0 };
	int64_t k, truth = 0;

	tap_ok(kalman_std_ns(&p) == 0 && kalman_drift_std_ppb(&p) == 0, "kalman__nothing_known");
	for (k = 0; k < 400; k++) {
		m.line.at_ns = k * WINDOW;
		truth = llround(1e9 + drift * 2 * k);
		m.line.offset_ns = truth + llround(100 * world_normal(&o.seed));
		m.line.drift_ppb = drift + 80 * world_normal(&o.seed);
		m.std_ns = 100;
		m.std_ppb = 80;
		kalman_update(&p, &m, &steady);
		if (k >= 20) {
			struct kalman next = kalman_at(&p, m.line.at_ns + WINDOW, &steady);
			double off = next.line.offset_ns + next.fraction_ns - truth - 2 * drift;

			error += off * off;
			claimed += pow(kalman_std_ns(&next), 2);
			worst = fmax(worst, fabs(off));
		}
	}
	tap_remark("a window ahead: rms %.1f ns, promised %.1f, worst %.1f, of windows of 100", sqrt(error / 380),
		   sqrt(claimed / 380), worst);
	tap_ok(sqrt(error / 380) < 60 && error < 1.5 * claimed, "kalman__better_than_a_window");
	tap_ok(kalman_bound_ns(&p, 100, 7, INFINITY) == 407 && kalman_bound_ns(&p, 100, 7, 408) == 407,
	       "kalman__a_bound_is_not_averaged_away");
	tap_ok(kalman_bound_ns(&p, 1e6, 1e6, 500) == 500, "kalman__a_window_worth_little_takes_nothing_away");
	tap_ok(!kalman_update(&p, &m, &steady), "kalman__a_window_twice_is_refused");
	m.line.at_ns -= 1;
	tap_ok(!kalman_update(&p, &m, &steady), "kalman__an_older_window_is_refused");
	m.line.at_ns += 4 * WINDOW;
	m.keep_drift = true;
	m.line.drift_ppb = -200000;
	m.line.offset_ns = line_at(&p.line, m.line.at_ns);
	tap_ok(kalman_update(&p, &m, &steady) && fabs(p.line.drift_ppb - drift) < 50, "kalman__a_drift_that_is_to_be_kept_is");
	kalman_forget(&p);
	m.line.offset_ns = 77;
	m.line.at_ns -= 100 * S;
	tap_ok(kalman_update(&p, &m, &steady) && p.line.offset_ns == 77 && fabs(p.line.drift_ppb - drift) < 50,
	       "kalman__after_a_step_the_drift_stays");
}

/* The reference moved: kalman_widen() increases the variances, and the line stays. */
static void kalman_frames(void)
{
	struct kalman p = { 0 }, was;
	struct kalman_measurement m = { .line = { S, 500, 9000 }, .std_ns = 30, .std_ppb = 5 };

	kalman_widen(&p, 40, 12);
	tap_ok(!p.known && !p.var[KALMAN_OFFSET][KALMAN_OFFSET] && !kalman_drift_std_ppb(&p), "kalman__nothing_known_nothing_to_widen");
	kalman_update(&p, &m, &steady);
	was = p;
	kalman_widen(&p, 0, 0);
	tap_ok(!memcmp(p.var, was.var, sizeof(p.var)),
	       "kalman__what_did_not_move_is_known_as_before");
	kalman_widen(&p, 40, 12);
	tap_ok(fabs(pow(kalman_std_ns(&p), 2) - pow(kalman_std_ns(&was), 2) - 1600) < 1e-9 &&
	       fabs(pow(kalman_drift_std_ppb(&p), 2) - pow(kalman_drift_std_ppb(&was), 2) - 144) < 1e-9,
	       "kalman__what_moved_is_known_by_so_much_less");
	tap_ok(p.line.offset_ns == was.line.offset_ns && p.line.drift_ppb == was.line.drift_ppb, "kalman__and_is_where_it_was");
	/* Equal deviations of 50 ns: the mean of 500 and 1000. With 30 and 50 it would be 632. */
	m.line.offset_ns = 1000;
	m.line.at_ns = S + 1;
	m.std_ns = 50;
	tap_ok(kalman_update(&p, &m, &still) && llabs(p.line.offset_ns - 750) < 3, "kalman__so_the_next_window_weighs_more");
}

/* A clock whose drift changes at a steady rate: worst error a window ahead, from the 20th on. */
static double ramped(uint64_t seed, const struct kalman_clock *clock, double *ramp_ppb)
{
	struct kalman p = { 0 };
	double worst = 0;
	int64_t k;

	for (k = 0; k < 100; k++) {
		double s = 2.0 * k, next_s = s + 2;
		struct kalman_measurement m = {
			.line = { k * WINDOW, llround(2.5 * s * s + 20 * world_normal(&seed)), 5 * s + 40 * world_normal(&seed) },
			.std_ns = 20, .std_ppb = 40,
		};
		struct kalman next;

		kalman_update(&p, &m, clock);
		next = kalman_at(&p, (k + 1) * WINDOW, clock);
		if (k >= 20)
			worst = fmax(worst, fabs(next.line.offset_ns + next.fraction_ns - 2.5 * next_s * next_s));
	}
	*ramp_ppb = p.ramp_ppb;
	return worst;
}

static void kalman_ramps(struct options o)
{
	static const struct kalman_clock slow = { 1, 0, 50 };
	struct kalman p = { .known = true, .ramp_ppb = 8, .var = { [KALMAN_RAMP][KALMAN_RAMP] = 1 } }, then;
	double with_ppb, without_ppb;
	double with = ramped(o.seed, &KALMAN_HOST_CLOCK, &with_ppb);
	double without = ramped(o.seed, &slow, &without_ppb);

	tap_remark("a ramp of 5 ppb/s, a window ahead: %.0f ns with a state for it, %.1f ppb/s, %.0f ns without", with, with_ppb, without);
	tap_ok(with < 110 && fabs(with_ppb - 5) < 2.5, "kalman__a_ramp_is_learned");
	tap_ok(without > 2 * with && !without_ppb, "kalman__and_left_behind_without_a_state_for_it");
	then = kalman_at(&p, S, &KALMAN_HOST_CLOCK);
	tap_ok(llabs(then.line.offset_ns - 4) <= 1 && fabs(then.line.drift_ppb - 8) < 0.1, "kalman__the_line_ahead_is_the_tangent");
	then = kalman_at(&p, 1000 * S, &KALMAN_HOST_CLOCK);
	tap_ok(fabs(then.ramp_ppb) < 0.5 && fabs(sqrt(then.var[KALMAN_RAMP][KALMAN_RAMP]) - 5) < 0.1 && then.line.drift_ppb < 8 * 100,
	       "kalman__a_ramp_does_not_last");
	then = kalman_at(&p, -S, &KALMAN_HOST_CLOCK);
	tap_ok(!memcmp(&then, &p, sizeof(p)), "kalman__no_line_is_looked_for_in_the_past");
}

static void drift_files(void)
{
	struct kalman with = { 0 }, without = { 0 };
	struct kalman_measurement m = { .line = { S, 5, 9000 }, .std_ns = 100, .std_ppb = 5000 };

	kalman_drift(&with, 10000, KALMAN_DRIFT_FILE_PPB);
	kalman_update(&with, &m, &steady);
	kalman_update(&without, &m, &steady);
	tap_ok(with.line.drift_ppb > 9900 && with.line.drift_ppb < 10000, "kalman__a_drift_file_beats_a_noisy_window");
	tap_ok(fabs(without.line.drift_ppb - 9000) < 30, "kalman__without_one_the_window_is_taken");
}

static void kalman_refusals(void)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY, 2e9, -1e-9 };
	struct kalman_measurement good = { .line = { S, 5, 9 }, .std_ns = 1, .std_ppb = 1 }, m;
	struct kalman p = { 0 };
	bool refused = true;
	uint32_t n;

	for (n = 0; n < 5; n++) {
		m = good;
		m.std_ns = bad[n];
		refused &= !kalman_update(&p, &m, &steady);
		m = good;
		m.std_ppb = bad[n];
		refused &= !kalman_update(&p, &m, &steady);
		m = good;
		m.line.drift_ppb = bad[n] < 0 && bad[n] > -1 ? 1000001 : bad[n];
		refused &= !kalman_update(&p, &m, &steady);
	}
	m = good;
	m.line.at_ns = LINE_MOST_NS + 1;
	refused &= !kalman_update(&p, &m, &steady);
	m = good;
	m.line.offset_ns = INT64_MIN;
	refused &= !kalman_update(&p, &m, &steady);
	tap_ok(refused && !p.known && !p.var[KALMAN_OFFSET][KALMAN_OFFSET], "kalman__what_is_out_of_range_changes_nothing");
}

/* Growth */

static void growths(void)
{
	struct error_growth g = error_growth_of(50, 100, 1000);

	tap_ok(g.ppb == 200 && g.turn_ppb == ERROR_GROWTH_TURN_PPB && g.most_ppb == 1000, "error_growth__four_standard_deviations");
	tap_ok(error_growth_of(1, 100, 1000).ppb == 100, "error_growth__not_below_the_least");
	tap_ok(error_growth_of(251, 100, 1000).ppb == 1000 && error_growth_of(INFINITY, 100, 1000).ppb == 1000 &&
	       error_growth_of(NAN, 100, 1000).ppb == 1000, "error_growth__nor_above_the_most");
	tap_ok(error_growth_ns(&g, 0) == 0 && error_growth_ns(&g, -5 * S) == 0 && error_growth_ns(&g, INT64_MIN) == 0 && error_growth_ppb(&g, -S) == 200,
	       "error_growth__none_before");
	tap_ok(fabs(error_growth_ns(&g, 10 * S) - (2000 + 250)) < 1e-9, "error_growth__faster_by_5_ppb_a_second");
	/* From 160 s on 1000 ppb: 200 x 160 + 5 x 160^2 / 2 + 1000 x 40. */
	tap_ok(fabs(error_growth_ns(&g, 200 * S) - (32000 + 64000 + 40000)) < 1e-6, "error_growth__up_to_the_most");
	tap_ok(error_growth_ppb(&g, 10 * S) == 250 && error_growth_ppb(&g, 160 * S) == 1000 && error_growth_ppb(&g, 1000 * S) == 1000,
	       "error_growth__and_no_faster");
	/* A ramp of temperature, 5 ppb/s, for as long as it takes to be 900 ppb off. */
	g = error_growth_of(0, 100, 1000);
	tap_ok(error_growth_ns(&g, 180 * S) >= 2.5 * 180 * 180, "error_growth__holds_a_ramp");
	g = error_growth_of(0, 100, 100);
	tap_ok(error_growth_ns(&g, 100 * S) == 10000, "error_growth__a_most_that_is_the_least");
}

/* Track */

static void known_slews(void)
{
	struct slew t = { 0 };
	struct slew_target aim = { { 10 * S, 1000, 0 }, 50, { 100, 0, 1000 }, SLEW_MEET_NS, SLEW_MOST_PPB };
	const struct error_growth fast = { 1000, 0, 1000 };
	struct slew_value now = slew_at(&t, 5);

	tap_ok(!now.x_ns && !now.epoch, "slew__nothing_known");
	slew_to(&t, 11 * S, &aim);
	now = slew_at(&t, 11 * S);
	tap_ok(now.x_ns == 1000 && now.epoch == 1 && now.until_ns == INT64_MAX, "slew__the_first_line_is_jumped_to");
	tap_ok(fabs(now.bound_ns - 150) < 1e-6, "slew__the_bound_grows_from_the_middle");
	tap_ok(fabs(slew_at(&t, 21 * S).bound_ns - 1150) < 1e-6, "slew__the_bound_goes_on_growing");
	tap_ok(fabs(slew_at(&t, 9 * S).bound_ns - 50) < 1e-6, "slew__the_bound_is_not_less_before");
	aim.line = (struct line){ 11 * S, 2000, 100 };
	slew_to(&t, 12 * S, &aim);
	tap_ok(slew_at(&t, 12 * S).x_ns == 1000 && slew_at(&t, 12 * S).until_ns == 12 * S + SLEW_MEET_NS,
	       "slew__a_line_is_left_for_the_next_without_a_jump");
	tap_ok(llabs(slew_at(&t, 12 * S + SLEW_MEET_NS).x_ns - 2150) <= 1, "slew__and_met_where_published");
	tap_ok(slew_at(&t, 12 * S).bound_ns >= 150 + 1100, "slew__the_way_to_go_is_in_the_bound");
	tap_ok(slew_at(&t, 13 * S).until_ns == INT64_MAX && slew_at(&t, 13 * S).drift_ppb == 100,
	       "slew__then_it_is_the_line");
	slew_suspect(&t, 5000);
	slew_suspect(&t, 10);
	tap_ok(slew_at(&t, 13 * S).bound_ns >= 5000 + 250, "slew__suspicions_widen_the_bound");
	slew_to(&t, 13 * S, &aim);
	tap_ok(slew_at(&t, 13 * S).bound_ns < 300, "slew__the_next_line_ends_suspicions");
	slew_grow(&t, 21 * S, &fast);
	tap_ok(fabs(slew_at(&t, 22 * S).bound_ns - (50 + 1000 + 1000)) < 1e-6, "slew__growth_changes_from_now_on");
	slew_widen(&t, 300);
	slew_widen(&t, 7);
	tap_ok(fabs(slew_at(&t, 22 * S).bound_ns - (50 + 1000 + 1000 + 307)) < 1e-6, "slew__what_it_leads_to_moved_again_and_again");
	t = (struct slew){ 0 };
	slew_widen(&t, 300);
	tap_ok(!t.known && !t.bound_ns, "slew__nothing_known_nothing_to_widen");
	tap_ok(slew_stale_ns(&t, 0, S) == 0, "slew__nothing_known_nothing_stale");
	aim.growth = (struct error_growth){ 0 };
	aim.line = (struct line){ 20 * S, 0, 0 };
	slew_step(&t, &aim);
	aim.line.offset_ns = 1000;
	slew_to(&t, 21 * S, &aim);
	/* 1000 ns in half a second; 1.5 s beyond it 3000 too far. */
	tap_ok(fabs(slew_stale_ns(&t, 21 * S, 23 * S) - 3050) < 2, "slew__who_heard_of_a_slew_only_goes_too_far");
	tap_ok(fabs(slew_stale_ns(&t, 22 * S, 24 * S) - 50) < 1e-6 && slew_stale_ns(&t, 21 * S, 21 * S) == slew_at(&t, 21 * S).bound_ns,
	       "slew__who_heard_of_its_end_does_not");
	aim.line = (struct line){ 22 * S, 100 * S, 0 };
	slew_to(&t, 22 * S, &aim);
	tap_ok(fabs(slew_at(&t, 22 * S).drift_ppb - SLEW_MOST_PPB) < 1e-3, "slew__a_long_way_takes_longer");
	slew_step(&t, &aim);
	tap_ok(slew_at(&t, 22 * S).x_ns == 100 * S && slew_at(&t, 22 * S).epoch == 2, "slew__a_step_is_another_epoch");
}

/* Whatever lines come, when they come: no jump, no time that runs backwards. */
static void random_slews(struct options o)
{
	bool continuous = true, monotone = true, slow = true, bounded = true;
	unsigned long round;
	int k;

	for (round = 0; round < o.n; round++) {
		struct slew t = { 0 };
		int64_t now = random_below(&o.seed, S), last_now = 0, last_x = 0;

		for (k = 0; k < 200; k++) {
			double most = 1000 + random_below(&o.seed, 499000);
			struct slew_target aim = {
				.line = { now - (int64_t)random_below(&o.seed, 3 * S),
					  (int64_t)(random_scale(&o.seed) >> 24) * (k % 2 ? 1 : -1),
					  world_normal(&o.seed) * 50000 },
				.bound_ns = 100, .growth = { 100, 5, 1000 },
				.meet_ns = 1 + random_below(&o.seed, 4 * S), .slew_most_ppb = most,
			};
			struct slew_value is;

			if (k && random_below(&o.seed, 4)) {
				is = slew_at(&t, now);
				/* Two readings around now: rates of neighbours differ by the slew. */
				monotone &= is.x_ns + now >= last_x + last_now;
				slow &= llabs(is.x_ns - last_x) <= (now - last_now) / 1000 + 3;
			} else {
				last_x = k ? slew_at(&t, now).x_ns : 0;
				slew_to(&t, now, &aim);
				is = slew_at(&t, now);
				continuous &= !k || is.x_ns == last_x;
				bounded &= is.bound_ns >= llabs(is.x_ns - line_at(&aim.line, now));
			}
			last_x = is.x_ns;
			last_now = now;
			now += random_below(&o.seed, S);
		}
	}
	tap_ok(continuous, "slew__never_jumps");
	tap_ok(monotone, "slew__corrected_time_never_runs_backwards");
	tap_ok(slow, "slew__never_faster_than_slew_and_drift");
	tap_ok(bounded, "slew__the_bound_holds_the_way_to_go");
}

static void far_slews(void)
{
	struct slew t = { 0 };
	struct slew_target aim = { { 0, -LINE_MOST_NS, 300000 }, 0, { 0, 0, 0 }, 1, 1000 };

	slew_to(&t, 0, &aim);
	aim.line.offset_ns = LINE_MOST_NS;
	slew_to(&t, LINE_MOST_NS, &aim);
	tap_ok(slew_at(&t, LINE_MOST_NS).x_ns <= -LINE_MOST_NS / 2, "slew__extremes_are_survived");
}

/* States: every row of the table of robustness rules */

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100, "rounds");

	datums();
	kalman_filters(o);
	drift_files();
	kalman_frames();
	kalman_ramps(o);
	kalman_refusals();
	growths();
	known_slews();
	random_slews(o);
	far_slews();
	return tap_done();
}
