// SPDX-License-Identifier: GPL-2.0
/* labnic: the device and its life. */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/rtnetlink.h>

#include "labnic.h"

/* What the NIC can do besides TSO; all of it also beneath a VLAN device. */
#define LABNIC_FEATURES (NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_HIGHDMA)
#define LABNIC_TSO (NETIF_F_TSO | NETIF_F_TSO6 | NETIF_F_TSO_ECN)

static int labnic_init(struct net_device *dev)
{
	struct labnic_port *port = netdev_priv(dev);
	int err;

	netdev_lockdep_set_classes(dev);
	/* What PAUSE holds must be frame by frame. */
	if (port->config.pause) {
		dev->hw_features &= ~LABNIC_TSO;
		dev->features &= ~LABNIC_TSO;
	}
	labnic_wire_init(&port->wire, port->config.rate);
	err = labnic_rings_alloc(port);
	if (err)
		return err;
	err = labnic_phc_attach(port);
	if (err) {
		labnic_rings_free(port);
		return err;
	}
	labnic_tx_attach(port);
	labnic_irq_attach(port);
	labnic_poll_attach(port);
	labnic_drops_attach(port);
	return 0;
}

static void labnic_uninit(struct net_device *dev)
{
	struct labnic_port *port = netdev_priv(dev);

	labnic_drops_detach(port);
	labnic_tx_cut(port);
	labnic_queue_unwatch(port);
	labnic_phc_detach(port);
	labnic_rings_free(port);
}

/* A link is up when both its ends are. */
static int labnic_open(struct net_device *dev)
{
	struct labnic_port *port = netdev_priv(dev);
	struct net_device *peer = rtnl_dereference(port->peer);

	if (!peer)
		return -ENOTCONN;
	labnic_irq_open(port);
	netif_tx_start_all_queues(dev);
	if (peer->flags & IFF_UP) {
		netif_carrier_on(dev);
		netif_carrier_on(peer);
	}
	return 0;
}

static int labnic_stop(struct net_device *dev)
{
	struct labnic_port *port = netdev_priv(dev);
	struct net_device *peer = rtnl_dereference(port->peer);

	netif_carrier_off(dev);
	labnic_irq_stop(port);
	labnic_pause_stop(port);
	labnic_tx_cut(port);
	if (peer) {
		netif_carrier_off(peer);
		labnic_flight_cut(netdev_priv(peer));
	}
	return 0;
}

static void labnic_get_stats64(struct net_device *dev,
			       struct rtnl_link_stats64 *stats)
{
	const struct labnic_port *port = netdev_priv(dev);
	const struct labnic_stats *s = &port->stats;

	stats->tx_packets = READ_ONCE(s->tx_packets);
	stats->tx_bytes = READ_ONCE(s->tx_bytes);
	stats->rx_packets = READ_ONCE(s->rx_packets);
	stats->rx_bytes = READ_ONCE(s->rx_bytes);
	stats->tx_dropped = READ_ONCE(s->tx_drop_no_memory) +
			    READ_ONCE(s->tx_drop_no_carrier) +
			    READ_ONCE(s->tx_drop_link_down);
	stats->rx_length_errors = READ_ONCE(s->rx_drop_oversize);
	stats->rx_errors = stats->rx_length_errors;
}

static int labnic_get_iflink(const struct net_device *dev)
{
	const struct labnic_port *port = netdev_priv(dev);
	struct net_device *peer;
	int iflink = 0;

	rcu_read_lock();
	peer = rcu_dereference(port->peer);
	if (peer)
		iflink = READ_ONCE(peer->ifindex);
	rcu_read_unlock();
	return iflink;
}

static const struct net_device_ops labnic_netdev_ops = {
	.ndo_init		= labnic_init,
	.ndo_uninit		= labnic_uninit,
	.ndo_open		= labnic_open,
	.ndo_stop		= labnic_stop,
	.ndo_start_xmit		= labnic_xmit,
	.ndo_get_stats64	= labnic_get_stats64,
	.ndo_get_iflink		= labnic_get_iflink,
	.ndo_set_mac_address	= eth_mac_addr,
	.ndo_validate_addr	= eth_validate_addr,
	.ndo_features_check	= passthru_features_check,
	.ndo_hwtstamp_get	= labnic_phc_hwtstamp_get,
	.ndo_hwtstamp_set	= labnic_phc_hwtstamp_set,
};

/**
 * labnic_setup() - set up a new device, before its parameters are known
 * @dev: device
 */
void labnic_setup(struct net_device *dev)
{
	struct labnic_port *port = netdev_priv(dev);

	ether_setup(dev);
	/* Buffers wait in this driver's lists: none may be shared (pktgen). */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_DISABLE_NETPOLL;
	dev->netdev_ops = &labnic_netdev_ops;
	onramp_hook_register(dev);
	dev->ethtool_ops = &labnic_ethtool_ops;
	dev->needs_free_netdev = true;
	dev->max_mtu = ETH_MAX_MTU - ETH_HLEN - VLAN_HLEN;
	dev->vlan_features = LABNIC_FEATURES | LABNIC_TSO;
	dev->hw_features = LABNIC_FEATURES | LABNIC_TSO;
	dev->features = dev->hw_features;

	port->dev = dev;
	spin_lock_init(&port->tx_lock);
	__skb_queue_head_init(&port->flight);
	labnic_irq_setup(port);
	labnic_pause_setup(port);
}

/**
 * labnic_features() - switch on and off what the parameters say
 * @dev: registered device, RTNL held
 *
 * These are the wishes that ethtool -K changes later.
 */
void labnic_features(struct net_device *dev)
{
	const struct labnic_port *port = netdev_priv(dev);

	if (!port->config.tso)
		dev->wanted_features &= ~LABNIC_TSO;
	if (!port->config.gso)
		dev->wanted_features &= ~NETIF_F_GSO;
	if (!port->config.gro)
		dev->wanted_features &= ~NETIF_F_GRO;
	netdev_update_features(dev);
}
