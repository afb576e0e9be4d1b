// SPDX-License-Identifier: GPL-2.0
/* What the stack dropped at a port, see drops.h. */
#include <linux/hashtable.h>
#include <linux/spinlock.h>
#include <trace/events/skb.h>

#include "labnic.h"

/*
 * skb->dev shares its place with other members, so that it may be no device at
 * all: it is looked up here before it is followed.  Where a device lies in memory
 * decides only the bucket, nothing that a run shows.
 */
static DEFINE_HASHTABLE(labnic_drops_ports, 8);
static DEFINE_SPINLOCK(labnic_drops_lock);

static struct labnic_port *labnic_drops_find(const struct net_device *dev)
{
	struct labnic_port *port;

	hash_for_each_possible_rcu(labnic_drops_ports, port, drops.node,
				   (unsigned long)dev)
		if (port->dev == dev)
			return port;
	return NULL;
}

/* Above IP the Ethernet header is behind data, below it is part of len. */
static u32 labnic_drops_bytes(const struct sk_buff *skb)
{
	int behind = skb_mac_header_was_set(skb) ? -skb_mac_offset(skb) : 0;

	return skb->len + max(behind, 0);
}

static void labnic_drops_count(void *unused, struct sk_buff *skb,
			       void *location, enum skb_drop_reason reason,
			       struct sock *rx_sk)
{
	struct labnic_drop_count *count;
	struct labnic_port *port;

	rcu_read_lock();
	port = labnic_drops_find(skb->dev);
	if (port && !labnic_control_is(skb)) {
		if (reason >= SKB_DROP_REASON_MAX)
			reason = SKB_DROP_REASON_NOT_SPECIFIED;
		count = &port->drops.count[reason];
		atomic64_add(max_t(u32, skb_shinfo(skb)->gso_segs, 1),
			     &count->pkts);
		atomic64_add(labnic_drops_bytes(skb), &count->bytes);
	}
	rcu_read_unlock();
}

/**
 * labnic_drops_attach() - begin to count a port's drops
 * @port: port, its device about to be registered
 */
void labnic_drops_attach(struct labnic_port *port)
{
	spin_lock_bh(&labnic_drops_lock);
	hash_add_rcu(labnic_drops_ports, &port->drops.node,
		     (unsigned long)port->dev);
	spin_unlock_bh(&labnic_drops_lock);
}

/**
 * labnic_drops_detach() - end it
 * @port: port; its device is freed a grace period later, as all devices are
 */
void labnic_drops_detach(struct labnic_port *port)
{
	spin_lock_bh(&labnic_drops_lock);
	hash_del_rcu(&port->drops.node);
	spin_unlock_bh(&labnic_drops_lock);
}

/**
 * labnic_drops_name() - the kernel's name of a reason
 * @reason: below SKB_DROP_REASON_MAX
 *
 * Return: the name, without the enum's prefix; it belongs to the kernel image.
 */
const char *labnic_drops_name(unsigned int reason)
{
	const struct drop_reason_list *list;
	const char *name = NULL;

	rcu_read_lock();
	list = rcu_dereference(drop_reasons_by_subsys[SKB_DROP_REASON_SUBSYS_CORE]);
	if (list && reason < list->n_reasons)
		name = list->reasons[reason];
	rcu_read_unlock();
	return name ? name : "UNKNOWN";
}

/**
 * labnic_drops_init() - listen to the trace point
 *
 * Return: 0 or a negative errno.
 */
int __init labnic_drops_init(void)
{
	return register_trace_kfree_skb(labnic_drops_count, NULL);
}

/**
 * labnic_drops_exit() - undo labnic_drops_init()
 */
void labnic_drops_exit(void)
{
	unregister_trace_kfree_skb(labnic_drops_count, NULL);
	tracepoint_synchronize_unregister();
}
