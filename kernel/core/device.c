// SPDX-License-Identifier: GPL-2.0
/*
 * Where the packets of a device are seen: which taps are open for it.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "core.h"

static enum onramp_stamp onramp_device_choose(const struct onramp_device *device,
					      enum onramp_hook_way way)
{
	if (device->wanted[way] &&
	    device->wanted[way] != ONRAMP_STAMP_HARDWARE)
		return device->wanted[way];
	if (device->has_hook)
		return ONRAMP_STAMP_DRIVER;
	if (way == ONRAMP_HOOK_TX && !onramp_taps_can(ONRAMP_STAMP_TRACEPOINT))
		return ONRAMP_STAMP_QDISC;
	return ONRAMP_STAMP_TRACEPOINT;
}

/**
 * onramp_device_set_tap() - have qdiscs report what leaves them, or no longer
 * @device: on which they are
 *
 * Context: RTNL.
 */
void onramp_device_set_tap(const struct onramp_device *device)
{
	bool tap_tx = device->stamp[ONRAMP_HOOK_TX] == ONRAMP_STAMP_QDISC;
	struct onramp_core_port *port;

	list_for_each_entry(port, &device->on->ports, node)
		if (port->device == device)
			WRITE_ONCE(port->pub.tap_tx, tap_tx);
}

/**
 * onramp_device_tap() - one more wants to see what passes a device
 * @device: the device
 * @way: what leaves, or what comes
 *
 * Context: RTNL; may sleep.
 * Return: 0, or of opening the taps.
 */
int onramp_device_tap(struct onramp_device *device, enum onramp_hook_way way)
{
	enum onramp_stamp stamp = onramp_device_choose(device, way);
	int err;

	if (!device->users[way]) {
		err = onramp_taps_get(way, stamp);
		if (err)
			return err;
		WRITE_ONCE(device->stamp[way], stamp);
		onramp_device_set_tap(device);
	}
	device->users[way]++;
	return 0;
}

/**
 * onramp_device_untap() - one less
 * @device: the device
 * @way: as it was tapped
 *
 * Context: RTNL; may sleep.
 */
void onramp_device_untap(struct onramp_device *device,
			 enum onramp_hook_way way)
{
	enum onramp_stamp stamp = device->stamp[way];

	if (--device->users[way])
		return;
	WRITE_ONCE(device->stamp[way], ONRAMP_STAMP_NONE);
	onramp_device_set_tap(device);
	onramp_taps_put(way, stamp);
}

/* A packet passes one tap or none, but not the old one and the new one. */
static int onramp_device_move(struct onramp_device *device,
			      enum onramp_hook_way way, enum onramp_stamp stamp)
{
	enum onramp_stamp was = device->stamp[way];
	int err = onramp_taps_get(way, stamp);

	if (err)
		return err;
	WRITE_ONCE(device->stamp[way], ONRAMP_STAMP_NONE);
	onramp_device_set_tap(device);
	synchronize_net();
	WRITE_ONCE(device->stamp[way], stamp);
	onramp_device_set_tap(device);
	onramp_taps_put(way, was);
	return 0;
}

/**
 * onramp_device_can() - may the stamps of a device's packets come from there?
 * @dev: the device
 * @way: which packets
 * @stamp: from where, or ONRAMP_STAMP_NONE: from the best there is
 * @extack: gets the reason of a refusal
 *
 * Context: RTNL; may sleep.
 * Return: 0 or -EOPNOTSUPP.
 */
int onramp_device_can(struct net_device *dev, enum onramp_hook_way way,
		      enum onramp_stamp stamp, struct netlink_ext_ack *extack)
{
	switch (stamp) {
	case ONRAMP_STAMP_TRACEPOINT:
		if (onramp_taps_can(stamp))
			return 0;
		NL_SET_ERR_MSG(extack,
			       "stamps: tracepoints cannot be used with PREEMPT_RT before 7.1, choose driver, auto or, for tx, qdisc");
		return -EOPNOTSUPP;
	case ONRAMP_STAMP_DRIVER:
		if (onramp_hook_has(dev))
			return 0;
		NL_SET_ERR_MSG(extack,
			       "stamps: the device's driver does not call onramp_hook");
		return -EOPNOTSUPP;
	case ONRAMP_STAMP_HARDWARE:
		if (onramp_phc_can(dev, way))
			return 0;
		NL_SET_ERR_MSG(extack,
			       "stamps: the device has no hardware clock that stamps these packets, choose driver, tracepoint or auto");
		return -EOPNOTSUPP;
	case ONRAMP_STAMP_QDISC:
		if (way == ONRAMP_HOOK_TX)
			return 0;
		NL_SET_ERR_MSG(extack,
			       "stamps: what comes passes no qdisc");
		return -EOPNOTSUPP;
	default:
		return 0;
	}
}

/**
 * onramp_device_want() - configure where the stamps of a device's packets come from
 * @device: the device; the caller puts it, if it has no other use for it
 * @way: which packets
 * @stamp: from where; onramp_device_can() returned 0
 *
 * Holds until the device goes, or moves to another namespace.
 * Context: RTNL; may sleep.
 * Return: 0, or of opening taps: then nothing has changed.
 */
int onramp_device_want(struct onramp_device *device, enum onramp_hook_way way,
		       enum onramp_stamp stamp)
{
	enum onramp_stamp wanted = device->wanted[way];
	int err = 0;

	WRITE_ONCE(device->wanted[way], stamp);
	stamp = onramp_device_choose(device, way);
	if (device->users[way] && device->stamp[way] != stamp)
		err = onramp_device_move(device, way, stamp);
	if (err)
		WRITE_ONCE(device->wanted[way], wanted);
	return err;
}

/**
 * onramp_device_attach() - have the acker see what comes, or no longer
 * @device: the device
 * @acker: given to it with each packet, or NULL: no longer
 *
 * Context: RTNL; may sleep.
 * Return: 0, -ENOMEM, or of opening the taps.
 */
int onramp_device_attach(struct onramp_device *device, void *acker)
{
	struct net_device *dev = device->dev;
	struct onramp_net *on = onramp_net_of(dev_net(dev));
	int err;

	if (!acker == !device->users[ONRAMP_HOOK_RX])
		return 0;
	if (!acker) {
		WRITE_ONCE(device->acker, NULL);
		xa_erase(&on->attached, dev->ifindex);
		if (xa_empty(&on->attached))
			WRITE_ONCE(on->acker, NULL);
		onramp_device_untap(device, ONRAMP_HOOK_RX);
		return 0;
	}
	err = xa_err(xa_store(&on->attached, dev->ifindex, device, GFP_KERNEL));
	if (err)
		return err;
	err = onramp_device_tap(device, ONRAMP_HOOK_RX);
	if (err) {
		xa_erase(&on->attached, dev->ifindex);
		return err;
	}
	/* With what the acker has behind it. */
	smp_store_release(&on->acker, acker);
	/* Likewise. */
	smp_store_release(&device->acker, acker);
	return 0;
}

/* Packets read without a lock what was wanted, while the device goes. */
static void onramp_device_unwant(struct onramp_device *device)
{
	int way;

	for (way = 0; way < ONRAMP_HOOK_WAYS; way++)
		WRITE_ONCE(device->wanted[way], ONRAMP_STAMP_NONE);
}

/* A device that goes, or moves to another namespace, has no qdisc any more. */
static int onramp_device_event(struct notifier_block *nb, unsigned long event,
			       void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct onramp_device *device = onramp_device_find(dev);

	onramp_scope_event(dev, event);
	if (!device)
		return NOTIFY_DONE;
	switch (event) {
	case NETDEV_UP:
	case NETDEV_CHANGE:
		if (device->ports)
			onramp_device_query(device);
		break;
	case NETDEV_UNREGISTER:
		onramp_device_attach(device, NULL);
		onramp_device_unwant(device);
		onramp_phc_forget(device);
		onramp_device_hide(device);
		onramp_device_put(device);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block onramp_device_notifier = {
	.notifier_call = onramp_device_event,
};

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
