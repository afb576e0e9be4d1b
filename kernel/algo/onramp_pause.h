/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: the pauses of one flow, and A(t), the time up to t during which one
 * was asserted, whether or not a packet waited.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, section 3.2.  P of
 * equation 4 and P_BG of equation 3 are differences of A.
 *
 * A pause that is set while another lasts replaces it, and may well end
 * earlier; so nothing that lies ahead is ever counted, only what has gone by.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_PAUSE_H
#define SHARPRAMP_ALGO_ONRAMP_PAUSE_H

#include "port.h"

/**
 * struct onramp_pause - all zero at the start: no pause, and none before
 * @begin_ns: when the last pause was set
 * @t_next_ns: when it ends; the paper's t_NextPkt
 * @done_ns: A(@begin_ns)
 */
struct onramp_pause {
	u64 begin_ns;
	u64 t_next_ns;
	u64 done_ns;
};

/**
 * onramp_pause_total() - A(now)
 * @p: the pauses
 * @now_ns: not before the last onramp_pause_set()
 *
 * Return: ns of pause asserted up to @now_ns.
 */
static inline u64 onramp_pause_total(const struct onramp_pause *p, u64 now_ns)
{
	u64 end_ns = min(now_ns, p->t_next_ns);

	return p->done_ns + (end_ns > p->begin_ns ? end_ns - p->begin_ns : 0);
}

/**
 * onramp_pause_set() - a pause from now, in place of what was set before
 * @p: the pauses
 * @now_ns: time, monotone
 * @t_next_ns: when it ends; @now_ns or earlier ends the last one
 */
static inline void onramp_pause_set(struct onramp_pause *p, u64 now_ns,
				    u64 t_next_ns)
{
	p->done_ns = onramp_pause_total(p, now_ns);
	p->begin_ns = now_ns;
	p->t_next_ns = t_next_ns;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_PAUSE_H */
