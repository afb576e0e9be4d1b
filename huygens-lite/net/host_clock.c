// SPDX-License-Identifier: GPL-2.0
/*
 * This host's correction: solutions in, the common time out.
 */
#include <math.h>
#include <string.h>

#include "host_clock.h"

/* Changes older than some windows do not count. */
#define HOST_CLOCK_CHANGES	16
/* An asymmetry that has fallen is forgotten as slowly as the filter forgets. */
#define HOST_CLOCK_ASYMMETRY	16
/* A rate that changed between two windows changed by more than both windows' mean shows. */
#define HOST_CLOCK_TURNED	2.0

void host_clock_rules(struct host_clock *host_clock, const struct huygens_conf *conf)
{
	struct state_params *p = &host_clock->params;

	*p = state_defaults(conf->window_ns);
	p->step_ns = conf->step_ns;
	p->step_updates = conf->step_updates;
	p->max_change_ns = conf->max_change_ns;
	p->max_change_ignore = conf->max_change_ignore;
	p->drift_std_ppb = (double)conf->max_skew_ppb;
	p->limit_ns = conf->max_error_ns;
	host_clock->window_ns = conf->window_ns;
	host_clock->most_ppb = (double)conf->error_growth_ppb;
	host_clock->least_ppb = fmin((double)conf->learned_growth_ppb,
				     host_clock->most_ppb);
	host_clock->slew_ppb = conf->reference == CONF_REFERENCE_MEAN ? 0 :
			       (double)conf->utc_slew_ppb;
}

void host_clock_begin(struct host_clock *host_clock, const struct huygens_conf *conf,
		      int64_t now_ns)
{
	memset(host_clock, 0, sizeof(*host_clock));
	host_clock_rules(host_clock, conf);
	state_begin(&host_clock->state, now_ns);
}

void host_clock_drift(struct host_clock *host_clock, double drift_ppb, double skew_ppb)
{
	kalman_drift(&host_clock->kalman, drift_ppb,
		     fmax(skew_ppb, KALMAN_DRIFT_FILE_PPB));
}

void host_clock_shift(struct host_clock *host_clock, int64_t now_ns)
{
	kalman_forget(&host_clock->kalman);
	state_begin(&host_clock->state, now_ns);
	host_clock->slew.known = false;
	host_clock->timeline = 0;
	host_clock->leap = (struct leap){ 0 };
	host_clock->asymmetry_ns = 0;
	host_clock->turned_ppb = 0;
	host_clock->has_utc = false;
	host_clock->upper = 0;
}

void host_clock_forget(struct host_clock *host_clock, int64_t now_ns)
{
	host_clock_shift(host_clock, now_ns);
	host_clock->kalman = (struct kalman){ 0 };
}

static void host_clock_note(struct host_clock *host_clock, int64_t change_ns)
{
	double square = (double)change_ns * (double)change_ns;

	host_clock->change_ns = change_ns;
	if (host_clock->changes < HOST_CLOCK_CHANGES)
		host_clock->changes++;
	host_clock->change_square += (square - host_clock->change_square) /
				     host_clock->changes;
}

/* The correction is a mean of windows, so the limit of none of them is forgotten at once. */
static void host_clock_asymmetry(struct host_clock *host_clock, double asymmetry_ns)
{
	double was = host_clock->asymmetry_ns;

	host_clock->asymmetry_ns =
		fmax(asymmetry_ns, was + (asymmetry_ns - was) / HOST_CLOCK_ASYMMETRY);
}

/* At first, and after trouble, a drift is not known, whatever the filter says. */
static struct error_growth host_clock_growth(const struct host_clock *host_clock)
{
	bool learned = host_clock->state.in_a_row >= host_clock->params.acquire;
	double std_ppb = learned ? kalman_drift_std_ppb(&host_clock->kalman) : NAN;
	double turned_ppb = host_clock->turned_ppb;

	return error_growth_of(std_ppb, fmax(host_clock->least_ppb, turned_ppb),
			       fmax(host_clock->most_ppb, turned_ppb));
}

/* The bound of a line by what holds now, unless the slewed correction is left. */
static double host_clock_known_ns(const struct host_clock *host_clock, int64_t now_ns,
				  const struct line *line)
{
	struct slew_value now = slew_at(&host_clock->slew, now_ns);

	return now.bound_ns + fabs((double)(line_at(line, now_ns) - now.x_ns));
}

/*
 * The line that the filter leads to in the middle of the time until the next window, and what
 * can be wrong with it.
 */
static struct slew_target host_clock_aim(const struct host_clock *host_clock, int64_t now_ns,
					 const struct wire_row *row, bool jumps)
{
	struct line line = kalman_tangent(&host_clock->kalman,
					  now_ns + host_clock->window_ns / 2,
					  &KALMAN_HOST_CLOCK);
	double known_ns = jumps || !host_clock->slew.known ? INFINITY :
			  host_clock_known_ns(host_clock, now_ns, &line);

	return (struct slew_target){
		.line = line,
		.bound_ns = 1 + kalman_bound_ns(&host_clock->kalman, row->std_ns,
						row->bias_ns, known_ns),
		.growth = host_clock_growth(host_clock),
		.meet_ns = SLEW_MEET_NS,
		.slew_most_ppb = SLEW_MOST_PPB,
	};
}

/*
 * A host that does not receive the slew of the others does not slew with them,
 * since the last line that it accepted.
 */
static void host_clock_miss(struct host_clock *host_clock, int64_t now_ns)
{
	struct slew *slew = &host_clock->slew;
	struct error_growth growth = slew->growth;
	double silence_s = fmax((double)(now_ns - host_clock->at_ns) / 1e9, 0);

	growth.ppb = error_growth_ppb(&growth, now_ns - slew->bound_at_ns) +
		     host_clock->slew_ppb;
	growth.most_ppb += host_clock->slew_ppb;
	slew_grow(slew, now_ns, &growth);
	slew_suspect(slew, host_clock->slew_ppb * silence_s);
}

/* The bound of a clock that is not to be accepted grows at once as it can. */
static void host_clock_alarm(struct host_clock *host_clock, int64_t now_ns,
			     const struct state_verdict *verdict)
{
	enum state_alarm alarm = host_clock->state.alarm;
	struct error_growth growth = host_clock_growth(host_clock);

	if (!verdict->changed)
		return;
	if (alarm == STATE_ABSURD)
		slew_grow(&host_clock->slew, now_ns, &growth);
	else if (alarm == STATE_SILENT || alarm == STATE_CUT)
		host_clock_miss(host_clock, now_ns);
}

/* The clock leads to where the others were, whether or not this host's row was accepted. */
static void host_clock_widen(struct host_clock *host_clock, const struct wire_solution *s)
{
	kalman_widen(&host_clock->kalman, s->frame_ns, s->frame_ppb);
	slew_widen(&host_clock->slew, KALMAN_SIGMAS * s->frame_ns);
}

/*
 * A window that is further from the line than both their bounds: the clock has another rate
 * since the last one, as that of a virtual machine which is migrated, and the filter would
 * take many windows to learn it.
 */
static void host_clock_turn(struct host_clock *host_clock, int64_t at_ns,
			    const struct state_update *update)
{
	double known_ns = slew_at(&host_clock->slew, at_ns).bound_ns + update->window_ns;
	double off_ns = fabs((double)update->change_ns);
	double age_s = (double)(at_ns - host_clock->at_ns) / 1e9;

	host_clock->turned_ppb = 0;
	if (off_ns <= known_ns || age_s <= 0)
		return;
	host_clock->turned_ppb = HOST_CLOCK_TURNED * off_ns / age_s;
	kalman_widen(&host_clock->kalman, off_ns, host_clock->turned_ppb);
}

/* The rest of a solution of which the correction was taken. */
static void host_clock_accept(struct host_clock *host_clock, const struct wire_solution *solution,
			      const struct wire_row *row)
{
	host_clock->timeline = solution->timeline;
	host_clock->leap = solution->leap;
	host_clock->taken = true;
	host_clock->at_ns = row->at_ns;
	host_clock->offset_ns = row->offset_ns;
	host_clock->std_ppb = row->std_ppb;
	host_clock_asymmetry(host_clock, row->asymmetry_ns);
	if (solution->flags & WIRE_SOLUTION_UTC) {
		host_clock->has_utc = true;
		host_clock->utc_at_ns = row->at_ns;
		host_clock->utc_error_ns = solution->utc_error_ns;
	}
	if (solution->upper) {
		host_clock->upper = solution->upper;
		host_clock->upper_at_ns = row->at_ns;
		host_clock->upper_error_ns = solution->upper_error_ns;
	}
}

bool host_clock_update(struct host_clock *host_clock, int64_t now_ns,
		       const struct wire_solution *solution,
		       const struct wire_row *row)
{
	struct slew_value was = slew_at(&host_clock->slew, row->at_ns);
	struct kalman_measurement measured = {
		.line = { row->at_ns, row->offset_ns, row->drift_ppb },
		.std_ns = row->std_ns,
		.std_ppb = row->std_ppb,
	};
	struct state_update update = {
		.now_ns = now_ns,
		.reached = row->flags & WIRE_ROW_SOLVED,
		.window_ns = kalman_window_ns(row->std_ns, row->bias_ns),
		.std_ppb = row->std_ppb,
		.known_ppb = kalman_drift_std_ppb(&host_clock->kalman),
	};
	struct state_verdict verdict;
	struct slew_target aim;

	/* Another common time, of another rate: what was known is of no use. */
	if (update.reached && host_clock->timeline &&
	    wire_timeline(solution->timeline) != wire_timeline(host_clock->timeline))
		host_clock_forget(host_clock, now_ns);
	if (host_clock->slew.known) {
		update.change_ns = row->offset_ns - was.x_ns;
		update.bound_ns = slew_at(&host_clock->slew, now_ns).bound_ns;
	}
	verdict = state_update(&host_clock->state, &host_clock->params, &update);
	if (verdict.start_over)
		kalman_forget(&host_clock->kalman);
	host_clock_widen(host_clock, solution);
	host_clock->window = solution->window;
	host_clock->taken = false;
	if (verdict.action == STATE_IGNORE) {
		slew_suspect(&host_clock->slew, verdict.suspicion_ns);
		host_clock_alarm(host_clock, now_ns, &verdict);
		return false;
	}
	if (verdict.action == STATE_STEP && !verdict.start_over)
		kalman_forget(&host_clock->kalman);
	/* It is of the line before. */
	if (verdict.action == STATE_STEP)
		host_clock->turned_ppb = 0;
	if (verdict.action == STATE_SLEW)
		host_clock_turn(host_clock, row->at_ns, &update);
	measured.keep_drift = verdict.keep_drift;
	if (!kalman_update(&host_clock->kalman, &measured, &KALMAN_HOST_CLOCK))
		return false;
	aim = host_clock_aim(host_clock, now_ns, row, verdict.action == STATE_STEP);
	if (verdict.action == STATE_STEP) {
		slew_step(&host_clock->slew, &aim);
	} else {
		slew_to(&host_clock->slew, now_ns, &aim);
		host_clock_note(host_clock, update.change_ns);
	}
	host_clock_accept(host_clock, solution, row);
	return true;
}

void host_clock_report(const struct host_clock *host_clock, struct wire_edges *head)
{
	const struct kalman *kalman = &host_clock->kalman;
	struct kalman middle;

	if (!host_clock_is_valid(host_clock) || !kalman->known)
		return;
	middle = kalman_at(kalman, head->middle_ns, &KALMAN_HOST_CLOCK);
	head->flags |= WIRE_EDGES_TRACKED;
	head->correction_ns = line_at(&middle.line, head->middle_ns);
	head->std_ns = kalman_std_ns(&middle);
	head->drift_ppb = middle.line.drift_ppb;
	head->skew_ppb = kalman_drift_std_ppb(&middle);
	head->timeline = host_clock->timeline;
	head->leap = host_clock->leap;
}

double host_clock_utc_growth(const struct host_clock *host_clock)
{
	return host_clock->most_ppb + host_clock->slew_ppb;
}

/* How far the common time may be from another that it was compared with. */
static double host_clock_apart(const struct host_clock *host_clock, double error_ns, int64_t at_ns,
			       int64_t now_ns)
{
	double age_s = fmax((double)(now_ns - at_ns) / 1e9, 0);

	return error_ns + host_clock_utc_growth(host_clock) * age_s;
}

double host_clock_utc_error(const struct host_clock *host_clock, int64_t now_ns)
{
	return host_clock->has_utc ?
		host_clock_apart(host_clock, host_clock->utc_error_ns, host_clock->utc_at_ns,
				 now_ns) : INFINITY;
}

double host_clock_upper_error(const struct host_clock *host_clock, int64_t now_ns)
{
	return host_clock->upper ?
		host_clock_apart(host_clock, host_clock->upper_error_ns, host_clock->upper_at_ns,
				 now_ns) : INFINITY;
}

bool host_clock_tick(struct host_clock *host_clock, int64_t now_ns)
{
	double bound_ns = host_clock->slew.known ?
		slew_at(&host_clock->slew, now_ns).bound_ns : 0;
	struct state_verdict verdict = state_tick(&host_clock->state,
						  &host_clock->params, now_ns,
						  bound_ns);

	host_clock_alarm(host_clock, now_ns, &verdict);
	return verdict.changed;
}

bool host_clock_is_valid(const struct host_clock *host_clock)
{
	return host_clock->slew.known && host_clock->state.phase != STATE_INIT &&
	       host_clock->state.phase != STATE_UNSYNC;
}
