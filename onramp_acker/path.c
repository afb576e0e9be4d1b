// SPDX-License-Identifier: GPL-2.0
/*
 * Paths: to which peers reports go, and whether their port is open.
 */
#include <linux/random.h>
#include <net/dst.h>
#include <net/inet_ecn.h>

#include "acker.h"

static struct hlist_head *acker_path_bucket(const struct acker_net *a,
					    const struct acker_pair *pair)
{
	u64 hash = siphash(pair, sizeof(*pair), &a->key);

	return &a->table.paths[hash >> (64 - a->table.path_bits)];
}

static struct acker_path *acker_path_create(struct acker_net *a,
					    const struct acker_pair *pair,
					    int ifindex, u8 dsfield,
					    const struct acker_path *sibling)
{
	struct acker_path *path;

	path = kzalloc(sizeof(*path), GFP_ATOMIC | __GFP_NOWARN);
	if (!path) {
		a->stats.flows_failed++;
		return NULL;
	}
	path->pair = *pair;
	path->dsfield = dsfield;
	path->ifindex = ifindex;
	/* The same peer, which does not listen with another DSCP either. */
	if (sibling)
		path->backoff = sibling->backoff;
	INIT_LIST_HEAD(&path->ready);
	if (!acker_path_route(a, path)) {
		kfree(path);
		return NULL;
	}
	path->serial = get_random_u32();
	hlist_add_head(&path->hash, acker_path_bucket(a, pair));
	return path;
}

/**
 * acker_path_get() - the path of a packet's OR-ACKs, made if there is none
 * @a: the namespace
 * @p: the packet, from a peer to an address of this host
 * @ifindex: the device by which IP gets it
 *
 * A path is made only with a route from our address: a peer to whom there is no
 * way needs none.
 *
 * Context: @a->lock held, RCU.
 * Return: the path, counted; or NULL; counted.
 */
struct acker_path *acker_path_get(struct acker_net *a,
				  const struct onramp_packet *p, int ifindex)
{
	const struct acker_pair pair = {
		.peer = p->tuple.saddr,
		.self = p->tuple.daddr,
		.scope = p->tuple.scope,
	};
	const struct acker_path *sibling = NULL;
	u8 dsfield = p->dsfield & ~INET_ECN_MASK;
	struct acker_path *path;

	hlist_for_each_entry(path, acker_path_bucket(a, &pair), hash) {
		if (memcmp(&path->pair, &pair, sizeof(pair)))
			continue;
		if (path->dsfield == dsfield) {
			path->flows++;
			return path;
		}
		sibling = path;
	}
	path = acker_path_create(a, &pair, ifindex, dsfield, sibling);
	if (path)
		path->flows++;
	return path;
}

/**
 * acker_path_put() - a flow less; with the last the path goes
 * @a: the namespace
 * @path: the path
 *
 * Context: @a->lock held.
 */
void acker_path_put(struct acker_net *a, struct acker_path *path)
{
	if (--path->flows)
		return;
	if (path->batch)
		acker_batch_close(a, path);
	hlist_del(&path->hash);
	dst_release(path->dst);
	kfree(path);
}

/**
 * acker_path_refused() - a peer's port is unreachable
 * @a: the namespace
 * @pair: its address and this host's
 * @now_ns: time
 *
 * Context: @a->lock held.
 */
void acker_path_refused(struct acker_net *a, const struct acker_pair *pair,
			u64 now_ns)
{
	struct acker_path *path;

	hlist_for_each_entry(path, acker_path_bucket(a, pair), hash) {
		if (!memcmp(&path->pair, pair, sizeof(*pair)))
			onramp_backoff_on_refusal(&path->backoff, now_ns);
	}
}
