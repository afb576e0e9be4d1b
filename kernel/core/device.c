// SPDX-License-Identifier: GPL-2.0
/*
 * The devices that are looked at, found by every packet at the doors.
 */
#include <linux/ethtool.h>
#include <linux/hashtable.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "core.h"

static DEFINE_HASHTABLE(onramp_devices, 8);

/**
 * onramp_device_find() - is a device looked at?
 * @dev: the device
 *
 * Context: RCU or RTNL.
 * Return: what is known of it, or NULL.
 */
struct onramp_device *onramp_device_find(const struct net_device *dev)
{
	struct onramp_device *device;

	hash_for_each_possible_rcu(onramp_devices, device, node,
				   (unsigned long)dev, lockdep_rtnl_is_held())
		if (device->dev == dev)
			return device;
	return NULL;
}

/* What the driver says of the link, which may cost it a register. */
static void onramp_device_ask(struct onramp_device *device)
{
	struct ethtool_link_ksettings link;
	u64 bps = 0;

	if (!__ethtool_get_link_ksettings(device->dev, &link) &&
	    link.base.speed && link.base.speed != (u32)SPEED_UNKNOWN)
		bps = link.base.speed * 1000000ULL;
	WRITE_ONCE(device->bps, bps);
}

/**
 * onramp_device_get() - look at a device; the caller counts itself
 * @dev: the device
 *
 * Context: RTNL; may sleep.
 * Return: what is known of it, or NULL if there is no memory.
 */
struct onramp_device *onramp_device_get(struct net_device *dev)
{
	struct onramp_device *device = onramp_device_find(dev);

	ASSERT_RTNL();
	if (device)
		return device;
	device = kzalloc(sizeof(*device), GFP_KERNEL);
	if (!device)
		return NULL;
	device->dev = dev;
	onramp_device_ask(device);
	hash_add_rcu(onramp_devices, &device->node, (unsigned long)dev);
	return device;
}

/**
 * onramp_device_put() - forget a device if nobody counts himself any more
 * @device: from onramp_device_get()
 *
 * Context: RTNL.
 */
void onramp_device_put(struct onramp_device *device)
{
	if (device->ports || device->rx)
		return;
	hash_del_rcu(&device->node);
	kfree_rcu(device, rcu);
}

int onramp_acker_attach(struct net_device *dev, bool on)
{
	struct onramp_device *device;

	device = on ? onramp_device_get(dev) : onramp_device_find(dev);
	if (!device)
		return on ? -ENOMEM : 0;
	WRITE_ONCE(device->rx, on);
	onramp_device_put(device);
	return 0;
}
EXPORT_SYMBOL_GPL(onramp_acker_attach);

/* A device that goes, or moves to another namespace, has no qdisc any more. */
static int onramp_device_event(struct notifier_block *nb, unsigned long event,
			       void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct onramp_device *device = onramp_device_find(dev);

	if (!device)
		return NOTIFY_DONE;
	switch (event) {
	case NETDEV_UP:
	case NETDEV_CHANGE:
		onramp_device_ask(device);
		break;
	case NETDEV_UNREGISTER:
		WRITE_ONCE(device->rx, false);
		onramp_device_put(device);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block onramp_device_notifier = {
	.notifier_call = onramp_device_event,
};

/**
 * onramp_device_forget_rx() - the acker goes
 *
 * Context: RTNL.
 */
void onramp_device_forget_rx(void)
{
	struct onramp_device *device;
	struct hlist_node *next;
	int bucket;

	ASSERT_RTNL();
	hash_for_each_safe(onramp_devices, bucket, next, device, node) {
		WRITE_ONCE(device->rx, false);
		onramp_device_put(device);
	}
}

/**
 * onramp_device_init() - the module comes
 *
 * Return: 0 or an error.
 */
int onramp_device_init(void)
{
	return register_netdevice_notifier(&onramp_device_notifier);
}

/**
 * onramp_device_exit() - the module goes
 */
void onramp_device_exit(void)
{
	unregister_netdevice_notifier(&onramp_device_notifier);
}
