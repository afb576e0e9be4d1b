// SPDX-License-Identifier: GPL-2.0
/*
 * The two qdiscs: parameters and counters.
 *
 * Names, ranges and units of parameters come from the tables in
 * kernel/algo/NAME_params.h, from which the kernel makes its policy.  The tc
 * plugins and onrampctl use these tables.
 */
#include <assert.h>
#include <stddef.h>
#include <linux/pkt_sch_ecnsharp.h>
#include <linux/pkt_sch_onramp.h>

#include "ecnsharp_params.h"
#include "kinds.h"
#include "onramp_params.h"

/* A number that never falls, and one that may; a time drops _ns in text. */
#define KIND_COUNTER(kind, member)					       \
	.key = #member, .offset = offsetof(struct tc_##kind##_xstats, member)
#define KIND_COUNTER_NS(kind, member)					       \
	KIND_COUNTER(kind, member##_ns), .name = #member, .is_time = true
#define KIND_GAUGE(kind, member)					       \
	KIND_COUNTER(kind, member), .is_gauge = true
#define KIND_GAUGE_NS(kind, member)					       \
	KIND_COUNTER_NS(kind, member), .is_gauge = true

static const struct param ecnsharp_param[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(ID, NAME, BITS, LEAST, MOST, UNIT)			       \
	[ECNSHARP_##ID] = {						       \
		.id = #ID, .name = NAME, .unit = UNIT, .least = LEAST,	       \
		.most = MOST, .attr = TCA_ECNSHARP_##ID, .bits = BITS,	       \
	},
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

static const struct param_counter ecnsharp_counters[] = {
	{ KIND_COUNTER(ecnsharp, ins_marks) },
	{ KIND_COUNTER(ecnsharp, pst_marks) },
	{ KIND_COUNTER(ecnsharp, both_marks) },
	{ KIND_COUNTER(ecnsharp, ce_seen) },
	{ KIND_COUNTER(ecnsharp, mark_failed), .ends_line = true },
	{ KIND_COUNTER(ecnsharp, nonect_seen) },
	{ KIND_COUNTER(ecnsharp, nonect_passed) },
	{ KIND_COUNTER(ecnsharp, nonect_dropped) },
	{ KIND_COUNTER(ecnsharp, drop_limit) },
	{ KIND_COUNTER(ecnsharp, drop_memory_limit) },
	{ KIND_COUNTER(ecnsharp, drop_gso), .ends_line = true },
	{ KIND_GAUGE_NS(ecnsharp, sojourn) },
	{ KIND_GAUGE_NS(ecnsharp, sojourn_max) },
	{ KIND_GAUGE(ecnsharp, pst_state) },
	{ KIND_GAUGE(ecnsharp, pst_count) },
	{ KIND_COUNTER(ecnsharp, pst_episodes) },
	{ KIND_COUNTER(ecnsharp, pst_saturated), .ends_line = true },
	{ KIND_COUNTER(ecnsharp, tx_packets) },
	{ KIND_COUNTER(ecnsharp, tx_bytes) },
	{ KIND_COUNTER(ecnsharp, marked_bytes) },
	{ KIND_COUNTER(ecnsharp, backlog_byte_us) },
	{ KIND_GAUGE(ecnsharp, memory_bytes) },
	{ KIND_COUNTER(ecnsharp, split_gso) },
	{ KIND_GAUGE_NS(ecnsharp, stamp) },
};

static_assert(ARRAY_SIZE(ecnsharp_counters) * sizeof(__u64) ==
	      sizeof(struct tc_ecnsharp_xstats), "a counter is missing");

const struct param_kind ecnsharp_kind = {
	.kind = "ecnsharp",
	.param = ecnsharp_param,
	.count = ECNSHARP_NR_PARAMS,
	.counter = ecnsharp_counters,
	.counters = ARRAY_SIZE(ecnsharp_counters),
};

static const struct param onramp_param[ONRAMP_NR_PARAMS] = {
#define ONRAMP_X(ID, NAME, BITS, LEAST, MOST, UNIT)			       \
	[ONRAMP_P_##ID] = {						       \
		.id = #ID, .name = NAME, .unit = UNIT, .least = LEAST,	       \
		.most = MOST, .attr = TCA_ONRAMP_##ID, .bits = BITS,	       \
	},
	ONRAMP_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X
};

static const struct param_counter onramp_counters[] = {
	{ KIND_GAUGE(onramp, flows) },
	{ KIND_GAUGE(onramp, inactive_flows) },
	{ KIND_GAUGE(onramp, throttled_flows) },
	{ KIND_GAUGE_NS(onramp, next_release) },
	{ KIND_GAUGE_NS(onramp, latency), .ends_line = true },
	{ KIND_COUNTER(onramp, gc) },
	{ KIND_COUNTER(onramp, fastpath) },
	{ KIND_COUNTER(onramp, throttled) },
	{ KIND_COUNTER(onramp, ce_mark) },
	{ KIND_COUNTER(onramp, horizon_drops) },
	{ KIND_COUNTER(onramp, horizon_caps), .ends_line = true },
	{ KIND_COUNTER(onramp, flows_plimit) },
	{ KIND_COUNTER(onramp, pkts_too_long) },
	{ KIND_COUNTER(onramp, alloc_errors), .ends_line = true },
	{ KIND_GAUGE(onramp, band0_pkts) },
	{ KIND_GAUGE(onramp, band1_pkts) },
	{ KIND_GAUGE(onramp, band2_pkts) },
	{ KIND_COUNTER(onramp, band0_drops) },
	{ KIND_COUNTER(onramp, band1_drops) },
	{ KIND_COUNTER(onramp, band2_drops), .ends_line = true },
	{ KIND_COUNTER(onramp, held) },
	{ KIND_COUNTER_NS(onramp, held_time) },
	{ KIND_COUNTER(onramp, overtakes) },
	{ KIND_COUNTER(onramp, kicks) },
	{ KIND_COUNTER(onramp, not_tcp) },
	{ KIND_COUNTER(onramp, measured) },
	{ KIND_COUNTER(onramp, measured_failed), .ends_line = true },
	{ KIND_COUNTER(onramp, samples) },
	{ KIND_COUNTER(onramp, holds) },
	{ KIND_COUNTER(onramp, holds_bounded) },
	{ KIND_COUNTER(onramp, holds_new) },
	{ KIND_COUNTER(onramp, holds_observed) },
	{ KIND_COUNTER(onramp, holds_off) },
	{ KIND_COUNTER_NS(onramp, hold), .ends_line = true },
	{ KIND_GAUGE_NS(onramp, owd), .is_signed = true },
	{ KIND_GAUGE_NS(onramp, threshold) },
	{ KIND_GAUGE_NS(onramp, base), .is_signed = true },
	{ KIND_GAUGE_NS(onramp, nic_backlog), .ends_line = true },
	{ KIND_COUNTER(onramp, no_clock) },
	{ KIND_COUNTER(onramp, uncertain) },
	{ KIND_COUNTER(onramp, negative) },
	{ KIND_COUNTER(onramp, too_long) },
	{ KIND_COUNTER(onramp, below_base) },
	{ KIND_COUNTER(onramp, suspect) },
	{ KIND_COUNTER(onramp, suspicions) },
	{ KIND_COUNTER(onramp, unacked) },
	{ KIND_COUNTER(onramp, unacked_paths), .ends_line = true },
	{ KIND_COUNTER(onramp, retransmitted) },
	{ KIND_COUNTER(onramp, unmatched) },
	{ KIND_COUNTER(onramp, records) },
	{ KIND_COUNTER(onramp, records_evicted) },
	{ KIND_COUNTER(onramp, records_failed) },
	{ KIND_COUNTER(onramp, gso_unknown_rate) },
};

static_assert(ARRAY_SIZE(onramp_counters) * sizeof(__u64) ==
	      sizeof(struct tc_onramp_xstats), "a counter is missing");

const struct param_kind onramp_kind = {
	.kind = "onramp",
	.param = onramp_param,
	.count = ONRAMP_NR_PARAMS,
	.counter = onramp_counters,
	.counters = ARRAY_SIZE(onramp_counters),
};
