/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rule of pacing: a flow sends no faster than its socket's rate, for packets
 * that bring no departure time, and no faster than maxrate.
 */
#ifndef SHARPRAMP_ONRAMPQ_RULE_PACE_H
#define SHARPRAMP_ONRAMPQ_RULE_PACE_H

#include "sch_onramp.h"

/**
 * onrampq_pace_time() - when a packet may leave by this rule
 * @f: its queue
 *
 * Return: ns.
 */
static inline u64 onrampq_pace_time(const struct onrampq_queue *f)
{
	return f->pace_ns;
}

/*
 * How long a packet of @len bytes takes.  Rates change: none is used for
 * longer than a second.
 */
static inline u64 onrampq_pace_span(struct onrampq_sched *q, u32 len,
				    unsigned long rate)
{
	u64 span_ns = (u64)len * NSEC_PER_SEC;

	if (rate)
		span_ns = div64_ul(span_ns, rate);
	if (unlikely(span_ns > NSEC_PER_SEC)) {
		q->count.pkts_too_long++;
		return NSEC_PER_SEC;
	}
	return span_ns;
}

/**
 * onrampq_pace_sent() - a packet leaves
 * @sch: the qdisc
 * @f: its queue, which has paid for the packet
 * @skb: the packet
 *
 * Fast flows are paced by quanta, slow ones by packets.  By how much a packet
 * left after the flow's last time, which a hold moves too, the next gap is
 * shorter, but not by more than half.
 */
static inline void onrampq_pace_sent(struct Qdisc *sch, struct onrampq_queue *f,
				     const struct sk_buff *skb)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	const struct onrampq_conf *conf = &q->conf;
	unsigned long rate = conf->maxrate;
	u32 len = qdisc_pkt_len(skb);
	u64 span_ns, from_ns, now;

	if (!conf->pacing)
		return;
	if (!onrampq_cb(skb)->edt) {
		if (skb->sk)
			rate = min(READ_ONCE(skb->sk->sk_pacing_rate), rate);
		if (rate <= conf->low_rate) {
			f->credit = 0;
		} else {
			len = max(len, conf->quantum);
			if (f->credit > 0)
				return;
		}
	}
	if (rate == ~0UL)
		return;

	now = onrampq_exact_time(sch);
	span_ns = onrampq_pace_span(q, len, rate);
	from_ns = max(f->pace_ns, min(f->due_ns, now));
	if (from_ns)
		span_ns -= min(span_ns / 2, now - from_ns);
	f->pace_ns = now + span_ns;
}

#endif /* SHARPRAMP_ONRAMPQ_RULE_PACE_H */
