/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ECN# qdisc: netlink attributes and statistics.
 *
 * This file is the one definition of the interface.  Attributes are only
 * ever added, before __TCA_ECNSHARP_MAX; struct tc_ecnsharp_xstats grows only
 * at its end.  Times are nanoseconds, sizes bytes, rates bit/s, fractions
 * parts per million.
 */
#ifndef _UAPI_LINUX_PKT_SCH_ECNSHARP_H
#define _UAPI_LINUX_PKT_SCH_ECNSHARP_H

#include <linux/types.h>

/**
 * enum tca_ecnsharp - attributes nested in TCA_OPTIONS of kind "ecnsharp"
 * @TCA_ECNSHARP_UNSPEC: never sent
 * @TCA_ECNSHARP_PAD: alignment of 64-bit attributes
 * @TCA_ECNSHARP_LIMIT: u32, packets; a GSO packet counts as one
 * @TCA_ECNSHARP_MEMORY_LIMIT: u32, bytes of socket buffer memory (truesize)
 * @TCA_ECNSHARP_INS_TARGET_NS: u64, cut-off of the instantaneous signal
 * @TCA_ECNSHARP_PST_TARGET_NS: u64, level of a persistent queue
 * @TCA_ECNSHARP_PST_INTERVAL_NS: u64, observation time and first marking gap
 * @TCA_ECNSHARP_RTT_AVG_NS: u64, average base RTT to derive targets from
 * @TCA_ECNSHARP_RTT_TAIL_NS: u64, high-percentile base RTT, likewise
 * @TCA_ECNSHARP_LAMBDA_PPM: u32, lambda of K = lambda x C x RTT
 * @TCA_ECNSHARP_TRANSPORT: u8, enum tc_ecnsharp_transport, names a lambda
 * @TCA_ECNSHARP_SIGNAL: u8, enum tc_ecnsharp_signal
 * @TCA_ECNSHARP_RATE_BPS: u64, drain rate for the length signal
 * @TCA_ECNSHARP_KMIN_NS: u64, foot of the marking ramp (sojourn signal)
 * @TCA_ECNSHARP_KMAX_NS: u64, top of the marking ramp (sojourn signal)
 * @TCA_ECNSHARP_KMIN_BYTES: u32, foot of the marking ramp (length signal)
 * @TCA_ECNSHARP_KMAX_BYTES: u32, top of the marking ramp (length signal)
 * @TCA_ECNSHARP_PMAX_PPM: u32, marking probability at the top of the ramp
 * @TCA_ECNSHARP_INSTANTANEOUS: u8, 1 if the instantaneous signal marks
 * @TCA_ECNSHARP_PERSISTENT: u8, 1 if the persistent signal marks
 * @TCA_ECNSHARP_NONECT: u8, enum tc_ecnsharp_nonect
 * @TCA_ECNSHARP_SPLIT_GSO: u8, 1 to segment GSO packets on enqueue
 * @TCA_ECNSHARP_DERIVED: nest, in dumps only: the targets and the lambda that
 *	follow from the RTTs, by the attributes above
 * @TCA_ECNSHARP_BYPASS: u8, 1 to let packets pass an empty root qdisc unseen
 */
enum tca_ecnsharp {
	TCA_ECNSHARP_UNSPEC,
	TCA_ECNSHARP_PAD,
	TCA_ECNSHARP_LIMIT,
	TCA_ECNSHARP_MEMORY_LIMIT,
	TCA_ECNSHARP_INS_TARGET_NS,
	TCA_ECNSHARP_PST_TARGET_NS,
	TCA_ECNSHARP_PST_INTERVAL_NS,
	TCA_ECNSHARP_RTT_AVG_NS,
	TCA_ECNSHARP_RTT_TAIL_NS,
	TCA_ECNSHARP_LAMBDA_PPM,
	TCA_ECNSHARP_TRANSPORT,
	TCA_ECNSHARP_SIGNAL,
	TCA_ECNSHARP_RATE_BPS,
	TCA_ECNSHARP_KMIN_NS,
	TCA_ECNSHARP_KMAX_NS,
	TCA_ECNSHARP_KMIN_BYTES,
	TCA_ECNSHARP_KMAX_BYTES,
	TCA_ECNSHARP_PMAX_PPM,
	TCA_ECNSHARP_INSTANTANEOUS,
	TCA_ECNSHARP_PERSISTENT,
	TCA_ECNSHARP_NONECT,
	TCA_ECNSHARP_SPLIT_GSO,
	TCA_ECNSHARP_DERIVED,
	TCA_ECNSHARP_BYPASS,
	__TCA_ECNSHARP_MAX
};

#define TCA_ECNSHARP_MAX	(__TCA_ECNSHARP_MAX - 1)

/**
 * enum tc_ecnsharp_signal - what the thresholds are compared with
 * @TC_ECNSHARP_SIGNAL_SOJOURN: time the packet spent in the queue
 * @TC_ECNSHARP_SIGNAL_LENGTH: backlog left behind x 8 / TCA_ECNSHARP_RATE_BPS
 */
enum tc_ecnsharp_signal {
	TC_ECNSHARP_SIGNAL_SOJOURN,
	TC_ECNSHARP_SIGNAL_LENGTH,
	__TC_ECNSHARP_SIGNAL_MAX
};

/**
 * enum tc_ecnsharp_nonect - what happens to a packet that cannot be marked
 * @TC_ECNSHARP_NONECT_PASS: it passes
 * @TC_ECNSHARP_NONECT_DROP: it is dropped where it would have been marked
 */
enum tc_ecnsharp_nonect {
	TC_ECNSHARP_NONECT_PASS,
	TC_ECNSHARP_NONECT_DROP,
	__TC_ECNSHARP_NONECT_MAX
};

/**
 * enum tc_ecnsharp_transport - transports whose lambda is known
 * @TC_ECNSHARP_TRANSPORT_NONE: lambda was given as a number
 * @TC_ECNSHARP_TRANSPORT_RENO: halves its window on a mark, lambda 1
 * @TC_ECNSHARP_TRANSPORT_CUBIC: cuts to 0.7, lambda 3/7
 * @TC_ECNSHARP_TRANSPORT_DCTCP: cuts by the marked fraction, lambda 0.17
 */
enum tc_ecnsharp_transport {
	TC_ECNSHARP_TRANSPORT_NONE,
	TC_ECNSHARP_TRANSPORT_RENO,
	TC_ECNSHARP_TRANSPORT_CUBIC,
	TC_ECNSHARP_TRANSPORT_DCTCP,
	__TC_ECNSHARP_TRANSPORT_MAX
};

/*
 * Buckets of a distribution of delays.  Bucket i has those above 2^(9+i) ns and not above
 * 2^(10+i) ns; the first has all that are shorter as well, the last all that are longer.
 */
#define TC_ECNSHARP_HIST_BUCKETS	20

/**
 * struct tc_ecnsharp_xstats - statistics, in TCA_STATS_APP
 * @ins_marks: packets marked by the instantaneous signal alone
 * @pst_marks: packets marked by the persistent signal alone
 * @both_marks: packets that both signals marked
 * @ce_seen: packets that arrived CE; never counted as marked by us
 * @nonect_seen: packets that were not ECN-capable
 * @nonect_passed: not ECN-capable, would have been marked, passed
 * @nonect_dropped: not ECN-capable, dropped in place of a mark
 * @mark_failed: no memory to make the header writable; passed unmarked
 * @pst_saturated: persistent marks whose successor was already due, that is
 *	while the schedule needs more than one mark a packet
 * @pst_episodes: times that a persistent queue was detected
 * @drop_limit: packets refused because of limit
 * @drop_memory_limit: packets refused because of memory_limit
 * @tx_packets: packets that left the queue
 * @tx_bytes: bytes that left the queue, or with TCA_ECNSHARP_BYPASS passed it;
 *	no other member knows of what passed
 * @marked_bytes: bytes of the packets that we marked
 * @backlog_byte_us: backlog integrated over time, byte-microseconds; a packet
 *	counts until it is dequeued, or peeked at
 * @sojourn_ns: level of the signal at the last packet, as a time
 * @sojourn_max_ns: highest such level since the qdisc was added
 * @pst_count: marks of the present episode (marking_count), 0 outside one
 * @memory_bytes: memory of the packets now in the queue
 * @pst_state: 1 during an episode (marking_state)
 * @split_gso: GSO packets that were segmented on enqueue
 * @drop_gso: GSO packets dropped because they could not be segmented
 * @stamp_ns: when these numbers were read, on CLOCK_MONOTONIC; all of them are
 *	as of that moment
 * @sojourn_sum_ns: sum of the times in sojourn_hist
 * @sojourn_hist: packets by their sojourn time, whatever the signal is: those that left,
 *	and those dropped in place of a mark
 */
struct tc_ecnsharp_xstats {
	__u64	ins_marks;
	__u64	pst_marks;
	__u64	both_marks;
	__u64	ce_seen;
	__u64	nonect_seen;
	__u64	nonect_passed;
	__u64	nonect_dropped;
	__u64	mark_failed;
	__u64	pst_saturated;
	__u64	pst_episodes;
	__u64	drop_limit;
	__u64	drop_memory_limit;
	__u64	tx_packets;
	__u64	tx_bytes;
	__u64	marked_bytes;
	__u64	backlog_byte_us;
	__u64	sojourn_ns;
	__u64	sojourn_max_ns;
	__u64	pst_count;
	__u64	memory_bytes;
	__u64	pst_state;
	__u64	split_gso;
	__u64	drop_gso;
	__u64	stamp_ns;
	__u64	sojourn_sum_ns;
	__u64	sojourn_hist[TC_ECNSHARP_HIST_BUCKETS];
};

#endif /* _UAPI_LINUX_PKT_SCH_ECNSHARP_H */
