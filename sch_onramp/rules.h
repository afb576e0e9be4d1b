/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A packet leaves at the maximum of several laws' times.  Each law has a file,
 * owns its time, and may move it either way.
 */
#ifndef SHARPRAMP_ORQ_LAWS_H
#define SHARPRAMP_ORQ_LAWS_H

#include "rule_edt.h"
#include "rule_hold.h"
#include "rule_pace.h"

/* Without holds: what they are counted against. */
static inline u64 orq_laws_others(const struct orq_queue *f,
				  const struct sk_buff *skb)
{
	return max(orq_edt_time(f, skb), orq_pace_time(f));
}

/**
 * orq_laws_time() - when the head of a queue may leave
 * @f: the queue
 * @skb: its head
 *
 * Return: ns.
 */
static inline u64 orq_laws_time(const struct orq_queue *f,
				const struct sk_buff *skb)
{
	return max(orq_laws_others(f, skb), orq_hold_time(f, skb));
}

/**
 * orq_laws_next() - which packet of a queue leaves first, and when
 * @f: the queue, with a packet
 * @now: time
 * @due: written, ns
 *
 * It is the head, unless that only waits for its hold to end: a pure ACK passes
 * it then, since who waits for that sends the other way, where no queue was
 * measured.  A FIN does not, nor a RST: both are about the data before them.
 *
 * Return: the packet, which stays.
 */
static inline struct sk_buff *orq_laws_next(const struct orq_queue *f, u64 now,
					    u64 *due)
{
	struct sk_buff *head = orq_queue_peek(f), *passing;
	u64 passing_due;

	*due = orq_laws_time(f, head);
	if (likely(*due <= now || !orq_queue_may_pass(f) ||
		   orq_hold_time(f, head) < *due))
		return head;
	passing = orq_queue_peek_passing(f);
	if (!passing)
		return head;
	passing_due = orq_laws_time(f, passing);
	if (passing_due >= *due)
		return head;
	*due = passing_due;
	return passing;
}

/**
 * orq_laws_sent() - a packet leaves; each law sets its time for the next
 * @q: the qdisc
 * @f: its queue, which does not count it any more and has paid for it
 * @skb: the packet
 * @now: time
 */
static inline void orq_laws_sent(struct orq_sched *q, struct orq_queue *f,
				 const struct sk_buff *skb, u64 now)
{
	u64 hold_ns = orq_hold_sent(f, skb, now);

	if (unlikely(hold_ns)) {
		u64 others_ns = orq_laws_others(f, skb);

		if (hold_ns > others_ns) {
			q->count.held++;
			q->count.held_time_ns += hold_ns - others_ns;
		}
	}
	orq_edt_sent(f, skb, hold_ns);
	orq_pace_sent(q, f, skb, now);
}

/**
 * orq_laws_passed() - a packet leaves before the head, which is still held: its
 *	hold and the schedule of departure times stay as they are
 * @q: the qdisc
 * @f: its queue, which does not count it any more and has paid for it
 * @skb: the packet
 * @now: time
 */
static inline void orq_laws_passed(struct orq_sched *q, struct orq_queue *f,
				   const struct sk_buff *skb, u64 now)
{
	q->count.passed++;
	orq_pace_sent(q, f, skb, now);
}

#endif /* SHARPRAMP_ORQ_LAWS_H */
