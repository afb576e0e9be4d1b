// SPDX-License-Identifier: GPL-2.0
/*
 * The paths of a namespace: found, made, held, and forgotten.
 */
#include <linux/rbtree.h>
#include <linux/slab.h>

#include "core.h"

/* How many are tried to find one that can go; ageing makes it likely. */
#define ONRAMP_PATH_TRIES 16
/* A host without onramp is tried again after so long. */
#define ONRAMP_REFUSED_NS (10 * NSEC_PER_SEC)

const struct rhashtable_params onramp_path_table = {
	.head_offset = offsetof(struct onramp_path, node),
	.key_offset = offsetof(struct onramp_path, key),
	.key_len = sizeof(struct onramp_path_key),
	.automatic_shrinking = true,
};

static void onramp_path_free(struct onramp_path *path)
{
	kfree_rcu(path, rcu);
}

/* Context: onramp_net.lock. */
static bool onramp_path_take(struct onramp_net *on, bool is_peer)
{
	if (atomic_read(&on->paths.nelems) >= READ_ONCE(on->max_paths) ||
	    !onramp_memory_take(on, sizeof(struct onramp_path), is_peer))
		return false;
	if (onramp_budget_take(on->net, ONRAMP_BUDGET_PATHS))
		return true;
	onramp_memory_give(on, sizeof(struct onramp_path), is_peer);
	return false;
}

static void onramp_path_give(struct onramp_net *on, bool is_peer)
{
	onramp_budget_give(on->net, ONRAMP_BUDGET_PATHS);
	onramp_memory_give(on, sizeof(struct onramp_path), is_peer);
}

/**
 * onramp_path_put() - give a reference back
 * @path: the path, or NULL
 */
void onramp_path_put(struct onramp_path *path)
{
	if (path && refcount_dec_and_test(&path->refs))
		onramp_path_free(path);
}

/* Context: onramp_net.lock.  Return: false if it is in use. */
static bool onramp_path_remove(struct onramp_net *on, struct onramp_path *path)
{
	if (!refcount_dec_if_one(&path->refs))
		return false;
	rhashtable_remove_fast(&on->paths, &path->node, onramp_path_table);
	list_del(&path->list);
	onramp_path_give(on, path->is_peer);
	onramp_path_free(path);
	return true;
}

/*
 * Paths that no flow is of make space for another one: of unknown peers, or, with @peers,
 * all.
 *
 * Context: onramp_net.lock.  Return: true if there is space for one more, taken.
 */
static bool onramp_path_room(struct onramp_net *on, bool is_peer, bool peers)
{
	struct onramp_path *path, *next;
	int tries = ONRAMP_PATH_TRIES;

	if (onramp_path_take(on, is_peer))
		return true;
	list_for_each_entry_safe(path, next, &on->path_list, list) {
		if ((peers || !path->is_peer) && onramp_path_remove(on, path)) {
			if (onramp_path_take(on, is_peer))
				return true;
		} else {
			list_move_tail(&path->list, &on->path_list);
		}
		if (!--tries)
			break;
	}
	return false;
}

/**
 * onramp_path_evict() - forget a path that no flow is of, since memory is short
 * @on: the namespace
 * @is_peer: for a peer, for whom all may go; else those of unknown peers alone
 *
 * Context: onramp_net.lock.
 * Return: false if none of those that were tried may go.
 */
bool onramp_path_evict(struct onramp_net *on, bool is_peer)
{
	struct onramp_path *path, *next;
	int tries = ONRAMP_PATH_TRIES;

	list_for_each_entry_safe(path, next, &on->path_list, list) {
		if ((is_peer || !path->is_peer) && onramp_path_remove(on, path))
			return true;
		list_move_tail(&path->list, &on->path_list);
		if (!--tries)
			break;
	}
	return false;
}

/*
 * If that is not enough flows make space, with which their paths may go; and for a
 * peer at last the paths of peers.
 */
static bool onramp_path_make_room(struct onramp_net *on, bool is_peer, u64 now_ns,
				  bool (*evict)(struct onramp_net *on,
						bool is_peer, u64 now_ns))
{
	int tries = ONRAMP_PATH_TRIES;

	do {
		if (onramp_path_room(on, is_peer, false))
			return true;
	} while (evict && tries-- && evict(on, is_peer, now_ns));
	return is_peer && onramp_path_room(on, is_peer, true);
}

static struct onramp_path *onramp_path_find(struct onramp_net *on,
					    const struct onramp_path_key *key)
{
	struct onramp_path *path;

	path = rhashtable_lookup(&on->paths, key, onramp_path_table);
	return path && refcount_inc_not_zero(&path->refs) ? path : NULL;
}

/* Context: RCU. */
static struct onramp_path *onramp_path_lookup(struct onramp_net *on,
					      const struct onramp_tuple *tuple,
					      u8 dscp)
{
	const struct onramp_path_key key = {
		.saddr = tuple->saddr,
		.daddr = tuple->daddr,
		.scope = tuple->scope,
		.dscp = dscp,
	};

	return rhashtable_lookup(&on->paths, &key, onramp_path_table);
}

/**
 * onramp_path_is_known() - did flows between two addresses have a DSCP lately?
 * @on: the namespace
 * @tuple: the addresses
 * @dscp: the DSCP
 *
 * Context: RCU.
 * Return: true if so, and the path is not forgotten yet.
 */
bool onramp_path_is_known(struct onramp_net *on,
			  const struct onramp_tuple *tuple, u8 dscp)
{
	return onramp_path_lookup(on, tuple, dscp);
}

/**
 * onramp_path_refuse() - the source of a path, another host, has no onramp
 * @on: the namespace
 * @tuple: the addresses
 * @dscp: the DSCP
 * @now_ns: time
 *
 * Context: RCU.
 * Return: false if no such path is known here.
 */
bool onramp_path_refuse(struct onramp_net *on, const struct onramp_tuple *tuple,
			u8 dscp, u64 now_ns)
{
	struct onramp_path *path = onramp_path_lookup(on, tuple, dscp);

	if (!path)
		return false;
	WRITE_ONCE(path->refused_ns, now_ns);
	WRITE_ONCE(path->refused, true);
	return true;
}

/**
 * onramp_path_refuses() - has the source of a path no onramp, as far as is known?
 * @on: the namespace
 * @tuple: the addresses
 * @dscp: the DSCP
 * @now_ns: time
 *
 * It is tried again after a while.
 * Context: RCU.
 * Return: true if it has none.
 */
bool onramp_path_refuses(struct onramp_net *on, const struct onramp_tuple *tuple,
			 u8 dscp, u64 now_ns)
{
	const struct onramp_path *path = onramp_path_lookup(on, tuple, dscp);

	return path && READ_ONCE(path->refused) &&
	       (s64)(now_ns - READ_ONCE(path->refused_ns)) <
	       (s64)ONRAMP_REFUSED_NS;
}

/* Into the table.  Context: onramp_net.lock.  Return: NULL if memory is short. */
static struct onramp_path *onramp_path_insert(struct onramp_net *on,
					      const struct onramp_path_key *key,
					      bool is_peer)
{
	struct onramp_path *path;

	path = kzalloc(sizeof(*path), ONRAMP_GFP);
	if (!path)
		return NULL;
	path->key = *key;
	path->is_peer = is_peer;
	spin_lock_init(&path->lock);
	refcount_set(&path->refs, 2);
	if (rhashtable_insert_fast(&on->paths, &path->node,
				   onramp_path_table)) {
		kfree(path);
		return NULL;
	}
	return path;
}

/* Context: onramp_net.lock. */
static struct onramp_path *
onramp_path_add(struct onramp_net *on, const struct onramp_path_key *key,
		u64 now_ns,
		bool (*evict)(struct onramp_net *on, bool is_peer, u64 now_ns))
{
	struct onramp_path *path = onramp_path_find(on, key);
	bool is_peer = onramp_follow_is_peer(on, &key->daddr);

	if (path || !onramp_path_make_room(on, is_peer, now_ns, evict))
		return path;
	path = onramp_path_insert(on, key, is_peer);
	if (!path) {
		onramp_path_give(on, is_peer);
		return NULL;
	}
	list_add_tail(&path->list, &on->path_list);
	onramp_age_wake(on);
	return path;
}

/* Was there no space just now, for peers or for others, as this one is? */
static bool onramp_path_is_full(struct onramp_net *on,
				const struct in6_addr *daddr, u64 now_ns)
{
	const u64 *retry_ns = on->path_retry_ns;

	if (likely(READ_ONCE(retry_ns[0]) <= now_ns &&
		   READ_ONCE(retry_ns[1]) <= now_ns))
		return false;
	return READ_ONCE(retry_ns[onramp_follow_is_peer(on, daddr)]) > now_ns;
}

/**
 * onramp_path_get() - the path of a packet
 * @on: the namespace
 * @p: the packet
 * @now_ns: time
 * @evict: called under onramp_net.lock if there is no space: has a flow make some,
 *	false if there is none that may; or NULL
 *
 * Context: BH off, RCU; not under a flow's lock.
 * Return: a reference, or NULL if there is no memory or no space, or was none a
 *	space just now.
 */
struct onramp_path *
onramp_path_get(struct onramp_net *on, const struct onramp_packet *p,
		u64 now_ns,
		bool (*evict)(struct onramp_net *on, bool is_peer, u64 now_ns))
{
	const struct onramp_path_key key = {
		.saddr = p->tuple.saddr,
		.daddr = p->tuple.daddr,
		.scope = p->tuple.scope,
		.dscp = p->dsfield >> 2,
	};
	struct onramp_path *path = onramp_path_find(on, &key);

	if (!path && !onramp_path_is_full(on, &key.daddr, now_ns)) {
		bool is_peer = onramp_follow_is_peer(on, &key.daddr);

		spin_lock(&on->lock);
		path = onramp_path_add(on, &key, now_ns, evict);
		spin_unlock(&on->lock);
		if (!path)
			WRITE_ONCE(on->path_retry_ns[is_peer],
				   now_ns + ONRAMP_RETRY_NS);
	}
	if (path)
		WRITE_ONCE(path->used_ns, now_ns);
	return path;
}

/* Context: RCU, BH off. */
static void onramp_path_change(struct onramp_net *on, struct onramp_path *path)
{
	bool is_peer = onramp_follow_is_peer(on, &path->key.daddr);

	spin_lock(&on->lock);
	if (refcount_read(&path->refs) && path->is_peer != is_peer) {
		path->is_peer = is_peer;
		onramp_memory_change(on, sizeof(*path), is_peer);
	}
	spin_unlock(&on->lock);
}

/**
 * onramp_path_refollow() - others are peers now
 * @on: the namespace
 *
 * Context: may sleep.
 */
void onramp_path_refollow(struct onramp_net *on)
{
	struct rhashtable_iter iter;
	struct onramp_path *path;

	rhashtable_walk_enter(&on->paths, &iter);
	do {
		rhashtable_walk_start(&iter);
		while ((path = rhashtable_walk_next(&iter)) && !IS_ERR(path)) {
			local_bh_disable();
			onramp_path_change(on, path);
			local_bh_enable();
		}
		rhashtable_walk_stop(&iter);
	} while (IS_ERR(path));
	rhashtable_walk_exit(&iter);
}

/* When a path can be forgotten.  Context: onramp_net.lock. */
static u64 onramp_path_due(const struct onramp_path *path)
{
	if (refcount_read(&path->refs) > 1)
		return U64_MAX;
	return READ_ONCE(path->used_ns) + ONRAMP_PATH_IDLE_NS;
}

/**
 * onramp_path_age_some() - forget what was not used for long, of the next few
 * @on: the namespace
 * @now_ns: time
 *
 * Context: ageing; not onramp_net.lock, which is held meanwhile.
 */
void onramp_path_age_some(struct onramp_net *on, u64 now_ns)
{
	u32 left = min_t(u32, on->age.paths, ONRAMP_PATHS_AT_ONCE);
	struct onramp_path *path, *next;
	LIST_HEAD(kept);

	on->age.paths -= left;
	spin_lock_bh(&on->lock);
	list_for_each_entry_safe(path, next, &on->path_list, list) {
		if (!left--)
			break;
		if (onramp_path_due(path) <= now_ns &&
		    onramp_path_remove(on, path))
			continue;
		onramp_age_due(on, onramp_path_due(path));
		list_move_tail(&path->list, &kept);
	}
	/* Before others see the list, which look for one that can go, too. */
	list_splice_tail(&kept, &on->path_list);
	spin_unlock_bh(&on->lock);
}

/* None is used: those at the head go. */
static void onramp_path_forget_some(struct onramp_net *on, u32 count)
{
	struct onramp_path *path, *next;

	spin_lock_bh(&on->lock);
	list_for_each_entry_safe(path, next, &on->path_list, list) {
		if (!count--)
			break;
		onramp_path_remove(on, path);
	}
	spin_unlock_bh(&on->lock);
}

/**
 * onramp_path_forget_all() - the namespace goes
 * @on: the namespace; it has no flows any more
 *
 * As onramp_flow_forget_all().
 * Context: may sleep.
 */
void onramp_path_forget_all(struct onramp_net *on)
{
	int left = atomic_read(&on->paths.nelems);

	for (; left > 0; left -= ONRAMP_PATHS_AT_ONCE) {
		onramp_path_forget_some(on, ONRAMP_PATHS_AT_ONCE);
		cond_resched();
	}
}

/*
 * Until when a path is held: as long as any of its flows is.
 *
 * A hold may be cut short at any time, so the last to end is not all that has
 * to be known: the held flows of a path are in a tree, by when they go on.  One
 * whose hold is over stays there, behind those that it concerns, until it is
 * held again or goes.
 */

static struct onramp_core_flow *onramp_held_flow(const struct rb_node *node)
{
	return rb_entry(node, struct onramp_core_flow, held);
}

static bool onramp_held_is_before(struct rb_node *a, const struct rb_node *b)
{
	return onramp_held_flow(a)->held_until_ns >
	       onramp_held_flow(b)->held_until_ns;
}

static void onramp_held_remove(struct onramp_core_flow *flow)
{
	if (RB_EMPTY_NODE(&flow->held))
		return;
	rb_erase_cached(&flow->held, &flow->path->held);
	RB_CLEAR_NODE(&flow->held);
}

/* The path's rules get the new state. */
static void onramp_held_update(struct onramp_path *path, u64 now_ns)
{
	const struct rb_node *last = rb_first_cached(&path->held);

	onramp_path_hold(&path->vars, now_ns,
			 last ? onramp_held_flow(last)->held_until_ns : now_ns);
}

/**
 * onramp_held_set() - the hold of a flow was set, or cut short
 * @flow: its lock is held, and its path's
 * @now_ns: time
 */
void onramp_held_set(struct onramp_core_flow *flow, u64 now_ns)
{
	onramp_held_remove(flow);
	if (flow->hold.t_next_ns > now_ns) {
		flow->held_until_ns = flow->hold.t_next_ns;
		rb_add_cached(&flow->held, &flow->path->held,
			      onramp_held_is_before);
	}
	onramp_held_update(flow->path, now_ns);
}

/**
 * onramp_held_end() - a flow leaves its path
 * @flow: its lock is held
 * @now_ns: time
 *
 * Context: BH off.
 */
void onramp_held_end(struct onramp_core_flow *flow, u64 now_ns)
{
	struct onramp_path *path = flow->path;

	spin_lock(&path->lock);
	onramp_held_remove(flow);
	onramp_held_update(path, now_ns);
	spin_unlock(&path->lock);
}
