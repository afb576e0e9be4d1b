// SPDX-License-Identifier: GPL-2.0
/*
 * The packets of one queue.  Nearly all come in the order of their times and
 * go to a list; one that comes after a later one goes to a tree, and so does one
 * that is to pass a long list of others: it is found there, and can be taken.
 */
#include <linux/rtnetlink.h>

#include "queue.h"

static void orq_queue_sort_in(struct orq_queue *f, struct sk_buff *skb)
{
	struct rb_node **link = &f->sorted.rb_node, *parent = NULL;
	u64 time_ns = orq_cb(skb)->time_ns;

	while (*link) {
		parent = *link;
		if (time_ns < orq_cb(rb_to_skb(parent))->time_ns)
			link = &parent->rb_left;
		else
			link = &parent->rb_right;
	}
	rb_link_node(&skb->rbnode, parent, link);
	rb_insert_color(&skb->rbnode, &f->sorted);
	orq_cb(skb)->sorted = true;
}

static bool orq_queue_sorts(const struct orq_queue *f, const struct sk_buff *skb)
{
	return orq_cb(skb)->time_ns < orq_cb(f->tail)->time_ns ||
	       unlikely(orq_cb(skb)->passes && f->state == ORQ_WAIT);
}

void orq_queue_add(struct orq_queue *f, struct sk_buff *skb)
{
	f->qlen++;
	orq_cb(skb)->sorted = false;
	if (f->head && orq_queue_sorts(f, skb)) {
		orq_queue_sort_in(f, skb);
		return;
	}
	if (unlikely(orq_cb(skb)->passes))
		f->passing++;
	skb->next = NULL;
	if (f->head)
		f->tail->next = skb;
	else
		f->head = skb;
	f->tail = skb;
}

struct sk_buff *orq_queue_peek_sorted(const struct orq_queue *f)
{
	struct sk_buff *skb = skb_rb_first(&f->sorted);

	if (f->head && orq_cb(f->head)->time_ns <= orq_cb(skb)->time_ns)
		return f->head;
	return skb;
}

/* Packets of an orphans' queue may be of several flows: some pass, in any order. */
struct sk_buff *orq_queue_peek_passing(const struct orq_queue *f)
{
	struct sk_buff *in_order = f->head, *sorted = skb_rb_first(&f->sorted);

	if (!f->passing)
		in_order = NULL;
	while (in_order && !orq_cb(in_order)->passes)
		in_order = in_order->next;
	while (sorted && !orq_cb(sorted)->passes)
		sorted = skb_rb_next(sorted);
	if (!sorted)
		return in_order;
	return in_order && orq_cb(in_order)->time_ns <= orq_cb(sorted)->time_ns ?
	       in_order : sorted;
}

/* Out of the list, where it is not the first. */
static void orq_queue_unlink(struct orq_queue *f, struct sk_buff *skb)
{
	struct sk_buff *before = f->head;

	while (before->next != skb)
		before = before->next;
	before->next = skb->next;
	if (f->tail == skb)
		f->tail = before;
}

void orq_queue_take(struct Qdisc *sch, struct orq_queue *f, struct sk_buff *skb)
{
	if (unlikely(orq_cb(skb)->passes && !orq_cb(skb)->sorted))
		f->passing--;
	if (skb == f->head) {
		f->head = skb->next;
	} else if (orq_cb(skb)->sorted) {
		rb_erase(&skb->rbnode, &f->sorted);
		/* Was where the node is. */
		skb->dev = qdisc_dev(sch);
	} else {
		orq_queue_unlink(f, skb);
	}
	skb_mark_not_on_list(skb);
	f->qlen--;
	sch->q.qlen--;
	qdisc_qstats_backlog_dec(sch, skb);
}

void orq_queue_purge(struct orq_queue *f)
{
	struct sk_buff *skb;

	while ((skb = skb_rb_first(&f->sorted))) {
		rb_erase(&skb->rbnode, &f->sorted);
		skb_mark_not_on_list(skb);
		rtnl_kfree_skbs(skb, skb);
	}
	if (f->head)
		rtnl_kfree_skbs(f->head, f->tail);
	f->head = NULL;
	f->qlen = 0;
	f->passing = 0;
}
