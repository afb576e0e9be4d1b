// SPDX-License-Identifier: GPL-2.0
/*
 * The doors between stack and drivers: tracepoints, which see every packet,
 * behind the qdisc and segmentation on the way out, before GRO on the way in.
 *
 * They are not exported, so they are found by name, and they cost every packet
 * of the host something, so they are registered while somebody needs them.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>
#include <linux/tracepoint.h>
#include <trace/events/net.h>

#include "core.h"

static const struct onramp_acker_ops __rcu *onramp_acker;

static void onramp_door_tx(void *data, const struct sk_buff *skb,
			   const struct net_device *dev)
{
	const struct onramp_device *device;
	struct onramp_packet p;

	rcu_read_lock();
	device = onramp_device_find(dev);
	if (device && READ_ONCE(device->tx) && onramp_dissect(skb, &p))
		onramp_flow_sent(onramp_net_of(dev_net(dev)), skb, dev, &p);
	rcu_read_unlock();
}

/*
 * A driver without NAPI may call netif_rx() in its interrupt, where the acker's
 * lock must not be taken: what such a device receives is not acked.
 */
static void onramp_door_rx(void *data, const struct sk_buff *skb)
{
	const struct onramp_acker_ops *ops;
	const struct onramp_device *device;
	struct onramp_packet p;

	if (in_hardirq())
		return;
	rcu_read_lock();
	ops = rcu_dereference(onramp_acker);
	device = onramp_device_find(skb->dev);
	if (ops && device && READ_ONCE(device->rx) && onramp_dissect(skb, &p) &&
	    p.len)
		ops->data(dev_net(skb->dev), skb, &p);
	rcu_read_unlock();
}

/**
 * struct onramp_door - a tracepoint
 * @name: its name
 * @probe: what it calls
 * @tp: NULL if the kernel has none of that name
 */
struct onramp_door {
	const char		*name;
	void			*probe;
	struct tracepoint	*tp;
};

/**
 * struct onramp_doors - tracepoints that are needed together
 * @door: they
 * @count: how many
 * @users: how many need them; onramp_doors_lock
 */
struct onramp_doors {
	struct onramp_door	*door;
	int			count;
	int			users;
};

static DEFINE_MUTEX(onramp_doors_lock);

static struct onramp_door onramp_door_tx_table[] = {
	{ "net_dev_start_xmit", onramp_door_tx },
};

/* Where a driver hands a packet to the stack; GRO's own output passes none. */
static struct onramp_door onramp_door_rx_table[] = {
	{ "napi_gro_receive_entry", onramp_door_rx },
	{ "napi_gro_frags_entry", onramp_door_rx },
	{ "netif_receive_skb_entry", onramp_door_rx },
	{ "netif_receive_skb_list_entry", onramp_door_rx },
	{ "netif_rx_entry", onramp_door_rx },
};

static struct onramp_doors onramp_doors_tx = {
	.door = onramp_door_tx_table,
	.count = ARRAY_SIZE(onramp_door_tx_table),
};

static struct onramp_doors onramp_doors_rx = {
	.door = onramp_door_rx_table,
	.count = ARRAY_SIZE(onramp_door_rx_table),
};

static void onramp_doors_match(struct onramp_doors *doors,
			       struct tracepoint *tp)
{
	int i;

	for (i = 0; i < doors->count; i++)
		if (!strcmp(tp->name, doors->door[i].name))
			doors->door[i].tp = tp;
}

static void onramp_doors_look(struct tracepoint *tp, void *priv)
{
	onramp_doors_match(&onramp_doors_tx, tp);
	onramp_doors_match(&onramp_doors_rx, tp);
}

/* Unregister the first @count, and wait for the probes that run. */
static void onramp_doors_close(struct onramp_doors *doors, int count)
{
	while (count--)
		tracepoint_probe_unregister(doors->door[count].tp,
					    doors->door[count].probe, NULL);
	tracepoint_synchronize_unregister();
}

static int onramp_doors_open(struct onramp_doors *doors)
{
	int i, err;

	for (i = 0; i < doors->count; i++) {
		struct onramp_door *door = &doors->door[i];

		err = tracepoint_probe_register(door->tp, door->probe, NULL);
		if (err) {
			onramp_doors_close(doors, i);
			return err;
		}
	}
	return 0;
}

static int onramp_doors_get(struct onramp_doors *doors)
{
	int err = 0;

	mutex_lock(&onramp_doors_lock);
	if (!doors->users)
		err = onramp_doors_open(doors);
	if (!err)
		doors->users++;
	mutex_unlock(&onramp_doors_lock);
	return err;
}

static void onramp_doors_put(struct onramp_doors *doors)
{
	mutex_lock(&onramp_doors_lock);
	if (!--doors->users)
		onramp_doors_close(doors, doors->count);
	mutex_unlock(&onramp_doors_lock);
}

/**
 * onramp_doors_tx_get() - somebody wants to know what leaves
 *
 * Context: may sleep.
 * Return: 0, or of registering tracepoints.
 */
int onramp_doors_tx_get(void)
{
	return onramp_doors_get(&onramp_doors_tx);
}

/**
 * onramp_doors_tx_put() - no longer
 *
 * Context: may sleep.
 */
void onramp_doors_tx_put(void)
{
	onramp_doors_put(&onramp_doors_tx);
}

int onramp_acker_register(const struct onramp_acker_ops *ops)
{
	int err = onramp_genl_acker_set(ops);

	if (err)
		return err;
	rcu_assign_pointer(onramp_acker, ops);
	err = onramp_doors_get(&onramp_doors_rx);
	if (err) {
		RCU_INIT_POINTER(onramp_acker, NULL);
		onramp_genl_acker_clear();
	}
	return err;
}
EXPORT_SYMBOL_GPL(onramp_acker_register);

void onramp_acker_unregister(const struct onramp_acker_ops *ops)
{
	onramp_genl_acker_clear();
	rtnl_lock();
	onramp_device_forget_rx();
	rtnl_unlock();
	RCU_INIT_POINTER(onramp_acker, NULL);
	/* Waits for the probes, and so for what they call. */
	onramp_doors_put(&onramp_doors_rx);
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(onramp_acker_unregister);

/**
 * onramp_doors_init() - find the tracepoints
 *
 * Return: 0, or -ENOENT if the kernel lacks one.
 */
int onramp_doors_init(void)
{
	static struct onramp_doors * const all[] = {
		&onramp_doors_tx, &onramp_doors_rx,
	};
	int i, j;

	check_trace_callback_type_net_dev_start_xmit(onramp_door_tx);
	check_trace_callback_type_napi_gro_receive_entry(onramp_door_rx);
	for_each_kernel_tracepoint(onramp_doors_look, NULL);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		for (j = 0; j < all[i]->count; j++) {
			if (all[i]->door[j].tp)
				continue;
			pr_err("onramp: this kernel has no tracepoint %s\n",
			       all[i]->door[j].name);
			return -ENOENT;
		}
	}
	return 0;
}
