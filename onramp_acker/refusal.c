// SPDX-License-Identifier: GPL-2.0
/*
 * A peer that has no onramp answers an OR-ACK with "port unreachable", which
 * would otherwise go nowhere: there is no socket.  It is read where ICMP
 * for this host passes, after its filters, and passes on.
 *
 * Only the peer itself is trusted, not a router on the way.
 */
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <net/ip.h>

#include "acker.h"

static void acker_refused(struct net *net, const struct acker_pair *pair)
{
	struct acker_net *a = acker_net_of(net);

	spin_lock_bh(&a->lock);
	if (!a->dead && a->table.flows)
		acker_path_refused(a, pair, onramp_now(net));
	spin_unlock_bh(&a->lock);
}

/* The link is needed where a VRF has taken the place of the device. */
static u32 acker_scope(const struct sk_buff *skb,
		       const struct nf_hook_state *state,
		       const struct onramp_unreachable *answer)
{
	const struct onramp_tuple tuple = {
		.saddr = answer->by,
		.daddr = answer->to,
	};
	int iif = state->pf == NFPROTO_IPV6 ? IP6CB(skb)->iif : IPCB(skb)->iif;
	const struct net_device *dev = dev_get_by_index_rcu(state->net, iif);

	return onramp_scope_by(dev ?: skb->dev, &tuple);
}

static unsigned int acker_icmp(void *priv, struct sk_buff *skb,
			       const struct nf_hook_state *state)
{
	struct onramp_unreachable answer;

	if (onramp_unreachable_read(skb, state, &answer)) {
		const struct acker_pair pair = {
			.self = answer.to,
			.peer = answer.by,
			.scope = acker_scope(skb, state, &answer),
		};

		acker_refused(state->net, &pair);
	}
	return NF_ACCEPT;
}

static const struct nf_hook_ops acker_hooks[] = {
	{
		.hook = acker_icmp,
		.pf = NFPROTO_IPV4,
		.hooknum = NF_INET_LOCAL_IN,
		.priority = NF_IP_PRI_FILTER + 1,
	},
	{
		.hook = acker_icmp,
		.pf = NFPROTO_IPV6,
		.hooknum = NF_INET_LOCAL_IN,
		.priority = NF_IP6_PRI_FILTER + 1,
	},
};

/**
 * acker_refusal_start() - read the ICMP that a namespace gets
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
