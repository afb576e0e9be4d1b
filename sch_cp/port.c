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

/* A flow's hash is read from headers, which may change under the lock of a frame's input. */
static void cp_port_hash(struct sk_buff *skb)
{
	struct cp_input *in = cp_cb(skb)->voq->input;

	if (!in) {
		skb_get_hash(skb);
		return;
	}
	spin_lock(&in->lock);
	skb_get_hash(skb);
	spin_unlock(&in->lock);
}

/* Give a queue's frames slots, or take them. */
static void cp_port_slots_of(struct cp_fifo *f, struct cp_point *point,
			     const struct cp_input *in, bool give)
{
	unsigned long mask = f->filled;
	struct sk_buff *skb;
	u32 class;

	for_each_set_bit(class, &mask, CP_CLASSES) {
		for (skb = f->list[class].head; skb; skb = skb->next) {
			const struct cp_cb *cb = cp_cb(skb);
			u32 slot = in ? cb->slot_in : cb->slot_out;

			if (slot == CP_OUTSIDE || (in && cb->voq->input != in))
				continue;
			if (!give) {
				cp_point_remove(point, skb);
			} else if (slot == CP_NO_SLOT) {
				if (!in)
					cp_port_hash(skb);
				cp_point_add(point, skb);
			}
		}
	}
}

/* Likewise for all queues of a port, of an input's frames or, if that is NULL, of all. */
static void cp_port_slots_queues(struct cp_port *q, struct cp_point *point,
				 const struct cp_input *in, bool give)
{
	struct cp_voq *voq;
	u32 i;

	cp_port_slots_of(&q->fifo, point, in, give);
	cp_port_slots_of(&q->local.fifo, point, in, give);
	cp_port_slots_of(&q->foreign.fifo, point, in, give);
	for (i = 0; i < ARRAY_SIZE(q->voqs); i++)
		hlist_for_each_entry(voq, &q->voqs[i], node)
			cp_port_slots_of(&voq->fifo, point, in, give);
}

/* An output's congestion point is protected by the root lock, an input's by the input's. */
static void cp_port_slots(struct cp_port *q, struct cp_point *point, struct cp_input *in,
			  bool give)
{
	spin_lock_bh(qdisc_lock(q->sch));
	if (!in) {
		cp_port_slots_queues(q, point, in, give);
	} else {
		spin_lock(&in->lock);
		cp_port_slots_queues(q, point, in, give);
		spin_unlock(&in->lock);
	}
	spin_unlock_bh(qdisc_lock(q->sch));
}

static void cp_port_slots_all(struct cp_port *q, u8 at, bool give)
{
	struct cp_port *other;

	if (at == CP_AT_OUTPUT) {
		cp_port_slots(q, &q->point, NULL, give);
		return;
	}
	list_for_each_entry(other, &q->net->ports, list)
		cp_port_slots(other, &q->input->point, q->input, give);
}

/* No frame gets a slot, and no sender is notified, until all is set. */
static void cp_port_stop(struct cp_point *point)
{
	point->law = CP_LAW_NONE;
	point->sampling = false;
}

static void cp_port_start(struct cp_point *point, u8 sample, struct cp_occupancy *occupancy)
{
	swap(point->occupancy, *occupancy);
	point->sample = sample;
	point->sampling = point->occupancy.size;
}

/**
 * cp_port_resample() - give the frames of a congestion point's queue other slots
 * @q: its port
 * @at: CP_AT_*, its side
 * @sample: CP_SAMPLE_*
 * @occupancy: memory of slots; what was in use before is here afterwards
 *
 * The congestion point has no law from then on, until cp_point_set().
 *
 * Context: RTNL, no lock of a port; may take long.
 */
void cp_port_resample(struct cp_port *q, u8 at, u8 sample, struct cp_occupancy *occupancy)
{
	struct cp_input *in = q->input;

	spin_lock_bh(qdisc_lock(q->sch));
	spin_lock(&in->lock);
	cp_port_stop(at == CP_AT_INPUT ? &in->point : &q->point);
	spin_unlock(&in->lock);
	spin_unlock_bh(qdisc_lock(q->sch));
	cp_port_slots_all(q, at, false);
	spin_lock_bh(qdisc_lock(q->sch));
	spin_lock(&in->lock);
	cp_port_start(at == CP_AT_INPUT ? &in->point : &q->point, sample, occupancy);
	spin_unlock(&in->lock);
	spin_unlock_bh(qdisc_lock(q->sch));
	cp_port_slots_all(q, at, true);
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
	cp_input_purge(q->input, true);
	spin_unlock_bh(qdisc_lock(q->sch));
	cp_port_resample(q, CP_AT_INPUT, CP_SAMPLE_ARRIVAL, &occupancy);
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
