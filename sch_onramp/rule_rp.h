/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rule of reaction points: a packet of a flow that CNMs are about leaves at its reaction
 * point's rate, however many queues have packets of it.
 */
#ifndef SHARPRAMP_ONRAMPQ_RULE_RP_H
#define SHARPRAMP_ONRAMPQ_RULE_RP_H

#include "sch_onramp.h"

/**
 * onrampq_rp_time() - when a packet may leave by this rule
 * @q: the qdisc
 * @skb: the packet
 * @now: time
 *
 * Return: ns; 0 if nothing limits it.
 */
static inline u64 onrampq_rp_time(const struct onrampq_sched *q, const struct sk_buff *skb,
				  u64 now)
{
	if (likely(!q->rp || !onrampq_cb(skb)->rp))
		return 0;
	return onrampq_rp_next(q->rp, onrampq_cb(skb)->rp, now);
}

/**
 * onrampq_rp_leave() - a packet leaves
 * @q: the qdisc
 * @skb: the packet
 * @now: time
 */
static inline void onrampq_rp_leave(struct onrampq_sched *q, const struct sk_buff *skb, u64 now)
{
	if (unlikely(q->rp && onrampq_cb(skb)->rp))
		onrampq_rp_sent(q->rp, onrampq_cb(skb)->rp, skb, now);
}

#endif /* SHARPRAMP_ONRAMPQ_RULE_RP_H */
