/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: what is known of a path, and whether a delay on it can be believed.
 *
 * The paper gives the threshold as the least one-way delay plus headroom for
 * the errors of stamps and clocks (section 5.1.4), and takes clocks to be
 * good.  Here they are hostile: On-Ramp may hold a packet only for a delay
 * that is possible, and must let go if holding does not help.
 *
 * The base is the lowest delay since the path or its clock epoch began.  A
 * minimum over a window would be a trap: On-Ramp holds the queue near T, so it
 * would rise to T, and T with it.  It rises with the error bound only, because
 * a clock that may be wrong by more may show a delay that much longer.
 *
 * A delay is not believed if
 *   - the clock is not known, or its error bound is above max_error,
 *   - it is negative, or longer than the sender's own clock says has passed
 *     since the packet left, which is exact,
 *   - it is below a base that has held for a while, by more than the bound:
 *     the clock was stepped, or the route changed.
 * After the last, and when the path was held for more than half of two windows
 * while the delay neither came down to T nor fell, the path is suspect: nothing
 * is held on it until it has shown a new base (threshold auto), or a delay that
 * is not above T (threshold given).
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_PATH_H
#define SHARPRAMP_ALGO_ONRAMP_PATH_H

#include "onramp_pause.h"
#include "port.h"

/* Both windows of a suspicion and what is learned after fit in a second. */
#define ONRAMP_WINDOW_NS 200000000ULL
#define ONRAMP_RELEARN_NS 50000000ULL
/* A base that has not fallen for so long is believed. */
#define ONRAMP_SETTLED_NS 1000000000ULL

/**
 * struct onramp_path_params - what the rules read
 * @threshold_ns: T; 0: from the base
 * @margin_ns: headroom for the errors of stamps in the automatic T
 * @max_error_ns: no hold on a clock that may be wrong by more
 */
struct onramp_path_params {
	u64 threshold_ns;
	u64 margin_ns;
	u64 max_error_ns;
};

/**
 * struct onramp_path_vars - state of a path; all zero at the start
 * @held: union of the pauses of its flows
 * @base_ns: the lowest delay; valid if @has_base
 * @base_at_ns: when it last fell by more than the error bound
 * @error_ns: highest error bound since the epoch began
 * @owd_ns: the latest delay that was believed; valid if @owd_at_ns
 * @owd_at_ns: when it was reported
 * @suspect_ns: when the path became suspect, if @suspect
 * @window_ns: when the window began, if not 0
 * @window_total_ns: A of @held then
 * @window_min_ns: lowest delay in it; S64_MAX if none
 * @last_min_ns: lowest delay in the window before, which was held; or S64_MAX
 * @epoch: of the clock that all this was measured with
 * @has_base: there is one
 * @suspect: nothing is held
 */
struct onramp_path_vars {
	struct onramp_pause held;
	s64 base_ns;
	u64 base_at_ns;
	u64 error_ns;
	s64 owd_ns;
	u64 owd_at_ns;
	u64 suspect_ns;
	u64 window_ns;
	u64 window_total_ns;
	s64 window_min_ns;
	s64 last_min_ns;
	u32 epoch;
	bool has_base;
	bool suspect;
};

/**
 * struct onramp_report - a delay, and what it was measured with
 * @now_ns: time, monotone clock
 * @tx_ns: when the packet left, same clock
 * @owd_ns: the delay
 * @error_ns: bounds of the errors of both clocks, added
 * @epoch: of the common clock
 * @clock_ok: both clocks are known, not stale, and of the same epoch
 */
struct onramp_report {
	u64 now_ns;
	u64 tx_ns;
	s64 owd_ns;
	u64 error_ns;
	u32 epoch;
	bool clock_ok;
};

/**
 * enum onramp_belief - may a delay hold a flow?
 * @ONRAMP_BELIEVED: yes
 * @ONRAMP_NO_CLOCK: a clock is not known, stale, or of another epoch
 * @ONRAMP_UNCERTAIN: the error bound is above max_error
 * @ONRAMP_NEGATIVE: received before it was sent
 * @ONRAMP_TOO_LONG: it would still be on its way
 * @ONRAMP_BELOW_BASE: shorter than was believed possible
 * @ONRAMP_SUSPECT: possible, but the path is suspect
 * @ONRAMP_BELIEFS: how many there are
 */
enum onramp_belief {
	ONRAMP_BELIEVED = 0,
	ONRAMP_NO_CLOCK = 1,
	ONRAMP_UNCERTAIN = 2,
	ONRAMP_NEGATIVE = 3,
	ONRAMP_TOO_LONG = 4,
	ONRAMP_BELOW_BASE = 5,
	ONRAMP_SUSPECT = 6,
	ONRAMP_BELIEFS = 7,
};

/**
 * onramp_path_threshold() - T
 * @p: parameters
 * @v: state; has a base, or the threshold is given
 * @error_ns: bounds of the errors of both clocks, added
 *
 * Return: ns. 2 x error: the base may have been measured with a delay too
 * short by the bound, and this one too long by it (section 7.1 has the same
 * factor with the standard deviation).
 */
static inline u64 onramp_path_threshold(const struct onramp_path_params *p,
					const struct onramp_path_vars *v,
					u64 error_ns)
{
	if (p->threshold_ns)
		return p->threshold_ns;
	return v->base_ns + 2 * error_ns + p->margin_ns;
}

/**
 * onramp_path_is_fresh() - may a new flow start from the path's latest delay?
 * @v: state
 * @now_ns: time
 * @fresh_ns: how old it may be
 *
 * Return: true if there is one, it is young enough, and the path not suspect.
 */
static inline bool onramp_path_is_fresh(const struct onramp_path_vars *v,
					u64 now_ns, u64 fresh_ns)
{
	return v->owd_at_ns && !v->suspect && now_ns - v->owd_at_ns <= fresh_ns;
}

/**
 * onramp_path_hold() - a flow of the path was paused
 * @v: state
 * @now_ns: time
 * @t_next_ns: until when
 */
static inline void onramp_path_hold(struct onramp_path_vars *v, u64 now_ns,
				    u64 t_next_ns)
{
	if (t_next_ns > v->held.t_next_ns)
		onramp_pause_set(&v->held, now_ns, t_next_ns);
}

/* Another epoch: nothing measured before can be compared. */
static inline void onramp_path_restart(struct onramp_path_vars *v, u32 epoch)
{
	struct onramp_pause held = v->held;

	*v = (struct onramp_path_vars){ .held = held, .epoch = epoch };
}

static inline void onramp_path_window_begin(struct onramp_path_vars *v,
					    u64 now_ns)
{
	v->window_ns = now_ns;
	v->window_total_ns = onramp_pause_total(&v->held, now_ns);
	v->window_min_ns = S64_MAX;
}

static inline void onramp_path_suspect(struct onramp_path_vars *v, u64 now_ns)
{
	v->suspect = true;
	v->suspect_ns = now_ns;
	v->has_base = false;
	v->last_min_ns = S64_MAX;
	onramp_path_window_begin(v, now_ns);
}

/* Take a delay that is possible into the base. */
static inline void onramp_path_learn(struct onramp_path_vars *v,
				     const struct onramp_report *r)
{
	if (r->error_ns > v->error_ns) {
		v->base_ns += r->error_ns - v->error_ns;
		v->error_ns = r->error_ns;
	}
	if (!v->has_base || r->owd_ns < v->base_ns) {
		if (!v->has_base || v->base_ns - r->owd_ns > (s64)r->error_ns)
			v->base_at_ns = r->now_ns;
		v->base_ns = r->owd_ns;
		v->has_base = true;
	}
}

/* Is the base old enough, and this delay too far below it? */
static inline bool onramp_path_is_below(const struct onramp_path_vars *v,
					const struct onramp_report *r)
{
	return v->has_base &&
	       r->now_ns - v->base_at_ns >= ONRAMP_SETTLED_NS &&
	       r->owd_ns < v->base_ns - (s64)r->error_ns;
}

/* A window has gone by: was it held in vain, and the one before, too? */
static inline bool onramp_path_in_vain(const struct onramp_path_params *p,
				       struct onramp_path_vars *v,
				       const struct onramp_report *r)
{
	u64 held_ns = onramp_pause_total(&v->held, r->now_ns) -
		      v->window_total_ns;
	s64 min_ns = v->window_min_ns;
	s64 last_ns = v->last_min_ns;

	if (held_ns * 2 <= r->now_ns - v->window_ns || min_ns == S64_MAX ||
	    min_ns <= (s64)onramp_path_threshold(p, v, r->error_ns)) {
		v->last_min_ns = S64_MAX;
		return false;
	}
	v->last_min_ns = min_ns;
	return last_ns != S64_MAX && min_ns >= last_ns - (s64)r->error_ns;
}

static inline bool onramp_path_watch(const struct onramp_path_params *p,
				     struct onramp_path_vars *v,
				     const struct onramp_report *r)
{
	bool in_vain = false;

	if (!v->window_ns) {
		v->last_min_ns = S64_MAX;
		onramp_path_window_begin(v, r->now_ns);
	}
	if (r->now_ns - v->window_ns >= ONRAMP_WINDOW_NS) {
		in_vain = onramp_path_in_vain(p, v, r);
		onramp_path_window_begin(v, r->now_ns);
	}
	if (r->owd_ns < v->window_min_ns)
		v->window_min_ns = r->owd_ns;
	return in_vain;
}

/* Has a suspect path shown what it must? */
static inline bool onramp_path_is_cleared(const struct onramp_path_params *p,
					  const struct onramp_path_vars *v,
					  const struct onramp_report *r)
{
	if (p->threshold_ns)
		return r->owd_ns <= (s64)p->threshold_ns;
	return r->now_ns - v->suspect_ns >= ONRAMP_RELEARN_NS;
}

/**
 * onramp_path_judge() - believe a delay or not, and learn from it
 * @p: parameters
 * @v: state
 * @r: the delay
 *
 * Return: whether it may hold a flow, and if not why.
 */
static inline enum onramp_belief
onramp_path_judge(const struct onramp_path_params *p,
		  struct onramp_path_vars *v, const struct onramp_report *r)
{
	if (!r->clock_ok)
		return ONRAMP_NO_CLOCK;
	if (r->error_ns > p->max_error_ns)
		return ONRAMP_UNCERTAIN;
	if (r->owd_ns < 0)
		return ONRAMP_NEGATIVE;
	if (r->owd_ns > (s64)(r->now_ns - r->tx_ns))
		return ONRAMP_TOO_LONG;

	if (r->epoch != v->epoch)
		onramp_path_restart(v, r->epoch);
	if (onramp_path_is_below(v, r)) {
		onramp_path_suspect(v, r->now_ns);
		onramp_path_learn(v, r);
		return ONRAMP_BELOW_BASE;
	}
	onramp_path_learn(v, r);
	v->owd_ns = r->owd_ns;
	v->owd_at_ns = r->now_ns;

	if (v->suspect) {
		if (!onramp_path_is_cleared(p, v, r))
			return ONRAMP_SUSPECT;
		v->suspect = false;
	} else if (onramp_path_watch(p, v, r)) {
		onramp_path_suspect(v, r->now_ns);
		onramp_path_learn(v, r);
		return ONRAMP_SUSPECT;
	}
	return ONRAMP_BELIEVED;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_PATH_H */
