// SPDX-License-Identifier: GPL-2.0
/*
 * The flows of a namespace: found, made for queues that are attached, and forgotten
 * when they are idle.
 */
#include <linux/jhash.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "core.h"

/* How many are tried to find one that can go; ageing makes it likely. */
#define ONRAMP_FLOW_TRIES 16
/* A batch of ageing: it holds the lock so often, and for so many each time. */
#define ONRAMP_AGE_TURNS 16

/* For IPv4 the bytes that differ are enough, and a third of the work; in a VRF all are taken. */
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
 * Return: the flow, which may be dead: check with its lock held; or NULL.
 */
struct onramp_core_flow *onramp_flow_find(struct onramp_net *on,
					  const struct onramp_tuple *tuple)
{
	return rhashtable_lookup(&on->flows, tuple, onramp_flow_table);
}

/* Coming and going */

/**
 * onramp_flow_free() - a flow that is dead, and to which no queue is attached any more
 * @flow: the flow
 *
 * Context: any.
 */
void onramp_flow_free(struct onramp_core_flow *flow)
{
	onramp_memory_give(flow->on, sizeof(*flow), flow->is_peer);
	kfree_rcu(flow, rcu);
}

/*
 * The queues attached to a flow detach with their next packet, and what they hold
 * goes on at once.  Context: the flow's lock.
 */
static void onramp_flow_let_go(struct onramp_core_flow *flow, u64 now_ns)
{
	WRITE_ONCE(flow->pub.gone, true);
	if (READ_ONCE(flow->pub.t_next_ns) <= now_ns)
		return;
	onramp_hold_set(&flow->hold, now_ns, now_ns);
	WRITE_ONCE(flow->pub.t_next_ns, now_ns);
	onramp_flow_kick(flow);
}

/*
 * One that is attached is freed by its last attachment, see onramp_port_detach(): until
 * then it takes as much as a queue does, and no tenant's budget.
 *
 * Context: onramp_net.lock, RCU.  Return: false if it is attached, and may not be
 * removed then.
 */
static bool onramp_flow_take_out(struct onramp_net *on,
				 struct onramp_core_flow *flow, bool attached_too)
{
	u64 now_ns = onramp_now(on->net);
	struct onramp_core_port *port;
	bool attached;

	spin_lock(&flow->lock);
	attached = !hlist_empty(&flow->attachments);
	if (attached && !attached_too) {
		spin_unlock(&flow->lock);
		return false;
	}
	if (attached)
		onramp_flow_let_go(flow, now_ns);
	port = onramp_flow_port(flow);
	onramp_flow_count_held(flow, port ? &port->counts : &on->counts,
			       now_ns);
	onramp_held_end(flow, now_ns);
	onramp_flow_free_ring(flow);
	WRITE_ONCE(flow->dead, true);
	spin_unlock(&flow->lock);

	rhashtable_remove_fast(&on->flows, &flow->node, onramp_flow_table);
	list_del(&flow->list);
	list_del_init(&flow->unknown);
	onramp_path_put(flow->path);
	onramp_budget_give(on->net, ONRAMP_BUDGET_FLOWS);
	if (!attached)
		onramp_flow_free(flow);
	return true;
}

/* Context: onramp_net.lock, RCU.  Return: false if it is attached. */
static bool onramp_flow_remove(struct onramp_net *on,
			       struct onramp_core_flow *flow)
{
	return onramp_flow_take_out(on, flow, false);
}

/* Making space */

/* Context: onramp_net.lock. */
static bool onramp_flow_is_idle(const struct onramp_core_flow *flow, u64 now_ns)
{
	s64 idle_ns = READ_ONCE(flow->idle_ns);

	return hlist_empty(&flow->attachments) ||
	       (s64)(now_ns - READ_ONCE(flow->last_ns)) >=
	       max_t(s64, idle_ns, ONRAMP_FLOW_IDLE_NS);
}

/* Its path, if it was the last flow of that, is the first to be tried. */
static void onramp_flow_evict_one(struct onramp_net *on,
				  struct onramp_core_flow *flow)
{
	list_move(&flow->path->list, &on->path_list);
	onramp_flow_take_out(on, flow, true);
	atomic64_inc(&on->evicted);
}

/*
 * A flow to an unknown peer that is idle makes space or, for a peer, the one that was tried
 * longest ago.
 */
static bool onramp_flow_evict_unknown(struct onramp_net *on, bool is_peer,
				      u64 now_ns)
{
	struct onramp_core_flow *flow, *next, *oldest;
	int tries = ONRAMP_FLOW_TRIES;

	oldest = list_first_entry_or_null(&on->unknown_flows,
					  struct onramp_core_flow, unknown);
	list_for_each_entry_safe(flow, next, &on->unknown_flows, unknown) {
		if (onramp_flow_is_idle(flow, now_ns)) {
			onramp_flow_evict_one(on, flow);
			return true;
		}
		list_move_tail(&flow->unknown, &on->unknown_flows);
		if (!--tries)
			break;
	}
	if (!oldest || !is_peer)
		return false;
	onramp_flow_evict_one(on, oldest);
	return true;
}

/* And if there are none a peer's that is idle, for a peer. */
static bool onramp_flow_evict_peer(struct onramp_net *on, u64 now_ns)
{
	struct onramp_core_flow *flow, *next;
	int tries = ONRAMP_FLOW_TRIES;

	list_for_each_entry_safe(flow, next, &on->flow_list, list) {
		if (onramp_flow_is_idle(flow, now_ns)) {
			onramp_flow_evict_one(on, flow);
			return true;
		}
		list_move_tail(&flow->list, &on->flow_list);
		if (!--tries)
			break;
	}
	return false;
}

/* Context: onramp_net.lock, RCU.  Return: false if no flow may make space. */
static bool onramp_flow_evict(struct onramp_net *on, bool is_peer, u64 now_ns)
{
	return onramp_flow_evict_unknown(on, is_peer, now_ns) ||
	       (is_peer && onramp_flow_evict_peer(on, now_ns));
}

/* Context: onramp_net.lock.  Return: 0, -ENOSPC, or -ENOMEM if only memory is short. */
static int onramp_flow_take(struct onramp_net *on, bool is_peer)
{
	if (atomic_read(&on->flows.nelems) >= READ_ONCE(on->max_flows) ||
	    !onramp_budget_take(on->net, ONRAMP_BUDGET_FLOWS))
		return -ENOSPC;
	if (onramp_memory_take(on, sizeof(struct onramp_core_flow), is_peer))
		return 0;
	onramp_budget_give(on->net, ONRAMP_BUDGET_FLOWS);
	return -ENOMEM;
}

/* Context: onramp_net.lock, RCU.  Return: true if there is space for one more, taken. */
static bool onramp_flow_room(struct onramp_net *on, bool is_peer, u64 now_ns)
{
	int err, tries = ONRAMP_FLOW_TRIES;

	while ((err = onramp_flow_take(on, is_peer))) {
		if (!tries--)
			return false;
		if ((err == -ENOMEM && onramp_path_evict(on, false)) ||
		    onramp_flow_evict(on, is_peer, now_ns) ||
		    (err == -ENOMEM && is_peer && onramp_path_evict(on, true)))
			continue;
		return false;
	}
	return true;
}

static struct onramp_core_flow *
onramp_flow_alloc(struct onramp_net *on, const struct onramp_packet *p,
		  struct onramp_path *path)
{
	struct onramp_core_flow *flow;

	flow = kzalloc(sizeof(*flow), ONRAMP_GFP);
	if (!flow)
		return NULL;
	flow->tuple = p->tuple;
	flow->on = on;
	flow->path = path;
	flow->is_peer = path->is_peer;
	INIT_LIST_HEAD(&flow->unknown);
	flow->last_ns = onramp_now(on->net);
	spin_lock_init(&flow->lock);
	INIT_HLIST_HEAD(&flow->attachments);
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
 * A flow that was not there just now; takes over the reference to the path
 * if it is new.  The followed hosts may be others by now: onramp_flow_refollow()
 * sees what was made before it had the lock.
 *
 * Context: onramp_net.lock, RCU.
 */
static struct onramp_core_flow *
onramp_flow_add(struct onramp_net *on, const struct onramp_packet *p,
		struct onramp_path **path, u64 now_ns)
{
	struct onramp_core_flow *flow = onramp_flow_find(on, &p->tuple);
	bool is_peer = (*path)->is_peer;

	if (flow || !onramp_follow(on, &p->tuple.daddr) ||
	    !onramp_flow_room(on, is_peer, now_ns))
		return flow;
	flow = onramp_flow_insert(on, p, *path);
	if (!flow) {
		onramp_budget_give(on->net, ONRAMP_BUDGET_FLOWS);
		onramp_memory_give(on, sizeof(*flow), is_peer);
		return NULL;
	}
	list_add_tail(&flow->list, &on->flow_list);
	if (!is_peer)
		list_add_tail(&flow->unknown, &on->unknown_flows);
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
	struct onramp_path *path = onramp_path_get(on, p, now_ns,
						   onramp_flow_evict);
	struct onramp_core_flow *flow;
	bool is_peer;

	if (!path)
		return NULL;
	spin_lock(&on->lock);
	is_peer = path->is_peer;
	flow = onramp_flow_add(on, p, &path, now_ns);
	spin_unlock(&on->lock);
	onramp_path_put(path);
	if (unlikely(!flow))
		WRITE_ONCE(on->retry_ns[is_peer], now_ns + ONRAMP_RETRY_NS);
	return flow;
}

/* Was there no space just now, for peers or for others, as this one is? */
static bool onramp_flow_is_full(struct onramp_net *on,
				const struct in6_addr *daddr, u64 now_ns)
{
	const u64 *retry_ns = on->retry_ns;

	if (likely(READ_ONCE(retry_ns[0]) <= now_ns &&
		   READ_ONCE(retry_ns[1]) <= now_ns))
		return false;
	return READ_ONCE(retry_ns[onramp_follow_is_peer(on, daddr)]) > now_ns;
}

/**
 * onramp_flow_get() - the flow of a packet, made if there is none
 * @on: the namespace
 * @p: the packet
 * @now_ns: time
 * @counts: of the caller: flows that could not be made
 *
 * One that is known to be dead is waited for: removing it is done under
 * onramp_net.lock.
 *
 * Context: BH off, RCU; not under a flow's lock.
 * Return: the flow, which may be dead when its lock is taken; or NULL if there
 *	is no memory or no space, or was none just now.
 */
struct onramp_core_flow *onramp_flow_get(struct onramp_net *on,
					 const struct onramp_packet *p,
					 u64 now_ns,
					 struct onramp_counts *counts)
{
	struct onramp_core_flow *flow = onramp_flow_find(on, &p->tuple);

	if (flow && !READ_ONCE(flow->dead))
		return flow;
	if (unlikely(onramp_flow_is_full(on, &p->tuple.daddr, now_ns)))
		return NULL;
	flow = onramp_flow_make(on, p, now_ns);
	if (unlikely(!flow))
		onramp_count(counts, flows_failed);
	return flow;
}

/* Others are peers now, or others are followed */

/* Context: RCU, BH off. */
static void onramp_flow_change(struct onramp_net *on,
			       struct onramp_core_flow *flow)
{
	bool is_peer = onramp_follow_is_peer(on, &flow->tuple.daddr);

	spin_lock(&on->lock);
	if (flow->dead) {
		/* It was taken out meanwhile. */
	} else if (!onramp_follow(on, &flow->tuple.daddr)) {
		onramp_flow_take_out(on, flow, true);
	} else if (flow->is_peer != is_peer) {
		spin_lock(&flow->lock);
		flow->is_peer = is_peer;
		onramp_memory_change(on, sizeof(*flow), is_peer);
		onramp_flow_change_ring(flow);
		spin_unlock(&flow->lock);
		if (is_peer)
			list_del_init(&flow->unknown);
		else
			list_add_tail(&flow->unknown, &on->unknown_flows);
	}
	spin_unlock(&on->lock);
}

static void onramp_flow_visit_change(struct onramp_core_flow *flow,
				     struct onramp_core_port *unused)
{
	local_bh_disable();
	onramp_flow_change(flow->on, flow);
	local_bh_enable();
}

/**
 * onramp_flow_refollow() - others are peers now, or others are followed
 * @on: the namespace, which has the new setting
 *
 * Paths first: a flow that is made meanwhile is what its path is.  Those that have
 * no flow any more may be forgotten after a while.
 *
 * Context: may sleep.
 */
void onramp_flow_refollow(struct onramp_net *on)
{
	/* Flows made by the old rules are in the tables after this. */
	spin_lock_bh(&on->lock);
	WRITE_ONCE(on->retry_ns[0], 0);
	WRITE_ONCE(on->retry_ns[1], 0);
	WRITE_ONCE(on->path_retry_ns[0], 0);
	WRITE_ONCE(on->path_retry_ns[1], 0);
	spin_unlock_bh(&on->lock);
	onramp_path_refollow(on);
	onramp_flow_each(on, onramp_flow_visit_change, NULL);
	onramp_age_wake(on);
}

/* Ageing */

/* When records of a flow can be freed, or, if no queue is attached, the flow. */
static u64 onramp_flow_due(const struct onramp_core_flow *flow)
{
	u64 last_ns = READ_ONCE(flow->last_ns);
	u64 idle_ns = READ_ONCE(flow->idle_ns);

	if (READ_ONCE(flow->ring.size))
		return last_ns + idle_ns;
	if (!hlist_empty(&flow->attachments))
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
	/* Before others see the list, which look for one that can go, too. */
	list_splice_tail(&kept, &on->flow_list);
	spin_unlock_bh(&on->lock);
}

/**
 * onramp_flow_age_work() - forget idle flows and paths, a batch at a time
 * @work: onramp_net.age.work
 *
 * A flow that is made, or moved in its list, between two batches is visited in the next
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

/* None is attached: those at the head go. */
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
 * @on: the namespace; it has no ports any more, and nothing reads it
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
