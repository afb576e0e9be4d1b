// SPDX-License-Identifier: GPL-2.0
/*
 * The clocks of NICs: lines to the wall clock that somebody publishes, and the
 * stamps that are read by them.
 *
 * A device whose stamps are the hardware's shows its packets where any other
 * does; here the time that was taken there is replaced by the NIC's, or stays
 * if that cannot be had, and the sample shows which it was.  The stamp that a NIC reports of
 * a packet that leaves comes too late for it, and would go to the packet's
 * socket, so no packet is marked for it: a daemon sends some of its own, and
 * publishes how long those took from the tap to the wire.
 */
#include <linux/net_tstamp.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "core.h"

static bool onramp_phc_is_wanted(const struct onramp_device *device,
				 enum onramp_hook_way way)
{
	return READ_ONCE(device->wanted[way]) == ONRAMP_STAMP_HARDWARE;
}

/**
 * onramp_phc_is_awake() - was the machine not suspended since a line was published?
 * @phc: the line
 *
 * A NIC without power meanwhile has lost its time, and what CLOCK_REALTIME makes
 * of the sleep is another than the NIC does.
 *
 * Context: any but NMI.
 * Return: true if it was not.
 */
bool onramp_phc_is_awake(const struct onramp_device_phc *phc)
{
	return phc->asleep_ns == compat_asleep_ns();
}

/* Context: RCU.  Return: what was published since the machine woke, or NULL. */
static const struct onramp_phc *onramp_phc_of(const struct onramp_device *device)
{
	const struct onramp_device_phc *phc =
		rcu_dereference_check(device->phc, lockdep_rtnl_is_held());

	return phc && onramp_phc_is_awake(phc) ? &phc->p : NULL;
}

static u64 onramp_phc_seen(const struct onramp_device *device,
			   const struct onramp_timestamp *ts)
{
	return ts->wall_ns ?: onramp_wall(dev_net(device->dev));
}

/* Return: @own if the stamp is plausible, else @ts. */
static const struct onramp_timestamp *
onramp_phc_count(struct onramp_device *device, enum onramp_hook_way way,
		 enum onramp_phc_verdict verdict,
		 const struct onramp_timestamp *ts,
		 const struct onramp_timestamp *own)
{
	atomic64_inc(&device->verdicts[way][verdict]);
	return verdict == ONRAMP_PHC_GOOD ? own : ts;
}

/**
 * onramp_phc_tx() - when a packet that leaves passes the NIC
 * @device: by which
 * @ts: when it passes the tap
 * @own: space for an answer
 *
 * Context: a tap: RCU.
 * Return: @ts, or @own.
 */
const struct onramp_timestamp *onramp_phc_tx(struct onramp_device *device,
					     const struct onramp_timestamp *ts,
					     struct onramp_timestamp *own)
{
	const struct onramp_phc *phc;

	if (!onramp_phc_is_wanted(device, ONRAMP_HOOK_TX))
		return ts;
	phc = onramp_phc_of(device);
	if (!onramp_phc_is_good(phc, onramp_now(dev_net(device->dev))))
		return onramp_phc_count(device, ONRAMP_HOOK_TX,
					ONRAMP_PHC_STALE, ts, own);
	*own = (struct onramp_timestamp){
		.wall_ns = onramp_phc_seen(device, ts) + phc->bias_ns,
		.error_ns = phc->error_ns,
		.stamp = ONRAMP_STAMP_HARDWARE,
	};
	return onramp_phc_count(device, ONRAMP_HOOK_TX, ONRAMP_PHC_GOOD,
				ts, own);
}

const struct onramp_timestamp *onramp_phc_rx(struct onramp_device *device,
					     const struct sk_buff *skb,
					     const struct onramp_timestamp *ts,
					     struct onramp_timestamp *own)
{
	enum onramp_phc_verdict verdict;
	const struct onramp_phc *phc;

	if (!onramp_phc_is_wanted(device, ONRAMP_HOOK_RX))
		return ts;
	phc = onramp_phc_of(device);
	verdict = onramp_phc_read(phc, compat_skb_hwtstamp(skb),
				  onramp_now(dev_net(device->dev)),
				  onramp_phc_seen(device, ts),
				  &own->wall_ns);
	if (verdict == ONRAMP_PHC_GOOD) {
		own->error_ns = phc->error_ns;
		own->stamp = ONRAMP_STAMP_HARDWARE;
	}
	return onramp_phc_count(device, ONRAMP_HOOK_RX, verdict, ts, own);
}
EXPORT_SYMBOL_GPL(onramp_phc_rx);

/**
 * onramp_phc_can() - has a device a clock that stamps its packets?
 * @dev: the device
 * @way: which packets
 *
 * Context: RTNL; may sleep.
 * Return: false if it has none, or one that does not stamp these.
 */
bool onramp_phc_can(struct net_device *dev, enum onramp_hook_way way)
{
	u32 stamps = way == ONRAMP_HOOK_TX ? SOF_TIMESTAMPING_TX_HARDWARE :
					     SOF_TIMESTAMPING_RX_HARDWARE;

	return compat_dev_timestamping(dev) & stamps;
}

/**
 * onramp_phc_is_used() - are stamps the hardware's now?
 * @device: the device
 * @way: which packets' stamps
 * @now_ns: onramp_now(), just read
 *
 * Context: RCU or RTNL.
 * Return: true if they were requested, and the line is good.
 */
bool onramp_phc_is_used(const struct onramp_device *device,
			enum onramp_hook_way way, u64 now_ns)
{
	return onramp_phc_is_wanted(device, way) &&
	       onramp_phc_is_good(onramp_phc_of(device), now_ns);
}

static void onramp_phc_replace(struct onramp_device *device,
			       struct onramp_device_phc *phc)
{
	phc = rcu_replace_pointer(device->phc, phc, lockdep_rtnl_is_held());
	if (phc)
		kfree_rcu(phc, rcu);
}

/**
 * onramp_phc_publish() - a new line, in place of the one before
 * @device: the device
 * @phc: allocated; the device's if true is returned
 *
 * Context: RTNL.
 * Return: false if it contradicts the one before.
 */
bool onramp_phc_publish(struct onramp_device *device,
			struct onramp_device_phc *phc)
{
	if (!onramp_phc_follows(onramp_phc_of(device), &phc->p,
				onramp_now(dev_net(device->dev))))
		return false;
	phc->asleep_ns = compat_asleep_ns();
	onramp_phc_replace(device, phc);
	return true;
}

/**
 * onramp_phc_forget() - no line any more
 * @device: the device
 *
 * Context: RTNL.
 */
void onramp_phc_forget(struct onramp_device *device)
{
	onramp_phc_replace(device, NULL);
}
