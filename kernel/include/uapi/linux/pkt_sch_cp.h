/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Qdisc cp, a switch port with QCN's congestion point: netlink attributes and statistics.
 *
 * This file is the one definition of the interface.  Attributes are only
 * ever added, before __TCA_CP_MAX; struct tc_cp_xstats and struct
 * tc_cp_class_xstats grow only at their ends, and begin with the same member,
 * which distinguishes them.  Times are nanoseconds, sizes bytes, rates
 * bit/s.
 */
#ifndef _UAPI_LINUX_PKT_SCH_CP_H
#define _UAPI_LINUX_PKT_SCH_CP_H

#include <linux/types.h>

/**
 * enum tca_cp - attributes nested in TCA_OPTIONS of kind "cp"
 * @TCA_CP_UNSPEC: never sent
 * @TCA_CP_PAD: alignment of 64-bit attributes
 * @TCA_CP_LAW: u8, enum tc_cp_law; must be given
 * @TCA_CP_AT: u8, enum tc_cp_at
 * @TCA_CP_SAMPLE: u8, enum tc_cp_sample
 * @TCA_CP_SIGNAL: u8, enum tc_cp_signal
 * @TCA_CP_SERVICE: u8, enum tc_cp_service
 * @TCA_CP_QEQ: u32, bytes, set point of law qcn, and of law fecn
 * @TCA_CP_W: s8, the weight of the queue's change is 2 to this power
 * @TCA_CP_SAMPLE_BASE: u32, bytes between samples without congestion
 * @TCA_CP_SAMPLE_TABLE: u8, 1 if samples are more frequent in congestion
 * @TCA_CP_K: u32, bytes, threshold of law step
 * @TCA_CP_HEADER_OCTETS: u8, bytes of the culprit's frame in a CNM
 * @TCA_CP_BUFFER: u32, bytes that frames of this port, as an input, may have
 *	in all outputs together
 * @TCA_CP_LIMIT: u32, bytes that may wait for this port, as an output
 * @TCA_CP_PAUSE: u8, enum tc_cp_pause
 * @TCA_CP_XOFF: u32, bytes at which PAUSE is sent
 * @TCA_CP_XON: u32, bytes at which it is ended
 * @TCA_CP_QUANTA: u32, 512 bit times that a PAUSE lasts which this port sends
 * @TCA_CP_CNPV: u8, bit n: frames of priority n are sampled and count in buffer;
 *	if it is not 255, PFC is sent for these, and not PAUSE
 * @TCA_CP_RATE_BPS: u64, this port is not faster; 0: no such limit
 * @TCA_CP_DEFENSE: u8, enum tc_cp_defense
 * @TCA_CP_INTERVAL_NS: u64, ns, interval of law fecn
 * @TCA_CP_A: u32, millionths, its hyperbola below the set point
 * @TCA_CP_B: u32, millionths, its hyperbola above
 * @TCA_CP_C: u32, millionths, the least part of the capacity
 * @TCA_CP_GAMMA: u32, millionths, the part of the capacity that counts above the set point
 * @TCA_CP_STAGES: u32, linear stages in place of the hyperbola above
 * @TCA_CP_SLOPE: u32, millionths a set point, slope of the first stage
 * @TCA_CP_WEIGHT: u32, millionths, weight of a new rate in the average
 * @TCA_CP_FLOWS: u32, the first rate is the share of so many flows
 * @TCA_CP_HOT: u32, bytes, set point of hot-spot messages, which are CNMs; 0: none
 */
enum tca_cp {
	TCA_CP_UNSPEC,
	TCA_CP_PAD,
	TCA_CP_LAW,
	TCA_CP_AT,
	TCA_CP_SAMPLE,
	TCA_CP_SIGNAL,
	TCA_CP_SERVICE,
	TCA_CP_QEQ,
	TCA_CP_W,
	TCA_CP_SAMPLE_BASE,
	TCA_CP_SAMPLE_TABLE,
	TCA_CP_K,
	TCA_CP_HEADER_OCTETS,
	TCA_CP_BUFFER,
	TCA_CP_LIMIT,
	TCA_CP_PAUSE,
	TCA_CP_XOFF,
	TCA_CP_XON,
	TCA_CP_QUANTA,
	TCA_CP_CNPV,
	TCA_CP_RATE_BPS,
	TCA_CP_DEFENSE,
	TCA_CP_INTERVAL_NS,
	TCA_CP_A,
	TCA_CP_B,
	TCA_CP_C,
	TCA_CP_GAMMA,
	TCA_CP_STAGES,
	TCA_CP_SLOPE,
	TCA_CP_WEIGHT,
	TCA_CP_FLOWS,
	TCA_CP_HOT,
	__TCA_CP_MAX
};

#define TCA_CP_MAX	(__TCA_CP_MAX - 1)

/**
 * enum tc_cp_law - how senders are notified of congestion
 * @TC_CP_LAW_NONE: never
 * @TC_CP_LAW_QCN: by the quantized feedback of 802.1Qau
 * @TC_CP_LAW_STEP: on each frame that finds more than TCA_CP_K
 * @TC_CP_LAW_FECN: by one rate for all, in the rate discovery (RD) frames that pass
 */
enum tc_cp_law {
	TC_CP_LAW_NONE = 1,
	TC_CP_LAW_QCN,
	TC_CP_LAW_STEP,
	TC_CP_LAW_FECN,
	__TC_CP_LAW_MAX
};

/**
 * enum tc_cp_at - whose queue is the congestion point's
 * @TC_CP_AT_OUTPUT: what waits for this port
 * @TC_CP_AT_INPUT: what came by this port and waits for any
 */
enum tc_cp_at {
	TC_CP_AT_OUTPUT,
	TC_CP_AT_INPUT,
	__TC_CP_AT_MAX
};

/**
 * enum tc_cp_sample - which frame is the culprit
 * @TC_CP_SAMPLE_ARRIVAL: the one that arrives
 * @TC_CP_SAMPLE_RANDOM: one of the queue, in proportion to lengths
 * @TC_CP_SAMPLE_LARGEST: one of the flow that has most of the queue
 */
enum tc_cp_sample {
	TC_CP_SAMPLE_ARRIVAL,
	TC_CP_SAMPLE_RANDOM,
	TC_CP_SAMPLE_LARGEST,
	__TC_CP_SAMPLE_MAX
};

/**
 * enum tc_cp_signal - how a culprit is notified
 * @TC_CP_SIGNAL_CNM: its sender gets a CNM
 * @TC_CP_SIGNAL_ECN: its frame, which may be queued, is marked CE
 */
enum tc_cp_signal {
	TC_CP_SIGNAL_CNM,
	TC_CP_SIGNAL_ECN,
	__TC_CP_SIGNAL_MAX
};

/**
 * enum tc_cp_service - in which order frames leave
 * @TC_CP_SERVICE_FIFO: as they came
 * @TC_CP_SERVICE_RR: deficit round robin over the inputs
 */
enum tc_cp_service {
	TC_CP_SERVICE_FIFO,
	TC_CP_SERVICE_RR,
	__TC_CP_SERVICE_MAX
};

/**
 * enum tc_cp_pause - neighbours that are sent PAUSE
 * @TC_CP_PAUSE_OFF: nobody
 * @TC_CP_PAUSE_INPUT: this port's neighbour, when frames from it fill the buffer
 * @TC_CP_PAUSE_OUTPUT: those of all inputs of which frames wait for this port
 */
enum tc_cp_pause {
	TC_CP_PAUSE_OFF,
	TC_CP_PAUSE_INPUT,
	TC_CP_PAUSE_OUTPUT,
	__TC_CP_PAUSE_MAX
};

/**
 * enum tc_cp_defense - what becomes of CNMs and CN-TAGs that come by this port
 * @TC_CP_DEFENSE_INTERIOR: they pass
 * @TC_CP_DEFENSE_EDGE: CNMs are dropped, CN-TAGs removed
 */
enum tc_cp_defense {
	TC_CP_DEFENSE_INTERIOR,
	TC_CP_DEFENSE_EDGE,
	__TC_CP_DEFENSE_MAX
};

/** enum tc_cp_xstats_type - first member of what is in TCA_STATS_APP */
enum tc_cp_xstats_type {
	TC_CP_XSTATS_QDISC,
	TC_CP_XSTATS_CLASS,
};

/* Minor numbers of classes without an input; those of inputs follow. */
#define TC_CP_CLASS_LOCAL	1
#define TC_CP_CLASS_FOREIGN	2

/**
 * struct tc_cp_xstats - statistics of a port, in TCA_STATS_APP
 * @type: TC_CP_XSTATS_QDISC
 * @q_bytes: bytes that wait for this port
 * @q_max_bytes: most yet
 * @buffer_bytes: bytes that came by this port, of TCA_CP_CNPV, and wait for any
 * @buffer_max_bytes: most yet
 * @link_bps: speed of the device; 0: not known, then 10 Gbit/s count
 * @drop_buffer: frames for this port dropped because their input's buffer was full
 * @drop_limit: frames dropped because of TCA_CP_LIMIT
 * @drop_memory: frames dropped for want of memory
 * @drop_gso: GSO packets that could not be segmented
 * @drop_storm: frames dropped while the neighbour's PAUSE was ignored
 * @split_gso: GSO packets that were segmented
 * @local: frames that this machine sent
 * @foreign: frames of a device without a qdisc cp, in no buffer
 * @outside: frames of priorities outside TCA_CP_CNPV, in no buffer
 * @verdicts: times that a culprit was looked for, at this congestion point
 * @cnms: culprits for which a CNM was sent
 * @marks: culprits marked
 * @ce_seen: culprits that were marked before
 * @nonect_seen: culprits that are not ECN-capable
 * @mark_failed: culprits not marked for want of memory
 * @not_bridged: culprits that have the address of their output: routed here
 * @no_source: culprits without a sender that a CNM reaches: local, foreign, or no station's
 * @control_failed: control frames not sent for want of memory, because too many
 *	wait, or the port is down
 * @cnm_tx: CNMs that left by this port
 * @xoff_tx: PAUSEs that left by this port, but for repeated ones
 * @refresh_tx: PAUSEs repeated
 * @xon_tx: ends of PAUSE that left by this port
 * @pausing_ns: time for which the neighbour was paused
 * @pause_rx: PAUSE frames that came by this port
 * @pfc_rx: PFC frames, likewise
 * @control_bad: other MAC control frames, and malformed ones
 * @paused_ns: time for which this port obeyed PAUSE, or PFC for any priority
 * @storms: times that the watchdog ended a PAUSE
 * @cnm_refused: CNMs that came by this port and were dropped (edge)
 * @tag_removed: CN-TAGs removed (edge)
 * @pausing: 1 while the neighbour is paused
 * @paused: priorities that are paused now, a bit each
 * @inputs: inputs of which frames wait for this port
 * @qntz_fb: the last feedback, 0 to 63
 * @stamp_ns: when these numbers were read, on CLOCK_MONOTONIC
 * @no_vlan: culprits whose sender's VLAN is not known, so that no CNM was sent
 * @advertised_bps: rate that this port advertises; 0 without law fecn
 * @arrival_bps: its load in the last interval, of law fecn
 * @effective_flows: that load in advertised rates, to the nearest
 * @rds: RD frames that passed on their way to a destination, law fecn
 * @rds_written: those of them that got this port's rate: it was the least yet
 * @rds_bad: malformed RD frames; they pass as they are
 * @rds_failed: RD frames that passed as they are for want of memory
 */
struct tc_cp_xstats {
	__u64	type;
	__u64	q_bytes;
	__u64	q_max_bytes;
	__u64	buffer_bytes;
	__u64	buffer_max_bytes;
	__u64	link_bps;
	__u64	drop_buffer;
	__u64	drop_limit;
	__u64	drop_memory;
	__u64	drop_gso;
	__u64	drop_storm;
	__u64	split_gso;
	__u64	local;
	__u64	foreign;
	__u64	outside;
	__u64	verdicts;
	__u64	cnms;
	__u64	marks;
	__u64	ce_seen;
	__u64	nonect_seen;
	__u64	mark_failed;
	__u64	not_bridged;
	__u64	no_source;
	__u64	control_failed;
	__u64	cnm_tx;
	__u64	xoff_tx;
	__u64	refresh_tx;
	__u64	xon_tx;
	__u64	pausing_ns;
	__u64	pause_rx;
	__u64	pfc_rx;
	__u64	control_bad;
	__u64	paused_ns;
	__u64	storms;
	__u64	cnm_refused;
	__u64	tag_removed;
	__u64	pausing;
	__u64	paused;
	__u64	inputs;
	__u64	qntz_fb;
	__u64	stamp_ns;
	__u64	no_vlan;
	__u64	advertised_bps;
	__u64	arrival_bps;
	__u64	effective_flows;
	__u64	rds;
	__u64	rds_written;
	__u64	rds_bad;
	__u64	rds_failed;
};

/**
 * struct tc_cp_class_xstats - statistics of a class, in TCA_STATS_APP
 * @type: TC_CP_XSTATS_CLASS
 * @ifindex: of the input; 0: frames that this machine sent, or of devices without a
 *	qdisc cp
 * @bytes: bytes of it that wait for this port
 * @packets: frames of it that wait for this port
 * @counted: of @bytes, those that count in the input's buffer
 * @tx_bytes: bytes of it that left
 * @tx_packets: frames of it that left
 * @drop_buffer: frames dropped because the input's buffer was full
 * @drop_limit: frames dropped because of TCA_CP_LIMIT
 * @culprits: frames of it, waiting for this port or on their way to it, that were
 *	named culprits
 * @cnms: of these, those for which a CNM was sent
 * @marks: of these, marked
 * @buffer_bytes: bytes in the input's buffer, for all ports
 * @pauses: PAUSEs that left by the input, but for repeated ones
 * @pausing: 1 while the input's neighbour is paused
 */
struct tc_cp_class_xstats {
	__u64	type;
	__u64	ifindex;
	__u64	bytes;
	__u64	packets;
	__u64	counted;
	__u64	tx_bytes;
	__u64	tx_packets;
	__u64	drop_buffer;
	__u64	drop_limit;
	__u64	culprits;
	__u64	cnms;
	__u64	marks;
	__u64	buffer_bytes;
	__u64	pauses;
	__u64	pausing;
};

#endif /* _UAPI_LINUX_PKT_SCH_CP_H */
