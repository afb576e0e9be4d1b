// SPDX-License-Identifier: GPL-2.0
/*
 * Counters: the qdisc's own, and core's of this instance.
 */
#include <net/gen_stats.h>

#include "orq.h"

/* Members that have one name on both sides. */
#define ORQ_FROM_CORE(X)						       \
	X(samples) X(holds) X(holds_bounded) X(holds_new) X(holds_observed)    \
	X(hold_ns) X(no_clock) X(uncertain) X(negative) X(too_long)	       \
	X(below_base) X(suspect) X(suspicions) X(retransmitted) X(unmatched)   \
	X(records) X(records_evicted) X(records_failed) X(gso_unknown_rate)    \
	X(nic_backlog_ns) X(owd_ns) X(threshold_ns) X(base_ns)

static void orq_stats_core(const struct orq_sched *q,
			   struct tc_onramp_xstats *st)
{
	struct onramp_stats core = {};

	onramp_port_stats(q->port, &core);
#define ORQ_X(name) st->name = core.name;
	ORQ_FROM_CORE(ORQ_X)
#undef ORQ_X
	st->watched = core.flows;
	st->watched_failed = core.flows_failed;
	st->not_tcp += core.not_tcp;
}

/* A counter that core gets must come to be here, too. */
#define ORQ_X(name) + 1
static_assert(sizeof(struct onramp_stats) ==
	      (3 ORQ_FROM_CORE(ORQ_X)) * sizeof(u64));
#undef ORQ_X

int orq_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct orq_sched *q = qdisc_priv(sch);
	u64 now = orq_now(sch);
	struct tc_onramp_xstats st;
	u64 next_ns;

	sch_tree_lock(sch);
	st = q->count;
	st.flows = q->nr_queues;
	st.inactive_flows = q->nr_inactive;
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
