// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp's algorithms against their tables of vectors, and what must hold whatever
 * comes in: of a hold, of beta, of a base, and of a clock that is stepped.
 */
#include <inttypes.h>
#include <string.h>

#include "onramp_vectors.h"
#include "options.h"
#include "pair_onramp.h"
#include "random.h"
#include "../lib/tap.h"

static void flow_case(const struct onramp_case *c)
{
	const struct onramp_vector *failed = NULL;
	const char *what = onramp_case_run(c, &failed);

	if (!tap_ok(!what, "onramp_on_sample__%s", c->name))
		tap_remark("vector %u: %s differs", failed->nr, what);
}

static void path_case(const struct onramp_path_case *c)
{
	const struct onramp_path_vector *failed = NULL;
	const char *what = onramp_path_case_run(c, &failed);

	if (!tap_ok(!what, "onramp_path_judge__%s", c->name))
		tap_remark("vector %u: %s differs", failed->nr, what);
}

/* A table that the paper contradicts would be worse than none. */
static void flow_case_oracle(const struct onramp_case *c)
{
	struct onramp_sent sent[O_PACKETS];
	static struct onramp_pair pair;
	bool agree = true;
	u32 i;

	onramp_pair_start(&pair, c->beta_q16);
	onramp_pair_params(&pair, c->params.law, c->params.gain, c->params.max_hold_ns);
	for (i = 0; i < c->nr_vectors && agree; i++) {
		const struct onramp_vector *w = &c->vector[i];

		if (w->report)
			agree = onramp_pair_report(&pair, w->now_ns, &sent[w->packet],
						   w->owd_ns, w->threshold_ns);
		else
			agree = onramp_pair_send(&pair, w->now_ns, &sent[w->packet]);
	}
	if (!tap_ok(agree, "oracle__%s", c->name))
		tap_remark("vector %u: %s", c->vector[i - 1].nr, pair.trouble);
}

static void path_case_oracle(const struct onramp_path_case *c)
{
	static struct onramp_path_pair pair;
	bool agree = true;
	u64 last_ns = 0;
	u32 i;

	onramp_path_pair_start(&pair, &c->params);
	for (i = 0; i < c->nr_vectors && agree; i++) {
		const struct onramp_path_vector *w = &c->vector[i];

		if (w->held_for_ns)
			agree = onramp_path_pair_hold(&pair, 0, last_ns, last_ns + w->held_for_ns);
		agree = agree && onramp_path_pair_report(&pair, &w->r);
		last_ns = w->r.now_ns;
	}
	if (!tap_ok(agree, "oracle__path_%s", c->name))
		tap_remark("vector %u: %s", c->vector[i - 1].nr, pair.trouble);
}

/**
 * struct algos - the same sample, judged by everybody
 * @p: of the final algorithm
 * @v: state
 * @x: the sample
 * @final: decision
 * @strawman: decision
 */
struct algos {
	struct onramp_params p;
	struct onramp_vars v;
	struct onramp_sample x;
	struct onramp_decision final;
	struct onramp_decision strawman;
};

static void algos_random(u64 *seed, struct algos *l)
{
	struct onramp_params strawman;
	u64 hold;

	l->p.law = ONRAMP_FINAL;
	l->p.gain = 1 + random_below(seed, 1024);
	l->p.max_hold_ns = 1 + (random_scale(seed) >> 2);
	onramp_vars_init(&l->v, random_below(seed, ONRAMP_BETA_ONE + 1));
	hold = random_below(seed, 4) ? random_scale(seed) >> 2 : 0;
	l->x = (struct onramp_sample){
		.owd_ns = random_scale(seed) >> 1,
		.tx_ns = random_scale(seed) >> 2,
		.total_ns = random_scale(seed) >> 2,
		.threshold_ns = random_scale(seed) >> 1,
	};
	l->x.total_now_ns = l->x.total_ns + hold;
	if (random_below(seed, 4) == 0)
		l->x.threshold_ns = l->x.owd_ns - random_below(seed, 2) * (l->x.owd_ns > 0);
	strawman = l->p;
	strawman.law = ONRAMP_STRAWMAN;
	l->final = onramp_judge(&l->p, &l->v, &l->x);
	l->strawman = onramp_judge(&strawman, &l->v, &l->x);
}

static void hold_properties(u64 seed, unsigned long n)
{
	unsigned long longer = 0, below = 0, stronger = 0, equal = 0, less = 0, i;
	struct onramp_decision more;
	struct algos l;

	for (i = 0; i < n; i++) {
		algos_random(&seed, &l);
		longer += l.final.hold_ns > l.p.max_hold_ns ||
			  l.strawman.hold_ns > l.p.max_hold_ns;
		if (l.x.owd_ns <= (s64)l.x.threshold_ns)
			below += l.final.hold_ns || l.strawman.hold_ns;
		else
			below += !l.strawman.hold_ns;
		stronger += l.final.hold_ns > l.strawman.hold_ns;
		if (l.x.total_now_ns == l.x.total_ns || !l.v.beta_q16)
			equal += l.final.hold_ns != l.strawman.hold_ns ||
				 l.final.bounded != l.strawman.bounded;
		l.x.owd_ns += random_below(&seed, 1000) & (S64_MAX - l.x.owd_ns);
		more = onramp_judge(&l.p, &l.v, &l.x);
		less += more.hold_ns < l.final.hold_ns;
	}
	tap_ok(!longer, "onramp_judge__never_holds_longer_than_max_hold");
	tap_ok(!below, "onramp_judge__holds_only_above_T");
	tap_ok(!stronger, "onramp_judge__final_never_holds_longer_than_strawman");
	tap_ok(!equal, "onramp_judge__algorithms_are_equal_without_a_hold_in_flight");
	tap_ok(!less, "onramp_judge__more_delay_never_holds_less");
}

/* From any beta, by any measurement, with any gain; and to both ends. */
static void beta_properties(u64 seed, unsigned long n)
{
	struct onramp_params p = { .law = ONRAMP_FINAL, .max_hold_ns = 1 };
	unsigned long outside = 0, away = 0, i;
	struct onramp_vars v;
	u32 measured, before;
	s64 total;
	u64 hold;

	for (i = 0; i < n; i++) {
		p.gain = 1 + random_below(&seed, 1024);
		onramp_vars_init(&v, before = random_below(&seed, ONRAMP_BETA_ONE + 1));
		hold = 1 + (random_scale(&seed) >> 1);
		total = random_scale(&seed);
		measured = onramp_measure(total >> random_below(&seed, 2), hold);
		outside += measured > ONRAMP_BETA_ONE;
		onramp_average(&p, &v, measured, random_below(&seed, ONRAMP_BETA_ONE + 1));
		outside += v.beta_q16 > ONRAMP_BETA_ONE;
		away += measured >= before ? v.beta_q16 < before || v.beta_q16 > measured :
					     v.beta_q16 > before || v.beta_q16 < measured;
	}
	tap_ok(!outside, "onramp_average__beta_stays_between_0_and_1");
	tap_ok(!away, "onramp_average__beta_goes_towards_what_was_measured");

	for (p.gain = 1, away = 0; p.gain <= 1024; p.gain++) {
		onramp_vars_init(&v, ONRAMP_BETA_ONE);
		for (i = 0; i < 20 * p.gain; i++)
			onramp_average(&p, &v, 0, ONRAMP_BETA_ONE);
		away += v.beta_q16 > p.gain / 2;
		for (i = 0; i < 20 * p.gain; i++)
			onramp_average(&p, &v, ONRAMP_BETA_ONE, ONRAMP_BETA_ONE);
		away += v.beta_q16 < ONRAMP_BETA_ONE - p.gain / 2;
	}
	tap_ok(!away, "onramp_average__stops_within_half_the_gain");
}

/* Whatever is reported, the base is none of it but the lowest, and the bound. */
static void base_properties(u64 seed, unsigned long n)
{
	struct onramp_path_params p = { .margin_ns = 10000, .max_error_ns = 100000 };
	struct onramp_path_vars v = {};
	unsigned long above = 0, below = 0, valid = 0, i;
	s64 lowest = S64_MAX, last_base = 0;
	u64 first_error = 0, most_error = 0;

	for (i = 0; i < n; i++) {
		const struct onramp_report r = {
			.now_ns = 1000000 + i * 100000,
			.tx_ns = i * 100000,
			.owd_ns = 20000 + (random_scale(&seed) & 0xfffff),
			.error_ns = most_error + random_below(&seed, 200) % 100 / 99,
			.epoch = 1,
			.clock_ok = true,
		};
		bool had_base = v.has_base;

		if (onramp_path_judge(&p, &v, &r) != ONRAMP_VALID) {
			lowest = S64_MAX;
			continue;
		}
		valid++;
		if (lowest == S64_MAX)
			first_error = r.error_ns;
		lowest = r.owd_ns < lowest ? r.owd_ns : lowest;
		above += v.base_ns > lowest + (s64)(r.error_ns - first_error);
		below += had_base && v.base_ns > last_base + (s64)(r.error_ns - most_error);
		most_error = r.error_ns;
		last_base = v.base_ns;
	}
	tap_ok(valid > n / 2 && !above, "onramp_path__base_is_not_above_lowest_delay_and_growth_of_bound");
	tap_ok(valid > n / 2 && !below, "onramp_path__base_rises_with_the_bound_only");
	tap_remark("%lu of %lu valid", valid, n);
}

#define STEP_AT		O_MS(3000)
#define NEVER		S64_MAX

/**
 * struct stepped - what happened when the clock was stepped
 * @suspect_ns: how long after the step; NEVER if it did not become so
 * @cleared_ns: how long after that; NEVER if not
 * @held_while_suspect: reports that were valid then
 * @base_ns: at the end
 */
struct stepped {
	s64 suspect_ns;
	s64 cleared_ns;
	u32 held_while_suspect;
	s64 base_ns;
};

/*
 * Every 100 us a delay of 20 to 22 us; after 3 s the clock is stepped, and
 * stepped back after 6 s if @back.  What is valid and above T holds.
 */
static struct stepped step(u64 threshold, s64 by, bool back, u64 seed)
{
	const struct onramp_path_params p = {
		.threshold_ns = threshold, .margin_ns = O_US(10), .max_error_ns = O_US(100),
	};
	struct onramp_path_vars v = {};
	struct stepped s = { .suspect_ns = NEVER, .cleared_ns = NEVER };
	u64 now;

	for (now = O_MS(1); now < 3 * STEP_AT; now += O_US(100)) {
		bool stepped = now >= STEP_AT && !(back && now >= 2 * STEP_AT);
		const struct onramp_report r = {
			.now_ns = now,
			.tx_ns = now - O_MS(1),
			.owd_ns = O_US(20) + random_below(&seed, O_US(2)) + (stepped ? by : 0),
			.error_ns = O_US(1),
			.epoch = 1,
			.clock_ok = true,
		};
		bool was_suspect = v.suspect;
		enum onramp_validity validity = onramp_path_judge(&p, &v, &r);
		u64 t = onramp_path_threshold(&p, &v, r.error_ns);

		if (validity == ONRAMP_VALID && r.owd_ns > (s64)t)
			onramp_path_hold(&v, now, now + (r.owd_ns - t));
		if (v.suspect && s.suspect_ns == NEVER)
			s.suspect_ns = now - STEP_AT;
		if (was_suspect && !v.suspect && s.cleared_ns == NEVER)
			s.cleared_ns = now - STEP_AT - s.suspect_ns;
		s.held_while_suspect += v.suspect && validity == ONRAMP_VALID;
	}
	s.base_ns = v.base_ns;
	return s;
}

static void step_remark(const struct stepped *s)
{
	tap_remark("suspect after %" PRId64 " ns, cleared after %" PRId64 " ns, base %" PRId64,
		   (int64_t)s->suspect_ns, (int64_t)s->cleared_ns, (int64_t)s->base_ns);
}

static void steps(u64 seed)
{
	static const s64 by[] = { -O_US(15), O_US(100), O_US(300), O_US(900) };
	static const u64 thresholds[] = { 0, O_US(32) };
	struct stepped s;
	u32 i, j;

	for (i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		for (j = 0; j < 2; j++) {
			bool in_t = thresholds[j] && O_US(22) + by[i] <= (s64)thresholds[j];

			s = step(thresholds[j], by[i], false, seed);
			if (!tap_ok(s.suspect_ns < O_MS(200) && !s.held_while_suspect,
				    "onramp_path__stepped_by_%d_us_T_%s_is_suspect_within_200_ms",
				    (int)(by[i] / 1000), thresholds[j] ? "given" : "auto"))
				step_remark(&s);
			if (!thresholds[j])
				tap_ok(s.cleared_ns >= O_MS(50) && s.cleared_ns < O_MS(51) &&
				       s.base_ns >= O_US(20) + by[i] && s.base_ns < O_US(21) + by[i],
				       "onramp_path__stepped_by_%d_us_has_a_new_base_in_50_ms",
				       (int)(by[i] / 1000));
			else if (in_t)
				tap_ok(s.cleared_ns <= O_US(100),
				       "onramp_path__stepped_by_%d_us_but_not_above_T_is_cleared_at_once",
				       (int)(by[i] / 1000));
			else
				tap_ok(s.cleared_ns == NEVER,
				       "onramp_path__stepped_by_%d_us_above_T_is_never_held",
				       (int)(by[i] / 1000));
		}
	}
	s = step(O_US(32), O_US(300), true, seed);
	if (!tap_ok(s.suspect_ns < O_MS(200) && s.suspect_ns + s.cleared_ns >= STEP_AT &&
		    s.suspect_ns + s.cleared_ns <= STEP_AT + O_US(200),
		    "onramp_path__T_given_is_cleared_when_the_clock_is_stepped_back"))
		step_remark(&s);
}

/* Two CPUs: what the one read the clock for first comes after the other's. */
static void disorder(void)
{
	const struct onramp_path_params p = {
		.threshold_ns = 1, .margin_ns = O_US(10), .max_error_ns = O_US(100),
	};
	struct onramp_report r = {
		.now_ns = O_MS(1000), .tx_ns = O_MS(999), .owd_ns = O_US(30),
		.error_ns = O_US(1), .epoch = 1, .clock_ok = true,
	};
	struct onramp_path_vars v = {};
	struct onramp_hold hold = {};
	enum onramp_validity validity;

	onramp_hold_set(&hold, 100, 200);
	onramp_hold_set(&hold, 90, 190);
	tap_ok(onramp_hold_total(&hold, 190) == 90,
	       "onramp_hold__time_that_runs_back_counts_once");

	onramp_path_judge(&p, &v, &r);
	r.now_ns -= O_US(10);
	r.owd_ns = O_US(20);
	validity = onramp_path_judge(&p, &v, &r);
	tap_ok(validity == ONRAMP_VALID,
	       "onramp_path__time_that_runs_back_settles_no_base");
	tap_ok(v.window_ns == O_MS(1000) && v.now_ns == O_MS(1000),
	       "onramp_path__time_that_runs_back_ends_no_window");
	r.epoch = 2;
	onramp_path_judge(&p, &v, &r);
	tap_ok(v.window_ns == O_MS(1000),
	       "onramp_path__time_does_not_run_back_with_an_epoch");
}

/* A report that comes while another CPU asks: it is not old, however much later it is. */
static void disorder_fresh(void)
{
	const s64 later[] = { -O_MS(1000), -1, 0, 1, 1000, 1001 };
	const u64 at = O_MS(2000);
	struct onramp_path_vars v = { .owd_at_ns = at };
	char is[] = "......", at_once[] = "......";
	u32 i;

	for (i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		is[i] = onramp_path_is_fresh(&v, at + later[i], 1000) ? 'y' : 'n';
		at_once[i] = onramp_path_is_fresh(&v, at + later[i], 0) ? 'y' : 'n';
	}
	if (!tap_ok(!strcmp(is, "yyyyyn") && !strcmp(at_once, "yyynnn"), "onramp_path__what_is_not_past_is_fresh"))
		tap_remark("%s, without any age %s", is, at_once);
	v.suspect = true;
	tap_ok(!onramp_path_is_fresh(&v, at - 1, 1000), "onramp_path__unless_the_path_is_suspect");
}

/* A packet leaves, held since a moment, by another CPU's time a little after that of its report. */
static void disorder_judge(void)
{
	static const struct {
		u32 beta_q16;
		u64 now_ns;
		u64 hold_ns;
	} cases[] = {
		{ ONRAMP_BETA_ONE, 140, 200 }, { ONRAMP_BETA_ONE, 149, 200 }, { ONRAMP_BETA_ONE, 150, 200 },
		{ ONRAMP_BETA_ONE, 151, 199 }, { ONRAMP_BETA_ONE / 2, 140, 200 }, { ONRAMP_BETA_ONE / 2, 149, 200 },
		{ ONRAMP_BETA_ONE / 2, 150, 200 }, { ONRAMP_BETA_ONE / 2, 152, 199 },
	};
	const struct onramp_params p = { .law = ONRAMP_FINAL, .gain = 16, .max_hold_ns = 1000 };
	struct onramp_sample x = { .owd_ns = 300, .tx_ns = 150, .threshold_ns = 100 };
	struct onramp_hold hold = {};
	struct onramp_vars v;
	u64 hold_ns;
	u32 i;

	onramp_hold_set(&hold, 100, 1000);
	x.total_ns = onramp_hold_total(&hold, x.tx_ns);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		onramp_vars_init(&v, cases[i].beta_q16);
		x.total_now_ns = onramp_hold_total(&hold, cases[i].now_ns);
		hold_ns = onramp_judge(&p, &v, &x).hold_ns;
		if (!tap_ok(hold_ns == cases[i].hold_ns, "onramp_judge__reported_%d_ns_after_it_left_with_beta_%u",
			    (int)(cases[i].now_ns - x.tx_ns), cases[i].beta_q16))
			tap_remark("holds for %" PRIu64 ", should for %" PRIu64, hold_ns, cases[i].hold_ns);
	}
}

/* A hold is cut short around the time at which a window began, by another CPU's time. */
static void disorder_held(void)
{
	static const s64 cut[] = { -O_US(10), -1, 0, 1 };
	const struct onramp_path_params p = { .margin_ns = O_US(10), .max_error_ns = O_US(100) };
	u32 i;

	for (i = 0; i < sizeof(cut) / sizeof(cut[0]); i++) {
		struct onramp_report r = { .owd_ns = O_US(20), .error_ns = O_US(1), .epoch = 1, .clock_ok = true };
		struct onramp_path_vars v = {};

		for (r.now_ns = O_MS(1000); r.now_ns <= O_MS(1100); r.now_ns += O_MS(50)) {
			r.tx_ns = r.now_ns - O_US(900);
			onramp_path_judge(&p, &v, &r);
			if (r.now_ns == O_MS(1000))
				onramp_path_hold(&v, r.now_ns, O_MS(1060));
			else
				onramp_path_hold(&v, O_MS(1050) + cut[i], O_MS(1050) + cut[i]);
			r.owd_ns = O_US(60);
		}
		if (!tap_ok(v.stepped == (cut[i] > 0) && !v.alike,
			    "onramp_path__held_until_%d_ns_after_a_window_began", (int)cut[i]))
			tap_remark("%u windows tell of a clock, %u of a route", v.stepped, v.alike);
	}
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 200000, "samples");
	u32 i;

	for (i = 0; i < ONRAMP_NR_CASES; i++)
		flow_case(&onramp_cases[i]);
	for (i = 0; i < ONRAMP_NR_PATH_CASES; i++)
		path_case(&onramp_path_cases[i]);
	for (i = 0; i < ONRAMP_NR_CASES; i++)
		flow_case_oracle(&onramp_cases[i]);
	for (i = 0; i < ONRAMP_NR_PATH_CASES; i++)
		path_case_oracle(&onramp_path_cases[i]);
	hold_properties(o.seed, o.n);
	beta_properties(o.seed, o.n);
	base_properties(o.seed, o.n);
	steps(o.seed);
	disorder();
	disorder_fresh();
	disorder_judge();
	disorder_held();
	return tap_done();
}
