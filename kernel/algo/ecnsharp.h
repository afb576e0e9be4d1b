/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ECN#: mark on instantaneous and on persistent queueing.
 *
 * Source: Zhang, Bai, Chen, "Enabling ECN for Datacenter Networks with RTT
 * Variations", IEEE TCC 2022, section 3.2 and Algorithm 1.
 *
 * A switch must choose one marking threshold K = lambda x C x RTT for flows
 * whose base RTTs differ threefold.  A high one lets the flows with short RTTs
 * build a standing queue; a low one starves the flows with long RTTs.  ECN#
 * keeps the high one for bursts (the instantaneous signal) and adds a slow,
 * conservative second one: when the queue has stayed above a low target for
 * a whole interval, one packet is marked, then another after an interval, then
 * after 1/2, 1/3, ... of it, until the queue falls below the target.
 *
 *   in the paper         here
 *   sojourn_time         level_ns, see ecnsharp_level_ns()
 *   first_above_time     first_above_ns, with is_above for its zero
 *   marking_state        marking
 *   marking_count        count
 *   marking_next         next_ns
 *   detected             return value of ecnsharp_detect()
 *
 * The schedule is the paper's, marking_next += pst_interval / marking_count,
 * counted from the previous due time and not from now.  The sum of 1/k grows
 * as ln n, so the number of marks grows as e^(t / interval): at 10 Gbit/s with
 * 1500-byte packets and 200 us every packet is marked after about six
 * intervals.  ecnsharp_stats.pst_saturated counts the marks given while the
 * schedule asks for more than one a packet.
 *
 * An empty queue: Algorithm 1 looks only at packets.  The paper means the
 * *minimal* queueing over an interval (3.2), and no queueing is less than that
 * of an empty queue, so a packet that leaves nothing behind ends what was
 * observed, as if one with level 0 had followed it.  Where that packet's
 * successor finds the link idle Algorithm 1 decides the same one packet later.
 * The difference shows under a shaper, a scheduler or a paused link, where the
 * first packet after an idle time may itself wait longer than pst_target:
 * without the rule it would be marked for a queue that ended long ago.
 */
#ifndef SHARPRAMP_ALGO_ECNSHARP_H
#define SHARPRAMP_ALGO_ECNSHARP_H

#include "ecnsharp_params.h"

/**
 * struct ecnsharp_vars - state of the algorithm; all zero at the start
 * @first_above_ns: when the level reached pst_target; valid if @is_above
 * @next_ns: when the next persistent mark is due; valid if @marking
 * @count: persistent marks of this episode; stays at U32_MAX
 * @is_above: the last level was not below pst_target
 * @marking: a persistent queue was detected and has not ended: an episode
 */
struct ecnsharp_vars {
	u64 first_above_ns;
	u64 next_ns;
	u32 count;
	bool is_above;
	bool marking;
};

/**
 * struct ecnsharp_stats - what the algorithm counts
 * @pst_episodes: episodes begun
 * @pst_saturated: persistent marks whose successor was already due
 */
struct ecnsharp_stats {
	u64 pst_episodes;
	u64 pst_saturated;
};

/**
 * struct ecnsharp_sample - one packet leaving the queue, as the algorithm sees it
 * @now_ns: time, monotone
 * @sojourn_ns: how long the packet was in the queue
 * @backlog_bytes: what it leaves behind
 * @random: 32 random bits; only read if ecnsharp_wants_random()
 */
struct ecnsharp_sample {
	u64 now_ns;
	u64 sojourn_ns;
	u32 backlog_bytes;
	u32 random;
};

/**
 * enum ecnsharp_verdict - which signals want the packet marked, as bits
 * @ECNSHARP_MARK_NONE: neither
 * @ECNSHARP_MARK_INS: the instantaneous one
 * @ECNSHARP_MARK_PST: the persistent one
 * @ECNSHARP_MARK_BOTH: both
 */
enum ecnsharp_verdict {
	ECNSHARP_MARK_NONE = 0,
	ECNSHARP_MARK_INS = 1,
	ECNSHARP_MARK_PST = 2,
	ECNSHARP_MARK_BOTH = 3,
};

/**
 * ecnsharp_wants_random() - does the verdict depend on chance?
 * @p: parameters
 *
 * Return: true if ecnsharp_sample.random must be set.
 */
static inline bool ecnsharp_wants_random(const struct ecnsharp_params *p)
{
	return p->ins == ECNSHARP_INS_RAMP;
}

/**
 * ecnsharp_level_ns() - the signal that the targets are compared with
 * @p: parameters
 * @x: the packet
 *
 * With the length signal (section 3.5) it is the time that @p->rate_bps needs
 * for what is left behind.  Backlogs above 2^31 - 1 bytes count as that:
 * x 8e9 stays below 2^64.
 *
 * Return: the level in ns.
 */
static inline u64 ecnsharp_level_ns(const struct ecnsharp_params *p,
				    const struct ecnsharp_sample *x)
{
	u64 backlog = x->backlog_bytes;

	if (!p->length)
		return x->sojourn_ns;
	if (backlog > 2147483647)
		backlog = 2147483647;
	return div64_u64(backlog * 8000000000ULL, p->rate_bps);
}

/*
 * Linear from 0 at kmin to pmax at kmax, certain above it (section 3.5, as in
 * DCQCN).  pmax_q32 <= 2^32 and level - kmin <= 2^31: the product is below
 * 2^64, and the divisor fits 32 bits and is not 0 between the two.
 */
static inline bool ecnsharp_ramp_hit(const struct ecnsharp_params *p, u64 level,
				     u32 random)
{
	if (level <= p->kmin)
		return false;
	if (level > p->kmax)
		return true;
	return random < div_u64(p->pmax_q32 * (level - p->kmin),
				p->kmax - p->kmin);
}

static inline bool ecnsharp_instantaneous(const struct ecnsharp_params *p,
					  const struct ecnsharp_sample *x,
					  u64 level_ns)
{
	switch (p->ins) {
	case ECNSHARP_INS_STEP:
		return level_ns > p->ins_target_ns;
	case ECNSHARP_INS_RAMP:
		return ecnsharp_ramp_hit(p,
					 p->length ? x->backlog_bytes : level_ns,
					 x->random);
	default:
		return false;
	}
}

/* Algorithm 1, IsPersistentQueueBuildups. */
static inline bool ecnsharp_detect(const struct ecnsharp_params *p,
				   struct ecnsharp_vars *v, u64 now_ns,
				   u64 level_ns)
{
	if (level_ns < p->pst_target_ns) {
		v->is_above = false;
		return false;
	}
	if (!v->is_above) {
		v->is_above = true;
		v->first_above_ns = now_ns;
		return false;
	}
	return now_ns > v->first_above_ns + p->pst_interval_ns;
}

/**
 * ecnsharp_episode_begin() - the queue was above the target for an interval
 * @p: parameters
 * @v: state
 * @s: counters
 * @now_ns: time; the first mark of the episode is now
 */
static inline void ecnsharp_episode_begin(const struct ecnsharp_params *p,
					  struct ecnsharp_vars *v,
					  struct ecnsharp_stats *s, u64 now_ns)
{
	v->marking = true;
	v->count = 1;
	v->next_ns = now_ns + p->pst_interval_ns;
	s->pst_episodes++;
}

/* The next due time is reckoned from the last one, however late we are. */
static inline void ecnsharp_schedule(const struct ecnsharp_params *p,
				     struct ecnsharp_vars *v,
				     struct ecnsharp_stats *s, u64 now_ns)
{
	if (v->count < U32_MAX)
		v->count++;
	v->next_ns += div_u64(p->pst_interval_ns, v->count);
	if (now_ns > v->next_ns)
		s->pst_saturated++;
}

/* Algorithm 1, ShouldPersistentMark. */
static inline bool ecnsharp_persistent(const struct ecnsharp_params *p,
				       struct ecnsharp_vars *v,
				       struct ecnsharp_stats *s, u64 now_ns,
				       u64 level_ns)
{
	bool detected = ecnsharp_detect(p, v, now_ns, level_ns);

	if (v->marking) {
		if (!detected) {
			v->marking = false;
			v->count = 0;
			return false;
		}
		if (now_ns > v->next_ns) {
			ecnsharp_schedule(p, v, s, now_ns);
			return true;
		}
		return false;
	}
	if (detected) {
		ecnsharp_episode_begin(p, v, s, now_ns);
		return true;
	}
	return false;
}

/**
 * ecnsharp_on_empty() - the queue ran empty
 * @v: state; what was observed of a persistent queue is forgotten
 */
static inline void ecnsharp_on_empty(struct ecnsharp_vars *v)
{
	/* There is no episode below the target. */
	if (!v->is_above)
		return;
	v->is_above = false;
	v->marking = false;
	v->count = 0;
}

/**
 * ecnsharp_is_calm() - is a packet one at which nothing happens?
 * @p: parameters
 * @v: state
 * @level_ns: ecnsharp_level_ns() of the packet
 *
 * There is no episode while the last level was below the target, so most
 * packets of a queue that is short need no more than this.
 *
 * Return: true only if ecnsharp_on_dequeue() would neither want it marked nor
 * change state or counters.
 */
static inline bool ecnsharp_is_calm(const struct ecnsharp_params *p,
				    const struct ecnsharp_vars *v, u64 level_ns)
{
	return !ecnsharp_wants_random(p) && !v->is_above &&
	       level_ns < p->pst_target_ns && level_ns <= p->ins_target_ns;
}

/**
 * ecnsharp_on_dequeue() - a packet leaves the queue
 * @p: parameters
 * @v: state
 * @s: counters
 * @x: the packet; every packet must be shown, ECN-capable or not
 *
 * Return: which signals want it marked.
 */
static inline enum ecnsharp_verdict
ecnsharp_on_dequeue(const struct ecnsharp_params *p, struct ecnsharp_vars *v,
		    struct ecnsharp_stats *s, const struct ecnsharp_sample *x)
{
	u64 level_ns = ecnsharp_level_ns(p, x);
	u32 verdict = ECNSHARP_MARK_NONE;

	if (ecnsharp_instantaneous(p, x, level_ns))
		verdict |= ECNSHARP_MARK_INS;
	if (p->persistent &&
	    ecnsharp_persistent(p, v, s, x->now_ns, level_ns))
		verdict |= ECNSHARP_MARK_PST;
	if (!x->backlog_bytes)
		ecnsharp_on_empty(v);
	return (enum ecnsharp_verdict)verdict;
}

#endif /* SHARPRAMP_ALGO_ECNSHARP_H */
