// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about the state of a namespace: the switch of holding, flows and paths,
 * counters and limits.
 */
#include <linux/ctype.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/sock.h>

#include "genl.h"

/*
 * The switch that turns holding off in a whole namespace, whatever its qdiscs
 * are configured to do, and on again.  It outlives them.
 */

/* It is printed on terminals. */
static bool onramp_holding_is_printable(const struct nlattr *why)
{
	const char *c;

	for (c = nla_data(why); *c; c++)
		if (!isascii(*c) || !isprint(*c))
			return false;
	return true;
}

/*
 * Nobody may set a hold by the old switch after all were ended.  Not expedited: that
 * would interrupt all CPUs, and any tenant may request this as often as he likes.
 * None but his own requests wait meanwhile.
 */
static void onramp_holding_end(struct onramp_net *on)
{
	synchronize_rcu();
	onramp_flow_each(on, onramp_flow_release, NULL);
}

/**
 * onramp_holding_set_doit() - ONRAMP_CMD_HOLDING_SET
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change; may sleep.
 * Return: 0 or -EINVAL, and then nothing was changed.
 */
int onramp_holding_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	struct nlattr *why = info->attrs[ONRAMP_A_HOLDING_WHY];
	bool was_off = on->switched_off;

	if (GENL_REQ_ATTR_CHECK(info, ONRAMP_A_HOLDING)) {
		NL_SET_ERR_MSG(info->extack, "hold: on or off must be given");
		return -EINVAL;
	}
	if (why && !onramp_holding_is_printable(why)) {
		NL_SET_ERR_MSG_ATTR(info->extack, why,
				    "hold: the reason must be printable ASCII");
		return -EINVAL;
	}
	strscpy(on->switched_why, why ? nla_data(why) : "",
		sizeof(on->switched_why));
	WRITE_ONCE(on->switched_off,
		   !nla_get_u8(info->attrs[ONRAMP_A_HOLDING]));
	if (on->switched_off && !was_off)
		onramp_holding_end(on);
	onramp_genl_holding_event(on);
	return 0;
}

/*
 * Dumps of flows and of paths.  One message each: a nest of all of them could
 * not be split.
 */

static int onramp_dump_start(struct netlink_callback *cb,
			     struct rhashtable *table)
{
	struct rhashtable_iter *iter = kmalloc(sizeof(*iter), GFP_KERNEL);

	if (!iter)
		return -ENOMEM;
	rhashtable_walk_enter(table, iter);
	cb->args[0] = (long)iter;
	cb->seq = 1;
	return 0;
}

/**
 * onramp_flow_dump_start() - a dump of flows begins
 * @cb: the dump
 *
 * Return: 0 or -ENOMEM.
 */
int onramp_flow_dump_start(struct netlink_callback *cb)
{
	struct onramp_net *on = onramp_net_of(sock_net(cb->skb->sk));

	return onramp_dump_start(cb, &on->flows);
}

/**
 * onramp_path_dump_start() - a dump of paths begins
 * @cb: the dump
 *
 * Return: 0 or -ENOMEM.
 */
int onramp_path_dump_start(struct netlink_callback *cb)
{
	struct onramp_net *on = onramp_net_of(sock_net(cb->skb->sk));

	return onramp_dump_start(cb, &on->paths);
}

/**
 * onramp_dump_done() - a dump of either is over, or was given up
 * @cb: the dump
 *
 * Return: 0.
 */
int onramp_dump_done(struct netlink_callback *cb)
{
	struct rhashtable_iter *iter = (struct rhashtable_iter *)cb->args[0];

	rhashtable_walk_exit(iter);
	kfree(iter);
	return 0;
}

static int onramp_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
			   u8 cmd, void *object,
			   int (*put)(struct sk_buff *skb,
				      struct onramp_net *on, void *object))
{
	struct onramp_net *on = onramp_net_of(sock_net(skb->sk));
	void *head;

	head = onramp_dump_begin(skb, cb, cmd);
	if (!head)
		return -EMSGSIZE;
	if (put(skb, on, object)) {
		genlmsg_cancel(skb, head);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, head);
	return 0;
}

/*
 * A table that is resized meanwhile is begun again, so something may be dumped
 * twice, and the dump is marked so.  Flows and paths come and go all the time: that
 * alone is not a reason to repeat it.
 */
static int onramp_dump(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		       int (*put)(struct sk_buff *skb, struct onramp_net *on,
				  void *object))
{
	struct rhashtable_iter *iter = (struct rhashtable_iter *)cb->args[0];
	void *object;

	/* Resized since the last message, or, below, as this one is filled. */
	if (rhashtable_walk_start_check(iter) == -EAGAIN)
		cb->seq++;
	for (object = rhashtable_walk_peek(iter); object;
	     object = rhashtable_walk_next(iter)) {
		if (IS_ERR(object)) {
			cb->seq++;
			continue;
		}
		if (onramp_dump_one(skb, cb, cmd, object, put))
			break;
	}
	rhashtable_walk_stop(iter);
	return skb->len;
}

/**
 * onramp_flow_dumpit() - as many flows as a message has space for
 * @skb: filled
 * @cb: the dump
 *
 * Return: bytes in @skb; 0 at the end.
 */
int onramp_flow_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return onramp_dump(skb, cb, ONRAMP_CMD_FLOW_GET, onramp_put_flow);
}

/**
 * onramp_path_dumpit() - as many paths as a message has space for
 * @skb: filled
 * @cb: the dump
 *
 * Return: bytes in @skb; 0 at the end.
 */
int onramp_path_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return onramp_dump(skb, cb, ONRAMP_CMD_PATH_GET, onramp_put_path);
}

/*
 * Counters of a namespace, and how much it may remember.
 */

/* Under RTNL no port goes: it would be missed, or counted twice. */
static void onramp_stats_sum(struct onramp_net *on, struct onramp_stats *st)
{
	const struct onramp_core_port *port;

	*st = (struct onramp_stats){
		.nic_backlog_ns = ONRAMP_NS_NONE,
		.owd_ns = (s64)ONRAMP_NS_NONE,
		.threshold_ns = ONRAMP_NS_NONE,
		.base_ns = (s64)ONRAMP_NS_NONE,
	};
	rtnl_lock();
	onramp_counts_read(&on->counts, st);
	list_for_each_entry(port, &on->ports, node) {
		onramp_counts_read(&port->counts, st);
		/* Several ports have no common latest value: the last's. */
		onramp_port_levels(port, st);
	}
	rtnl_unlock();
}

/* Counters of signed OR-ACKs, of those that should be, and of late ones. */
static int onramp_put_verdicts(struct sk_buff *skb, struct onramp_net *on)
{
	if (onramp_put_u64(skb, ONRAMP_A_ACKS_SIGNED,
			   atomic64_read(&on->acks_signed)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_UNSIGNED,
			   atomic64_read(&on->acks_unsigned)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_UNKNOWN_KEY,
			   atomic64_read(&on->acks_unknown_key)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_FORGED,
			   atomic64_read(&on->acks_forged)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_REPLAYED,
			   atomic64_read(&on->acks_replayed)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_STALE,
			   atomic64_read(&on->acks_stale)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_UNKNOWN_FLOW,
			   atomic64_read(&on->acks_unknown_flow)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_FORWARDED,
			   atomic64_read(&on->acks_forwarded)))
		return -EMSGSIZE;
	return 0;
}

static u64 onramp_stats_unfollowed(const struct onramp_net *on)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(on->unfollowed, cpu));
	return sum;
}

/* Which flows are followed, and what space there is. */
static int onramp_put_room(struct sk_buff *skb, struct onramp_net *on)
{
	if (nla_put_u32(skb, ONRAMP_A_FLOWS, atomic_read(&on->flows.nelems)) ||
	    nla_put_u32(skb, ONRAMP_A_PATHS, atomic_read(&on->paths.nelems)) ||
	    nla_put_u32(skb, ONRAMP_A_MAX_FLOWS, on->max_flows) ||
	    nla_put_u32(skb, ONRAMP_A_MAX_PATHS, on->max_paths) ||
	    onramp_put_u64(skb, ONRAMP_A_MEMORY, atomic64_read(&on->memory)) ||
	    onramp_put_u64(skb, ONRAMP_A_MAX_MEMORY, on->max_memory) ||
	    onramp_put_u64(skb, ONRAMP_A_FLOWS_EVICTED,
			   atomic64_read(&on->evicted)) ||
	    nla_put_u8(skb, ONRAMP_A_FOLLOW, on->follow) ||
	    onramp_put_u64(skb, ONRAMP_A_NOT_FOLLOWED,
			   onramp_stats_unfollowed(on)))
		return -EMSGSIZE;
	return 0;
}

static int onramp_put_stats(struct sk_buff *skb, struct onramp_net *on)
{
	struct onramp_stats st;

	onramp_stats_sum(on, &st);
	if (nla_put_64bit(skb, ONRAMP_A_STATS, sizeof(st), &st, ONRAMP_A_PAD) ||
	    onramp_put_room(skb, on) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS, atomic64_read(&on->acks)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_BAD,
			   atomic64_read(&on->acks_bad)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_UNKNOWN_PEER,
			   atomic64_read(&on->acks_unknown_peer)))
		return -EMSGSIZE;
	return onramp_put_verdicts(skb, on) ?: onramp_put_holding(skb, on);
}

/**
 * onramp_stats_get_doit() - ONRAMP_CMD_STATS_GET
 * @skb: the request
 * @info: same
 *
 * Return: 0 or an error.
 */
int onramp_stats_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return onramp_genl_answer(info, onramp_put_stats);
}

/**
 * onramp_limits_set_doit() - ONRAMP_CMD_LIMITS_SET
 * @skb: the request
 * @info: same
 *
 * A lower limit evicts nobody: the table shrinks as flows age, and as others want
 * to come.  Flows that are not followed any more go at once.
 * Return: 0, -EINVAL or -EPERM.
 */
int onramp_limits_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	struct nlattr *memory = info->attrs[ONRAMP_A_MAX_MEMORY];
	struct nlattr *follow = info->attrs[ONRAMP_A_FOLLOW];
	struct nlattr *flows = info->attrs[ONRAMP_A_MAX_FLOWS];
	struct nlattr *paths = info->attrs[ONRAMP_A_MAX_PATHS];
	int err;

	if (!flows && !paths && !memory && !follow) {
		NL_SET_ERR_MSG(info->extack,
			       "limits: max-flows, max-paths, max-memory or follow must be given");
		return -EINVAL;
	}
	err = onramp_genl_limit_check(skb, info, flows,
				      ONRAMP_MAX_FLOWS_DEFAULT) ?:
	      onramp_genl_limit_check(skb, info, paths,
				      ONRAMP_MAX_PATHS_DEFAULT) ?:
	      onramp_genl_limit_check(skb, info, memory,
				      ONRAMP_MAX_MEMORY_DEFAULT);
	if (err)
		return err;
	if (flows)
		WRITE_ONCE(on->max_flows, nla_get_u32(flows));
	if (paths)
		WRITE_ONCE(on->max_paths, nla_get_u32(paths));
	if (memory)
		WRITE_ONCE(on->max_memory, nla_get_u64(memory));
	if (follow)
		WRITE_ONCE(on->follow, nla_get_u8(follow));
	onramp_flow_refollow(on);
	return 0;
}
