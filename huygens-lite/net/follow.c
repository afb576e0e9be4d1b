// SPDX-License-Identifier: GPL-2.0
/*
 * This host's correction: solutions in, the common time out.
 */
#include <math.h>
#include <string.h>

#include "follow.h"

/* Changes older than some windows do not count. */
#define FOLLOW_CHANGES	16

void follow_rules(struct follow *follow, const struct huygens_conf *conf)
{
	struct state_params *p = &follow->params;

	*p = state_defaults(conf->window_ns);
	p->step_ns = conf->step_ns;
	p->step_updates = conf->step_updates;
	p->max_change_ns = conf->max_change_ns;
	p->max_change_ignore = conf->max_change_ignore;
	p->drift_std_ppb = (double)conf->max_skew_ppb;
	p->limit_ns = conf->max_error_ns;
	follow->most_ppb = (double)conf->error_growth_ppb;
	follow->least_ppb = fmin((double)conf->learned_growth_ppb,
				 follow->most_ppb);
	follow->slew_ppb = conf->reference == CONF_REFERENCE_MEAN ? 0 :
			   (double)conf->utc_slew_ppb;
}

void follow_begin(struct follow *follow, const struct huygens_conf *conf,
		  int64_t now_ns)
{
	memset(follow, 0, sizeof(*follow));
	follow_rules(follow, conf);
	state_begin(&follow->state, now_ns);
}

void follow_drift(struct follow *follow, double drift_ppb, double skew_ppb)
{
	predict_drift(&follow->predict, drift_ppb,
		      fmax(skew_ppb, PREDICT_DRIFT_FILE_PPB));
}

void follow_shift(struct follow *follow, int64_t now_ns)
{
	predict_forget(&follow->predict);
	state_begin(&follow->state, now_ns);
	follow->track.known = false;
	follow->timeline = 0;
}

void follow_forget(struct follow *follow, int64_t now_ns)
{
	follow_shift(follow, now_ns);
	follow->predict = (struct predict){ 0 };
}

static void follow_note(struct follow *follow, int64_t change_ns)
{
	double square = (double)change_ns * (double)change_ns;

	follow->change_ns = change_ns;
	if (follow->changes < FOLLOW_CHANGES)
		follow->changes++;
	follow->change_square += (square - follow->change_square) /
				 follow->changes;
}

/* At first, and after trouble, a drift is not known, whatever the filter says. */
static struct growth follow_growth(const struct follow *follow)
{
	bool learned = follow->state.in_a_row >= follow->params.acquire;
	double std_ppb = learned ? sqrt(fmax(follow->predict.var_drift, 0)) :
				   NAN;

	return growth_of(std_ppb, follow->least_ppb, follow->most_ppb);
}

/* The bound of a line by what holds now, unless the track is left. */
static double follow_known_ns(const struct follow *follow, int64_t now_ns,
			      const struct line *line)
{
	struct track_now now = track_at(&follow->track, now_ns);

	return now.bound_ns + fabs((double)(line_at(line, now_ns) - now.x_ns));
}

/* The line that the filter leads to, and what can be wrong with it. */
static struct track_aim follow_aim(const struct follow *follow, int64_t now_ns,
				   const struct wire_row *row, bool jumps)
{
	const struct line *line = &follow->predict.line;
	double known_ns = jumps || !follow->track.known ? INFINITY :
			  follow_known_ns(follow, now_ns, line);

	return (struct track_aim){
		.line = *line,
		.bound_ns = 1 + predict_bound_ns(&follow->predict, row->std_ns,
						 row->bias_ns, known_ns),
		.growth = follow_growth(follow),
		.meet_ns = TRACK_MEET_NS,
		.slew_most_ppb = TRACK_SLEW_MOST_PPB,
	};
}

/*
 * Who does not hear where the others are turned to does not turn with them, since
 * the last line that it took.
 */
static void follow_miss(struct follow *follow, int64_t now_ns)
{
	struct track *track = &follow->track;
	struct growth growth = track->growth;
	double silence_s = fmax((double)(now_ns - follow->at_ns) / 1e9, 0);

	growth.ppb = growth_ppb(&growth, now_ns - track->bound_at_ns) +
		     follow->slew_ppb;
	growth.most_ppb += follow->slew_ppb;
	track_grow(track, now_ns, &growth);
	track_doubt(track, follow->slew_ppb * silence_s);
}

/* The bound of a clock that is not to be believed grows at once as it can. */
static void follow_alarm(struct follow *follow, int64_t now_ns,
			 const struct state_verdict *verdict)
{
	enum state_alarm alarm = follow->state.alarm;
	struct growth growth = follow_growth(follow);

	if (!verdict->changed)
		return;
	if (alarm == STATE_ABSURD)
		track_grow(&follow->track, now_ns, &growth);
	else if (alarm == STATE_SILENT || alarm == STATE_CUT)
		follow_miss(follow, now_ns);
}

/* Whatever becomes of this host's row, what is known leads to where others were. */
static void follow_widen(struct follow *follow, const struct wire_solution *s)
{
	predict_widen(&follow->predict, s->frame_ns, s->frame_ppb);
	track_widen(&follow->track, PREDICT_SIGMAS * s->frame_ns);
}

bool follow_take(struct follow *follow, int64_t now_ns,
		 const struct wire_solution *solution,
		 const struct wire_row *row)
{
	struct track_now was = track_at(&follow->track, row->at_ns);
	struct predict_measured measured = {
		.line = { row->at_ns, row->offset_ns, row->drift_ppb },
		.std_ns = row->std_ns,
		.std_ppb = row->std_ppb,
	};
	struct state_update update = {
		.now_ns = now_ns,
		.reached = row->flags & WIRE_ROW_SOLVED,
		.window_ns = predict_window_ns(row->std_ns, row->bias_ns),
		.std_ppb = row->std_ppb,
		.known_ppb = sqrt(fmax(follow->predict.var_drift, 0)),
	};
	struct state_verdict verdict;
	struct track_aim aim;

	/* Another common time, of another rate: what was known is of no use. */
	if (update.reached && follow->timeline &&
	    wire_timeline(solution->timeline) != wire_timeline(follow->timeline))
		follow_forget(follow, now_ns);
	if (follow->track.known) {
		update.change_ns = row->offset_ns - was.x_ns;
		update.bound_ns = track_at(&follow->track, now_ns).bound_ns;
	}
	verdict = state_update(&follow->state, &follow->params, &update);
	if (verdict.start_over)
		predict_forget(&follow->predict);
	follow_widen(follow, solution);
	follow->window = solution->window;
	follow->taken = false;
	if (verdict.action == STATE_IGNORE) {
		track_doubt(&follow->track, verdict.doubt_ns);
		follow_alarm(follow, now_ns, &verdict);
		return false;
	}
	if (verdict.action == STATE_STEP && !verdict.start_over)
		predict_forget(&follow->predict);
	measured.keep_drift = verdict.keep_drift;
	if (!predict_update(&follow->predict, &measured, PREDICT_WANDER_PPB))
		return false;
	aim = follow_aim(follow, now_ns, row, verdict.action == STATE_STEP);
	if (verdict.action == STATE_STEP) {
		track_step(&follow->track, &aim);
	} else {
		track_slew(&follow->track, now_ns, &aim);
		follow_note(follow, update.change_ns);
	}
	follow->timeline = solution->timeline;
	follow->taken = true;
	follow->at_ns = row->at_ns;
	follow->offset_ns = row->offset_ns;
	follow->std_ppb = row->std_ppb;
	return true;
}

bool follow_tick(struct follow *follow, int64_t now_ns)
{
	double bound_ns = follow->track.known ?
		track_at(&follow->track, now_ns).bound_ns : 0;
	struct state_verdict verdict = state_tick(&follow->state,
						  &follow->params, now_ns,
						  bound_ns);

	follow_alarm(follow, now_ns, &verdict);
	return verdict.changed;
}

bool follow_is_good(const struct follow *follow)
{
	return follow->track.known && follow->state.phase != STATE_INIT &&
	       follow->state.phase != STATE_UNSYNC;
}
