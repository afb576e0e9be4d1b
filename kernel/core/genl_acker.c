// SPDX-License-Identifier: GPL-2.0
/*
 * The acker's requests, which are handed on to it.
 */
#include <linux/rwsem.h>

#include "genl.h"

static DECLARE_RWSEM(onramp_genl_acker_sem);
static const struct onramp_acker_ops *onramp_genl_acker;

/**
 * onramp_genl_acker_set() - hand the acker's requests on to it
 * @ops: its functions
 *
 * Context: may sleep; not RTNL, which they may take.
 * Return: 0, or -EBUSY if there is one already.
 */
int onramp_genl_acker_set(const struct onramp_acker_ops *ops)
{
	int err = -EBUSY;

	down_write(&onramp_genl_acker_sem);
	if (!onramp_genl_acker) {
		onramp_genl_acker = ops;
		err = 0;
	}
	up_write(&onramp_genl_acker_sem);
	return err;
}

/**
 * onramp_genl_acker_clear() - no longer; when this returns none runs
 *
 * Context: may sleep; not RTNL.
 */
void onramp_genl_acker_clear(void)
{
	down_write(&onramp_genl_acker_sem);
	onramp_genl_acker = NULL;
	up_write(&onramp_genl_acker_sem);
}

/**
 * onramp_genl_acker_peers() - tell the acker that there is another list of peers
 * @net: the namespace
 *
 * Context: may sleep; not RTNL.
 */
void onramp_genl_acker_peers(struct net *net)
{
	down_read(&onramp_genl_acker_sem);
	if (onramp_genl_acker)
		onramp_genl_acker->peers(net);
	up_read(&onramp_genl_acker_sem);
}

/**
 * onramp_genl_acker_doit() - a request of the acker's
 * @skb: the request
 * @info: same
 *
 * Return: what it returns, or -EOPNOTSUPP if there is no acker.
 */
int onramp_genl_acker_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = -EOPNOTSUPP;

	down_read(&onramp_genl_acker_sem);
	if (onramp_genl_acker)
		err = onramp_genl_acker->doit(skb, info);
	else
		NL_SET_ERR_MSG(info->extack, "load onramp_acker");
	up_read(&onramp_genl_acker_sem);
	return err;
}

/**
 * onramp_genl_acker_dumpit() - a dump of the acker's
 * @skb: filled
 * @cb: the dump
 *
 * Return: what it returns, or -EOPNOTSUPP if there is no acker.
 */
int onramp_genl_acker_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = -EOPNOTSUPP;

	down_read(&onramp_genl_acker_sem);
	if (onramp_genl_acker)
		err = onramp_genl_acker->dumpit(skb, cb);
	else
		NL_SET_ERR_MSG(cb->extack, "load onramp_acker");
	up_read(&onramp_genl_acker_sem);
	return err;
}
