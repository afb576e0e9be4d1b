/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The law of holds: a TCP packet with payload leaves no earlier than On-Ramp's
 * t_next for its flow, which core moves either way at any time.
 */
#ifndef SHARPRAMP_ORQ_LAW_HOLD_H
#define SHARPRAMP_ORQ_LAW_HOLD_H

#include "sch_onramp.h"

/**
 * orq_hold_time() - when a packet may leave by this law
 * @f: its queue
 * @skb: the packet
 *
 * Return: ns; 0 if it is not held.
 */
static inline u64 orq_hold_time(const struct orq_queue *f,
				const struct sk_buff *skb)
{
	if (!f->tie || !orq_cb(skb)->payload)
		return 0;
	return onramp_watch_t_next(&f->tie->watch);
}

/**
 * orq_hold_wait() - the head of a queue is not due
 * @f: the queue
 */
static inline void orq_hold_wait(struct orq_queue *f)
{
	if (f->tie)
		f->tie->hold_ns = orq_hold_time(f, orq_queue_peek(f));
}

/**
 * orq_hold_over() - until when holds that are over kept what waits in a queue
 * @f: the queue
 *
 * Return: ns; 0 if none did.
 */
static inline u64 orq_hold_over(const struct orq_queue *f)
{
	return f->tie ? f->tie->over_ns : 0;
}

/**
 * orq_hold_sent() - a packet leaves
 * @f: its queue
 * @skb: the packet
 * @now: time
 *
 * Return: when the hold before it ended: as it was set, or now if core cut it
 * while the packet waited for it; 0 if there was none.
 */
static inline u64 orq_hold_sent(struct orq_queue *f, const struct sk_buff *skb,
				u64 now)
{
	u64 end_ns;

	if (!f->tie)
		return 0;
	end_ns = min(max(orq_hold_time(f, skb), f->tie->hold_ns), now);
	f->tie->hold_ns = 0;
	f->tie->over_ns = max(f->tie->over_ns, end_ns);
	return end_ns;
}

#endif /* SHARPRAMP_ORQ_LAW_HOLD_H */
