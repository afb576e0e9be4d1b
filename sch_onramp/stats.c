// SPDX-License-Identifier: GPL-2.0
/*
 * Counters: the qdisc's own, and core's of this instance.
 */
#include <net/gen_stats.h>

#include "orq.h"

/* A counter that core gets must come to be here, too. */
static_assert(sizeof(struct onramp_stats) == 29 * sizeof(u64));

static void orq_stats_core(const struct orq_sched *q,
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
	st->watched = core.flows;
	st->watched_failed = core.flows_failed;
	st->not_tcp = core.not_tcp;
	st->silent = core.silent;
	st->silences = core.silences;
	st->holds_off = core.holds_off;
}

int orq_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct orq_sched *q = qdisc_priv(sch);
	u64 now = orq_now(sch);
	struct tc_onramp_xstats st;
	u64 next_ns;

	sch_tree_lock(sch);
	st = q->count;
	/* The spare queue is nobody's. */
	st.flows = q->nr_queues - 1;
	st.inactive_flows = q->nr_inactive - !q->spare.qlen;
	st.throttled_flows = q->nr_waiting;
	next_ns = orq_wait_next_ns(q);
	if (next_ns != U64_MAX && next_ns > now)
		st.next_release_ns = next_ns - now;
	st.latency_ns = q->latency_ns;
	st.band0_pkts = q->band[0].pkts;
	st.band1_pkts = q->band[1].pkts;
	st.band2_pkts = q->band[2].pkts;
	st.band0_drops = q->band[0].drops;
	st.band1_drops = q->band[1].drops;
	st.band2_drops = q->band[2].drops;
	sch_tree_unlock(sch);

	orq_stats_core(q, &st);
	return gnet_stats_copy_app(d, &st, sizeof(st));
}
