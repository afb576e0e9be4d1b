/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys of OR-ACKs, by groups of peers.
 */
#ifndef SHARPRAMP_ONRAMP_KEY_H
#define SHARPRAMP_ONRAMP_KEY_H

#include "algo/onramp_mac.h"
#include "core.h"

/* So that a look-up, which is a search through all prefixes, stays short. */
#define ONRAMP_KEY_GROUPS 64
#define ONRAMP_KEY_PEERS 256
#define ONRAMP_KEYS 2

/**
 * struct onramp_key - a key
 * @id: its number in datagrams
 * @bytes: it
 */
struct onramp_key {
	u8	id;
	u8	bytes[ONRAMP_MAC_KEY_BYTES];
};

/**
 * struct onramp_key_group - peers that have keys in common
 * @id: its number for the user
 * @require: what is not signed is dropped
 * @nr_keys: 1 or 2
 * @signs: which of @keys
 * @keys: what comes may be signed with any
 */
struct onramp_key_group {
	u32			id;
	bool			require;
	u8			nr_keys;
	u8			signs;
	struct onramp_key	keys[ONRAMP_KEYS];
};

/**
 * struct onramp_key_peer - a prefix of a group's
 * @prefix: whose OR-ACKs
 * @group: which of onramp_keyring.groups
 */
struct onramp_key_peer {
	struct onramp_prefix	prefix;
	u32			group;
};

/**
 * struct onramp_keyring - all groups of a namespace; replaced whole
 * @rcu: freed after a grace period, and wiped
 * @requires: a group has @require
 * @in_groups: peers of any group, or NULL: none
 * @nr_groups: how many
 * @nr_peers: same
 * @groups: in the order in which they came
 * @peers: longest prefix first, none twice
 */
struct onramp_keyring {
	struct rcu_head		rcu;
	bool			requires;
	struct onramp_peers	*in_groups;
	u32			nr_groups;
	u32			nr_peers;
	struct onramp_key_group	groups[ONRAMP_KEY_GROUPS];
	struct onramp_key_peer	peers[ONRAMP_KEY_PEERS];
};

/* For its writers, or with onramp_net.change. */
static inline struct onramp_keyring *onramp_keyring(struct onramp_net *on)
{
	return rcu_dereference_protected(on->keys,
					 lockdep_is_held(&on->change));
}

struct onramp_keyring *onramp_keyring_copy(struct onramp_net *on);
int onramp_keyring_complete(struct onramp_keyring *ring);
struct onramp_key_group *onramp_key_group_find(struct onramp_keyring *ring,
					       u32 id);
void onramp_key_group_del(struct onramp_keyring *ring,
			  struct onramp_key_group *group);
void onramp_key_add(struct onramp_key_group *group, u8 id, const u8 *bytes);
void onramp_key_keep_signing(struct onramp_key_group *group);
struct onramp_key_peer *onramp_key_peer_find(struct onramp_keyring *ring,
					     const struct onramp_prefix *prefix);
void onramp_key_peer_add(struct onramp_keyring *ring,
			 const struct onramp_prefix *prefix,
			 const struct onramp_key_group *group);
void onramp_key_peer_del(struct onramp_keyring *ring,
			 struct onramp_key_peer *peer);

#endif /* SHARPRAMP_ONRAMP_KEY_H */
