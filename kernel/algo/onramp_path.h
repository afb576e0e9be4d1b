/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: what is known of a path, and whether a delay on it is valid.
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
 * How much of a delay is queue, the sender's own clock limits.  The feedback RTT,
 * from a packet's departure until its report, is the delay and the way back; so
 * at most what it is longer than the shortest RTT is queue, and the delay less
 * that is at most the base.  The highest such value of a window is the RTT's base:
 * the shortest RTT less the shortest way back, as the clocks have it, in the
 * window.  No queue ahead raises it, and a packet that waited on its way back,
 * or whose report did, does not count.
 *
 * A delay is not valid if
 *   - the clock is not known, or its error bound is above max_error,
 *   - it is negative, or longer than the sender's own clock says has passed
 *     since the packet left, which is exact,
 *   - it is below a base that has held for a while, by more than the bound:
 *     the clock was stepped, or the route changed.
 * After the last, and when the path was held in vain, it is suspect: nothing is
 * held on it until it has shown a new base (threshold auto), or a delay that is
 * not above T (threshold given).  A window is in vain if the path was held in it
 * and every delay was above T.  Windows in vain count one after the
 * other, with those of a back-off, below, left out for a route:
 *   - two, if in each the RTT's base is above the base by more than twice the
 *     error bound: the clock was stepped, or it drifts,
 *   - forty, if in each the path was held for more than half of the time and the
 *     lowest delay differs from that of the first by no more than margin and
 *     error bound, else it is the first itself: no queue stands so still while
 *     it is held, another route does.  RTTs from before do not count any more.
 * Other windows in vain show nothing about the base: a queue that others keep up
 * may stand there, and to take it for the path would raise T.  But holding may
 * be for nothing, and so it is tried without.  After 40 points of suspicion the
 * path backs off: it is suspect for 40 windows, or until a delay is not above T, and its
 * base stays.  Then one window in vain is enough for the next back-off, so that the
 * path is held for 1 of 41 windows at most, whatever T is.  Windows without a
 * delay that is not above T count if in them the path was held for more
 * than half of the time:
 *   - eight, if the RTT's base is below the base by more than twice the error
 *     bound: something waits on the way back, all the time, and hides what a
 *     clock was stepped,
 *   - eight, if a delay came in it that was longer than what had passed, and then
 *     if the path was held in it at all: while the way back is too short for such
 *     delays nothing holds, so that the window goes on and little of it is held,
 *   - one, if of what delays are above T, on average, more than two thirds stand
 *     all the time,
 *   - one less, if the delay moves by more: holding does something.
 * A delay that is not above T ends all suspicion.
 *
 * Several CPUs may report for one path, and the one that read the clock first
 * may come last.  For a path time does not run back: what comes late came with
 * the latest before it.
 *
 * A new base is the lowest delay since the path became suspect, or the RTT's
 * base since then if that is lower, but not below 0: so a queue that stands
 * there meanwhile is not taken for the path.  The RTT's base in the
 * windows that showed a clock step counts too: it was no higher than the base then.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_PATH_H
#define SHARPRAMP_ALGO_ONRAMP_PATH_H

#include "onramp_hold.h"
#include "port.h"

/* Until a clock is suspect, and what is learned after: a quarter of a second. */
#define ONRAMP_WINDOW_NS 50000000ULL
#define ONRAMP_CLOCK_WINDOWS 2
#define ONRAMP_ROUTE_WINDOWS 40
/*
 * Suspicion until a path backs off, and windows that it backs off for.  A delay that a clock hides
 * counts for as much as lets flows go after five windows, a quarter of a second,
 * so that a second is enough if something interferes.  The other case is a route,
 * and no sooner valid.  A back-off is as long as it takes for what is tried in
 * between, one window, to cost no more than 1 of 41.
 */
#define ONRAMP_SUSPICION_MAX 40
#define ONRAMP_SUSPICION_HIDDEN 8
#define ONRAMP_BACKOFF_WINDOWS 40
/* Delays are summed up as if they were no longer: 2^31 of them fit. */
#define ONRAMP_SUM_NS 0xffffffffULL
#define ONRAMP_RELEARN_NS 50000000ULL
/* A base that has not fallen for so long is valid. */
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
 * @held: union of the holds of its flows
 * @now_ns: time of the latest report
 * @base_ns: the lowest delay; valid if @has_base
 * @rtt_ns: the shortest feedback RTT since the epoch or the route began; valid if
 *	@has_rtt
 * @base_at_ns: when it last fell by more than the error bound
 * @error_ns: highest error bound since the epoch began
 * @owd_ns: the latest valid delay; valid if @owd_at_ns
 * @owd_at_ns: when it was reported
 * @suspect_ns: when the path became suspect, if @suspect
 * @window_ns: when the window began, if not 0
 * @window_total_ns: A of @held then
 * @window_min_ns: lowest delay in it; S64_MAX if none
 * @window_back_ns: shortest way back in it; S64_MAX if none
 * @window_sum_ns: of the delays in it, each at most ONRAMP_SUM_NS
 * @window_reports: how many
 * @window_long: whether there was one in it that was longer than had passed
 * @stepped_back_ns: shortest way back in @stepped windows
 * @alike_min_ns: lowest delay in the first of @alike
 * @stepped: windows in vain up to the last that show a clock step
 * @alike: windows in vain up to the last that show another route
 * @suspicion: whether holding does anything, below ONRAMP_SUSPICION_MAX
 * @backoff: windows that the path backs off for; 0: it does not
 * @epoch: of the clock that all this was measured with
 * @has_base: there is one
 * @has_rtt: there is one
 * @suspect: nothing is held
 */
struct onramp_path_vars {
	struct onramp_hold held;
	u64 now_ns;
	s64 base_ns;
	s64 rtt_ns;
	u64 base_at_ns;
	u64 error_ns;
	s64 owd_ns;
	u64 owd_at_ns;
	u64 suspect_ns;
	u64 window_ns;
	u64 window_total_ns;
	s64 window_min_ns;
	s64 window_back_ns;
	u64 window_sum_ns;
	u64 window_reports;
	bool window_long;
	s64 stepped_back_ns;
	s64 alike_min_ns;
	u32 stepped;
	u32 alike;
	u32 suspicion;
	u32 backoff;
	u32 epoch;
	bool has_base;
	bool has_rtt;
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
 * enum onramp_validity - may a delay hold a flow?
 * @ONRAMP_VALID: yes
 * @ONRAMP_NO_CLOCK: a clock is not known, stale, or of another epoch
 * @ONRAMP_UNCERTAIN: the error bound is above max_error
 * @ONRAMP_NEGATIVE: received before it was sent
 * @ONRAMP_TOO_LONG: it would still be on its way
 * @ONRAMP_BELOW_BASE: shorter than a path's base allows
 * @ONRAMP_SUSPECT: possible, but the path is suspect
 * @ONRAMP_VALIDITIES: how many there are
 */
enum onramp_validity {
	ONRAMP_VALID = 0,
	ONRAMP_NO_CLOCK = 1,
	ONRAMP_UNCERTAIN = 2,
	ONRAMP_NEGATIVE = 3,
	ONRAMP_TOO_LONG = 4,
	ONRAMP_BELOW_BASE = 5,
	ONRAMP_SUSPECT = 6,
	ONRAMP_VALIDITIES = 7,
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
 * @now_ns: time; another CPU may have reported a little later
 * @fresh_ns: how old it may be, below 2^63
 *
 * Return: true if there is one, it is young enough, and the path not suspect.
 */
static inline bool onramp_path_is_fresh(const struct onramp_path_vars *v,
					u64 now_ns, u64 fresh_ns)
{
	return v->owd_at_ns && !v->suspect &&
	       (s64)(now_ns - v->owd_at_ns) <= (s64)fresh_ns;
}

/**
 * onramp_path_hold() - a flow of the path was held, or a hold was cut short
 * @v: state
 * @now_ns: time
 * @t_next_ns: when the last of its flows' holds ends
 */
static inline void onramp_path_hold(struct onramp_path_vars *v, u64 now_ns,
				    u64 t_next_ns)
{
	onramp_hold_set(&v->held, now_ns, t_next_ns);
}

/* Another epoch: nothing measured before can be compared. */
static inline void onramp_path_restart(struct onramp_path_vars *v, u32 epoch)
{
	*v = (struct onramp_path_vars){
		.held = v->held, .now_ns = v->now_ns, .epoch = epoch,
	};
}

/* From the departure of a packet until its report; its delay at least. */
static inline s64 onramp_path_rtt(const struct onramp_report *r)
{
	return r->now_ns - r->tx_ns;
}

static inline void onramp_path_window_begin(struct onramp_path_vars *v,
					    u64 now_ns)
{
	v->window_ns = now_ns;
	v->window_total_ns = onramp_hold_total(&v->held, now_ns);
	v->window_min_ns = S64_MAX;
	v->window_back_ns = S64_MAX;
	v->window_sum_ns = 0;
	v->window_reports = 0;
	v->window_long = false;
}

static inline void onramp_path_window_take(struct onramp_path_vars *v,
					   const struct onramp_report *r)
{
	s64 back_ns = onramp_path_rtt(r) - r->owd_ns;

	v->window_min_ns = min(v->window_min_ns, r->owd_ns);
	v->window_back_ns = min(v->window_back_ns, back_ns);
	v->window_sum_ns += min_t(u64, r->owd_ns, ONRAMP_SUM_NS);
	v->window_reports++;
}

/* The RTT's base, of the window so far; far below 0 without any report. */
static inline s64 onramp_path_rtt_base(const struct onramp_path_vars *v)
{
	return v->rtt_ns - v->window_back_ns;
}

/* Take a delay that is possible into the base, and its feedback RTT. */
static inline void onramp_path_learn(struct onramp_path_vars *v,
				     const struct onramp_report *r)
{
	if (!v->has_rtt || onramp_path_rtt(r) < v->rtt_ns) {
		v->rtt_ns = onramp_path_rtt(r);
		v->has_rtt = true;
	}
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

/* No delay is valid any more, and the base begins anew with this one. */
static inline void onramp_path_suspect(struct onramp_path_vars *v,
				       const struct onramp_report *r)
{
	v->suspect = true;
	v->suspect_ns = r->now_ns;
	v->has_base = false;
	v->stepped = 0;
	v->alike = 0;
	v->suspicion = 0;
	v->backoff = 0;
	onramp_path_learn(v, r);
	onramp_path_window_begin(v, r->now_ns);
	onramp_path_window_take(v, r);
}

/* There is a new base, or a delay that is not above T. */
static inline void onramp_path_clear(struct onramp_path_vars *v, u64 now_ns)
{
	s64 rtt_base_ns = max_t(s64, onramp_path_rtt_base(v), 0);

	v->suspect = false;
	v->base_ns = min(v->base_ns, rtt_base_ns);
	onramp_path_window_begin(v, now_ns);
}

/*
 * Is what the RTT does not explain more than clocks may do?  Twice the bound,
 * since the base may have been too low by it, and the delays too high.
 */
static inline bool onramp_path_is_stepped(const struct onramp_path_vars *v,
					  const struct onramp_report *r)
{
	return onramp_path_rtt_base(v) - v->base_ns > 2 * (s64)r->error_ns;
}

/* Is the window's lowest delay as that of the first of its kind? */
static inline bool onramp_path_is_alike(const struct onramp_path_params *p,
					const struct onramp_path_vars *v,
					const struct onramp_report *r)
{
	s64 within_ns = p->margin_ns + r->error_ns;
	s64 differs_ns = v->window_min_ns - v->alike_min_ns;

	return v->alike && differs_ns <= within_ns && differs_ns >= -within_ns;
}

/* Does something wait on the way back in all of the window? */
static inline bool onramp_path_is_hidden(const struct onramp_path_vars *v,
					 const struct onramp_report *r)
{
	return v->base_ns - onramp_path_rtt_base(v) > 2 * (s64)r->error_ns;
}

/*
 * Is the lowest delay of the window, which is above T, more than two thirds as
 * far above it as the mean?
 */
static inline bool onramp_path_is_still(const struct onramp_path_vars *v,
					u64 threshold_ns)
{
	u64 min_ns = min_t(u64, v->window_min_ns, ONRAMP_SUM_NS);

	return 2 * v->window_sum_ns <
	       v->window_reports * (3 * min_ns - min(threshold_ns, min_ns));
}

/* A window was held, and every delay above T. */
static inline void onramp_path_add_suspicion(struct onramp_path_vars *v,
					     const struct onramp_report *r,
					     u64 threshold_ns)
{
	if (v->window_long || onramp_path_is_hidden(v, r))
		v->suspicion += ONRAMP_SUSPICION_HIDDEN;
	else if (onramp_path_is_still(v, threshold_ns))
		v->suspicion++;
	else if (v->suspicion)
		v->suspicion--;
	if (v->suspicion < ONRAMP_SUSPICION_MAX)
		return;
	v->suspicion = ONRAMP_SUSPICION_MAX - 1;
	v->backoff = ONRAMP_BACKOFF_WINDOWS;
	v->suspect = true;
}

/* A window was held for more than half of it, and in vain. */
static inline void onramp_path_compare(const struct onramp_path_params *p,
				       struct onramp_path_vars *v,
				       const struct onramp_report *r)
{
	if (onramp_path_is_alike(p, v, r)) {
		v->alike++;
	} else {
		v->alike = 1;
		v->alike_min_ns = v->window_min_ns;
	}
}

/* A window was in vain; does it show a clock step? */
static inline void onramp_path_step(struct onramp_path_vars *v,
				    const struct onramp_report *r)
{
	if (!onramp_path_is_stepped(v, r)) {
		v->stepped = 0;
		return;
	}
	if (!v->stepped++)
		v->stepped_back_ns = v->window_back_ns;
	v->stepped_back_ns = min(v->stepped_back_ns, v->window_back_ns);
}

/*
 * A window has gone by; count those in vain.  If another CPU cut a hold short at
 * a time a little before the window's beginning, less than nothing was held.
 */
static inline void onramp_path_window_end(const struct onramp_path_params *p,
					  struct onramp_path_vars *v,
					  const struct onramp_report *r)
{
	u64 threshold_ns = onramp_path_threshold(p, v, r->error_ns);
	s64 held_ns = onramp_hold_total(&v->held, r->now_ns) -
		      v->window_total_ns;
	bool above = v->window_min_ns > (s64)threshold_ns &&
		     v->window_reports;
	bool long_held = held_ns > 0 &&
			 (u64)held_ns * 2 > r->now_ns - v->window_ns;

	if (above && (held_ns > 0 || v->backoff))
		onramp_path_step(v, r);
	else
		v->stepped = 0;
	if (v->backoff) {
		v->suspect = --v->backoff;
		return;
	}
	if (!above)
		v->suspicion = 0;
	if (above && long_held)
		onramp_path_compare(p, v, r);
	else
		v->alike = 0;
	if (above && (long_held || (held_ns > 0 && v->window_long)))
		onramp_path_add_suspicion(v, r, threshold_ns);
}

/*
 * Count windows in vain, a path's.
 * Return: true if there were enough, so that it is suspect now.
 */
static inline bool onramp_path_count_windows(const struct onramp_path_params *p,
					     struct onramp_path_vars *v,
					     const struct onramp_report *r)
{
	bool stepped;

	if (!v->window_ns)
		onramp_path_window_begin(v, r->now_ns);
	if (r->now_ns - v->window_ns >= ONRAMP_WINDOW_NS) {
		onramp_path_window_end(p, v, r);
		onramp_path_window_begin(v, r->now_ns);
	}
	onramp_path_window_take(v, r);
	stepped = v->stepped >= ONRAMP_CLOCK_WINDOWS;
	if (!stepped && v->alike < ONRAMP_ROUTE_WINDOWS)
		return false;
	if (!stepped)
		v->has_rtt = false;
	onramp_path_suspect(v, r);
	if (stepped)
		v->window_back_ns = min(v->window_back_ns, v->stepped_back_ns);
	return true;
}

/* Does it back off, and go on with it?  Not if this delay is not above T. */
static inline bool onramp_path_backs_off(const struct onramp_path_params *p,
					 struct onramp_path_vars *v,
					 const struct onramp_report *r)
{
	if (!v->backoff)
		return false;
	if (r->owd_ns > (s64)onramp_path_threshold(p, v, r->error_ns))
		return true;
	v->backoff = 0;
	v->suspect = false;
	return false;
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

/* Context: reports come in the order of their times. */
static inline enum onramp_validity
onramp_path_validate(const struct onramp_path_params *p,
		     struct onramp_path_vars *v, const struct onramp_report *r)
{
	if (!r->clock_ok)
		return ONRAMP_NO_CLOCK;
	if (r->error_ns > p->max_error_ns)
		return ONRAMP_UNCERTAIN;
	if (r->owd_ns < 0)
		return ONRAMP_NEGATIVE;
	if (r->owd_ns > (s64)(r->now_ns - r->tx_ns)) {
		v->window_long = true;
		return ONRAMP_TOO_LONG;
	}

	if (r->epoch != v->epoch)
		onramp_path_restart(v, r->epoch);
	if (onramp_path_is_below(v, r)) {
		onramp_path_suspect(v, r);
		return ONRAMP_BELOW_BASE;
	}
	onramp_path_learn(v, r);
	v->owd_ns = r->owd_ns;
	v->owd_at_ns = r->now_ns;

	if (v->suspect && !v->backoff) {
		onramp_path_window_take(v, r);
		if (!onramp_path_is_cleared(p, v, r))
			return ONRAMP_SUSPECT;
		onramp_path_clear(v, r->now_ns);
	} else if (onramp_path_count_windows(p, v, r) || onramp_path_backs_off(p, v, r)) {
		return ONRAMP_SUSPECT;
	}
	return ONRAMP_VALID;
}

/**
 * onramp_path_judge() - is a delay valid?  Learn from it
 * @p: parameters
 * @v: state
 * @r: the delay
 *
 * Return: whether it may hold a flow, and if not why.
 */
static inline enum onramp_validity
onramp_path_judge(const struct onramp_path_params *p,
		  struct onramp_path_vars *v, const struct onramp_report *r)
{
	struct onramp_report ordered = *r;

	ordered.now_ns = max(v->now_ns, r->now_ns);
	v->now_ns = ordered.now_ns;
	return onramp_path_validate(p, v, &ordered);
}

#endif /* SHARPRAMP_ALGO_ONRAMP_PATH_H */
