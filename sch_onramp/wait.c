// SPDX-License-Identifier: GPL-2.0
/*
 * Queues whose head is not due, by time, and the timer.
 */
#include "rules.h"

struct sk_buff *onrampq_rules_next_moved(const struct onrampq_sched *q,
					 const struct onrampq_queue *f, u64 now, u64 *due)
{
	struct sk_buff *head = onrampq_queue_peek(f), *overtaking;
	u64 overtaking_due;

	*due = onrampq_rules_time(q, f, head, now);
	if (likely(*due <= now || !onrampq_queue_may_overtake(f) ||
		   onrampq_hold_time(f, head) < *due))
		return head;
	overtaking = onrampq_queue_peek_overtaking(f);
	if (!overtaking)
		return head;
	overtaking_due = onrampq_rules_time(q, f, overtaking, now);
	if (overtaking_due >= *due)
		return head;
	*due = overtaking_due;
	return overtaking;
}

static struct onrampq_queue *onrampq_wait_first(const struct onrampq_sched *q)
{
	struct rb_node *node = rb_first_cached(&q->waiting);

	return node ? rb_entry(node, struct onrampq_queue, wait) : NULL;
}

u64 onrampq_wait_next_ns(const struct onrampq_sched *q)
{
	const struct onrampq_queue *f = onrampq_wait_first(q);

	return f ? f->due_ns : U64_MAX;
}

/* Behind those of the same time. */
static void onrampq_wait_insert(struct onrampq_sched *q, struct onrampq_queue *f)
{
	struct rb_node **link = &q->waiting.rb_root.rb_node, *parent = NULL;
	bool leftmost = true;

	while (*link) {
		parent = *link;
		if (f->due_ns < rb_entry(parent, struct onrampq_queue,
					 wait)->due_ns) {
			link = &parent->rb_left;
		} else {
			link = &parent->rb_right;
			leftmost = false;
		}
	}
	rb_link_node(&f->wait, parent, link);
	rb_insert_color_cached(&f->wait, &q->waiting, leftmost);
}

void onrampq_wait_for(struct onrampq_sched *q, struct onrampq_queue *f, u64 due)
{
	f->state = ONRAMPQ_WAIT;
	f->due_ns = due;
	onrampq_wait_insert(q, f);
	q->nr_waiting++;
	q->count.throttled++;
}

void onrampq_wait_leave(struct onrampq_sched *q, struct onrampq_queue *f)
{
	rb_erase_cached(&f->wait, &q->waiting);
	q->nr_waiting--;
}

void onrampq_wait_end(struct onrampq_sched *q, struct onrampq_queue *f)
{
	onrampq_wait_leave(q, f);
	onrampq_drr_add(q, f, false);
}

void onrampq_wait_release(struct onrampq_sched *q, u64 now)
{
	struct onrampq_queue *f = onrampq_wait_first(q);

	if (!f || f->due_ns > now)
		return;
	q->latency_ns -= q->latency_ns >> 3;
	q->latency_ns += (now - f->due_ns) >> 3;
	do {
		onrampq_wait_end(q, f);
		f = onrampq_wait_first(q);
	} while (f && f->due_ns <= now);
}

void onrampq_wait_resort(struct onrampq_sched *q, struct onrampq_queue *f, u64 now)
{
	u64 due = 0;

	if (f->qlen)
		onrampq_rules_next(q, f, onrampq_is_calm(q, now), now, &due);
	if (due == f->due_ns)
		return;
	rb_erase_cached(&f->wait, &q->waiting);
	/* A hold that was cut short ends now, if nothing else waits. */
	f->due_ns = max(due, now);
	if (due > now)
		onrampq_hold_wait(q, f, now);
	onrampq_wait_insert(q, f);
}

void onrampq_wait_kicked(struct onrampq_sched *q, u64 now)
{
	struct llist_node *kicked = onramp_port_take_kicked(q->port);
	struct onramp_attachment *att, *next;

	llist_for_each_entry_safe(att, next, kicked, kick) {
		struct onrampq_queue *f = container_of(att, struct onrampq_binding,
						       att)->queue;

		/* The list was read: kicked again, the attachment is on another. */
		clear_bit_unlock(0, &att->kicked);
		/* From here on it may be kicked again; t_next is read after. */
		smp_mb__after_atomic();
		if (att->flow)
			f->remember_all = READ_ONCE(att->flow->remember_all);
		q->count.kicks++;
		if (f->state == ONRAMPQ_WAIT)
			onrampq_wait_resort(q, f, now);
	}
}

void onrampq_wait_arm(struct onrampq_sched *q)
{
	u64 next_ns = onrampq_wait_next_ns(q);

	if (next_ns != U64_MAX)
		qdisc_watchdog_schedule_range_ns(&q->watchdog, next_ns,
						 q->conf.timer_slack_ns);
}
