// SPDX-License-Identifier: GPL-2.0
/*
 * The paths of a namespace: found, made, forgotten.
 */
#include <linux/slab.h>

#include "core.h"

/* How many are looked at to find one that can go; ageing makes it likely. */
#define ONRAMP_PATH_TRIES 16
/* Who has no onramp is asked again after so long. */
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
	onramp_budget_give(on->net, ONRAMP_BUDGET_PATHS);
	onramp_path_free(path);
	return true;
}

/* Context: onramp_net.lock.  Return: true if there is room for one more, taken. */
static bool onramp_path_room(struct onramp_net *on)
{
	struct onramp_path *path, *next;
	int tries = ONRAMP_PATH_TRIES;

	if (atomic_read(&on->paths.nelems) < READ_ONCE(on->max_paths) &&
	    onramp_budget_take(on->net, ONRAMP_BUDGET_PATHS))
		return true;
	list_for_each_entry_safe(path, next, &on->path_list, list) {
		if (onramp_path_remove(on, path))
			return onramp_budget_take(on->net, ONRAMP_BUDGET_PATHS);
		list_move_tail(&path->list, &on->path_list);
		if (!--tries)
			break;
	}
	return false;
}

static struct onramp_path *onramp_path_find(struct onramp_net *on,
					    const struct onramp_path_key *key)
{
	struct onramp_path *path;

	path = rhashtable_lookup(&on->paths, key, onramp_path_table);
	return path && refcount_inc_not_zero(&path->refs) ? path : NULL;
}

/* Context: RCU. */
static struct onramp_path *onramp_path_look(struct onramp_net *on,
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
	return onramp_path_look(on, tuple, dscp);
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
	struct onramp_path *path = onramp_path_look(on, tuple, dscp);

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
 * It is asked again after a while.
 * Context: RCU.
 * Return: true if it has none.
 */
bool onramp_path_refuses(struct onramp_net *on, const struct onramp_tuple *tuple,
			 u8 dscp, u64 now_ns)
{
	const struct onramp_path *path = onramp_path_look(on, tuple, dscp);

	return path && READ_ONCE(path->refused) &&
	       (s64)(now_ns - READ_ONCE(path->refused_ns)) <
	       (s64)ONRAMP_REFUSED_NS;
}

/* Into the table.  Context: onramp_net.lock.  Return: NULL if memory is short. */
static struct onramp_path *onramp_path_insert(struct onramp_net *on,
					      const struct onramp_path_key *key)
{
	struct onramp_path *path;

	path = kzalloc(sizeof(*path), GFP_ATOMIC | __GFP_NOWARN);
	if (!path)
		return NULL;
	path->key = *key;
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
static struct onramp_path *onramp_path_add(struct onramp_net *on,
					   const struct onramp_path_key *key)
{
	struct onramp_path *path = onramp_path_find(on, key);

	if (path || !onramp_path_room(on))
		return path;
	path = onramp_path_insert(on, key);
	if (!path) {
		onramp_budget_give(on->net, ONRAMP_BUDGET_PATHS);
		return NULL;
	}
	list_add_tail(&path->list, &on->path_list);
	onramp_age_wake(on);
	return path;
}

/**
 * onramp_path_get() - the path of a packet
 * @on: the namespace
 * @p: the packet
 * @now_ns: time
 *
 * Context: BH off, RCU; not under a flow's lock.
 * Return: a reference, or NULL if there is no memory or no room, or was none a
 *	moment ago.
 */
struct onramp_path *onramp_path_get(struct onramp_net *on,
				    const struct onramp_packet *p, u64 now_ns)
{
	const struct onramp_path_key key = {
		.saddr = p->tuple.saddr,
		.daddr = p->tuple.daddr,
		.scope = p->tuple.scope,
		.dscp = p->dsfield >> 2,
	};
	struct onramp_path *path = onramp_path_find(on, &key);

	if (!path && READ_ONCE(on->path_retry_ns) <= now_ns) {
		spin_lock(&on->lock);
		path = onramp_path_add(on, &key);
		spin_unlock(&on->lock);
		if (!path)
			WRITE_ONCE(on->path_retry_ns, now_ns + ONRAMP_RETRY_NS);
	}
	if (path)
		WRITE_ONCE(path->used_ns, now_ns);
	return path;
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
	/* Before others see the list, who look for one that can go, too. */
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
