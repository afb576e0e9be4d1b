// SPDX-License-Identifier: GPL-2.0
/*
 * tlsdev: a device looks as if it encrypted kernel TLS.
 *
 * Sockets with kernel TLS whose route leaves by the device are offloaded to it, and send by it what
 * is not encrypted: nothing encrypts it.  When their route changes, the kernel encrypts behind
 * the qdisc of the other device, in copies of the packets.  That is what tests need.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/net_namespace.h>
#include <net/tls.h>

static char *dev = "";
module_param(dev, charp, 0444);
MODULE_PARM_DESC(dev, "name of the device, in the first namespace");

static struct net_device *tlsdev;

static int tlsdev_add(struct net_device *netdev, struct sock *sk,
		      enum tls_offload_ctx_dir direction, struct tls_crypto_info *crypto_info,
		      u32 start_offload_tcp_sn)
{
	return direction == TLS_OFFLOAD_CTX_DIR_TX ? 0 : -EOPNOTSUPP;
}

static void tlsdev_del(struct net_device *netdev, struct tls_context *ctx,
		       enum tls_offload_ctx_dir direction)
{
}

static int tlsdev_resync(struct net_device *netdev, struct sock *sk, u32 seq, u8 *rcd_sn,
			 enum tls_offload_ctx_dir direction)
{
	return 0;
}

static const struct tlsdev_ops tlsdev_ops = {
	.tls_dev_add = tlsdev_add,
	.tls_dev_del = tlsdev_del,
	.tls_dev_resync = tlsdev_resync,
};

static int __init tlsdev_init(void)
{
	tlsdev = dev_get_by_name(&init_net, dev);
	if (!tlsdev)
		return -ENODEV;
	rtnl_lock();
	tlsdev->tlsdev_ops = &tlsdev_ops;
	tlsdev->hw_features |= NETIF_F_HW_TLS_TX;
	tlsdev->wanted_features |= NETIF_F_HW_TLS_TX;
	tlsdev->features |= NETIF_F_HW_TLS_TX;
	rtnl_unlock();
	return 0;
}

static void __exit tlsdev_exit(void)
{
	rtnl_lock();
	tlsdev->features &= ~NETIF_F_HW_TLS_TX;
	tlsdev->wanted_features &= ~NETIF_F_HW_TLS_TX;
	tlsdev->hw_features &= ~NETIF_F_HW_TLS_TX;
	tlsdev->tlsdev_ops = NULL;
	rtnl_unlock();
	dev_put(tlsdev);
}

module_init(tlsdev_init);
module_exit(tlsdev_exit);

MODULE_DESCRIPTION("A device that looks as if it encrypted kernel TLS");
MODULE_LICENSE("GPL");
