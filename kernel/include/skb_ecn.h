/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ECN field of a packet in a qdisc: IPv4 or IPv6, behind any number of
 * VLAN tags, in linear data or not.
 *
 * INET_ECN_set_ce() takes the network header on trust.  In a qdisc that is
 * not enough: behind a tag that is part of the data it may point at the tag
 * (VLAN device without REORDER_HDR, bridged QinQ) or at the IP header (a tag
 * pushed by a stacked VLAN device).  So where the protocol is a VLAN's the
 * IP header is looked for from the MAC header on, which the qdisc layer sets.
 */
#ifndef SHARPRAMP_SKB_ECN_H
#define SHARPRAMP_SKB_ECN_H

#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>

/* Tags looked behind: QinQ and as many again. */
#define SKB_ECN_MAX_TAGS	4

/* With the codepoint (INET_ECN_MASK): it is that of an IP packet. */
#define SKB_ECN_IP		4

static inline __be16 skb_ecn_skip_tags(const struct sk_buff *skb, int *offset)
{
	__be16 protocol = skb->protocol;
	struct vlan_hdr buf;
	int tags;

	*offset = skb_network_offset(skb);
	if (likely(!eth_type_vlan(protocol)))
		return protocol;

	*offset = skb_mac_offset(skb) + ETH_HLEN;
	for (tags = 0; eth_type_vlan(protocol); tags++) {
		const struct vlan_hdr *tag;

		tag = skb_header_pointer(skb, *offset, sizeof(buf), &buf);
		if (!tag || tags == SKB_ECN_MAX_TAGS)
			return 0;
		protocol = tag->h_vlan_encapsulated_proto;
		*offset += VLAN_HLEN;
	}
	return protocol;
}

/* Any packet: with tags, headers outside the linear data, not IP. */
static noinline __maybe_unused u8 skb_ecn_read_any(const struct sk_buff *skb)
{
	union {
		struct iphdr v4;
		struct ipv6hdr v6;
	} buf;
	__be16 protocol;
	int offset;

	protocol = skb_ecn_skip_tags(skb, &offset);
	if (protocol == htons(ETH_P_IP)) {
		const struct iphdr *iph;

		iph = skb_header_pointer(skb, offset, sizeof(buf.v4), &buf.v4);
		if (iph && iph->version == 4)
			return SKB_ECN_IP | (iph->tos & INET_ECN_MASK);
	} else if (protocol == htons(ETH_P_IPV6)) {
		const struct ipv6hdr *ip6h;

		ip6h = skb_header_pointer(skb, offset, sizeof(buf.v6),
					  &buf.v6);
		if (ip6h && ip6h->version == 6)
			return SKB_ECN_IP |
			       (ipv6_get_dsfield(ip6h) & INET_ECN_MASK);
	}
	return INET_ECN_NOT_ECT;
}

/**
 * skb_ecn_read() - read the ECN field
 * @skb: a packet as a qdisc sees it; malformed ones count as not IP
 *
 * Context: any; does not change @skb.
 * Return: INET_ECN_NOT_ECT, _ECT_0, _ECT_1 or _CE, with SKB_ECN_IP; plain
 * INET_ECN_NOT_ECT if it is not IP.
 */
static inline u8 skb_ecn_read(const struct sk_buff *skb)
{
	int len = skb_tail_pointer(skb) - skb_network_header(skb);

	/* What nearly all packets are needs no buffer. */
	if (skb->protocol == htons(ETH_P_IP)) {
		const struct iphdr *iph = ip_hdr(skb);

		if (likely(len >= (int)sizeof(*iph) && iph->version == 4))
			return SKB_ECN_IP | (iph->tos & INET_ECN_MASK);
	} else if (skb->protocol == htons(ETH_P_IPV6)) {
		const struct ipv6hdr *ip6h = ipv6_hdr(skb);

		if (likely(len >= (int)sizeof(*ip6h) && ip6h->version == 6))
			return SKB_ECN_IP |
			       (ipv6_get_dsfield(ip6h) & INET_ECN_MASK);
	}
	return skb_ecn_read_any(skb);
}

/**
 * skb_ecn_set_ce() - mark a packet
 * @skb: the packet, ECT(0) or ECT(1) as skb_ecn_read() says; its header is made
 *	private first, clones stay unmarked
 *
 * The IPv4 header checksum and a CHECKSUM_COMPLETE sum follow the change.  On
 * a GSO packet the mark is in the header that every segment is given.
 *
 * Context: softirq, qdisc lock held; may allocate atomically.
 * Return: true, or false if there was no memory: the packet is unchanged.
 */
static inline bool skb_ecn_set_ce(struct sk_buff *skb)
{
	int offset;
	bool v4 = skb_ecn_skip_tags(skb, &offset) == htons(ETH_P_IP);
	int len = v4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);

	if (skb_ensure_writable(skb, offset + len))
		return false;
	if (v4)
		return IP_ECN_set_ce((struct iphdr *)(skb->data + offset));
	return IP6_ECN_set_ce(skb, (struct ipv6hdr *)(skb->data + offset));
}

#endif /* SHARPRAMP_SKB_ECN_H */
