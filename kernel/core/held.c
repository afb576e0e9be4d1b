// SPDX-License-Identifier: GPL-2.0
/*
 * Until when a path is held: as long as any of its flows is.
 *
 * A pause may be cut short at any time, so the last to end is not all that has
 * to be known: the paused flows of a path are in a tree, by when they go on.  One
 * whose pause is over stays there, behind those that it concerns, until it is
 * paused again or goes.
 */
#include <linux/rbtree.h>

#include "core.h"

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

/* The law is told how it stands now. */
static void onramp_held_tell(struct onramp_path *path, u64 now_ns)
{
	const struct rb_node *last = rb_first_cached(&path->held);

	onramp_path_hold(&path->vars, now_ns,
			 last ? onramp_held_flow(last)->held_until_ns : now_ns);
}

/**
 * onramp_held_set() - the pause of a flow was set, or cut short
 * @flow: its lock is held, and its path's
 * @now_ns: time
 */
void onramp_held_set(struct onramp_core_flow *flow, u64 now_ns)
{
	onramp_held_remove(flow);
	if (flow->pause.t_next_ns > now_ns) {
		flow->held_until_ns = flow->pause.t_next_ns;
		rb_add_cached(&flow->held, &flow->path->held,
			      onramp_held_is_before);
	}
	onramp_held_tell(flow->path, now_ns);
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
	onramp_held_tell(path, now_ns);
	spin_unlock(&path->lock);
}
