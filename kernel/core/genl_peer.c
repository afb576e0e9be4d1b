// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about the list of peers.  Each change is made to a copy, which then
 * takes the place of what there was: what is refused changes nothing.
 */
#include <linux/slab.h>
#include <net/sock.h>

#include "genl.h"
#include "onramp_peers.h"

/* Context: onramp_net.change. */
static const struct onramp_peers *onramp_peers_now(struct onramp_net *on)
{
	return rcu_dereference_protected(on->peers,
					 lockdep_is_held(&on->change));
}

static u32 onramp_peers_count(const struct onramp_peers *peers)
{
	return peers ? peers->count : 0;
}

/* Return: where on the list a prefix is, or how long the list is. */
static u32 onramp_peers_find(const struct onramp_peers *peers,
			     const struct onramp_prefix *prefix)
{
	u32 i, count = onramp_peers_count(peers);

	for (i = 0; i < count; i++) {
		if (onramp_prefix_is(&peers->prefixes[i], prefix))
			break;
	}
	return i;
}

/* The acker forgets hosts that are not peers any more; flows may be followed now, or not. */
static int onramp_peers_become(struct genl_info *info,
			       const struct onramp_prefix *prefixes, u32 count)
{
	struct net *net = genl_info_net(info);
	struct onramp_peers *peers = NULL;

	if (count) {
		peers = onramp_peers_create(prefixes, count);
		if (!peers)
			return -ENOMEM;
	}
	onramp_peers_replace(onramp_net_of(net), peers);
	onramp_genl_acker_peers(net);
	onramp_flow_refollow(onramp_net_of(net));
	return 0;
}

/**
 * onramp_peer_add_doit() - ONRAMP_CMD_PEER_ADD
 * @skb: the request
 * @info: same
 *
 * Return: 0 or an error that is explained, and then nothing was changed.
 */
int onramp_peer_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	const struct onramp_peers *peers = onramp_peers_now(on);
	u32 count = onramp_peers_count(peers);
	struct onramp_prefix *prefixes, prefix;
	int err;

	err = onramp_prefix_parse(info, &prefix);
	if (err)
		return err;
	if (onramp_peers_find(peers, &prefix) < count)
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_PREFIX], -EEXIST,
					  "prefix is on the list already");
	if (count == ONRAMP_MAX_PEERS)
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_PREFIX], -ENOSPC,
					  "prefix: the list is full, with "
					  __stringify(ONRAMP_MAX_PEERS));
	prefixes = kcalloc(count + 1, sizeof(*prefixes), GFP_KERNEL_ACCOUNT);
	if (!prefixes)
		return -ENOMEM;
	if (count)
		memcpy(prefixes, peers->prefixes, count * sizeof(*prefixes));
	prefixes[count] = prefix;
	err = onramp_peers_become(info, prefixes, count + 1);
	kfree(prefixes);
	return err;
}

/**
 * onramp_peer_del_doit() - ONRAMP_CMD_PEER_DEL
 * @skb: the request
 * @info: same
 *
 * Return: 0 or an error that is explained, and then nothing was changed.
 */
int onramp_peer_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	const struct onramp_peers *peers = onramp_peers_now(on);
	u32 at, count = onramp_peers_count(peers);
	struct onramp_prefix *prefixes, prefix;
	int err;

	err = onramp_prefix_parse(info, &prefix);
	if (err)
		return err;
	at = onramp_peers_find(peers, &prefix);
	if (at == count)
		return onramp_genl_refuse(info, info->attrs[ONRAMP_A_PREFIX], -ENOENT,
					  "prefix is not on the list");
	prefixes = kcalloc(count, sizeof(*prefixes), GFP_KERNEL_ACCOUNT);
	if (!prefixes)
		return -ENOMEM;
	memcpy(prefixes, peers->prefixes, at * sizeof(*prefixes));
	memcpy(prefixes + at, peers->prefixes + at + 1,
	       (count - at - 1) * sizeof(*prefixes));
	err = onramp_peers_become(info, prefixes, count - 1);
	kfree(prefixes);
	return err;
}

/* Return: false if there is no space for it. */
static bool onramp_peer_dump_one(struct sk_buff *skb,
				 struct netlink_callback *cb,
				 const struct onramp_prefix *prefix)
{
	void *head = onramp_dump_begin(skb, cb, ONRAMP_CMD_PEER_GET);

	if (!head)
		return false;
	if (onramp_prefix_put(skb, prefix)) {
		genlmsg_cancel(skb, head);
		return false;
	}
	genlmsg_end(skb, head);
	return true;
}

/**
 * onramp_peer_dumpit() - ONRAMP_CMD_PEER_GET
 * @skb: filled
 * @cb: the dump; args[0] is how many were dumped
 *
 * Return: bytes in @skb; 0 at the end.
 */
int onramp_peer_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct onramp_net *on = onramp_net_of(sock_net(cb->skb->sk));
	const struct onramp_peers *peers;

	rcu_read_lock();
	peers = rcu_dereference(on->peers);
	cb->seq = peers ? peers->serial : READ_ONCE(on->peers_serial);
	while (cb->args[0] < onramp_peers_count(peers) &&
	       onramp_peer_dump_one(skb, cb, &peers->prefixes[cb->args[0]]))
		cb->args[0]++;
	rcu_read_unlock();
	return skb->len;
}
