/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rule of earliest departure times: a packet leaves no earlier than its
 * sender requested.
 *
 * A hold moves that schedule.  The packet that was held leaves when the hold
 * ends, those behind it keep the gap that their times gave, or that their
 * pacing rate requires if that is less; otherwise all whose time passed
 * meanwhile would leave in one burst (section 3 of the On-Ramp paper).  So the
 * schedule is back to what the sender requested as soon as a gap is wider than the
 * rate needs, which is the case when TCP, stopped by its small queue, sends on.
 */
#ifndef SHARPRAMP_ONRAMPQ_RULE_EDT_H
#define SHARPRAMP_ONRAMPQ_RULE_EDT_H

#include "sch_onramp.h"

/**
 * onrampq_edt_time() - when a packet may leave by this rule
 * @f: its queue
 * @skb: the packet
 *
 * Return: ns.
 */
static inline u64 onrampq_edt_time(const struct onrampq_queue *f,
				   const struct sk_buff *skb)
{
	u64 time_ns = onrampq_cb(skb)->time_ns;
	const struct onrampq_shift *s;
	u64 gap_ns;

	if (likely(!f->binding || !f->binding->shift.left_ns))
		return time_ns;
	s = &f->binding->shift;
	gap_ns = time_ns > s->time_ns ? time_ns - s->time_ns : 0;
	return max(time_ns, s->left_ns + min(gap_ns, s->gap_ns));
}

/* The gap behind a packet that its socket's pacing rate requires. */
static inline u64 onrampq_edt_gap(const struct sk_buff *skb)
{
	unsigned long rate;

	if (!skb->sk)
		return U64_MAX;
	rate = READ_ONCE(skb->sk->sk_pacing_rate);
	if (rate == ~0UL)
		return 0;
	return div64_ul((u64)qdisc_pkt_len(skb) * NSEC_PER_SEC, max(rate, 1UL));
}

/**
 * onrampq_edt_sent() - a packet leaves
 * @f: its queue, which does not count it any more
 * @skb: the packet
 * @hold_ns: when the last hold before it ended; 0 if there was none
 *
 * Without a rate the gaps of those that wait behind it are all that is known; and
 * only those are moved in a queue that is held no more.
 */
static inline void onrampq_edt_sent(struct onrampq_queue *f, const struct sk_buff *skb,
				    u64 hold_ns)
{
	const struct onrampq_cb *cb = onrampq_cb(skb);
	struct onrampq_shift *s;
	u64 left_ns;

	if (!f->binding)
		return;
	s = &f->binding->shift;
	if (likely(!s->left_ns && hold_ns <= cb->time_ns))
		return;
	left_ns = max(onrampq_edt_time(f, skb), hold_ns);
	if (!cb->edt || left_ns <= cb->time_ns) {
		s->left_ns = 0;
		return;
	}
	s->left_ns = left_ns;
	s->time_ns = cb->time_ns;
	s->gap_ns = onrampq_edt_gap(skb);
	if (!f->qlen && (s->gap_ns == U64_MAX || !f->binding->att.flow))
		s->left_ns = 0;
}

#endif /* SHARPRAMP_ONRAMPQ_RULE_EDT_H */
