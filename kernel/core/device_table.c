// SPDX-License-Identifier: GPL-2.0
/*
 * The devices that are looked at, found by every packet at the doors.
 */
#include <linux/ethtool.h>
#include <linux/hashtable.h>
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

static int onramp_device_is_bond(struct net_device *dev,
				 struct netdev_nested_priv *unused)
{
	return netif_is_bond_master(dev) || netif_is_team_master(dev);
}

/**
 * onramp_device_ask() - what the driver says of the link
 * @device: the device
 *
 * A bond says the sum of the links that it may use now, and so does what is above
 * it, but a packet leaves by one of them: which, and how fast that is, is not
 * asked.  Where there is a bond, the user knows: link_rate.
 * It may cost the driver a register.
 * Context: RTNL, and the device's own lock where its driver has asked for one, as
 *	tc and notifiers have them; may sleep.
 */
void onramp_device_ask(struct onramp_device *device)
{
	struct ethtool_link_ksettings link;
	u64 bps = 0;

	if (!onramp_device_is_bond(device->dev, NULL) &&
	    !netdev_walk_all_lower_dev(device->dev, onramp_device_is_bond,
				       NULL) &&
	    !compat_link_settings(device->dev, &link) &&
	    link.base.speed && link.base.speed != (u32)SPEED_UNKNOWN)
		bps = link.base.speed * 1000000ULL;
	WRITE_ONCE(device->bps, bps);
}

/**
 * onramp_device_get() - look at a device; the caller counts itself
 * @dev: the device
 *
 * Its link is not asked for, since not all who call this have the device's lock.
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
	device->has_hook = onramp_hook_has(dev);
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
	int way;

	if (device->ports || rcu_access_pointer(device->phc))
		return;
	for (way = 0; way < ONRAMP_HOOK_WAYS; way++)
		if (device->users[way] || device->wanted[way])
			return;
	hash_del_rcu(&device->node);
	kfree_rcu(device, rcu);
}

/**
 * onramp_device_for_each() - do something to all devices
 * @what: done to each, which it may put
 *
 * Context: RTNL.
 */
void onramp_device_for_each(void (*what)(struct onramp_device *device))
{
	struct onramp_device *device;
	struct hlist_node *next;
	int bucket;

	ASSERT_RTNL();
	hash_for_each_safe(onramp_devices, bucket, next, device, node)
		what(device);
}
