// SPDX-License-Identifier: GPL-2.0
/*
 * The packets of one queue.  Nearly all come in the order of their times and
 * go to a list; one that comes after a later one goes to a tree, and so does one
 * that is to pass a long list of others: it is found there, and can be taken.
 */
#include <linux/rtnetlink.h>

#include "queue.h"

void onrampq_queue_sort_in(struct onrampq_queue *f, struct sk_buff *skb)
{
	struct rb_node **link = &f->sorted.rb_node, *parent = NULL;
	u64 time_ns = onrampq_cb(skb)->time_ns;

	while (*link) {
		parent = *link;
		if (time_ns < onrampq_cb(rb_to_skb(parent))->time_ns)
			link = &parent->rb_left;
		else
			link = &parent->rb_right;
	}
	rb_link_node(&skb->rbnode, parent, link);
	rb_insert_color(&skb->rbnode, &f->sorted);
	onrampq_cb(skb)->sorted = true;
}

struct sk_buff *onrampq_queue_peek_sorted(const struct onrampq_queue *f)
{
	struct sk_buff *skb = skb_rb_first(&f->sorted);

	if (f->head && onrampq_cb(f->head)->time_ns <= onrampq_cb(skb)->time_ns)
		return f->head;
	return skb;
}

/* Packets of an orphans' queue may be of several flows: some pass, in any order. */
struct sk_buff *onrampq_queue_peek_overtaking(const struct onrampq_queue *f)
{
	struct sk_buff *in_order = f->head, *sorted = skb_rb_first(&f->sorted);

	if (!f->overtaking)
		in_order = NULL;
	while (in_order && !onrampq_cb(in_order)->overtakes)
		in_order = in_order->next;
	while (sorted && !onrampq_cb(sorted)->overtakes)
		sorted = skb_rb_next(sorted);
	if (!sorted)
		return in_order;
	return in_order && onrampq_cb(in_order)->time_ns <= onrampq_cb(sorted)->time_ns ?
	       in_order : sorted;
}

/* Out of the list, where it is not the first. */
static void onrampq_queue_skip(struct onrampq_queue *f, struct sk_buff *skb)
{
	struct sk_buff *before = f->head;

	while (before->next != skb)
		before = before->next;
	before->next = skb->next;
	if (f->tail == skb)
		f->tail = before;
}

void onrampq_queue_unlink(struct Qdisc *sch, struct onrampq_queue *f, struct sk_buff *skb)
{
	if (!onrampq_cb(skb)->sorted) {
		onrampq_queue_skip(f, skb);
		return;
	}
	rb_erase(&skb->rbnode, &f->sorted);
	/* Was where the node is. */
	skb->dev = qdisc_dev(sch);
}

void onrampq_queue_unlimit(struct onrampq_queue *f)
{
	struct sk_buff *skb;

	for (skb = f->head; skb; skb = skb->next)
		onrampq_cb(skb)->rp = 0;
	for (skb = skb_rb_first(&f->sorted); skb; skb = skb_rb_next(skb))
		onrampq_cb(skb)->rp = 0;
}

void onrampq_queue_purge(struct onrampq_queue *f)
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
	f->overtaking = 0;
}
