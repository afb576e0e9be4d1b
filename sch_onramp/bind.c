// SPDX-License-Identifier: GPL-2.0
/*
 * The binding of a queue to On-Ramp's flow of its packets.  Apart from the queue,
 * so that a qdisc that holds nothing does not carry it.
 */
#include <linux/slab.h>

#include "sch_onramp.h"

static struct onrampq_binding *onrampq_bind_alloc(struct onrampq_sched *q, struct onrampq_queue *f)
{
	struct onrampq_binding *binding;

	binding = kzalloc(sizeof(*binding), GFP_ATOMIC | __GFP_NOWARN);
	if (unlikely(!binding)) {
		q->count.alloc_errors++;
		return NULL;
	}
	binding->queue = f;
	f->binding = binding;
	return binding;
}

/* A queue is its flow's no more, and what waits in it is held no more. */
static void onrampq_bind_leave(struct onrampq_binding *binding, u64 now)
{
	u64 hold_ns = max(onramp_attachment_t_next(&binding->att), binding->hold_ns);

	binding->over_ns = max(binding->over_ns, min(hold_ns, now));
	onramp_port_detach(&binding->att);
}

/*
 * A queue is that of a packet's flow.  One of orphans may get packets of several flows:
 * the last one counts.
 */
static void onrampq_bind_to(struct onrampq_sched *q, struct onrampq_queue *f,
			    const struct sk_buff *skb, struct onramp_packet *p, u64 now)
{
	struct onrampq_binding *binding = f->binding;

	if (unlikely(!binding)) {
		binding = onrampq_bind_alloc(q, f);
		if (!binding)
			return;
	}
	if (likely(binding->att.flow && f->sk &&
		   !onramp_attachment_is_gone(&binding->att)))
		return;
	if (binding->att.flow) {
		if (onramp_attachment_is_for(&binding->att, skb, p))
			return;
		onrampq_bind_leave(binding, now);
	} else {
		onramp_port_tuple(q->port, skb, p);
	}
	f->end = p->seq + p->len;
	onramp_port_attach(q->port, &binding->att, p, &f->end);
	f->remember_all = binding->att.flow && READ_ONCE(binding->att.flow->remember_all);
	/* It may wait for the hold of the flow before, which does not kick it any more. */
	if (unlikely(f->state == ONRAMPQ_WAIT))
		onrampq_wait_resort(q, f, now);
}

/*
 * Which flow packets without a socket are of their hash tells, of which the queue has
 * some bits more than it is found by.  With another one it may be another flow's, whose
 * packets were not looked at.
 */
static void onrampq_bind_orphan(struct onrampq_queue *f, const struct sk_buff *skb, u32 seq,
				u64 now)
{
	u16 orphan = skb->hash >> 16;

	if (likely(f->orphan == orphan))
		return;
	f->orphan = orphan;
	f->end = seq;
	if (f->binding && f->binding->att.flow)
		onrampq_bind_leave(f->binding, now);
}

/* A flow that is new is held as its path's others are, if any may be now. */
static bool onrampq_bind_is_hot(const struct onrampq_sched *q, const struct onrampq_queue *f,
				u64 now)
{
	return !f->binding && READ_ONCE(*q->port->hot_until_ns) > now;
}

/* Is a packet with payload remembered, and was some of it sent before? */
static u8 onrampq_bind_report(struct onrampq_sched *q, struct onrampq_queue *f,
			      const struct onramp_packet *p, u64 now)
{
	bool again = f->binding && onramp_pick_again(&f->end, p->seq, p->len);

	if (!onramp_pick_packet(&q->pick, q->conf.remember, p->seq, p->len, !f->binding,
				again || f->remember_all || onrampq_bind_is_hot(q, f, now),
				now))
		return 0;
	return again ? ONRAMPQ_REMEMBER | ONRAMPQ_AGAIN : ONRAMPQ_REMEMBER;
}

void onrampq_bind_packet(struct onrampq_sched *q, struct onrampq_queue *f,
			 struct sk_buff *skb, struct onramp_packet *p, u64 now)
{
	struct onrampq_cb *cb = onrampq_cb(skb);

	if (unlikely(p->syn)) {
		cb->report = ONRAMPQ_SYN;
		f->end = p->seq;
	}
	if (!p->len) {
		cb->overtakes = f->binding && !p->fin && !p->rst;
		return;
	}
	cb->payload = true;
	if (unlikely(!f->sk))
		onrampq_bind_orphan(f, skb, p->seq, now);
	cb->report |= onrampq_bind_report(q, f, p, now);
	if (cb->report & ONRAMPQ_REMEMBER)
		onrampq_bind_to(q, f, skb, p, now);
}

void onrampq_bind_sent(struct onrampq_sched *q, struct onrampq_queue *f, struct sk_buff *skb)
{
	u8 report = onrampq_cb(skb)->report;

	if (!q->measuring)
		return;
	if (unlikely(report & ONRAMPQ_SYN))
		onramp_port_syn(q->port, skb);
	if (report & ONRAMPQ_REMEMBER && f->binding && f->binding->att.flow)
		onramp_port_sent(q->port, f->binding->att.flow, skb,
				 report & ONRAMPQ_AGAIN);
}

void onrampq_bind_detach(struct onrampq_sched *q, struct onrampq_queue *f, u64 now)
{
	if (!f->qlen) {
		onrampq_bind_free(q, f, now);
		return;
	}
	onrampq_bind_leave(f->binding, now);
	if (!f->binding->detached)
		q->nr_detached++;
	f->binding->detached = true;
}

/* After detaching core does not kick it, but it may have done so before. */
void onrampq_bind_free(struct onrampq_sched *q, struct onrampq_queue *f, u64 now)
{
	struct onrampq_binding *binding = f->binding;

	onrampq_bind_drained(q, f);
	onramp_port_detach(&binding->att);
	if (unlikely(READ_ONCE(binding->att.kicked)))
		onrampq_wait_kicked(q, now);
	if (binding->moved)
		q->nr_moved--;
	f->binding = NULL;
	kfree(binding);
}
