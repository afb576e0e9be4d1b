// SPDX-License-Identifier: GPL-2.0
/*
 * The list of peers of a namespace: how it is made, and replaced.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "core.h"
#include "onramp_peers.h"

/* The first @len bits of 64, which may be fewer than none or more than all. */
static u64 onramp_peers_mask(int len)
{
	len = clamp(len, 0, 64);
	return len ? ~0ULL << (64 - len) : 0;
}

static struct onramp_span6 onramp_span_of(const struct onramp_prefix *prefix)
{
	return (struct onramp_span6){
		.hi = onramp_peers_word(&prefix->addr.s6_addr32[0]),
		.lo = onramp_peers_word(&prefix->addr.s6_addr32[2]),
		.hi_mask = onramp_peers_mask(prefix->len),
		.lo_mask = onramp_peers_mask(prefix->len - 64),
	};
}

/* By address and length, so that what has others inside comes before them. */
static int onramp_span_cmp(const void *one, const void *other)
{
	const struct onramp_span6 *a = one, *b = other;

	if (a->hi != b->hi)
		return a->hi < b->hi ? -1 : 1;
	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	if (a->hi_mask != b->hi_mask)
		return a->hi_mask < b->hi_mask ? -1 : 1;
	return a->lo_mask < b->lo_mask ? -1 : a->lo_mask > b->lo_mask;
}

/* No address has a bit there that its mask has not. */
static const struct onramp_span6 onramp_span_none = { .lo = 1 };

/*
 * The spans of one family, in order and none inside another.
 * Return: how many, 1 at least.
 */
static u32 onramp_spans_fill(struct onramp_span6 *spans, bool v4,
			     const struct onramp_prefix *prefixes, u32 count)
{
	u32 i, all = 0, n = 0;

	spans[0] = onramp_span_none;

	for (i = 0; i < count; i++) {
		if (prefixes[i].v4 == v4)
			spans[all++] = onramp_span_of(&prefixes[i]);
	}
	sort(spans, all, sizeof(*spans), onramp_span_cmp, NULL);
	for (i = 0; i < all; i++) {
		if (!n || !onramp_span6_has(&spans[n - 1], spans[i].hi,
					    spans[i].lo))
			spans[n++] = spans[i];
	}
	return max(n, 1);
}

static struct onramp_spans onramp_spans_of(u32 count)
{
	return (struct onramp_spans){
		.rest = count - rounddown_pow_of_two(count),
		.half = rounddown_pow_of_two(count) / 2,
	};
}

/**
 * onramp_peers_create() - a list as packets ask it
 * @prefixes: the list, in any order
 * @count: how many, not 0
 *
 * Context: may sleep.
 * Return: the list, for onramp_peers_replace(), or NULL without memory.
 */
struct onramp_peers *onramp_peers_create(const struct onramp_prefix *prefixes,
					 u32 count)
{
	struct onramp_peers *peers;
	u32 i, n;

	peers = kvmalloc(struct_size(peers, v6, count) +
			 count * sizeof(*peers->v4) +
			 count * sizeof(*prefixes), GFP_KERNEL_ACCOUNT);
	if (!peers)
		return NULL;
	peers->count = count;
	peers->v4 = (struct onramp_span4 *)(peers->v6 + count);
	peers->prefixes = (struct onramp_prefix *)(peers->v4 + count);
	memcpy(peers->prefixes, prefixes, count * sizeof(*prefixes));
	/* Those of IPv4 are needed in this form only to be put in order. */
	n = onramp_spans_fill(peers->v6, true, prefixes, count);
	peers->n4 = onramp_spans_of(n);
	for (i = 0; i < n; i++) {
		peers->v4[i].first = peers->v6[i].lo;
		peers->v4[i].mask = peers->v6[i].lo_mask;
	}
	n = onramp_spans_fill(peers->v6, false, prefixes, count);
	peers->n6 = onramp_spans_of(n);
	return peers;
}

/**
 * onramp_peers_free() - free a list that nobody reads
 * @peers: the list, or NULL
 *
 * Context: any but NMI.
 */
void onramp_peers_free(struct onramp_peers *peers)
{
	kvfree(peers);
}

/**
 * onramp_peers_replace() - from now on another list
 * @on: the namespace
 * @peers: the list; NULL: nobody is a peer
 *
 * Context: onramp_net.change.
 */
void onramp_peers_replace(struct onramp_net *on, struct onramp_peers *peers)
{
	u32 serial = on->peers_serial + 1 ?: 1;
	struct onramp_peers *was;

	if (peers)
		peers->serial = serial;
	was = rcu_replace_pointer(on->peers, peers,
				  lockdep_is_held(&on->change));
	WRITE_ONCE(on->peers_serial, serial);
	if (was)
		kvfree_rcu(was, rcu);
}

struct onramp_peers __rcu *const *onramp_peers_place(const struct net *net)
{
	return &onramp_net_of(net)->peers;
}
EXPORT_SYMBOL_GPL(onramp_peers_place);
