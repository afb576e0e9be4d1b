/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: how long a flow is held, from the one-way delay of its packets.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, section 3.
 *
 * A receiver reports when a packet came; the sender knows when it left.  If
 * their difference O, the one-way delay, is above a threshold T, then the flow
 * is held until the excess would have drained.  A report is one round
 * trip old, though, and the flow may have been held during that time; the
 * final algorithm takes off what those holds have done, beta of it, where beta is
 * measured as the fall of O for each ns of hold between two packets.
 *
 *   in the paper         here
 *   O                    owd_ns
 *   T                    threshold_ns
 *   P_LastPktRTT         hold_rtt_ns = A(now) - A(tx), see onramp_hold.h
 *   P_BG                 difference of total_ns of two packets
 *   beta, beta_m, g      beta_q16, onramp_measure(), 1 / gain
 *   t_NextPkt            now_ns + hold_ns, if hold_ns is not 0
 *
 * Equation 3 lets every measurement count alike.  Where a queue begins to grow
 * there are many, each over a hold of a few packets in which the delay still
 * rises: they show that holding does nothing, and beta falls so low that the
 * long hold that follows goes on until the queue is empty.  The weighted
 * algorithm lets a measurement count for as much as its hold is long, up to T.
 *
 * The first beta is not given by the paper; the path's is taken, else 1: the
 * flow's own holds explain all of the fall, the more careful guess, since it
 * holds less.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_H
#define SHARPRAMP_ALGO_ONRAMP_H

#include "port.h"

/* 1 in the fixed point of beta. */
#define ONRAMP_BETA_ONE 65536

/**
 * enum onramp_law - which equation
 * @ONRAMP_FINAL: 4, with compensation for holds in flight
 * @ONRAMP_STRAWMAN: 2, without
 * @ONRAMP_WEIGHTED: 4, with beta's measurements weighted by their holds; not
 *	the paper's
 */
enum onramp_law {
	ONRAMP_FINAL = 0,
	ONRAMP_STRAWMAN = 1,
	ONRAMP_WEIGHTED = 2,
};

/**
 * struct onramp_params - what the algorithm reads
 * @law: enum onramp_law
 * @gain: the paper's 1 / g, 1 to 1024
 * @max_hold_ns: no hold is longer, at least 1
 */
struct onramp_params {
	u32 law;
	u32 gain;
	u64 max_hold_ns;
};

/**
 * struct onramp_vars - state of the algorithm for one flow; zero but for @beta_q16
 * @owd_ns: of the last packet, B in the paper; valid if @has_last
 * @tx_ns: when that left, monotone clock
 * @total_ns: A(@tx_ns)
 * @beta_q16: moving average of what a ns of hold took off O, 0 to
 *	ONRAMP_BETA_ONE; see onramp_vars_init()
 * @has_last: there is a B
 */
struct onramp_vars {
	s64 owd_ns;
	u64 tx_ns;
	u64 total_ns;
	u32 beta_q16;
	bool has_last;
};

/**
 * struct onramp_sample - a packet whose arrival was reported: G in the paper
 * @owd_ns: O
 * @tx_ns: when it left, monotone clock
 * @total_ns: A(@tx_ns)
 * @total_now_ns: A(now)
 * @threshold_ns: T for this packet
 */
struct onramp_sample {
	s64 owd_ns;
	u64 tx_ns;
	u64 total_ns;
	u64 total_now_ns;
	u64 threshold_ns;
};

/**
 * struct onramp_decision - what follows from a sample
 * @hold_ns: hold the flow from now for so long; 0 leaves t_next as it is
 * @bounded: it would have been longer than max_hold_ns
 */
struct onramp_decision {
	u64 hold_ns;
	bool bounded;
};

/**
 * onramp_vars_init() - state of a new flow
 * @v: state
 * @beta_q16: the path's beta, or ONRAMP_BETA_ONE if it has none
 */
static inline void onramp_vars_init(struct onramp_vars *v, u32 beta_q16)
{
	*v = (struct onramp_vars){ .beta_q16 = beta_q16 };
}

/*
 * beta_m = clamp((O_B - O_G) / P_BG, 0, 1).  Below 1 the fall is less than
 * P_BG, and with a hold of less than 2^47 ns, 39 hours, the product fits.
 */
static inline u32 onramp_measure(s64 fall_ns, u64 hold_ns)
{
	if (fall_ns <= 0)
		return 0;
	if ((u64)fall_ns >= hold_ns)
		return ONRAMP_BETA_ONE;
	if (hold_ns >> 47)
		return div64_u64(fall_ns, hold_ns / ONRAMP_BETA_ONE);
	return div64_u64((u64)fall_ns * ONRAMP_BETA_ONE, hold_ns);
}

/* How much a measurement over a hold counts, up to ONRAMP_BETA_ONE. */
static inline u32 onramp_weight(const struct onramp_params *p, u64 hold_ns,
				u64 threshold_ns)
{
	if (p->law != ONRAMP_WEIGHTED)
		return ONRAMP_BETA_ONE;
	return onramp_measure(min_t(u64, hold_ns, S64_MAX), threshold_ns);
}

/*
 * Equation 3.  Rounded to the nearest: with whole weight it stops within
 * gain / 2 of where it tends to.  2^16 x 2^10 x 2^16 fits.
 */
static inline void onramp_average(const struct onramp_params *p,
				  struct onramp_vars *v, u32 measured_q16,
				  u32 weight_q16)
{
	u64 all = (u64)p->gain * ONRAMP_BETA_ONE;
	u64 sum = v->beta_q16 * (all - weight_q16) +
		  (u64)measured_q16 * weight_q16;

	v->beta_q16 = div64_u64(sum + all / 2, all);
}

/* Learn from two packets that left in this order with a hold between them. */
static inline void onramp_learn(const struct onramp_params *p,
				struct onramp_vars *v,
				const struct onramp_sample *x)
{
	u64 hold_ns = x->total_ns - v->total_ns;

	if (v->has_last && x->tx_ns <= v->tx_ns)
		return;
	if (v->has_last && x->total_ns > v->total_ns)
		onramp_average(p, v,
			       onramp_measure(v->owd_ns - x->owd_ns, hold_ns),
			       onramp_weight(p, hold_ns, x->threshold_ns));
	v->has_last = true;
	v->owd_ns = x->owd_ns;
	v->tx_ns = x->tx_ns;
	v->total_ns = x->total_ns;
}

/*
 * beta x P, where P can be as large as a flow is old; and none if the packet left
 * by another CPU's time a little after that of its report.
 */
static inline u64 onramp_compensation(const struct onramp_vars *v,
				      const struct onramp_sample *x)
{
	u64 hold_rtt_ns = max_t(s64, x->total_now_ns - x->total_ns, 0);

	return (hold_rtt_ns >> 16) * v->beta_q16 +
	       ((hold_rtt_ns & 65535) * v->beta_q16 >> 16);
}

/**
 * onramp_judge() - the hold that follows from a delay, without learning from it
 * @p: parameters
 * @v: state
 * @x: the packet, or, for the first of a new flow, the path's last delay with
 *	@x->total_ns equal to @x->total_now_ns (section 5.2.1)
 *
 * Return: the hold, at most @p->max_hold_ns; none if O - beta x P is at or
 * below T.
 */
static inline struct onramp_decision
onramp_judge(const struct onramp_params *p, const struct onramp_vars *v,
	     const struct onramp_sample *x)
{
	struct onramp_decision d = {};
	u64 floor_ns = x->threshold_ns;

	if (p->law != ONRAMP_STRAWMAN)
		floor_ns += onramp_compensation(v, x);
	if (x->owd_ns <= 0 || (u64)x->owd_ns <= floor_ns)
		return d;
	d.hold_ns = (u64)x->owd_ns - floor_ns;
	if (d.hold_ns > p->max_hold_ns) {
		d.hold_ns = p->max_hold_ns;
		d.bounded = true;
	}
	return d;
}

/**
 * onramp_on_sample() - the arrival of a packet was reported
 * @p: parameters
 * @v: state
 * @x: the packet; not one that was sent twice
 *
 * Return: the hold, see onramp_judge().
 */
static inline struct onramp_decision
onramp_on_sample(const struct onramp_params *p, struct onramp_vars *v,
		 const struct onramp_sample *x)
{
	onramp_learn(p, v, x);
	return onramp_judge(p, v, x);
}

#endif /* SHARPRAMP_ALGO_ONRAMP_H */
