// SPDX-License-Identifier: GPL-2.0
/*
 * The packets of benchflow: TCP with payload, as it goes to a qdisc, and the
 * OR-ACKs of it, as they come to a device.
 */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/onramp_wire.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/checksum.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "benchflow.h"

#define BENCHFLOW_ORDER	get_order(BENCHFLOW_LARGE)

/* The payload of GSO packets. */
static struct page *benchflow_page;
/* The serial number of the next OR-ACK. */
static u32 benchflow_serial = 1;

/**
 * benchflow_page_alloc() - before the first packet
 *
 * Return: 0, or -ENOMEM.
 */
int benchflow_page_alloc(void)
{
	benchflow_page = alloc_pages(GFP_KERNEL | __GFP_COMP | __GFP_ZERO,
				     BENCHFLOW_ORDER);
	return benchflow_page ? 0 : -ENOMEM;
}

/** benchflow_page_free() - no packet is made any more; there may be some */
void benchflow_page_free(void)
{
	put_page(benchflow_page);
}

/* An IPv4 source; IPv6 has it as its last 32 bits. */
static __be32 benchflow_source(u32 path)
{
	return htonl(0xc6120001 + path);
}

static __be32 benchflow_destination(void)
{
	return htonl(0xc0000201);
}

static struct in6_addr benchflow_ipv6(__be32 addr)
{
	return (struct in6_addr){
		.s6_addr32 = { htonl(0x20010db8), 0, 0, addr },
	};
}

static struct sk_buff *benchflow_frame(struct net_device *dev, bool ipv6,
				       u32 bytes)
{
	struct sk_buff *skb;
	struct ethhdr *eth;

	skb = alloc_skb(LL_MAX_HEADER + sizeof(*eth) + sizeof(struct ipv6hdr) +
			bytes, GFP_ATOMIC);
	if (!skb)
		return NULL;
	skb_reserve(skb, LL_MAX_HEADER);
	skb_reset_mac_header(skb);
	eth = skb_put(skb, sizeof(*eth));
	memcpy(eth->h_dest, dev->dev_addr, ETH_ALEN);
	memcpy(eth->h_source, dev->dev_addr, ETH_ALEN);
	eth->h_proto = ipv6 ? htons(ETH_P_IPV6) : htons(ETH_P_IP);
	skb->protocol = eth->h_proto;
	skb->dev = dev;
	return skb;
}

/**
 * struct benchflow_ip - what an IP header says
 * @saddr: source
 * @daddr: destination
 * @protocol: what follows
 * @bytes: of that
 * @ipv6: which IP
 */
struct benchflow_ip {
	__be32	saddr;
	__be32	daddr;
	u8	protocol;
	u32	bytes;
	bool	ipv6;
};

static void benchflow_put_ipv4(struct sk_buff *skb, const struct benchflow_ip *x)
{
	struct iphdr *ip = skb_put_zero(skb, sizeof(*ip));

	ip->version = 4;
	ip->ihl = sizeof(*ip) / 4;
	ip->tot_len = htons(sizeof(*ip) + x->bytes);
	ip->ttl = 64;
	ip->protocol = x->protocol;
	/* So that it can be marked. */
	ip->tos = x->protocol == IPPROTO_TCP ? INET_ECN_ECT_0 : 0;
	ip->saddr = x->saddr;
	ip->daddr = x->daddr;
	ip_send_check(ip);
}

static void benchflow_put_ipv6(struct sk_buff *skb, const struct benchflow_ip *x)
{
	struct ipv6hdr *ip = skb_put_zero(skb, sizeof(*ip));

	ip->version = 6;
	if (x->protocol == IPPROTO_TCP)
		ip->flow_lbl[0] = INET_ECN_ECT_0 << 4;
	ip->payload_len = htons(x->bytes);
	ip->nexthdr = x->protocol;
	ip->hop_limit = 64;
	ip->saddr = benchflow_ipv6(x->saddr);
	ip->daddr = benchflow_ipv6(x->daddr);
}

static void benchflow_put_ip(struct sk_buff *skb, const struct benchflow_ip *x)
{
	skb_set_network_header(skb, skb->len);
	if (x->ipv6)
		benchflow_put_ipv6(skb, x);
	else
		benchflow_put_ipv4(skb, x);
	skb_set_transport_header(skb, skb->len);
}

static void benchflow_put_tcp(struct sk_buff *skb, const struct benchflow_at *at,
			      u32 linear)
{
	struct tcphdr *tcp = skb_put_zero(skb, sizeof(*tcp) + linear);

	tcp->source = htons(at->sport);
	tcp->dest = htons(at->dport);
	tcp->seq = htonl(at->seq);
	tcp->doff = sizeof(*tcp) / 4;
	tcp->ack = 1;
}

/* As TCP gives it to a device that segments and computes checksums. */
static void benchflow_put_segments(struct sk_buff *skb,
				   const struct benchflow_at *at)
{
	get_page(benchflow_page);
	skb_add_rx_frag(skb, 0, benchflow_page, 0, at->bytes, at->bytes);
	skb_shinfo(skb)->gso_type = at->ipv6 ? SKB_GSO_TCPV6 : SKB_GSO_TCPV4;
	skb_shinfo(skb)->gso_size = BENCHFLOW_FULL;
	skb_shinfo(skb)->gso_segs = at->bytes / BENCHFLOW_FULL;
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_transport_header(skb) - skb->head;
	skb->csum_offset = offsetof(struct tcphdr, check);
}

/**
 * benchflow_make() - a packet, as it goes to a qdisc
 * @dev: the device
 * @at: which
 *
 * Context: any.
 * Return: the packet; NULL without memory.
 */
struct sk_buff *benchflow_make(struct net_device *dev,
			       const struct benchflow_at *at)
{
	u32 linear = at->bytes > BENCHFLOW_FULL ? 0 : at->bytes;
	const struct benchflow_ip ip = {
		.saddr = benchflow_source(at->path),
		.daddr = benchflow_destination(),
		.protocol = IPPROTO_TCP,
		.bytes = sizeof(struct tcphdr) + at->bytes,
		.ipv6 = at->ipv6,
	};
	struct sk_buff *skb;

	skb = benchflow_frame(dev, at->ipv6, sizeof(struct tcphdr) + linear);
	if (!skb)
		return NULL;
	benchflow_put_ip(skb, &ip);
	benchflow_put_tcp(skb, at, linear);
	if (!linear)
		benchflow_put_segments(skb, at);
	skb_set_hash(skb, at->hash, PKT_HASH_TYPE_L4);
	return skb;
}

/* Checksums are marked as good; a receiver wants one. */
static void benchflow_put_udp(struct sk_buff *skb, u32 bytes)
{
	struct udphdr *udp = skb_put_zero(skb, sizeof(*udp));

	udp->source = htons(ONRAMP_PORT);
	udp->dest = htons(ONRAMP_PORT);
	udp->len = htons(sizeof(*udp) + bytes);
	udp->check = CSUM_MANGLED_0;
	skb->ip_summed = CHECKSUM_UNNECESSARY;
}

static void benchflow_put_orack(struct sk_buff *skb,
				const struct benchflow_at *at, u64 ns, u32 epoch)
{
	const struct onramp_wire_header header = {
		.version = ONRAMP_WIRE_VERSION,
		.count = 1,
		.clock_id = epoch ? ONRAMP_CLOCK_PUBLISHED : ONRAMP_CLOCK_SYSTEM,
		.clock_epoch = htonl(epoch),
		.clock_error_ns = htonl(NSEC_PER_USEC),
		.serial = htonl(benchflow_serial++),
	};
	const struct onramp_wire_entry entry = {
		.sport = htons(at->sport),
		.dport = htons(at->dport),
		.seq = htonl(at->seq),
		.len = htons(at->bytes),
		.proto = IPPROTO_TCP,
		.stamp = ONRAMP_STAMP_TRACEPOINT,
		.rx_hi = htonl(upper_32_bits(ns)),
		.rx_lo = htonl(lower_32_bits(ns)),
	};

	skb_put_data(skb, &header, sizeof(header));
	skb_put_data(skb, &entry, sizeof(entry));
}

/**
 * benchflow_orack() - the OR-ACK of a packet, as it comes to a device
 * @dev: the device
 * @at: the packet
 * @ns: when it came, wall clock
 * @epoch: of the clock; 0: the system's
 *
 * Context: any.
 * Return: the datagram; NULL without memory.
 */
struct sk_buff *benchflow_orack(struct net_device *dev,
				const struct benchflow_at *at, u64 ns, u32 epoch)
{
	u32 bytes = sizeof(struct onramp_wire_header) +
		    sizeof(struct onramp_wire_entry);
	const struct benchflow_ip ip = {
		.saddr = benchflow_destination(),
		.daddr = benchflow_source(at->path),
		.protocol = IPPROTO_UDP,
		.bytes = sizeof(struct udphdr) + bytes,
		.ipv6 = at->ipv6,
	};
	struct sk_buff *skb;

	skb = benchflow_frame(dev, at->ipv6, ip.bytes);
	if (!skb)
		return NULL;
	benchflow_put_ip(skb, &ip);
	benchflow_put_udp(skb, bytes);
	benchflow_put_orack(skb, at, ns, epoch);
	return skb;
}
