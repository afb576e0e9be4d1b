/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames that a qdisc makes by itself.
 */
#ifndef SHARPRAMP_SKB_FRAME_H
#define SHARPRAMP_SKB_FRAME_H

#include <linux/etherdevice.h>
#include <linux/skbuff.h>

#include "compat/compat.h"

/**
 * skb_frame() - a frame with these bytes
 * @bytes: from its destination address on
 * @len: how many, ETH_HLEN at least
 * @dev: the device that sends it
 *
 * Context: any but NMI.
 * Return: the frame, as a qdisc has it; NULL without memory.
 */
static inline struct sk_buff *skb_frame(const u8 *bytes, u32 len, struct net_device *dev)
{
	struct sk_buff *skb = alloc_skb(NET_SKB_PAD + len, GFP_ATOMIC | __GFP_NOWARN);

	if (!skb)
		return NULL;
	skb_reserve(skb, NET_SKB_PAD);
	skb_put_data(skb, bytes, len);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->mac_len = ETH_HLEN;
	skb->protocol = eth_hdr(skb)->h_proto;
	skb->dev = dev;
	skb->priority = TC_PRIO_CONTROL;
	compat_qdisc_segment(skb);
	return skb;
}

#endif /* SHARPRAMP_SKB_FRAME_H */
