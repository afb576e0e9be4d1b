// SPDX-License-Identifier: GPL-2.0
/*
 * Between drivers and On-Ramp: which drivers call the hooks, and their listeners.
 *
 * A module of its own so that a driver loads without On-Ramp, and On-Ramp comes
 * and goes while the driver stays.
 */
#include <linux/etherdevice.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <linux/slab.h>

#include "onramp_hook.h"

/**
 * struct onramp_hook_driver - devices that pass their packets
 * @node: in onramp_hook_drivers
 * @ops: theirs; only compared
 */
struct onramp_hook_driver {
	struct list_head		node;
	const struct net_device_ops	*ops;
};

/* Over all that is below but the packets' way; may be taken inside RTNL. */
static DEFINE_MUTEX(onramp_hook_lock);

static LIST_HEAD(onramp_hook_drivers);

static const struct onramp_hook_ops __rcu *onramp_hook_ops[ONRAMP_HOOK_WAYS];

DEFINE_STATIC_KEY_FALSE(onramp_hook_tx_on);
EXPORT_SYMBOL_GPL(onramp_hook_tx_on);
DEFINE_STATIC_KEY_FALSE(onramp_hook_rx_on);
EXPORT_SYMBOL_GPL(onramp_hook_rx_on);

static void onramp_hook_switch(enum onramp_hook_way way, bool on)
{
	struct static_key_false *key = way == ONRAMP_HOOK_TX ?
				       &onramp_hook_tx_on : &onramp_hook_rx_on;

	if (on)
		static_branch_enable(key);
	else
		static_branch_disable(key);
}

/**
 * onramp_hook_call() - what a hook does when somebody listens
 * @way: which
 * @skb: the packet
 * @dev: the device
 * @wall_ns: when, or 0: now
 *
 * Context: BH off.
 */
void onramp_hook_call(enum onramp_hook_way way, const struct sk_buff *skb,
		      const struct net_device *dev, u64 wall_ns)
{
	const struct onramp_hook_ops *ops;

	rcu_read_lock();
	ops = rcu_dereference(onramp_hook_ops[way]);
	if (ops)
		ops->packet(skb, dev, wall_ns);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(onramp_hook_call);

/**
 * onramp_hook_call_frags() - what the hook of fragments does when somebody
 * listens
 * @skb: the packet; its protocol and where its headers are is set as the driver that
 *	listens needs it, and napi_gro_frags() sets it anew
 * @dev: the device
 * @wall_ns: when, or 0: now
 *
 * Context: BH off.
 */
void onramp_hook_call_frags(struct sk_buff *skb, const struct net_device *dev,
			    u64 wall_ns)
{
	const struct ethhdr *eth;
	struct ethhdr buffer;

	eth = skb_header_pointer(skb, 0, sizeof(buffer), &buffer);
	if (!eth)
		return;
	skb->protocol = eth->h_proto;
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	onramp_hook_call(ONRAMP_HOOK_RX, skb, dev, wall_ns);
}
EXPORT_SYMBOL_GPL(onramp_hook_call_frags);

static struct onramp_hook_driver *
onramp_hook_find(const struct net_device_ops *ops)
{
	struct onramp_hook_driver *driver;

	list_for_each_entry(driver, &onramp_hook_drivers, node)
		if (driver->ops == ops)
			return driver;
	return NULL;
}

/**
 * onramp_hook_register() - the devices of a driver pass all their packets
 * @dev: one of them, with its netdev_ops, before it is registered
 *
 * May be called again with each device.  It is forgotten when the driver's module
 * goes.  If memory is short the device is treated as one without hooks.
 * Context: may sleep.
 */
void onramp_hook_register(const struct net_device *dev)
{
	struct onramp_hook_driver *driver;

	mutex_lock(&onramp_hook_lock);
	if (!onramp_hook_find(dev->netdev_ops)) {
		driver = kzalloc(sizeof(*driver), GFP_KERNEL);
		if (driver) {
			driver->ops = dev->netdev_ops;
			list_add(&driver->node, &onramp_hook_drivers);
		}
	}
	mutex_unlock(&onramp_hook_lock);
}
EXPORT_SYMBOL_GPL(onramp_hook_register);

/**
 * onramp_hook_has() - does a device's driver call the hooks?
 * @dev: the device
 *
 * Context: may sleep.
 * Return: the same as long as the device lives.
 */
bool onramp_hook_has(const struct net_device *dev)
{
	bool has;

	mutex_lock(&onramp_hook_lock);
	has = onramp_hook_find(dev->netdev_ops);
	mutex_unlock(&onramp_hook_lock);
	return has;
}
EXPORT_SYMBOL_GPL(onramp_hook_has);

/**
 * onramp_hook_open() - listen
 * @way: where
 * @ops: stays until onramp_hook_close()
 *
 * Context: may sleep.
 * Return: 0, or -EBUSY if somebody does already.
 */
int onramp_hook_open(enum onramp_hook_way way,
		     const struct onramp_hook_ops *ops)
{
	int err = -EBUSY;

	mutex_lock(&onramp_hook_lock);
	if (!rcu_access_pointer(onramp_hook_ops[way])) {
		rcu_assign_pointer(onramp_hook_ops[way], ops);
		onramp_hook_switch(way, true);
		err = 0;
	}
	mutex_unlock(&onramp_hook_lock);
	return err;
}
EXPORT_SYMBOL_GPL(onramp_hook_open);

/**
 * onramp_hook_close() - no longer; when this returns nobody is called
 * @way: where, from its opener
 *
 * Context: may sleep.
 */
void onramp_hook_close(enum onramp_hook_way way)
{
	mutex_lock(&onramp_hook_lock);
	onramp_hook_switch(way, false);
	RCU_INIT_POINTER(onramp_hook_ops[way], NULL);
	mutex_unlock(&onramp_hook_lock);
	synchronize_net();
}
EXPORT_SYMBOL_GPL(onramp_hook_close);

#ifdef CONFIG_MODULES
/* A driver's module is gone, its devices before it; or it did not start. */
static int onramp_hook_module_event(struct notifier_block *nb,
				    unsigned long event, void *ptr)
{
	const struct module *module = ptr;
	struct onramp_hook_driver *driver, *next;

	if (event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&onramp_hook_lock);
	list_for_each_entry_safe(driver, next, &onramp_hook_drivers, node) {
		if (!within_module((unsigned long)driver->ops, module))
			continue;
		list_del(&driver->node);
		kfree(driver);
	}
	mutex_unlock(&onramp_hook_lock);
	return NOTIFY_DONE;
}

static struct notifier_block onramp_hook_module_notifier = {
	.notifier_call = onramp_hook_module_event,
};

static int __init onramp_hook_init(void)
{
	return register_module_notifier(&onramp_hook_module_notifier);
}

/* Drivers and listeners hold the module, so all of them are gone. */
static void __exit onramp_hook_exit(void)
{
	unregister_module_notifier(&onramp_hook_module_notifier);
}

module_init(onramp_hook_init);
module_exit(onramp_hook_exit);
#endif /* CONFIG_MODULES: else no driver goes */

MODULE_DESCRIPTION("On-Ramp: hooks for drivers");
MODULE_LICENSE("GPL");
