// SPDX-License-Identifier: GPL-2.0
/*
 * Where the headers of a TCP packet lie, in front of the driver and behind it.
 */
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <net/dsfield.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "core.h"

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
 * the data is before the network header or part of it, depending on who wrote
 * it, so it is looked for where Ethernet has it.
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

/*
 * The TCP header, @len bytes of IP payload from @offset on; 0 of a huge packet.
 * Return: false if they do not fit together.
 */
static __always_inline bool onramp_dissect_tcp(const struct sk_buff *skb,
					       const struct tcphdr *tcp,
					       u32 offset, u32 len,
					       struct onramp_packet *p)
{
	u32 header = tcp->doff * 4;

	if (header < sizeof(*tcp))
		return false;
	if (!len && skb_is_gso(skb))
		len = skb->len - offset;
	if (len < header || len > skb->len - offset)
		return false;
	p->tuple.scope = 0;
	p->tuple.sport = tcp->source;
	p->tuple.dport = tcp->dest;
	p->seq = ntohl(tcp->seq) + tcp->syn;
	p->len = len - header;
	p->syn = tcp->syn;
	p->fin = tcp->fin;
	p->rst = tcp->rst;
	return true;
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
	return tcp && onramp_dissect_tcp(skb, tcp, offset, len, p);
}

/* What nearly all packets are: IPv4 without tags or options, not in pieces. */
static __always_inline const struct iphdr *
onramp_dissect_plain(const struct sk_buff *skb, u32 *offset)
{
	const struct iphdr *ip;

	if (skb->protocol != htons(ETH_P_IP))
		return NULL;
	*offset = onramp_dissect_is_out(skb) ? skb_network_offset(skb) : 0;
	if (skb_headlen(skb) < *offset + sizeof(*ip) + sizeof(struct tcphdr))
		return NULL;
	ip = (const struct iphdr *)(skb->data + *offset);
	return *(const u8 *)ip == 0x45 && ip->protocol == IPPROTO_TCP &&
	       !ip_is_fragment(ip) ? ip : NULL;
}

bool onramp_dissect(const struct sk_buff *skb, struct onramp_packet *p)
{
	const struct iphdr *ip;
	u32 offset, total;

	ip = onramp_dissect_plain(skb, &offset);
	if (unlikely(!ip))
		return onramp_dissect_any(skb, p);
	total = ntohs(ip->tot_len);
	if (total && total < sizeof(*ip))
		return false;
	p->dsfield = ip->tos;
	ipv6_addr_set_v4mapped(ip->saddr, &p->tuple.saddr);
	ipv6_addr_set_v4mapped(ip->daddr, &p->tuple.daddr);
	return onramp_dissect_tcp(skb, (const struct tcphdr *)(ip + 1),
				  offset + sizeof(*ip),
				  total ? total - sizeof(*ip) : 0, p);
}
EXPORT_SYMBOL_GPL(onramp_dissect);
