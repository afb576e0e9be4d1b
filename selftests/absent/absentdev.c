// SPDX-License-Identifier: GPL-2.0
/*
 * absentdev: a network device that can be detached, as a NIC is by its driver
 * while that resets it, whose parent is suspended when nobody uses it, and that may
 * have a PHY with a clock.  It counts queries for its clock, by kind.  Its queue
 * can be stopped, so that packets wait in the qdisc.
 */
#include <linux/ethtool.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/net_tstamp.h>
#include <linux/netdevice.h>
#include <linux/phy.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/rtnetlink.h>

#ifdef ABSENT_KERNEL_TS_INFO
#define absent_ts_info	kernel_ethtool_ts_info
#else
#define absent_ts_info	ethtool_ts_info
#endif

static struct platform_device *absent_parent;
static struct net_device *absent_dev;

static uint queries;
module_param(queries, uint, 0644);
MODULE_PARM_DESC(queries, "queries for its clock while it was there");

static uint queries_absent;
module_param(queries_absent, uint, 0644);
MODULE_PARM_DESC(queries_absent, "queries while it was not: a real driver may crash");

static uint outside;
module_param(outside, uint, 0644);
MODULE_PARM_DESC(outside, "times before begin, or behind complete");

static uint asleep;
module_param(asleep, uint, 0644);
MODULE_PARM_DESC(asleep, "times while its parent was suspended");

static uint unlocked;
module_param(unlocked, uint, 0644);
MODULE_PARM_DESC(unlocked, "times without the lock that it requires");

static uint queries_phy;
module_param(queries_phy, uint, 0644);
MODULE_PARM_DESC(queries_phy, "queries of its PHY");

static bool begun;

static bool absent_is_unlocked(struct net_device *dev)
{
#ifdef HAVE_NETDEV_LOCK_OPS
	return !mutex_is_locked(&dev->lock);
#else
	return false;
#endif
}

static netdev_tx_t absent_xmit(struct sk_buff *skb, struct net_device *dev)
{
	dev_kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops absent_netdev_ops = {
	.ndo_start_xmit		= absent_xmit,
	.ndo_validate_addr	= eth_validate_addr,
};

static int absent_begin(struct net_device *dev)
{
	begun = true;
	return 0;
}

static void absent_complete(struct net_device *dev)
{
	begun = false;
}

static int absent_get_ts_info(struct net_device *dev,
			      struct absent_ts_info *info)
{
	if (!netif_device_present(dev))
		queries_absent++;
	else if (!begun)
		outside++;
	else
		queries++;
	asleep += pm_runtime_suspended(&absent_parent->dev);
	unlocked += absent_is_unlocked(dev);
	info->so_timestamping = SOF_TIMESTAMPING_TX_HARDWARE |
				SOF_TIMESTAMPING_RX_HARDWARE |
				SOF_TIMESTAMPING_RAW_HARDWARE;
	info->phc_index = 0;
	return 0;
}

static const struct ethtool_ops absent_ethtool_ops = {
	.begin		= absent_begin,
	.complete	= absent_complete,
	.get_ts_info	= absent_get_ts_info,
};

static int absent_phy_ts_info(struct mii_timestamper *mii_ts,
			      struct absent_ts_info *info)
{
	queries_phy++;
	info->so_timestamping = SOF_TIMESTAMPING_TX_HARDWARE |
				SOF_TIMESTAMPING_RX_HARDWARE |
				SOF_TIMESTAMPING_RAW_HARDWARE;
	info->phc_index = 1;
	return 0;
}

/* Where the kernel chooses, it takes the PHY if that stamps by default. */
#ifdef HAVE_TS_INFO_BY_LAYER
static int absent_phy_hwtstamp(struct mii_timestamper *mii_ts,
			       struct kernel_hwtstamp_config *config,
			       struct netlink_ext_ack *extack)
{
	return 0;
}
#endif

static struct mii_timestamper absent_mii = {
	.ts_info = absent_phy_ts_info,
#ifdef ABSENT_HWTSTAMP_SET
	.hwtstamp_set = absent_phy_hwtstamp,
#elif defined(HAVE_TS_INFO_BY_LAYER)
	.hwtstamp = absent_phy_hwtstamp,
#endif
};

static struct phy_device absent_phy = {
	.mii_ts = &absent_mii,
#ifdef HAVE_TS_INFO_BY_LAYER
	.default_timestamp = true,
#endif
};

static void absent_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &absent_netdev_ops;
	dev->ethtool_ops = &absent_ethtool_ops;
	dev->needs_free_netdev = true;
#ifdef HAVE_NETDEV_LOCK_OPS
	dev->request_ops_lock = true;
#endif
	eth_hw_addr_random(dev);
}

static int absent_present_set(const char *val, const struct kernel_param *kp)
{
	bool present;
	int err = kstrtobool(val, &present);

	if (err)
		return err;
	if (!absent_dev)
		return -ENODEV;
	rtnl_lock();
	if (present)
		netif_device_attach(absent_dev);
	else
		netif_device_detach(absent_dev);
	rtnl_unlock();
	return 0;
}

static const struct kernel_param_ops absent_present_ops = {
	.set = absent_present_set,
};
module_param_cb(present, &absent_present_ops, NULL, 0200);
MODULE_PARM_DESC(present, "0: detach the device");

static int absent_phy_set(const char *val, const struct kernel_param *kp)
{
	bool phy;
	int err = kstrtobool(val, &phy);

	if (err)
		return err;
	if (!absent_dev)
		return -ENODEV;
	rtnl_lock();
	absent_dev->phydev = phy ? &absent_phy : NULL;
	rtnl_unlock();
	return 0;
}

static const struct kernel_param_ops absent_phy_ops = {
	.set = absent_phy_set,
};
module_param_cb(phy, &absent_phy_ops, NULL, 0200);
MODULE_PARM_DESC(phy, "1: it has a PHY with a clock");

static int absent_stopped_set(const char *val, const struct kernel_param *kp)
{
	bool stopped;
	int err = kstrtobool(val, &stopped);

	if (err)
		return err;
	if (!absent_dev)
		return -ENODEV;
	if (stopped)
		netif_stop_queue(absent_dev);
	else
		netif_wake_queue(absent_dev);
	return 0;
}

static const struct kernel_param_ops absent_stopped_ops = {
	.set = absent_stopped_set,
};
module_param_cb(stopped, &absent_stopped_ops, NULL, 0200);
MODULE_PARM_DESC(stopped, "1: it takes no packets");

static int __init absent_init(void)
{
	int err = -ENOMEM;

	absent_parent = platform_device_register_simple("absentdev", -1, NULL, 0);
	if (IS_ERR(absent_parent))
		return PTR_ERR(absent_parent);
	absent_dev = alloc_netdev(0, "absent0", NET_NAME_ENUM, absent_setup);
	if (!absent_dev)
		goto parent;
	SET_NETDEV_DEV(absent_dev, &absent_parent->dev);
	err = register_netdev(absent_dev);
	if (err)
		goto free;
	pm_runtime_enable(&absent_parent->dev);
	pm_runtime_suspend(&absent_parent->dev);
	return 0;
free:
	free_netdev(absent_dev);
	absent_dev = NULL;
parent:
	platform_device_unregister(absent_parent);
	return err;
}

static void __exit absent_exit(void)
{
	pm_runtime_disable(&absent_parent->dev);
	absent_dev->phydev = NULL;
	unregister_netdev(absent_dev);
	platform_device_unregister(absent_parent);
}

module_init(absent_init);
module_exit(absent_exit);
MODULE_DESCRIPTION("Network device that is detached when a test says so");
MODULE_LICENSE("GPL");
