/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of sch_ecnsharp: every mark, and the two ends of an episode.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ecnsharp

#if !defined(SHARPRAMP_ECNSHARP_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SHARPRAMP_ECNSHARP_TRACE_H

#include <linux/netdevice.h>
#include <linux/pkt_sched.h>
#include <linux/tracepoint.h>
#include <net/sch_generic.h>

/**
 * ecnsharp_mark - a packet was marked
 * @sch: the qdisc
 * @skb: the packet
 * @verdict: 1 instantaneous, 2 persistent, 3 both
 * @level_ns: the signal
 * @count: persistent marks of this episode so far, this one included
 */
TRACE_EVENT(ecnsharp_mark,
	TP_PROTO(struct Qdisc *sch, const struct sk_buff *skb, u32 verdict,
		 u64 level_ns, u32 count),
	TP_ARGS(sch, skb, verdict, level_ns, count),
	TP_STRUCT__entry(
		__field(int, ifindex)
		__field(u32, handle)
		__field(u32, parent)
		__field(u32, len)
		__field(u32, verdict)
		__field(u32, count)
		__field(u64, level_ns)
	),
	TP_fast_assign(
		__entry->ifindex = qdisc_dev(sch)->ifindex;
		__entry->handle = sch->handle;
		__entry->parent = sch->parent;
		__entry->len = skb->len;
		__entry->verdict = verdict;
		__entry->count = count;
		__entry->level_ns = level_ns;
	),
	TP_printk("ifindex=%d handle=%x:%x parent=%x:%x len=%u by=%s%s level_ns=%llu count=%u",
		  __entry->ifindex,
		  TC_H_MAJ(__entry->handle) >> 16, TC_H_MIN(__entry->handle),
		  TC_H_MAJ(__entry->parent) >> 16, TC_H_MIN(__entry->parent),
		  __entry->len,
		  __entry->verdict & 1 ? "i" : "", __entry->verdict & 2 ? "p" : "",
		  __entry->level_ns, __entry->count)
);

DECLARE_EVENT_CLASS(ecnsharp_episode,
	TP_PROTO(struct Qdisc *sch, u64 level_ns, u32 count),
	TP_ARGS(sch, level_ns, count),
	TP_STRUCT__entry(
		__field(int, ifindex)
		__field(u32, handle)
		__field(u32, parent)
		__field(u32, count)
		__field(u64, level_ns)
	),
	TP_fast_assign(
		__entry->ifindex = qdisc_dev(sch)->ifindex;
		__entry->handle = sch->handle;
		__entry->parent = sch->parent;
		__entry->count = count;
		__entry->level_ns = level_ns;
	),
	TP_printk("ifindex=%d handle=%x:%x parent=%x:%x level_ns=%llu count=%u",
		  __entry->ifindex,
		  TC_H_MAJ(__entry->handle) >> 16, TC_H_MIN(__entry->handle),
		  TC_H_MAJ(__entry->parent) >> 16, TC_H_MIN(__entry->parent),
		  __entry->level_ns, __entry->count)
);

/**
 * ecnsharp_episode_begin - a persistent queue was detected
 * @sch: the qdisc
 * @level_ns: the signal
 * @count: 1, the mark that begins it
 */
DEFINE_EVENT(ecnsharp_episode, ecnsharp_episode_begin,
	TP_PROTO(struct Qdisc *sch, u64 level_ns, u32 count),
	TP_ARGS(sch, level_ns, count)
);

/**
 * ecnsharp_episode_end - the queue fell below pst_target or ran empty,
 *	or nothing observes any more: a reset, or the persistent signal switched off
 * @sch: the qdisc
 * @level_ns: the signal
 * @count: persistent marks that the episode had
 */
DEFINE_EVENT(ecnsharp_episode, ecnsharp_episode_end,
	TP_PROTO(struct Qdisc *sch, u64 level_ns, u32 count),
	TP_ARGS(sch, level_ns, count)
);

#endif /* SHARPRAMP_ECNSHARP_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ecnsharp_trace
#include <trace/define_trace.h>
