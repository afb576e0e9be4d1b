/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of sch_cp: every culprit, every PAUSE that is sent or received, and every rate
 * that law fecn advertises.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sch_cp

#if !defined(SHARPRAMP_CP_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SHARPRAMP_CP_TRACE_H

#include <linux/netdevice.h>
#include <linux/pkt_sched.h>
#include <linux/tracepoint.h>
#include <net/sch_generic.h>

/**
 * cp_culprit - a frame was named the culprit; it may have no sender that a CNM reaches
 * @sch: the qdisc where it waits
 * @skb: the frame
 * @iif: its input, 0 if it has none
 * @at: TC_CP_AT_*, whose queue was congested
 * @signal: TC_CP_SIGNAL_*
 * @q_bytes: that queue
 * @qntz_fb: feedback, 0 with law step
 */
TRACE_EVENT(cp_culprit,
	TP_PROTO(struct Qdisc *sch, const struct sk_buff *skb, int iif, u32 at,
		 u32 signal, u32 q_bytes, u32 qntz_fb),
	TP_ARGS(sch, skb, iif, at, signal, q_bytes, qntz_fb),
	TP_STRUCT__entry(
		__field(int, ifindex)
		__field(int, iif)
		__field(u32, len)
		__field(u32, at)
		__field(u32, signal)
		__field(u32, q_bytes)
		__field(u32, qntz_fb)
	),
	TP_fast_assign(
		__entry->ifindex = qdisc_dev(sch)->ifindex;
		__entry->iif = iif;
		__entry->len = skb->len;
		__entry->at = at;
		__entry->signal = signal;
		__entry->q_bytes = q_bytes;
		__entry->qntz_fb = qntz_fb;
	),
	TP_printk("ifindex=%d iif=%d len=%u at=%s signal=%s q_bytes=%u qntz_fb=%u",
		  __entry->ifindex, __entry->iif, __entry->len,
		  __entry->at ? "input" : "output", __entry->signal ? "ecn" : "cnm",
		  __entry->q_bytes, __entry->qntz_fb)
);

/**
 * cp_advertise - an interval of law fecn is over
 * @sch: the qdisc
 * @rate_kbps: rate that is advertised from now on
 * @arrival_kbps: load of the interval, 0 if none came in the last of several
 * @q_bytes: queue at its end
 */
TRACE_EVENT(cp_advertise,
	TP_PROTO(struct Qdisc *sch, u32 rate_kbps, u64 arrival_kbps, u32 q_bytes),
	TP_ARGS(sch, rate_kbps, arrival_kbps, q_bytes),
	TP_STRUCT__entry(
		__field(int, ifindex)
		__field(u32, rate_kbps)
		__field(u64, arrival_kbps)
		__field(u32, q_bytes)
	),
	TP_fast_assign(
		__entry->ifindex = qdisc_dev(sch)->ifindex;
		__entry->rate_kbps = rate_kbps;
		__entry->arrival_kbps = arrival_kbps;
		__entry->q_bytes = q_bytes;
	),
	TP_printk("ifindex=%d rate_kbps=%u arrival_kbps=%llu q_bytes=%u",
		  __entry->ifindex, __entry->rate_kbps, __entry->arrival_kbps,
		  __entry->q_bytes)
);

DECLARE_EVENT_CLASS(cp_pause,
	TP_PROTO(struct Qdisc *sch, u32 priorities, u32 quanta),
	TP_ARGS(sch, priorities, quanta),
	TP_STRUCT__entry(
		__field(int, ifindex)
		__field(u32, priorities)
		__field(u32, quanta)
	),
	TP_fast_assign(
		__entry->ifindex = qdisc_dev(sch)->ifindex;
		__entry->priorities = priorities;
		__entry->quanta = quanta;
	),
	TP_printk("ifindex=%d priorities=%x quanta=%u",
		  __entry->ifindex, __entry->priorities, __entry->quanta)
);

/**
 * cp_pause_tx - a PAUSE or PFC frame leaves
 * @sch: the qdisc
 * @priorities: that it is about, a bit each; PAUSE is about all
 * @quanta: how long it lasts, in 512 bit times; 0: it ends what lasts
 */
DEFINE_EVENT(cp_pause, cp_pause_tx,
	TP_PROTO(struct Qdisc *sch, u32 priorities, u32 quanta),
	TP_ARGS(sch, priorities, quanta)
);

/**
 * cp_pause_rx - a PAUSE or PFC frame came
 * @sch: the qdisc of the port that it came by
 * @priorities: that it is about
 * @quanta: the most that it has for any
 */
DEFINE_EVENT(cp_pause, cp_pause_rx,
	TP_PROTO(struct Qdisc *sch, u32 priorities, u32 quanta),
	TP_ARGS(sch, priorities, quanta)
);

/**
 * cp_pause_storm - the watchdog ends a PAUSE
 * @sch: the qdisc of the port by which it came
 * @priorities: that are sent, or dropped, again
 * @quanta: 0
 */
DEFINE_EVENT(cp_pause, cp_pause_storm,
	TP_PROTO(struct Qdisc *sch, u32 priorities, u32 quanta),
	TP_ARGS(sch, priorities, quanta)
);

#endif /* SHARPRAMP_CP_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE cp_trace
#include <trace/define_trace.h>
