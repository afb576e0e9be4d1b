// SPDX-License-Identifier: GPL-2.0
/*
 * benchdev: a network device to time qdiscs by.
 *
 * bench0 throws away what it is given, and its parameter depth says when it
 * takes anything.  With 0 it never stops: a packet leaves as it comes, through
 * an empty queue.  With N the first N packets wait; from then on every packet
 * that comes lets one leave, so that the queue has N + 1 packets when one has
 * come and N when one has left, as at a bottleneck that is just saturated.
 * With burst the one that comes after N lets all leave, itself too, and the
 * next N wait again.
 *
 * laps holds the times, in ns, that each 1024 packets took to come, or with
 * burst each N to follow another out.  There are many short ones, so that their
 * median knows nothing of interrupts and of what else the machine does.
 *
 * The device has two queues only so that the stack asks for one of them
 * before each packet is enqueued, which is when a place is made.  All packets
 * take the first.  What this costs is the same for every qdisc.
 */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/sch_generic.h>

#define BENCHDEV_LAP	1024	/* packets */
#define BENCHDEV_MBPS	SPEED_25000
#define BENCHDEV_LAPS	256	/* kept; each takes at most 12 bytes to print */

/**
 * struct benchdev - all there is; written under RTNL or the queue's locks
 * @dev: the device
 * @depth: packets that wait before any leaves, 0 for an open device
 * @waiting: of them, how many have come
 * @burst: let all leave at once
 * @iif: number of the device by which packets seem to have come; 0: this machine sent them
 * @seen: packets of this lap, or of this burst
 * @since: when it began, ns; 0 before the first
 * @laps: how many are in @ns
 * @ns: how long they took
 */
static struct benchdev {
	struct net_device *dev;
	unsigned int depth;
	unsigned int waiting;
	bool burst;
	int iif;
	unsigned int seen;
	u64 since;
	unsigned int laps;
	u64 ns[BENCHDEV_LAPS];
} bench;

static void benchdev_lap(u64 now)
{
	if (bench.since && bench.laps < BENCHDEV_LAPS)
		bench.ns[bench.laps++] = now - bench.since;
	bench.since = now;
}

static u16 benchdev_select_queue(struct net_device *dev, struct sk_buff *skb,
				 struct net_device *sb_dev)
{
	if (!bench.burst && !(bench.seen++ % BENCHDEV_LAP))
		benchdev_lap(ktime_get_ns());
	skb->skb_iif = bench.iif;
	if (!bench.depth)
		return 0;
	if (bench.waiting < bench.depth) {
		bench.waiting++;
		return 0;
	}
	if (bench.burst)
		bench.waiting = 0;
	netif_tx_start_queue(netdev_get_tx_queue(dev, 0));
	return 0;
}

/* Return: true if it was the last of a burst. */
static bool benchdev_burst(void)
{
	if (!bench.seen)
		bench.since = ktime_get_ns();
	if (bench.seen++ < bench.depth)
		return false;
	benchdev_lap(ktime_get_ns());
	bench.seen = 0;
	return true;
}

static netdev_tx_t benchdev_xmit(struct sk_buff *skb, struct net_device *dev)
{
	if (bench.depth && (!bench.burst || benchdev_burst()))
		netif_tx_stop_queue(netdev_get_tx_queue(dev, 0));
	dev_kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops benchdev_netdev_ops = {
	.ndo_select_queue	= benchdev_select_queue,
	.ndo_start_xmit		= benchdev_xmit,
	.ndo_validate_addr	= eth_validate_addr,
};

/* A speed that is known is used: On-Ramp reckons with it at each packet. */
static int benchdev_link(struct net_device *dev,
			 struct ethtool_link_ksettings *link)
{
	link->base.speed = BENCHDEV_MBPS;
	link->base.duplex = DUPLEX_FULL;
	link->base.port = PORT_OTHER;
	return 0;
}

static const struct ethtool_ops benchdev_ethtool_ops = {
	.get_link_ksettings	= benchdev_link,
};

static void benchdev_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &benchdev_netdev_ops;
	dev->ethtool_ops = &benchdev_ethtool_ops;
	/* Packets of many segments come here whole. */
	dev->features |= NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_TSO;
	dev->needs_free_netdev = true;
	dev->flags |= IFF_NOARP;
	dev->flags &= ~IFF_MULTICAST;
	/* Packets wait: pktgen may not send one of them twice. */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	eth_hw_addr_random(dev);
}

static int benchdev_depth_set(const char *val, const struct kernel_param *kp)
{
	struct netdev_queue *txq;
	unsigned int depth;
	int err;

	err = kstrtouint(val, 0, &depth);
	if (err)
		return err;
	if (!bench.dev)
		return -ENODEV;

	rtnl_lock();
	txq = netdev_get_tx_queue(bench.dev, 0);
	netif_tx_lock_bh(bench.dev);
	bench.depth = depth;
	bench.waiting = 0;
	if (depth)
		netif_tx_stop_queue(txq);
	else
		netif_tx_start_queue(txq);
	netif_tx_unlock_bh(bench.dev);
	rtnl_unlock();
	return 0;
}

static int benchdev_depth_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%u\n", bench.depth);
}

/* Whatever is written: forget the times. Nobody sends meanwhile. */
static int benchdev_laps_set(const char *val, const struct kernel_param *kp)
{
	bench.seen = 0;
	bench.since = 0;
	bench.laps = 0;
	return 0;
}

static int benchdev_laps_get(char *buffer, const struct kernel_param *kp)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < bench.laps; i++)
		len += sysfs_emit_at(buffer, len, "%llu ", bench.ns[i]);
	return len + sysfs_emit_at(buffer, len, "\n");
}

static const struct kernel_param_ops benchdev_depth_ops = {
	.set = benchdev_depth_set,
	.get = benchdev_depth_get,
};
module_param_cb(depth, &benchdev_depth_ops, NULL, 0644);
MODULE_PARM_DESC(depth, "packets that wait before any leaves; 0: none waits");

module_param_named(burst, bench.burst, bool, 0644);
MODULE_PARM_DESC(burst, "let all that wait leave at once; set while depth is 0");

module_param_named(iif, bench.iif, int, 0644);
MODULE_PARM_DESC(iif, "number of the device by which packets seem to have come");

static const struct kernel_param_ops benchdev_laps_ops = {
	.set = benchdev_laps_set,
	.get = benchdev_laps_get,
};
module_param_cb(laps, &benchdev_laps_ops, NULL, 0644);
MODULE_PARM_DESC(laps, "ns that 1024 packets took, or bursts; write to forget");

static int __init benchdev_init(void)
{
	int err;

	bench.dev = alloc_netdev_mqs(0, "bench0", NET_NAME_ENUM,
				     benchdev_setup, 2, 1);
	if (!bench.dev)
		return -ENOMEM;
	err = register_netdev(bench.dev);
	if (err) {
		free_netdev(bench.dev);
		bench.dev = NULL;
	}
	return err;
}

static void __exit benchdev_exit(void)
{
	unregister_netdev(bench.dev);
}

module_init(benchdev_init);
module_exit(benchdev_exit);
MODULE_DESCRIPTION("Network device that times qdiscs");
MODULE_LICENSE("GPL");
