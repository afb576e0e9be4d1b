/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel versions: network devices, their clocks, their links, and what comes by them. */
#ifndef SHARPRAMP_COMPAT_DEV_H
#define SHARPRAMP_COMPAT_DEV_H

#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/phy.h>
#include <linux/pm_runtime.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>

#ifdef HAVE_NETDEV_LOCK_OPS
#include <net/netdev_lock.h>
#endif

/**
 * compat_txq_inflight() - bytes that a driver was given and has not sent yet
 * @txq: the queue; it may change meanwhile
 *
 * Return: 0 also without byte queue limits.
 */
static inline u32 compat_txq_inflight(const struct netdev_queue *txq)
{
#ifdef CONFIG_BQL
	u32 done = READ_ONCE(txq->dql.num_completed);

	return READ_ONCE(txq->dql.num_queued) - done;
#else
	return 0;
#endif
}

/**
 * compat_skb_hwtstamp() - when a packet came, by its NIC's clock
 * @skb: the packet, as its driver hands it to the stack
 *
 * Since 6.0 a driver may leave what its descriptor says, and is then queried for what that
 * means.
 *
 * Return: ns, 0 if the NIC did not report it.
 */
static inline s64 compat_skb_hwtstamp(const struct sk_buff *skb)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);

#ifdef HAVE_NETDEV_GET_TSTAMP
	if (shinfo->tx_flags & SKBTX_HW_TSTAMP_NETDEV)
		return ktime_to_ns(netdev_get_tstamp(skb->dev,
						     &shinfo->hwtstamps,
						     false));
#endif
	return ktime_to_ns(shinfo->hwtstamps.hwtstamp);
}

#ifdef HAVE_KERNEL_ETHTOOL_TS_INFO
#define compat_ts_info	kernel_ethtool_ts_info
#else
#define compat_ts_info	ethtool_ts_info
#endif

/* Where the kernel has no function that chooses: a PHY that has a clock, or the MAC. */
static inline int compat_ts_info_query(struct net_device *dev,
				       struct compat_ts_info *info)
{
#ifdef HAVE_TS_INFO_BY_LAYER
	return ethtool_get_ts_info_by_layer(dev, info);
#else
	if (phy_has_tsinfo(dev->phydev))
		return phy_ts_info(dev->phydev, info);
	if (!dev->ethtool_ops->get_ts_info)
		return -EOPNOTSUPP;
	return dev->ethtool_ops->get_ts_info(dev, info);
#endif
}

static inline int compat_dev_is_absent(struct net_device *dev,
				       struct netdev_nested_priv *unused)
{
	return !netif_device_present(dev);
}

/* The driver may be queried: the device is there, and so are those below, which it may query. */
static inline int compat_ts_info_get(struct net_device *dev,
				     struct compat_ts_info *info)
{
	const struct ethtool_ops *ops = dev->ethtool_ops;
	int err;

	if (dev->reg_state != NETREG_REGISTERED ||
	    compat_dev_is_absent(dev, NULL) ||
	    netdev_walk_all_lower_dev(dev, compat_dev_is_absent, NULL))
		return -ENODEV;
	err = ops->begin ? ops->begin(dev) : 0;
	if (err)
		return err;
	err = compat_ts_info_query(dev, info);
	if (ops->complete)
		ops->complete(dev);
	return err;
}

/**
 * compat_skb_was_shaped() - does an ifb receive a packet for its device again?
 * @skb: the packet, as it comes to the stack
 *
 * An ifb says so to tc's ingress, which would redirect it once more; that has
 * cleared it when the packet goes on.
 *
 * Return: false also where tc has no actions, and so no ifb anything to do.
 */
static inline bool compat_skb_was_shaped(const struct sk_buff *skb)
{
#ifdef CONFIG_NET_CLS_ACT
	return skb->tc_skip_classify;
#else
	return false;
#endif
}

/**
 * compat_dev_timestamping() - what stamps a device's clock, or its PHY's, can take
 * @dev: the device
 *
 * The driver is queried as ethtool does: awake, under its own lock, if it has
 * one, and not while it is detached, as it is in a reset.
 *
 * Context: RTNL, and not the device's own lock, as in netlink requests; may sleep.
 * Return: SOF_TIMESTAMPING_*; 0 without a clock, and while the device is away.
 */
static inline u32 compat_dev_timestamping(struct net_device *dev)
{
	struct compat_ts_info info = {
		.cmd = ETHTOOL_GET_TS_INFO,
		.phc_index = -1,
	};
	struct device *parent = dev->dev.parent;
	int err;

	if (parent)
		pm_runtime_get_sync(parent);
#ifdef HAVE_NETDEV_LOCK_OPS
	netdev_lock_ops(dev);
#endif
	err = compat_ts_info_get(dev, &info);
#ifdef HAVE_NETDEV_LOCK_OPS
	netdev_unlock_ops(dev);
#endif
	if (parent)
		pm_runtime_put(parent);
	return err || info.phc_index < 0 ? 0 : info.so_timestamping;
}

/**
 * compat_link_settings() - query a driver's link, where tc or a notifier does
 * @dev: the device
 * @link: filled
 *
 * Since 7.2 __ethtool_get_link_ksettings() takes the device's own lock, which
 * there is held already.  Before that nobody needs it for this.
 *
 * Context: RTNL, and the device's own lock where its driver requires one; may
 *	sleep.
 * Return: 0, or the driver's error, or -EOPNOTSUPP.
 */
static inline int compat_link_settings(struct net_device *dev,
				       struct ethtool_link_ksettings *link)
{
#ifdef HAVE_NETIF_LINK_SETTINGS
	return netif_get_link_ksettings(dev, link);
#else
	return __ethtool_get_link_ksettings(dev, link);
#endif
}

/**
 * compat_ingress_hook() - see what comes by a device, before bridges and VLANs do
 * @net: the device's namespace
 * @hook: with the device
 *
 * Context: may sleep.
 * Return: 0, an error, or -EOPNOTSUPP where netfilter has no such hook.
 */
static inline int compat_ingress_hook(struct net *net, const struct nf_hook_ops *hook)
{
#ifdef CONFIG_NETFILTER_INGRESS
	return nf_register_net_hook(net, hook);
#else
	return -EOPNOTSUPP;
#endif
}

/**
 * compat_ingress_unhook() - no longer; one that runs still is not waited for
 * @net: the device's namespace
 * @hook: of compat_ingress_hook(), which returned 0
 *
 * Context: may sleep.
 */
static inline void compat_ingress_unhook(struct net *net, const struct nf_hook_ops *hook)
{
#ifdef CONFIG_NETFILTER_INGRESS
	nf_unregister_net_hook(net, hook);
#endif
}

#endif /* SHARPRAMP_COMPAT_DEV_H */
