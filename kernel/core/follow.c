// SPDX-License-Identifier: GPL-2.0
/*
 * Who is a peer, and which flows are followed: measured, and held.
 *
 * A peer is on the list, or in a group with keys.  Both are searched by halves, so
 * that packets which are not followed cost no more than that.
 */
#include "key.h"
#include "onramp_peers.h"

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
