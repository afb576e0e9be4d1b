// SPDX-License-Identifier: GPL-2.0
/*
 * Classes: a reaction point each.  Nothing is grafted or changed.
 */
#include <net/gen_stats.h>

#include "sch_onramp.h"

static struct Qdisc *onrampq_class_leaf(struct Qdisc *sch, unsigned long minor)
{
	return NULL;
}

/* Under RTNL, by which there are reaction points or not. */
static bool onrampq_class_read(struct Qdisc *sch, u32 minor, struct onrampq_point *copy)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	struct onrampq_rp *rp = q->rp;

	if (!rp || !minor || minor > rp->max)
		return false;
	return onrampq_rp_read(rp, minor, onrampq_now(sch), copy);
}

static unsigned long onrampq_class_find(struct Qdisc *sch, u32 classid)
{
	struct onrampq_point copy;
	u32 minor = TC_H_MIN(classid);

	return onrampq_class_read(sch, minor, &copy) ? minor : 0;
}

static int onrampq_class_dump(struct Qdisc *sch, unsigned long minor, struct sk_buff *skb,
			      struct tcmsg *tcm)
{
	tcm->tcm_handle |= TC_H_MIN(minor);
	return 0;
}

static void onrampq_class_stats(const struct onrampq_point *point,
				struct tc_onramp_class_xstats *st)
{
	const struct l2_flow *flow = &point->flow;

	*st = (struct tc_onramp_class_xstats){
		.type = TC_ONRAMP_XSTATS_CLASS,
		.rate_bps = point->vars.cur_bps,
		.target_bps = point->vars.tgt_bps,
		.byte_stage = point->vars.byte_stage,
		.time_stage = point->vars.time_stage,
		.cnms = point->cnms,
		.packets = point->queued,
		.tx_packets = point->tx_packets,
		.tx_bytes = point->tx_bytes,
		.shared = point->shared,
		.ether_type = flow->type,
		.proto = flow->proto,
		.sport = flow->sport,
		.dport = flow->dport,
	};
	memcpy(st->saddr, flow->saddr, sizeof(st->saddr));
	memcpy(st->daddr, flow->daddr, sizeof(st->daddr));
	memcpy(st->da, flow->da, sizeof(flow->da));
	st->rds = point->rds;
	st->rds_answered = point->rds_answered;
	st->hops = point->hops;
	st->hop_bytes = point->hop_bytes;
	memcpy(st->hop, point->hop, sizeof(st->hop));
}

static int onrampq_class_dump_stats(struct Qdisc *sch, unsigned long minor, struct gnet_dump *d)
{
	struct tc_onramp_class_xstats st;
	struct onrampq_point copy;

	if (!onrampq_class_read(sch, minor, &copy))
		return 0;
	onrampq_class_stats(&copy, &st);
	return gnet_stats_copy_app(d, &st, sizeof(st));
}

/* They end while no lock is held; one is shown, or not. */
static void onrampq_class_walk(struct Qdisc *sch, struct qdisc_walker *arg)
{
	const struct onrampq_sched *q = qdisc_priv(sch);
	struct onrampq_point copy;
	u32 minor;

	for (minor = 1; !arg->stop && q->rp && minor <= q->rp->max; minor++) {
		if (!onrampq_class_read(sch, minor, &copy))
			continue;
		if (arg->count >= arg->skip && arg->fn(sch, minor, arg) < 0)
			arg->stop = 1;
		else
			arg->count++;
	}
}

const struct Qdisc_class_ops onrampq_class_ops = {
	.leaf		= onrampq_class_leaf,
	.find		= onrampq_class_find,
	.walk		= onrampq_class_walk,
	.dump		= onrampq_class_dump,
	.dump_stats	= onrampq_class_dump_stats,
};
