// SPDX-License-Identifier: GPL-2.0
/*
 * OR-ACKs are taken before conntrack and sockets see them.
 *
 * Whatever they say may be a lie.  A datagram is taken only if an entry is of a
 * flow of this namespace whose addresses are the datagram's, swapped; all
 * others go on, to a router's next hop for instance.  What it costs is bounded
 * by its size, which is by the count of entries.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "core.h"

/**
 * struct onramp_orack - a datagram that may be an OR-ACK
 * @tuple: of the flows it is about, but for the ports
 * @view: what it says
 */
struct onramp_orack {
	struct onramp_tuple	tuple;
	struct onramp_wire_view	view;
};

/* The UDP payload, in the linear part, if there is all of it and a checksum. */
static const u8 *onramp_orack_payload(struct sk_buff *skb, unsigned int offset,
				      const struct udphdr *udp,
				      unsigned int *len)
{
	unsigned int bytes = ntohs(udp->len);

	if (bytes != skb->len - offset || !udp->check ||
	    bytes < sizeof(*udp) + ONRAMP_WIRE_HEADER_BYTES ||
	    bytes > sizeof(*udp) + ONRAMP_WIRE_MAX_BYTES ||
	    !pskb_may_pull(skb, offset + bytes))
		return NULL;
	*len = bytes - sizeof(*udp);
	return skb->data + offset + sizeof(*udp);
}

static struct onramp_core_flow *
onramp_orack_flow(struct onramp_net *on, struct onramp_orack *ack,
		  const struct onramp_wire_item *item)
{
	ack->tuple.sport = htons(item->sport);
	ack->tuple.dport = htons(item->dport);
	return onramp_flow_find(on, &ack->tuple);
}

/* Return: true if an entry is of a flow that is known here. */
static bool onramp_orack_is_ours(struct onramp_net *on,
				 struct onramp_orack *ack)
{
	struct onramp_wire_item item;
	u32 i;

	for (i = 0; i < ack->view.head.count; i++)
		if (onramp_wire_entry(&ack->view, i, &item) == ONRAMP_WIRE_OK &&
		    onramp_orack_flow(on, ack, &item))
			return true;
	return false;
}

/* Flows that have gone since are no loss. */
static void onramp_orack_take(struct onramp_net *on, struct onramp_orack *ack)
{
	u64 now_ns = onramp_now(on->net);
	struct onramp_wire_item item;
	u32 i;

	for (i = 0; i < ack->view.head.count; i++) {
		struct onramp_core_flow *flow;

		if (onramp_wire_entry(&ack->view, i, &item) != ONRAMP_WIRE_OK)
			continue;
		flow = onramp_orack_flow(on, ack, &item);
		if (flow)
			onramp_controller_report(flow, &ack->view.head, &item,
						 now_ns);
	}
}

static unsigned int onramp_orack_receive(struct sk_buff *skb,
					 const struct nf_hook_state *state,
					 struct onramp_orack *ack,
					 unsigned int offset, u8 family)
{
	struct onramp_net *on = onramp_net_of(state->net);
	const struct udphdr *udp;
	struct udphdr buffer;
	const u8 *payload;
	unsigned int len;

	udp = skb_header_pointer(skb, offset, sizeof(buffer), &buffer);
	if (!udp || udp->dest != htons(ONRAMP_PORT))
		return NF_ACCEPT;
	payload = onramp_orack_payload(skb, offset, udp, &len);
	if (!payload ||
	    onramp_wire_parse(payload, len, &ack->view) != ONRAMP_WIRE_OK) {
		atomic64_inc(&on->acks_bad);
		return NF_ACCEPT;
	}
	if (!onramp_orack_is_ours(on, ack)) {
		atomic64_inc(&on->acks_strange);
		return NF_ACCEPT;
	}
	if (nf_checksum(skb, state->hook, offset, IPPROTO_UDP, family)) {
		atomic64_inc(&on->acks_bad);
		return NF_DROP;
	}
	atomic64_inc(&on->acks);
	onramp_orack_take(on, ack);
	return NF_DROP;
}

static unsigned int onramp_orack_ipv4(void *priv, struct sk_buff *skb,
				      const struct nf_hook_state *state)
{
	const struct iphdr *ip = ip_hdr(skb);
	struct onramp_orack ack = {};

	if (ip->protocol != IPPROTO_UDP || ip_is_fragment(ip))
		return NF_ACCEPT;
	ipv6_addr_set_v4mapped(ip->daddr, &ack.tuple.saddr);
	ipv6_addr_set_v4mapped(ip->saddr, &ack.tuple.daddr);
	return onramp_orack_receive(skb, state, &ack, ip_hdrlen(skb), AF_INET);
}

/* The acker sends no extension headers, and fragments have one. */
static unsigned int onramp_orack_ipv6(void *priv, struct sk_buff *skb,
				      const struct nf_hook_state *state)
{
	const struct ipv6hdr *ip = ipv6_hdr(skb);
	struct onramp_orack ack = {};

	if (ip->nexthdr != IPPROTO_UDP)
		return NF_ACCEPT;
	ack.tuple.saddr = ip->daddr;
	ack.tuple.daddr = ip->saddr;
	return onramp_orack_receive(skb, state, &ack, sizeof(*ip), AF_INET6);
}

static const struct nf_hook_ops onramp_orack_hooks[] = {
	{
		.hook = onramp_orack_ipv4,
		.pf = NFPROTO_IPV4,
		.hooknum = NF_INET_PRE_ROUTING,
		.priority = NF_IP_PRI_RAW_BEFORE_DEFRAG - 1,
	},
	{
		.hook = onramp_orack_ipv6,
		.pf = NFPROTO_IPV6,
		.hooknum = NF_INET_PRE_ROUTING,
		.priority = NF_IP6_PRI_RAW_BEFORE_DEFRAG - 1,
	},
};

/**
 * onramp_orack_start() - receive OR-ACKs in a namespace
 * @on: the namespace
 *
 * Context: RTNL.
 * Return: 0, or of registering the hooks.
 */
int onramp_orack_start(struct onramp_net *on)
{
	return nf_register_net_hooks(on->net, onramp_orack_hooks,
				     ARRAY_SIZE(onramp_orack_hooks));
}

/**
 * onramp_orack_stop() - no longer; those that are being received still are
 * @on: the namespace
 *
 * Context: RTNL.
 */
void onramp_orack_stop(struct onramp_net *on)
{
	nf_unregister_net_hooks(on->net, onramp_orack_hooks,
				ARRAY_SIZE(onramp_orack_hooks));
}
