// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters: from netlink, checked as a whole, put in force as a whole.
 * Every table is made from ONRAMP_PARAMETERS.  And the counters: the qdisc's own,
 * and core's of this instance.
 */
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rtnetlink.h>
#include <net/gen_stats.h>
#include <net/netlink.h>

#include "sch_onramp.h"
#include "param_nl.h"

/* The tables speak no netlink: their numbers are the wire's. */
static_assert((u32)ONRAMP_FINAL == (u32)TC_ONRAMP_LAW_FINAL);
static_assert((u32)ONRAMP_STRAWMAN == (u32)TC_ONRAMP_LAW_STRAWMAN);
static_assert((u32)ONRAMP_WEIGHTED == (u32)TC_ONRAMP_LAW_WEIGHTED);
static_assert(ONRAMP_MODE_OFF == 0 && ONRAMP_MODE_HOLD == 2);
static_assert((u32)ONRAMP_RP_OFF == (u32)TC_ONRAMP_RP_OFF);
static_assert((u32)ONRAMP_RP_QCN == (u32)TC_ONRAMP_RP_QCN);
static_assert((u32)ONRAMP_RP_FECN == (u32)TC_ONRAMP_RP_FECN);
static_assert(ONRAMP_CLOCK_SYSTEM == 1 && ONRAMP_CLOCK_PUBLISHED == 2);

#define ONRAMP_X(id, name, bits, lo, hi, unit)				       \
	static struct netlink_range_validation onrampq_range_##id = {	       \
		.min = lo, .max = hi,					       \
	};
ONRAMP_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X

static const struct nla_policy onrampq_policy[TCA_ONRAMP_MAX + 1] = {
#define ONRAMP_X(id, name, bits, lo, hi, unit)				       \
	[TCA_ONRAMP_##id] = NLA_POLICY_FULL_RANGE(NLA_U##bits,		       \
						  &onrampq_range_##id),
	ONRAMP_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X
};

static const u8 onrampq_attr[ONRAMP_NR_PARAMS] = {
#define ONRAMP_X(id, name, bits, lo, hi, unit)				       \
	[ONRAMP_P_##id] = TCA_ONRAMP_##id,
	ONRAMP_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X
};

static const struct param_nl onrampq_nl = {
	.table = onramp_param_info, .attr = onrampq_attr, .policy = onrampq_policy,
	.max_attr = TCA_ONRAMP_MAX, .pad = TCA_ONRAMP_PAD,
};

/* Parameters that core reads. */
static struct onramp_port_params
onrampq_port_params(const struct onramp_settings *s)
{
	const u64 *v = s->value;

	return (struct onramp_port_params){
		.mode = v[ONRAMP_P_MODE],
		.clock = v[ONRAMP_P_CLOCK],
		.system_error_ns = v[ONRAMP_P_ERROR_NS],
		.path_fresh_ns = v[ONRAMP_P_PATH_FRESH_NS],
		.record_idle_ns = v[ONRAMP_P_RECORD_IDLE_NS],
		.link_bps = v[ONRAMP_P_LINK_RATE_BPS],
		.remember = v[ONRAMP_P_REMEMBER],
		.nic_comp = v[ONRAMP_P_NIC_COMP],
		.algo = {
			.law = v[ONRAMP_P_LAW],
			.gain = v[ONRAMP_P_GAIN],
			.max_hold_ns = v[ONRAMP_P_MAX_HOLD_NS],
		},
		.path = {
			.threshold_ns = v[ONRAMP_P_THRESHOLD_NS],
			.margin_ns = v[ONRAMP_P_MARGIN_NS],
			.max_error_ns = v[ONRAMP_P_MAX_ERROR_NS],
		},
	};
}

/* bit/s to bytes/s, as sockets have it. */
static unsigned long onrampq_byte_rate(u64 bps)
{
	return min_t(u64, div_u64(bps, 8), ~0UL);
}

/* Parameters that the data path reads. */
static struct onrampq_conf onrampq_conf_of(const struct onramp_settings *s)
{
	const u64 *v = s->value;
	struct onrampq_conf conf = {
		.limit = v[ONRAMP_P_LIMIT],
		.flow_limit = v[ONRAMP_P_FLOW_LIMIT],
		.quantum = v[ONRAMP_P_QUANTUM],
		.initial_quantum = v[ONRAMP_P_INITIAL_QUANTUM],
		.priomap = v[ONRAMP_P_PRIOMAP],
		.orphan_mask = v[ONRAMP_P_ORPHAN_MASK],
		.maxrate = ~0UL,
		.low_rate = onrampq_byte_rate(v[ONRAMP_P_LOW_RATE_THRESHOLD_BPS]),
		.refill_delay_ns = v[ONRAMP_P_REFILL_DELAY_NS],
		.ce_threshold_ns = S64_MAX,
		.horizon_ns = v[ONRAMP_P_HORIZON_NS],
		.timer_slack_ns = v[ONRAMP_P_TIMER_SLACK_NS],
		.remember = v[ONRAMP_P_REMEMBER],
		.pacing = v[ONRAMP_P_PACING],
		.horizon_drop = v[ONRAMP_P_HORIZON_DROP],
		.sojourn_hist = v[ONRAMP_P_SOJOURN_HIST],
	};

	if (v[ONRAMP_P_MAXRATE_BPS])
		conf.maxrate = onrampq_byte_rate(v[ONRAMP_P_MAXRATE_BPS]);
	if (s->given & ONRAMP_BIT(CE_THRESHOLD_NS))
		conf.ce_threshold_ns = v[ONRAMP_P_CE_THRESHOLD_NS];
	return conf;
}

/**
 * struct onrampq_made - what is made ready for settings, or is not in use any more
 * @table: the table of queues, or NULL
 * @rp: reaction points, or NULL
 * @conf: their settings
 */
struct onrampq_made {
	struct rb_root		*table;
	struct onrampq_rp	*rp;
	struct onrampq_rp_conf	conf;
};

static void onrampq_unmake(struct onrampq_sched *q, struct onrampq_made *made)
{
	kvfree(made->table);
	onrampq_rp_destroy(made->rp, &q->count);
}

/* Drop from the head of a queue what its band's limit has no space for. */
static void onrampq_trim_queue(struct Qdisc *sch, struct onrampq_queue *f)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	struct sk_buff *skb;

	while ((skb = onrampq_queue_peek(f))) {
		struct onrampq_band *band = &q->band[onrampq_cb(skb)->band];
		unsigned int len = qdisc_pkt_len(skb);

		if (band->pkts <= q->conf.limit)
			return;
		band->pkts--;
		band->drops++;
		onrampq_drop_limited(q, skb);
		onrampq_queue_take(sch, f, skb);
		rtnl_qdisc_drop(skb, sch);
		qdisc_tree_reduce_backlog(sch, 1, len);
	}
	q->nr_inactive++;
	onrampq_bind_drained(q, f);
	/* With nothing to wait for, or it would count twice. */
	if (f->state == ONRAMPQ_WAIT)
		onrampq_wait_end(q, f);
}

static void onrampq_trim(struct Qdisc *sch)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	struct onrampq_queue *f;

	for (f = onrampq_table_first(q); f; f = onrampq_table_next(q, f))
		if (f->qlen)
			onrampq_trim_queue(sch, f);
	if (q->spare.qlen)
		onrampq_trim_queue(sch, &q->spare);
}

/* No packet that waits has a reaction point: those that it may have had are not in use. */
static void onrampq_unlimit(struct onrampq_sched *q, u64 now)
{
	struct onrampq_queue *f;

	for (f = onrampq_table_first(q); f; f = onrampq_table_next(q, f))
		onrampq_queue_unlimit(f);
	onrampq_queue_unlimit(&q->spare);
	for (f = onrampq_table_first(q); f; f = onrampq_table_next(q, f))
		if (f->state == ONRAMPQ_WAIT)
			onrampq_wait_resort(q, f, now);
	if (q->spare.state == ONRAMPQ_WAIT)
		onrampq_wait_resort(q, &q->spare, now);
}

/* Return: the old reaction points, if they are not in use any more. */
static struct onrampq_rp *onrampq_commit_rp(struct onrampq_sched *q,
					    const struct onramp_settings *next,
					    const struct onrampq_made *made, u64 now)
{
	struct onrampq_rp *old = q->rp;

	if (made->rp)
		onrampq_rp_set(made->rp, &made->conf, next);
	if (made->rp == old)
		return NULL;
	q->rp = made->rp;
	q->limiting = q->rp;
	q->nr_moved += !!q->rp - !!old;
	onrampq_unlimit(q, now);
	return old;
}

/*
 * Put new settings in force, with what is new.  Called under
 * sch_tree_lock(); or by onrampq_settings_init(), when nobody else knows the qdisc.
 * @made has then what is not in use any more.
 */
static void onrampq_commit(struct Qdisc *sch, const struct onramp_settings *next,
			   struct onrampq_made *made)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	bool measured = q->measuring;
	u64 now = onrampq_now(sch);

	q->settings = *next;
	q->conf = onrampq_conf_of(next);
	q->band[0].weight = next->value[ONRAMP_P_WEIGHT0];
	q->band[1].weight = next->value[ONRAMP_P_WEIGHT1];
	q->band[2].weight = next->value[ONRAMP_P_WEIGHT2];
	sch->limit = q->conf.limit;
	q->measuring = next->value[ONRAMP_P_MODE] != ONRAMP_MODE_OFF;
	if (made->table)
		made->table = onrampq_table_set(q, made->table,
						ilog2(next->value[ONRAMP_P_BUCKETS]));
	made->rp = onrampq_commit_rp(q, next, made, now);
	if (measured && !q->measuring)
		onrampq_table_detach(q, now);
	onrampq_trim(sch);
	/* Queues that wait may be due now; the timer checks. */
	if (q->nr_waiting)
		qdisc_watchdog_schedule_ns(&q->watchdog, now);
}

static int onrampq_prepare_table(struct Qdisc *sch, u64 buckets, struct rb_root **table)
{
	const struct onrampq_sched *q = qdisc_priv(sch);

	if (q->table && buckets == q->settings.value[ONRAMP_P_BUCKETS])
		return 0;
	*table = onrampq_table_alloc(sch, ilog2(buckets));
	return *table ? 0 : -ENOMEM;
}

/* Those in use stay, unless their kind or number changes. */
static int onrampq_prepare_rp(struct Qdisc *sch, const struct onramp_settings *next,
			      struct onrampq_made *made, struct netlink_ext_ack *extack)
{
	const struct onrampq_sched *q = qdisc_priv(sch);
	u32 max = next->value[ONRAMP_P_RP_MAX_RPS];
	u8 kind = next->value[ONRAMP_P_RP];
	struct onrampq_rp *rp = q->rp;

	if (kind == ONRAMP_RP_OFF)
		return 0;
	onrampq_rp_conf(sch, next, &made->conf);
	if (!rp || rp->max != max || rp->kind != kind)
		rp = onrampq_rp_create(sch, kind, max, extack);
	if (IS_ERR(rp))
		return PTR_ERR(rp);
	made->rp = rp;
	return 0;
}

static int onrampq_prepare_port(struct Qdisc *sch, const struct onramp_settings *next,
				struct netlink_ext_ack *extack)
{
	const struct onramp_port_params params = onrampq_port_params(next);
	struct onrampq_sched *q = qdisc_priv(sch);
	struct onramp_port *port;

	if (q->port)
		return onramp_port_change(q->port, &params, extack);
	port = onramp_port_create(sch, &params, extack);
	if (IS_ERR(port))
		return PTR_ERR(port);
	q->port = port;
	return 0;
}

/*
 * All that may fail comes first.  Return: 0, or why nothing was changed.
 */
static int onrampq_prepare(struct Qdisc *sch, const struct onramp_settings *next,
			   struct onrampq_made *made, struct netlink_ext_ack *extack)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	int err;

	*made = (struct onrampq_made){};
	err = onrampq_prepare_table(sch, next->value[ONRAMP_P_BUCKETS], &made->table);
	if (!err)
		err = onrampq_prepare_rp(sch, next, made, extack);
	if (!err)
		err = onrampq_prepare_port(sch, next, extack);
	if (!err)
		return 0;
	if (made->rp == q->rp)
		made->rp = NULL;
	onrampq_unmake(q, made);
	return err;
}

/* Settings in force, changed by a request, if there is one. */
static int onrampq_next(struct onramp_settings *next, struct nlattr *opt,
			struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_ONRAMP_MAX + 1];
	struct onramp_settings req = {};
	enum onramp_refusal why;
	int err;

	if (!opt)
		return 0;
	err = param_nl_parse(&onrampq_nl, tb, opt, &req.given, req.value, extack);
	if (err)
		return err;
	why = onramp_settings_apply(next, &req);
	if (!why)
		return 0;
	compat_extack_set(extack, onramp_refusal_text(why));
	return -EINVAL;
}

int onrampq_change(struct Qdisc *sch, struct nlattr *opt,
		   struct netlink_ext_ack *extack)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	struct onramp_settings next = q->settings;
	struct onrampq_made made;
	int err;

	err = onrampq_next(&next, opt, extack);
	if (!err)
		err = onrampq_prepare(sch, &next, &made, extack);
	if (err)
		return err;
	sch_tree_lock(sch);
	onrampq_commit(sch, &next, &made);
	sch_tree_unlock(sch);
	onrampq_unmake(q, &made);
	return 0;
}

int onrampq_settings_init(struct Qdisc *sch, struct nlattr *opt,
			  struct netlink_ext_ack *extack)
{
	struct onramp_settings next;
	struct onrampq_made made;
	int err;

	onramp_settings_default(&next, psched_mtu(qdisc_dev(sch)),
				compat_is_virtual());
	err = onrampq_next(&next, opt, extack);
	if (!err)
		err = onrampq_prepare(sch, &next, &made, extack);
	if (err)
		return err;
	onrampq_commit(sch, &next, &made);
	return 0;
}

int onrampq_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	const struct onrampq_sched *q = qdisc_priv(sch);
	const struct onramp_settings *s = &q->settings;
	struct nlattr *nest;

	nest = nla_nest_start(skb, TCA_OPTIONS);
	if (!nest)
		return -EMSGSIZE;
	if (param_nl_put(&onrampq_nl, skb, s->given, s->value)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	return nla_nest_end(skb, nest);
}

/* A counter that core gets must come to be here, too. */
static_assert(sizeof(struct onramp_stats) == 29 * sizeof(u64));

static void onrampq_stats_core(const struct onrampq_sched *q,
			       struct tc_onramp_xstats *st)
{
	struct onramp_stats core = {};

	onramp_port_stats(q->port, &core);
	st->samples = core.samples;
	st->holds = core.holds;
	st->holds_bounded = core.holds_bounded;
	st->holds_new = core.holds_new;
	st->holds_observed = core.holds_observed;
	st->hold_ns = core.hold_ns;
	st->no_clock = core.no_clock;
	st->uncertain = core.uncertain;
	st->negative = core.negative;
	st->too_long = core.too_long;
	st->below_base = core.below_base;
	st->suspect = core.suspect;
	st->suspicions = core.suspicions;
	st->retransmitted = core.retransmitted;
	st->unmatched = core.unmatched;
	st->records = core.records;
	st->records_evicted = core.records_evicted;
	st->records_failed = core.records_failed;
	st->gso_unknown_rate = core.gso_unknown_rate;
	st->nic_backlog_ns = core.nic_backlog_ns;
	st->owd_ns = core.owd_ns;
	st->threshold_ns = core.threshold_ns;
	st->base_ns = core.base_ns;
	st->measured = core.flows;
	st->measured_failed = core.flows_failed;
	st->not_tcp = core.not_tcp;
	st->unacked = core.unacked;
	st->unacked_paths = core.unacked_paths;
	st->holds_off = core.holds_off;
}

static_assert(DELAY_HIST_BUCKETS == TC_ONRAMP_HIST_BUCKETS);

static void onrampq_stats_hist(const struct onrampq_sched *q, struct tc_onramp_xstats *st)
{
	struct delay_hist owds;

	onramp_port_owds(q->port, &owds);
	st->owd_sum_ns = owds.sum_ns;
	memcpy(st->owd_hist, owds.bucket, sizeof(st->owd_hist));
	st->sojourn_sum_ns = q->sojourn.sum_ns;
	memcpy(st->sojourn_hist, q->sojourn.bucket, sizeof(st->sojourn_hist));
}

int onrampq_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	u64 now = onrampq_now(sch);
	struct tc_onramp_xstats st;
	u64 next_ns;

	sch_tree_lock(sch);
	st = q->count;
	/* The spare queue is nobody's. */
	st.flows = q->nr_queues - 1;
	st.inactive_flows = q->nr_inactive - !q->spare.qlen;
	st.throttled_flows = q->nr_waiting;
	next_ns = onrampq_wait_next_ns(q);
	if (next_ns != U64_MAX && next_ns > now)
		st.next_release_ns = next_ns - now;
	st.latency_ns = q->latency_ns;
	st.band0_pkts = q->band[0].pkts;
	st.band1_pkts = q->band[1].pkts;
	st.band2_pkts = q->band[2].pkts;
	st.band0_drops = q->band[0].drops;
	st.band1_drops = q->band[1].drops;
	st.band2_drops = q->band[2].drops;
	onrampq_stats_hist(q, &st);
	sch_tree_unlock(sch);

	if (q->rp)
		onrampq_rp_stats(q->rp, &st);
	onrampq_stats_core(q, &st);
	return gnet_stats_copy_app(d, &st, sizeof(st));
}
