// SPDX-License-Identifier: GPL-2.0
/*
 * OR-ACKs on their way out, when the round of receiving is over.
 */
#include <net/ip.h>
#include <net/ipv6.h>

#include "acker.h"

static bool acker_send_one(struct net *net, struct sk_buff *skb)
{
	int err;

	if (skb->protocol == htons(ETH_P_IP))
		err = ip_local_out(net, NULL, skb);
	else if (IS_ENABLED(CONFIG_IPV6))
		err = ip6_local_out(net, NULL, skb);
	return !net_xmit_eval(err);
}

/**
 * acker_send() - send whatever there is
 * @tasklet: the namespace's
 *
 * Context: softirq, no lock.
 */
void acker_send(struct tasklet_struct *tasklet)
{
	struct acker_net *a = from_tasklet(a, tasklet, tasklet);
	struct acker_path *path, *next;
	u32 sent = 0, failed = 0;
	struct sk_buff_head out;
	struct sk_buff *skb;

	__skb_queue_head_init(&out);
	spin_lock(&a->lock);
	list_for_each_entry_safe(path, next, &a->ready, ready)
		acker_batch_close(a, path);
	skb_queue_splice_init(&a->outbox, &out);
	spin_unlock(&a->lock);

	while ((skb = __skb_dequeue(&out))) {
		if (acker_send_one(a->net, skb))
			sent++;
		else
			failed++;
	}

	spin_lock(&a->lock);
	a->stats.datagrams += sent;
	a->stats.send_failed += failed;
	spin_unlock(&a->lock);
}
