// SPDX-License-Identifier: GPL-2.0
/*
 * The edge's solver against its oracle, against the method of two hulls, and
 * on what the wire may bring.  -s SEED repeats, -n is the number of rounds.
 */
#include "options.h"
#include "oracle.h"
#include "world.h"

#define AT_NS	4000000000000000000LL / 2

/* Clouds of random samples, and the same as numbers; the true line too. */
static void random_edge(uint64_t *seed, uint32_t most, int64_t theta, double drift,
			struct oracle *o, struct envelope *envelope)
{
	struct sample s[ORACLE_SAMPLES];
	double noise = 10 + random_below(seed, 100000);
	uint32_t k;
	int way;

	for (way = 0; way < 2; way++) {
		int64_t sign = way ? -1 : 1;

		o->n[way] = 20 + random_below(seed, most - 20);
		for (k = 0; k < o->n[way]; k++) {
			int64_t t = (int64_t)random_below(seed, 2000000000) - 1000000000;
			int64_t d = 3000 - noise * log(world_uniform(seed)) + sign * drift * t / 1e9;

			s[k] = (struct sample){ AT_NS + t, sign * theta + d };
			o->t[way][k] = t / 1e9;
			o->d[way][k] = d;
		}
		envelope_make(s, o->n[way], &envelope[way]);
	}
}

/* The lower hull of one direction by gift wrapping, and the best of its slopes. */
static double two_hulls(const struct oracle *o)
{
	double best = 0, best_gap = -INFINITY;
	int way;

	for (way = 0; way < 2; way++) {
		uint32_t at = 0, next, k;

		for (k = 1; k < o->n[way]; k++) {
			if (o->t[way][k] < o->t[way][at] ||
			    (o->t[way][k] == o->t[way][at] && o->d[way][k] < o->d[way][at]))
				at = k;
		}
		for (;;) {
			double least = INFINITY, delay_sum = INFINITY;

			next = at;
			for (k = 0; k < o->n[way]; k++) {
				double run = o->t[way][k] - o->t[way][at];
				double slope = (o->d[way][k] - o->d[way][at]) / run;

				if (run > 0 && slope < least) {
					least = slope;
					next = k;
				}
			}
			if (next == at)
				break;
			/* The hull's edge is one side; the other direction's nearest sample is the other. */
			for (k = 0; k < o->n[!way]; k++)
				delay_sum = fmin(delay_sum, o->d[!way][k] + least * o->t[!way][k]);
			delay_sum += o->d[way][at] - least * o->t[way][at];
			if (delay_sum > best_gap) {
				best_gap = delay_sum;
				best = way ? -least : least;
			}
			at = next;
		}
	}
	return best;
}

static void against_oracles(struct options o)
{
	static const uint32_t nus[] = { 0, 0, 10000, 30000, 50000 };
	double worst_margin = 0, worst_hulls = 0;
	bool lines = true, gaps = true;
	static struct oracle oracle;
	struct envelope envelope[2];
	unsigned long round;

	for (round = 0; round < o.n; round++) {
		struct edge_params p = { .nu_ppm = nus[round % 5] };
		int64_t theta = (int64_t)random_below(&o.seed, 2000000000) - 1000000000;
		double drift = ((double)random_below(&o.seed, 200000) - 100000);
		double slope, margin;
		struct edge_fit fit;

		random_edge(&o.seed, p.nu_ppm ? 44 : 100, theta, drift, &oracle, envelope);
		oracle.nu = p.nu_ppm / 1e6;
		fit = edge_solve(&p, &envelope[0], &envelope[1], AT_NS);
		slope = oracle_slope(&oracle, EDGE_SEARCH_PPB);
		margin = oracle_margin(&oracle, slope);
		if (fabs(slope) > EDGE_DRIFT_MOST_PPB) {
			lines &= fit.verdict == EDGE_DRIFT;
			continue;
		}
		if (fit.verdict != EDGE_VALID) {
			lines &= fit.verdict == EDGE_CROSSED;
			continue;
		}
		worst_margin = fmax(worst_margin, (margin - oracle_margin(&oracle, fit.drift_ppb)) / margin);
		lines &= llabs(fit.theta_ns - theta - llround(oracle_theta(&oracle, fit.drift_ppb))) <= 1;
		lines &= fit.forward == oracle.n[0] && fit.backward == oracle.n[1] && fit.at_ns == AT_NS;
		if (!p.nu_ppm) {
			gaps &= fabs(fit.delay_sum_ns - margin) <= 1e-6 * margin;
			worst_hulls = fmax(worst_hulls, fabs(two_hulls(&oracle) - fit.drift_ppb));
		}
	}
	tap_remark("margin below the oracle's by %.2g at most, slope off the hulls' by %.2g ppb", worst_margin, worst_hulls);
	tap_ok(worst_margin <= 1e-9, "edge__the_margin_is_the_greatest");
	tap_ok(worst_hulls <= 1e-3, "edge__a_hard_margin_is_that_of_two_hulls");
	tap_ok(lines, "edge__offset_and_verdict_are_the_oracles");
	tap_ok(gaps, "edge__the_delay_sum_of_a_hard_margin_is_the_margin");
}

static struct envelope line_envelope(int sign, int64_t theta, int64_t drift_ppb, int64_t delay)
{
	struct sample s[100];
	struct envelope c;
	int64_t n;

	for (n = 0; n < 100; n++) {
		int64_t t = (n - 50) * 20000000;

		s[n] = (struct sample){ t, sign * (theta + t / 1000000 * drift_ppb / 1000) + delay + n % 7 * 100 };
	}
	envelope_make(s, 100, &c);
	return c;
}

static void known_lines(void)
{
	struct edge_params p = { 0 };
	struct envelope f = line_envelope(1, 5000000000LL, 50000, 4000);
	struct envelope b = line_envelope(-1, 5000000000LL, 50000, 6000);
	struct edge_fit fit = edge_solve(&p, &f, &b, 0);

	tap_ok(fit.verdict == EDGE_VALID && llabs(fit.theta_ns - 4999999000LL) <= 1 &&
	       fabs(fit.drift_ppb - 50000) < 1 && fabs(fit.delay_sum_ns - 10000) < 2, "edge__a_known_line");
	p.asymmetry_ns = -2000;
	tap_ok(llabs(edge_solve(&p, &f, &b, 0).theta_ns - 5000000000LL) <= 1, "edge__known_asymmetry_is_taken_off");
	p.asymmetry_ns = 0;
	fit = edge_solve(&p, &f, &b, 1000000000);
	tap_ok(llabs(fit.theta_ns - 4999999000LL - 50000) <= 1, "edge__queried_for_another_time");
	f = line_envelope(1, 0, 299000, 4000);
	b = line_envelope(-1, 0, 299000, 4000);
	tap_ok(edge_solve(&p, &f, &b, 0).verdict == EDGE_VALID, "edge__drift_within_the_limit");
	f = line_envelope(1, 0, -301000, 4000);
	b = line_envelope(-1, 0, -301000, 4000);
	tap_ok(edge_solve(&p, &f, &b, 0).verdict == EDGE_DRIFT, "edge__drift_beyond_the_limit");
}

static void refusals(void)
{
	struct envelope f = line_envelope(1, 0, 0, 4000), b = line_envelope(-1, 0, 0, 4000), bad;
	struct edge_params p = { 0 };
	uint32_t k;

	bad = f;
	bad.samples = EDGE_SAMPLES_LEAST - 1;
	tap_ok(edge_solve(&p, &bad, &b, 0).verdict == EDGE_FEW_FORWARD, "edge__few_forward");
	tap_ok(edge_solve(&p, &f, &bad, 0).verdict == EDGE_FEW_BACKWARD, "edge__few_backward");
	bad.samples = EDGE_SAMPLES_LEAST;
	tap_ok(edge_solve(&p, &bad, &b, 0).verdict == EDGE_VALID, "edge__just_enough");
	bad = f;
	bad.points = 0;
	tap_ok(edge_solve(&p, &bad, &b, 0).verdict == EDGE_FEW_FORWARD, "edge__no_points");
	bad.points = ENVELOPE_POINTS + 1;
	tap_ok(edge_solve(&p, &f, &bad, 0).verdict == EDGE_FEW_BACKWARD, "edge__more_points_than_can_be");
	bad = line_envelope(-1, 0, 0, -4001);
	tap_ok(edge_solve(&p, &f, &bad, 0).verdict == EDGE_CROSSED, "edge__envelopes_overlap");
	bad = f;
	bad.point[1].at_ns = 86400000000001LL;
	tap_ok(edge_solve(&p, &bad, &b, 0).verdict == EDGE_FAR, "edge__a_time_far_off");
	bad = f;
	bad.point[1].delay_ns = INT64_MIN;
	tap_ok(edge_solve(&p, &bad, &b, 0).verdict == EDGE_FAR, "edge__a_delay_far_off");
	bad.point[0].delay_ns = INT64_MIN;
	tap_ok(edge_solve(&p, &bad, &b, 0).verdict == EDGE_FAR, "edge__a_base_far_off");
	tap_ok(edge_solve(&p, &f, &b, INT64_MAX).verdict == EDGE_FAR, "edge__a_middle_far_off");
	for (k = 0; k < f.points; k++)
		f.point[k].at_ns = -1000000000 - k;
	for (k = 0; k < b.points; k++)
		b.point[k].at_ns = 1000000000 + k;
	tap_ok(edge_solve(&p, &f, &b, 0).verdict == EDGE_DRIFT, "edge__times_that_do_not_overlap_tell_no_drift");
}

static int64_t hostile(uint64_t *seed)
{
	static const int64_t some[] = { 0, 1, -1, INT64_MAX, INT64_MIN, LINE_MOST_NS, -LINE_MOST_NS };

	if (random_below(seed, 2))
		return some[random_below(seed, 7)];
	return random_below(seed, 2) ? random_scale(seed) : -random_scale(seed);
}

static void survives(struct options o)
{
	bool sane = true;
	unsigned long round;
	uint32_t way, k;

	for (round = 0; round < 20 * o.n; round++) {
		struct edge_params p = {
			.nu_ppm = random_below(&o.seed, 500001), .asymmetry_ns = hostile(&o.seed) / 4,
			.slope_ppb = (double)hostile(&o.seed) / 1e13, .within_ppb = random_below(&o.seed, 2) ? random_below(&o.seed, 1000000) : 0,
		};
		int64_t base = hostile(&o.seed) / 4;
		struct envelope c[2];
		struct edge_fit fit;

		for (way = 0; way < 2; way++) {
			c[way].samples = random_scale(&o.seed);
			c[way].points = random_below(&o.seed, 2) ? 1 + random_below(&o.seed, ENVELOPE_POINTS) :
								   random_scale(&o.seed);
			for (k = 0; k < ENVELOPE_POINTS; k++) {
				bool wild = !random_below(&o.seed, 64);

				c[way].point[k].at_ns = wild ? hostile(&o.seed) : (int64_t)random_below(&o.seed, 2000000000);
				c[way].point[k].delay_ns = wild ? hostile(&o.seed) :
					(way ? -base : base) + (int64_t)random_below(&o.seed, 1 << 20);
			}
		}
		fit = edge_solve(&p, &c[0], &c[1], random_below(&o.seed, 8) ? 0 : hostile(&o.seed));
		sane &= isfinite(fit.drift_ppb) && isfinite(fit.delay_sum_ns) && isfinite(fit.noise_ns) &&
			fabs(fit.drift_ppb) <= EDGE_DRIFT_MOST_PPB && fit.delay_sum_ns >= 0 && fit.noise_ns >= 0;
	}
	tap_ok(sane, "edge__whatever_the_wire_brings_is_survived");
}

/* The truth, of which delays are 3000 ns at least in each direction, is never further than the reach says. */
static void reaches(struct options o)
{
	bool sound = true, tight = true, drifts = true, within = true, nearest = true;
	static struct oracle oracle;
	struct envelope envelope[2];
	unsigned long round;
	int k;

	for (round = 0; round < 4 * o.n; round++) {
		int64_t theta = (int64_t)random_below(&o.seed, 2000000000) - 1000000000;
		double drift = ((double)random_below(&o.seed, 200000) - 100000);
		struct edge_params p = { 0 };
		double slack_ns, margin, lost, least, most, rise = 0;
		struct edge_reach r;
		struct edge_fit fit;

		p.nu_ppm = round % 3 ? 0 : 50000;
		random_edge(&o.seed, p.nu_ppm ? 44 : 60, theta, drift, &oracle, envelope);
		if (round % 2) {
			p.slope_ppb = drift + (double)random_below(&o.seed, 2000) - 1000;
			p.within_ppb = 1000;
			p.noise_ns = random_below(&o.seed, 100);
		}
		oracle.nu = p.nu_ppm / 1e6;
		fit = edge_solve(&p, &envelope[0], &envelope[1], AT_NS);
		if (fit.verdict != EDGE_VALID || fit.delay_sum_ns < 6000)
			continue;
		slack_ns = fit.delay_sum_ns - 6000;
		/* Delays are cut to whole ns. */
		r = edge_reach(&p, &envelope[0], &envelope[1], &fit, slack_ns, 4);
		sound &= p.nu_ppm || llabs(fit.theta_ns - theta) <= r.offset_ns + 2;
		drifts &= p.nu_ppm || fabs(fit.slope_ppb - drift) <= r.slope_ppb + 1e-3 * fmax(r.slope_ppb, 1);
		within &= !p.within_ppb || (fabs(fit.drift_ppb - p.slope_ppb) <= 1000.001 && r.slope_ppb <= 2000.001);
		margin = oracle_margin(&oracle, fit.slope_ppb);
		lost = oracle_margin(&oracle, fit.drift_ppb) - margin;
		nearest &= p.within_ppb ? fit.slope_ppb == p.slope_ppb ? lost <= p.noise_ns : fabs(lost - p.noise_ns) <= 0.01 :
					  fit.slope_ppb == fit.drift_ppb;
		least = fit.slope_ppb - r.slope_ppb;
		most = fit.slope_ppb + r.slope_ppb;
		if (p.within_ppb) {
			least = fmax(least, p.slope_ppb - p.within_ppb);
			most = fmin(most, p.slope_ppb + p.within_ppb);
		}
		for (k = 0; k <= 1000; k++) {
			double slope = least + (most - least) * k / 1000;
			double r0[2][ORACLE_SAMPLES], r1[2][ORACLE_SAMPLES];
			int way;

			if (oracle_margin(&oracle, slope) < margin - slack_ns - 4)
				continue;
			for (way = 0; way < 2; way++) {
				oracle_sorted(&oracle, way, slope, r1[way]);
				oracle_sorted(&oracle, way, fit.slope_ppb, r0[way]);
				rise = fmax(rise, oracle_mean(&oracle, way, r1[way]) - oracle_mean(&oracle, way, r0[way]));
			}
		}
		tight &= fabs(r.offset_ns - slack_ns / 2 - rise) <= (most - least) / 1000 + 1;
	}
	tap_ok(sound, "edge__no_truth_is_out_of_reach");
	tap_ok(drifts, "edge__nor_its_drift");
	tap_ok(tight, "edge__the_reach_is_that_of_all_lines_with_space");
	tap_ok(nearest, "edge__of_slopes_as_good_the_one_that_is_known");
	tap_ok(within, "edge__slopes_that_are_not_searched_are_not_reached");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100, "random edges");

	against_oracles(o);
	known_lines();
	refusals();
	survives(o);
	reaches(o);
	return tap_done();
}
