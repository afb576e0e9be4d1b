// SPDX-License-Identifier: GPL-2.0
/*
 * The taps between stack and drivers, where packets are seen: behind the qdisc
 * and segmentation on the way out, before GRO on the way in.
 *
 * A driver that calls the hooks of onramp_hook.ko is tapped there.  For all
 * others there are tracepoints, which see every packet; they are not exported,
 * so they are found by name.  And a qdisc can report what leaves it.  Each device
 * has one of these for each way, so nothing is seen twice.
 *
 * Tracepoints cost every packet of the host something, so they are registered
 * while a device needs them, and a second longer: to close taps and to open them again
 * at once waits for a grace period, with RTNL held.  So a worker closes
 * them, and a tenant that switches On-Ramp off and on makes others wait once a second at most.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/net.h>

#include "core.h"

static const struct onramp_acker_ops __rcu *onramp_acker;

/* A packet passes a tap that is not its device's, or nobody uses it. */
static struct onramp_device *onramp_tap_device(const struct net_device *dev,
					       enum onramp_stamp stamp)
{
	struct onramp_net *on = onramp_net_of_packet(dev_net(dev));
	struct onramp_device *device = onramp_device_lookup(on, dev);

	return device && READ_ONCE(device->stamp[ONRAMP_HOOK_RX]) == stamp ? device : NULL;
}

/* A packet that is remembered leaves.  Context: RCU, BH off. */
static void onramp_tap_sent(const struct onramp_marked *m, const struct sk_buff *skb,
			    const struct onramp_packet *p,
			    const struct onramp_timestamp *ts)
{
	struct onramp_timestamp own;
	struct onramp_path *unacked;

	ts = onramp_phc_tx(m->device, ts, &own);
	unacked = onramp_flow_sent(m, skb, p, ts);
	if (unlikely(unacked))
		onramp_genl_path_event(m->flow->on, unacked, ONRAMP_EVENT_UNACKED);
}

/* Apart, so that packets without a mark pay for no more than that. */
static noinline void onramp_tap_marked(const struct sk_buff *skb,
				       const struct net_device *dev,
				       const struct onramp_timestamp *ts)
{
	struct onramp_marked m;
	struct onramp_packet p;

	if (onramp_mark_take(skb, dev, ts->stamp, &m, &p))
		onramp_tap_sent(&m, skb, &p, ts);
}

/* Context: RCU, BH off. */
static void onramp_tap_tx(const struct sk_buff *skb,
			  const struct net_device *dev,
			  const struct onramp_timestamp *ts)
{
	if (unlikely(*onramp_skb_mark(skb)))
		onramp_tap_marked(skb, dev, ts);
}

/*
 * May a packet be for this host?  The NIC marks those that are not, but it does
 * not know of the addresses of devices above it: a bridge's, a VLAN's, a
 * macvlan's.  A driver that has GRO read its pages marks nothing before GRO
 * did, and a packet for this host has no mark either.
 */
static bool onramp_tap_is_for_host(const struct sk_buff *skb,
				   const struct net_device *dev)
{
	return likely(skb->pkt_type == PACKET_HOST) ||
	       (skb->pkt_type == PACKET_OTHERHOST &&
		!list_empty(&dev->adj_list.upper));
}

/*
 * A shaper of what comes, tc's ingress and an ifb, hands packets to the stack once
 * more, as if they came by the same device again: they were seen as they came.
 *
 * Apart, so that packets of other devices do not pay for what is needed here.
 */
static noinline void onramp_tap_data(const struct onramp_acker_ops *ops,
				     const struct sk_buff *skb,
				     struct onramp_device *device,
				     const struct onramp_timestamp *ts)
{
	void *acker = READ_ONCE(device->acker);
	struct onramp_packet p;

	if (acker && !compat_skb_was_shaped(skb) && onramp_dissect(skb, &p) &&
	    p.len)
		ops->data(acker, skb, &p, device, ts);
}

/*
 * A driver without NAPI may call netif_rx() in its interrupt, where the acker's
 * lock must not be taken: what such a device receives is not acked.
 *
 * Context: RCU, BH or interrupts off.
 */
static void onramp_tap_rx(const struct sk_buff *skb,
			  const struct net_device *dev,
			  const struct onramp_timestamp *ts)
{
	const struct onramp_acker_ops *ops = rcu_dereference(onramp_acker);
	struct onramp_device *device;

	if (!ops || in_hardirq())
		return;
	device = onramp_tap_device(dev, ts->stamp);
	if (device && onramp_tap_is_for_host(skb, dev))
		onramp_tap_data(ops, skb, device, ts);
}

/* Does the acker see what comes by a device?  Context: RCU. */
static int onramp_tap_sees(struct net_device *dev,
			   struct netdev_nested_priv *priv)
{
	struct onramp_net *on = priv->data;
	const struct onramp_device *device = xa_load(&on->attached, dev->ifindex);

	return device && device->dev == dev;
}

/*
 * A bridge hands a packet to the stack once more, as its own, and so does Open vSwitch.
 * If the acker has the port too, or what is below that, it saw the packet there.  A
 * bond does not tell by which link a packet came: if one link has it, all have.
 */
static noinline bool onramp_tap_was_seen(const struct sk_buff *skb,
					 const struct net_device *dev)
{
	struct onramp_net *on = onramp_net_of(dev_net(dev));
	struct netdev_nested_priv priv = { .data = on };
	struct net_device *port;
	bool seen;

	if (!netif_is_bridge_master(dev) && !netif_is_ovs_master(dev))
		return false;
	rcu_read_lock();
	port = dev_get_by_index_rcu(on->net, skb->skb_iif);
	seen = port && port != dev &&
	       (onramp_tap_sees(port, &priv) ||
		netdev_walk_all_lower_dev_rcu(port, onramp_tap_sees, &priv));
	rcu_read_unlock();
	return seen;
}

/*
 * Need nothing be known of a packet that came in?  First the cheapest: where the acker
 * sees no device of a namespace, a packet pays for that check alone, and most that are of a flow
 * in the middle of a burst need neither the device nor RCU's lock.  A driver without NAPI
 * may be in its interrupt, where per-CPU entries are not the acker's.
 */
static __always_inline bool onramp_tap_skips(const struct sk_buff *skb,
					     const struct net_device *dev,
					     enum onramp_stamp stamp)
{
	const struct onramp_acker_ops *ops;
	void *acker;

	if (unlikely(!softirq_count() || in_hardirq()))
		return false;
	/* A device that is just added or removed may be seen or not. */
	acker = READ_ONCE(onramp_net_of_packet(dev_net(dev))->acker);
	if (!acker)
		return true;
	if (unlikely(skb->skb_iif) && onramp_tap_was_seen(skb, dev))
		return true;
	ops = rcu_dereference_bh(onramp_acker);
	return ops && likely(!compat_skb_was_shaped(skb)) && ops->skip(acker, skb, stamp);
}

static const struct onramp_timestamp onramp_tap_tracepoint = {
	.stamp = ONRAMP_STAMP_TRACEPOINT,
};

static void onramp_tracepoint_tx(void *data, const struct sk_buff *skb,
				 const struct net_device *dev)
{
	rcu_read_lock();
	onramp_tap_tx(skb, dev, &onramp_tap_tracepoint);
	rcu_read_unlock();
}

static void onramp_tracepoint_rx(void *data, const struct sk_buff *skb)
{
	if (onramp_tap_skips(skb, skb->dev, ONRAMP_STAMP_TRACEPOINT))
		return;
	rcu_read_lock();
	onramp_tap_rx(skb, skb->dev, &onramp_tap_tracepoint);
	rcu_read_unlock();
}

static void onramp_driver_tx(const struct sk_buff *skb,
			     const struct net_device *dev, u64 wall_ns)
{
	const struct onramp_timestamp ts = {
		.wall_ns = wall_ns,
		.stamp = ONRAMP_STAMP_DRIVER,
	};

	onramp_tap_tx(skb, dev, &ts);
}

static void onramp_driver_rx(const struct sk_buff *skb,
			     const struct net_device *dev, u64 wall_ns)
{
	const struct onramp_timestamp ts = {
		.wall_ns = wall_ns,
		.stamp = ONRAMP_STAMP_DRIVER,
	};

	if (!onramp_tap_skips(skb, dev, ONRAMP_STAMP_DRIVER))
		onramp_tap_rx(skb, dev, &ts);
}

void onramp_port_sent(struct onramp_port *pub, struct onramp_flow *flow,
		      struct sk_buff *skb, bool again)
{
	static const struct onramp_timestamp ts = {
		.stamp = ONRAMP_STAMP_QDISC,
	};
	struct onramp_core_port *port = container_of(pub, struct onramp_core_port, pub);
	struct onramp_marked m = {
		.device = port->device,
		.flow = container_of(flow, struct onramp_core_flow, pub),
		.again = again,
	};
	struct onramp_packet p;

	if (likely(!READ_ONCE(pub->tap_tx))) {
		onramp_mark_set(port, m.flow, skb, again);
		return;
	}
	if (!onramp_read(skb, &p))
		return;
	rcu_read_lock();
	onramp_tap_sent(&m, skb, &p, &ts);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(onramp_port_sent);

/**
 * struct onramp_tracepoint - a tracepoint
 * @name: its name
 * @probe: what it calls
 * @tp: NULL if the kernel has none of that name
 */
struct onramp_tracepoint {
	const char		*name;
	void			*probe;
	struct tracepoint	*tp;
};

static struct onramp_tracepoint onramp_tracepoints_tx[] = {
	{ "net_dev_start_xmit", onramp_tracepoint_tx },
};

/* Where a driver hands a packet to the stack; GRO's own output passes none. */
static struct onramp_tracepoint onramp_tracepoints_rx[] = {
	{ "napi_gro_receive_entry", onramp_tracepoint_rx },
	{ "napi_gro_frags_entry", onramp_tracepoint_rx },
	{ "netif_receive_skb_entry", onramp_tracepoint_rx },
	{ "netif_receive_skb_list_entry", onramp_tracepoint_rx },
	{ "netif_rx_entry", onramp_tracepoint_rx },
};

/**
 * struct onramp_taps - all taps of one way
 * @tracepoint: the tracepoints
 * @count: how many
 * @hook: the listener at the drivers' hook
 * @users: devices that need each kind, by enum onramp_stamp;
 *	onramp_taps_lock
 * @is_open: whether that kind is open; likewise
 */
struct onramp_taps {
	struct onramp_tracepoint	*tracepoint;
	int				count;
	struct onramp_hook_ops		hook;
	unsigned int			users[ONRAMP_STAMP_QDISC + 1];
	bool				is_open[ONRAMP_STAMP_QDISC + 1];
};

#define ONRAMP_TAPS_LINGER	HZ

static DEFINE_MUTEX(onramp_taps_lock);

static struct onramp_taps onramp_taps[ONRAMP_HOOK_WAYS] = {
	[ONRAMP_HOOK_TX] = {
		.tracepoint = onramp_tracepoints_tx,
		.count = ARRAY_SIZE(onramp_tracepoints_tx),
		.hook.packet = onramp_driver_tx,
	},
	[ONRAMP_HOOK_RX] = {
		.tracepoint = onramp_tracepoints_rx,
		.count = ARRAY_SIZE(onramp_tracepoints_rx),
		.hook.packet = onramp_driver_rx,
	},
};

static void onramp_taps_find(struct tracepoint *tp, void *priv)
{
	struct onramp_taps *taps;
	int i;

	for (taps = onramp_taps; taps < onramp_taps + ONRAMP_HOOK_WAYS;
	     taps++)
		for (i = 0; i < taps->count; i++)
			if (!strcmp(tp->name, taps->tracepoint[i].name))
				taps->tracepoint[i].tp = tp;
}

/**
 * onramp_taps_can() - may there be taps of a kind in this kernel?
 * @stamp: which
 *
 * With PREEMPT_RT all locks of this module sleep, which a tracepoint's probe may not
 * where preemption is off.
 * Context: any.
 * Return: false if not, on no device.
 */
bool onramp_taps_can(enum onramp_stamp stamp)
{
	return stamp != ONRAMP_STAMP_TRACEPOINT ||
	       !IS_ENABLED(CONFIG_PREEMPT_RT) || compat_tracepoints_sleep();
}

/* Unregister the first @count.  Probes that run go on, see onramp_taps_exit(). */
static void onramp_tracepoints_close(struct onramp_taps *taps, int count)
{
	while (count--)
		tracepoint_probe_unregister(taps->tracepoint[count].tp,
					    taps->tracepoint[count].probe,
					    NULL);
}

static int onramp_tracepoints_open(struct onramp_taps *taps)
{
	int i, err;

	if (!onramp_taps_can(ONRAMP_STAMP_TRACEPOINT))
		return -EOPNOTSUPP;
	for (i = 0; i < taps->count; i++) {
		struct onramp_tracepoint *t = &taps->tracepoint[i];

		err = tracepoint_probe_register(t->tp, t->probe, NULL);
		if (err) {
			onramp_tracepoints_close(taps, i);
			return err;
		}
	}
	return 0;
}

static int onramp_taps_open(enum onramp_hook_way way, enum onramp_stamp stamp)
{
	switch (stamp) {
	case ONRAMP_STAMP_TRACEPOINT:
		return onramp_tracepoints_open(&onramp_taps[way]);
	case ONRAMP_STAMP_DRIVER:
		return onramp_hook_open(way, &onramp_taps[way].hook);
	default:
		return 0;
	}
}

static void onramp_taps_close(enum onramp_hook_way way,
			      enum onramp_stamp stamp)
{
	switch (stamp) {
	case ONRAMP_STAMP_TRACEPOINT:
		onramp_tracepoints_close(&onramp_taps[way],
					 onramp_taps[way].count);
		break;
	case ONRAMP_STAMP_DRIVER:
		onramp_hook_close(way);
		break;
	default:
		break;
	}
}

/* Close what nobody needs. */
static void onramp_taps_sweep(struct work_struct *work)
{
	int way, stamp;

	mutex_lock(&onramp_taps_lock);
	for (way = 0; way < ONRAMP_HOOK_WAYS; way++) {
		struct onramp_taps *taps = &onramp_taps[way];

		for (stamp = 0; stamp < ARRAY_SIZE(taps->users); stamp++) {
			if (taps->users[stamp] || !taps->is_open[stamp])
				continue;
			onramp_taps_close(way, stamp);
			taps->is_open[stamp] = false;
		}
	}
	mutex_unlock(&onramp_taps_lock);
}

static DECLARE_DELAYED_WORK(onramp_taps_work, onramp_taps_sweep);

/**
 * onramp_taps_get() - a device needs to see its packets
 * @way: those that leave, or those that come
 * @stamp: where
 *
 * Context: may sleep.
 * Return: 0, or of registering tracepoints, or -EBUSY if somebody else listens
 *	at the hooks, or -EOPNOTSUPP if onramp_taps_can() returns false.
 */
int onramp_taps_get(enum onramp_hook_way way, enum onramp_stamp stamp)
{
	struct onramp_taps *taps = &onramp_taps[way];
	int err = 0;

	mutex_lock(&onramp_taps_lock);
	if (!taps->is_open[stamp])
		err = onramp_taps_open(way, stamp);
	if (!err) {
		taps->is_open[stamp] = true;
		taps->users[stamp]++;
	}
	mutex_unlock(&onramp_taps_lock);
	return err;
}

/**
 * onramp_taps_put() - no longer; packets may still pass the taps for a while
 * @way: as it was got
 * @stamp: same
 *
 * Context: may sleep.
 */
void onramp_taps_put(enum onramp_hook_way way, enum onramp_stamp stamp)
{
	mutex_lock(&onramp_taps_lock);
	if (!--onramp_taps[way].users[stamp])
		mod_delayed_work(compat_system_wq(), &onramp_taps_work,
				 ONRAMP_TAPS_LINGER);
	mutex_unlock(&onramp_taps_lock);
}

/**
 * onramp_taps_set_acker() - show what comes to an acker
 * @ops: its functions, or NULL: no longer; those that run go on until a grace
 *	period is over
 *
 * Context: one at a time, as an acker comes and goes.
 */
void onramp_taps_set_acker(const struct onramp_acker_ops *ops)
{
	rcu_assign_pointer(onramp_acker, ops);
}

/**
 * onramp_taps_init() - find the tracepoints
 *
 * Return: 0, or -ENOENT if the kernel lacks one.
 */
int onramp_taps_init(void)
{
	const struct onramp_taps *taps;
	int i;

	check_trace_callback_type_net_dev_start_xmit(onramp_tracepoint_tx);
	check_trace_callback_type_napi_gro_receive_entry(onramp_tracepoint_rx);
	for_each_kernel_tracepoint(onramp_taps_find, NULL);
	for (taps = onramp_taps; taps < onramp_taps + ONRAMP_HOOK_WAYS;
	     taps++) {
		for (i = 0; i < taps->count; i++) {
			if (taps->tracepoint[i].tp)
				continue;
			pr_err("onramp: this kernel has no tracepoint %s\n",
			       taps->tracepoint[i].name);
			return -ENOENT;
		}
	}
	return 0;
}

/**
 * onramp_taps_exit() - close all taps, which nobody needs, and wait for the probes that run
 *
 * Context: may sleep; not RTNL.
 */
void onramp_taps_exit(void)
{
	cancel_delayed_work_sync(&onramp_taps_work);
	onramp_taps_sweep(NULL);
	tracepoint_synchronize_unregister();
}
