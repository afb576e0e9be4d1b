/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoint of reaction points.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM onramp

#ifndef SHARPRAMP_ONRAMPQ_RP_CAUSE
#define SHARPRAMP_ONRAMPQ_RP_CAUSE
/**
 * enum onrampq_rp_cause - why a rate changed
 * @ONRAMPQ_RP_CNM: a CNM came
 * @ONRAMPQ_RP_TIMER: the timer was up
 * @ONRAMPQ_RP_BYTES: the byte counter was up
 * @ONRAMPQ_RP_RELEASED: the flow is not limited any more
 * @ONRAMPQ_RP_ANSWER: an RD came back
 * @ONRAMPQ_RP_UNANSWERED: RDs did not
 * @ONRAMPQ_RP_HOT: a hot-spot message came
 */
enum onrampq_rp_cause {
	ONRAMPQ_RP_CNM,
	ONRAMPQ_RP_TIMER,
	ONRAMPQ_RP_BYTES,
	ONRAMPQ_RP_RELEASED,
	ONRAMPQ_RP_ANSWER,
	ONRAMPQ_RP_UNANSWERED,
	ONRAMPQ_RP_HOT,
};
#endif

#if !defined(SHARPRAMP_ONRAMPQ_RP_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SHARPRAMP_ONRAMPQ_RP_TRACE_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>
#include <net/sch_generic.h>

#include "algo/qcn_rp.h"

/**
 * onramp_rp_rate - the rate of a reaction point changed
 * @sch: the qdisc
 * @minor: the reaction point, as its class is numbered
 * @v: its state
 * @cause: enum onrampq_rp_cause
 * @qntz_fb: feedback of the CNM; 0 without
 */
TRACE_EVENT(onramp_rp_rate,
	TP_PROTO(struct Qdisc *sch, u32 minor, const struct qcn_rp_vars *v,
		 enum onrampq_rp_cause cause, u32 qntz_fb),
	TP_ARGS(sch, minor, v, cause, qntz_fb),
	TP_STRUCT__entry(
		__field(int, ifindex)
		__field(u32, parent)
		__field(u32, minor)
		__field(u32, cause)
		__field(u32, qntz_fb)
		__field(u64, rate_bps)
		__field(u64, target_bps)
		__field(u32, byte_stage)
		__field(u32, time_stage)
	),
	TP_fast_assign(
		__entry->ifindex = qdisc_dev(sch)->ifindex;
		__entry->parent = sch->parent;
		__entry->minor = minor;
		__entry->cause = cause;
		__entry->qntz_fb = qntz_fb;
		__entry->rate_bps = v->cur_bps;
		__entry->target_bps = v->tgt_bps;
		__entry->byte_stage = v->byte_stage;
		__entry->time_stage = v->time_stage;
	),
	TP_printk("ifindex=%d parent=%x minor=%x cause=%s qntz_fb=%u rate_bps=%llu target_bps=%llu byte_stage=%u time_stage=%u",
		  __entry->ifindex, __entry->parent, __entry->minor,
		  __print_symbolic(__entry->cause, { ONRAMPQ_RP_CNM, "cnm" },
				   { ONRAMPQ_RP_TIMER, "timer" },
				   { ONRAMPQ_RP_BYTES, "bytes" },
				   { ONRAMPQ_RP_RELEASED, "released" },
				   { ONRAMPQ_RP_ANSWER, "answer" },
				   { ONRAMPQ_RP_UNANSWERED, "unanswered" },
				   { ONRAMPQ_RP_HOT, "hot" }),
		  __entry->qntz_fb, __entry->rate_bps, __entry->target_bps,
		  __entry->byte_stage, __entry->time_stage)
);

#endif /* SHARPRAMP_ONRAMPQ_RP_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE rp_trace
#include <trace/define_trace.h>
