// SPDX-License-Identifier: GPL-2.0
/*
 * Frames in the order in which they came, of which priorities that are paused let others
 * pass: a list for each priority, and numbers of arrival between the lists.
 */
#include "cp.h"

/**
 * cp_fifo_put() - append a frame
 * @f: the queue
 * @skb: the frame; its number of arrival is set
 *
 * Context: root lock of the queue's port.
 */
void cp_fifo_put(struct cp_fifo *f, struct sk_buff *skb)
{
	u32 class = cp_class(skb);

	skb->next = NULL;
	if (f->filled & BIT(class))
		f->list[class].tail->next = skb;
	else
		f->list[class].head = skb;
	f->list[class].tail = skb;
	f->filled |= BIT(class);
}

/* The class of the first of the frames of several classes. */
static u32 cp_fifo_first(const struct cp_fifo *f, unsigned long mask)
{
	u32 class, first = __ffs(mask);

	for_each_set_bit(class, &mask, CP_CLASSES)
		if ((s32)(cp_cb(f->list[class].head)->seq -
			  cp_cb(f->list[first].head)->seq) < 0)
			first = class;
	return first;
}

/**
 * cp_fifo_take() - take the next frame
 * @f: the queue
 * @allowed: priorities that may leave, a bit each
 *
 * Context: root lock.
 * Return: the frame, on no list; NULL if there is none.
 */
struct sk_buff *cp_fifo_take(struct cp_fifo *f, u8 allowed)
{
	u8 mask = f->filled & allowed;
	struct sk_buff *skb;
	u32 class;

	if (!mask)
		return NULL;
	class = cp_fifo_first(f, mask);
	skb = f->list[class].head;
	f->list[class].head = skb->next;
	if (!skb->next)
		f->filled &= ~BIT(class);
	skb_mark_not_on_list(skb);
	return skb;
}
