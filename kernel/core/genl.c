// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family: clocks, flows, paths, counters, and the acker's
 * requests, which are handed on to it.
 *
 * Requests are not parallel: the family's lock keeps those that set apart.  A
 * number out of its range is refused by its policy, which netlink sends along
 * with the attribute's place; whatever no policy can say is said here.
 */
#include <linux/module.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/ipv6.h>
#include <net/sock.h>

#include "core.h"

/* A published line is good for so long at most, and its reference so near. */
#define ONRAMP_CLOCK_VALID_NS (600LL * NSEC_PER_SEC)
#define ONRAMP_CLOCK_DRIFT_MAX ((1LL << 22) - 1)

/* Not const: before 6.12 netlink wants it so. */
static struct netlink_range_validation onramp_range_error = {
	.max = NSEC_PER_SEC,
};

static struct netlink_range_validation_signed onramp_range_drift = {
	.min = -ONRAMP_CLOCK_DRIFT_MAX,
	.max = ONRAMP_CLOCK_DRIFT_MAX,
};

static struct netlink_range_validation onramp_range_valid = {
	.max = ONRAMP_CLOCK_VALID_NS,
};

static struct netlink_range_validation onramp_range_epoch = {
	.min = 1,
	.max = U32_MAX,
};

static struct netlink_range_validation onramp_range_table = {
	.min = 1,
	.max = 1 << 20,
};

static struct netlink_range_validation onramp_range_delay = {
	.min = NSEC_PER_USEC,
	.max = 100 * NSEC_PER_MSEC,
};

static struct netlink_range_validation onramp_range_idle = {
	.min = 10 * NSEC_PER_USEC,
	.max = 10ULL * NSEC_PER_SEC,
};

static struct netlink_range_validation onramp_range_rate = {
	.min = 1,
	.max = 10000000,
};

static struct netlink_range_validation onramp_range_ifindex = {
	.min = 1,
	.max = S32_MAX,
};

static const struct nla_policy onramp_clock_policy[] = {
	[ONRAMP_A_CLOCK_ID] = NLA_POLICY_RANGE(NLA_U8, ONRAMP_CLOCK_SYSTEM,
					       ONRAMP_CLOCK_PUBLISHED),
	[ONRAMP_A_CLOCK_ERROR] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_error),
	[ONRAMP_A_CLOCK_BASE] = NLA_POLICY_RANGE(NLA_U8, ONRAMP_BASE_REALTIME,
						 ONRAMP_BASE_TAI),
	[ONRAMP_A_CLOCK_OFFSET] = { .type = NLA_S64 },
	[ONRAMP_A_CLOCK_DRIFT] =
		NLA_POLICY_FULL_RANGE_SIGNED(NLA_S64, &onramp_range_drift),
	[ONRAMP_A_CLOCK_REF] = { .type = NLA_S64 },
	[ONRAMP_A_CLOCK_VALID] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_valid),
	[ONRAMP_A_CLOCK_EPOCH] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_epoch),
};

static const struct nla_policy onramp_limits_policy[] = {
	[ONRAMP_A_MAX_FLOWS] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_table),
	[ONRAMP_A_MAX_PATHS] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_table),
};

static const struct nla_policy onramp_acker_policy[] = {
	[ONRAMP_A_ACKER_EVERY] = NLA_POLICY_RANGE(NLA_U32, 1, 1000),
	[ONRAMP_A_ACKER_DELAY] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_delay),
	[ONRAMP_A_ACKER_IDLE] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_idle),
	[ONRAMP_A_ACKER_RATE] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_rate),
	[ONRAMP_A_ACKER_MAX_FLOWS] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_table),
};

static const struct nla_policy onramp_ifindex_policy[] = {
	[ONRAMP_A_IFINDEX] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_ifindex),
};

static const struct nla_policy onramp_prefix_policy[] = {
	[ONRAMP_A_PREFIX] = NLA_POLICY_RANGE(NLA_BINARY, 4, 16),
	[ONRAMP_A_PREFIX_LEN] = NLA_POLICY_MAX(NLA_U8, 128),
};

/* Messages */

static int onramp_put_address(struct sk_buff *skb, int type,
			      const struct in6_addr *address)
{
	if (ipv6_addr_v4mapped(address))
		return nla_put(skb, type, 4, &address->s6_addr32[3]);
	return nla_put(skb, type, 16, address);
}

static int onramp_put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, ONRAMP_A_PAD);
}

static int onramp_put_s64(struct sk_buff *skb, int type, s64 value)
{
	return nla_put_s64(skb, type, value, ONRAMP_A_PAD);
}

static struct sk_buff *onramp_genl_reply(struct genl_info *info, void **head)
{
	struct sk_buff *skb = nlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!skb)
		return NULL;
	*head = genlmsg_put_reply(skb, info, &onramp_genl_family, 0,
				  info->genlhdr->cmd);
	if (*head)
		return skb;
	nlmsg_free(skb);
	return NULL;
}

/* Clocks */

static int onramp_put_clock(struct sk_buff *skb, const struct onramp_clock *c)
{
	if (nla_put_u8(skb, ONRAMP_A_CLOCK_ID, c->id) ||
	    nla_put_u32(skb, ONRAMP_A_CLOCK_ERROR, c->error_ns) ||
	    nla_put_u8(skb, ONRAMP_A_CLOCK_STATE, c->ok))
		return -EMSGSIZE;
	return 0;
}

static int onramp_put_line(struct sk_buff *skb, struct onramp_net *on,
			   const struct onramp_clock_line *line)
{
	s64 left_ns = line->until_ns - onramp_now(on->net);

	if (nla_put_u8(skb, ONRAMP_A_CLOCK_BASE, line->base) ||
	    onramp_put_s64(skb, ONRAMP_A_CLOCK_OFFSET, line->offset_ns) ||
	    onramp_put_s64(skb, ONRAMP_A_CLOCK_DRIFT, line->drift) ||
	    onramp_put_s64(skb, ONRAMP_A_CLOCK_REF, line->ref_ns) ||
	    onramp_put_u64(skb, ONRAMP_A_CLOCK_VALID,
			   left_ns > 0 ? left_ns : 0) ||
	    nla_put_u32(skb, ONRAMP_A_CLOCK_EPOCH, line->epoch))
		return -EMSGSIZE;
	return 0;
}

/* One of the two clocks; nothing of one that was never set. */
static int onramp_put_clock_id(struct sk_buff *skb, struct onramp_net *on,
			       u32 id)
{
	const struct onramp_clock_line *line;
	struct onramp_clock c;
	int err = 0;

	onramp_clock_read(on, id, READ_ONCE(on->system_error_ns), &c);
	if (id == ONRAMP_CLOCK_SYSTEM)
		return onramp_put_clock(skb, &c);
	rcu_read_lock();
	line = rcu_dereference(on->line);
	if (line)
		err = onramp_put_clock(skb, &c) ?:
		      onramp_put_line(skb, on, line);
	rcu_read_unlock();
	return err;
}

/* The clock that the acker's stamps have now. */
static int onramp_put_clock_used(struct sk_buff *skb, struct onramp_net *on)
{
	struct onramp_clock c;

	onramp_clock_stamp(on->net, &c);
	if (c.id == ONRAMP_CLOCK_SYSTEM && !c.ok && rcu_access_pointer(on->line))
		c.id = ONRAMP_CLOCK_PUBLISHED;
	return onramp_put_clock_id(skb, on, c.id);
}

static int onramp_clock_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	struct sk_buff *msg;
	void *head;

	msg = onramp_genl_reply(info, &head);
	if (!msg)
		return -ENOMEM;
	if (onramp_put_clock_used(msg, on)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, head);
	return genlmsg_reply(msg, info);
}

static int onramp_clock_set_system(struct onramp_net *on,
				   struct genl_info *info)
{
	int type;

	for (type = ONRAMP_A_CLOCK_BASE; type <= ONRAMP_A_CLOCK_EPOCH; type++) {
		if (!info->attrs[type])
			continue;
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[type],
				    "clock system has an id and an error, nothing else");
		return -EINVAL;
	}
	WRITE_ONCE(on->system_error_ns,
		   nla_get_u32(info->attrs[ONRAMP_A_CLOCK_ERROR]));
	return 0;
}

static int onramp_clock_check_line(struct onramp_net *on,
				   const struct onramp_clock_line *line,
				   struct genl_info *info)
{
	s64 span_ns = onramp_clock_base_ns(on->net, line->base) - line->ref_ns;

	if (!line->error_ns) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[ONRAMP_A_CLOCK_ERROR],
				    "clock error: must be 1 to 1000000000 ns with clock published");
		return -ERANGE;
	}
	if (span_ns > ONRAMP_CLOCK_VALID_NS || span_ns < -ONRAMP_CLOCK_VALID_NS) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[ONRAMP_A_CLOCK_REF],
				    "clock ref: must be within 600 s of the base clock now");
		return -ERANGE;
	}
	return 0;
}

static int onramp_clock_set_published(struct onramp_net *on,
				      struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	struct onramp_clock_line *line;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_BASE) ||
	    GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_OFFSET) ||
	    GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_REF) ||
	    GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_VALID) ||
	    GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_EPOCH)) {
		NL_SET_ERR_MSG(info->extack,
			       "clock published: base, offset, ref, valid and epoch must be given");
		return -EINVAL;
	}
	line = kzalloc(sizeof(*line), GFP_KERNEL);
	if (!line)
		return -ENOMEM;
	line->base = nla_get_u8(attrs[ONRAMP_A_CLOCK_BASE]);
	line->epoch = nla_get_u32(attrs[ONRAMP_A_CLOCK_EPOCH]);
	line->error_ns = nla_get_u32(attrs[ONRAMP_A_CLOCK_ERROR]);
	line->offset_ns = nla_get_s64(attrs[ONRAMP_A_CLOCK_OFFSET]);
	line->ref_ns = nla_get_s64(attrs[ONRAMP_A_CLOCK_REF]);
	if (attrs[ONRAMP_A_CLOCK_DRIFT])
		line->drift = nla_get_s64(attrs[ONRAMP_A_CLOCK_DRIFT]);
	err = onramp_clock_check_line(on, line, info);
	if (err) {
		kfree(line);
		return err;
	}
	onramp_clock_publish(on, line,
			     nla_get_u64(attrs[ONRAMP_A_CLOCK_VALID]));
	return 0;
}

static int onramp_clock_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	int err;

	if (GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_ID) ||
	    GENL_REQ_ATTR_CHECK(info, ONRAMP_A_CLOCK_ERROR)) {
		NL_SET_ERR_MSG(info->extack,
			       "clock: id and error must be given");
		return -EINVAL;
	}
	if (nla_get_u8(info->attrs[ONRAMP_A_CLOCK_ID]) == ONRAMP_CLOCK_SYSTEM)
		err = onramp_clock_set_system(on, info);
	else
		err = onramp_clock_set_published(on, info);
	if (!err)
		onramp_genl_clock_event(on, ONRAMP_EVENT_CLOCK);
	return err;
}

/* Flows and paths */

static int onramp_put_tuple(struct sk_buff *skb,
			    const struct onramp_tuple *tuple)
{
	if (onramp_put_address(skb, ONRAMP_A_SADDR, &tuple->saddr) ||
	    onramp_put_address(skb, ONRAMP_A_DADDR, &tuple->daddr) ||
	    nla_put_be16(skb, ONRAMP_A_SPORT, tuple->sport) ||
	    nla_put_be16(skb, ONRAMP_A_DPORT, tuple->dport))
		return -EMSGSIZE;
	return 0;
}

static int onramp_put_delay(struct sk_buff *skb, s64 owd_ns, u64 age_ns,
			    u64 error_ns, u64 threshold_ns, u8 belief)
{
	if (onramp_put_s64(skb, ONRAMP_A_OWD, owd_ns) ||
	    onramp_put_u64(skb, ONRAMP_A_OWD_AGE, age_ns) ||
	    onramp_put_u64(skb, ONRAMP_A_ERROR, error_ns) ||
	    onramp_put_u64(skb, ONRAMP_A_THRESHOLD, threshold_ns) ||
	    nla_put_u8(skb, ONRAMP_A_STATE, belief))
		return -EMSGSIZE;
	return 0;
}

/* Context: the flow's lock. */
static int onramp_put_flow_state(struct sk_buff *skb,
				 const struct onramp_core_flow *flow,
				 u64 now_ns)
{
	s64 hold_ns = flow->pub.t_next_ns - now_ns;
	struct onramp_core_port *port = onramp_flow_port(flow);

	if (nla_put_u8(skb, ONRAMP_A_DSCP, flow->path->key.dscp) ||
	    (port && nla_put_u32(skb, ONRAMP_A_IFINDEX,
				 port->device->dev->ifindex)) ||
	    nla_put_u32(skb, ONRAMP_A_BETA, flow->vars.beta_q16) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLD, hold_ns > 0 ? hold_ns : 0) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLD_TOTAL,
			   onramp_pause_total(&flow->pause, now_ns)) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLDS, flow->holds) ||
	    onramp_put_u64(skb, ONRAMP_A_SAMPLES, flow->samples) ||
	    nla_put_u32(skb, ONRAMP_A_RECORDS, flow->ring.count) ||
	    nla_put_u8(skb, ONRAMP_A_STAMP_TX, ONRAMP_STAMP_TRACEPOINT))
		return -EMSGSIZE;
	if (!flow->has_owd)
		return 0;
	return nla_put_u8(skb, ONRAMP_A_STAMP_RX, flow->stamp_rx) ?:
	       onramp_put_delay(skb, flow->owd_ns, now_ns - flow->owd_at_ns,
				flow->error_ns, flow->threshold_ns,
				flow->belief);
}

static int onramp_put_flow(struct sk_buff *skb, struct onramp_net *on,
			   void *object)
{
	struct onramp_core_flow *flow = object;
	struct nlattr *nest = nla_nest_start(skb, ONRAMP_A_FLOW);
	int err;

	if (!nest || onramp_put_tuple(skb, &flow->tuple))
		return -EMSGSIZE;
	spin_lock_bh(&flow->lock);
	err = flow->dead ? 0 :
	      onramp_put_flow_state(skb, flow, onramp_now(on->net));
	spin_unlock_bh(&flow->lock);
	nla_nest_end(skb, nest);
	return err;
}

/* Context: the path's lock. */
static int onramp_put_path_state(struct sk_buff *skb,
				 const struct onramp_path *path, u64 now_ns)
{
	if (onramp_put_u64(skb, ONRAMP_A_SAMPLES, path->samples) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLDS, path->holds) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLD_TOTAL,
			   onramp_pause_total(&path->vars.held, now_ns)))
		return -EMSGSIZE;
	if (path->has_beta && nla_put_u32(skb, ONRAMP_A_BETA, path->beta_q16))
		return -EMSGSIZE;
	if (path->vars.has_base &&
	    onramp_put_s64(skb, ONRAMP_A_BASE, path->vars.base_ns))
		return -EMSGSIZE;
	if (!path->vars.owd_at_ns)
		return path->samples ?
		       nla_put_u8(skb, ONRAMP_A_STATE, path->belief) : 0;
	return onramp_put_delay(skb, path->vars.owd_ns,
				now_ns - path->vars.owd_at_ns, path->error_ns,
				path->threshold_ns, path->belief);
}

static int onramp_put_path(struct sk_buff *skb, struct onramp_net *on,
			   void *object)
{
	struct onramp_path *path = object;
	struct nlattr *nest = nla_nest_start(skb, ONRAMP_A_PATH);
	int err;

	if (!nest ||
	    onramp_put_address(skb, ONRAMP_A_SADDR, &path->key.saddr) ||
	    onramp_put_address(skb, ONRAMP_A_DADDR, &path->key.daddr) ||
	    nla_put_u8(skb, ONRAMP_A_DSCP, path->key.dscp))
		return -EMSGSIZE;
	spin_lock_bh(&path->lock);
	err = onramp_put_path_state(skb, path, onramp_now(on->net));
	spin_unlock_bh(&path->lock);
	nla_nest_end(skb, nest);
	return err;
}

static int onramp_dump_start(struct netlink_callback *cb,
			     struct rhashtable *table)
{
	struct rhashtable_iter *iter = kmalloc(sizeof(*iter), GFP_KERNEL);

	if (!iter)
		return -ENOMEM;
	rhashtable_walk_enter(table, iter);
	cb->args[0] = (long)iter;
	return 0;
}

static int onramp_flow_dump_start(struct netlink_callback *cb)
{
	struct onramp_net *on = onramp_net_of(sock_net(cb->skb->sk));

	return onramp_dump_start(cb, &on->flows);
}

static int onramp_path_dump_start(struct netlink_callback *cb)
{
	struct onramp_net *on = onramp_net_of(sock_net(cb->skb->sk));

	return onramp_dump_start(cb, &on->paths);
}

static int onramp_dump_done(struct netlink_callback *cb)
{
	struct rhashtable_iter *iter = (struct rhashtable_iter *)cb->args[0];

	rhashtable_walk_exit(iter);
	kfree(iter);
	return 0;
}

/* One message each: a nest of all of them could not be split. */
static int onramp_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
			   u8 cmd, void *object,
			   int (*put)(struct sk_buff *skb,
				      struct onramp_net *on, void *object))
{
	struct onramp_net *on = onramp_net_of(sock_net(skb->sk));
	void *head;

	head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &onramp_genl_family, NLM_F_MULTI, cmd);
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
 * A table that is resized meanwhile is begun again, so something may be told
 * twice.
 */
static int onramp_dump(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		       int (*put)(struct sk_buff *skb, struct onramp_net *on,
				  void *object))
{
	struct rhashtable_iter *iter = (struct rhashtable_iter *)cb->args[0];
	void *object;

	rhashtable_walk_start(iter);
	for (object = rhashtable_walk_peek(iter); object;
	     object = rhashtable_walk_next(iter)) {
		if (IS_ERR(object))
			continue;
		if (onramp_dump_one(skb, cb, cmd, object, put))
			break;
	}
	rhashtable_walk_stop(iter);
	return skb->len;
}

static int onramp_flow_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return onramp_dump(skb, cb, ONRAMP_CMD_FLOW_GET, onramp_put_flow);
}

static int onramp_path_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return onramp_dump(skb, cb, ONRAMP_CMD_PATH_GET, onramp_put_path);
}

/* Counters and limits */

static void onramp_stats_sum(struct onramp_net *on, struct onramp_stats *st)
{
	const struct onramp_core_port *port;

	memset(st, 0, sizeof(*st));
	onramp_counts_read(&on->counts, st);
	rcu_read_lock();
	list_for_each_entry_rcu(port, &on->ports, node) {
		onramp_counts_read(&port->counts, st);
		/* Of several ports there is no latest value: the last's. */
		st->nic_backlog_ns = READ_ONCE(port->nic_backlog_ns);
		st->owd_ns = READ_ONCE(port->owd_ns);
		st->threshold_ns = READ_ONCE(port->threshold_ns);
		st->base_ns = READ_ONCE(port->base_ns);
	}
	rcu_read_unlock();
}

static int onramp_put_stats(struct sk_buff *skb, struct onramp_net *on)
{
	struct onramp_stats st;

	onramp_stats_sum(on, &st);
	if (nla_put_64bit(skb, ONRAMP_A_STATS, sizeof(st), &st, ONRAMP_A_PAD) ||
	    nla_put_u32(skb, ONRAMP_A_FLOWS, atomic_read(&on->flows.nelems)) ||
	    nla_put_u32(skb, ONRAMP_A_PATHS, atomic_read(&on->paths.nelems)) ||
	    nla_put_u32(skb, ONRAMP_A_MAX_FLOWS, on->max_flows) ||
	    nla_put_u32(skb, ONRAMP_A_MAX_PATHS, on->max_paths) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS, atomic64_read(&on->acks)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_BAD,
			   atomic64_read(&on->acks_bad)) ||
	    onramp_put_u64(skb, ONRAMP_A_ACKS_STRANGE,
			   atomic64_read(&on->acks_strange)))
		return -EMSGSIZE;
	return 0;
}

static int onramp_stats_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	struct sk_buff *msg;
	void *head;

	msg = onramp_genl_reply(info, &head);
	if (!msg)
		return -ENOMEM;
	if (onramp_put_stats(msg, on)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, head);
	return genlmsg_reply(msg, info);
}

/* A lower limit evicts nobody: the table shrinks as flows age. */
static int onramp_limits_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	struct nlattr *flows = info->attrs[ONRAMP_A_MAX_FLOWS];
	struct nlattr *paths = info->attrs[ONRAMP_A_MAX_PATHS];

	if (!flows && !paths) {
		NL_SET_ERR_MSG(info->extack,
			       "limits: max-flows or max-paths must be given");
		return -EINVAL;
	}
	if (flows)
		WRITE_ONCE(on->max_flows, nla_get_u32(flows));
	if (paths)
		WRITE_ONCE(on->max_paths, nla_get_u32(paths));
	return 0;
}

/* Events */

static void onramp_genl_event(struct onramp_net *on, enum onramp_event event,
			      struct onramp_path *path)
{
	struct sk_buff *skb = nlmsg_new(NLMSG_DEFAULT_SIZE, GFP_ATOMIC);
	void *head;
	int err;

	if (!skb)
		return;
	head = genlmsg_put(skb, 0, 0, &onramp_genl_family, 0, ONRAMP_CMD_EVENT);
	err = !head || nla_put_u8(skb, ONRAMP_A_EVENT, event);
	if (!err)
		err = path ? onramp_put_path(skb, on, path) :
			     onramp_put_clock_used(skb, on);
	if (err) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, head);
	genlmsg_multicast_netns(&onramp_genl_family, on->net, skb, 0, 0,
				GFP_ATOMIC);
}

/**
 * onramp_genl_path_event() - tell the monitors of a path
 * @on: the namespace
 * @path: the path
 * @event: what happened to it
 *
 * Context: RCU; no lock of ours.
 */
void onramp_genl_path_event(struct onramp_net *on, struct onramp_path *path,
			    enum onramp_event event)
{
	onramp_genl_event(on, event, path);
}

/**
 * onramp_genl_clock_event() - tell the monitors of the clock
 * @on: the namespace
 * @event: what happened to it
 */
void onramp_genl_clock_event(struct onramp_net *on, enum onramp_event event)
{
	onramp_genl_event(on, event, NULL);
}

/* The acker */

static DECLARE_RWSEM(onramp_genl_acker_sem);
static const struct onramp_acker_ops *onramp_genl_acker;

/**
 * onramp_genl_acker_set() - hand the acker's requests on to it
 * @ops: its functions
 *
 * Context: may sleep; not RTNL, which they may take.
 * Return: 0, or -EBUSY if there is one already.
 */
int onramp_genl_acker_set(const struct onramp_acker_ops *ops)
{
	int err = -EBUSY;

	down_write(&onramp_genl_acker_sem);
	if (!onramp_genl_acker) {
		onramp_genl_acker = ops;
		err = 0;
	}
	up_write(&onramp_genl_acker_sem);
	return err;
}

/**
 * onramp_genl_acker_clear() - no longer; when this returns none runs
 *
 * Context: may sleep; not RTNL.
 */
void onramp_genl_acker_clear(void)
{
	down_write(&onramp_genl_acker_sem);
	onramp_genl_acker = NULL;
	up_write(&onramp_genl_acker_sem);
}

static int onramp_genl_acker_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = -EOPNOTSUPP;

	down_read(&onramp_genl_acker_sem);
	if (onramp_genl_acker)
		err = onramp_genl_acker->doit(skb, info);
	else
		NL_SET_ERR_MSG(info->extack, "load onramp_acker");
	up_read(&onramp_genl_acker_sem);
	return err;
}

static int onramp_genl_acker_dumpit(struct sk_buff *skb,
				    struct netlink_callback *cb)
{
	int err = -EOPNOTSUPP;

	down_read(&onramp_genl_acker_sem);
	if (onramp_genl_acker)
		err = onramp_genl_acker->dumpit(skb, cb);
	else
		NL_SET_ERR_MSG(cb->extack, "load onramp_acker");
	up_read(&onramp_genl_acker_sem);
	return err;
}

/* The family */

#define ONRAMP_POLICY(table)						\
	.policy = table, .maxattr = ARRAY_SIZE(table) - 1

static const struct genl_ops onramp_genl_ops[] = {
	{
		.cmd = ONRAMP_CMD_CLOCK_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_clock_set_doit,
		ONRAMP_POLICY(onramp_clock_policy),
	},
	{
		.cmd = ONRAMP_CMD_CLOCK_GET,
		.doit = onramp_clock_get_doit,
	},
	{
		.cmd = ONRAMP_CMD_FLOW_GET,
		.start = onramp_flow_dump_start,
		.dumpit = onramp_flow_dumpit,
		.done = onramp_dump_done,
	},
	{
		.cmd = ONRAMP_CMD_PATH_GET,
		.start = onramp_path_dump_start,
		.dumpit = onramp_path_dumpit,
		.done = onramp_dump_done,
	},
	{
		.cmd = ONRAMP_CMD_STATS_GET,
		.doit = onramp_stats_get_doit,
	},
	{
		.cmd = ONRAMP_CMD_LIMITS_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_limits_set_doit,
		ONRAMP_POLICY(onramp_limits_policy),
	},
	{
		.cmd = ONRAMP_CMD_ACKER_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_genl_acker_doit,
		ONRAMP_POLICY(onramp_acker_policy),
	},
	{
		.cmd = ONRAMP_CMD_ACKER_GET,
		.doit = onramp_genl_acker_doit,
	},
	{
		.cmd = ONRAMP_CMD_ACKER_DEV_ADD,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_genl_acker_doit,
		ONRAMP_POLICY(onramp_ifindex_policy),
	},
	{
		.cmd = ONRAMP_CMD_ACKER_DEV_DEL,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_genl_acker_doit,
		ONRAMP_POLICY(onramp_ifindex_policy),
	},
	{
		.cmd = ONRAMP_CMD_ACKER_DEV_GET,
		.dumpit = onramp_genl_acker_dumpit,
	},
	{
		.cmd = ONRAMP_CMD_PEER_ADD,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_genl_acker_doit,
		ONRAMP_POLICY(onramp_prefix_policy),
	},
	{
		.cmd = ONRAMP_CMD_PEER_DEL,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_genl_acker_doit,
		ONRAMP_POLICY(onramp_prefix_policy),
	},
	{
		.cmd = ONRAMP_CMD_PEER_GET,
		.dumpit = onramp_genl_acker_dumpit,
	},
};

static const struct genl_multicast_group onramp_genl_groups[] = {
	{ .name = ONRAMP_GENL_MONITOR },
};

struct genl_family onramp_genl_family __ro_after_init = {
	.name = ONRAMP_GENL_NAME,
	.version = ONRAMP_GENL_VERSION,
	.netnsok = true,
	.module = THIS_MODULE,
	.ops = onramp_genl_ops,
	.n_ops = ARRAY_SIZE(onramp_genl_ops),
	.mcgrps = onramp_genl_groups,
	.n_mcgrps = ARRAY_SIZE(onramp_genl_groups),
};
EXPORT_SYMBOL_GPL(onramp_genl_family);

/**
 * onramp_genl_init() - the module comes
 *
 * Return: 0 or an error.
 */
int __init onramp_genl_init(void)
{
	return genl_register_family(&onramp_genl_family);
}

/**
 * onramp_genl_exit() - the module goes
 */
void onramp_genl_exit(void)
{
	genl_unregister_family(&onramp_genl_family);
}
