// SPDX-License-Identifier: GPL-2.0
/* On-Ramp's algorithms and their oracle side by side. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pair_onramp.h"

/* Rounding of numbers that are larger than the mantissa of a long double. */
#define ROUNDING	0.001L

static bool __attribute__((format(printf, 2, 3)))
pair_trouble(char *trouble, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	vsnprintf(trouble, sizeof(((struct onramp_pair *)0)->trouble), text, args);
	va_end(args);
	return false;
}

/**
 * onramp_pair_params() - other parameters for both
 * @pair: both
 * @law: enum onramp_law
 * @gain: 1 / g
 * @max_hold_ns: longest hold
 *
 * The previous beta in real numbers is discarded, because its tolerance holds for one g only.
 */
void onramp_pair_params(struct onramp_pair *pair, u32 law, u32 gain,
			u64 max_hold_ns)
{
	pair->params = (struct onramp_params){
		.law = law, .gain = gain, .max_hold_ns = max_hold_ns,
	};
	pair->algo = (struct horrible_algo){
		.strawman = law == ONRAMP_STRAWMAN,
		.weighted = law == ONRAMP_WEIGHTED,
		.g = 1.0L / gain,
		.max_hold = max_hold_ns,
	};
	pair->flow.beta = (long double)pair->vars.beta_q16 / ONRAMP_BETA_ONE;
}

/**
 * onramp_pair_start() - a new flow
 * @pair: written
 * @beta_q16: the path's beta
 */
void onramp_pair_start(struct onramp_pair *pair, u32 beta_q16)
{
	memset(&pair->hold, 0, sizeof(pair->hold));
	memset(&pair->vars, 0, sizeof(pair->vars));
	onramp_vars_init(&pair->vars, beta_q16);
	pair->flow.holds.n = 0;
	pair->flow.has_black = false;
	pair->trouble[0] = 0;
	onramp_pair_params(pair, ONRAMP_FINAL, 16, 5000000);
}

static bool pair_totals_agree(struct onramp_pair *pair, u64 now_ns)
{
	u64 total = onramp_hold_total(&pair->hold, now_ns);
	u64 want = horrible_holds_between(&pair->flow.holds, 0, now_ns);

	return total == want ||
	       pair_trouble(pair->trouble, "A(%" PRIu64 ") is %" PRIu64
			    ", should be %" PRIu64, now_ns, total, want);
}

/**
 * onramp_pair_hold() - set a hold that no report required
 * @pair: both
 * @now_ns: time, monotone
 * @t_next_ns: when it ends
 *
 * Return: true if both agree; otherwise @pair->trouble says on what not.
 */
bool onramp_pair_hold(struct onramp_pair *pair, u64 now_ns, u64 t_next_ns)
{
	onramp_hold_set(&pair->hold, now_ns, t_next_ns);
	horrible_holds_replace(&pair->flow.holds, 0, now_ns, t_next_ns);
	return pair_totals_agree(pair, now_ns);
}

/**
 * onramp_pair_send() - a packet leaves
 * @pair: both
 * @now_ns: time, monotone
 * @sent: written
 *
 * Return: as above.
 */
bool onramp_pair_send(struct onramp_pair *pair, u64 now_ns,
		      struct onramp_sent *sent)
{
	sent->tx_ns = now_ns;
	sent->total_ns = onramp_hold_total(&pair->hold, now_ns);
	return pair_totals_agree(pair, now_ns);
}

/*
 * Equation 3: this step, and, where all measurements count alike, all of them;
 * else what a step is rounded by may last longer than any bound.
 */
static bool pair_betas_agree(struct onramp_pair *pair, u32 before_q16,
			     long double beta_m, long double weight)
{
	long double units = ONRAMP_BETA_ONE;
	long double is = pair->vars.beta_q16;
	long double step = before_q16;
	long double gain = pair->params.gain;

	if (beta_m >= 0) {
		step += (beta_m * units - before_q16) * weight / gain;
		pair->measured++;
	}
	if (fabsl(is - step) > (beta_m < 0 ? 0 : 0.5L + 2 / gain + ROUNDING) ||
	    (!pair->algo.weighted &&
	     fabsl(is - pair->flow.beta * units) > gain / 2 + 1 + ROUNDING) ||
	    is > units)
		return pair_trouble(pair->trouble, "beta %.0Lf, should be %.2Lf, or %.2Lf by all of its past",
				    is, step, pair->flow.beta * units);
	return true;
}

/* Equation 2 or 4, for the beta that the algorithm has come to. */
static bool pair_holds_agree(struct onramp_pair *pair,
			     const struct horrible_green *green,
			     const struct onramp_decision *d)
{
	long double beta = pair->flow.beta, want, excess;
	bool agree;

	pair->flow.beta = (long double)pair->vars.beta_q16 / ONRAMP_BETA_ONE;
	want = horrible_hold(&pair->algo, &pair->flow, green);
	excess = horrible_excess(&pair->algo, &pair->flow, green);
	pair->flow.beta = beta;

	agree = fabsl((long double)d->hold_ns - want) <= 1 &&
		d->hold_ns <= pair->params.max_hold_ns &&
		d->bounded == (ceill(excess) > pair->params.max_hold_ns);
	/* Below 2^47 ns the oracle has bits enough for beta P and what is left. */
	if (green->now - green->tx < 1ULL << 47 && fabsl(excess) < 1ULL << 47)
		agree = agree && d->hold_ns == (u64)ceill(want);
	return agree ||
	       pair_trouble(pair->trouble, "hold %" PRIu64 "%s, should be %.2Lf of %.2Lf",
			    d->hold_ns, d->bounded ? " bounded" : "", want, excess);
}

/**
 * onramp_pair_report() - the arrival of a packet was reported; carry it out
 * @pair: both
 * @now_ns: time, monotone
 * @sent: the packet
 * @owd_ns: O; must not be further from the last than an s64 reaches
 * @threshold_ns: T, below 2^63
 *
 * Return: as above.
 */
bool onramp_pair_report(struct onramp_pair *pair, u64 now_ns,
			const struct onramp_sent *sent, s64 owd_ns,
			u64 threshold_ns)
{
	const struct onramp_sample x = {
		.owd_ns = owd_ns,
		.tx_ns = sent->tx_ns,
		.total_ns = sent->total_ns,
		.total_now_ns = onramp_hold_total(&pair->hold, now_ns),
		.threshold_ns = threshold_ns,
	};
	const struct horrible_green green = {
		.now = now_ns, .tx = sent->tx_ns, .owd = owd_ns, .t = threshold_ns,
	};
	u32 before_q16 = pair->vars.beta_q16;
	struct onramp_decision d, judged;
	long double beta_m, weight;

	pair->late += pair->flow.has_black && pair->flow.black_tx > sent->tx_ns;
	beta_m = horrible_beta_m(&pair->flow, &green);
	weight = horrible_weight(&pair->algo, &pair->flow, &green);
	horrible_learn(&pair->algo, &pair->flow, &green);
	d = onramp_on_sample(&pair->params, &pair->vars, &x);
	judged = onramp_judge(&pair->params, &pair->vars, &x);
	if (judged.hold_ns != d.hold_ns || judged.bounded != d.bounded)
		return pair_trouble(pair->trouble, "judged otherwise without learning");
	if (!pair_betas_agree(pair, before_q16, beta_m, weight) ||
	    !pair_holds_agree(pair, &green, &d))
		return false;
	pair->hold_ns = d.hold_ns;
	if (!d.hold_ns)
		return pair_totals_agree(pair, now_ns);
	pair->holds++;
	pair->bounded += d.bounded;
	return onramp_pair_hold(pair, now_ns, now_ns + d.hold_ns);
}

/**
 * onramp_path_pair_start() - a new path
 * @pair: written, but for what it counted
 * @params: for both
 */
void onramp_path_pair_start(struct onramp_path_pair *pair,
			    const struct onramp_path_params *params)
{
	pair->params = *params;
	memset(&pair->vars, 0, sizeof(pair->vars));
	memset(pair->t_next_ns, 0, sizeof(pair->t_next_ns));
	pair->trouble[0] = 0;
	pair->oracle.threshold = params->threshold_ns;
	pair->oracle.margin = params->margin_ns;
	pair->oracle.max_error = params->max_error_ns;
	pair->oracle.window = 50000000;
	pair->oracle.clock_windows = 2;
	pair->oracle.route_windows = 40;
	pair->oracle.suspicion_max = 40;
	pair->oracle.suspicion_hidden = 8;
	pair->oracle.backoff_windows = 40;
	pair->oracle.sum_longest = 4294967295;
	pair->oracle.relearn = 50000000;
	pair->oracle.settled = 1000000000;
	pair->oracle.n = 0;
	pair->oracle.held.n = 0;
}

/**
 * onramp_path_pair_hold() - a flow of the path was held, or its hold cut short
 * @pair: both
 * @flow: which, below ONRAMP_PAIR_FLOWS
 * @now_ns: time, monotone
 * @t_next_ns: until when
 *
 * Return: true if both agree; otherwise @pair->trouble says on what not.
 */
bool onramp_path_pair_hold(struct onramp_path_pair *pair, unsigned int flow,
			   u64 now_ns, u64 t_next_ns)
{
	u64 want, last_ns = 0;
	unsigned int i;

	pair->t_next_ns[flow] = t_next_ns;
	for (i = 0; i < ONRAMP_PAIR_FLOWS; i++)
		last_ns = max(last_ns, pair->t_next_ns[i]);
	onramp_path_hold(&pair->vars, now_ns, last_ns);
	horrible_holds_replace(&pair->oracle.held, flow, now_ns, t_next_ns);
	want = horrible_holds_between(&pair->oracle.held, 0, now_ns);
	return onramp_hold_total(&pair->vars.held, now_ns) == want ||
	       pair_trouble(pair->trouble, "held for %" PRIu64 ", should be %" PRIu64,
			    onramp_hold_total(&pair->vars.held, now_ns), want);
}

static bool pair_bases_agree(struct onramp_path_pair *pair, u64 error_ns)
{
	int64_t want = 0;
	bool has_base = horrible_path_base(&pair->oracle, &want, 0);
	u64 t, want_t;

	if (pair->vars.has_base != has_base)
		return pair_trouble(pair->trouble, "has a base: %d", !has_base);
	if (!has_base)
		return true;
	if (pair->vars.base_ns != want)
		return pair_trouble(pair->trouble, "base %" PRId64 ", should be %" PRId64,
				    (int64_t)pair->vars.base_ns, want);
	t = onramp_path_threshold(&pair->params, &pair->vars, error_ns);
	want_t = horrible_path_threshold(&pair->oracle, error_ns);
	return t == want_t || pair_trouble(pair->trouble, "T %" PRIu64 ", should be %" PRIu64,
					   t, want_t);
}

/**
 * onramp_path_pair_report() - show both the same delay
 * @pair: both
 * @r: the delay
 *
 * Return: as above.
 */
bool onramp_path_pair_report(struct onramp_path_pair *pair,
			     const struct onramp_report *r)
{
	static const u64 ages[] = { 0, 1, 1000000, 1000000000 };
	const struct horrible_entry e = {
		.now = r->now_ns, .tx = r->tx_ns, .owd = r->owd_ns,
		.error = r->error_ns, .epoch = r->epoch, .clock_ok = r->clock_ok,
	};
	bool was_suspect = pair->vars.suspect, want_fresh;
	const struct horrible_entry *last;
	enum horrible_validity want;
	enum onramp_validity validity;
	unsigned int i;

	validity = onramp_path_judge(&pair->params, &pair->vars, r);
	want = horrible_path_report(&pair->oracle, &e);
	pair->validities[validity]++;
	pair->cleared += was_suspect && !pair->vars.suspect;
	last = &pair->oracle.at[pair->oracle.n - 1];
	pair->clocks += last->suspected && last->tells_clock;
	pair->routes += last->rerouted;
	pair->backoffs += last->backs_off;
	pair->backed_off += last->woken && last->slept;
	pair->woken += last->woken && !last->slept;
	if ((int)validity != (int)want)
		return pair_trouble(pair->trouble, "report %u: validity %d, should be %d",
				    pair->oracle.n - 1, validity, want);
	if (pair->vars.suspect != horrible_path_is_suspect(&pair->oracle))
		return pair_trouble(pair->trouble, "report %u: suspect %d",
				    pair->oracle.n - 1, pair->vars.suspect);
	/* A little later, and by another CPU's time a little before. */
	for (i = 0; i < 2 * sizeof(ages) / sizeof(ages[0]); i++) {
		u64 now_ns = i % 2 ? r->now_ns - 1 : r->now_ns + 1, age_ns = ages[i / 2];

		want_fresh = horrible_path_is_fresh(&pair->oracle, now_ns, age_ns);
		if (onramp_path_is_fresh(&pair->vars, now_ns, age_ns) != want_fresh)
			return pair_trouble(pair->trouble, "report %u: fresh for %" PRIu64 ": %d",
					    pair->oracle.n - 1, age_ns, !want_fresh);
	}
	return pair_bases_agree(pair, r->error_ns);
}
