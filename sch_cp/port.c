// SPDX-License-Identifier: GPL-2.0
/*
 * Ports of a namespace: they come and go, and their devices change.
 */
#include <linux/idr.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "cp.h"

static unsigned int cp_net_id;

/* A device's speed, bit/s; 0: it does not know. */
static u64 cp_port_speed(struct net_device *dev)
{
	struct ethtool_link_ksettings link = {};

	if (compat_link_settings(dev, &link) || (s32)link.base.speed <= 0)
		return 0;
	return link.base.speed * 1000000ULL;
}

/* The device's speed or address may have changed. */
static void cp_port_read_device(struct cp_port *q, u64 bps)
{
	struct net_device *dev = qdisc_dev(q->sch);

	q->count.link_bps = bps;
	q->link_bps = bps ? bps : CP_LINK_BPS;
	q->quantum = max_t(u32, psched_mtu(dev), ETH_HLEN);
	ether_addr_copy(q->mac, dev->dev_addr);
}

static int cp_port_hook(struct cp_port *q, struct netlink_ext_ack *extack)
{
	struct net_device *dev = qdisc_dev(q->sch);
	int err;

	q->hook = (struct nf_hook_ops){
		.hook = cp_ingress_hook,
		.dev = dev,
		.priv = q,
		.pf = NFPROTO_NETDEV,
		.hooknum = NF_NETDEV_INGRESS,
		.priority = INT_MIN,
	};
	err = compat_ingress_hook(dev_net(dev), &q->hook);
	if (err == -EOPNOTSUPP)
		NL_SET_ERR_MSG(extack,
			       "PAUSE cannot be obeyed: the kernel has no CONFIG_NETFILTER_INGRESS");
	q->hooked = !err;
	return err;
}

/* Frames of which input count where is looked up again. */
static void cp_port_changed(struct cp_net *cn)
{
	/* After the table, see cp_voq_search(). */
	smp_store_release(&cn->gen, cn->gen + 1);
}

/**
 * cp_port_create() - a port comes; nobody knows it yet
 * @q: the port
 * @extack: gets the reason of a refusal
 *
 * Context: RTNL; may sleep.
 * Return: 0, or an error; cp_port_destroy() is called in any case.
 */
int cp_port_create(struct cp_port *q, struct netlink_ext_ack *extack)
{
	struct cp_input *in;

	if (qdisc_dev(q->sch)->type != ARPHRD_ETHER) {
		NL_SET_ERR_MSG(extack, "cp needs an Ethernet device");
		return -EOPNOTSUPP;
	}
	q->net = net_generic(dev_net(qdisc_dev(q->sch)), cp_net_id);
	in = cp_input_create(q);
	if (IS_ERR(in))
		return PTR_ERR(in);
	q->input = in;
	cp_port_read_device(q, cp_port_speed(qdisc_dev(q->sch)));
	return cp_port_hook(q, extack);
}

/**
 * cp_port_publish() - others may find the port
 * @q: the port, with its settings
 *
 * Context: RTNL.
 */
void cp_port_publish(struct cp_port *q)
{
	struct cp_input *in = q->input;

	list_add_tail(&q->list, &q->net->ports);
	hlist_add_head_rcu(&in->node, &q->net->inputs[in->ifindex % CP_INPUT_BUCKETS]);
	cp_port_changed(q->net);
}

/* Nobody finds the input any more, and no port has a VOQ of it that is empty. */
static void cp_port_withdraw(struct cp_port *q)
{
	struct cp_port *other;

	if (list_empty(&q->list))
		return;
	list_del_init(&q->list);
	hlist_del_rcu(&q->input->node);
	WRITE_ONCE(q->input->dead, true);
	cp_port_changed(q->net);
	list_for_each_entry(other, &q->net->ports, list) {
		spin_lock_bh(qdisc_lock(other->sch));
		cp_voq_forget(other, q->input);
		spin_unlock_bh(qdisc_lock(other->sch));
	}
}

/**
 * cp_port_destroy() - a port goes
 * @q: the port; no frame waits for it
 *
 * Context: RTNL; may sleep.
 */
void cp_port_destroy(struct cp_port *q)
{
	struct cp_occupancy occupancy = {};

	if (q->hooked) {
		compat_ingress_unhook(dev_net(qdisc_dev(q->sch)), &q->hook);
		/* If creation failed, some kernels free the qdisc at once. */
		synchronize_net();
	}
	q->hooked = false;
	if (!q->input)
		return;
	cp_port_withdraw(q);
	spin_lock_bh(qdisc_lock(q->sch));
	cp_voq_forget(q, NULL);
	cp_input_purge(q->input);
	cp_input_orphan(q->input, &occupancy);
	spin_unlock_bh(qdisc_lock(q->sch));
	cp_point_free(&occupancy);
	cp_point_free(&q->point.occupancy);
	cp_input_put(q->input);
	q->input = NULL;
}

/* A device is up, has another speed, address or MTU. */
static void cp_port_refresh(struct cp_port *q)
{
	u64 bps = cp_port_speed(qdisc_dev(q->sch));

	spin_lock_bh(qdisc_lock(q->sch));
	q->now_ns = 0;
	cp_port_read_device(q, bps);
	cp_input_set(q, &q->settings);
	cp_fecn_set(q, &q->settings);
	spin_unlock_bh(qdisc_lock(q->sch));
	cp_control_schedule(q->sch);
}

static int cp_port_event(struct notifier_block *unused, unsigned long event, void *info)
{
	struct net_device *dev = netdev_notifier_info_to_dev(info);
	struct cp_net *cn = net_generic(dev_net(dev), cp_net_id);
	struct cp_port *q;

	if (event != NETDEV_UP && event != NETDEV_CHANGE && event != NETDEV_CHANGEADDR &&
	    event != NETDEV_CHANGEMTU)
		return NOTIFY_DONE;
	list_for_each_entry(q, &cn->ports, list)
		if (qdisc_dev(q->sch) == dev)
			cp_port_refresh(q);
	return NOTIFY_DONE;
}

static struct notifier_block cp_port_notifier = {
	.notifier_call = cp_port_event,
};

static int __net_init cp_net_init(struct net *net)
{
	struct cp_net *cn = net_generic(net, cp_net_id);

	INIT_LIST_HEAD(&cn->ports);
	ida_init(&cn->minors);
	return 0;
}

static void __net_exit cp_net_exit(struct net *net)
{
	struct cp_net *cn = net_generic(net, cp_net_id);

	WARN_ON_ONCE(!list_empty(&cn->ports));
	ida_destroy(&cn->minors);
}

static struct pernet_operations cp_net_ops = {
	.init = cp_net_init,
	.exit = cp_net_exit,
	.id = &cp_net_id,
	.size = sizeof(struct cp_net),
};

/**
 * cp_port_register() - from here on there may be ports
 *
 * Return: 0 or an error.
 */
int cp_port_register(void)
{
	int err = register_pernet_subsys(&cp_net_ops);

	if (err)
		return err;
	err = register_netdevice_notifier(&cp_port_notifier);
	if (err)
		unregister_pernet_subsys(&cp_net_ops);
	return err;
}

/** cp_port_unregister() - there are no ports any more; what runs for them still is waited for */
void cp_port_unregister(void)
{
	unregister_netdevice_notifier(&cp_port_notifier);
	unregister_pernet_subsys(&cp_net_ops);
	synchronize_net();
}
