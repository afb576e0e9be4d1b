// SPDX-License-Identifier: GPL-2.0
/*
 * A packet: where its headers lie, and within which scope its addresses are unique.
 */
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <net/dsfield.h>
#include <net/dst.h>
#include <net/dst_metadata.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/l3mdev.h>
#include <net/sock.h>

#include "core.h"

/*
 * Where the headers of a TCP packet lie, in front of the driver and behind it.
 */

/* More VLAN tags or extension headers than that no host sends. */
#define ONRAMP_VLAN_DEPTH 2
#define ONRAMP_EXTHDR_DEPTH 4

/*
 * On its way out a packet begins with its MAC header; on its way in that was
 * pulled, and the offset of the network header may be an old one.
 */
static bool onramp_dissect_is_out(const struct sk_buff *skb)
{
	return skb_mac_header_was_set(skb) && !skb_mac_offset(skb) &&
	       skb_network_offset(skb) > 0;
}

/*
 * The network header's offset from skb->data, and its protocol.  A VLAN tag in
 * the data is before the network header or part of it, depending on which code wrote
 * it, so it is searched where Ethernet has it.
 */
static bool onramp_dissect_network(const struct sk_buff *skb, int *offset,
				   __be16 *proto)
{
	bool out = onramp_dissect_is_out(skb);
	struct vlan_hdr buffer;
	int depth;

	*proto = skb->protocol;
	*offset = out ? skb_network_offset(skb) : 0;
	if (!eth_type_vlan(*proto))
		return true;

	*offset = out ? ETH_HLEN : 0;
	for (depth = 0; depth < ONRAMP_VLAN_DEPTH; depth++) {
		const struct vlan_hdr *tag;

		tag = skb_header_pointer(skb, *offset, sizeof(buffer), &buffer);
		if (!tag)
			return false;
		*proto = tag->h_vlan_encapsulated_proto;
		*offset += VLAN_HLEN;
		if (!eth_type_vlan(*proto))
			return true;
	}
	return false;
}

/* The bytes behind the IP header are in *len, which a huge GSO packet leaves 0. */
static bool onramp_dissect_ipv4(const struct sk_buff *skb, int *offset,
				u32 *len, struct onramp_packet *p)
{
	const struct iphdr *ip;
	struct iphdr buffer;
	u32 total;

	ip = skb_header_pointer(skb, *offset, sizeof(buffer), &buffer);
	if (!ip || ip->version != 4 || ip->ihl < 5 ||
	    ip->protocol != IPPROTO_TCP || ip_is_fragment(ip))
		return false;
	total = ntohs(ip->tot_len);
	if (total && total < ip->ihl * 4)
		return false;
	*len = total ? total - ip->ihl * 4 : 0;
	*offset += ip->ihl * 4;
	p->dsfield = ip->tos;
	ipv6_addr_set_v4mapped(ip->saddr, &p->tuple.saddr);
	ipv6_addr_set_v4mapped(ip->daddr, &p->tuple.daddr);
	return true;
}

static bool onramp_dissect_ipv6(const struct sk_buff *skb, int *offset,
				u32 *len, struct onramp_packet *p)
{
	const struct ipv6hdr *ip;
	struct ipv6hdr buffer;
	int begin, depth;
	u8 next;

	ip = skb_header_pointer(skb, *offset, sizeof(buffer), &buffer);
	if (!ip || ip->version != 6)
		return false;
	*len = ntohs(ip->payload_len);
	p->dsfield = ipv6_get_dsfield(ip);
	p->tuple.saddr = ip->saddr;
	p->tuple.daddr = ip->daddr;
	next = ip->nexthdr;
	*offset += sizeof(*ip);
	begin = *offset;
	for (depth = 0; next != NEXTHDR_TCP; depth++) {
		const struct ipv6_opt_hdr *option;
		struct ipv6_opt_hdr space;

		if (depth == ONRAMP_EXTHDR_DEPTH ||
		    (next != NEXTHDR_HOP && next != NEXTHDR_ROUTING &&
		     next != NEXTHDR_DEST))
			return false;
		option = skb_header_pointer(skb, *offset, sizeof(space),
					    &space);
		if (!option)
			return false;
		next = option->nexthdr;
		*offset += ipv6_optlen(option);
	}
	if (*len && *len < *offset - begin)
		return false;
	if (*len)
		*len -= *offset - begin;
	return true;
}

static void onramp_dissect_ports(const struct tcphdr *tcp, struct onramp_packet *p)
{
	p->tuple.scope = 0;
	p->tuple.sport = tcp->source;
	p->tuple.dport = tcp->dest;
}

/* For all packets that are not plain; out of line, so that those pay nothing. */
static noinline bool onramp_dissect_any(const struct sk_buff *skb,
					struct onramp_packet *p)
{
	const struct tcphdr *tcp;
	struct tcphdr buffer;
	__be16 proto;
	int offset;
	u32 len;

	if (!onramp_dissect_network(skb, &offset, &proto))
		return false;
	if (proto == htons(ETH_P_IP)) {
		if (!onramp_dissect_ipv4(skb, &offset, &len, p))
			return false;
	} else if (proto == htons(ETH_P_IPV6)) {
		if (!onramp_dissect_ipv6(skb, &offset, &len, p))
			return false;
	} else {
		return false;
	}

	tcp = skb_header_pointer(skb, offset, sizeof(buffer), &buffer);
	if (!tcp || !onramp_packet_tcp(skb, tcp, offset, len, p))
		return false;
	onramp_dissect_ports(tcp, p);
	return true;
}

bool onramp_dissect(const struct sk_buff *skb, struct onramp_packet *p)
{
	u32 offset = onramp_dissect_is_out(skb) ? skb_network_offset(skb) : 0;
	struct onramp_plain h;

	if (unlikely(!onramp_plain(skb, offset, &h)))
		return onramp_dissect_any(skb, p);
	if (!onramp_packet_tcp(skb, h.tcp, h.offset, h.len, p))
		return false;
	p->dsfield = h.dsfield;
	if (likely(h.ip)) {
		ipv6_addr_set_v4mapped(h.ip->saddr, &p->tuple.saddr);
		ipv6_addr_set_v4mapped(h.ip->daddr, &p->tuple.daddr);
	} else {
		p->tuple.saddr = h.ip6->saddr;
		p->tuple.daddr = h.ip6->daddr;
	}
	onramp_dissect_ports(h.tcp, p);
	return true;
}
EXPORT_SYMBOL_GPL(onramp_dissect);

/*
 * Within which part of a host the addresses of a flow mean one host.
 *
 * Two VRFs may use the same addresses, and so may two links those that are local
 * to a link.  So flows and paths have a scope in their keys, at both ends: it is
 * that of the device by which IP sends the packets, and by which the OR-ACKs
 * about them come to it; and at the receiver of that by which IP gets them.
 *
 * A device with a qdisc, or the acker's, may be below that one: a VLAN, a bond or
 * a bridge is in the VRF, the NIC is in none.  The device by which IP sent a packet its route
 * shows; most devices drop that before the qdisc, and then the socket's route is
 * the same.  A forwarded packet has neither, and is found by its VLAN tag and what
 * is above the device.  All of these are still there when the packet leaves, so
 * that it is the same as when the packet was queued.
 *
 * Zones of conntrack are not a scope: a datagram gets them after our hook,
 * by rules that need not give one to what is measured, and two connections that
 * differ in nothing else cannot be distinguished by the receiver either.
 */

/* More devices above each other no host has, and no more tags a packet. */
#define ONRAMP_SCOPE_DEPTH 8
#define ONRAMP_SCOPE_TAGS 2

/* A VLAN tag in 16 bits; 0: none. */
#define ONRAMP_TAG_IS BIT(14)
#define ONRAMP_TAG_AD BIT(15)
#define ONRAMP_TAG_BITS 16

/* Addresses of 169.254.0.0/16 are a link's (RFC 3927), as those of fe80::/10 are. */
static bool onramp_scope_is_link(const struct onramp_tuple *tuple)
{
	if (ipv6_addr_v4mapped(&tuple->saddr))
		return ipv4_is_linklocal_169(tuple->saddr.s6_addr32[3]) ||
		       ipv4_is_linklocal_169(tuple->daddr.s6_addr32[3]);
	return (ipv6_addr_type(&tuple->saddr) |
		ipv6_addr_type(&tuple->daddr)) & IPV6_ADDR_LINKLOCAL;
}

/* Nearly all packets have none, and pay for no more than this. */
static bool onramp_scope_is_one(const struct onramp_net *on,
				const struct onramp_tuple *tuple)
{
	return !READ_ONCE(on->vrfs) && !onramp_scope_is_link(tuple);
}

bool onramp_scope_matters(const struct net *net, const struct onramp_tuple *tuple)
{
	return !onramp_scope_is_one(onramp_net_of(net), tuple);
}
EXPORT_SYMBOL_GPL(onramp_scope_matters);

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
