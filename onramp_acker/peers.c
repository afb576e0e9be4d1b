// SPDX-License-Identifier: GPL-2.0
/*
 * How the list is made that packets ask.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "peers.h"

/* The first @len bits of 64, which may be fewer than none or more than all. */
static u64 acker_mask(int len)
{
	len = clamp(len, 0, 64);
	return len ? ~0ULL << (64 - len) : 0;
}

static struct acker_span6 acker_span_of(const struct onramp_prefix *prefix)
{
	return (struct acker_span6){
		.hi = acker_word(&prefix->addr.s6_addr32[0]),
		.lo = acker_word(&prefix->addr.s6_addr32[2]),
		.hi_mask = acker_mask(prefix->len),
		.lo_mask = acker_mask(prefix->len - 64),
	};
}

/* By address and length, so that what has others inside comes before them. */
static int acker_span_cmp(const void *one, const void *other)
{
	const struct acker_span6 *a = one, *b = other;

	if (a->hi != b->hi)
		return a->hi < b->hi ? -1 : 1;
	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	if (a->hi_mask != b->hi_mask)
		return a->hi_mask < b->hi_mask ? -1 : 1;
	return a->lo_mask < b->lo_mask ? -1 : a->lo_mask > b->lo_mask;
}

/* No address has a bit there that its mask has not. */
static const struct acker_span6 acker_span_none = { .lo = 1 };

/*
 * The spans of one family, in order and none inside another.
 * Return: how many, 1 at least.
 */
static u32 acker_spans_fill(struct acker_span6 *spans, bool v4,
			    const struct onramp_prefix *prefixes, u32 count)
{
	u32 i, all = 0, n = 0;

	spans[0] = acker_span_none;

	for (i = 0; i < count; i++) {
		if (prefixes[i].v4 == v4)
			spans[all++] = acker_span_of(&prefixes[i]);
	}
	sort(spans, all, sizeof(*spans), acker_span_cmp, NULL);
	for (i = 0; i < all; i++) {
		if (!n || !acker_span6_has(&spans[n - 1], spans[i].hi,
					   spans[i].lo))
			spans[n++] = spans[i];
	}
	return max(n, 1);
}

static struct acker_spans acker_spans_of(u32 count)
{
	return (struct acker_spans){
		.rest = count - rounddown_pow_of_two(count),
		.half = rounddown_pow_of_two(count) / 2,
	};
}

/**
 * acker_peers_create() - a list as packets ask it
 * @prefixes: the list, in any order
 * @count: how many
 * @serial: of this list, not 0
 *
 * Context: may sleep.
 * Return: the list, for kvfree_rcu(), or NULL without memory.
 */
struct acker_peers *acker_peers_create(const struct onramp_prefix *prefixes,
				       u32 count, u32 serial)
{
	u32 i, n, room = max(count, 1);
	struct acker_peers *peers;

	peers = kvmalloc(struct_size(peers, v6, room) +
			 room * sizeof(*peers->v4), GFP_KERNEL_ACCOUNT);
	if (!peers)
		return NULL;
	peers->serial = serial;
	peers->v4 = (struct acker_span4 *)(peers->v6 + room);
	/* Those of IPv4 are needed in this form only to be put in order. */
	n = acker_spans_fill(peers->v6, true, prefixes, count);
	peers->n4 = acker_spans_of(n);
	for (i = 0; i < n; i++) {
		peers->v4[i].first = peers->v6[i].lo;
		peers->v4[i].mask = peers->v6[i].lo_mask;
	}
	n = acker_spans_fill(peers->v6, false, prefixes, count);
	peers->n6 = acker_spans_of(n);
	return peers;
}
