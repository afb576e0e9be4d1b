// SPDX-License-Identifier: GPL-2.0
/*
 * Queues whose head is not due, by time, and the timer.
 */
#include "rules.h"

static struct orq_queue *orq_wait_first(const struct orq_sched *q)
{
	struct rb_node *node = rb_first_cached(&q->waiting);

	return node ? rb_entry(node, struct orq_queue, wait) : NULL;
}

u64 orq_wait_next_ns(const struct orq_sched *q)
{
	const struct orq_queue *f = orq_wait_first(q);

	return f ? f->due_ns : U64_MAX;
}

/* Behind those of the same time. */
static void orq_wait_insert(struct orq_sched *q, struct orq_queue *f)
{
	struct rb_node **link = &q->waiting.rb_root.rb_node, *parent = NULL;
	bool leftmost = true;

	while (*link) {
		parent = *link;
		if (f->due_ns < rb_entry(parent, struct orq_queue,
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

void orq_wait_for(struct orq_sched *q, struct orq_queue *f, u64 due)
{
	f->state = ORQ_WAIT;
	f->due_ns = due;
	orq_wait_insert(q, f);
	q->nr_waiting++;
	q->count.throttled++;
}

void orq_wait_leave(struct orq_sched *q, struct orq_queue *f)
{
	rb_erase_cached(&f->wait, &q->waiting);
	q->nr_waiting--;
}

void orq_wait_end(struct orq_sched *q, struct orq_queue *f)
{
	orq_wait_leave(q, f);
	orq_turn_add(q, f, false);
}

void orq_wait_release(struct orq_sched *q, u64 now)
{
	struct orq_queue *f = orq_wait_first(q);

	if (!f || f->due_ns > now)
		return;
	q->latency_ns -= q->latency_ns >> 3;
	q->latency_ns += (now - f->due_ns) >> 3;
	do {
		orq_wait_end(q, f);
		f = orq_wait_first(q);
	} while (f && f->due_ns <= now);
}

void orq_wait_resort(struct orq_sched *q, struct orq_queue *f, u64 now)
{
	u64 due = 0;

	if (f->qlen)
		orq_laws_next(f, now, &due);
	if (due == f->due_ns)
		return;
	rb_erase_cached(&f->wait, &q->waiting);
	/* A hold that was cut short ends when we look, if nothing else waits. */
	f->due_ns = max(due, now);
	if (due > now)
		orq_hold_wait(f);
	orq_wait_insert(q, f);
}

void orq_wait_kicked(struct orq_sched *q, u64 now)
{
	struct llist_node *kicked = onramp_port_take_kicked(q->port);
	struct onramp_watch *watch, *next;

	llist_for_each_entry_safe(watch, next, kicked, kick) {
		struct orq_queue *f = container_of(watch, struct orq_tie,
						   watch)->queue;

		/* The list was read: kicked again, the watch is on another. */
		clear_bit_unlock(0, &watch->kicked);
		/* From here on it may be kicked again; t_next is read after. */
		smp_mb__after_atomic();
		q->count.kicks++;
		if (f->state == ORQ_WAIT)
			orq_wait_resort(q, f, now);
	}
}

void orq_wait_arm(struct orq_sched *q)
{
	u64 next_ns = orq_wait_next_ns(q);

	if (next_ns != U64_MAX)
		qdisc_watchdog_schedule_range_ns(&q->watchdog, next_ns,
						 q->conf.timer_slack_ns);
}
