// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp's receiver: reports to senders when their packets came.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, sections 3.2 and 4.1.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/random.h>

#include "acker.h"

static const struct acker_settings acker_defaults = {
	.due = {
		.every = 10,
		.delay_ns = 20 * NSEC_PER_USEC,
		.idle_ns = 100 * NSEC_PER_USEC,
	},
	.rate = 1000000,
	.max_flows = ONRAMP_MAX_ACKED_DEFAULT,
};

/* Context: a->lock held. */
static void acker_packet(struct acker_net *a, const struct acker_seen *seen,
			 const struct onramp_packet *p, u64 now_ns,
			 const struct acker_received *received)
{
	const struct onramp_due_params *params = &a->set.due;
	u32 grid = onramp_due_grid(params, max(READ_ONCE(seen->skb->dev->mtu), 1U));
	bool on_grid = onramp_grid_has(p->seq, p->len, grid), dense;
	struct acker_flow *flow;
	enum onramp_due due;
	u64 until_ns;

	a->stats.packets++;
	now_ns = max(now_ns, a->now_ns);
	a->now_ns = now_ns;
	flow = acker_flow_get(a, p, seen->ifindex, now_ns);
	if (!flow)
		return;
	flow->last = *received;
	/* Another device may have taken the place of one that is gone. */
	flow->path->ifindex = seen->ifindex;
	onramp_budget_earn(&flow->path->budget, p->len);
	if (on_grid)
		onramp_dense_on_grid(params, &flow->path->dense, now_ns);
	until_ns = onramp_dense_until(params, &flow->path->dense);
	dense = now_ns < until_ns;
	if (!dense)
		flow->due.last_ns = max(flow->due.last_ns,
					min(acker_busy_last(a, seen->skb, &p->tuple), now_ns));
	due = onramp_due_on_packet(params, &flow->due, now_ns, p->seq, p->len, grid, dense);
	if (on_grid && dense)
		acker_dense_set(a, seen, p, grid, until_ns);
	else if (due == ONRAMP_DUE_EVERY)
		acker_busy_set(a, seen, p, grid, now_ns, flow->due.fresh_ns);
	if (flow->due.waiting) {
		list_move_tail(&flow->waiting, &a->waiting);
		if (!hrtimer_is_queued(&a->timer))
			acker_timer_restart(a);
	} else {
		list_del_init(&flow->waiting);
	}
	if (due != ONRAMP_DUE_NOT)
		acker_ack(a, flow, due, now_ns);
}

/*
 * The stamp is taken of every packet that may be acked: any can turn out to be
 * the last of a burst.  With more payload than an entry can have, as an LRO may
 * make it, the end is acked.
 */
static void acker_wanted(struct acker_net *a, const struct acker_seen *seen,
			 const struct onramp_packet *p,
			 const struct onramp_timestamp *ts)
{
	u32 len = min_t(u32, p->len, U16_MAX);
	struct acker_received received = {
		.seq = p->seq + p->len - len,
		.len = len,
		.stamp = ts->stamp,
	};
	u64 now_ns;

	received.rx_ns = onramp_clock_stamp(a->net, ts, &now_ns,
					    &received.clock);
	spin_lock(&a->lock);
	if (!a->dead && a->table.flows)
		acker_packet(a, seen, p, now_ns, &received);
	spin_unlock(&a->lock);
}

/* First the sender, to which address, and only then a lock and memory. */
static void acker_data(void *acker, const struct sk_buff *skb,
		       struct onramp_packet *p,
		       struct onramp_device *device,
		       const struct onramp_timestamp *ts)
{
	struct acker_seen seen = { .skb = skb, .tap = ts->stamp };
	struct acker_net *a = acker;
	struct onramp_timestamp own;

	switch (acker_verdict(a, skb, p, &seen.ifindex)) {
	case ACKER_NOT_PEER:
		this_cpu_inc(a->skipped->not_peer);
		break;
	case ACKER_NOT_OURS:
		this_cpu_inc(a->skipped->not_ours);
		break;
	case ACKER_WANTED:
		acker_wanted(a, &seen, p, onramp_phc_rx(device, skb, ts, &own));
		break;
	}
}

static const struct onramp_acker_ops acker_ops = {
	.owner = THIS_MODULE,
	.skip = acker_busy_skip,
	.data = acker_data,
	.peers = acker_peers_changed,
	.doit = acker_doit,
	.dumpit = acker_dumpit,
};

static int __net_init acker_net_init(struct net *net)
{
	struct acker_net *a = acker_net_of(net);
	int err;

	a->skipped = alloc_percpu_gfp(struct acker_skipped, GFP_KERNEL_ACCOUNT);
	if (!a->skipped)
		return -ENOMEM;
	a->net = net;
	a->set = acker_defaults;
	a->peers = onramp_peers_place(net);
	mutex_init(&a->change);
	spin_lock_init(&a->lock);
	get_random_bytes(&a->key, sizeof(a->key));
	get_random_bytes(&a->flow_key, sizeof(a->flow_key));
	a->verdict_key = get_random_u64() | 1;
	a->busy_key = get_random_u32() | 1;
	INIT_LIST_HEAD(&a->lru);
	INIT_LIST_HEAD(&a->waiting);
	INIT_LIST_HEAD(&a->ready);
	__skb_queue_head_init(&a->outbox);
	compat_hrtimer_setup(&a->timer, acker_timer, CLOCK_MONOTONIC,
			     HRTIMER_MODE_ABS_SOFT);
	tasklet_setup(&a->tasklet, acker_send);
	err = acker_refusal_start(net);
	if (err)
		free_percpu(a->skipped);
	return err;
}

/*
 * Devices still receive, so first nothing may begin any more; after the grace
 * period that follows no packet is inside that does not know it.
 */
static void __net_exit acker_net_pre_exit(struct net *net)
{
	struct acker_net *a = acker_net_of(net);

	acker_refusal_stop(net);
	spin_lock_bh(&a->lock);
	a->dead = true;
	spin_unlock_bh(&a->lock);
}

/* The timer schedules the tasklet and never the other way. */
static void __net_exit acker_net_exit(struct net *net)
{
	struct acker_net *a = acker_net_of(net);

	hrtimer_cancel(&a->timer);
	tasklet_kill(&a->tasklet);
	acker_flow_forget_all(a, NULL);
	/* Forgetting closes batches, and schedules them. */
	tasklet_kill(&a->tasklet);
	__skb_queue_purge(&a->outbox);
	acker_table_free(&a->table);
	kvfree(a->verdicts);
	free_percpu(a->busy);
	free_percpu(a->skipped);
}

static struct pernet_operations acker_net_ops = {
	.init = acker_net_init,
	.pre_exit = acker_net_pre_exit,
	.exit = acker_net_exit,
	.id = &acker_net_id,
	.size = sizeof(struct acker_net),
};

static int __init acker_init(void)
{
	int err;

	err = register_pernet_subsys(&acker_net_ops);
	if (err)
		return err;
	err = onramp_acker_register(&acker_ops);
	if (err)
		unregister_pernet_subsys(&acker_net_ops);
	return err;
}

static void __exit acker_exit(void)
{
	onramp_acker_unregister(&acker_ops);
	unregister_pernet_subsys(&acker_net_ops);
}

module_init(acker_init);
module_exit(acker_exit);

MODULE_DESCRIPTION("On-Ramp receiver: OR-ACKs");
MODULE_LICENSE("GPL");
