// SPDX-License-Identifier: GPL-2.0
/*
 * The acker's requests of the genl family "onramp".  Core dispatches them, and
 * its policies are strict: privilege, which attributes a request may have, and
 * their widths and ranges are checked before anything here is called.
 *
 * The rest is checked before anything is done: a request that is refused
 * changes nothing.
 */
#include <linux/if_vlan.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "acker.h"

static void acker_set_parse(struct nlattr **attrs, struct acker_settings *set)
{
	if (attrs[ONRAMP_A_ACKER_EVERY])
		set->due.every = nla_get_u32(attrs[ONRAMP_A_ACKER_EVERY]);
	if (attrs[ONRAMP_A_ACKER_DELAY])
		set->due.delay_ns = nla_get_u64(attrs[ONRAMP_A_ACKER_DELAY]);
	if (attrs[ONRAMP_A_ACKER_IDLE])
		set->due.idle_ns = nla_get_u64(attrs[ONRAMP_A_ACKER_IDLE]);
	if (attrs[ONRAMP_A_ACKER_RATE])
		set->rate = nla_get_u32(attrs[ONRAMP_A_ACKER_RATE]);
	if (attrs[ONRAMP_A_ACKER_MAX_FLOWS])
		set->max_flows = nla_get_u32(attrs[ONRAMP_A_ACKER_MAX_FLOWS]);
}

/*
 * For another number of flows there is another table, and an empty one: to
 * forget all flows costs an OR-ACK each, to move them a long time with the
 * lock held.  Until it is there no flow is made.
 */
static int acker_set(struct acker_net *a, struct sk_buff *skb,
		     struct genl_info *info)
{
	struct acker_settings set = a->set;
	struct acker_table table = {};
	int err;

	err = onramp_genl_limit_check(skb, info,
				      info->attrs[ONRAMP_A_ACKER_MAX_FLOWS],
				      ONRAMP_MAX_ACKED_DEFAULT);
	if (err)
		return err;
	acker_set_parse(info->attrs, &set);
	if (a->table.flows && set.max_flows != a->set.max_flows) {
		err = acker_table_alloc(&table, set.max_flows);
		if (err)
			return err;
	}
	if (table.flows)
		acker_flow_close(a);
	spin_lock_bh(&a->lock);
	if (table.flows) {
		swap(a->table, table);
		a->retry_ns = 0;
	}
	/* Use at the old rate does not count for the new one. */
	if (set.rate != a->set.rate)
		a->rate = (struct onramp_rate){};
	a->set = set;
	WRITE_ONCE(a->busy_key, get_random_u32() | 1);
	/*
	 * It may be set for a flow that waits no more, by a longer delay.  If it runs, it waits
	 * for the lock, and is set again by what waits then.
	 */
	hrtimer_try_to_cancel(&a->timer);
	acker_timer_restart(a);
	spin_unlock_bh(&a->lock);
	acker_table_free(&table);
	return 0;
}

static void acker_stats(struct acker_net *a, struct onramp_acker_stats *stats)
{
	int cpu;

	spin_lock_bh(&a->lock);
	*stats = a->stats;
	spin_unlock_bh(&a->lock);
	for_each_possible_cpu(cpu) {
		const struct acker_skipped *skipped =
			per_cpu_ptr(a->skipped, cpu);
		u64 not_peer = READ_ONCE(skipped->not_peer);
		u64 not_ours = READ_ONCE(skipped->not_ours);

		stats->not_peer += not_peer;
		stats->not_ours += not_ours;
		stats->packets += not_peer + not_ours + READ_ONCE(skipped->busy);
	}
}

static int acker_put(struct acker_net *a, struct sk_buff *skb)
{
	struct onramp_acker_stats stats;

	acker_stats(a, &stats);
	if (nla_put_u32(skb, ONRAMP_A_ACKER_EVERY, a->set.due.every) ||
	    nla_put_u64_64bit(skb, ONRAMP_A_ACKER_DELAY, a->set.due.delay_ns,
			      ONRAMP_A_PAD) ||
	    nla_put_u64_64bit(skb, ONRAMP_A_ACKER_IDLE, a->set.due.idle_ns,
			      ONRAMP_A_PAD) ||
	    nla_put_u32(skb, ONRAMP_A_ACKER_RATE, a->set.rate) ||
	    nla_put_u32(skb, ONRAMP_A_ACKER_MAX_FLOWS, a->set.max_flows) ||
	    nla_put_64bit(skb, ONRAMP_A_ACKER_STATS, sizeof(stats), &stats,
			  ONRAMP_A_PAD))
		return -EMSGSIZE;
	return 0;
}

static int acker_get(struct acker_net *a, struct genl_info *info)
{
	struct sk_buff *skb;
	void *header;
	int err;

	skb = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	header = genlmsg_put_reply(skb, info, &onramp_genl_family, 0,
				   ONRAMP_CMD_ACKER_GET);
	err = header ? acker_put(a, skb) : -EMSGSIZE;
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, header);
	return genlmsg_reply(skb, info);
}

/* The tables come with the first device, not with the namespace. */
static int acker_dev_attach(struct acker_net *a, struct net_device *dev)
{
	struct acker_table table = {};
	struct acker_verdict *verdicts;
	int err;

	if (!a->verdicts) {
		verdicts = acker_verdicts_alloc();
		if (!verdicts)
			return -ENOMEM;
		a->verdicts = verdicts;
	}
	if (!a->busy) {
		struct acker_busy_flows __percpu *busy = acker_busy_alloc();

		if (!busy)
			return -ENOMEM;
		/* Packets of devices that are not attached read it, too. */
		smp_store_release(&a->busy, busy);
	}
	if (!a->table.flows) {
		err = acker_table_alloc(&table, a->set.max_flows);
		if (err)
			return err;
		spin_lock_bh(&a->lock);
		a->table = table;
		spin_unlock_bh(&a->lock);
	}
	return onramp_acker_attach(dev, a);
}

/*
 * Does the stack get packets of a device past where they are seen?  Those of
 * some devices come by the NIC below them, and become theirs within the stack.
 */
static bool acker_dev_is_bypassed(const struct net_device *dev)
{
	const struct rtnl_link_ops *ops = dev->rtnl_link_ops;

	return is_vlan_dev(dev) || netif_is_bond_master(dev) ||
	       netif_is_team_master(dev) || netif_is_macvlan(dev) ||
	       netif_is_l3_master(dev) ||
	       (ops && (!strcmp(ops->kind, "ipvlan") ||
			!strcmp(ops->kind, "ipvtap")));
}

/* The NIC, or the first of several, if it is in the same namespace. */
static const char *acker_dev_card(struct net_device *dev)
{
	struct net_device *nic = dev, *below;
	struct list_head *iter;

	do {
		iter = nic->adj_list.lower.next;
		below = netdev_lower_get_next(nic, &iter);
		nic = below ?: nic;
	} while (below);
	return nic != dev && net_eq(dev_net(nic), dev_net(dev)) ?
	       nic->name : "what is below";
}

static int acker_dev_refuse(struct genl_info *info, const struct nlattr *attr,
			    struct net_device *dev)
{
	compat_extack_set_attr(info->extack,
			       "ifindex: it gets its packets from the NIC below: attach ",
			       acker_dev_card(dev));
	NL_SET_BAD_ATTR(info->extack, attr);
	return -EINVAL;
}

/* Context: RTNL. */
static int acker_dev_change(struct acker_net *a, struct genl_info *info,
			    bool on)
{
	const struct nlattr *attr = info->attrs[ONRAMP_A_IFINDEX];
	struct net_device *dev;
	int err;

	dev = __dev_get_by_index(a->net, nla_get_u32(attr));
	if (!dev)
		return onramp_genl_refuse(info, attr, -ENODEV,
					  "ifindex: there is no such device");
	if (on && onramp_acker_is_attached(dev))
		return onramp_genl_refuse(info, attr, -EEXIST,
					  "ifindex: the device is attached already");
	if (!on && !onramp_acker_is_attached(dev))
		return onramp_genl_refuse(info, attr, -ENOENT,
					  "ifindex: the device is not attached");
	if (on && acker_dev_is_bypassed(dev))
		return acker_dev_refuse(info, attr, dev);
	err = on ? acker_dev_attach(a, dev) : onramp_acker_attach(dev, NULL);
	if (err == -EOPNOTSUPP)
		return onramp_genl_refuse(info, attr, err,
					  "ifindex: with PREEMPT_RT before 7.1, only a device whose driver calls onramp_hook can be attached");
	return err;
}

static int acker_dev(struct acker_net *a, struct genl_info *info, bool on)
{
	int err;

	if (!info->attrs[ONRAMP_A_IFINDEX])
		return onramp_genl_refuse(info, NULL, -EINVAL, "ifindex is missing");
	rtnl_lock();
	err = acker_dev_change(a, info, on);
	rtnl_unlock();
	return err;
}

/**
 * acker_peers_changed() - there is another list of peers
 * @net: the namespace
 *
 * Flows that it does not cover are forgotten, and none is made any more of a
 * packet that passed the one before: see acker_flow_get().
 *
 * Context: may sleep; the request that changed the list, and there is none other.
 */
void acker_peers_changed(struct net *net)
{
	struct acker_net *a = acker_net_of(net);

	mutex_lock(&a->change);
	WRITE_ONCE(a->busy_key, get_random_u32() | 1);
	acker_flow_forget_all(a, rcu_dereference_protected(*a->peers, true));
	mutex_unlock(&a->change);
}

/**
 * acker_doit() - a request
 * @skb: with the request
 * @info: its attributes, each as wide as in <linux/onramp.h>
 *
 * Context: may sleep, no RTNL.
 * Return: 0, or an error that is explained.
 */
int acker_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct acker_net *a = acker_net_of(genl_info_net(info));
	int err;

	mutex_lock(&a->change);
	switch (info->genlhdr->cmd) {
	case ONRAMP_CMD_ACKER_SET:
		err = acker_set(a, skb, info);
		break;
	case ONRAMP_CMD_ACKER_GET:
		err = acker_get(a, info);
		break;
	case ONRAMP_CMD_ACKER_DEV_ADD:
		err = acker_dev(a, info, true);
		break;
	case ONRAMP_CMD_ACKER_DEV_DEL:
		err = acker_dev(a, info, false);
		break;
	default:
		err = -EOPNOTSUPP;
		break;
	}
	mutex_unlock(&a->change);
	return err;
}

/* Return: false if it did not fit; then nothing was written. */
static bool acker_dump_dev(struct sk_buff *skb, struct netlink_callback *cb,
			   int ifindex)
{
	void *header = onramp_dump_begin(skb, cb, ONRAMP_CMD_ACKER_DEV_GET);

	if (!header)
		return false;
	if (nla_put_u32(skb, ONRAMP_A_IFINDEX, ifindex)) {
		genlmsg_cancel(skb, header);
		return false;
	}
	genlmsg_end(skb, header);
	return true;
}

/*
 * cb->args[0] is the last ifindex that was dumped.  So those that stay attached
 * are dumped once, whatever else comes and goes.
 */
static void acker_dump_devs(struct acker_net *a, struct sk_buff *skb,
			    struct netlink_callback *cb)
{
	int ifindex;

	cb->seq = 1;
	while ((ifindex = onramp_acker_next(a->net, cb->args[0])) &&
	       acker_dump_dev(skb, cb, ifindex))
		cb->args[0] = ifindex;
}

/**
 * acker_dumpit() - a dump
 * @skb: to be filled
 * @cb: state; args[0] is the acker's
 *
 * Context: may sleep, no RTNL.
 * Return: bytes in @skb, 0 at the end.
 */
int acker_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct acker_net *a = acker_net_of(sock_net(cb->skb->sk));
	const struct genlmsghdr *request = nlmsg_data(cb->nlh);

	switch (request->cmd) {
	case ONRAMP_CMD_ACKER_DEV_GET:
		rtnl_lock();
		acker_dump_devs(a, skb, cb);
		rtnl_unlock();
		return skb->len;
	default:
		return -EOPNOTSUPP;
	}
}
