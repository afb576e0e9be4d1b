// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps of flows and of paths.  One message each: a nest of all of them could
 * not be split.
 */
#include <linux/slab.h>
#include <net/sock.h>

#include "genl.h"

static int onramp_dump_start(struct netlink_callback *cb,
			     struct rhashtable *table)
{
	struct rhashtable_iter *iter = kmalloc(sizeof(*iter), GFP_KERNEL);

	if (!iter)
		return -ENOMEM;
	rhashtable_walk_enter(table, iter);
	cb->args[0] = (long)iter;
	cb->seq = 1;
	return 0;
}

/**
 * onramp_flow_dump_start() - a dump of flows begins
 * @cb: the dump
 *
 * Return: 0 or -ENOMEM.
 */
int onramp_flow_dump_start(struct netlink_callback *cb)
{
	struct onramp_net *on = onramp_net_of(sock_net(cb->skb->sk));

	return onramp_dump_start(cb, &on->flows);
}

/**
 * onramp_path_dump_start() - a dump of paths begins
 * @cb: the dump
 *
 * Return: 0 or -ENOMEM.
 */
int onramp_path_dump_start(struct netlink_callback *cb)
{
	struct onramp_net *on = onramp_net_of(sock_net(cb->skb->sk));

	return onramp_dump_start(cb, &on->paths);
}

/**
 * onramp_dump_done() - a dump of either is over, or was given up
 * @cb: the dump
 *
 * Return: 0.
 */
int onramp_dump_done(struct netlink_callback *cb)
{
	struct rhashtable_iter *iter = (struct rhashtable_iter *)cb->args[0];

	rhashtable_walk_exit(iter);
	kfree(iter);
	return 0;
}

static int onramp_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
			   u8 cmd, void *object,
			   int (*put)(struct sk_buff *skb,
				      struct onramp_net *on, void *object))
{
	struct onramp_net *on = onramp_net_of(sock_net(skb->sk));
	void *head;

	head = onramp_dump_begin(skb, cb, cmd);
	if (!head)
		return -EMSGSIZE;
	if (put(skb, on, object)) {
		genlmsg_cancel(skb, head);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, head);
	return 0;
}

/*
 * A table that is resized meanwhile is begun again, so something may be told
 * twice, and the dump says so.  Flows and paths come and go all the time: that
 * alone is no reason to ask again.
 */
static int onramp_dump(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		       int (*put)(struct sk_buff *skb, struct onramp_net *on,
				  void *object))
{
	struct rhashtable_iter *iter = (struct rhashtable_iter *)cb->args[0];
	void *object;

	/* Resized since the last message, or, below, as this one is filled. */
	if (rhashtable_walk_start_check(iter) == -EAGAIN)
		cb->seq++;
	for (object = rhashtable_walk_peek(iter); object;
	     object = rhashtable_walk_next(iter)) {
		if (IS_ERR(object)) {
			cb->seq++;
			continue;
		}
		if (onramp_dump_one(skb, cb, cmd, object, put))
			break;
	}
	rhashtable_walk_stop(iter);
	return skb->len;
}

/**
 * onramp_flow_dumpit() - as many flows as a message has room for
 * @skb: filled
 * @cb: the dump
 *
 * Return: bytes in @skb; 0 at the end.
 */
int onramp_flow_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return onramp_dump(skb, cb, ONRAMP_CMD_FLOW_GET, onramp_put_flow);
}

/**
 * onramp_path_dumpit() - as many paths as a message has room for
 * @skb: filled
 * @cb: the dump
 *
 * Return: bytes in @skb; 0 at the end.
 */
int onramp_path_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return onramp_dump(skb, cb, ONRAMP_CMD_PATH_GET, onramp_put_path);
}
