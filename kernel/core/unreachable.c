// SPDX-License-Identifier: GPL-2.0
/*
 * A host without onramp answers an OR-ACK with "port unreachable".  How such an answer
 * is recognized, for the sender of the OR-ACK and for those that passed it on.
 */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/module.h>
#include <linux/netfilter.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "core.h"

/* Is it an OR-ACK that is quoted?  Its ports are all that is left. */
static bool onramp_unreachable_is_of_orack(const struct sk_buff *skb, int offset)
{
	const struct udphdr *udp;
	struct udphdr buffer;

	udp = skb_header_pointer(skb, offset, sizeof(buffer), &buffer);
	return udp && udp->source == htons(ONRAMP_PORT) &&
	       udp->dest == htons(ONRAMP_PORT);
}

static bool onramp_unreachable_ipv4(struct sk_buff *skb, unsigned int hook,
				    struct onramp_unreachable *answer)
{
	int offset = skb_network_offset(skb) + ip_hdrlen(skb);
	const struct icmphdr *icmp;
	const struct iphdr *quoted;
	struct icmphdr icmp_buffer;
	struct iphdr ip_buffer;

	if (ip_hdr(skb)->protocol != IPPROTO_ICMP || ip_is_fragment(ip_hdr(skb)))
		return false;
	icmp = skb_header_pointer(skb, offset, sizeof(icmp_buffer),
				  &icmp_buffer);
	quoted = skb_header_pointer(skb, offset + sizeof(*icmp),
				    sizeof(ip_buffer), &ip_buffer);
	if (!icmp || !quoted || icmp->type != ICMP_DEST_UNREACH ||
	    icmp->code != ICMP_PORT_UNREACH || quoted->version != 4 ||
	    quoted->ihl < 5 || quoted->protocol != IPPROTO_UDP ||
	    quoted->daddr != ip_hdr(skb)->saddr)
		return false;
	if (!onramp_unreachable_is_of_orack(skb, offset + sizeof(*icmp) +
					quoted->ihl * 4) ||
	    nf_checksum(skb, hook, offset, IPPROTO_ICMP, AF_INET))
		return false;
	ipv6_addr_set_v4mapped(quoted->daddr, &answer->by);
	ipv6_addr_set_v4mapped(quoted->saddr, &answer->to);
	answer->dsfield = quoted->tos;
	return true;
}

/* The acker sends no extension headers, so none is expected in what is quoted. */
static bool onramp_unreachable_ipv6(struct sk_buff *skb, unsigned int hook,
				    struct onramp_unreachable *answer)
{
	int offset = skb_network_offset(skb) + sizeof(struct ipv6hdr);
	const struct icmp6hdr *icmp;
	struct icmp6hdr icmp_buffer;
	const struct ipv6hdr *quoted;
	struct ipv6hdr ip_buffer;

	if (ipv6_hdr(skb)->nexthdr != IPPROTO_ICMPV6)
		return false;
	icmp = skb_header_pointer(skb, offset, sizeof(icmp_buffer),
				  &icmp_buffer);
	quoted = skb_header_pointer(skb, offset + sizeof(*icmp),
				    sizeof(ip_buffer), &ip_buffer);
	if (!icmp || !quoted || icmp->icmp6_type != ICMPV6_DEST_UNREACH ||
	    icmp->icmp6_code != ICMPV6_PORT_UNREACH || quoted->version != 6 ||
	    quoted->nexthdr != IPPROTO_UDP ||
	    !ipv6_addr_equal(&quoted->daddr, &ipv6_hdr(skb)->saddr))
		return false;
	if (!onramp_unreachable_is_of_orack(skb, offset + sizeof(*icmp) +
					sizeof(*quoted)) ||
	    nf_checksum(skb, hook, offset, IPPROTO_ICMPV6, AF_INET6))
		return false;
	answer->by = quoted->daddr;
	answer->to = quoted->saddr;
	answer->dsfield = ipv6_get_dsfield(quoted);
	return true;
}

bool onramp_unreachable_read(struct sk_buff *skb,
			     const struct nf_hook_state *state,
			     struct onramp_unreachable *answer)
{
	if (state->pf == NFPROTO_IPV4)
		return onramp_unreachable_ipv4(skb, state->hook, answer);
	return onramp_unreachable_ipv6(skb, state->hook, answer);
}
EXPORT_SYMBOL_GPL(onramp_unreachable_read);
