// SPDX-License-Identifier: GPL-2.0
/*
 * What ties a queue to On-Ramp's flow of its packets.  Apart from the queue,
 * so that who holds nothing does not carry it.
 */
#include <linux/slab.h>

#include "sch_onramp.h"

static struct orq_tie *orq_tie_make(struct orq_sched *q, struct orq_queue *f)
{
	struct orq_tie *tie;

	tie = kzalloc(sizeof(*tie), GFP_ATOMIC | __GFP_NOWARN);
	if (unlikely(!tie)) {
		q->count.alloc_errors++;
		return NULL;
	}
	tie->queue = f;
	f->tie = tie;
	return tie;
}

/* A queue is its flow's no more, and what waits in it is held no more. */
static void orq_tie_leave(struct orq_tie *tie, u64 now)
{
	u64 hold_ns = max(onramp_watch_t_next(&tie->watch), tie->hold_ns);

	tie->over_ns = max(tie->over_ns, min(hold_ns, now));
	onramp_watch_detach(&tie->watch);
}

/* A queue of orphans may get packets of several flows: the last one counts. */
void orq_tie_to(struct orq_sched *q, struct orq_queue *f,
		const struct sk_buff *skb, struct onramp_packet *p, u64 now)
{
	struct orq_tie *tie = f->tie;

	if (unlikely(!tie)) {
		tie = orq_tie_make(q, f);
		if (!tie)
			return;
	}
	if (likely(tie->watch.flow && f->sk &&
		   !onramp_watch_is_gone(&tie->watch)))
		return;
	onramp_port_scope(q->port, skb, p);
	if (tie->watch.flow) {
		if (onramp_watch_is_for(&tie->watch, p))
			return;
		orq_tie_leave(tie, now);
	}
	onramp_watch_attach(q->port, &tie->watch, p);
	/* It may wait for the hold of the flow before, of which nobody tells it. */
	if (unlikely(f->state == ORQ_WAIT))
		orq_wait_resort(q, f, now);
}

void orq_tie_loosen(struct orq_sched *q, struct orq_queue *f, u64 now)
{
	if (!f->qlen) {
		orq_tie_end(q, f, now);
		return;
	}
	orq_tie_leave(f->tie, now);
	if (!f->tie->loose)
		q->nr_loose++;
	f->tie->loose = true;
}

/* After detaching core does not kick a watch, but it may have done so before. */
void orq_tie_end(struct orq_sched *q, struct orq_queue *f, u64 now)
{
	struct orq_tie *tie = f->tie;

	orq_tie_drained(q, f);
	onramp_watch_detach(&tie->watch);
	if (unlikely(READ_ONCE(tie->watch.kicked)))
		orq_wait_kicked(q, now);
	f->tie = NULL;
	kfree(tie);
}
