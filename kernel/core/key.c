// SPDX-License-Identifier: GPL-2.0
/*
 * Keys: the signing key of each group, and whose signature is required.
 *
 * A group is prefixes of peers and up to two keys, one of which signs; both are
 * good for what comes.  So keys are changed without a loss: the new one is
 * given to all hosts, then signs at all, then the old one is taken away.
 *
 * All groups of a namespace are one object that is never changed but replaced,
 * so that a reader sees all of a change or nothing of it, and what is freed has
 * no reader and is wiped.  Its writers hold onramp_net.change.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "algo/onramp_mac.h"
#include "key.h"

static const struct onramp_key_group *
onramp_key_group_of(const struct onramp_keyring *ring,
		    const struct in6_addr *peer)
{
	u32 i;

	/* The longest come first. */
	for (i = 0; ring && i < ring->nr_peers; i++)
		if (onramp_prefix_covers(&ring->peers[i].prefix, peer))
			return &ring->groups[ring->peers[i].group];
	return NULL;
}

/* The key of a number; or NULL. */
static const struct onramp_key *
onramp_key_find(const struct onramp_key_group *group, u8 id)
{
	u32 i;

	for (i = 0; i < group->nr_keys; i++)
		if (group->keys[i].id == id)
			return &group->keys[i];
	return NULL;
}

bool onramp_key_signs(const struct net *net, const struct in6_addr *peer)
{
	bool signs;

	rcu_read_lock();
	signs = onramp_key_group_of(rcu_dereference(onramp_net_of(net)->keys),
				    peer);
	rcu_read_unlock();
	return signs;
}
EXPORT_SYMBOL_GPL(onramp_key_signs);

size_t onramp_key_sign(const struct net *net, const struct in6_addr *self,
		       const struct in6_addr *peer, u8 *data, u32 count)
{
	const struct in6_addr addresses[] = { *self, *peer };
	const struct onramp_key_group *group;
	const struct onramp_key *key;
	size_t bytes = 0;

	BUILD_BUG_ON(sizeof(addresses) != ONRAMP_MAC_ADDRESS_BYTES);
	rcu_read_lock();
	group = onramp_key_group_of(rcu_dereference(onramp_net_of(net)->keys),
				    peer);
	if (group) {
		key = &group->keys[group->signs];
		bytes = onramp_mac_sign(key->bytes, key->id,
					(const u8 *)addresses, data, count);
	}
	rcu_read_unlock();
	return bytes;
}
EXPORT_SYMBOL_GPL(onramp_key_sign);

/*
 * The peer is in no group.  Where a group must sign all must: a host that trusts
 * no unsigned report of those it knows accepts none of those it does not.
 */
static enum onramp_key_verdict
onramp_key_of_no_group(const struct onramp_keyring *ring,
		       const struct onramp_wire_view *view)
{
	if (!ring || !ring->requires)
		return ONRAMP_KEY_NOT_REQUIRED;
	return view->head.has_mac ? ONRAMP_KEY_UNKNOWN : ONRAMP_KEY_UNSIGNED;
}

/**
 * onramp_key_verify() - is a datagram authentic?
 * @on: the namespace
 * @peer: its source address
 * @self: its destination address
 * @view: the datagram
 *
 * Where there is no group for the peer nothing is required, and a trailer
 * is not read; unless any group must sign: then all must.
 *
 * Context: RCU.
 * Return: ONRAMP_KEY_GOOD: it is authentic; ONRAMP_KEY_NOT_REQUIRED; or what is
 * wrong.
 */
enum onramp_key_verdict onramp_key_verify(struct onramp_net *on,
					  const struct in6_addr *peer,
					  const struct in6_addr *self,
					  const struct onramp_wire_view *view)
{
	const struct onramp_keyring *ring = rcu_dereference(on->keys);
	const struct in6_addr addresses[] = { *peer, *self };
	const struct onramp_key_group *group;
	const struct onramp_key *key;

	group = onramp_key_group_of(ring, peer);
	if (!group)
		return onramp_key_of_no_group(ring, view);
	if (!view->head.has_mac)
		return group->require ? ONRAMP_KEY_UNSIGNED :
					ONRAMP_KEY_NOT_REQUIRED;
	key = onramp_key_find(group, view->mac_key);
	if (!key)
		return ONRAMP_KEY_UNKNOWN;
	return onramp_mac_is_good(key->bytes, (const u8 *)addresses, view) ?
	       ONRAMP_KEY_GOOD : ONRAMP_KEY_FORGED;
}

static void onramp_keyring_free(struct rcu_head *rcu)
{
	struct onramp_keyring *ring =
		container_of(rcu, struct onramp_keyring, rcu);

	onramp_peers_free(ring->in_groups);
	kfree_sensitive(ring);
}

/**
 * onramp_keyring_copy() - begin a change
 * @on: the namespace
 *
 * Context: onramp_net.change; may sleep.
 * Return: a copy of what there is, to be given to onramp_keyring_replace() or
 * kfree_sensitive(); or NULL.
 */
struct onramp_keyring *onramp_keyring_copy(struct onramp_net *on)
{
	struct onramp_keyring *ring = onramp_keyring(on);

	if (!ring)
		return kzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);
	ring = kmemdup(ring, sizeof(*ring), GFP_KERNEL_ACCOUNT);
	if (ring)
		ring->in_groups = NULL;
	return ring;
}

static bool onramp_keyring_requires(const struct onramp_keyring *ring)
{
	u32 i;

	for (i = 0; i < ring->nr_groups; i++)
		if (ring->groups[i].require)
			return true;
	return false;
}

/**
 * onramp_keyring_complete() - what packets read of a copy that was changed
 * @ring: from onramp_keyring_copy()
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int onramp_keyring_complete(struct onramp_keyring *ring)
{
	struct onramp_prefix *prefixes;
	u32 i;

	ring->requires = onramp_keyring_requires(ring);
	if (!ring->nr_peers)
		return 0;
	prefixes = kcalloc(ring->nr_peers, sizeof(*prefixes), GFP_KERNEL);
	if (!prefixes)
		return -ENOMEM;
	for (i = 0; i < ring->nr_peers; i++)
		prefixes[i] = ring->peers[i].prefix;
	ring->in_groups = onramp_peers_create(prefixes, ring->nr_peers);
	kfree(prefixes);
	return ring->in_groups ? 0 : -ENOMEM;
}

/**
 * onramp_keyring_replace() - end a change
 * @on: the namespace
 * @ring: from onramp_keyring_complete(); NULL: none at all
 *
 * Context: onramp_net.change.
 */
void onramp_keyring_replace(struct onramp_net *on, struct onramp_keyring *ring)
{
	struct onramp_keyring *was;

	was = rcu_replace_pointer(on->keys, ring, lockdep_is_held(&on->change));
	on->keys_serial = on->keys_serial + 1 ?: 1;
	if (was)
		call_rcu(&was->rcu, onramp_keyring_free);
}

/**
 * onramp_key_group_find() - a group by its number
 * @ring: may be NULL
 * @id: its number
 *
 * Return: the group or NULL.
 */
struct onramp_key_group *onramp_key_group_find(struct onramp_keyring *ring,
					       u32 id)
{
	u32 i;

	for (i = 0; ring && i < ring->nr_groups; i++)
		if (ring->groups[i].id == id)
			return &ring->groups[i];
	return NULL;
}

/**
 * onramp_key_add() - one more key
 * @group: has space for it, and none of its number
 * @id: its number
 * @bytes: ONRAMP_MAC_KEY_BYTES of it
 *
 * The first one signs.
 */
void onramp_key_add(struct onramp_key_group *group, u8 id, const u8 *bytes)
{
	struct onramp_key *key = &group->keys[group->nr_keys++];

	key->id = id;
	memcpy(key->bytes, bytes, sizeof(key->bytes));
}

/**
 * onramp_key_keep_signing() - forget the key that does not sign
 * @group: has two
 */
void onramp_key_keep_signing(struct onramp_key_group *group)
{
	if (group->signs)
		group->keys[0] = group->keys[1];
	memzero_explicit(&group->keys[1], sizeof(group->keys[1]));
	group->nr_keys = 1;
	group->signs = 0;
}

/**
 * onramp_key_peer_add() - one more prefix
 * @ring: has space for it, and not yet this one
 * @prefix: the prefix
 * @group: of which group
 */
void onramp_key_peer_add(struct onramp_keyring *ring,
			 const struct onramp_prefix *prefix,
			 const struct onramp_key_group *group)
{
	u32 i = ring->nr_peers++;

	for (; i && ring->peers[i - 1].prefix.len < prefix->len; i--)
		ring->peers[i] = ring->peers[i - 1];
	ring->peers[i] = (struct onramp_key_peer){
		.prefix = *prefix,
		.group = group - ring->groups,
	};
}

/**
 * onramp_key_peer_find() - a prefix
 * @ring: may be NULL
 * @prefix: the prefix
 *
 * Return: it, as it is in @ring; or NULL.
 */
struct onramp_key_peer *onramp_key_peer_find(struct onramp_keyring *ring,
					     const struct onramp_prefix *prefix)
{
	u32 i;

	for (i = 0; ring && i < ring->nr_peers; i++)
		if (onramp_prefix_is(&ring->peers[i].prefix, prefix))
			return &ring->peers[i];
	return NULL;
}

/**
 * onramp_key_peer_del() - and one less
 * @ring: the groups
 * @peer: in it
 */
void onramp_key_peer_del(struct onramp_keyring *ring,
			 struct onramp_key_peer *peer)
{
	struct onramp_key_peer *end = &ring->peers[--ring->nr_peers];

	memmove(peer, peer + 1, (end - peer) * sizeof(*peer));
}

/**
 * onramp_key_group_del() - a group with all that it has
 * @ring: the groups
 * @group: in it
 */
void onramp_key_group_del(struct onramp_keyring *ring,
			  struct onramp_key_group *group)
{
	struct onramp_key_group *end = &ring->groups[--ring->nr_groups];
	u32 at = group - ring->groups, i = ring->nr_peers;

	while (i--) {
		if (ring->peers[i].group == at)
			onramp_key_peer_del(ring, &ring->peers[i]);
		else if (ring->peers[i].group > at)
			ring->peers[i].group--;
	}
	memmove(group, group + 1, (end - group) * sizeof(*group));
	memzero_explicit(end, sizeof(*end));
}
