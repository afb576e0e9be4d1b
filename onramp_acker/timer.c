// SPDX-License-Identifier: GPL-2.0
/*
 * The last packets of bursts, which are acked when none came for a while.
 */
#include "acker.h"

/**
 * acker_timer_restart() - have the timer end when the first flow is due
 * @a: the namespace
 *
 * Context: @a->lock held.
 */
void acker_timer_restart(struct acker_net *a)
{
	struct acker_flow *flow;

	flow = list_first_entry_or_null(&a->waiting, struct acker_flow,
					waiting);
	if (flow && !a->dead)
		hrtimer_start(&a->timer,
			      ns_to_ktime(onramp_due_at(&a->set.due,
							&flow->due)),
			      HRTIMER_MODE_ABS_SOFT);
}

/**
 * acker_timer() - acks what nothing came after
 * @timer: the namespace's
 *
 * Ends early if the flow that it was set for has had a packet since.  So it is
 * not moved with each packet, but at most once a delay.
 *
 * Context: softirq, no lock.
 * Return: HRTIMER_NORESTART: it is started for the next flow if there is one.
 */
enum hrtimer_restart acker_timer(struct hrtimer *timer)
{
	struct acker_net *a = container_of(timer, struct acker_net, timer);
	u64 now_ns = onramp_now(a->net);
	struct acker_flow *flow, *next;
	enum onramp_due due;

	spin_lock(&a->lock);
	list_for_each_entry_safe(flow, next, &a->waiting, waiting) {
		due = onramp_due_on_time(&a->set.due, &flow->due, now_ns);
		if (due == ONRAMP_DUE_NOT)
			break;
		list_del_init(&flow->waiting);
		acker_ack(a, flow, due, now_ns);
	}
	acker_timer_restart(a);
	spin_unlock(&a->lock);
	return HRTIMER_NORESTART;
}
