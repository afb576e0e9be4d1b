// SPDX-License-Identifier: GPL-2.0
/*
 * The binding of a queue to On-Ramp's flow of its packets.  Apart from the queue,
 * so that who holds nothing does not carry it.
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

/* A queue of orphans may get packets of several flows: the last one counts. */
void onrampq_bind_to(struct onrampq_sched *q, struct onrampq_queue *f,
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
	onramp_port_tuple(q->port, skb, p);
	if (binding->att.flow) {
		if (onramp_attachment_is_for(&binding->att, p))
			return;
		onrampq_bind_leave(binding, now);
	}
	onramp_port_attach(q->port, &binding->att, p);
	/* It may wait for the hold of the flow before, which does not kick it any more. */
	if (unlikely(f->state == ONRAMPQ_WAIT))
		onrampq_wait_resort(q, f, now);
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
