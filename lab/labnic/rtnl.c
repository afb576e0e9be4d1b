// SPDX-License-Identifier: GPL-2.0
/* labnic: making, changing, dumping and deleting pairs over rtnetlink. */
#include <linux/etherdevice.h>
#include <linux/if_link.h>
#include <net/net_namespace.h>
#include <net/rtnetlink.h>

#include "labnic.h"

/**
 * struct labnic_param - what is known of a parameter, see LABNIC_PARAMS()
 * @name: name in messages
 * @attr: IFLA_LABNIC_ attribute
 * @offset: of its member in struct labnic_config
 * @min: least value
 * @max: greatest value
 * @preset: default of each profile
 */
struct labnic_param {
	const char *name;
	int attr;
	size_t offset;
	u64 min;
	u64 max;
	u64 preset[LABNIC_PROFILE_MAX + 1];
};

static const struct labnic_param labnic_params[] = {
#define LABNIC_P(NAME, name, min, max, host, sw)		\
	{ #name, IFLA_LABNIC_##NAME,				\
	  offsetof(struct labnic_config, name), min, max, { host, sw } },
	LABNIC_PARAMS(LABNIC_P)
#undef LABNIC_P
};

static const struct nla_policy labnic_policy[IFLA_LABNIC_MAX + 1] = {
	[IFLA_LABNIC_PEER] = { .len = sizeof(struct ifinfomsg) },
	[IFLA_LABNIC_PROFILE] = { .type = NLA_U64 },
	[IFLA_LABNIC_WINDOW_FROM] = { .type = NLA_U64 },
	[IFLA_LABNIC_WINDOW_UNTIL] = { .type = NLA_U64 },
	[IFLA_LABNIC_WINDOW_SAMPLE] = { .type = NLA_U64 },
#define LABNIC_P(NAME, name, min, max, host, sw)		\
	[IFLA_LABNIC_##NAME] = { .type = NLA_U64 },
	LABNIC_PARAMS(LABNIC_P)
#undef LABNIC_P
};

/*
 * Ranges are checked here rather than by the policy, whose message would name
 * neither the parameter nor the range.
 */
static int labnic_check_range(const struct nlattr *attr, const char *name,
			      u64 min, u64 max, struct netlink_ext_ack *extack)
{
	if (!attr || (nla_get_u64(attr) >= min && nla_get_u64(attr) <= max))
		return 0;
	NL_SET_BAD_ATTR(extack, attr);
	NL_SET_ERR_MSG_FMT_MOD(extack, "%s must be %llu to %llu", name, min,
			       max);
	return -ERANGE;
}

static int labnic_check_data(struct nlattr *data[],
			     struct netlink_ext_ack *extack)
{
	int i, err;

	if (!data)
		return 0;
	err = labnic_check_range(data[IFLA_LABNIC_PROFILE], "profile", 0,
				 LABNIC_PROFILE_MAX, extack);
	for (i = 0; !err && i < ARRAY_SIZE(labnic_params); i++) {
		const struct labnic_param *p = &labnic_params[i];

		err = labnic_check_range(data[p->attr], p->name, p->min,
					 p->max, extack);
	}
	return err;
}

static int labnic_validate(struct nlattr *tb[], struct nlattr *data[],
			   struct netlink_ext_ack *extack)
{
	if (tb[IFLA_ADDRESS] &&
	    (nla_len(tb[IFLA_ADDRESS]) != ETH_ALEN ||
	     !is_valid_ether_addr(nla_data(tb[IFLA_ADDRESS])))) {
		NL_SET_BAD_ATTR(extack, tb[IFLA_ADDRESS]);
		NL_SET_ERR_MSG_MOD(extack,
				   "address must be a unicast MAC address");
		return -EADDRNOTAVAIL;
	}
	return labnic_check_data(data, extack);
}

/* The parameters of a new port: the profile's, overlaid by what is given. */
static void labnic_config_read(struct labnic_config *config,
			       struct nlattr *data[])
{
	u64 profile = LABNIC_PROFILE_HOST;
	int i;

	if (data && data[IFLA_LABNIC_PROFILE])
		profile = nla_get_u64(data[IFLA_LABNIC_PROFILE]);
	for (i = 0; i < ARRAY_SIZE(labnic_params); i++) {
		const struct labnic_param *p = &labnic_params[i];
		u64 *value = (void *)config + p->offset;

		*value = p->preset[profile];
		if (data && data[p->attr])
			*value = nla_get_u64(data[p->attr]);
	}
	if (!config->pause)
		return;
	if (!data[IFLA_LABNIC_TSO])
		config->tso = 0;
	if (!data[IFLA_LABNIC_GSO])
		config->gso = 0;
}

/*
 * A port without an address given gets one from its number: the same at
 * every run of the same script, and never the same for two ports.
 */
static void labnic_address(struct net_device *dev, struct nlattr *tb[])
{
	struct labnic_port *port = netdev_priv(dev);
	u8 addr[ETH_ALEN] = { 0x02, 0x4c, 0x4e, port->number >> 16,
			      port->number >> 8, port->number };

	if (!tb || !tb[IFLA_ADDRESS])
		eth_hw_addr_set(dev, addr);
}

static int labnic_register(struct net_device *dev, struct nlattr *tb[],
			   struct nlattr *data[])
{
	static u32 number; /* RTNL */
	struct labnic_port *port = netdev_priv(dev);
	int err;

	port->number = number++;
	labnic_config_read(&port->config, data);
	labnic_address(dev, tb);
	err = register_netdevice(dev);
	if (err)
		return err;
	netif_carrier_off(dev);
	labnic_features(dev);
	return 0;
}

/* IFLA_LINKINFO { IFLA_INFO_DATA } of the peer's attributes, checked. */
static int labnic_peer_data(struct nlattr *tb[], struct nlattr *data[],
			    struct netlink_ext_ack *extack)
{
	struct nlattr *info[IFLA_INFO_MAX + 1];
	int err;

	if (!tb[IFLA_LINKINFO])
		return 0;
	err = nla_parse_nested_deprecated(info, IFLA_INFO_MAX,
					  tb[IFLA_LINKINFO], NULL, extack);
	if (err || !info[IFLA_INFO_DATA])
		return err;
	return nla_parse_nested_deprecated(data, IFLA_LABNIC_MAX,
					   info[IFLA_INFO_DATA], labnic_policy,
					   extack);
}

static struct net_device *labnic_peer_create(struct net *src_net,
					     struct nlattr *nla,
					     struct netlink_ext_ack *extack)
{
	const struct ifinfomsg *head = nla ? nla_data(nla) : NULL;
	struct nlattr *data[IFLA_LABNIC_MAX + 1] = {};
	struct nlattr *tb[IFLA_MAX + 1] = {};
	char name[IFNAMSIZ] = LABNIC_KIND "%d";
	struct net_device *peer;
	struct net *net;
	int err = 0;

	if (nla) {
		err = rtnl_nla_parse_ifinfomsg(tb, nla, extack);
		if (!err)
			err = labnic_peer_data(tb, data, extack);
		if (!err)
			err = labnic_validate(tb, data, extack);
	}
	if (err)
		return ERR_PTR(err);
	if (tb[IFLA_IFNAME])
		nla_strscpy(name, tb[IFLA_IFNAME], IFNAMSIZ);
	net = rtnl_link_get_net(src_net, tb);
	if (IS_ERR(net))
		return ERR_CAST(net);
	peer = rtnl_create_link(net, name,
				tb[IFLA_IFNAME] ? NET_NAME_USER : NET_NAME_ENUM,
				&labnic_link_ops, tb, extack);
	if (!IS_ERR(peer)) {
		if (head)
			peer->ifindex = head->ifi_index;
		err = labnic_register(peer, tb, data);
		if (err) {
			free_netdev(peer);
			peer = ERR_PTR(err);
		}
	}
	put_net(net);
	return peer;
}

/* Does each of two ports go together with the other? */
static int labnic_check_pair(const struct net_device *dev, const struct net_device *peer,
			     struct netlink_ext_ack *extack)
{
	const struct labnic_config *one = &((struct labnic_port *)netdev_priv(dev))->config;
	const struct labnic_config *two = &((struct labnic_port *)netdev_priv(peer))->config;
	const char *name = labnic_pause_conflict(one, two) ?: labnic_pause_conflict(two, one);

	if (!name)
		return 0;
	NL_SET_ERR_MSG_FMT_MOD(extack, "pause=1 needs %s=0", name);
	return -EINVAL;
}

static void labnic_join(struct net_device *dev, struct net_device *peer)
{
	struct labnic_port *port = netdev_priv(dev);

	rcu_assign_pointer(port->peer, peer);
}

static int labnic_newlink(struct net *src_net, struct net_device *dev,
			  struct nlattr *tb[], struct nlattr *data[],
			  struct netlink_ext_ack *extack)
{
	struct nlattr *nla = data ? data[IFLA_LABNIC_PEER] : NULL;
	struct net_device *peer;
	int err;

	peer = labnic_peer_create(src_net, nla, extack);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	err = labnic_register(dev, tb, data);
	if (err)
		goto unregister_peer;
	err = labnic_check_pair(dev, peer, extack);
	if (err)
		goto unregister_both;
	labnic_join(dev, peer);
	labnic_join(peer, dev);
	/* Only now, for it may set the peer up. */
	err = rtnl_configure_link(peer, nla ? nla_data(nla) : NULL, 0, NULL);
	if (err)
		goto unregister_both;
	return 0;

unregister_both:
	labnic_join(dev, NULL);
	labnic_join(peer, NULL);
	unregister_netdevice(dev);
unregister_peer:
	unregister_netdevice(peer);
	return err;
}

static int labnic_changelink(struct net_device *dev, struct nlattr *tb[],
			     struct nlattr *data[],
			     struct netlink_ext_ack *extack)
{
	u64 sample_ns = 0;
	int i;

	for (i = 0; data && i <= IFLA_LABNIC_MAX; i++) {
		if (!data[i] || i == IFLA_LABNIC_WINDOW_FROM ||
		    i == IFLA_LABNIC_WINDOW_UNTIL ||
		    i == IFLA_LABNIC_WINDOW_SAMPLE)
			continue;
		NL_SET_ERR_MSG_ATTR(extack, data[i],
				    "labnic: fixed when the pair is made");
		return -EOPNOTSUPP;
	}
	if (!data || !data[IFLA_LABNIC_WINDOW_FROM] ||
	    !data[IFLA_LABNIC_WINDOW_UNTIL]) {
		NL_SET_ERR_MSG_MOD(extack, "window needs both from and until");
		return -EINVAL;
	}
	if (data[IFLA_LABNIC_WINDOW_SAMPLE])
		sample_ns = nla_get_u64(data[IFLA_LABNIC_WINDOW_SAMPLE]);
	return labnic_queue_watch(netdev_priv(dev),
				  nla_get_u64(data[IFLA_LABNIC_WINDOW_FROM]),
				  nla_get_u64(data[IFLA_LABNIC_WINDOW_UNTIL]),
				  sample_ns, extack);
}

static void labnic_dellink(struct net_device *dev, struct list_head *head)
{
	struct labnic_port *port = netdev_priv(dev);
	struct net_device *peer = rtnl_dereference(port->peer);

	labnic_join(dev, NULL);
	unregister_netdevice_queue(dev, head);
	/* The peer may have been the first of the two to be deleted. */
	if (!peer)
		return;
	labnic_join(peer, NULL);
	unregister_netdevice_queue(peer, head);
}

static size_t labnic_get_size(const struct net_device *dev)
{
	return ARRAY_SIZE(labnic_params) * nla_total_size_64bit(sizeof(u64));
}

static int labnic_fill_info(struct sk_buff *skb, const struct net_device *dev)
{
	const struct labnic_port *port = netdev_priv(dev);
	int i, err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(labnic_params); i++) {
		const struct labnic_param *p = &labnic_params[i];
		const u64 *value = (const void *)&port->config + p->offset;

		err = nla_put_u64_64bit(skb, p->attr, READ_ONCE(*value),
					IFLA_LABNIC_PAD);
	}
	return err;
}

static struct net *labnic_get_link_net(const struct net_device *dev)
{
	const struct labnic_port *port = netdev_priv(dev);
	struct net_device *peer = rtnl_dereference(port->peer);

	return peer ? dev_net(peer) : dev_net(dev);
}

/* As many queues as IFLA_NUM_TX_QUEUES asks for, else one. */
static unsigned int labnic_one_queue(void)
{
	return 1;
}

struct rtnl_link_ops labnic_link_ops = {
	.kind			= LABNIC_KIND,
	.priv_size		= sizeof(struct labnic_port),
	.setup			= labnic_setup,
	.maxtype		= IFLA_LABNIC_MAX,
	.policy			= labnic_policy,
	.validate		= labnic_validate,
	.newlink		= labnic_newlink,
	.changelink		= labnic_changelink,
	.dellink		= labnic_dellink,
	.get_size		= labnic_get_size,
	.fill_info		= labnic_fill_info,
	.get_link_net		= labnic_get_link_net,
	.get_num_tx_queues	= labnic_one_queue,
	.get_num_rx_queues	= labnic_one_queue,
};
