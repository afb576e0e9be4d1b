/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rule of holds: a TCP packet with payload leaves no earlier than On-Ramp's
 * t_next for its flow, which core moves either way at any time.
 */
#ifndef SHARPRAMP_ONRAMPQ_RULE_HOLD_H
#define SHARPRAMP_ONRAMPQ_RULE_HOLD_H

#include "sch_onramp.h"

/**
 * onrampq_hold_time() - when a packet may leave by this rule
 * @f: its queue
 * @skb: the packet
 *
 * Return: ns; 0 if it is not held.
 */
static inline u64 onrampq_hold_time(const struct onrampq_queue *f,
				    const struct sk_buff *skb)
{
	if (!f->binding || !onrampq_cb(skb)->payload)
		return 0;
	return onramp_attachment_t_next(&f->binding->att);
}

/**
 * onrampq_hold_wait() - the head of a queue is not due
 * @q: the qdisc
 * @f: the queue
 * @now: time
 *
 * A flow that was held once waits for other rules, too: a hold that is over is none.
 */
static inline void onrampq_hold_wait(struct onrampq_sched *q, struct onrampq_queue *f, u64 now)
{
	u64 hold_ns;

	if (!f->binding)
		return;
	hold_ns = onrampq_hold_time(f, onrampq_queue_peek(f));
	f->binding->hold_ns = hold_ns > now ? hold_ns : 0;
	onrampq_bind_count(q, f->binding, false);
}

/**
 * onrampq_hold_waited() - is a packet the first that waited for a hold?
 * @f: its queue
 * @skb: the packet, which leaves
 *
 * Return: true if it is.
 */
static inline bool onrampq_hold_waited(const struct onrampq_queue *f,
				       const struct sk_buff *skb)
{
	return f->binding && f->binding->hold_ns && onrampq_cb(skb)->payload;
}

/**
 * onrampq_hold_over() - until when holds that are over kept what waits in a queue
 * @f: the queue
 *
 * Return: ns; 0 if none did.
 */
static inline u64 onrampq_hold_over(const struct onrampq_queue *f)
{
	return f->binding ? f->binding->over_ns : 0;
}

/**
 * onrampq_hold_sent() - a packet leaves
 * @f: its queue
 * @skb: the packet
 * @now: time
 *
 * Return: when the hold before it ended: as it was set, or now if core cut it
 * while the packet waited for it; 0 if there was none.
 */
static inline u64 onrampq_hold_sent(struct onrampq_queue *f, const struct sk_buff *skb,
				    u64 now)
{
	u64 end_ns;

	if (!f->binding)
		return 0;
	end_ns = min(max(onrampq_hold_time(f, skb), f->binding->hold_ns), now);
	f->binding->hold_ns = 0;
	f->binding->over_ns = max(f->binding->over_ns, end_ns);
	return end_ns;
}

#endif /* SHARPRAMP_ONRAMPQ_RULE_HOLD_H */
