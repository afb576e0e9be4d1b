// SPDX-License-Identifier: GPL-2.0
/*
 * Peers: prefixes of addresses, the list of peers of a namespace, which flows are
 * followed, and the memory that flows to peers and to others may take.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <net/ipv6.h>

#include "key.h"
#include "onramp_peers.h"

/*
 * Prefixes of addresses, as requests and dumps have them.
 */

bool onramp_prefix_covers(const struct onramp_prefix *prefix,
			  const struct in6_addr *addr)
{
	return prefix->v4 == ipv6_addr_v4mapped(addr) &&
	       ipv6_prefix_equal(addr, &prefix->addr, prefix->len);
}
EXPORT_SYMBOL_GPL(onramp_prefix_covers);

bool onramp_prefix_is(const struct onramp_prefix *a,
		      const struct onramp_prefix *b)
{
	return a->len == b->len && a->v4 == b->v4 &&
	       ipv6_addr_equal(&a->addr, &b->addr);
}
EXPORT_SYMBOL_GPL(onramp_prefix_is);

int onramp_genl_refuse(struct genl_info *info, const struct nlattr *attr,
		       int err, const char *why)
{
	compat_extack_set(info->extack, why);
	if (attr)
		NL_SET_BAD_ATTR(info->extack, attr);
	return err;
}
EXPORT_SYMBOL_GPL(onramp_genl_refuse);

/* Are the bits behind a prefix 0? */
static bool onramp_prefix_is_exact(const struct onramp_prefix *prefix)
{
	struct in6_addr masked;

	ipv6_addr_prefix(&masked, &prefix->addr, prefix->len);
	return ipv6_addr_equal(&masked, &prefix->addr);
}

int onramp_prefix_parse(struct genl_info *info, struct onramp_prefix *prefix)
{
	const struct nlattr *addr = info->attrs[ONRAMP_A_PREFIX];
	const struct nlattr *len = info->attrs[ONRAMP_A_PREFIX_LEN];

	if (!addr)
		return onramp_genl_refuse(info, NULL, -EINVAL,
					  "prefix is missing");
	if (!len)
		return onramp_genl_refuse(info, NULL, -EINVAL,
					  "prefix_len is missing");
	if (nla_len(addr) != 4 && nla_len(addr) != 16)
		return onramp_genl_refuse(info, addr, -EINVAL,
					  "prefix must be 4 or 16 bytes");
	*prefix = (struct onramp_prefix){ .v4 = nla_len(addr) == 4 };
	if (prefix->v4)
		ipv6_addr_set_v4mapped(nla_get_in_addr(addr), &prefix->addr);
	else
		prefix->addr = nla_get_in6_addr(addr);
	if (!prefix->v4 && ipv6_addr_v4mapped(&prefix->addr))
		return onramp_genl_refuse(info, addr, -EINVAL,
					  "prefix: an IPv4 address has 4 bytes");
	if (nla_get_u8(len) > 8 * nla_len(addr))
		return onramp_genl_refuse(info, len, -ERANGE, prefix->v4 ?
					  "prefix_len must be 0 to 32" :
					  "prefix_len must be 0 to 128");
	prefix->len = nla_get_u8(len) + (prefix->v4 ? 96 : 0);
	if (!onramp_prefix_is_exact(prefix))
		return onramp_genl_refuse(info, addr, -EINVAL,
					  "prefix: bits beyond prefix_len must be 0");
	return 0;
}
EXPORT_SYMBOL_GPL(onramp_prefix_parse);

int onramp_prefix_put(struct sk_buff *skb, const struct onramp_prefix *prefix)
{
	int err;

	if (prefix->v4)
		err = nla_put_in_addr(skb, ONRAMP_A_PREFIX,
				      prefix->addr.s6_addr32[3]);
	else
		err = nla_put_in6_addr(skb, ONRAMP_A_PREFIX, &prefix->addr);
	return err ?: nla_put_u8(skb, ONRAMP_A_PREFIX_LEN,
				 prefix->len - (prefix->v4 ? 96 : 0));
}
EXPORT_SYMBOL_GPL(onramp_prefix_put);

/*
 * The list of peers of a namespace: how it is made, and replaced.
 */

/* The first @len bits of 64, which may be fewer than none or more than all. */
static u64 onramp_peers_mask(int len)
{
	len = clamp(len, 0, 64);
	return len ? ~0ULL << (64 - len) : 0;
}

static struct onramp_span6 onramp_span_of(const struct onramp_prefix *prefix)
{
	return (struct onramp_span6){
		.hi = onramp_peers_u64(&prefix->addr.s6_addr32[0]),
		.lo = onramp_peers_u64(&prefix->addr.s6_addr32[2]),
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
 * onramp_peers_create() - a list as packets search it
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

/*
 * Which hosts are peers, and which flows are followed: measured, and held.
 *
 * A peer is on the list, or in a group with keys.  Both are searched by halves, so
 * that packets which are not followed cost no more than that.
 */

static bool onramp_follow_is_listed(struct onramp_net *on,
				    const struct in6_addr *addr)
{
	const struct onramp_peers *peers = rcu_dereference(on->peers);

	return peers && onramp_peers_have(peers, addr);
}

static bool onramp_follow_has_keys(struct onramp_net *on,
				   const struct in6_addr *addr)
{
	const struct onramp_keyring *ring = rcu_dereference(on->keys);

	return ring && ring->in_groups &&
	       onramp_peers_have(ring->in_groups, addr);
}

/**
 * onramp_follow_is_peer() - is an address one of a peer?
 * @on: the namespace
 * @addr: the address
 *
 * Context: RCU.
 * Return: true if it is.
 */
bool onramp_follow_is_peer(struct onramp_net *on, const struct in6_addr *addr)
{
	return onramp_follow_is_listed(on, addr) ||
	       onramp_follow_has_keys(on, addr);
}

/**
 * onramp_peers_known() - are there any peers?
 * @on: the namespace
 *
 * Context: any.
 * Return: true if so; if not nobody has a right before others.
 */
bool onramp_peers_known(struct onramp_net *on)
{
	const struct onramp_keyring *ring;
	bool known;

	if (rcu_access_pointer(on->peers))
		return true;
	rcu_read_lock();
	ring = rcu_dereference(on->keys);
	known = ring && ring->in_groups;
	rcu_read_unlock();
	return known;
}

/**
 * onramp_follow() - are flows to an address followed?
 * @on: the namespace
 * @addr: the address
 *
 * Context: RCU.
 * Return: true if they are.
 */
bool onramp_follow(struct onramp_net *on, const struct in6_addr *addr)
{
	switch (READ_ONCE(on->follow)) {
	case ONRAMP_FOLLOW_PEERS:
		return onramp_follow_is_listed(on, addr);
	case ONRAMP_FOLLOW_KEYS:
		return onramp_follow_has_keys(on, addr);
	default:
		return true;
	}
}

/*
 * How much memory flows, their records and paths of a namespace may take.
 *
 * Packets make them, most in softirq, where there is no task to charge: of what is
 * allocated there __GFP_ACCOUNT charges nobody, and where a task sends it charges
 * the cgroup of that task, without which it would be nobody's either.  So it is
 * requested, and what bounds it is counted here.
 *
 * Where there are peers, flows to others have half of it at most: what a peer needs as a
 * packet leaves, when nothing can make space, is there.
 */

/* As the kernel's allocator rounds the sizes of flows, paths and records. */
static s64 onramp_memory_size(size_t bytes)
{
	return roundup_pow_of_two(bytes);
}

/**
 * onramp_memory_take() - may so much be allocated?
 * @on: the namespace
 * @bytes: how much, not 0
 * @is_peer: for a peer
 *
 * Context: any.
 * Return: true if so, and it counts until onramp_memory_give().
 */
bool onramp_memory_take(struct onramp_net *on, size_t bytes, bool is_peer)
{
	s64 size = onramp_memory_size(bytes);
	s64 most = READ_ONCE(on->max_memory);
	s64 unknown = 0;

	if (!is_peer) {
		unknown = atomic64_add_return(size, &on->memory_unknown);
		if (onramp_peers_known(on))
			unknown *= 2;
	}
	if (atomic64_add_return(size, &on->memory) <= most && unknown <= most)
		return true;
	onramp_memory_give(on, bytes, is_peer);
	return false;
}

/**
 * onramp_memory_give() - so much was freed
 * @on: the namespace
 * @bytes: as it was taken
 * @is_peer: likewise, or as it was changed to
 *
 * Context: any.
 */
void onramp_memory_give(struct onramp_net *on, size_t bytes, bool is_peer)
{
	s64 size = onramp_memory_size(bytes);

	atomic64_sub(size, &on->memory);
	if (!is_peer)
		atomic64_sub(size, &on->memory_unknown);
}

/**
 * onramp_memory_change() - what was an unknown peer's is a peer's, or the other way
 * @on: the namespace
 * @bytes: as it was taken
 * @is_peer: a peer's from now on
 *
 * Context: any.
 */
void onramp_memory_change(struct onramp_net *on, size_t bytes, bool is_peer)
{
	s64 size = onramp_memory_size(bytes);

	atomic64_add(is_peer ? -size : size, &on->memory_unknown);
}
