// SPDX-License-Identifier: GPL-2.0
/*
 * The acker: the module that answers what comes, if there is one, and the
 * devices at which it does.
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "core.h"

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
		onramp_doors_show(ops);
	return err;
}
EXPORT_SYMBOL_GPL(onramp_acker_register);

void onramp_acker_unregister(const struct onramp_acker_ops *ops)
{
	onramp_genl_acker_clear();
	rtnl_lock();
	onramp_device_for_each(onramp_acker_detach);
	rtnl_unlock();
	onramp_doors_show(NULL);
	/* For those that are inside. */
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(onramp_acker_unregister);
