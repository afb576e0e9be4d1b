// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family, its messages about clocks, flows and paths, and its
 * events.
 */
#include <linux/module.h>
#include <net/ipv6.h>

#include "genl.h"

/*
 * The generic netlink family.  Its requests come from genl.c as it is
 * registered: the functions that answer them need the family.
 *
 * Without parallel_ops requests would have the lock that all such families of the
 * machine share, and a tenant's that waits, for RCU or for RTNL, would hold up
 * everybody's.  So those of a namespace have a lock of their own, onramp_net.change,
 * for as long as they run; dumps take it where they read what it protects.
 *
 * A namespace stays while it has a request or a dump: the socket that sent it has it.
 * The module stays, too: of requests, genl_unregister_family() waits for those that
 * run, and a dump has the module from when it begins.
 */

static const struct genl_multicast_group onramp_genl_groups[] = {
	{ .name = ONRAMP_GENL_MONITOR },
};

static int onramp_genl_begin(const struct compat_genl_ops *ops,
			     struct sk_buff *skb, struct genl_info *info)
{
	mutex_lock(&onramp_net_of(genl_info_net(info))->change);
	return 0;
}

static void onramp_genl_end(const struct compat_genl_ops *ops,
			    struct sk_buff *skb, struct genl_info *info)
{
	mutex_unlock(&onramp_net_of(genl_info_net(info))->change);
}

struct genl_family onramp_genl_family __ro_after_init = {
	.name = ONRAMP_GENL_NAME,
	.version = ONRAMP_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.pre_doit = onramp_genl_begin,
	.post_doit = onramp_genl_end,
	.module = THIS_MODULE,
	.mcgrps = onramp_genl_groups,
	.n_mcgrps = ARRAY_SIZE(onramp_genl_groups),
};
EXPORT_SYMBOL_GPL(onramp_genl_family);

int onramp_genl_limit_check(struct sk_buff *skb, struct genl_info *info,
			    const struct nlattr *limit, u32 most)
{
	u64 value;

	if (!limit)
		return 0;
	value = nla_len(limit) == sizeof(u64) ? nla_get_u64(limit) :
						nla_get_u32(limit);
	if (value <= most || netlink_capable(skb, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, limit,
			    "limits: above the default only with CAP_NET_ADMIN in the initial user namespace");
	return -EPERM;
}
EXPORT_SYMBOL_GPL(onramp_genl_limit_check);

/*
 * Clocks, flows and paths in messages of the family.
 */

/* The validity of a delay has the same numbers. */
#define ONRAMP_SAME(name) \
	static_assert((u32)ONRAMP_STATE_##name == (u32)ONRAMP_##name)

ONRAMP_SAME(VALID);
ONRAMP_SAME(NO_CLOCK);
ONRAMP_SAME(UNCERTAIN);
ONRAMP_SAME(NEGATIVE);
ONRAMP_SAME(TOO_LONG);
ONRAMP_SAME(BELOW_BASE);
ONRAMP_SAME(SUSPECT);
/* A path that nobody acks has a state of its own. */
static_assert(ONRAMP_VALIDITIES == (u32)ONRAMP_STATE_UNACKED);

static int onramp_put_address(struct sk_buff *skb, int type,
			      const struct in6_addr *address)
{
	if (ipv6_addr_v4mapped(address))
		return nla_put(skb, type, 4, &address->s6_addr32[3]);
	return nla_put(skb, type, 16, address);
}

/**
 * onramp_put_u64() - a number of 64 bits
 * @skb: the message
 * @type: enum onramp_attr
 * @value: the number
 *
 * Return: 0, or -EMSGSIZE, and then the caller gives the message up.
 */
int onramp_put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, ONRAMP_A_PAD);
}

/**
 * onramp_put_s64() - a number of 64 bits that may be negative
 * @skb: the message
 * @type: enum onramp_attr
 * @value: the number
 *
 * Return: 0, or -EMSGSIZE, and then the caller gives the message up.
 */
int onramp_put_s64(struct sk_buff *skb, int type, s64 value)
{
	return nla_put_s64(skb, type, value, ONRAMP_A_PAD);
}

/* No clock has an error bound of 0: nobody set this one. */
static int onramp_put_bound(struct sk_buff *skb, const struct onramp_clock *c)
{
	if (nla_put_u8(skb, ONRAMP_A_CLOCK_ID, c->id) ||
	    (c->error_ns &&
	     nla_put_u32(skb, ONRAMP_A_CLOCK_ERROR, c->error_ns)) ||
	    nla_put_u8(skb, ONRAMP_A_CLOCK_STATE, c->ok))
		return -EMSGSIZE;
	return 0;
}

/**
 * onramp_put_line() - a line that was published
 * @skb: the message
 * @line: the line
 * @left_ns: how long it may still be used; not more than 0: it may not
 * @epoch: its epoch
 *
 * Return: 0 or -EMSGSIZE.
 */
int onramp_put_line(struct sk_buff *skb, const struct onramp_line *line,
		    s64 left_ns, u32 epoch)
{
	if (onramp_put_s64(skb, ONRAMP_A_CLOCK_OFFSET, line->offset_ns) ||
	    onramp_put_s64(skb, ONRAMP_A_CLOCK_DRIFT, line->drift) ||
	    onramp_put_s64(skb, ONRAMP_A_CLOCK_REF, line->ref_ns) ||
	    onramp_put_u64(skb, ONRAMP_A_CLOCK_VALID,
			   left_ns > 0 ? left_ns : 0) ||
	    nla_put_u32(skb, ONRAMP_A_CLOCK_EPOCH, epoch))
		return -EMSGSIZE;
	return 0;
}

/* The published clock; @c is what onramp_clock_map() filled at @now_ns. */
static int onramp_put_published(struct sk_buff *skb,
				const struct onramp_clock_line *line,
				const struct onramp_clock *c, u64 now_ns)
{
	return onramp_put_bound(skb, c) ?:
	       nla_put_u8(skb, ONRAMP_A_CLOCK_BASE, line->base) ?:
	       onramp_put_line(skb, &line->map,
			       onramp_clock_left_ns(line, now_ns),
			       line->epoch);
}

/**
 * onramp_put_clock() - the clock that the acker's stamps have now
 * @skb: the message
 * @on: the namespace
 *
 * A line that is stale is reported if there is no other clock.  Each clock is read
 * once, and there is one line, so that what is reported is of one time.
 * Return: 0 or -EMSGSIZE.
 */
int onramp_put_clock(struct sk_buff *skb, struct onramp_net *on)
{
	u32 error_ns = READ_ONCE(on->system_error_ns);
	u64 now_ns = onramp_now(on->net);
	const struct onramp_clock_line *line;
	struct onramp_clock c = {};
	int err;

	rcu_read_lock();
	line = rcu_dereference(on->line);
	if (line)
		onramp_clock_map(on->net, line, now_ns, &c);
	if (line && (c.ok || !error_ns)) {
		err = onramp_put_published(skb, line, &c, now_ns);
	} else {
		onramp_clock_read(on, ONRAMP_CLOCK_SYSTEM, error_ns, NULL,
				  now_ns, &c);
		err = onramp_put_bound(skb, &c);
	}
	rcu_read_unlock();
	return err;
}

/* Where there is but one it is left out. */
static int onramp_put_scope(struct sk_buff *skb, u32 scope)
{
	return scope ? nla_put_u32(skb, ONRAMP_A_SCOPE, scope) : 0;
}

static int onramp_put_tuple(struct sk_buff *skb,
			    const struct onramp_tuple *tuple)
{
	if (onramp_put_address(skb, ONRAMP_A_SADDR, &tuple->saddr) ||
	    onramp_put_address(skb, ONRAMP_A_DADDR, &tuple->daddr) ||
	    nla_put_be16(skb, ONRAMP_A_SPORT, tuple->sport) ||
	    nla_put_be16(skb, ONRAMP_A_DPORT, tuple->dport) ||
	    onramp_put_scope(skb, tuple->scope))
		return -EMSGSIZE;
	return 0;
}

static int onramp_put_delay(struct sk_buff *skb, s64 owd_ns, u64 age_ns,
			    u64 error_ns, u64 threshold_ns)
{
	if (onramp_put_s64(skb, ONRAMP_A_OWD, owd_ns) ||
	    onramp_put_u64(skb, ONRAMP_A_OWD_AGE, age_ns) ||
	    onramp_put_u64(skb, ONRAMP_A_ERROR, error_ns))
		return -EMSGSIZE;
	return threshold_ns == ONRAMP_NS_NONE ? 0 :
	       onramp_put_u64(skb, ONRAMP_A_THRESHOLD, threshold_ns);
}

/**
 * onramp_put_holding() - is holding switched off, and why
 * @skb: the message
 * @on: the namespace
 *
 * Context: onramp_net.change.
 * Return: 0 or -EMSGSIZE.
 */
int onramp_put_holding(struct sk_buff *skb, struct onramp_net *on)
{
	if (nla_put_u8(skb, ONRAMP_A_HOLDING, !on->switched_off))
		return -EMSGSIZE;
	return *on->switched_why ? nla_put_string(skb, ONRAMP_A_HOLDING_WHY,
						  on->switched_why) : 0;
}

/* A delay that is not valid anyway has that state. */
static u8 onramp_dumped_state(const struct onramp_net *on, bool unacked,
			      enum onramp_validity validity)
{
	if (unacked)
		return ONRAMP_STATE_UNACKED;
	if (validity == ONRAMP_VALID && READ_ONCE(on->switched_off))
		return ONRAMP_STATE_SWITCHED_OFF;
	return validity;
}

/* Context: the flow's lock. */
static int onramp_put_flow_state(struct sk_buff *skb,
				 const struct onramp_core_flow *flow,
				 u64 now_ns)
{
	bool unacked = READ_ONCE(flow->path->unacked.unacked);
	u8 state = onramp_dumped_state(flow->on, unacked, flow->validity);
	s64 hold_ns = flow->pub.t_next_ns - now_ns;
	struct onramp_core_port *port = onramp_flow_port(flow);

	if (nla_put_u8(skb, ONRAMP_A_DSCP, flow->path->key.dscp) ||
	    (port && nla_put_u32(skb, ONRAMP_A_IFINDEX,
				 port->device->dev->ifindex)) ||
	    nla_put_u32(skb, ONRAMP_A_BETA, flow->vars.beta_q16) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLD, hold_ns > 0 ? hold_ns : 0) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLD_TOTAL,
			   onramp_hold_total(&flow->hold, now_ns)) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLDS, flow->holds) ||
	    onramp_put_u64(skb, ONRAMP_A_SAMPLES, flow->samples) ||
	    nla_put_u32(skb, ONRAMP_A_RECORDS, flow->ring.count))
		return -EMSGSIZE;
	if ((flow->samples || unacked) && nla_put_u8(skb, ONRAMP_A_STATE, state))
		return -EMSGSIZE;
	if (flow->samples &&
	    (nla_put_u8(skb, ONRAMP_A_STAMP_TX, flow->stamp_tx) ||
	     nla_put_u8(skb, ONRAMP_A_STAMP_RX, flow->stamp_rx)))
		return -EMSGSIZE;
	return flow->has_owd ?
	       onramp_put_delay(skb, flow->owd_ns, now_ns - flow->owd_at_ns,
				flow->error_ns, flow->threshold_ns) : 0;
}

/**
 * onramp_put_flow() - a flow, as a nest
 * @skb: the message
 * @on: its namespace
 * @object: struct onramp_core_flow
 *
 * Context: RCU; not the flow's lock.
 * Return: 0 or -EMSGSIZE.
 */
int onramp_put_flow(struct sk_buff *skb, struct onramp_net *on, void *object)
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
				 const struct onramp_net *on,
				 const struct onramp_path *path, u64 now_ns)
{
	u8 state = onramp_dumped_state(on, path->unacked.unacked, path->validity);

	if (onramp_put_u64(skb, ONRAMP_A_SAMPLES, path->samples) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLDS, path->holds) ||
	    onramp_put_u64(skb, ONRAMP_A_HOLD_TOTAL,
			   onramp_hold_total(&path->vars.held, now_ns)))
		return -EMSGSIZE;
	if (path->has_beta && nla_put_u32(skb, ONRAMP_A_BETA, path->beta_q16))
		return -EMSGSIZE;
	if (path->vars.has_base &&
	    onramp_put_s64(skb, ONRAMP_A_BASE, path->vars.base_ns))
		return -EMSGSIZE;
	if ((path->samples || path->unacked.unacked) &&
	    nla_put_u8(skb, ONRAMP_A_STATE, state))
		return -EMSGSIZE;
	return path->vars.owd_at_ns ?
	       onramp_put_delay(skb, path->vars.owd_ns,
				now_ns - path->vars.owd_at_ns, path->error_ns,
				path->threshold_ns) : 0;
}

/**
 * onramp_put_path() - a path, as a nest
 * @skb: the message
 * @on: its namespace
 * @object: struct onramp_path
 *
 * Context: RCU; not the path's lock.
 * Return: 0 or -EMSGSIZE.
 */
int onramp_put_path(struct sk_buff *skb, struct onramp_net *on, void *object)
{
	struct onramp_path *path = object;
	struct nlattr *nest = nla_nest_start(skb, ONRAMP_A_PATH);
	int err;

	if (!nest ||
	    onramp_put_address(skb, ONRAMP_A_SADDR, &path->key.saddr) ||
	    onramp_put_address(skb, ONRAMP_A_DADDR, &path->key.daddr) ||
	    onramp_put_scope(skb, path->key.scope) ||
	    nla_put_u8(skb, ONRAMP_A_DSCP, path->key.dscp))
		return -EMSGSIZE;
	spin_lock_bh(&path->lock);
	err = onramp_put_path_state(skb, on, path, onramp_now(on->net));
	spin_unlock_bh(&path->lock);
	nla_nest_end(skb, nest);
	return err;
}

void *onramp_dump_begin(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	void *head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				 cb->nlh->nlmsg_seq, &onramp_genl_family,
				 NLM_F_MULTI, cmd);

	if (head)
		genl_dump_check_consistent(cb, head);
	return head;
}
EXPORT_SYMBOL_GPL(onramp_dump_begin);

/**
 * onramp_genl_answer() - reply to a request with one message
 * @info: the request
 * @put: fills the message
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, -EMSGSIZE, or of sending.
 */
int onramp_genl_answer(struct genl_info *info,
		       int (*put)(struct sk_buff *skb, struct onramp_net *on))
{
	struct sk_buff *skb = nlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *head;

	if (!skb)
		return -ENOMEM;
	head = genlmsg_put_reply(skb, info, &onramp_genl_family, 0,
				 info->genlhdr->cmd);
	if (!head || put(skb, onramp_net_of(genl_info_net(info)))) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, head);
	return genlmsg_reply(skb, info);
}

/*
 * Events for group monitor.
 */

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
	if (!err && path)
		err = onramp_put_path(skb, on, path);
	else if (!err)
		err = event == ONRAMP_EVENT_HOLDING ?
		      onramp_put_holding(skb, on) : onramp_put_clock(skb, on);
	if (err) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, head);
	genlmsg_multicast_netns(&onramp_genl_family, on->net, skb, 0, 0,
				GFP_ATOMIC);
}

/**
 * onramp_genl_path_event() - notify the monitors of a path
 * @on: the namespace
 * @path: the path
 * @event: what happened to it
 *
 * Context: RCU; no lock of this module.
 */
void onramp_genl_path_event(struct onramp_net *on, struct onramp_path *path,
			    enum onramp_event event)
{
	onramp_genl_event(on, event, path);
}

/**
 * onramp_genl_clock_event() - notify the monitors of the clock
 * @on: the namespace
 * @event: what happened to it
 */
void onramp_genl_clock_event(struct onramp_net *on, enum onramp_event event)
{
	onramp_genl_event(on, event, NULL);
}

/**
 * onramp_genl_holding_event() - notify the monitors that holding was switched
 * @on: the namespace
 *
 * Context: onramp_net.change.
 */
void onramp_genl_holding_event(struct onramp_net *on)
{
	onramp_genl_event(on, ONRAMP_EVENT_HOLDING, NULL);
}

/**
 * onramp_genl_stale_work() - report that the published clock is stale, once
 * @work: onramp_net.stale
 */
void onramp_genl_stale_work(struct work_struct *work)
{
	struct onramp_net *on = container_of(to_delayed_work(work),
					     struct onramp_net, stale);
	const struct onramp_clock_line *line;
	s64 left_ns = 0;

	rcu_read_lock();
	line = rcu_dereference(on->line);
	if (line)
		left_ns = onramp_clock_left_ns(line, onramp_now(on->net));
	rcu_read_unlock();
	if (left_ns > 0)
		queue_delayed_work(compat_system_wq(), &on->stale,
				   nsecs_to_jiffies(left_ns) + 1);
	else
		onramp_genl_clock_event(on, ONRAMP_EVENT_CLOCK_LOST);
}
