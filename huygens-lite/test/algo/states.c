// SPDX-License-Identifier: GPL-2.0
/*
 * The states of a host, and its servo and fallback.  -s SEED repeats, -n is the number of rounds.
 */
#include <stdlib.h>

#include "fallback.h"
#include "options.h"
#include "servo.h"
#include "state.h"
#include "world.h"

#define S	1000000000LL
#define WINDOW	(2 * S)

struct machine {
	struct state state;
	struct state_params p;
	int64_t now;
};

static struct machine machine(void)
{
	struct machine m = { .p = state_defaults(WINDOW), .now = 7 * S };

	state_begin(&m.state, m.now);
	return m;
}

static struct state_verdict update(struct machine *m, int64_t change, double bound, double std_ppb)
{
	struct state_update u = {
		.now_ns = m->now += WINDOW, .reached = true, .change_ns = change, .bound_ns = bound, .std_ppb = std_ppb, .known_ppb = 10,
	};

	return state_update(&m->state, &m->p, &u);
}

/* Is a drift left alone that is known to @known_ppb? */
static bool keeps(struct machine *m, double std_ppb, double known_ppb)
{
	struct state_update u = { .now_ns = m->now += WINDOW, .reached = true, .std_ppb = std_ppb, .known_ppb = known_ppb };

	return state_update(&m->state, &m->p, &u).keep_drift;
}

/* A window that knows no better than @window_ns. */
static struct state_verdict poor(struct machine *m, int64_t change, double window_ns)
{
	struct state_update u = {
		.now_ns = m->now += WINDOW, .reached = true, .change_ns = change, .bound_ns = 500, .window_ns = window_ns, .std_ppb = 10,
	};

	return state_update(&m->state, &m->p, &u);
}

static struct state_verdict unreached(struct machine *m)
{
	struct state_update u = { .now_ns = m->now += WINDOW };

	return state_update(&m->state, &m->p, &u);
}

static struct machine locked(void)
{
	struct machine m = machine();

	while (m.state.phase != STATE_LOCKED)
		update(&m, 0, 100, 10);
	return m;
}

static void state_locks(void)
{
	struct machine m = machine();
	struct state_verdict v;

	tap_ok(m.state.phase == STATE_INIT, "state__begins_in_init");
	v = update(&m, 10, 0, 10);
	tap_ok(v.action == STATE_STEP && m.state.phase == STATE_ACQUIRE && v.changed, "state__the_first_window_steps");
	v = update(&m, 999999, 0, 10);
	tap_ok(v.action == STATE_SLEW, "state__below_1_ms_no_step");
	v = update(&m, -1000000, 0, 10);
	tap_ok(v.action == STATE_STEP && m.state.phase == STATE_LOCKED, "state__1_ms_steps_in_the_first_3_updates");
	v = update(&m, 1000000, 0, 10);
	tap_ok(v.action == STATE_SLEW && !v.changed && !v.keep_drift, "state__later_never");
	v = update(&m, 1, 0, 1000.5);
	tap_ok(v.keep_drift && v.action == STATE_SLEW, "state__an_unreliable_drift_is_not_taken");
	tap_ok(update(&m, 1, 0, NAN).keep_drift, "state__nor_one_that_is_no_number");
	tap_ok(!keeps(&m, 5000, 0) && !keeps(&m, 5000, 5001) && keeps(&m, 5000, 5000), "state__unless_what_is_known_is_worse");
}

static void state_absurd(void)
{
	struct machine m = locked();
	struct state_verdict v;
	int k;

	tap_ok(update(&m, 10000000, 0, 10).action == STATE_SLEW, "state__max_change_is_allowed");
	for (k = 0; k < 3; k++)
		v = update(&m, k % 2 ? 10000001 : -10000001, 0, 10);
	tap_ok(v.action == STATE_IGNORE && m.state.phase == STATE_LOCKED && v.suspicion_ns == 10000001,
	       "state__three_absurd_windows_are_ignored_and_doubted");
	v = update(&m, 5, 0, 10);
	tap_ok(v.action == STATE_SLEW && !m.state.absurd && m.state.phase == STATE_LOCKED, "state__a_good_one_ends_it");
	for (k = 0; k < 4; k++)
		v = update(&m, INT64_MIN, 0, 10);
	tap_ok(v.changed && m.state.phase == STATE_HOLDOVER && m.state.alarm == STATE_ABSURD,
	       "state__the_fourth_is_holdover_and_an_alarm");
	state_tick(&m.state, &m.p, m.now, 1e6 + 1);
	tap_ok(m.state.phase == STATE_UNSYNC && m.state.alarm == STATE_LOST, "state__a_bound_above_the_limit_is_unsync");
	v = update(&m, INT64_MAX, 1e6 + 1, 10);
	tap_ok(v.start_over && v.action == STATE_STEP && m.state.phase == STATE_ACQUIRE, "state__and_the_next_begins_anew");
	for (k = 0; k < 2; k++)
		v = update(&m, 0, 0, 10);
	tap_ok(m.state.phase == STATE_LOCKED && !v.start_over, "state__and_locks");
	for (k = 0; k < 7; k++)
		update(&m, 50000000, 0, 10);
	tap_ok(m.state.phase == STATE_HOLDOVER && m.state.alarm == STATE_ABSURD, "state__seven_absurd_windows_are_still_holdover");
	v = update(&m, 50000000, 0, 10);
	tap_ok(v.changed && v.action == STATE_IGNORE && m.state.phase == STATE_UNSYNC && m.state.alarm == STATE_LOST,
	       "state__the_eighth_is_unsync_however_small_the_bound");
	v = update(&m, 50000000, 0, 10);
	tap_ok(v.start_over && v.action == STATE_STEP && m.state.phase == STATE_ACQUIRE && !m.state.absurd, "state__and_the_ninth_begins_anew");
	m = machine();
	update(&m, 0, 0, 10);
	tap_ok(update(&m, 50000000, 0, 10).action == STATE_STEP, "state__nothing_is_absurd_at_first");
}

/* No first update steps, but one that is lost begins anew all the same. */
static void state_never_steps(void)
{
	struct machine m = machine();
	struct state_verdict v;

	m.p.step_updates = 0;
	tap_ok(update(&m, INT64_MAX, 0, 10).action == STATE_STEP && m.state.phase == STATE_ACQUIRE, "state__without_steps_the_first_window_is_taken");
	tap_ok(update(&m, 5000000, 0, 10).action == STATE_SLEW, "state__without_steps_the_second_slews");
	tap_ok(update(&m, 50000000, 0, 10).action == STATE_IGNORE, "state__without_steps_the_third_may_be_absurd");
	update(&m, 0, 0, 10);
	state_tick(&m.state, &m.p, m.now + m.p.silence_ns + 1, 0);
	state_tick(&m.state, &m.p, m.now, 1e6 + 1);
	v = update(&m, 50000000, 0, 10);
	tap_ok(v.start_over && v.action == STATE_STEP && m.state.phase == STATE_ACQUIRE, "state__without_steps_who_was_lost_begins_anew");
	update(&m, 0, 0, 10);
	update(&m, 0, 0, 10);
	tap_ok(m.state.phase == STATE_LOCKED && m.state.alarm == STATE_NO_ALARM, "state__and_locks_without_steps");
}

static void bounded(struct machine *m, int64_t change, double bound, double window_ns)
{
	struct state_update u = {
		.now_ns = m->now += WINDOW, .reached = true, .change_ns = change, .bound_ns = bound, .window_ns = window_ns, .std_ppb = 10,
	};

	state_update(&m->state, &m->p, &u);
}

/* A poor window, while the bound is what it is. */
static void worse(struct machine *m, double bound)
{
	bounded(m, 0, bound, 8e6);
	state_tick(&m->state, &m->p, m->now, bound);
}

static void state_poor(void)
{
	struct machine m = machine();
	struct state_verdict v;
	int k;

	tap_ok(poor(&m, 0, 8e6).action == STATE_STEP && m.state.phase == STATE_ACQUIRE, "state__where_nothing_is_known_a_poor_window_steps");
	for (k = 0; k < 20; k++)
		v = poor(&m, 5000000, 1000001);
	tap_ok(v.action == STATE_SLEW && m.state.phase == STATE_ACQUIRE && !m.state.updates, "state__poor_windows_neither_step_nor_count");
	tap_ok(poor(&m, 10, 1000000).action == STATE_SLEW && m.state.updates == 1, "state__one_at_the_limit_counts");
	tap_ok(poor(&m, 1000000, 1000000).action == STATE_STEP && m.state.updates == 2, "state__and_steps_if_it_is_among_the_first");
	m = locked();
	v = poor(&m, 12000000, 11999999);
	tap_ok(v.action == STATE_IGNORE && v.suspicion_ns == 12000000, "state__beyond_its_own_bound_a_poor_window_is_absurd");
	v = poor(&m, -12000000, 12000000);
	tap_ok(v.action == STATE_SLEW && m.state.phase == STATE_LOCKED, "state__within_it_is_not");
	v = poor(&m, 10000000, NAN);
	tap_ok(v.action == STATE_SLEW && m.state.in_a_row == 3, "state__a_bound_that_is_no_number_is_poor");
	state_tick(&m.state, &m.p, m.now + 6 * S, 500);
	tap_ok(m.state.phase == STATE_LOCKED, "state__a_poor_window_is_heard");
	for (k = 0; k < 4; k++) {
		update(&m, 20000000, 500, 10);
		poor(&m, 20000000, 60000000);
	}
	tap_ok(m.state.phase == STATE_HOLDOVER && m.state.alarm == STATE_ABSURD, "state__it_makes_nothing_less_absurd");
	poor(&m, 0, 8e6);
	tap_ok(m.state.phase == STATE_HOLDOVER && m.state.alarm == STATE_ABSURD, "state__and_ends_no_trouble");
	m = locked();
	for (k = 0; k < 4; k++)
		worse(&m, 1e6 + 1);
	state_tick(&m.state, &m.p, m.now, 1e6 + 1);
	tap_ok(m.state.phase == STATE_UNSYNC, "state__poor_windows_keep_nobody_who_is_beyond_the_limit");
	m = locked();
	state_tick(&m.state, &m.p, m.now + 7 * S, 500);
	m.now += 7 * S;
	bounded(&m, 900000, 1000, 899000);
	tap_ok(m.state.phase == STATE_LOCKED, "state__back_within_both_bounds_is_locked");
}

static void state_silence(void)
{
	struct machine m = locked();
	struct state_verdict v;

	v = state_tick(&m.state, &m.p, m.now + 6 * S, 500);
	tap_ok(!v.changed && m.state.phase == STATE_LOCKED, "state__three_windows_of_silence_are_allowed");
	v = state_tick(&m.state, &m.p, m.now + 6 * S + 1, 500);
	tap_ok(v.changed && m.state.phase == STATE_HOLDOVER && m.state.alarm == STATE_SILENT, "state__more_is_holdover");
	v = state_tick(&m.state, &m.p, m.now + 7 * S, 1e6);
	tap_ok(!v.changed && m.state.phase == STATE_HOLDOVER, "state__up_to_the_limit");
	m.now += 9 * S;
	v = update(&m, 900, 1000, 10);
	tap_ok(m.state.phase == STATE_LOCKED && m.state.alarm == STATE_NO_ALARM, "state__back_within_the_bound_is_locked");
	state_tick(&m.state, &m.p, m.now + 7 * S, 500);
	m.now += 9 * S;
	v = update(&m, 1100, 1000, 10);
	tap_ok(m.state.phase == STATE_ACQUIRE && v.action == STATE_SLEW, "state__beyond_the_bound_is_acquired_anew");
	m = machine();
	v = state_tick(&m.state, &m.p, m.now + 100 * S, 1e9);
	tap_ok(!v.changed && m.state.phase == STATE_INIT, "state__init_waits_for_ever");
	m = locked();
	state_tick(&m.state, &m.p, m.now, 1e9);
	tap_ok(m.state.phase == STATE_LOCKED, "state__a_wide_bound_alone_is_no_loss");
	state_tick(&m.state, &m.p, m.now + 7 * S, NAN);
	tap_ok(m.state.phase == STATE_UNSYNC, "state__a_bound_that_is_no_number_is_lost");
}

static void state_cut(void)
{
	struct machine m = locked();
	struct state_verdict v = unreached(&m);

	tap_ok(v.action == STATE_IGNORE && m.state.phase == STATE_HOLDOVER && m.state.alarm == STATE_CUT && !v.suspicion_ns,
	       "state__cut_off_is_holdover");
	v = unreached(&m);
	tap_ok(!v.changed, "state__still_cut_off_is_no_news");
	m = machine();
	unreached(&m);
	tap_ok(m.state.phase == STATE_INIT && m.state.alarm == STATE_CUT, "state__cut_off_from_the_beginning");
	m = locked();
	state_tick(&m.state, &m.p, m.now + 7 * S, 2e6);
	state_tick(&m.state, &m.p, m.now + 7 * S, 2e6);
	unreached(&m);
	tap_ok(m.state.phase == STATE_UNSYNC && m.state.alarm == STATE_LOST, "state__lost_stays_lost");
}

/* Any events in any order: phases follow each other as they may. */
static void random_states(struct options o)
{
	static const bool may[5][5] = {
		[STATE_INIT] = { 1, 1, 0, 0, 0 },	[STATE_ACQUIRE] = { 0, 1, 1, 1, 1 },
		[STATE_LOCKED] = { 0, 0, 1, 1, 1 },	[STATE_HOLDOVER] = { 0, 1, 1, 1, 1 },
		[STATE_UNSYNC] = { 0, 1, 0, 0, 1 },
	};
	bool host_clock = true, steps = true;
	unsigned long n;
	uint64_t first, second;
	struct machine m = machine();

	for (n = 0; n < 1000 * o.n; n++) {
		uint32_t was = m.state.phase, updates = m.state.updates;
		struct state_verdict v = { 0 };

		switch (random_below(&o.seed, 6)) {
		case 0:
			v = unreached(&m);
			break;
		case 1:
			first = random_below(&o.seed, 10 * S);
			v = state_tick(&m.state, &m.p, m.now + first, random_scale(&o.seed) >> 30);
			break;
		case 2:
			first = random_scale(&o.seed);
			second = random_scale(&o.seed) >> 20;
			v = update(&m, first, second, random_below(&o.seed, 2000));
			break;
		default:
			v = update(&m, random_below(&o.seed, 1000), 100, 10);
			break;
		}
		host_clock &= may[was][m.state.phase] && v.changed >= (was != m.state.phase);
		steps &= v.action != STATE_STEP || v.start_over || updates < 3;
		steps &= !v.start_over || was == STATE_UNSYNC;
	}
	tap_ok(host_clock, "state__phases_follow_as_they_may");
	tap_ok(steps, "state__no_step_but_the_first");
}

static void names(void)
{
	tap_ok(state_phase_name(STATE_HOLDOVER)[0] == 'h' && state_phase_name(99)[0] == 'u' &&
	       state_alarm_name(STATE_CUT)[0] == 'c' && state_alarm_name(99)[1] == 'n', "state__has_names");
}

/* Servo */

/* A clock steered for @windows; returns what is missing then. */
static double steered(double missing, double drift, double max_slew, uint32_t windows, uint32_t *steps, double *most)
{
	struct servo_params p = servo_defaults(WINDOW);
	struct servo s = { .updates = 3 };
	int64_t now = 5 * S;
	uint32_t n;

	*steps = 0;
	*most = 0;
	p.max_slew_ppb = max_slew;
	for (n = 0; n < windows; n++) {
		struct servo_command c = servo_update(&s, &p, now, llround(missing), drift);
		double until = fmin(c.until_ns - now, WINDOW) / 1e9;

		*steps += c.step;
		*most = fmax(*most, fabs(c.slew_ppb));
		/* The clock runs at the frequency that is set; the reference by @drift faster than the undisciplined one. */
		missing -= (c.frequency_ppb - drift) * until + (c.after_ppb - drift) * (2 - until);
		now += WINDOW;
	}
	return missing;
}

static void servos(struct options o)
{
	bool converged = true, slewed = true, limited = true;
	struct servo_params p = servo_defaults(WINDOW);
	struct servo s = { 0 };
	struct servo_command c;
	unsigned long n;
	uint32_t steps;
	double most;

	for (n = 0; n < o.n; n++) {
		double missing = (world_uniform(&o.seed) - 0.5) * 2e6;
		double drift = (world_uniform(&o.seed) - 0.5) * 2e5;

		converged &= fabs(steered(missing, drift, 500000, 3, &steps, &most)) < 3;
		slewed &= !steps;
		steered(missing * 1000, drift, 1000 + n, 10, &steps, &most);
		limited &= most <= 1000 + n + 1e-6;
	}
	tap_ok(converged, "servo__what_is_missing_is_gone_in_3_windows");
	tap_ok(slewed, "servo__without_a_step");
	tap_ok(limited, "servo__never_above_max_slew");
	tap_ok(fabs(steered(10e6, 0, 500000, 3, &steps, &most) - (10e6 - 3e6)) < 10 &&
	       fabs(steered(10e6, 0, 500000, 12, &steps, &most)) < 3, "servo__a_long_way_takes_longer");
	c = servo_update(&s, &p, S, -1000000, 5000);
	tap_ok(c.step && c.step_ns == -1000000 && c.frequency_ppb == 5000 && c.until_ns == INT64_MAX, "servo__steps_at_first");
	c = servo_update(&s, &p, 3 * S, 999999, 5000);
	tap_ok(!c.step && c.slew_ppb > 0 && c.after_ppb == 5000, "servo__below_1_ms_it_slews");
	c = servo_update(&s, &p, 5 * S, INT64_MAX, 5000);
	tap_ok(c.step, "servo__the_third_update_may_step");
	c = servo_update(&s, &p, 7 * S, 1000000000, 5000);
	tap_ok(!c.step, "servo__the_fourth_may_not");
	tap_ok(c.frequency_ppb <= SERVO_FREQUENCY_MOST_PPB && c.slew_ppb == SERVO_FREQUENCY_MOST_PPB - 5000,
	       "servo__drift_and_slew_together_within_500_ppm");
	c = servo_update(&s, &p, 9 * S, INT64_MIN, -800000);
	tap_ok(c.frequency_ppb == -SERVO_FREQUENCY_MOST_PPB && c.after_ppb == -SERVO_FREQUENCY_MOST_PPB &&
	       c.until_ns == INT64_MAX, "servo__a_drift_beyond_that_leaves_no_slew");
	p.step_ns = 0;
	s.updates = 0;
	tap_ok(!servo_update(&s, &p, 11 * S, 5000000, 0).step, "servo__step_0_is_never");
	c = servo_update(&s, &p, 13 * S, 0, 77);
	tap_ok(c.frequency_ppb == 77 && !c.slew_ppb && c.until_ns == INT64_MAX, "servo__nothing_missing_nothing_done");
}

static void fallbacks(void)
{
	tap_ok(!fallback_due(100, 50) && fallback_due(100, 49), "fallback__more_than_half");
	tap_ok(!fallback_due(19, 0) && fallback_due(20, 9), "fallback__few_say_nothing");
	tap_ok(fallback_due(21, 10) && !fallback_due(21, 11), "fallback__odd_numbers");
	tap_ok(fallback_due(UINT32_MAX, 0) && !fallback_due(20, UINT32_MAX), "fallback__extremes");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100, "rounds");

	state_locks();
	state_poor();
	state_absurd();
	state_never_steps();
	state_silence();
	state_cut();
	random_states(o);
	names();
	servos(o);
	fallbacks();
	return tap_done();
}
