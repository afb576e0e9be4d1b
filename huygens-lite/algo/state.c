// SPDX-License-Identifier: GPL-2.0
/*
 * The robustness rules as a machine.
 */
#include "state.h"

/* No drift is less known. */
#define STATE_UNKNOWN_PPB	1e9

struct state_params state_defaults(int64_t window_ns)
{
	return (struct state_params){
		.step_ns = 1000000,
		.step_updates = 3,
		.max_change_ns = 10000000,
		.max_change_ignore = 3,
		.acquire = 3,
		.drift_std_ppb = 1000,
		.silence_ns = 3 * window_ns,
		.limit_ns = 1000000,
	};
}

void state_begin(struct state *state, int64_t now_ns)
{
	*state = (struct state){ .phase = STATE_INIT, .received_ns = now_ns };
}

static uint64_t state_size(int64_t x)
{
	return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

static void state_hold(struct state *state, enum state_alarm alarm)
{
	if (state->phase == STATE_ACQUIRE || state->phase == STATE_LOCKED)
		state->phase = STATE_HOLDOVER;
	if (state->phase != STATE_UNSYNC)
		state->alarm = alarm;
}

/* A window that is not accepted: the correction may be off by what it says. */
static void state_suspect(struct state *state, const struct state_params *p,
			  uint64_t change_ns, struct state_verdict *v)
{
	v->suspicion_ns = (double)change_ns;
	if (state->absurd < UINT32_MAX)
		state->absurd++;
	if (state->absurd > p->max_change_ignore) {
		state->in_a_row = 0;
		state_hold(state, STATE_ABSURD);
	}
	/* As many again, and it is this host that is wrong. */
	if (state->absurd / 2 > p->max_change_ignore &&
	    state->phase == STATE_HOLDOVER) {
		state->phase = STATE_UNSYNC;
		state->alarm = STATE_LOST;
	}
}

/* Out of HOLDOVER: a difference within both bounds is expected. */
static void state_return(struct state *state, const struct state_update *u)
{
	if (state->phase != STATE_HOLDOVER)
		return;
	if ((double)state_size(u->change_ns) > u->bound_ns + u->window_ns)
		state->in_a_row = 0;
	state->phase = STATE_ACQUIRE;
}

/*
 * Where nothing is known anything is better; else it changes nothing.  A host
 * that receives nothing better while the bound grows beyond the limit is silent.
 */
static void state_poor(struct state *state, const struct state_params *p,
		       const struct state_update *u, struct state_verdict *v)
{
	v->action = state->phase == STATE_INIT ? STATE_STEP : STATE_SLEW;
	if (state->phase == STATE_INIT)
		state->phase = STATE_ACQUIRE;
	if (state->phase == STATE_ACQUIRE || u->bound_ns <= (double)p->limit_ns)
		state->received_ns = u->now_ns;
}

static void state_count(struct state *state, const struct state_params *p,
			const struct state_update *u, struct state_verdict *v)
{
	bool far = state_size(u->change_ns) >= (uint64_t)p->step_ns;

	v->action = state->phase == STATE_INIT ||
		    (far && state->updates < p->step_updates) ? STATE_STEP :
								STATE_SLEW;
	state_return(state, u);
	state->received_ns = u->now_ns;
	state->alarm = STATE_NO_ALARM;
	state->absurd = 0;
	if (state->updates < UINT32_MAX)
		state->updates++;
	if (state->in_a_row < UINT32_MAX)
		state->in_a_row++;
	state->phase = state->in_a_row >= p->acquire ? STATE_LOCKED : STATE_ACQUIRE;
}

static void state_take(struct state *state, const struct state_params *p,
		       const struct state_update *u, struct state_verdict *v)
{
	double known_ppb = u->known_ppb > 0 ? u->known_ppb : STATE_UNKNOWN_PPB;

	v->keep_drift = !(u->std_ppb <= p->drift_std_ppb) &&
			!(u->std_ppb < known_ppb);
	if (u->window_ns <= (double)p->limit_ns)
		state_count(state, p, u, v);
	else
		state_poor(state, p, u, v);
}

static void state_finish(const struct state *state,
			 const struct state *before, struct state_verdict *v)
{
	v->changed = state->phase != before->phase || state->alarm != before->alarm;
}

struct state_verdict state_update(struct state *state,
				  const struct state_params *p,
				  const struct state_update *u)
{
	struct state_verdict v = { .action = STATE_IGNORE };
	struct state before = *state;

	if (!u->reached) {
		state_hold(state, STATE_CUT);
		state_finish(state, &before, &v);
		return v;
	}
	if (state->phase == STATE_UNSYNC) {
		state_begin(state, u->now_ns);
		v.start_over = true;
	}
	/* Where nothing is known nothing is absurd, though no update may step. */
	if (state->phase != STATE_INIT && state->updates >= p->step_updates &&
	    state_size(u->change_ns) > (uint64_t)p->max_change_ns &&
	    (double)state_size(u->change_ns) > u->window_ns)
		state_suspect(state, p, state_size(u->change_ns), &v);
	else
		state_take(state, p, u, &v);
	state_finish(state, &before, &v);
	return v;
}

struct state_verdict state_tick(struct state *state,
				const struct state_params *p, int64_t now_ns,
				double bound_ns)
{
	struct state_verdict v = { .action = STATE_IGNORE };
	struct state before = *state;

	if ((state->phase == STATE_ACQUIRE || state->phase == STATE_LOCKED) &&
	    now_ns - state->received_ns > p->silence_ns)
		state_hold(state, STATE_SILENT);
	if (state->phase == STATE_HOLDOVER && !(bound_ns <= (double)p->limit_ns)) {
		state->phase = STATE_UNSYNC;
		state->alarm = STATE_LOST;
	}
	state_finish(state, &before, &v);
	return v;
}

const char *state_phase_name(enum state_phase phase)
{
	switch (phase) {
	case STATE_INIT:
		return "init";
	case STATE_ACQUIRE:
		return "acquire";
	case STATE_LOCKED:
		return "locked";
	case STATE_HOLDOVER:
		return "holdover";
	case STATE_UNSYNC:
		return "unsync";
	}
	return "unknown";
}

const char *state_alarm_name(enum state_alarm alarm)
{
	switch (alarm) {
	case STATE_NO_ALARM:
		return "none";
	case STATE_ABSURD:
		return "absurd";
	case STATE_CUT:
		return "cut";
	case STATE_SILENT:
		return "silent";
	case STATE_LOST:
		return "lost";
	}
	return "unknown";
}
