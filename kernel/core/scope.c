// SPDX-License-Identifier: GPL-2.0
/*
 * Within which part of a host the addresses of a flow mean one host.
 *
 * Two VRFs may use the same addresses, and so may two links those that are local
 * to a link.  So flows and paths have a scope in their keys, at both ends: it is
 * that of the device by which IP sends the packets, and by which the OR-ACKs
 * about them come to it; and at the receiver of that by which IP gets them.
 *
 * A device with a qdisc, or the acker's, may be below that one: a VLAN, a bond or
 * a bridge is in the VRF, the card is in none.  By which device IP sent a packet its route
 * tells; most devices drop that before the qdisc, and then the socket's route is
 * the same.  What is forwarded has neither, and is told by its VLAN tag and what
 * is above the device.  All of these are still there when the packet leaves, so
 * that it is the same as when the packet was queued.
 *
 * Zones of conntrack are no scope: they are given to a datagram after our hook,
 * by rules that need not give one to what is measured, and two connections that
 * differ in nothing else cannot be told from each other by the receiver either.
 */
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/dst.h>
#include <net/dst_metadata.h>
#include <net/l3mdev.h>
#include <net/sock.h>

#include "core.h"

/* More devices above each other no host has, and no more tags a packet. */
#define ONRAMP_SCOPE_DEPTH 8
#define ONRAMP_SCOPE_TAGS 2

/* A VLAN tag in 16 bits; 0: none. */
#define ONRAMP_TAG_IS BIT(14)
#define ONRAMP_TAG_AD BIT(15)
#define ONRAMP_TAG_BITS 16

static bool onramp_scope_is_link(const struct onramp_tuple *tuple)
{
	return (ipv6_addr_type(&tuple->saddr) |
		ipv6_addr_type(&tuple->daddr)) & IPV6_ADDR_LINKLOCAL;
}

/* Nearly all packets have none, and pay for no more than this. */
static bool onramp_scope_is_one(const struct onramp_net *on,
				const struct onramp_tuple *tuple)
{
	return !READ_ONCE(on->vrfs) &&
	       (ipv6_addr_v4mapped(&tuple->saddr) ||
		!onramp_scope_is_link(tuple));
}

u32 onramp_scope_by(const struct net_device *dev,
		    const struct onramp_tuple *tuple)
{
	return onramp_scope_is_link(tuple) ? dev->ifindex :
	       l3mdev_master_ifindex_rcu(dev);
}
EXPORT_SYMBOL_GPL(onramp_scope_by);

static const struct net_device *
onramp_scope_dst_dev(const struct onramp_net *on, const struct dst_entry *dst)
{
	const struct net_device *dev = dst ? READ_ONCE(dst->dev) : NULL;

	return dev && net_eq(dev_net(dev), on->net) ? dev : NULL;
}

/* A packet of a container still has its socket, which is of another namespace. */
static const struct net_device *
onramp_scope_socket_dev(const struct onramp_net *on, struct sock *sk)
{
	const struct net_device *dev;
	int bound;

	if (!sk || !sk_fullsock(sk) || !net_eq(sock_net(sk), on->net))
		return NULL;
	dev = onramp_scope_dst_dev(on, rcu_dereference(sk->sk_dst_cache));
	bound = READ_ONCE(sk->sk_bound_dev_if);
	return dev || !bound ? dev : dev_get_by_index_rcu(on->net, bound);
}

static u32 onramp_tag(__be16 proto, u16 tci)
{
	return ONRAMP_TAG_IS | (tci & VLAN_VID_MASK) |
	       (proto == htons(ETH_P_8021AD) ? ONRAMP_TAG_AD : 0);
}

/* Out of line, as few packets have any. */
noinline u32 onramp_scope_tags(const struct sk_buff *skb)
{
	int offset = skb_mac_header_was_set(skb) ?
		     skb_mac_offset(skb) + ETH_HLEN : 0;
	const struct vlan_hdr *header;
	__be16 proto = skb->protocol;
	struct vlan_hdr buffer;
	u32 tags = 0;
	int n = 0;

	if (skb_vlan_tag_present(skb)) {
		tags = onramp_tag(skb->vlan_proto, skb_vlan_tag_get(skb));
		n++;
	}
	while (n < ONRAMP_SCOPE_TAGS && eth_type_vlan(proto)) {
		header = skb_header_pointer(skb, offset, sizeof(buffer),
					    &buffer);
		if (!header)
			break;
		tags |= onramp_tag(proto, ntohs(header->h_vlan_TCI)) <<
			n++ * ONRAMP_TAG_BITS;
		proto = header->h_vlan_encapsulated_proto;
		offset += VLAN_HLEN;
	}
	return tags;
}
EXPORT_SYMBOL_GPL(onramp_scope_tags);

static struct net_device *onramp_scope_vlan(struct net_device *dev, u32 tag)
{
	__be16 proto = tag & ONRAMP_TAG_AD ? htons(ETH_P_8021AD) :
					     htons(ETH_P_8021Q);

	return tag & ONRAMP_TAG_IS ?
	       __vlan_find_dev_deep_rcu(dev, proto, tag & VLAN_VID_MASK) : NULL;
}

struct net_device *onramp_scope_above(struct net_device *dev, u32 tags)
{
	struct net_device *above;
	int depth;

	for (depth = 0; depth < ONRAMP_SCOPE_DEPTH; depth++) {
		above = onramp_scope_vlan(dev, tags);
		if (above)
			tags >>= ONRAMP_TAG_BITS;
		else
			above = netdev_master_upper_dev_get_rcu(dev);
		if (!above || netif_is_l3_master(above))
			break;
		dev = above;
	}
	return dev;
}
EXPORT_SYMBOL_GPL(onramp_scope_above);

/**
 * onramp_scope_tx() - the scope of a packet that leaves, or is queued
 * @on: the namespace
 * @skb: the packet, at its MAC header
 * @dev: the device
 * @p: the packet; its scope is set
 *
 * Context: RCU.
 */
void onramp_scope_tx(const struct onramp_net *on, const struct sk_buff *skb,
		     const struct net_device *dev, struct onramp_packet *p)
{
	const struct net_device *by;

	p->tuple.scope = 0;
	if (likely(onramp_scope_is_one(on, &p->tuple)))
		return;
	by = skb_valid_dst(skb) ? onramp_scope_dst_dev(on, skb_dst(skb)) : NULL;
	by = by ?: onramp_scope_socket_dev(on, skb->sk);
	by = by ?: onramp_scope_above((struct net_device *)dev,
				      onramp_scope_tags(skb));
	p->tuple.scope = onramp_scope_by(by, &p->tuple);
}

/**
 * onramp_scope_rx() - the scope of the flows that a datagram is about
 * @on: the namespace
 * @dev: the device by which IP got it
 * @tuple: of the flows; its scope is set
 *
 * Context: RCU.
 */
void onramp_scope_rx(const struct onramp_net *on, const struct net_device *dev,
		     struct onramp_tuple *tuple)
{
	tuple->scope = likely(onramp_scope_is_one(on, tuple)) ? 0 :
		       onramp_scope_by(dev, tuple);
}

/**
 * onramp_scope_event() - a device comes or goes
 * @dev: the device
 * @event: of the notifier
 *
 * Context: RTNL.
 */
void onramp_scope_event(const struct net_device *dev, unsigned long event)
{
	struct onramp_net *on = onramp_net_of(dev_net(dev));

	if (!netif_is_l3_master(dev))
		return;
	if (event == NETDEV_REGISTER)
		WRITE_ONCE(on->vrfs, on->vrfs + 1);
	else if (event == NETDEV_UNREGISTER)
		WRITE_ONCE(on->vrfs, on->vrfs - 1);
}
