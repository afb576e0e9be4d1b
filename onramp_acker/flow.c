// SPDX-License-Identifier: GPL-2.0
/*
 * The flows that are followed, as many as the user allows: the least recently
 * seen makes space.  A flow that was forgotten is a new one with its next
 * packet, which is acked; nothing worse happens.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <net/inet_ecn.h>
#include <net/ipv6.h>

#include "acker.h"

/*
 * So many buckets are gone through while the lock is held, for which packets that
 * come spin.  On average there are two flows in each at most.
 */
#define ACKER_BUCKETS_AT_ONCE 16

/* A full table is not tried for each packet of each flow that has no entry. */
#define ACKER_RETRY_NS (10 * NSEC_PER_MSEC)

/**
 * acker_table_alloc() - allocate the tables of flows and their paths
 * @table: filled if 0 is returned
 * @max_flows: 1 to 2^20
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int acker_table_alloc(struct acker_table *table, u32 max_flows)
{
	/* Two flows a bucket, and of paths there are fewer. */
	u8 flow_bits = max(order_base_2(max_flows), 3) - 1;
	u8 path_bits = max(flow_bits - 2, 1);
	struct hlist_head *buckets;

	buckets = kvcalloc((1UL << flow_bits) + (1UL << path_bits),
			   sizeof(*buckets), GFP_KERNEL_ACCOUNT);
	if (!buckets)
		return -ENOMEM;
	*table = (struct acker_table){
		.flows = buckets,
		.paths = buckets + (1UL << flow_bits),
		.flow_bits = flow_bits,
		.path_bits = path_bits,
	};
	return 0;
}

/**
 * acker_table_free() - and back
 * @table: empty, or never allocated
 */
void acker_table_free(struct acker_table *table)
{
	kvfree(table->flows);
}

/*
 * For IPv4 the bytes that differ are enough, and half of the work.  It is done
 * for each packet, by the hash that the kernel has for tables of this kind.
 */
static u32 acker_flow_hash(const struct acker_net *a,
			   const struct onramp_tuple *tuple)
{
	if (!ipv6_addr_v4mapped(&tuple->saddr))
		return hsiphash(tuple, sizeof(*tuple), &a->flow_key);
	return hsiphash_3u32((__force u32)tuple->saddr.s6_addr32[3],
			     (__force u32)tuple->daddr.s6_addr32[3],
			     (__force u32)tuple->sport << 16 |
			     (__force u32)tuple->dport, &a->flow_key);
}

static struct hlist_head *acker_flow_bucket(const struct acker_net *a,
					    const struct onramp_tuple *tuple)
{
	u32 hash = acker_flow_hash(a, tuple);

	return &a->table.flows[hash >> (32 - a->table.flow_bits)];
}

static struct acker_flow *acker_flow_find(const struct acker_net *a,
					  const struct onramp_tuple *tuple)
{
	struct acker_flow *flow;

	hlist_for_each_entry(flow, acker_flow_bucket(a, tuple), hash) {
		if (onramp_tuple_is(&flow->tuple, tuple))
			return flow;
	}
	return NULL;
}

/* As if the flow had never been seen.  Context: a->lock held. */
static void acker_flow_forget(struct acker_net *a, struct acker_flow *flow)
{
	hlist_del(&flow->hash);
	list_del(&flow->lru);
	list_del(&flow->waiting);
	acker_path_put(a, flow->path);
	kfree(flow);
	a->stats.flows--;
	onramp_budget_give(a->net, ONRAMP_BUDGET_ACKED);
}

/* Context: a->lock held. */
static void acker_bucket_forget(struct acker_net *a, struct hlist_head *bucket,
				const struct onramp_peers *keep)
{
	struct acker_flow *flow;
	struct hlist_node *next;

	hlist_for_each_entry_safe(flow, next, bucket, hash) {
		if (!keep || !onramp_peers_have(keep, &flow->tuple.saddr))
			acker_flow_forget(a, flow);
	}
}

/**
 * acker_flow_forget_all() - but those of some peers, and paths with their last flow
 * @a: the namespace
 * @keep: the list of those whose flows stay, or NULL: nobody is on it
 *
 * The lock is dropped again and again, so that packets make flows meanwhile, if
 * they are not kept from that; none leaves its bucket.
 *
 * Context: @a->change, or the namespace goes: there is no other table meanwhile.
 *	Not @a->lock; may sleep.
 */
void acker_flow_forget_all(struct acker_net *a, const struct onramp_peers *keep)
{
	u32 i = 0, n, buckets = a->table.flows ? 1U << a->table.flow_bits : 0;

	while (i < buckets) {
		spin_lock_bh(&a->lock);
		for (n = 0; n < ACKER_BUCKETS_AT_ONCE && i < buckets; n++)
			acker_bucket_forget(a, &a->table.flows[i++], keep);
		spin_unlock_bh(&a->lock);
		cond_resched();
	}
}

/**
 * acker_flow_close() - forget all, and make none
 * @a: the namespace
 *
 * Packets whose flow was forgotten find no space, until @a->retry_ns is set again.
 * Context: as acker_flow_forget_all().
 */
void acker_flow_close(struct acker_net *a)
{
	spin_lock_bh(&a->lock);
	a->retry_ns = U64_MAX;
	spin_unlock_bh(&a->lock);
	acker_flow_forget_all(a, NULL);
}

/*
 * Where other tenants leave no space, only an idle flow is evicted, which is new to
 * the algorithm anyway.  Otherwise, with more flows than fit, each packet would evict
 * a flow, and its next packet would be acked as that of a new one.
 *
 * Return: true if there is space for one more, which is taken.
 */
static bool acker_flow_room(struct acker_net *a, u64 now_ns)
{
	struct acker_flow *oldest =
		list_first_entry_or_null(&a->lru, struct acker_flow, lru);

	if (a->stats.flows < a->set.max_flows) {
		if (onramp_budget_take(a->net, ONRAMP_BUDGET_ACKED))
			return true;
		if (!oldest ||
		    now_ns < onramp_due_idle(&a->set.due, &oldest->due))
			return false;
	}
	acker_flow_forget(a, oldest);
	a->stats.flows_evicted++;
	return onramp_budget_take(a->net, ONRAMP_BUDGET_ACKED);
}

/* The path is the new flow's, or put. */
static struct acker_flow *acker_flow_create(struct acker_net *a,
					    const struct onramp_tuple *tuple,
					    struct acker_path *path, u64 now_ns)
{
	struct acker_flow *flow;

	flow = kzalloc(sizeof(*flow), GFP_ATOMIC | __GFP_NOWARN);
	if (!flow || !acker_flow_room(a, now_ns)) {
		kfree(flow);
		a->retry_ns = now_ns + ACKER_RETRY_NS;
		a->stats.flows_failed++;
		acker_path_put(a, path);
		return NULL;
	}
	flow->tuple = *tuple;
	flow->path = path;
	INIT_LIST_HEAD(&flow->waiting);
	hlist_add_head(&flow->hash, acker_flow_bucket(a, tuple));
	list_add_tail(&flow->lru, &a->lru);
	a->stats.flows++;
	return flow;
}

/**
 * acker_flow_get() - the flow of a packet, made if there is none
 * @a: the namespace
 * @p: the packet, from a peer to an address of this host
 * @ifindex: the device by which IP gets it
 * @now_ns: time
 *
 * The allow-list forgets flows as it changes, so for a new one it is checked once
 * more: the packet may have passed the list before.  Where there was no space
 * just now, a new one costs no more than a look-up.
 *
 * Context: @a->lock held, RCU.
 * Return: NULL if it is not to be acked, or memory is short; counted.
 */
struct acker_flow *acker_flow_get(struct acker_net *a,
				  const struct onramp_packet *p, int ifindex,
				  u64 now_ns)
{
	u8 dsfield = p->dsfield & ~INET_ECN_MASK;
	const struct onramp_peers *peers;
	struct acker_path *path;
	struct acker_flow *flow;

	flow = acker_flow_find(a, &p->tuple);
	if (flow && flow->path->dsfield == dsfield) {
		list_move_tail(&flow->lru, &a->lru);
		return flow;
	}
	peers = rcu_dereference(*a->peers);
	if (!peers || !onramp_peers_have(peers, &p->tuple.saddr)) {
		a->stats.not_peer++;
		return NULL;
	}
	if (!flow && now_ns < a->retry_ns) {
		a->stats.flows_failed++;
		return NULL;
	}
	path = acker_path_get(a, p, ifindex);
	if (!path)
		return NULL;
	if (!flow)
		return acker_flow_create(a, &p->tuple, path, now_ns);
	acker_path_put(a, flow->path);
	flow->path = path;
	list_move_tail(&flow->lru, &a->lru);
	return flow;
}
