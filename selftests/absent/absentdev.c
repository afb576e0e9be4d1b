// SPDX-License-Identifier: GPL-2.0
/*
 * absentdev: a network device that can be detached, as a card is by its driver
 * while that resets it, and that counts who asks it for its clock meanwhile.
 */
#include <linux/ethtool.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/net_tstamp.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#ifdef ABSENT_KERNEL_TS_INFO
#define absent_ts_info	kernel_ethtool_ts_info
#else
#define absent_ts_info	ethtool_ts_info
#endif

static struct net_device *absent_dev;

static uint asked;
module_param(asked, uint, 0644);
MODULE_PARM_DESC(asked, "times that it was asked for its clock while it was there");

static uint asked_absent;
module_param(asked_absent, uint, 0644);
MODULE_PARM_DESC(asked_absent, "times while it was not: a real driver may crash");

static uint outside;
module_param(outside, uint, 0644);
MODULE_PARM_DESC(outside, "times before begin, or behind complete");

static bool begun;

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
		asked_absent++;
	else if (!begun)
		outside++;
	else
		asked++;
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

static void absent_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &absent_netdev_ops;
	dev->ethtool_ops = &absent_ethtool_ops;
	dev->needs_free_netdev = true;
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

static int __init absent_init(void)
{
	int err;

	absent_dev = alloc_netdev(0, "absent0", NET_NAME_ENUM, absent_setup);
	if (!absent_dev)
		return -ENOMEM;
	err = register_netdev(absent_dev);
	if (err) {
		free_netdev(absent_dev);
		absent_dev = NULL;
	}
	return err;
}

static void __exit absent_exit(void)
{
	unregister_netdev(absent_dev);
}

module_init(absent_init);
module_exit(absent_exit);
MODULE_DESCRIPTION("Network device that is detached when a test says so");
MODULE_LICENSE("GPL");
