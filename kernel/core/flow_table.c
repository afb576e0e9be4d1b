// SPDX-License-Identifier: GPL-2.0
/*
 * The flows of a namespace: found, made for those who watch them, and forgotten
 * when they are idle.
 */
#include <linux/jhash.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "core.h"

/* How many are looked at to find one that can go; ageing makes it likely. */
#define ONRAMP_FLOW_TRIES 16
/* A batch of ageing: it holds the lock so often, and for so many each time. */
#define ONRAMP_AGE_TURNS 16

/* Of IPv4 the bytes that differ are enough, and a third of the work; in a VRF all are taken. */
static __always_inline u32 onramp_flow_hash(const void *key, u32 len, u32 seed)
{
	const struct onramp_tuple *t = key;

	if (!ipv6_addr_v4mapped(&t->saddr) || unlikely(t->scope))
		return jhash2(key, len / sizeof(u32), seed);
	return jhash_3words((__force u32)t->saddr.s6_addr32[3],
			    (__force u32)t->daddr.s6_addr32[3],
			    (__force u32)t->sport << 16 | (__force u32)t->dport,
			    seed);
}

static u32 onramp_flow_hash_of(const void *flow, u32 len, u32 seed)
{
	return onramp_flow_hash(&((const struct onramp_core_flow *)flow)->tuple,
				sizeof(struct onramp_tuple), seed);
}

static __always_inline int
onramp_flow_differs(struct rhashtable_compare_arg *arg, const void *flow)
{
	return !onramp_tuple_is(&((const struct onramp_core_flow *)flow)->tuple,
				arg->key);
}

const struct rhashtable_params onramp_flow_table = {
	.head_offset = offsetof(struct onramp_core_flow, node),
	.key_offset = offsetof(struct onramp_core_flow, tuple),
	.key_len = sizeof(struct onramp_tuple),
	.hashfn = onramp_flow_hash,
	.obj_hashfn = onramp_flow_hash_of,
	.obj_cmpfn = onramp_flow_differs,
	.automatic_shrinking = true,
};

/**
 * onramp_flow_find() - by tuple
 * @on: the namespace
 * @tuple: which
 *
 * Context: RCU.
 * Return: the flow, which may be dead: look when its lock is held; or NULL.
 */
struct onramp_core_flow *onramp_flow_find(struct onramp_net *on,
					  const struct onramp_tuple *tuple)
{
	return rhashtable_lookup(&on->flows, tuple, onramp_flow_table);
}

/* Coming and going */

static void onramp_flow_free_ring(struct onramp_core_flow *flow)
{
	/* As in onramp_flow_grow(). */
	kfree(data_race(onramp_ring_move(&flow->ring, NULL, 0)));
}

/* Context: onramp_net.lock.  Return: false if it is watched. */
static bool onramp_flow_remove(struct onramp_net *on,
			       struct onramp_core_flow *flow)
{
	spin_lock(&flow->lock);
	if (!hlist_empty(&flow->watches)) {
		spin_unlock(&flow->lock);
		return false;
	}
	WRITE_ONCE(flow->dead, true);
	onramp_flow_count_held(flow, &on->counts, onramp_now(on->net));
	onramp_held_end(flow, onramp_now(on->net));
	onramp_flow_free_ring(flow);
	spin_unlock(&flow->lock);

	rhashtable_remove_fast(&on->flows, &flow->node, onramp_flow_table);
	list_del(&flow->list);
	onramp_path_put(flow->path);
	onramp_budget_give(on->net, ONRAMP_BUDGET_FLOWS);
	kfree_rcu(flow, rcu);
	return true;
}

/* Context: onramp_net.lock.  Return: true if there is room for one more, taken. */
static bool onramp_flow_room(struct onramp_net *on)
{
	struct onramp_core_flow *flow, *next;
	int tries = ONRAMP_FLOW_TRIES;

	if (atomic_read(&on->flows.nelems) < READ_ONCE(on->max_flows) &&
	    onramp_budget_take(on->net, ONRAMP_BUDGET_FLOWS))
		return true;
	list_for_each_entry_safe(flow, next, &on->flow_list, list) {
		if (onramp_flow_remove(on, flow))
			return onramp_budget_take(on->net, ONRAMP_BUDGET_FLOWS);
		list_move_tail(&flow->list, &on->flow_list);
		if (!--tries)
			break;
	}
	return false;
}

static struct onramp_core_flow *
onramp_flow_alloc(struct onramp_net *on, const struct onramp_packet *p,
		  struct onramp_path *path)
{
	struct onramp_core_flow *flow;

	flow = kzalloc(sizeof(*flow), GFP_ATOMIC | __GFP_NOWARN);
	if (!flow)
		return NULL;
	flow->tuple = p->tuple;
	flow->on = on;
	flow->path = path;
	flow->last_ns = onramp_now(on->net);
	spin_lock_init(&flow->lock);
	INIT_HLIST_HEAD(&flow->watches);
	RB_CLEAR_NODE(&flow->held);
	onramp_vars_init(&flow->vars, READ_ONCE(path->has_beta) ?
			 READ_ONCE(path->beta_q16) : ONRAMP_BETA_ONE);
	return flow;
}

/* Into the table.  Context: onramp_net.lock.  Return: NULL if memory is short. */
static struct onramp_core_flow *
onramp_flow_insert(struct onramp_net *on, const struct onramp_packet *p,
		   struct onramp_path *path)
{
	struct onramp_core_flow *flow = onramp_flow_alloc(on, p, path);

	if (flow && rhashtable_insert_fast(&on->flows, &flow->node,
					   onramp_flow_table)) {
		kfree(flow);
		flow = NULL;
	}
	return flow;
}

/*
 * A flow that was not there a moment ago; takes over the reference to the path
 * if it is new.
 *
 * Context: onramp_net.lock.
 */
static struct onramp_core_flow *
onramp_flow_add(struct onramp_net *on, const struct onramp_packet *p,
		struct onramp_path **path)
{
	struct onramp_core_flow *flow = onramp_flow_find(on, &p->tuple);

	if (flow || !onramp_flow_room(on))
		return flow;
	flow = onramp_flow_insert(on, p, *path);
	if (!flow) {
		onramp_budget_give(on->net, ONRAMP_BUDGET_FLOWS);
		return NULL;
	}
	list_add_tail(&flow->list, &on->flow_list);
	*path = NULL;
	onramp_age_wake(on);
	return flow;
}

/*
 * Without a path a flow does not try the table: those to other peers may.
 *
 * Context: BH off, RCU; not under a flow's lock.  Return: the flow or NULL.
 */
static struct onramp_core_flow *onramp_flow_make(struct onramp_net *on,
						 const struct onramp_packet *p,
						 u64 now_ns)
{
	struct onramp_path *path = onramp_path_get(on, p, now_ns);
	struct onramp_core_flow *flow;

	if (!path)
		return NULL;
	spin_lock(&on->lock);
	flow = onramp_flow_add(on, p, &path);
	spin_unlock(&on->lock);
	onramp_path_put(path);
	if (unlikely(!flow))
		WRITE_ONCE(on->retry_ns, now_ns + ONRAMP_RETRY_NS);
	return flow;
}

/**
 * onramp_flow_get() - the flow of a packet, made if there is none
 * @on: the namespace
 * @p: the packet
 * @now_ns: time
 * @counts: of who asks: flows that could not be made
 *
 * One that is known to be dead is waited for: removing it is done under
 * onramp_net.lock.
 *
 * Context: BH off, RCU; not under a flow's lock.
 * Return: the flow, which may be dead when its lock is taken; or NULL if there
 *	is no memory or no room, or was none a moment ago.
 */
struct onramp_core_flow *onramp_flow_get(struct onramp_net *on,
					 const struct onramp_packet *p,
					 u64 now_ns,
					 struct onramp_counts *counts)
{
	struct onramp_core_flow *flow = onramp_flow_find(on, &p->tuple);

	if (flow && !READ_ONCE(flow->dead))
		return flow;
	if (unlikely(READ_ONCE(on->retry_ns) > now_ns))
		return NULL;
	flow = onramp_flow_make(on, p, now_ns);
	if (unlikely(!flow))
		onramp_count(counts, flows_failed);
	return flow;
}

/* Ageing */

/* When records of a flow can be freed, or, if nobody watches it, the flow. */
static u64 onramp_flow_due(const struct onramp_core_flow *flow)
{
	u64 last_ns = READ_ONCE(flow->last_ns);
	u64 idle_ns = READ_ONCE(flow->idle_ns);

	if (READ_ONCE(flow->ring.size))
		return last_ns + idle_ns;
	if (!hlist_empty(&flow->watches))
		return U64_MAX;
	return last_ns + max_t(u64, idle_ns, ONRAMP_FLOW_IDLE_NS);
}

/* Context: onramp_net.lock.  Return: false if the flow is gone. */
static bool onramp_flow_age(struct onramp_net *on,
			    struct onramp_core_flow *flow, u64 now_ns)
{
	s64 age_ns = now_ns - READ_ONCE(flow->last_ns);
	s64 idle_ns = READ_ONCE(flow->idle_ns);

	if (age_ns >= max_t(s64, idle_ns, ONRAMP_FLOW_IDLE_NS) &&
	    onramp_flow_remove(on, flow))
		return false;
	if (age_ns >= idle_ns && READ_ONCE(flow->ring.size)) {
		spin_lock(&flow->lock);
		if (flow->last_ns + idle_ns <= now_ns)
			onramp_flow_free_ring(flow);
		spin_unlock(&flow->lock);
	}
	return true;
}

/* The path of a flow that goes may be due. */
static void onramp_flow_age_some(struct onramp_net *on, u64 now_ns)
{
	u32 left = min_t(u32, on->age.flows, ONRAMP_FLOWS_AT_ONCE);
	struct onramp_core_flow *flow, *next;
	LIST_HEAD(kept);

	on->age.flows -= left;
	spin_lock_bh(&on->lock);
	list_for_each_entry_safe(flow, next, &on->flow_list, list) {
		if (!left--)
			break;
		if (!onramp_flow_age(on, flow, now_ns)) {
			onramp_age_due(on, now_ns);
			continue;
		}
		onramp_age_due(on, onramp_flow_due(flow));
		list_move_tail(&flow->list, &kept);
	}
	/* Before others see the list, who look for one that can go, too. */
	list_splice_tail(&kept, &on->flow_list);
	spin_unlock_bh(&on->lock);
}

/**
 * onramp_flow_age_work() - forget idle flows and paths, a batch at a time
 * @work: onramp_net.age.work
 *
 * What is made, or moved in its list, between two turns is looked at in the next
 * pass, as what is between two batches.
 */
void onramp_flow_age_work(struct work_struct *work)
{
	struct onramp_net *on = container_of(to_delayed_work(work),
					     struct onramp_net, age.work);
	u64 now_ns = onramp_now(on->net);
	int turns = ONRAMP_AGE_TURNS;

	onramp_age_begin(on);
	do {
		onramp_flow_age_some(on, now_ns);
		onramp_path_age_some(on, now_ns);
		cond_resched();
	} while (--turns && (on->age.flows || on->age.paths));
	onramp_age_end(on, now_ns);
}

/* None is watched: those at the head go. */
static void onramp_flow_forget_some(struct onramp_net *on, u32 count)
{
	struct onramp_core_flow *flow, *next;

	spin_lock_bh(&on->lock);
	list_for_each_entry_safe(flow, next, &on->flow_list, list) {
		if (!count--)
			break;
		onramp_flow_remove(on, flow);
	}
	spin_unlock_bh(&on->lock);
}

/**
 * onramp_flow_forget_all() - the namespace goes
 * @on: the namespace; it has no ports any more, and nothing looks into it
 *
 * Nobody waits for its lock, but other namespaces' packets for this CPU.
 * Context: may sleep.
 */
void onramp_flow_forget_all(struct onramp_net *on)
{
	int left = atomic_read(&on->flows.nelems);

	for (; left > 0; left -= ONRAMP_FLOWS_AT_ONCE) {
		onramp_flow_forget_some(on, ONRAMP_FLOWS_AT_ONCE);
		cond_resched();
	}
}

/**
 * onramp_flow_each() - do something with all flows
 * @on: the namespace
 * @visit: called for each, maybe twice; BH on, RCU
 * @port: what @visit gets
 *
 * Context: @port stays; may sleep.
 */
void onramp_flow_each(struct onramp_net *on,
		      void (*visit)(struct onramp_core_flow *flow,
				    struct onramp_core_port *port),
		      struct onramp_core_port *port)
{
	struct rhashtable_iter iter;
	struct onramp_core_flow *flow;

	rhashtable_walk_enter(&on->flows, &iter);
	do {
		rhashtable_walk_start(&iter);
		while ((flow = rhashtable_walk_next(&iter)) && !IS_ERR(flow))
			visit(flow, port);
		rhashtable_walk_stop(&iter);
	} while (IS_ERR(flow));
	rhashtable_walk_exit(&iter);
}
