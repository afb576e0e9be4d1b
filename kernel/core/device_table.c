// SPDX-License-Identifier: GPL-2.0
/*
 * The tapped devices, found by every packet.
 *
 * Each namespace has a table of its own, so that the devices of one cost the
 * packets of no other.  It is indexed by ifindex: a look-up takes as many steps
 * as the highest ifindex has groups of six bits, however many devices there are
 * and whatever numbers their owner chose for them.
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "core.h"

/* All of them, whatever their namespace; RTNL. */
static LIST_HEAD(onramp_devices);

/**
 * onramp_device_lookup() - is a device tapped, where some are?
 * @on: the device's namespace
 * @dev: the device
 *
 * While a device goes its number may be another's already.
 *
 * Context: RCU or RTNL.
 * Return: what is known of it, or NULL.
 */
struct onramp_device *onramp_device_lookup(struct onramp_net *on,
					   const struct net_device *dev)
{
	struct onramp_device *device;

	device = xa_load(&on->devices, dev->ifindex);
	return device && device->dev == dev ? device : NULL;
}

static int onramp_device_is_bond(struct net_device *dev,
				 struct netdev_nested_priv *unused)
{
	return netif_is_bond_master(dev) || netif_is_team_master(dev);
}

/**
 * onramp_device_query() - the speed that the driver reports of the link
 * @device: the device
 *
 * A bond reports the sum of the links that it may use now, and so does what is above
 * it, but a packet leaves by one of them: which, and how fast that is, is not
 * known.  Where there is a bond, the user knows: link_rate.
 * It may cost the driver a register.
 * Context: RTNL, and the device's own lock where its driver requires one, as
 *	tc and notifiers have them; may sleep.
 */
void onramp_device_query(struct onramp_device *device)
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
 * onramp_device_get() - tap a device; the caller counts itself
 * @dev: the device
 *
 * Its link is not queried, since not all callers have the device's lock.
 * Context: RTNL; may sleep.
 * Return: what is known of it, or NULL if there is no memory.
 */
struct onramp_device *onramp_device_get(struct net_device *dev)
{
	struct onramp_device *device = onramp_device_find(dev);

	ASSERT_RTNL();
	if (device)
		return device;
	device = kzalloc(sizeof(*device), GFP_KERNEL_ACCOUNT);
	if (!device)
		return NULL;
	device->dev = dev;
	device->on = onramp_net_of(dev_net(dev));
	device->ifindex = dev->ifindex;
	device->has_hook = onramp_hook_has(dev);
	if (xa_insert(&device->on->devices, device->ifindex, device,
		      GFP_KERNEL)) {
		kfree(device);
		return NULL;
	}
	list_add_tail(&device->list, &onramp_devices);
	return device;
}

/**
 * onramp_device_hide() - no packet finds a device any more
 * @device: the device, which goes, or moves to another namespace
 *
 * Users that count themselves still have it.
 * Context: RTNL.
 */
void onramp_device_hide(struct onramp_device *device)
{
	if (device->ifindex)
		xa_erase(&device->on->devices, device->ifindex);
	device->ifindex = 0;
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
	onramp_device_hide(device);
	list_del(&device->list);
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
	struct onramp_device *device, *next;

	ASSERT_RTNL();
	list_for_each_entry_safe(device, next, &onramp_devices, list)
		what(device);
}
