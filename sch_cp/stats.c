// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics: of a port, and of its classes, one for each VOQ.
 */
#include <net/gen_stats.h>

#include "cp.h"

static u64 cp_pausing_ns(const struct cp_input *in, u64 now)
{
	return in->pausing_ns + (in->pause.paused ? now - in->pausing_since_ns : 0);
}

/* Counters of an input, under its lock. */
static void cp_stats_input(const struct cp_input *in, struct tc_cp_xstats *st, u64 now)
{
	st->buffer_bytes = in->bytes;
	st->buffer_max_bytes = in->max_bytes;
	st->cnm_tx = in->cnm_tx;
	st->xoff_tx = in->xoff_tx;
	st->refresh_tx = in->refresh_tx;
	st->xon_tx = in->xon_tx;
	st->pausing_ns = cp_pausing_ns(in, now);
	st->pausing = in->pause.paused;
	st->control_failed = in->control_failed;
}

/* A port has congestion points at both sides over time; their counters are added. */
static void cp_stats_point(const struct cp_point *point, struct tc_cp_xstats *st)
{
	const struct cp_point_stats *of = &point->stats;

	st->verdicts += of->verdicts;
	st->cnms += of->cnms;
	st->marks += of->marks;
	st->ce_seen += of->ce_seen;
	st->nonect_seen += of->nonect_seen;
	st->mark_failed += of->mark_failed;
	st->not_bridged += of->not_bridged;
	st->no_source += of->no_source;
	st->control_failed += of->control_failed;
	st->no_vlan += of->no_vlan;
	if (point->law == CP_LAW_QCN)
		st->qntz_fb = point->qntz_fb;
}

/* Statistics of law fecn; counters stay with other laws. */
static void cp_stats_fecn(struct cp_port *q, struct tc_cp_xstats *st)
{
	const struct cp_fecn *f = &q->fecn;

	st->rds = f->rds;
	st->rds_written = f->rds_written;
	st->rds_bad = f->rds_bad;
	st->rds_failed = f->rds_failed;
	if (!q->advertising)
		return;
	cp_fecn_advance(q);
	st->advertised_bps = f->vars.rate_kbps * 1000ULL;
	st->arrival_bps = f->vars.arrival_kbps * 1000;
	st->effective_flows = fecn_cp_flows(&f->vars);
}

/**
 * cp_dump_stats() - append the statistics of a port
 * @sch: the qdisc
 * @d: the message
 *
 * Return: 0, or -1 if the message is full.
 */
int cp_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct cp_port *q = qdisc_priv(sch);
	struct cp_input *in = q->input;
	struct tc_cp_xstats st;

	spin_lock_bh(qdisc_lock(sch));
	q->now_ns = 0;
	q->count.stamp_ns = cp_now(q);
	q->count.paused = cp_pause_rx_paused(q);
	st = q->count;
	st.type = TC_CP_XSTATS_QDISC;
	st.q_bytes = q->bytes;
	st.storms = q->pause_rx_stats.storms;
	st.inputs = q->nr_inputs;
	spin_lock(&in->lock);
	cp_stats_input(in, &st, q->now_ns);
	cp_stats_point(&in->point, &st);
	spin_unlock(&in->lock);
	cp_stats_point(&q->point, &st);
	cp_stats_fecn(q, &st);
	spin_unlock_bh(qdisc_lock(sch));
	return gnet_stats_copy_app(d, &st, sizeof(st));
}

/* Classes have no handle but their number: nothing is grafted or changed. */
static struct Qdisc *cp_class_leaf(struct Qdisc *sch, unsigned long minor)
{
	return NULL;
}

static struct cp_voq *cp_class_voq(struct Qdisc *sch, unsigned long minor)
{
	struct cp_voq *voq = cp_voq_next(qdisc_priv(sch), minor);

	return voq && voq->minor == minor ? voq : NULL;
}

static unsigned long cp_class_find(struct Qdisc *sch, u32 classid)
{
	unsigned long minor = TC_H_MIN(classid);
	bool found;

	spin_lock_bh(qdisc_lock(sch));
	found = cp_class_voq(sch, minor);
	spin_unlock_bh(qdisc_lock(sch));
	return found ? minor : 0;
}

static int cp_class_dump(struct Qdisc *sch, unsigned long minor, struct sk_buff *skb,
			 struct tcmsg *tcm)
{
	tcm->tcm_handle |= TC_H_MIN(minor);
	return 0;
}

static void cp_class_culprits(const struct cp_voq *voq, struct tc_cp_class_xstats *st)
{
	st->culprits = voq->culprits;
	st->cnms = voq->cnms;
	st->marks = voq->marks;
}

static void cp_class_input(const struct cp_input *in, struct tc_cp_class_xstats *st)
{
	st->ifindex = in->ifindex;
	st->buffer_bytes = in->bytes;
	st->pauses = in->xoff_tx;
	st->pausing = in->pause.paused;
}

/* Under the root lock. */
static void cp_class_stats(const struct cp_voq *voq, struct tc_cp_class_xstats *st)
{
	*st = (struct tc_cp_class_xstats){
		.type = TC_CP_XSTATS_CLASS,
		.bytes = voq->bytes,
		.packets = voq->packets,
		.counted = voq->counted,
		.tx_bytes = voq->tx_bytes,
		.tx_packets = voq->tx_packets,
		.drop_buffer = voq->drop_buffer,
		.drop_limit = voq->drop_limit,
	};
	if (!voq->input) {
		cp_class_culprits(voq, st);
		return;
	}
	spin_lock(&voq->input->lock);
	cp_class_culprits(voq, st);
	cp_class_input(voq->input, st);
	spin_unlock(&voq->input->lock);
}

static int cp_class_dump_stats(struct Qdisc *sch, unsigned long minor, struct gnet_dump *d)
{
	struct gnet_stats_queue qs = {};
	struct tc_cp_class_xstats st;
	struct cp_voq *voq;

	spin_lock_bh(qdisc_lock(sch));
	voq = cp_class_voq(sch, minor);
	if (voq)
		cp_class_stats(voq, &st);
	spin_unlock_bh(qdisc_lock(sch));
	if (!voq)
		return 0;
	qs.backlog = st.bytes;
	qs.drops = st.drop_buffer + st.drop_limit;
	if (gnet_stats_copy_queue(d, NULL, &qs, st.packets) < 0)
		return -1;
	return gnet_stats_copy_app(d, &st, sizeof(st));
}

/* VOQs come while the lock is not held; one is shown, or not. */
static void cp_class_walk(struct Qdisc *sch, struct qdisc_walker *arg)
{
	struct cp_voq *voq;
	u32 minor = 0;

	while (!arg->stop) {
		spin_lock_bh(qdisc_lock(sch));
		voq = cp_voq_next(qdisc_priv(sch), minor + 1);
		minor = voq ? voq->minor : 0;
		spin_unlock_bh(qdisc_lock(sch));
		if (!minor)
			return;
		if (arg->count >= arg->skip && arg->fn(sch, minor, arg) < 0)
			arg->stop = 1;
		else
			arg->count++;
	}
}

const struct Qdisc_class_ops cp_class_ops = {
	.leaf		= cp_class_leaf,
	.find		= cp_class_find,
	.walk		= cp_class_walk,
	.dump		= cp_class_dump,
	.dump_stats	= cp_class_dump_stats,
};
