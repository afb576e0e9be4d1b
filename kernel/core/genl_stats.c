// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a namespace, and how much it may remember.
 */
#include <linux/rtnetlink.h>

#include "genl.h"

/* Under RTNL no port goes: it would be missed, or counted twice. */
static void onramp_stats_sum(struct onramp_net *on, struct onramp_stats *st)
{
	const struct onramp_core_port *port;

	memset(st, 0, sizeof(*st));
	rtnl_lock();
	onramp_counts_read(&on->counts, st);
	list_for_each_entry(port, &on->ports, node) {
		onramp_counts_read(&port->counts, st);
		/* Of several ports there is no latest value: the last's. */
		st->nic_backlog_ns = onramp_port_backlog_ns(port);
		st->owd_ns = READ_ONCE(port->owd_ns);
		st->threshold_ns = READ_ONCE(port->threshold_ns);
		st->base_ns = READ_ONCE(port->base_ns);
	}
	rtnl_unlock();
}

/* What became of what is signed, or should be, and of what came too late. */
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
	    onramp_put_u64(skb, ONRAMP_A_ACKS_STRAY,
			   atomic64_read(&on->acks_stray)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_PASSED,
			   atomic64_read(&on->acks_passed)))
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

/* Who is followed, and what room there is. */
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
	    onramp_put_u64(skb, ONRAMP_A_ACKS_STRANGE,
			   atomic64_read(&on->acks_strange)))
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
