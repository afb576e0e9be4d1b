/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A GSO packet as the packets that it stands for, in a qdisc.
 */
#ifndef SHARPRAMP_SKB_SEGMENTS_H
#define SHARPRAMP_SKB_SEGMENTS_H

#include <linux/err.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "compat/compat.h"

/**
 * skb_segments() - segment a GSO packet that a qdisc was given
 * @skb: the packet; it stays the caller's
 *
 * Context: softirq, qdisc lock held; allocates atomically.
 * Return: the first of the segments, which skb_segments_next() takes; NULL if there are none.
 */
static inline struct sk_buff *skb_segments(struct sk_buff *skb)
{
	netdev_features_t features = netif_skb_features(skb) & ~NETIF_F_GSO_MASK;
	struct sk_buff *segs = skb_gso_segment(skb, features);

	return IS_ERR_OR_NULL(segs) ? NULL : segs;
}

/**
 * skb_segments_next() - take a segment
 * @rest: the segments, not NULL; those that follow when this returns, or NULL
 *
 * Return: the segment, on no list; its length is noted for the qdisc layer.
 */
static inline struct sk_buff *skb_segments_next(struct sk_buff **rest)
{
	struct sk_buff *skb = *rest;

	*rest = skb->next;
	skb_mark_not_on_list(skb);
	compat_qdisc_segment(skb);
	return skb;
}

#endif /* SHARPRAMP_SKB_SEGMENTS_H */
