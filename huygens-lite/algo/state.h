/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Validity of a host's own correction: the robustness rules as one
 * machine.  Events go in, a verdict comes out; the caller carries it out on
 * kalman.h and slew.h:
 *
 *	verdict = state_update(&state, &params, &update);
 *	if (verdict.start_over)
 *		kalman_forget(&kalman);
 *	if (verdict.action != STATE_IGNORE)
 *		kalman_update(...), then slew_step() or slew_to()
 *	else
 *		slew_suspect(&slew, verdict.suspicion_ns);
 *
 *	INIT      nothing is known
 *	ACQUIRE   the first windows
 *	LOCKED    all is well
 *	HOLDOVER  no windows, or absurd ones: the old line goes on, its bound
 *		  grows
 *	UNSYNC    the bound is above the limit, or as many windows again were
 *		  absurd: nothing is known any more, and the next window
 *		  begins anew
 *
 * A window may know less than the limit asks for, when queues never emptied in
 * it.  It is taken for what it is worth, but jumps only where nothing is known,
 * and leaves phase, alarm and suspicion as they are; and it is used while the
 * bound is below the limit, or nothing better came yet.
 */
#ifndef HUYGENS_STATE_H
#define HUYGENS_STATE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * enum state_phase - how well the correction is known
 * @STATE_INIT: nothing is known
 * @STATE_ACQUIRE: windows come in, too few yet
 * @STATE_LOCKED: enough did
 * @STATE_HOLDOVER: none does, or none that is accepted
 * @STATE_UNSYNC: for too long
 */
enum state_phase {
	STATE_INIT,
	STATE_ACQUIRE,
	STATE_LOCKED,
	STATE_HOLDOVER,
	STATE_UNSYNC,
};

/**
 * enum state_action - what to do with a window
 * @STATE_IGNORE: nothing
 * @STATE_SLEW: meet its line without a jump
 * @STATE_STEP: jump to its line
 */
enum state_action {
	STATE_IGNORE,
	STATE_SLEW,
	STATE_STEP,
};

/**
 * enum state_alarm - what somebody should look at
 * @STATE_NO_ALARM: nothing
 * @STATE_ABSURD: windows disagree with the clock by more than max_change
 * @STATE_CUT: no edge hangs together with the coordinator's component
 * @STATE_SILENT: no solution came
 * @STATE_LOST: the bound went above the limit, or absurd windows did not end
 */
enum state_alarm {
	STATE_NO_ALARM,
	STATE_ABSURD,
	STATE_CUT,
	STATE_SILENT,
	STATE_LOST,
};

/**
 * struct state_params - the rules
 * @step_ns: a change from this on is a jump among the first @step_updates, 1 ms
 * @step_updates: after so many nothing jumps, 3
 * @max_change_ns: a change above this, and above what the window's own bound
 *	allows for, is absurd after those, and the first window, 10 ms
 * @max_change_ignore: so many absurd windows are ignored, 3; then HOLDOVER,
 *	and after as many more UNSYNC
 * @acquire: windows until LOCKED, 3
 * @drift_std_ppb: a window's drift that is worse than that, and than what is
 *	known, is not taken, 1000
 * @silence_ns: HOLDOVER after so long without a window, 6 s
 * @limit_ns: UNSYNC when the bound is above, 1 ms; a window that is worse does
 *	not count
 */
struct state_params {
	int64_t step_ns;
	uint32_t step_updates;
	int64_t max_change_ns;
	uint32_t max_change_ignore;
	uint32_t acquire;
	double drift_std_ppb;
	int64_t silence_ns;
	int64_t limit_ns;
};

/**
 * struct state - the machine; state_begin() it
 * @phase: how well the correction is known
 * @alarm: why it is not LOCKED, or NONE
 * @updates: windows that counted since INIT
 * @absurd: absurd windows in a row
 * @in_a_row: windows that counted since the last trouble
 * @received_ns: local time of the last window taken
 */
struct state {
	enum state_phase phase;
	enum state_alarm alarm;
	uint32_t updates;
	uint32_t absurd;
	uint32_t in_a_row;
	int64_t received_ns;
};

/**
 * struct state_update - a window's solution for this host
 * @now_ns: local time
 * @reached: the host hangs together with the component that was solved
 * @change_ns: the solution's offset - what the slewed correction says for the same local
 *	time; does not matter as long as there is no correction
 * @bound_ns: of the slewed correction, now
 * @window_ns: the bound that the solution would have by itself
 * @std_ppb: standard deviation of the solution's drift
 * @known_ppb: that of the drift as it is known; 0 or less: not at all
 */
struct state_update {
	int64_t now_ns;
	bool reached;
	int64_t change_ns;
	double bound_ns;
	double window_ns;
	double std_ppb;
	double known_ppb;
};

/**
 * struct state_verdict - what to do
 * @action: with the window's line
 * @keep_drift: leave its drift alone
 * @start_over: forget what was before
 * @suspicion_ns: IGNORE: by how much to widen the bound until a window is taken
 * @changed: phase or alarm are others than before
 */
struct state_verdict {
	enum state_action action;
	bool keep_drift;
	bool start_over;
	double suspicion_ns;
	bool changed;
};

/**
 * state_defaults() - the rules' defaults
 * @window_ns: time between windows, above 0; after three without a message the host is cut off
 *
 * Return: the rules.
 */
struct state_params state_defaults(int64_t window_ns);

/**
 * state_begin() - INIT
 * @state: the machine
 * @now_ns: local time
 *
 * Also when the local time itself was stepped, and nothing holds any more.
 */
void state_begin(struct state *state, int64_t now_ns);

/**
 * state_update() - a window's solution came
 * @state: the machine
 * @p: the rules
 * @u: the solution
 *
 * Return: what to do.
 */
struct state_verdict state_update(struct state *state,
				  const struct state_params *p,
				  const struct state_update *u);

/**
 * state_tick() - time passed
 * @state: the machine
 * @p: the rules
 * @now_ns: local time
 * @bound_ns: of the slewed correction, now
 *
 * To be called once a window at least.
 *
 * Return: with action IGNORE; @changed tells whether there is news.
 */
struct state_verdict state_tick(struct state *state,
				const struct state_params *p, int64_t now_ns,
				double bound_ns);

/**
 * state_phase_name() - name of a phase
 * @phase: any
 *
 * Return: "init", "acquire", "locked", "holdover", "unsync".
 */
const char *state_phase_name(enum state_phase phase);

/**
 * state_alarm_name() - name of an alarm
 * @alarm: any
 *
 * Return: "none", "absurd", "cut", "silent", "lost".
 */
const char *state_alarm_name(enum state_alarm alarm);

#endif /* HUYGENS_STATE_H */
