/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DCQCN: a sender's rate, reacting to marks.
 *
 * Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
 * SIGCOMM 2015, sections 3 and 4; where it refers to QCN, IEEE 802.1Qau and
 * the reaction point of the authors' simulator.
 *
 * The receiver (notification point, NP) answers marked packets of a flow with
 * congestion notification packets (CNP), at most one in cnp_ns. The sender
 * (reaction point, RP) paces the flow: each CNP cuts its rate, a timer and
 * a byte counter let it grow again.
 *
 *   in the paper         here
 *   RC, RT               cur_bps, tgt_bps
 *   alpha, g             alpha (Q24), 2^-g_shift
 *   K                    alpha_ns
 *   T, B                 timer_ns, bytes
 *   T, BC (counts)       time_stage, byte_stage
 *   F                    recovery
 *   R_AI, R_HAI          ai_bps, hai_bps
 *   N                    cnp_ns
 *
 * CNP:           RT = RC, RC = RC (1 - alpha / 2), alpha = (1 - g) alpha + g
 * none for K:    alpha = (1 - g) alpha
 * T or B is up:  its stage grows by one, then RT += increase, RC = (RC + RT) / 2
 *
 *   larger stage < F     fast recovery      increase = 0
 *   smaller stage < F    additive           increase = R_AI
 *   else                 hyper              increase = R_HAI (smaller - F + 1)
 *                                           and T and B are halved
 *
 * A flow starts at line rate and unlimited: neither T nor B runs before the
 * first CNP, nor after RC is back at line rate. QCN also lowers a target above
 * ten times the rate; here RT is RC at each CNP, which cuts by half at most,
 * so that cannot be.
 *
 * Nothing happens between calls: dcqcn_advance() makes up for the timers that
 * are up since the last one, so a sender needs no timer other than that of its pacing.
 */
#ifndef FLOWGEN_DCQCN_H
#define FLOWGEN_DCQCN_H

#include "types.h"

/* Rates fit 39 bits, so that times alpha they fit 63. */
#define DCQCN_LINE_MAX	400000000000ULL
#define DCQCN_LINE_MIN	1000000ULL

#define DCQCN_ALPHA_ONE	(1U << 24)

/**
 * struct dcqcn_params - constants of the algorithm
 * @line_bps: rate at which a flow starts and which it never exceeds
 * @min_bps: rate below which none is cut, above 0
 * @ai_bps: step of the additive increase, above 0
 * @hai_bps: step of the hyper increase
 * @bytes: of the byte counter, at least 2; UINT64_MAX for none
 * @timer_ns: of the rate's timer, at least 2
 * @alpha_ns: without a CNP until alpha decays, above 0
 * @cnp_ns: least time between the CNPs of a flow
 * @g_shift: minus the binary logarithm of g, 1 to 16
 * @recovery: stages of fast recovery
 */
struct dcqcn_params {
	u64 line_bps;
	u64 min_bps;
	u64 ai_bps;
	u64 hai_bps;
	u64 bytes;
	u64 timer_ns;
	u64 alpha_ns;
	u64 cnp_ns;
	u32 g_shift;
	u32 recovery;
};

/**
 * struct dcqcn_vars - state of a flow's reaction point
 * @cur_bps: rate, @min_bps to @line_bps
 * @tgt_bps: rate that fast recovery returns to; may exceed the line's
 * @timer_at: when the timer is up, ns; valid if @limited
 * @alpha_at: when alpha decays, ns
 * @bytes_left: until the byte counter is up; valid if @limited
 * @alpha: estimate of the congestion, 0 to DCQCN_ALPHA_ONE
 * @byte_stage: how often the byte counter was up since the last CNP
 * @time_stage: how often the timer was
 * @limited: the rate is below the line's
 */
struct dcqcn_vars {
	u64 cur_bps;
	u64 tgt_bps;
	u64 timer_at;
	u64 alpha_at;
	u64 bytes_left;
	u32 alpha;
	u32 byte_stage;
	u32 time_stage;
	bool limited;
};

/**
 * struct dcqcn_stats - counters of the algorithm
 * @cnps: notifications
 * @fast: steps of fast recovery
 * @additive: steps of additive increase
 * @hyper: steps of hyper increase
 */
struct dcqcn_stats {
	u64 cnps;
	u64 fast;
	u64 additive;
	u64 hyper;
};

/**
 * struct dcqcn_np - state of a flow's notification point; zero at the start
 * @next_ns: before that no further CNP
 */
struct dcqcn_np {
	u64 next_ns;
};

/**
 * enum dcqcn_set - published sets of constants
 * @DCQCN_PAPER: of the paper
 * @DCQCN_NS3: of the example in its authors' simulator
 * @DCQCN_CLOUD: of a cloud provider, as HPCC's authors (SIGCOMM 2019) had them
 */
enum dcqcn_set { DCQCN_PAPER, DCQCN_NS3, DCQCN_CLOUD };

/**
 * dcqcn_set_params() - take a published set, its rates scaled to a line's
 * @p: receives it
 * @set: which
 * @line_bps: DCQCN_LINE_MIN to DCQCN_LINE_MAX
 *
 * The first two were stated for 40 Gbit/s (R_AI 40, R_HAI 200 Mbit/s), the
 * third for 25 Gbit/s (5, 50); its least rate is 1 Gbit/s of 100 Gbit/s.
 */
static inline void dcqcn_set_params(struct dcqcn_params *p, enum dcqcn_set set, u64 line_bps)
{
	*p = (struct dcqcn_params) {
		.line_bps = line_bps,
		.min_bps = line_bps / 1000,
		.ai_bps = line_bps / 1000,
		.hai_bps = line_bps / 200,
		.bytes = set == DCQCN_NS3 ? 300000000 : 10000000,
		.timer_ns = set == DCQCN_NS3 ? 60000 : 55000,
		.alpha_ns = 55000,
		.cnp_ns = 50000,
		.g_shift = 8,
		.recovery = 5,
	};
	if (set != DCQCN_CLOUD)
		return;
	p->min_bps = line_bps / 100;
	p->ai_bps = line_bps / 5000;
	p->hai_bps = line_bps / 500;
	p->bytes = UINT64_MAX;
	p->timer_ns = 300000;
	p->alpha_ns = 1000;
	p->cnp_ns = 4000;
	p->recovery = 1;
}

/**
 * dcqcn_init() - a flow begins
 * @p: constants
 * @v: receives its state
 */
static inline void dcqcn_init(const struct dcqcn_params *p, struct dcqcn_vars *v)
{
	*v = (struct dcqcn_vars) {
		.cur_bps = p->line_bps,
		.tgt_bps = p->line_bps,
		.alpha_at = UINT64_MAX,
		.alpha = DCQCN_ALPHA_ONE,
	};
}

static inline u32 dcqcn_lesser_stage(const struct dcqcn_vars *v)
{
	return v->byte_stage < v->time_stage ? v->byte_stage : v->time_stage;
}

/* A counter was up: what its reload is divided by. */
static inline u32 dcqcn_reload_shift(const struct dcqcn_params *p, const struct dcqcn_vars *v)
{
	return dcqcn_lesser_stage(v) >= p->recovery;
}

static inline void dcqcn_increase(const struct dcqcn_params *p, struct dcqcn_vars *v,
				  struct dcqcn_stats *s)
{
	u32 lesser = dcqcn_lesser_stage(v);

	if (lesser >= p->recovery) {
		s->hyper++;
		v->tgt_bps += p->hai_bps * (lesser - p->recovery + 1);
	} else if (v->byte_stage >= p->recovery || v->time_stage >= p->recovery) {
		s->additive++;
		v->tgt_bps += p->ai_bps;
	} else {
		s->fast++;
	}
	v->cur_bps = (v->cur_bps + v->tgt_bps) / 2;
	if (v->cur_bps < p->line_bps)
		return;
	v->cur_bps = p->line_bps;
	v->limited = false;
}

/**
 * dcqcn_advance() - make up for the timers that are up
 * @p: constants
 * @v: state
 * @s: counters
 * @now_ns: time; one before that of an earlier call does nothing
 *
 * Takes at most as many steps as bring the rate back to the line's, and alpha
 * to 0: the timer's and alpha's steps do not touch each other.
 */
static inline void dcqcn_advance(const struct dcqcn_params *p, struct dcqcn_vars *v,
				 struct dcqcn_stats *s, u64 now_ns)
{
	while (v->alpha && v->alpha_at <= now_ns) {
		v->alpha_at += p->alpha_ns;
		/* rounded up, so that it comes to 0 */
		v->alpha -= (v->alpha + (1U << p->g_shift) - 1) >> p->g_shift;
	}
	while (v->limited && v->timer_at <= now_ns) {
		v->time_stage++;
		v->timer_at += p->timer_ns >> dcqcn_reload_shift(p, v);
		dcqcn_increase(p, v, s);
	}
}

/**
 * dcqcn_on_sent() - a flow sends
 * @p: constants
 * @v: state, advanced to now
 * @s: counters
 * @bytes: how much
 */
static inline void dcqcn_on_sent(const struct dcqcn_params *p, struct dcqcn_vars *v,
				 struct dcqcn_stats *s, u64 bytes)
{
	while (v->limited && p->bytes != UINT64_MAX) {
		if (bytes < v->bytes_left) {
			v->bytes_left -= bytes;
			break;
		}
		bytes -= v->bytes_left;
		v->byte_stage++;
		v->bytes_left = p->bytes >> dcqcn_reload_shift(p, v);
		dcqcn_increase(p, v, s);
	}
}

/**
 * dcqcn_on_cnp() - a flow receives a congestion notification
 * @p: constants
 * @v: state
 * @s: counters
 * @now_ns: time
 */
static inline void dcqcn_on_cnp(const struct dcqcn_params *p, struct dcqcn_vars *v,
				struct dcqcn_stats *s, u64 now_ns)
{
	dcqcn_advance(p, v, s, now_ns);
	s->cnps++;
	v->tgt_bps = v->cur_bps;
	v->cur_bps -= v->cur_bps * v->alpha / (2 * (u64)DCQCN_ALPHA_ONE);
	if (v->cur_bps < p->min_bps)
		v->cur_bps = p->min_bps;
	v->alpha += (DCQCN_ALPHA_ONE - v->alpha) >> p->g_shift;
	v->byte_stage = 0;
	v->time_stage = 0;
	v->bytes_left = p->bytes;
	v->timer_at = now_ns + p->timer_ns;
	v->alpha_at = now_ns + p->alpha_ns;
	v->limited = true;
}

/**
 * dcqcn_pay() - pay for what was sent, at the rate as it grows meanwhile
 * @p: constants
 * @v: state, advanced to @from at least; it is advanced as far as is paid
 * @s: counters
 * @owed: bits times 10^9, at most 2^62; what is left of it
 * @from: paid until then, ns
 * @until: no payment after that, not before @from; UINT64_MAX for none
 *
 * A flow that was cut deeply would wait for too long if what it sent were paid
 * at the rate of that moment alone. A copy of the state tells the future as
 * it is without further CNPs.
 *
 * Return: when all was paid, at most @until.
 */
static inline u64 dcqcn_pay(const struct dcqcn_params *p, struct dcqcn_vars *v,
			    struct dcqcn_stats *s, u64 *owed, u64 from, u64 until)
{
	for (;;) {
		bool grows = v->limited && v->timer_at < until;
		u64 end = !grows ? until : v->timer_at > from ? v->timer_at : from;
		u64 gap = *owed / v->cur_bps;

		if (gap <= end - from) {
			*owed = 0;
			return from + gap;
		}
		*owed -= (end - from) * v->cur_bps;
		if (!grows)
			return until;
		from = end;
		dcqcn_advance(p, v, s, end);
	}
}

/**
 * dcqcn_on_mark() - a marked packet of a flow arrives
 * @p: constants
 * @np: state of the notification point
 * @now_ns: time
 *
 * Return: true if a CNP is to be sent.
 */
static inline bool dcqcn_on_mark(const struct dcqcn_params *p, struct dcqcn_np *np, u64 now_ns)
{
	if (now_ns < np->next_ns)
		return false;
	np->next_ns = now_ns + p->cnp_ns;
	return true;
}

#endif
