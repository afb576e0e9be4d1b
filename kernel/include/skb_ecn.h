/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ECN field of a packet in a qdisc: IPv4 or IPv6, behind any number of
 * VLAN tags, in linear data or not.
 *
 * INET_ECN_set_ce() takes the network header on trust.  In a qdisc that is
 * not enough: behind a tag that is part of the data it may point at the tag
 * (VLAN device without REORDER_HDR, bridged QinQ) or at the IP header (a tag
 * pushed by a stacked VLAN device).  So where the protocol is a VLAN's the
 * IP header is searched from the MAC header on, which the qdisc layer sets.
 */
#ifndef SHARPRAMP_SKB_ECN_H
#define SHARPRAMP_SKB_ECN_H

#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>

/* Tags that are skipped: QinQ and as many again. */
#define SKB_ECN_MAX_TAGS	4

/**
 * enum skb_ecn - a packet's ECN field
 * @SKB_ECN_NOT_IP: nothing, the packet has none
 * @SKB_ECN_NOT_ECT: not ECN-capable; from here on 1 + the codepoint
 * @SKB_ECN_ECT: ECT(1); as a bit, ECT(0) or ECT(1)
 * @SKB_ECN_ECT_0: ECT(0)
 * @SKB_ECN_CE: congestion experienced
 */
enum skb_ecn {
	SKB_ECN_NOT_IP,
	SKB_ECN_NOT_ECT,
	SKB_ECN_ECT,
	SKB_ECN_ECT_0,
	SKB_ECN_CE,
};

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

static inline enum skb_ecn skb_ecn_of(u8 dsfield)
{
	return (enum skb_ecn)(SKB_ECN_NOT_ECT + (dsfield & INET_ECN_MASK));
}

/* Any packet: with tags, options, headers outside the linear data, not IP. */
static noinline __maybe_unused enum skb_ecn
skb_ecn_read_any(const struct sk_buff *skb)
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
			return skb_ecn_of(iph->tos);
	} else if (protocol == htons(ETH_P_IPV6)) {
		const struct ipv6hdr *ip6h;

		ip6h = skb_header_pointer(skb, offset, sizeof(buf.v6),
					  &buf.v6);
		if (ip6h && ip6h->version == 6)
			return skb_ecn_of(ipv6_get_dsfield(ip6h));
	}
	return SKB_ECN_NOT_IP;
}

/* Are so many bytes from the network header on in the linear data? */
static inline bool skb_ecn_has_header(const struct sk_buff *skb, u32 len)
{
	return likely(skb->network_header + len <=
		      (u32)(skb_tail_pointer(skb) - skb->head));
}

/**
 * skb_ecn_read() - read the ECN field
 * @skb: a packet as a qdisc sees it; malformed ones count as not IP
 *
 * Context: any; does not change @skb.
 * Return: which codepoint it has, if any.
 */
static inline enum skb_ecn skb_ecn_read(const struct sk_buff *skb)
{
	const u8 *header = skb_network_header(skb);

	/* Nearly all packets need no buffer: IPv4 without options. */
	if (likely(skb->protocol == htons(ETH_P_IP))) {
		if (skb_ecn_has_header(skb, sizeof(struct iphdr)) &&
		    likely(*header == 0x45))
			return skb_ecn_of(((const struct iphdr *)header)->tos);
	} else if (skb->protocol == htons(ETH_P_IPV6)) {
		const struct ipv6hdr *ip6h = (const struct ipv6hdr *)header;

		if (skb_ecn_has_header(skb, sizeof(*ip6h)) &&
		    likely(ip6h->version == 6))
			return skb_ecn_of(ipv6_get_dsfield(ip6h));
	}
	return skb_ecn_read_any(skb);
}

/* Likewise for any packet. */
static noinline __maybe_unused bool skb_ecn_set_ce_any(struct sk_buff *skb)
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

/**
 * skb_ecn_set_ce() - mark a packet
 * @skb: the packet, ECT(0) or ECT(1) by skb_ecn_read(); its header is made
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
	if (likely(skb->protocol == htons(ETH_P_IP) && !skb_cloned(skb) &&
		   skb_ecn_has_header(skb, sizeof(struct iphdr))))
		return IP_ECN_set_ce(ip_hdr(skb));
	return skb_ecn_set_ce_any(skb);
}

#endif /* SHARPRAMP_SKB_ECN_H */
