// SPDX-License-Identifier: GPL-2.0
/*
 * The qdiscs: parameters and counters.
 *
 * Names, ranges and units of parameters come from the tables in
 * kernel/algo/NAME_params.h, from which the kernel makes its policy.  The tc
 * plugins and onrampctl use these tables.
 */
#include <assert.h>
#include <stddef.h>
#include <linux/pkt_sch_cp.h>
#include <linux/pkt_sch_ecnsharp.h>
#include <linux/pkt_sch_onramp.h>

#include "cp_params.h"
#include "delay_hist.h"
#include "ecnsharp_params.h"
#include "kinds.h"
#include "onramp_params.h"

/* Numbers that never fall, and one that may; a time drops _ns in text. */
#define KIND_COUNTER(kind, member)					       \
	.key = #member, .offset = offsetof(struct tc_##kind##_xstats, member)
#define KIND_COUNTER_NS(kind, member)					       \
	KIND_COUNTER(kind, member##_ns), .name = #member, .is_time = true
#define KIND_BUCKETS(kind, member)					       \
	KIND_COUNTER(kind, member), .buckets = DELAY_HIST_BUCKETS
#define KIND_GAUGE(kind, member)					       \
	KIND_COUNTER(kind, member), .is_gauge = true
#define KIND_GAUGE_NS(kind, member)					       \
	KIND_COUNTER_NS(kind, member), .is_gauge = true

static const struct param ecnsharp_param[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(ID, ...)						       \
	[ECNSHARP_##ID] = PARAM_ROW(ECNSHARP, ID, __VA_ARGS__),
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
	{ KIND_GAUGE_NS(ecnsharp, stamp), .ends_line = true },
	{ KIND_COUNTER_NS(ecnsharp, sojourn_sum) },
	{ KIND_BUCKETS(ecnsharp, sojourn_hist) },
};

static_assert((ARRAY_SIZE(ecnsharp_counters) - 1 + DELAY_HIST_BUCKETS) * sizeof(__u64) ==
	      sizeof(struct tc_ecnsharp_xstats), "a counter is missing");

const struct param_kind ecnsharp_kind = {
	.kind = "ecnsharp",
	.param = ecnsharp_param,
	.count = ECNSHARP_NR_PARAMS,
	.counter = ecnsharp_counters,
	.counters = ARRAY_SIZE(ecnsharp_counters),
};

static const struct param onramp_param[ONRAMP_NR_PARAMS] = {
#define ONRAMP_X(ID, ...)						       \
	[ONRAMP_P_##ID] = PARAM_ROW(ONRAMP, ID, __VA_ARGS__),
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
	{ KIND_COUNTER(onramp, gso_unknown_rate), .ends_line = true },
	{ KIND_GAUGE(onramp, reaction_points) },
	{ KIND_COUNTER(onramp, cnms) },
	{ KIND_COUNTER(onramp, cnms_bad) },
	{ KIND_COUNTER(onramp, cnms_foreign) },
	{ KIND_COUNTER(onramp, cnms_unknown) },
	{ KIND_COUNTER(onramp, cnms_early) },
	{ KIND_COUNTER(onramp, cnms_refused), .ends_line = true },
	{ KIND_COUNTER(onramp, rp_shared) },
	{ KIND_COUNTER(onramp, rp_released) },
	{ KIND_COUNTER(onramp, rp_recoveries) },
	{ KIND_COUNTER(onramp, rp_increases) },
	{ KIND_COUNTER(onramp, rp_hyper_increases), .ends_line = true },
	{ KIND_COUNTER(onramp, rds) },
	{ KIND_COUNTER(onramp, rds_answered) },
	{ KIND_COUNTER(onramp, rds_unknown) },
	{ KIND_COUNTER(onramp, rds_late) },
	{ KIND_COUNTER(onramp, rds_bad) },
	{ KIND_COUNTER(onramp, rds_unanswered) },
	{ KIND_COUNTER(onramp, rds_hot), .ends_line = true },
	{ KIND_COUNTER(onramp, rds_reflected) },
	{ KIND_COUNTER(onramp, rds_limited) },
	{ KIND_COUNTER(onramp, rds_failed), .ends_line = true },
	{ KIND_COUNTER_NS(onramp, owd_sum) },
	{ KIND_BUCKETS(onramp, owd_hist), .ends_line = true },
	{ KIND_COUNTER_NS(onramp, sojourn_sum) },
	{ KIND_BUCKETS(onramp, sojourn_hist) },
};

static const struct param_counter onramp_class_counters[] = {
	{ KIND_GAUGE(onramp_class, rate_bps) },
	{ KIND_GAUGE(onramp_class, target_bps) },
	{ KIND_GAUGE(onramp_class, byte_stage) },
	{ KIND_GAUGE(onramp_class, time_stage), .ends_line = true },
	{ KIND_COUNTER(onramp_class, cnms) },
	{ KIND_GAUGE(onramp_class, packets) },
	{ KIND_COUNTER(onramp_class, tx_packets) },
	{ KIND_COUNTER(onramp_class, tx_bytes) },
	{ KIND_COUNTER(onramp_class, shared), .ends_line = true },
	{ KIND_COUNTER(onramp_class, rds) },
	{ KIND_COUNTER(onramp_class, rds_answered) },
	{ KIND_GAUGE(onramp_class, hops) },
	{ KIND_GAUGE(onramp_class, hop_bytes) },
};

static_assert((ARRAY_SIZE(onramp_counters) - 2 + 2 * DELAY_HIST_BUCKETS) * sizeof(__u64) ==
	      sizeof(struct tc_onramp_xstats), "a counter is missing");
/* All but the type, the flow and the hop. */
static_assert((ARRAY_SIZE(onramp_class_counters) + 1 + 4 + 5 + 1) * sizeof(__u64) ==
	      sizeof(struct tc_onramp_class_xstats), "a counter is missing");

const struct param_kind onramp_kind = {
	.kind = "onramp",
	.param = onramp_param,
	.count = ONRAMP_NR_PARAMS,
	.counter = onramp_counters,
	.counters = ARRAY_SIZE(onramp_counters),
};

const struct param_kind onramp_class_kind = {
	.kind = "onramp",
	.counter = onramp_class_counters,
	.counters = ARRAY_SIZE(onramp_class_counters),
};

static const struct param cp_param[CP_NR_PARAMS] = {
#define CP_X(ID, NAME, BITS, LEAST, MOST, PRESET, UNIT) \
	[CP_P_##ID] = PARAM_ROW(CP, ID, NAME, BITS, LEAST, MOST, UNIT),
	CP_PARAMETERS(CP_X)
#undef CP_X
};

static const struct param_counter cp_counters[] = {
	{ KIND_GAUGE(cp, q_bytes) },
	{ KIND_GAUGE(cp, q_max_bytes) },
	{ KIND_GAUGE(cp, buffer_bytes) },
	{ KIND_GAUGE(cp, buffer_max_bytes) },
	{ KIND_GAUGE(cp, inputs) },
	{ KIND_GAUGE(cp, link_bps), .ends_line = true },
	{ KIND_COUNTER(cp, drop_buffer) },
	{ KIND_COUNTER(cp, drop_limit) },
	{ KIND_COUNTER(cp, drop_memory) },
	{ KIND_COUNTER(cp, drop_gso) },
	{ KIND_COUNTER(cp, drop_storm) },
	{ KIND_COUNTER(cp, split_gso), .ends_line = true },
	{ KIND_COUNTER(cp, local) },
	{ KIND_COUNTER(cp, foreign) },
	{ KIND_COUNTER(cp, outside), .ends_line = true },
	{ KIND_COUNTER(cp, verdicts) },
	{ KIND_COUNTER(cp, cnms) },
	{ KIND_COUNTER(cp, marks) },
	{ KIND_COUNTER(cp, ce_seen) },
	{ KIND_COUNTER(cp, nonect_seen) },
	{ KIND_COUNTER(cp, mark_failed) },
	{ KIND_COUNTER(cp, not_bridged) },
	{ KIND_COUNTER(cp, no_source) },
	{ KIND_COUNTER(cp, no_vlan) },
	{ KIND_GAUGE(cp, qntz_fb), .ends_line = true },
	{ KIND_GAUGE(cp, pausing) },
	{ KIND_COUNTER(cp, xoff_tx) },
	{ KIND_COUNTER(cp, refresh_tx) },
	{ KIND_COUNTER(cp, xon_tx) },
	{ KIND_COUNTER(cp, pausing_ns), .name = "pausing_time", .is_time = true },
	{ KIND_COUNTER(cp, cnm_tx) },
	{ KIND_COUNTER(cp, control_failed), .ends_line = true },
	{ KIND_GAUGE(cp, paused) },
	{ KIND_COUNTER(cp, pause_rx) },
	{ KIND_COUNTER(cp, pfc_rx) },
	{ KIND_COUNTER(cp, paused_ns), .name = "paused_time", .is_time = true },
	{ KIND_COUNTER(cp, storms) },
	{ KIND_COUNTER(cp, control_bad), .ends_line = true },
	{ KIND_COUNTER(cp, cnm_refused) },
	{ KIND_COUNTER(cp, tag_removed), .ends_line = true },
	{ KIND_GAUGE(cp, advertised_bps) },
	{ KIND_GAUGE(cp, arrival_bps) },
	{ KIND_GAUGE(cp, effective_flows) },
	{ KIND_COUNTER(cp, rds) },
	{ KIND_COUNTER(cp, rds_written) },
	{ KIND_COUNTER(cp, rds_bad) },
	{ KIND_COUNTER(cp, rds_failed) },
	{ KIND_GAUGE_NS(cp, stamp) },
};

static const struct param_counter cp_class_counters[] = {
	{ KIND_GAUGE(cp_class, ifindex) },
	{ KIND_GAUGE(cp_class, bytes) },
	{ KIND_GAUGE(cp_class, packets) },
	{ KIND_GAUGE(cp_class, counted) },
	{ KIND_GAUGE(cp_class, buffer_bytes) },
	{ KIND_COUNTER(cp_class, tx_bytes) },
	{ KIND_COUNTER(cp_class, tx_packets) },
	{ KIND_COUNTER(cp_class, drop_buffer) },
	{ KIND_COUNTER(cp_class, drop_limit), .ends_line = true },
	{ KIND_COUNTER(cp_class, culprits) },
	{ KIND_COUNTER(cp_class, cnms) },
	{ KIND_COUNTER(cp_class, marks) },
	{ KIND_GAUGE(cp_class, pausing) },
	{ KIND_COUNTER(cp_class, pauses) },
};

/* All but the type, which says whether they are a qdisc's or a class's. */
static_assert((ARRAY_SIZE(cp_counters) + 1) * sizeof(__u64) ==
	      sizeof(struct tc_cp_xstats), "a counter is missing");
static_assert((ARRAY_SIZE(cp_class_counters) + 1) * sizeof(__u64) ==
	      sizeof(struct tc_cp_class_xstats), "a counter is missing");

const struct param_kind cp_kind = {
	.kind = "cp",
	.param = cp_param,
	.count = CP_NR_PARAMS,
	.counter = cp_counters,
	.counters = ARRAY_SIZE(cp_counters),
};

const struct param_kind cp_class_kind = {
	.kind = "cp",
	.counter = cp_class_counters,
	.counters = ARRAY_SIZE(cp_class_counters),
};
