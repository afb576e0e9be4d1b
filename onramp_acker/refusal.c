// SPDX-License-Identifier: GPL-2.0
/*
 * A peer that has no onramp answers an OR-ACK with "port unreachable", which
 * would otherwise go nowhere: there is no socket.  It is looked for where ICMP
 * for this host passes, after its filters, and passes on.
 *
 * Only the peer itself is believed, not a router on the way.
 */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "acker.h"

/* Is this what we sent? Its ports are all that is left to ask. */
static bool acker_is_orack(const struct sk_buff *skb, int offset)
{
	const struct udphdr *udp;
	struct udphdr buffer;

	udp = skb_header_pointer(skb, offset, sizeof(buffer), &buffer);
	return udp && udp->source == htons(ONRAMP_PORT) &&
	       udp->dest == htons(ONRAMP_PORT);
}

static void acker_refused(struct net *net, const struct acker_pair *pair)
{
	struct acker_net *a = acker_net_of(net);

	spin_lock_bh(&a->lock);
	if (!a->dead && a->table.flows)
		acker_path_refused(a, pair, onramp_now(net));
	spin_unlock_bh(&a->lock);
}

static unsigned int acker_icmp4(void *priv, struct sk_buff *skb,
				const struct nf_hook_state *state)
{
	int offset = skb_network_offset(skb) + ip_hdrlen(skb);
	const struct icmphdr *icmp;
	const struct iphdr *quoted;
	struct icmphdr icmp_buffer;
	struct acker_pair pair;
	struct iphdr ip_buffer;

	if (ip_hdr(skb)->protocol != IPPROTO_ICMP)
		return NF_ACCEPT;
	icmp = skb_header_pointer(skb, offset, sizeof(icmp_buffer),
				  &icmp_buffer);
	quoted = skb_header_pointer(skb, offset + sizeof(*icmp),
				    sizeof(ip_buffer), &ip_buffer);
	if (!icmp || !quoted || icmp->type != ICMP_DEST_UNREACH ||
	    icmp->code != ICMP_PORT_UNREACH || quoted->version != 4 ||
	    quoted->ihl < 5 || quoted->protocol != IPPROTO_UDP ||
	    quoted->daddr != ip_hdr(skb)->saddr)
		return NF_ACCEPT;
	if (!acker_is_orack(skb, offset + sizeof(*icmp) + quoted->ihl * 4) ||
	    nf_checksum(skb, state->hook, offset, IPPROTO_ICMP, AF_INET))
		return NF_ACCEPT;
	ipv6_addr_set_v4mapped(quoted->daddr, &pair.peer);
	ipv6_addr_set_v4mapped(quoted->saddr, &pair.self);
	acker_refused(state->net, &pair);
	return NF_ACCEPT;
}

/* We send no extension headers, so none is looked for in what is quoted. */
static unsigned int acker_icmp6(void *priv, struct sk_buff *skb,
				const struct nf_hook_state *state)
{
	int offset = skb_network_offset(skb) + sizeof(struct ipv6hdr);
	const struct icmp6hdr *icmp;
	struct icmp6hdr icmp_buffer;
	const struct ipv6hdr *quoted;
	struct ipv6hdr ip_buffer;
	struct acker_pair pair;

	if (ipv6_hdr(skb)->nexthdr != IPPROTO_ICMPV6)
		return NF_ACCEPT;
	icmp = skb_header_pointer(skb, offset, sizeof(icmp_buffer),
				  &icmp_buffer);
	quoted = skb_header_pointer(skb, offset + sizeof(*icmp),
				    sizeof(ip_buffer), &ip_buffer);
	if (!icmp || !quoted || icmp->icmp6_type != ICMPV6_DEST_UNREACH ||
	    icmp->icmp6_code != ICMPV6_PORT_UNREACH || quoted->version != 6 ||
	    quoted->nexthdr != IPPROTO_UDP ||
	    !ipv6_addr_equal(&quoted->daddr, &ipv6_hdr(skb)->saddr))
		return NF_ACCEPT;
	if (!acker_is_orack(skb, offset + sizeof(*icmp) + sizeof(*quoted)) ||
	    nf_checksum(skb, state->hook, offset, IPPROTO_ICMPV6, AF_INET6))
		return NF_ACCEPT;
	pair.peer = quoted->daddr;
	pair.self = quoted->saddr;
	acker_refused(state->net, &pair);
	return NF_ACCEPT;
}

static const struct nf_hook_ops acker_hooks[] = {
	{
		.hook = acker_icmp4,
		.pf = NFPROTO_IPV4,
		.hooknum = NF_INET_LOCAL_IN,
		.priority = NF_IP_PRI_FILTER + 1,
	},
	{
		.hook = acker_icmp6,
		.pf = NFPROTO_IPV6,
		.hooknum = NF_INET_LOCAL_IN,
		.priority = NF_IP6_PRI_FILTER + 1,
	},
};

/**
 * acker_refusal_start() - look at what ICMP a namespace gets
 * @net: the namespace
 *
 * Return: 0 or -ENOMEM.
 */
int acker_refusal_start(struct net *net)
{
	return nf_register_net_hooks(net, acker_hooks, ARRAY_SIZE(acker_hooks));
}

/**
 * acker_refusal_stop() - no longer
 * @net: the namespace
 */
void acker_refusal_stop(struct net *net)
{
	nf_unregister_net_hooks(net, acker_hooks, ARRAY_SIZE(acker_hooks));
}
