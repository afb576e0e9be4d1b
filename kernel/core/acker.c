// SPDX-License-Identifier: GPL-2.0
/*
 * The acker, if its module is loaded: its requests, which are handed on to it, and
 * the devices whose packets it sees.
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
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
 * onramp_genl_acker_peers() - notify the acker of another list of peers
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

int onramp_acker_attach(struct net_device *dev, void *acker)
{
	struct onramp_device *device;
	int err;

	device = acker ? onramp_device_get(dev) : onramp_device_find(dev);
	if (!device)
		return acker ? -ENOMEM : 0;
	err = onramp_device_attach(device, acker);
	onramp_device_put(device);
	return err;
}
EXPORT_SYMBOL_GPL(onramp_acker_attach);

bool onramp_acker_is_attached(const struct net_device *dev)
{
	const struct onramp_device *device = onramp_device_find(dev);

	return device && device->users[ONRAMP_HOOK_RX];
}
EXPORT_SYMBOL_GPL(onramp_acker_is_attached);

int onramp_acker_next(const struct net *net, int after)
{
	unsigned long ifindex = after + 1UL;

	ASSERT_RTNL();
	return xa_find(&onramp_net_of(net)->attached, &ifindex, INT_MAX,
		       XA_PRESENT) ? ifindex : 0;
}
EXPORT_SYMBOL_GPL(onramp_acker_next);

static void onramp_acker_detach(struct onramp_device *device)
{
	onramp_device_attach(device, NULL);
	onramp_device_put(device);
}

int onramp_acker_register(const struct onramp_acker_ops *ops)
{
	int err = onramp_genl_acker_set(ops);

	if (!err)
		onramp_taps_set_acker(ops);
	return err;
}
EXPORT_SYMBOL_GPL(onramp_acker_register);

void onramp_acker_unregister(const struct onramp_acker_ops *ops)
{
	onramp_genl_acker_clear();
	rtnl_lock();
	onramp_device_for_each(onramp_acker_detach);
	rtnl_unlock();
	onramp_taps_set_acker(NULL);
	/* For those that are inside. */
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(onramp_acker_unregister);
