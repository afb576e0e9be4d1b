/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A packet leaves at the latest of several rules' times.  Each rule has a file,
 * owns its time, and may move it either way.
 */
#ifndef SHARPRAMP_ONRAMPQ_RULES_H
#define SHARPRAMP_ONRAMPQ_RULES_H

#include "rule_edt.h"
#include "rule_hold.h"
#include "rule_pace.h"
#include "rule_rp.h"

/* Without holds: what they are counted against. */
static inline u64 onrampq_rules_others(const struct onrampq_sched *q,
				       const struct onrampq_queue *f,
				       const struct sk_buff *skb, u64 now)
{
	return max3(onrampq_edt_time(f, skb), onrampq_pace_time(f), onrampq_rp_time(q, skb, now));
}

/**
 * onrampq_rules_time() - when the head of a queue may leave
 * @q: the qdisc
 * @f: the queue
 * @skb: its head
 * @now: time
 *
 * Return: ns.
 */
static inline u64 onrampq_rules_time(const struct onrampq_sched *q,
				     const struct onrampq_queue *f,
				     const struct sk_buff *skb, u64 now)
{
	return max(onrampq_rules_others(q, f, skb, now), onrampq_hold_time(f, skb));
}

/**
 * onrampq_rules_next_moved() - as onrampq_rules_next(), where something may delay or move
 * @q: the qdisc
 * @f: the queue, with a packet
 * @now: time
 * @due: written, ns
 *
 * It is the head, unless that only waits for its hold to end: a pure ACK passes
 * it then, since a host that waits for that sends the other way, where no queue was
 * measured.  A FIN does not, nor a RST: both are about the data before them.
 *
 * Return: the packet, which stays.
 */
struct sk_buff *onrampq_rules_next_moved(const struct onrampq_sched *q,
					 const struct onrampq_queue *f, u64 now, u64 *due);

/**
 * onrampq_rules_next() - which packet of a queue leaves first, and when
 * @q: the qdisc
 * @f: the queue, with a packet
 * @calm: onrampq_is_calm(): no hold or reaction point delays or moves anything
 * @now: time
 * @due: written, ns
 *
 * Return: the packet, which stays.
 */
static inline struct sk_buff *onrampq_rules_next(const struct onrampq_sched *q,
						 const struct onrampq_queue *f, bool calm,
						 u64 now, u64 *due)
{
	struct sk_buff *head;

	if (unlikely(!calm))
		return onrampq_rules_next_moved(q, f, now, due);
	head = onrampq_queue_peek(f);
	*due = max(onrampq_cb(head)->time_ns, onrampq_pace_time(f));
	return head;
}

/* A packet leaves, and may have been held, or what it leaves behind is moved. */
static inline void onrampq_rules_moved(struct onrampq_sched *q, struct onrampq_queue *f,
				       const struct sk_buff *skb, u64 now)
{
	u64 hold_ns = onrampq_hold_sent(f, skb, now);

	if (unlikely(hold_ns)) {
		u64 others_ns = onrampq_rules_others(q, f, skb, now);

		if (hold_ns > others_ns) {
			q->count.held++;
			q->count.held_time_ns += hold_ns - others_ns;
		}
	}
	onrampq_edt_sent(f, skb, hold_ns);
	if (f->binding)
		onrampq_bind_count(q, f->binding,
				   f->qlen && onrampq_cb(skb)->time_ns < f->binding->over_ns);
	onrampq_rp_leave(q, skb, now);
}

/**
 * onrampq_rules_sent() - a packet leaves; each rule sets its time for the next
 * @sch: the qdisc
 * @f: its queue, which does not count it any more and has paid for it
 * @calm: as onrampq_rules_next() had it
 * @skb: the packet
 * @now: time
 */
static inline void onrampq_rules_sent(struct Qdisc *sch, struct onrampq_queue *f, bool calm,
				      const struct sk_buff *skb, u64 now)
{
	if (unlikely(!calm))
		onrampq_rules_moved(qdisc_priv(sch), f, skb, now);
	onrampq_pace_sent(sch, f, skb);
}

/**
 * onrampq_rules_overtook() - a packet leaves before the head, which is still held: its
 *	hold and the schedule of departure times stay as they are
 * @sch: the qdisc
 * @f: its queue, which does not count it any more and has paid for it
 * @skb: the packet
 * @now: time
 */
static inline void onrampq_rules_overtook(struct Qdisc *sch, struct onrampq_queue *f,
					  const struct sk_buff *skb, u64 now)
{
	struct onrampq_sched *q = qdisc_priv(sch);

	q->count.overtakes++;
	onrampq_rp_leave(q, skb, now);
	onrampq_pace_sent(sch, f, skb);
}

#endif /* SHARPRAMP_ONRAMPQ_RULES_H */
