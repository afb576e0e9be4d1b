/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A TCP packet as the qdisc, core and the acker see it: where its headers lie and what
 * they say.
 *
 * Nearly all packets are plain: IPv4 without options or IPv6 without extension headers,
 * no tags in the data, not in pieces.  Their headers are read in place, inline; all
 * others are core's onramp_dissect()'s.
 */
#ifndef SHARPRAMP_ONRAMP_PACKET_H
#define SHARPRAMP_ONRAMP_PACKET_H

#include <linux/if_ether.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <net/dsfield.h>
#include <net/ip.h>
#include <net/ipv6.h>

/**
 * struct onramp_tuple - a TCP flow in the direction of its data
 * @saddr: IPv4 addresses are mapped, ::ffff:0:0/96
 * @daddr: same
 * @sport: network order
 * @dport: network order
 * @scope: where the addresses mean one host, ifindex of a VRF or, of addresses
 *	that are local to a link, of that; 0: in all others
 *
 * No padding: it is hashed and compared as bytes.
 */
struct onramp_tuple {
	struct in6_addr	saddr;
	struct in6_addr	daddr;
	__be16		sport;
	__be16		dport;
	u32		scope;
};

/**
 * onramp_tuple_is() - are two flows the same?
 * @a: one
 * @b: the other
 *
 * Return: true if they are.
 */
static inline bool onramp_tuple_is(const struct onramp_tuple *a,
				   const struct onramp_tuple *b)
{
	return a->sport == b->sport && a->dport == b->dport &&
	       a->scope == b->scope &&
	       ipv6_addr_equal(&a->saddr, &b->saddr) &&
	       ipv6_addr_equal(&a->daddr, &b->daddr);
}

/**
 * struct onramp_packet - a TCP packet as core and acker see it
 * @tuple: its flow
 * @seq: sequence number of its first byte of payload
 * @len: bytes of payload; of all segments, for a GSO packet
 * @dsfield: DSCP and ECN
 * @syn: SYN is set; @seq counts it
 * @fin: FIN is set
 * @rst: RST is set
 */
struct onramp_packet {
	struct onramp_tuple	tuple;
	u32			seq;
	u32			len;
	u8			dsfield;
	bool			syn;
	bool			fin;
	bool			rst;
};

/**
 * onramp_dissect() - read a TCP packet's headers, wherever they lie
 * @skb: data at the network header, or qdisc and driver side with that set
 * @p: filled if true is returned; its scope is 0
 *
 * VLAN tags are skipped; fragments, extension headers other than hop-by-hop,
 * routing and destination options, and lengths that do not fit are refused.
 * Context: any; the packet is not changed.
 * Return: true if it is a TCP packet.
 */
bool onramp_dissect(const struct sk_buff *skb, struct onramp_packet *p);

/**
 * onramp_tcp_bytes() - which bytes a TCP packet has
 * @skb: the packet
 * @tcp: its header
 * @offset: where that is, from skb->data
 * @len: bytes of IP payload; 0 of a packet that is too large for IP's own length
 * @seq: filled if true is returned: sequence number of its first byte
 * @bytes: likewise: of payload
 *
 * Return: false if the lengths do not fit together.
 */
static __always_inline bool onramp_tcp_bytes(const struct sk_buff *skb,
					     const struct tcphdr *tcp, u32 offset,
					     u32 len, u32 *seq, u32 *bytes)
{
	u32 header = tcp->doff * 4;

	if (header < sizeof(*tcp))
		return false;
	if (!len && skb_is_gso(skb))
		len = skb->len - offset;
	if (len < header || len > skb->len - offset)
		return false;
	*seq = ntohl(tcp->seq) + tcp->syn;
	*bytes = len - header;
	return true;
}

/**
 * onramp_packet_tcp() - what a TCP header says
 * @skb: the packet
 * @tcp: the header
 * @offset: where it is, from skb->data
 * @len: bytes of IP payload; 0 of a packet that is too large for IP's own length
 * @p: all but its tuple is filled if true is returned
 *
 * Return: false if the lengths do not fit together.
 */
static __always_inline bool onramp_packet_tcp(const struct sk_buff *skb,
					      const struct tcphdr *tcp, u32 offset,
					      u32 len, struct onramp_packet *p)
{
	if (!onramp_tcp_bytes(skb, tcp, offset, len, &p->seq, &p->len))
		return false;
	p->syn = tcp->syn;
	p->fin = tcp->fin;
	p->rst = tcp->rst;
	return true;
}

/**
 * struct onramp_plain - the headers of a plain packet
 * @ip: of IPv4, or NULL
 * @ip6: of IPv6, or NULL
 * @tcp: of TCP
 * @offset: of @tcp, from skb->data
 * @len: bytes of IP payload; 0 of a packet that is too large for IP's own length
 * @dsfield: DSCP and ECN
 */
struct onramp_plain {
	const struct iphdr	*ip;
	const struct ipv6hdr	*ip6;
	const struct tcphdr	*tcp;
	u32			offset;
	u32			len;
	u8			dsfield;
};

/**
 * onramp_plain_is_ipv4() - is a packet plain, of IPv4?
 * @skb: the packet
 * @ip: where its network header would be
 *
 * Return: true if headers of IP without options and of TCP lie there, and it is not a fragment.
 */
static __always_inline bool onramp_plain_is_ipv4(const struct sk_buff *skb,
						 const struct iphdr *ip)
{
	return skb_headlen(skb) >= (const u8 *)(ip + 1) - skb->data + sizeof(struct tcphdr) &&
	       *(const u8 *)ip == 0x45 && ip->protocol == IPPROTO_TCP && !ip_is_fragment(ip);
}

/**
 * onramp_plain_is_ipv6() - likewise, of IPv6
 * @skb: the packet
 * @ip: where its network header would be
 *
 * Return: true if headers of IP without extensions and of TCP lie there.
 */
static __always_inline bool onramp_plain_is_ipv6(const struct sk_buff *skb,
						 const struct ipv6hdr *ip)
{
	return skb_headlen(skb) >= (const u8 *)(ip + 1) - skb->data + sizeof(struct tcphdr) &&
	       ip->version == 6 && ip->nexthdr == IPPROTO_TCP;
}

static __always_inline bool onramp_plain_ipv4(const struct sk_buff *skb, u32 offset,
					      struct onramp_plain *h)
{
	const struct iphdr *ip = (const struct iphdr *)(skb->data + offset);
	u32 total;

	if (!onramp_plain_is_ipv4(skb, ip))
		return false;
	total = ntohs(ip->tot_len);
	if (total && total < sizeof(*ip))
		return false;
	*h = (struct onramp_plain){
		.ip = ip,
		.tcp = (const struct tcphdr *)(ip + 1),
		.offset = offset + sizeof(*ip),
		.len = total ? total - sizeof(*ip) : 0,
		.dsfield = ip->tos,
	};
	return true;
}

static __always_inline bool onramp_plain_ipv6(const struct sk_buff *skb, u32 offset,
					      struct onramp_plain *h)
{
	const struct ipv6hdr *ip = (const struct ipv6hdr *)(skb->data + offset);

	if (!onramp_plain_is_ipv6(skb, ip))
		return false;
	*h = (struct onramp_plain){
		.ip6 = ip,
		.tcp = (const struct tcphdr *)(ip + 1),
		.offset = offset + sizeof(*ip),
		.len = ntohs(ip->payload_len),
		.dsfield = ipv6_get_dsfield(ip),
	};
	return true;
}

/**
 * onramp_plain() - the headers of a packet, if it is plain
 * @skb: the packet
 * @offset: of its network header, from skb->data
 * @h: filled if true is returned
 *
 * Return: true if it is.
 */
static __always_inline bool onramp_plain(const struct sk_buff *skb, int offset,
					 struct onramp_plain *h)
{
	if (unlikely(offset < 0))
		return false;
	if (likely(skb->protocol == htons(ETH_P_IP)))
		return onramp_plain_ipv4(skb, offset, h);
	return skb->protocol == htons(ETH_P_IPV6) && onramp_plain_ipv6(skb, offset, h);
}

/**
 * onramp_plain_is() - is a plain packet of a flow?
 * @h: its headers
 * @tuple: the flow, whose scope is not compared
 *
 * Return: true if it is.
 */
static __always_inline bool onramp_plain_is(const struct onramp_plain *h,
					    const struct onramp_tuple *tuple)
{
	if (h->tcp->source != tuple->sport || h->tcp->dest != tuple->dport)
		return false;
	if (likely(h->ip))
		return h->ip->saddr == tuple->saddr.s6_addr32[3] &&
		       h->ip->daddr == tuple->daddr.s6_addr32[3] &&
		       ipv6_addr_v4mapped(&tuple->saddr);
	return ipv6_addr_equal(&h->ip6->saddr, &tuple->saddr) &&
	       ipv6_addr_equal(&h->ip6->daddr, &tuple->daddr);
}

/**
 * onramp_read() - what the TCP header of a packet on its way out says
 * @skb: the packet, its network header set
 * @p: filled if true is returned; its tuple only if the packet is not plain
 *
 * Context: any; the packet is not changed.
 * Return: true if it is a TCP packet.
 */
static __always_inline bool onramp_read(const struct sk_buff *skb,
					struct onramp_packet *p)
{
	struct onramp_plain h;

	if (unlikely(!onramp_plain(skb, skb_network_offset(skb), &h)))
		return onramp_dissect(skb, p);
	p->dsfield = h.dsfield;
	return onramp_packet_tcp(skb, h.tcp, h.offset, h.len, p);
}

#endif /* SHARPRAMP_ONRAMP_PACKET_H */
