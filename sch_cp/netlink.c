// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters: from netlink, checked as a whole, put in force as a whole.
 * Every table is made from CP_PARAMETERS.
 */
#include <linux/errno.h>
#include <linux/rtnetlink.h>
#include <net/netlink.h>

#include "cp.h"
#include "param_nl.h"

/* The tables speak no netlink: their numbers are the wire's. */
#define CP_SAME(name) static_assert((u32)CP_##name == (u32)TC_CP_##name)
CP_SAME(LAW_NONE);
CP_SAME(LAW_QCN);
CP_SAME(LAW_STEP);
CP_SAME(LAW_FECN);
CP_SAME(AT_INPUT);
CP_SAME(SAMPLE_RANDOM);
CP_SAME(SAMPLE_LARGEST);
CP_SAME(SIGNAL_ECN);
CP_SAME(SERVICE_RR);
CP_SAME(PAUSE_INPUT);
CP_SAME(PAUSE_OUTPUT);
CP_SAME(DEFENSE_EDGE);
#undef CP_SAME

/* Ranges are checked by the table, as one of them is signed. */
static const struct nla_policy cp_policy[TCA_CP_MAX + 1] = {
#define CP_X(id, name, bits, lo, hi, preset, unit)			       \
	[TCA_CP_##id] = { .type = NLA_U##bits },
	CP_PARAMETERS(CP_X)
#undef CP_X
};

static const u8 cp_attr[CP_NR_PARAMS] = {
#define CP_X(id, name, bits, lo, hi, preset, unit)			       \
	[CP_P_##id] = TCA_CP_##id,
	CP_PARAMETERS(CP_X)
#undef CP_X
};

static const struct param_nl cp_nl = {
	.table = cp_param_info, .attr = cp_attr, .policy = cp_policy,
	.max_attr = TCA_CP_MAX, .pad = TCA_CP_PAD,
};

/* Settings in force, changed by a request, if there is one. */
static int cp_settings_merge(struct cp_settings *next, struct nlattr *opt,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_CP_MAX + 1];
	struct cp_settings req = {};
	enum cp_refusal why;
	int err;

	if (opt) {
		err = param_nl_parse(&cp_nl, tb, opt, &req.given, req.value, extack);
		if (err)
			return err;
	}
	why = cp_settings_apply(next, &req);
	if (!why)
		return 0;
	compat_extack_set(extack, cp_refusal_text(why));
	return -EINVAL;
}

/* Lowered below what waits, the limit drops the oldest of all that waits. */
static void cp_trim(struct Qdisc *sch)
{
	struct cp_port *q = qdisc_priv(sch);
	struct sk_buff *skb;

	while (q->bytes > q->limit) {
		skb = cp_voq_take(q, U8_MAX);
		if (WARN_ON_ONCE(!skb))
			break;
		cp_cb(skb)->voq->drop_limit++;
		q->count.drop_limit++;
		cp_voq_uncharge(q, skb);
		rtnl_qdisc_drop(skb, sch);
	}
}

/**
 * struct cp_slots - memory of slots, allocated before anything is changed
 * @point: for a congestion point, by CP_AT_*
 * @swap: it is to be used
 */
struct cp_slots {
	struct cp_occupancy point[2];
	bool swap[2];
};

static void cp_slots_free(struct cp_slots *slots)
{
	cp_point_free(&slots->point[CP_AT_OUTPUT]);
	cp_point_free(&slots->point[CP_AT_INPUT]);
}

static int cp_slots_alloc(struct cp_slots *slots, const struct cp_settings *was,
			  const struct cp_settings *next)
{
	int err;
	u8 at;

	*slots = (struct cp_slots){};
	for (at = CP_AT_OUTPUT; at <= CP_AT_INPUT; at++) {
		slots->swap[at] = cp_point_resamples(was, next, at);
		err = slots->swap[at] ? cp_point_alloc(&slots->point[at], next, at) : 0;
		if (err) {
			cp_slots_free(slots);
			return err;
		}
	}
	return 0;
}

static void cp_commit_point(struct cp_point *point, u8 at, const struct cp_settings *next,
			    struct cp_slots *slots)
{
	if (slots->swap[at])
		cp_point_swap(point, &slots->point[at]);
	cp_point_set(point, next, at);
}

static void cp_commit(struct Qdisc *sch, const struct cp_settings *next, struct cp_slots *slots)
{
	struct cp_port *q = qdisc_priv(sch);
	const u64 *v = next->value;

	spin_lock_bh(qdisc_lock(sch));
	q->now_ns = 0;
	q->settings = *next;
	q->limit = v[CP_P_LIMIT];
	q->cnpv = v[CP_P_CNPV];
	if (q->rate_bps != v[CP_P_RATE_BPS]) {
		q->rate_bps = v[CP_P_RATE_BPS];
		q->next_ns = 0;
		q->was_idle = true;
	}
	WRITE_ONCE(q->edge, v[CP_P_DEFENSE] == CP_DEFENSE_EDGE);
	q->pause_output = v[CP_P_PAUSE] == CP_PAUSE_OUTPUT;
	q->limits.xoff_bytes = v[CP_P_XOFF];
	q->limits.xon_bytes = v[CP_P_XON];
	cp_voq_set_service(q, v[CP_P_SERVICE] == CP_SERVICE_RR);
	cp_input_set(q, next);
	cp_voq_pause(q, NULL);
	cp_fecn_set(q, next);
	cp_commit_point(&q->point, CP_AT_OUTPUT, next, slots);
	spin_lock(&q->input->lock);
	cp_commit_point(&q->input->point, CP_AT_INPUT, next, slots);
	spin_unlock(&q->input->lock);
	cp_trim(sch);
	spin_unlock_bh(qdisc_lock(sch));
}

/* All that may fail comes first. */
static int cp_put_in_force(struct Qdisc *sch, const struct cp_settings *next)
{
	struct cp_port *q = qdisc_priv(sch);
	struct cp_slots slots;
	int err;

	err = cp_slots_alloc(&slots, &q->settings, next);
	if (err)
		return err;
	cp_commit(sch, next, &slots);
	cp_slots_free(&slots);
	/* Waiting frames may leave now. */
	cp_control_schedule(sch);
	return 0;
}

/* Has a queue no space above xoff for 2 frames of each port, which are in transit then? */
static bool cp_lacks_headroom(struct Qdisc *sch, u64 headroom_bytes)
{
	struct cp_port *q = qdisc_priv(sch);
	struct list_head *at;
	u32 ports = 0;

	list_for_each(at, &q->net->ports)
		ports++;
	return headroom_bytes < 2ULL * psched_mtu(qdisc_dev(sch)) * ports;
}

static void cp_warn(struct Qdisc *sch, const struct cp_settings *s,
		    struct netlink_ext_ack *extack)
{
	const u64 *v = s->value;

	if (v[CP_P_PAUSE] == CP_PAUSE_OUTPUT &&
	    cp_lacks_headroom(sch, v[CP_P_LIMIT] - v[CP_P_XOFF]))
		NL_SET_ERR_MSG(extack,
			       "limit less xoff has no space for 2 frames of each port: some will be dropped");
	if (v[CP_P_PAUSE] == CP_PAUSE_INPUT &&
	    v[CP_P_BUFFER] - v[CP_P_XOFF] < 2 * psched_mtu(qdisc_dev(sch)))
		NL_SET_ERR_MSG(extack,
			       "fewer than 2 frames fit into the buffer above xoff: some will be dropped");
}

/**
 * cp_change() - change settings by a request
 * @sch: the qdisc
 * @opt: the request
 * @extack: gets the reason of a refusal, or a warning
 *
 * Context: RTNL; may sleep.
 * Return: 0, or why nothing was changed.
 */
int cp_change(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct cp_port *q = qdisc_priv(sch);
	struct cp_settings next = q->settings;
	int err;

	err = cp_settings_merge(&next, opt, extack);
	if (!err)
		err = cp_put_in_force(sch, &next);
	if (!err)
		cp_warn(sch, &next, extack);
	return err;
}

/**
 * cp_settings_init() - the first settings, and a port to which they apply
 * @sch: the qdisc
 * @opt: the request, or NULL
 * @extack: gets the reason of a refusal, or a warning
 *
 * Context: RTNL; may sleep.
 * Return: 0 or an error; cp_port_destroy() is called in any case.
 */
int cp_settings_init(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct cp_port *q = qdisc_priv(sch);
	struct cp_settings next;
	int err;

	cp_settings_default(&next);
	err = cp_settings_merge(&next, opt, extack);
	if (!err && sch->parent != TC_H_ROOT) {
		NL_SET_ERR_MSG(extack,
			       "cp must be the root of its device: it sends control frames ahead of all others");
		err = -EOPNOTSUPP;
	}
	if (!err)
		err = cp_port_create(q, extack);
	if (!err)
		err = cp_put_in_force(sch, &next);
	if (err)
		return err;
	cp_port_publish(q);
	cp_warn(sch, &next, extack);
	return 0;
}

/**
 * cp_dump() - append what was given, so that it can be sent back as it is
 * @sch: the qdisc
 * @skb: the message
 *
 * Context: RTNL.
 * Return: length of the message, or -EMSGSIZE.
 */
int cp_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	const struct cp_port *q = qdisc_priv(sch);
	const struct cp_settings *s = &q->settings;
	struct nlattr *nest;

	nest = nla_nest_start(skb, TCA_OPTIONS);
	if (!nest)
		return -EMSGSIZE;
	if (param_nl_put(&cp_nl, skb, s->given, s->value)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	return nla_nest_end(skb, nest);
}
