/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of On-Ramp: what is reported, the two ends of a hold, and
 * delays that hold nothing because they are not valid.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM onramp

#if !defined(SHARPRAMP_ONRAMP_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SHARPRAMP_ONRAMP_TRACE_H

#include <linux/tracepoint.h>
#include <net/net_namespace.h>

#include "onramp_core.h"

#define onramp_trace_flow_fields					\
	__field(unsigned int, netns)					\
	__field(u16, sport)						\
	__field(u16, dport)						\
	__array(u8, saddr, 16)						\
	__array(u8, daddr, 16)

#define onramp_trace_flow_assign(net, tuple)				\
	do {								\
		__entry->netns = (net)->ns.inum;			\
		__entry->sport = ntohs((tuple)->sport);			\
		__entry->dport = ntohs((tuple)->dport);			\
		memcpy(__entry->saddr, &(tuple)->saddr, 16);		\
		memcpy(__entry->daddr, &(tuple)->daddr, 16);		\
	} while (0)

#define ONRAMP_TRACE_FLOW "netns=%u src=[%pI6c]:%u dst=[%pI6c]:%u "
#define onramp_trace_flow_args						\
	__entry->netns, __entry->saddr, __entry->sport,			\
	__entry->daddr, __entry->dport

/**
 * onramp_ack - an entry of an OR-ACK gave a delay
 * @net: whose flow it is
 * @tuple: the flow
 * @seq: sequence number of the segment's first byte
 * @tx_ns: when the segment left, CLOCK_MONOTONIC
 * @rx_ns: when it came, by the receiver's clock
 * @owd_ns: the delay; without a meaning if a clock is not known
 * @threshold_ns: T for it; 0 if the path has no base, or a clock is not known
 * @stamp_tx: enum onramp_stamp, source of this host's timestamp
 * @stamp_rx: and the receiver its
 * @validity: enum onramp_state
 */
TRACE_EVENT(onramp_ack,
	TP_PROTO(const struct net *net, const struct onramp_tuple *tuple,
		 u32 seq, u64 tx_ns, u64 rx_ns, s64 owd_ns, u64 threshold_ns,
		 u32 stamp_tx, u32 stamp_rx, u32 validity),
	TP_ARGS(net, tuple, seq, tx_ns, rx_ns, owd_ns, threshold_ns, stamp_tx,
		stamp_rx, validity),
	TP_STRUCT__entry(
		onramp_trace_flow_fields
		__field(u32, seq)
		__field(u64, tx_ns)
		__field(u64, rx_ns)
		__field(s64, owd_ns)
		__field(u64, threshold_ns)
		__field(u32, stamp_tx)
		__field(u32, stamp_rx)
		__field(u32, validity)
	),
	TP_fast_assign(
		onramp_trace_flow_assign(net, tuple);
		__entry->seq = seq;
		__entry->tx_ns = tx_ns;
		__entry->rx_ns = rx_ns;
		__entry->owd_ns = owd_ns;
		__entry->threshold_ns = threshold_ns;
		__entry->stamp_tx = stamp_tx;
		__entry->stamp_rx = stamp_rx;
		__entry->validity = validity;
	),
	TP_printk(ONRAMP_TRACE_FLOW "tx_ns=%llu rx_ns=%llu owd_ns=%lld threshold_ns=%llu stamp_tx=%u stamp_rx=%u validity=%u seq=%u",
		  onramp_trace_flow_args, __entry->tx_ns, __entry->rx_ns,
		  __entry->owd_ns, __entry->threshold_ns, __entry->stamp_tx,
		  __entry->stamp_rx, __entry->validity, __entry->seq)
);

/**
 * onramp_hold - a hold was set, in place of what was set before
 * @net: whose flow it is
 * @tuple: the flow
 * @hold_ns: how long from now
 * @bounded: cut to max_hold
 * @total_ns: A(now)
 * @beta_q16: beta, of 65536
 */
TRACE_EVENT(onramp_hold,
	TP_PROTO(const struct net *net, const struct onramp_tuple *tuple,
		 u64 hold_ns, bool bounded, u64 total_ns, u32 beta_q16),
	TP_ARGS(net, tuple, hold_ns, bounded, total_ns, beta_q16),
	TP_STRUCT__entry(
		onramp_trace_flow_fields
		__field(u64, hold_ns)
		__field(u64, total_ns)
		__field(u32, beta_q16)
		__field(bool, bounded)
	),
	TP_fast_assign(
		onramp_trace_flow_assign(net, tuple);
		__entry->hold_ns = hold_ns;
		__entry->total_ns = total_ns;
		__entry->beta_q16 = beta_q16;
		__entry->bounded = bounded;
	),
	TP_printk(ONRAMP_TRACE_FLOW "hold_ns=%llu bounded=%d total_ns=%llu beta_q16=%u",
		  onramp_trace_flow_args, __entry->hold_ns, __entry->bounded,
		  __entry->total_ns, __entry->beta_q16)
);

/**
 * onramp_hold_over - the first packet after a hold leaves
 * @net: whose flow it is
 * @tuple: the flow
 * @late_ns: how long after the end of the hold
 * @total_ns: A(now)
 */
TRACE_EVENT(onramp_hold_over,
	TP_PROTO(const struct net *net, const struct onramp_tuple *tuple,
		 u64 late_ns, u64 total_ns),
	TP_ARGS(net, tuple, late_ns, total_ns),
	TP_STRUCT__entry(
		onramp_trace_flow_fields
		__field(u64, late_ns)
		__field(u64, total_ns)
	),
	TP_fast_assign(
		onramp_trace_flow_assign(net, tuple);
		__entry->late_ns = late_ns;
		__entry->total_ns = total_ns;
	),
	TP_printk(ONRAMP_TRACE_FLOW "late_ns=%llu total_ns=%llu",
		  onramp_trace_flow_args, __entry->late_ns, __entry->total_ns)
);

/**
 * onramp_fail_open - a delay holds nothing, since it is not valid, or since
 *	holding is switched off
 * @net: whose flow it is
 * @tuple: the flow
 * @owd_ns: the delay; without a meaning if a clock is not known
 * @error_ns: bounds of the errors of both clocks, added
 * @validity: enum onramp_state, why
 */
TRACE_EVENT(onramp_fail_open,
	TP_PROTO(const struct net *net, const struct onramp_tuple *tuple,
		 s64 owd_ns, u64 error_ns, u32 validity),
	TP_ARGS(net, tuple, owd_ns, error_ns, validity),
	TP_STRUCT__entry(
		onramp_trace_flow_fields
		__field(s64, owd_ns)
		__field(u64, error_ns)
		__field(u32, validity)
	),
	TP_fast_assign(
		onramp_trace_flow_assign(net, tuple);
		__entry->owd_ns = owd_ns;
		__entry->error_ns = error_ns;
		__entry->validity = validity;
	),
	TP_printk(ONRAMP_TRACE_FLOW "owd_ns=%lld error_ns=%llu validity=%u",
		  onramp_trace_flow_args, __entry->owd_ns, __entry->error_ns,
		  __entry->validity)
);

#endif /* SHARPRAMP_ONRAMP_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE onramp_trace
#include <trace/define_trace.h>
