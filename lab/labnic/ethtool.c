// SPDX-License-Identifier: GPL-2.0
/* labnic: what ethtool shows and sets. */
#include <linux/ethtool.h>
#include <linux/netdevice.h>

#include "labnic.h"

static const char labnic_stat_names[][ETH_GSTRING_LEN] = {
#define LABNIC_S(name) #name,
	LABNIC_STATS(LABNIC_S)
#undef LABNIC_S
};

static void labnic_get_drvinfo(struct net_device *dev,
			       struct ethtool_drvinfo *info)
{
	strscpy(info->driver, LABNIC_KIND, sizeof(info->driver));
}

static int labnic_get_sset_count(struct net_device *dev, int set)
{
	return set == ETH_SS_STATS ? ARRAY_SIZE(labnic_stat_names) :
				     -EOPNOTSUPP;
}

static void labnic_get_strings(struct net_device *dev, u32 set, u8 *data)
{
	if (set == ETH_SS_STATS)
		memcpy(data, labnic_stat_names, sizeof(labnic_stat_names));
}

/* struct labnic_stats is an array of u64 in the order of the names. */
static void labnic_get_ethtool_stats(struct net_device *dev,
				     struct ethtool_stats *stats, u64 *data)
{
	struct labnic_port *port = netdev_priv(dev);
	const u64 *value = (const u64 *)&port->stats;
	int i;

	spin_lock_bh(&port->tx_lock);
	labnic_pause_settle(port, ktime_get_ns());
	spin_unlock_bh(&port->tx_lock);

	BUILD_BUG_ON(sizeof(port->stats) !=
		     ARRAY_SIZE(labnic_stat_names) * sizeof(*value));
	for (i = 0; i < ARRAY_SIZE(labnic_stat_names); i++)
		data[i] = READ_ONCE(value[i]);
}

static void labnic_get_ringparam(struct net_device *dev,
				 struct ethtool_ringparam *ring,
				 struct kernel_ethtool_ringparam *kernel_ring,
				 struct netlink_ext_ack *extack)
{
	const struct labnic_port *port = netdev_priv(dev);

	ring->tx_max_pending = port->config.ring;
	ring->tx_pending = port->config.ring;
}

/* A MAC never pauses its peer by itself: software does, by frames. */
static void labnic_get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	const struct labnic_port *port = netdev_priv(dev);

	pause->rx_pause = port->config.pause;
}

static void labnic_get_pause_stats(struct net_device *dev, struct ethtool_pause_stats *stats)
{
	const struct labnic_port *port = netdev_priv(dev);

	if (port->config.pause)
		stats->rx_pause_frames = READ_ONCE(port->stats.rx_pause);
}

static int labnic_get_coalesce(struct net_device *dev,
			       struct ethtool_coalesce *ec,
			       struct kernel_ethtool_coalesce *kernel_ec,
			       struct netlink_ext_ack *extack)
{
	const struct labnic_port *port = netdev_priv(dev);

	ec->rx_coalesce_usecs = div_u64(port->config.rx_ns, NSEC_PER_USEC);
	ec->rx_max_coalesced_frames = port->config.rx_frames;
	ec->tx_coalesce_usecs = div_u64(port->config.tx_ns, NSEC_PER_USEC);
	return 0;
}

static int labnic_set_coalesce(struct net_device *dev,
			       struct ethtool_coalesce *ec,
			       struct kernel_ethtool_coalesce *kernel_ec,
			       struct netlink_ext_ack *extack)
{
	enum { LABNIC_USECS_MAX = 10000, LABNIC_FRAMES_MAX = 4096 };
	struct labnic_port *port = netdev_priv(dev);

	if (ec->rx_coalesce_usecs > LABNIC_USECS_MAX ||
	    ec->tx_coalesce_usecs > LABNIC_USECS_MAX) {
		NL_SET_ERR_MSG_MOD(extack,
				   "rx-usecs and tx-usecs must be 0 to 10000");
		return -ERANGE;
	}
	if (ec->rx_max_coalesced_frames > LABNIC_FRAMES_MAX) {
		NL_SET_ERR_MSG_MOD(extack, "rx-frames must be 0 to 4096");
		return -ERANGE;
	}
	WRITE_ONCE(port->config.rx_ns, ec->rx_coalesce_usecs * NSEC_PER_USEC);
	WRITE_ONCE(port->config.rx_frames, ec->rx_max_coalesced_frames);
	WRITE_ONCE(port->config.tx_ns, ec->tx_coalesce_usecs * NSEC_PER_USEC);
	return 0;
}

static int labnic_get_link_ksettings(struct net_device *dev,
				     struct ethtool_link_ksettings *cmd)
{
	const struct labnic_port *port = netdev_priv(dev);

	cmd->base.speed = div_u64(port->config.rate, 1000000);
	cmd->base.duplex = DUPLEX_FULL;
	cmd->base.port = PORT_OTHER;
	cmd->base.autoneg = AUTONEG_DISABLE;
	return 0;
}

static int labnic_get_ts_info(struct net_device *dev,
			      struct kernel_ethtool_ts_info *info)
{
	int err = ethtool_op_get_ts_info(dev, info);

	if (!err)
		labnic_phc_ts_info(netdev_priv(dev), info);
	return err;
}

const struct ethtool_ops labnic_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_RX_USECS |
				     ETHTOOL_COALESCE_RX_MAX_FRAMES |
				     ETHTOOL_COALESCE_TX_USECS,
	.get_drvinfo		= labnic_get_drvinfo,
	.get_link		= ethtool_op_get_link,
	.get_link_ksettings	= labnic_get_link_ksettings,
	.get_sset_count		= labnic_get_sset_count,
	.get_strings		= labnic_get_strings,
	.get_ethtool_stats	= labnic_get_ethtool_stats,
	.get_ringparam		= labnic_get_ringparam,
	.get_pauseparam		= labnic_get_pauseparam,
	.get_pause_stats	= labnic_get_pause_stats,
	.get_coalesce		= labnic_get_coalesce,
	.set_coalesce		= labnic_set_coalesce,
	.get_ts_info		= labnic_get_ts_info,
};
