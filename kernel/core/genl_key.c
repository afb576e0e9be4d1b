// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about keys.  A key comes in, and is wiped out of the request; it
 * never goes out.
 *
 * Each change is made to a copy, which then takes the place of what there was:
 * what is refused changes nothing.
 */
#include <linux/slab.h>
#include <net/sock.h>

#include "genl.h"
#include "key.h"

/* Refusals that many of them share. */
static int onramp_key_no_group(struct genl_info *info)
{
	return onramp_genl_refuse(info, info->attrs[ONRAMP_A_GROUP], -ENOENT,
				  "group: there is no such group");
}

static int onramp_key_need(struct genl_info *info, int type, const char *why)
{
	if (!GENL_REQ_ATTR_CHECK(info, type))
		return 0;
	compat_extack_set(info->extack, why);
	return -EINVAL;
}

static int onramp_key_add_first(struct onramp_keyring *ring,
				struct genl_info *info, u8 id, const u8 *bytes)
{
	struct onramp_key_group *group;

	if (ring->nr_groups == ONRAMP_KEY_GROUPS)
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_GROUP],
					  -ENOSPC,
					  "group: there is no space for more than "
					  __stringify(ONRAMP_KEY_GROUPS));
	group = &ring->groups[ring->nr_groups++];
	group->id = nla_get_u32(info->attrs[ONRAMP_A_GROUP]);
	onramp_key_add(group, id, bytes);
	return 0;
}

static int onramp_key_add_more(struct onramp_key_group *group,
			       struct genl_info *info, u8 id, const u8 *bytes)
{
	const struct nlattr *attr = info->attrs[ONRAMP_A_KEY_ID];

	if (group->keys[0].id == id ||
	    (group->nr_keys == ONRAMP_KEYS && group->keys[1].id == id))
		return onramp_genl_refuse(info, attr, -EEXIST,
					  "key id: the group has a key of that number");
	if (group->nr_keys == ONRAMP_KEYS)
		return onramp_genl_refuse(info, attr, -ENOSPC,
					  "key id: the group has two keys; delete the one that does not sign");
	onramp_key_add(group, id, bytes);
	return 0;
}

static int onramp_key_add_to(struct onramp_keyring *ring,
			     struct genl_info *info)
{
	u8 id = nla_get_u8(info->attrs[ONRAMP_A_KEY_ID]);
	const u8 *bytes = nla_data(info->attrs[ONRAMP_A_KEY]);
	struct onramp_key_group *group;

	group = onramp_key_group_find(ring,
				      nla_get_u32(info->attrs[ONRAMP_A_GROUP]));
	if (group)
		return onramp_key_add_more(group, info, id, bytes);
	return onramp_key_add_first(ring, info, id, bytes);
}

static int onramp_key_rotate_to(struct onramp_keyring *ring,
				struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ONRAMP_A_KEY_ID];
	struct onramp_key_group *group;
	u8 i;

	group = onramp_key_group_find(ring,
				      nla_get_u32(info->attrs[ONRAMP_A_GROUP]));
	if (!group)
		return onramp_key_no_group(info);
	for (i = 0; i < group->nr_keys; i++) {
		if (group->keys[i].id == nla_get_u8(attr)) {
			group->signs = i;
			return 0;
		}
	}
	return onramp_genl_refuse(info, attr, -ENOENT,
				  "key id: the group has no such key");
}

static int onramp_key_del_one(struct onramp_key_group *group,
			      struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ONRAMP_A_KEY_ID];

	if (group->keys[group->signs].id == nla_get_u8(attr))
		return onramp_genl_refuse(info, attr, -EBUSY,
					  "key id: this key signs; rotate to another one, or delete the group");
	if (group->nr_keys < ONRAMP_KEYS ||
	    group->keys[!group->signs].id != nla_get_u8(attr))
		return onramp_genl_refuse(info, attr, -ENOENT,
					  "key id: the group has no such key");
	onramp_key_keep_signing(group);
	return 0;
}

static int onramp_key_del_from(struct onramp_keyring *ring,
			       struct genl_info *info)
{
	struct onramp_key_group *group;

	group = onramp_key_group_find(ring,
				      nla_get_u32(info->attrs[ONRAMP_A_GROUP]));
	if (!group)
		return onramp_key_no_group(info);
	if (info->attrs[ONRAMP_A_KEY_ID])
		return onramp_key_del_one(group, info);
	onramp_key_group_del(ring, group);
	return 0;
}

static int onramp_key_set_in(struct onramp_keyring *ring,
			     struct genl_info *info)
{
	struct onramp_key_group *group;

	group = onramp_key_group_find(ring,
				      nla_get_u32(info->attrs[ONRAMP_A_GROUP]));
	if (!group)
		return onramp_key_no_group(info);
	group->require = nla_get_u8(info->attrs[ONRAMP_A_KEY_REQUIRE]);
	return 0;
}

static int onramp_key_peer_add_to(struct onramp_keyring *ring,
				  struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ONRAMP_A_PREFIX];
	struct onramp_key_group *group;
	struct onramp_prefix prefix;
	int err;

	err = onramp_prefix_parse(info, &prefix);
	if (err)
		return err;
	group = onramp_key_group_find(ring,
				      nla_get_u32(info->attrs[ONRAMP_A_GROUP]));
	if (!group)
		return onramp_key_no_group(info);
	if (onramp_key_peer_find(ring, &prefix))
		return onramp_genl_refuse(info, attr, -EEXIST,
					  "prefix is of a group already");
	if (ring->nr_peers == ONRAMP_KEY_PEERS)
		return onramp_genl_refuse(info, attr, -ENOSPC,
					  "prefix: there is no space for more than "
					  __stringify(ONRAMP_KEY_PEERS));
	onramp_key_peer_add(ring, &prefix, group);
	return 0;
}

static int onramp_key_peer_del_from(struct onramp_keyring *ring,
				    struct genl_info *info)
{
	struct onramp_key_group *group;
	struct onramp_key_peer *peer;
	struct onramp_prefix prefix;
	int err;

	err = onramp_prefix_parse(info, &prefix);
	if (err)
		return err;
	group = onramp_key_group_find(ring,
				      nla_get_u32(info->attrs[ONRAMP_A_GROUP]));
	if (!group)
		return onramp_key_no_group(info);
	peer = onramp_key_peer_find(ring, &prefix);
	if (!peer || &ring->groups[peer->group] != group)
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_PREFIX],
					  -ENOENT,
					  "prefix is not of this group");
	onramp_key_peer_del(ring, peer);
	return 0;
}

/* A change, all of it or nothing. */
static int onramp_key_change(struct genl_info *info,
			     int (*change)(struct onramp_keyring *ring,
					   struct genl_info *info))
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	struct onramp_keyring *ring;
	int err;

	err = onramp_key_need(info, ONRAMP_A_GROUP, "group must be given");
	if (err)
		return err;
	ring = onramp_keyring_copy(on);
	if (!ring)
		return -ENOMEM;
	err = change(ring, info) ?: onramp_keyring_complete(ring);
	if (err) {
		kfree_sensitive(ring);
		return err;
	}
	onramp_keyring_replace(on, ring);
	onramp_flow_refollow(on);
	return 0;
}

/**
 * onramp_key_add_doit() - ONRAMP_CMD_KEY_ADD
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change.
 * Return: 0, -EINVAL, -EEXIST, -ENOSPC or -ENOMEM, and then nothing was changed.
 */
int onramp_key_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *key = info->attrs[ONRAMP_A_KEY];
	int err;

	err = onramp_key_need(info, ONRAMP_A_KEY_ID, "key id must be given") ?:
	      onramp_key_need(info, ONRAMP_A_KEY, "key must be given") ?:
	      onramp_key_change(info, onramp_key_add_to);
	if (key)
		memzero_explicit(nla_data(key), nla_len(key));
	return err;
}

/**
 * onramp_key_rotate_doit() - ONRAMP_CMD_KEY_ROTATE
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change.
 * Return: 0, -EINVAL, -ENOENT or -ENOMEM, and then nothing was changed.
 */
int onramp_key_rotate_doit(struct sk_buff *skb, struct genl_info *info)
{
	return onramp_key_need(info, ONRAMP_A_KEY_ID, "key id must be given") ?:
	       onramp_key_change(info, onramp_key_rotate_to);
}

/**
 * onramp_key_del_doit() - ONRAMP_CMD_KEY_DEL
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change.
 * Return: 0, -EINVAL, -ENOENT, -EBUSY or -ENOMEM, and then nothing was changed.
 */
int onramp_key_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return onramp_key_change(info, onramp_key_del_from);
}

/**
 * onramp_key_set_doit() - ONRAMP_CMD_KEY_SET
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change.
 * Return: 0, -EINVAL, -ENOENT or -ENOMEM, and then nothing was changed.
 */
int onramp_key_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return onramp_key_need(info, ONRAMP_A_KEY_REQUIRE,
			       "key require must be given") ?:
	       onramp_key_change(info, onramp_key_set_in);
}

/**
 * onramp_key_peer_add_doit() - ONRAMP_CMD_KEY_PEER_ADD
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change.
 * Return: 0 or an error that is explained, and then nothing was changed.
 */
int onramp_key_peer_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	return onramp_key_change(info, onramp_key_peer_add_to);
}

/**
 * onramp_key_peer_del_doit() - ONRAMP_CMD_KEY_PEER_DEL
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change.
 * Return: 0 or an error that is explained, and then nothing was changed.
 */
int onramp_key_peer_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return onramp_key_change(info, onramp_key_peer_del_from);
}

static int onramp_put_group(struct sk_buff *skb,
			    const struct onramp_key_group *group,
			    const struct onramp_key_peer *peer)
{
	if (nla_put_u32(skb, ONRAMP_A_GROUP, group->id) ||
	    nla_put_u8(skb, ONRAMP_A_KEY_ID, group->keys[group->signs].id) ||
	    nla_put_u8(skb, ONRAMP_A_KEY_REQUIRE, group->require))
		return -EMSGSIZE;
	if (group->nr_keys == ONRAMP_KEYS &&
	    nla_put_u8(skb, ONRAMP_A_KEY_OTHER, group->keys[!group->signs].id))
		return -EMSGSIZE;
	return peer ? onramp_prefix_put(skb, &peer->prefix) : 0;
}

/* Return: false if there is no space for it. */
static bool onramp_key_dump_one(struct sk_buff *skb,
				struct netlink_callback *cb,
				const struct onramp_key_group *group,
				const struct onramp_key_peer *peer)
{
	void *head;

	head = onramp_dump_begin(skb, cb, ONRAMP_CMD_KEY_GET);
	if (!head)
		return false;
	if (onramp_put_group(skb, group, peer)) {
		genlmsg_cancel(skb, head);
		return false;
	}
	genlmsg_end(skb, head);
	return true;
}

static bool onramp_key_has_peer(const struct onramp_keyring *ring, u32 group)
{
	u32 i;

	for (i = 0; i < ring->nr_peers; i++)
		if (ring->peers[i].group == group)
			return true;
	return false;
}

/**
 * onramp_key_dumpit() - ONRAMP_CMD_KEY_GET
 * @skb: filled: each prefix with its group, then groups without one
 * @cb: the dump; args[0] is how many of both were dumped
 *
 * Return: bytes in @skb; 0 at the end.
 */
int onramp_key_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct onramp_net *on = onramp_net_of(sock_net(cb->skb->sk));
	const struct onramp_keyring *ring;
	u32 at;

	/* Or what is dumped would be of another time than its number. */
	mutex_lock(&on->change);
	ring = onramp_keyring(on);
	cb->seq = on->keys_serial;
	for (; ring; cb->args[0]++) {
		const struct onramp_key_peer *peer = NULL;

		at = cb->args[0];
		if (at < ring->nr_peers) {
			peer = &ring->peers[at];
			at = peer->group;
		} else {
			at -= ring->nr_peers;
		}
		if (at >= ring->nr_groups)
			break;
		if (!peer && onramp_key_has_peer(ring, at))
			continue;
		if (!onramp_key_dump_one(skb, cb, &ring->groups[at], peer))
			break;
	}
	mutex_unlock(&on->change);
	return skb->len;
}
