/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: the holds of one flow, and A(t), the time up to t during which one
 * was asserted, whether or not a packet waited.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, section 3.2.  P of
 * equation 4 and P_BG of equation 3 are differences of A.
 *
 * A hold that is set while another lasts replaces it, and may well end
 * earlier; so nothing that lies ahead is ever counted, only what has gone by.
 *
 * Holds that follow each other without a packet between them last max_hold at
 * most, all together.  The paper has no such bound and needs none, as long as
 * nobody lies: what a packet is reported to have waited has been and gone, and
 * each report is about another packet.  A receiver that lies can report a packet
 * again and again, and each time report that it waited until just now.  So a packet
 * that waits leaves after max_hold, whatever is reported.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_HOLD_H
#define SHARPRAMP_ALGO_ONRAMP_HOLD_H

#include "port.h"

/**
 * struct onramp_hold - all zero at the start: no hold, and none before
 * @begin_ns: when the last hold was set
 * @t_next_ns: when it ends; the paper's t_NextPkt
 * @done_ns: A(@begin_ns)
 * @first_ns: when the first hold was set after a packet left; valid if @has_first
 * @has_first: no packet has left since
 */
struct onramp_hold {
	u64 begin_ns;
	u64 t_next_ns;
	u64 done_ns;
	u64 first_ns;
	bool has_first;
};

/**
 * onramp_hold_total() - A(now)
 * @p: the holds
 * @now_ns: if it is before the last onramp_hold_set(), A is that of then
 *
 * Return: ns of hold asserted up to @now_ns.
 */
static inline u64 onramp_hold_total(const struct onramp_hold *p, u64 now_ns)
{
	u64 end_ns = min(now_ns, p->t_next_ns);

	return p->done_ns + (end_ns > p->begin_ns ? end_ns - p->begin_ns : 0);
}

/**
 * onramp_hold_set() - a hold from now, in place of what was set before
 * @p: the holds
 * @now_ns: time; if it is before the last onramp_hold_set(), for instance since
 *	another CPU came first, the hold is from then, and nothing counts twice
 * @t_next_ns: when it ends; @now_ns or earlier ends the last one
 */
static inline void onramp_hold_set(struct onramp_hold *p, u64 now_ns,
				   u64 t_next_ns)
{
	p->done_ns = onramp_hold_total(p, now_ns);
	p->begin_ns = max(p->begin_ns, now_ns);
	p->t_next_ns = t_next_ns;
	if (!p->has_first)
		p->first_ns = now_ns;
	p->has_first = true;
}

/**
 * onramp_hold_until() - when a requested hold ends
 * @p: the holds
 * @now_ns: time, monotone
 * @hold_ns: how long it would be
 * @max_hold_ns: bound, of this one and those before without a packet between
 *
 * Return: @t_next_ns for onramp_hold_set().
 */
static inline u64 onramp_hold_until(const struct onramp_hold *p, u64 now_ns,
				    u64 hold_ns, u64 max_hold_ns)
{
	u64 since_ns = p->has_first ? p->first_ns : now_ns;

	return min(now_ns + hold_ns, since_ns + max_hold_ns);
}

/**
 * onramp_hold_on_packet() - a packet of the flow left
 * @p: the holds
 */
static inline void onramp_hold_on_packet(struct onramp_hold *p)
{
	p->has_first = false;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_HOLD_H */
