/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * On-Ramp's fair queue: netlink attributes and statistics.
 *
 * This file is the one definition of the interface.  Attributes are only
 * ever added, before __TCA_ONRAMP_MAX; struct tc_onramp_xstats grows only at
 * its end.  Times are nanoseconds, sizes bytes, rates bit/s; ONRAMP_NS_NONE is
 * in linux/onramp.h.
 */
#ifndef _UAPI_LINUX_PKT_SCH_ONRAMP_H
#define _UAPI_LINUX_PKT_SCH_ONRAMP_H

#include <linux/types.h>

/**
 * enum tca_onramp - attributes nested in TCA_OPTIONS of kind "onramp"
 * @TCA_ONRAMP_UNSPEC: never sent
 * @TCA_ONRAMP_PAD: alignment of 64-bit attributes
 * @TCA_ONRAMP_LIMIT: u32, packets in each band
 * @TCA_ONRAMP_FLOW_LIMIT: u32, packets of a flow
 * @TCA_ONRAMP_BUCKETS: u32, of the table of flows, a power of 2
 * @TCA_ONRAMP_QUANTUM: u32, credit of a flow in each round
 * @TCA_ONRAMP_INITIAL_QUANTUM: u32, credit of a new flow
 * @TCA_ONRAMP_MAXRATE_BPS: u64, no flow is faster; 0: no such limit
 * @TCA_ONRAMP_LOW_RATE_THRESHOLD_BPS: u64, up to it each packet is paced
 * @TCA_ONRAMP_PACING: u8, 1 if sockets' pacing rates and maxrate hold
 * @TCA_ONRAMP_REFILL_DELAY_NS: u64, a flow idle for longer gets a quantum
 * @TCA_ONRAMP_ORPHAN_MASK: u32, of the hash of packets without a socket
 * @TCA_ONRAMP_TIMER_SLACK_NS: u64, by which the timer may be late
 * @TCA_ONRAMP_CE_THRESHOLD_NS: u64, packets later than this are marked
 * @TCA_ONRAMP_HORIZON_NS: u64, how far ahead a departure time may be
 * @TCA_ONRAMP_HORIZON_DROP: u8, 1 to drop packets beyond the horizon, 0 to
 *	send them at it
 * @TCA_ONRAMP_BANDS: u8, 3
 * @TCA_ONRAMP_PRIOMAP: u32, bands of the 16 priorities, two bits each
 * @TCA_ONRAMP_WEIGHT0: u32, credit of band 0 in each round, bytes
 * @TCA_ONRAMP_WEIGHT1: u32, of band 1
 * @TCA_ONRAMP_WEIGHT2: u32, of band 2
 * @TCA_ONRAMP_MODE: u8, enum onramp_mode
 * @TCA_ONRAMP_LAW: u8, enum tc_onramp_law
 * @TCA_ONRAMP_GAIN: u32, 1 / g
 * @TCA_ONRAMP_MAX_HOLD_NS: u64, no hold is longer
 * @TCA_ONRAMP_THRESHOLD_NS: u64, T; 0: from the path's base
 * @TCA_ONRAMP_MARGIN_NS: u64, headroom of the automatic T
 * @TCA_ONRAMP_CLOCK: u8, enum onramp_clock_id
 * @TCA_ONRAMP_ERROR_NS: u64, bound of the error of the system's clock
 * @TCA_ONRAMP_MAX_ERROR_NS: u64, clocks that may be wrong by more do not hold
 * @TCA_ONRAMP_PATH_FRESH_NS: u64, how old a path's delay may be for new flows
 * @TCA_ONRAMP_RECORD_IDLE_NS: u64, an idle flow's records are kept so long
 * @TCA_ONRAMP_NIC_COMP: u8, 1 to take the NIC's backlog out of the delay
 * @TCA_ONRAMP_LINK_RATE_BPS: u64, of the device; 0: what it reports
 * @TCA_ONRAMP_REMEMBER: u32, grid of the packets that are remembered; 0: all are
 * @TCA_ONRAMP_RP: u8, enum tc_onramp_rp
 * @TCA_ONRAMP_RP_MAX_RPS: u32, reaction points at a time
 * @TCA_ONRAMP_RP_TIME_RESET_NS: u64, timer of a reaction point
 * @TCA_ONRAMP_RP_BYTE_RESET: u32, its byte counter
 * @TCA_ONRAMP_RP_THRESHOLD: u32, stages of fast recovery
 * @TCA_ONRAMP_RP_MAX_RATE_BPS: u64, at which a flow starts; not given: the device's speed
 * @TCA_ONRAMP_RP_AI_RATE_BPS: u64, step of active increase
 * @TCA_ONRAMP_RP_HAI_RATE_BPS: u64, step of hyper increase
 * @TCA_ONRAMP_RP_GD: u8, minus the binary logarithm of Gd
 * @TCA_ONRAMP_RP_MIN_DEC_FAC: u8, percent of a rate that a cut leaves at least
 * @TCA_ONRAMP_RP_MIN_RATE_BPS: u64, below which no rate is cut
 * @TCA_ONRAMP_CNM_FROM0: u64, an accepted sender of CNMs, as a number of 48 bits,
 *	the first octet highest; 0: none.  If none is given all are accepted.
 * @TCA_ONRAMP_CNM_FROM1: u64, likewise
 * @TCA_ONRAMP_CNM_FROM2: u64, likewise
 * @TCA_ONRAMP_CNM_FROM3: u64, likewise
 * @TCA_ONRAMP_CNM_FROM4: u64, likewise
 * @TCA_ONRAMP_CNM_FROM5: u64, likewise
 * @TCA_ONRAMP_CNM_FROM6: u64, likewise
 * @TCA_ONRAMP_CNM_FROM7: u64, likewise
 * @TCA_ONRAMP_RD_PERIOD_NS: u64, a flow sends an RD frame so often at most
 * @TCA_ONRAMP_RD_INITIAL_BPS: u64, rate before the first answer
 * @TCA_ONRAMP_RD_REFLECT: u32, RD frames reflected in a second at most; 0: none
 * @TCA_ONRAMP_RD_HOT: u8, 1 if CNMs halve rates
 * @TCA_ONRAMP_SOJOURN_HIST: u8, 1 to count packets by how long they were in the qdisc
 */
enum tca_onramp {
	TCA_ONRAMP_UNSPEC,
	TCA_ONRAMP_PAD,
	TCA_ONRAMP_LIMIT,
	TCA_ONRAMP_FLOW_LIMIT,
	TCA_ONRAMP_BUCKETS,
	TCA_ONRAMP_QUANTUM,
	TCA_ONRAMP_INITIAL_QUANTUM,
	TCA_ONRAMP_MAXRATE_BPS,
	TCA_ONRAMP_LOW_RATE_THRESHOLD_BPS,
	TCA_ONRAMP_PACING,
	TCA_ONRAMP_REFILL_DELAY_NS,
	TCA_ONRAMP_ORPHAN_MASK,
	TCA_ONRAMP_TIMER_SLACK_NS,
	TCA_ONRAMP_CE_THRESHOLD_NS,
	TCA_ONRAMP_HORIZON_NS,
	TCA_ONRAMP_HORIZON_DROP,
	TCA_ONRAMP_BANDS,
	TCA_ONRAMP_PRIOMAP,
	TCA_ONRAMP_WEIGHT0,
	TCA_ONRAMP_WEIGHT1,
	TCA_ONRAMP_WEIGHT2,
	TCA_ONRAMP_MODE,
	TCA_ONRAMP_LAW,
	TCA_ONRAMP_GAIN,
	TCA_ONRAMP_MAX_HOLD_NS,
	TCA_ONRAMP_THRESHOLD_NS,
	TCA_ONRAMP_MARGIN_NS,
	TCA_ONRAMP_CLOCK,
	TCA_ONRAMP_ERROR_NS,
	TCA_ONRAMP_MAX_ERROR_NS,
	TCA_ONRAMP_PATH_FRESH_NS,
	TCA_ONRAMP_RECORD_IDLE_NS,
	TCA_ONRAMP_NIC_COMP,
	TCA_ONRAMP_LINK_RATE_BPS,
	TCA_ONRAMP_REMEMBER,
	TCA_ONRAMP_RP,
	TCA_ONRAMP_RP_MAX_RPS,
	TCA_ONRAMP_RP_TIME_RESET_NS,
	TCA_ONRAMP_RP_BYTE_RESET,
	TCA_ONRAMP_RP_THRESHOLD,
	TCA_ONRAMP_RP_MAX_RATE_BPS,
	TCA_ONRAMP_RP_AI_RATE_BPS,
	TCA_ONRAMP_RP_HAI_RATE_BPS,
	TCA_ONRAMP_RP_GD,
	TCA_ONRAMP_RP_MIN_DEC_FAC,
	TCA_ONRAMP_RP_MIN_RATE_BPS,
	TCA_ONRAMP_CNM_FROM0,
	TCA_ONRAMP_CNM_FROM1,
	TCA_ONRAMP_CNM_FROM2,
	TCA_ONRAMP_CNM_FROM3,
	TCA_ONRAMP_CNM_FROM4,
	TCA_ONRAMP_CNM_FROM5,
	TCA_ONRAMP_CNM_FROM6,
	TCA_ONRAMP_CNM_FROM7,
	TCA_ONRAMP_RD_PERIOD_NS,
	TCA_ONRAMP_RD_INITIAL_BPS,
	TCA_ONRAMP_RD_REFLECT,
	TCA_ONRAMP_RD_HOT,
	TCA_ONRAMP_SOJOURN_HIST,
	__TCA_ONRAMP_MAX
};

#define TCA_ONRAMP_MAX	(__TCA_ONRAMP_MAX - 1)

/**
 * enum tc_onramp_law - equation of the paper
 * @TC_ONRAMP_LAW_FINAL: 4, with compensation for holds in flight
 * @TC_ONRAMP_LAW_STRAWMAN: 2, without
 * @TC_ONRAMP_LAW_WEIGHTED: 4, beta's measurements weighted by their holds
 */
enum tc_onramp_law {
	TC_ONRAMP_LAW_FINAL,
	TC_ONRAMP_LAW_STRAWMAN,
	TC_ONRAMP_LAW_WEIGHTED,
	__TC_ONRAMP_LAW_MAX
};

/**
 * enum tc_onramp_rp - reaction to congestion notification messages (CNMs)
 * @TC_ONRAMP_RP_OFF: none
 * @TC_ONRAMP_RP_QCN: the reaction point of 802.1Qau
 * @TC_ONRAMP_RP_FECN: FECN's, which requests rates by rate discovery (RD) frames, and reflects
 *	those of others
 */
enum tc_onramp_rp {
	TC_ONRAMP_RP_OFF,
	TC_ONRAMP_RP_QCN,
	TC_ONRAMP_RP_FECN,
	__TC_ONRAMP_RP_MAX
};

/*
 * Buckets of a distribution of delays.  Bucket i has those above 2^(9+i) ns and not above
 * 2^(10+i) ns; the first has all that are shorter as well, the last all that are longer.
 */
#define TC_ONRAMP_HIST_BUCKETS	20

/**
 * struct tc_onramp_xstats - statistics, in TCA_STATS_APP
 * @flows: flows that are known now
 * @inactive_flows: of them, without a packet
 * @throttled_flows: of them, not due yet
 * @next_release_ns: until the next of those is due; 0 if there is none
 * @gc: flows forgotten because they were idle
 * @throttled: times that a flow was not due
 * @latency_ns: by which flows were served after they were due, an average
 * @fastpath: packets that met an empty or waiting queue
 * @ce_mark: packets marked because of ce_threshold
 * @flows_plimit: packets dropped because of flow_limit
 * @pkts_too_long: packets that would hold their flow for over a second
 * @alloc_errors: packets not queued by flow, or not held: no memory
 * @horizon_drops: packets dropped beyond the horizon
 * @horizon_caps: packets sent at the horizon, not beyond
 * @band0_pkts: packets of band 0 now
 * @band1_pkts: of band 1
 * @band2_pkts: of band 2
 * @band0_drops: packets of band 0 dropped because of limit
 * @band1_drops: of band 1
 * @band2_drops: of band 2
 * @held: packets that left later than all rules but the hold required
 * @held_time_ns: by which they left later, in sum
 * @kicks: flows checked again because their hold was shortened
 * @samples: OR-ACK entries that gave a delay
 * @holds: holds set
 * @holds_bounded: of them, cut to max_hold
 * @holds_new: of them, for new flows, from their path
 * @holds_observed: holds not set in mode observe
 * @hold_ns: sum of the holds set, each until it was replaced or ended
 * @no_clock: delays that are not valid: a clock unknown, stale, or of another epoch
 * @uncertain: error bound above max_error
 * @negative: received before sent
 * @too_long: longer than has passed since the packet left
 * @below_base: shorter than the path's base by more than the bound
 * @suspect: the path is suspect
 * @suspicions: paths that became suspect
 * @retransmitted: entries without a sample: the range was sent twice
 * @unmatched: entries for a packet that is not remembered any more
 * @records: packets recorded
 * @records_evicted: overwritten before their flow was idle
 * @records_failed: not recorded: no memory
 * @measured: flows that were measured
 * @measured_failed: not measured: no memory, or too many
 * @gso_unknown_rate: entries of GSO packets on a device of unknown speed
 * @not_tcp: packets of other protocols: fair-queued but never held
 * @nic_backlog_ns: NIC backlog when the last packet left; ONRAMP_NS_NONE: speed not known
 * @owd_ns: the last delay; ONRAMP_NS_NONE: none, or without a clock
 * @threshold_ns: T for it; ONRAMP_NS_NONE: its path has no base
 * @base_ns: base of its path; ONRAMP_NS_NONE: it has none
 * @unacked: packets with payload that left while nobody acked their path
 * @unacked_paths: paths that became unacknowledged
 * @holds_off: holds not set in mode hold: holding is switched off
 * @overtakes: packets without payload that overtook held ones
 * @reaction_points: in use now, a class each
 * @cnms: CNMs that cut a rate
 * @cnms_bad: malformed ones, dropped
 * @cnms_foreign: to another address than the device's, passed on
 * @cnms_unknown: of a flow that was not sent here lately, or cannot be known, passed on
 * @cnms_early: of a flow that sent too little since the last, dropped
 * @rp_shared: flows that share a reaction point, because all were in use
 * @rp_released: reaction points that ended: their rate is back
 * @rp_recoveries: rates raised in fast recovery
 * @rp_increases: in active increase
 * @rp_hyper_increases: in hyper increase
 * @cnms_refused: CNMs of a sender that is not one of those in TCA_ONRAMP_CNM_FROM0 and on,
 *	passed on
 * @rds: RD frames sent
 * @rds_answered: answers that set a rate
 * @rds_unknown: answers to no RD frame of this qdisc, passed on
 * @rds_late: answers that came too late, or after a later one, dropped
 * @rds_bad: malformed RD frames, dropped
 * @rds_unanswered: rates changed because there was no answer
 * @rds_hot: rates halved by hot-spot messages
 * @rds_reflected: RD frames of others sent back
 * @rds_limited: RD frames of others dropped because of TCA_ONRAMP_RD_REFLECT
 * @rds_failed: RD frames not sent or not reflected for want of memory
 * @owd_sum_ns: sum of the delays in owd_hist
 * @owd_hist: valid delays, by their length
 * @sojourn_sum_ns: sum of the times in sojourn_hist
 * @sojourn_hist: packets that left, by the time since they came, or since their departure
 *	time if that is later; only while TCA_ONRAMP_SOJOURN_HIST is 1
 */
struct tc_onramp_xstats {
	__u64	flows;
	__u64	inactive_flows;
	__u64	throttled_flows;
	__u64	next_release_ns;
	__u64	gc;
	__u64	throttled;
	__u64	latency_ns;
	__u64	fastpath;
	__u64	ce_mark;
	__u64	flows_plimit;
	__u64	pkts_too_long;
	__u64	alloc_errors;
	__u64	horizon_drops;
	__u64	horizon_caps;
	__u64	band0_pkts;
	__u64	band1_pkts;
	__u64	band2_pkts;
	__u64	band0_drops;
	__u64	band1_drops;
	__u64	band2_drops;
	__u64	held;
	__u64	held_time_ns;
	__u64	kicks;
	__u64	samples;
	__u64	holds;
	__u64	holds_bounded;
	__u64	holds_new;
	__u64	holds_observed;
	__u64	hold_ns;
	__u64	no_clock;
	__u64	uncertain;
	__u64	negative;
	__u64	too_long;
	__u64	below_base;
	__u64	suspect;
	__u64	suspicions;
	__u64	retransmitted;
	__u64	unmatched;
	__u64	records;
	__u64	records_evicted;
	__u64	records_failed;
	__u64	measured;
	__u64	measured_failed;
	__u64	gso_unknown_rate;
	__u64	not_tcp;
	__u64	nic_backlog_ns;
	__s64	owd_ns;
	__u64	threshold_ns;
	__s64	base_ns;
	__u64	unacked;
	__u64	unacked_paths;
	__u64	holds_off;
	__u64	overtakes;
	__u64	reaction_points;
	__u64	cnms;
	__u64	cnms_bad;
	__u64	cnms_foreign;
	__u64	cnms_unknown;
	__u64	cnms_early;
	__u64	rp_shared;
	__u64	rp_released;
	__u64	rp_recoveries;
	__u64	rp_increases;
	__u64	rp_hyper_increases;
	__u64	cnms_refused;
	__u64	rds;
	__u64	rds_answered;
	__u64	rds_unknown;
	__u64	rds_late;
	__u64	rds_bad;
	__u64	rds_unanswered;
	__u64	rds_hot;
	__u64	rds_reflected;
	__u64	rds_limited;
	__u64	rds_failed;
	__u64	owd_sum_ns;
	__u64	owd_hist[TC_ONRAMP_HIST_BUCKETS];
	__u64	sojourn_sum_ns;
	__u64	sojourn_hist[TC_ONRAMP_HIST_BUCKETS];
};

/* In place of a qdisc's number of flows. */
#define TC_ONRAMP_XSTATS_CLASS	0xffffffffffffffffULL

/**
 * struct tc_onramp_class_xstats - statistics of a class, which is a reaction point
 * @type: TC_ONRAMP_XSTATS_CLASS
 * @rate_bps: rate now
 * @target_bps: rate that it recovers to
 * @byte_stage: how often the byte counter was up since the last CNM
 * @time_stage: how often the timer was
 * @cnms: CNMs that cut the rate
 * @packets: that wait
 * @tx_packets: that left
 * @tx_bytes: their bytes
 * @shared: flows that share it, beyond the first
 * @ether_type: of the first flow; 0 of frames that have none
 * @proto: of IP; 0 of others
 * @sport: source port, 0 without
 * @dport: destination port, 0 without
 * @saddr: source address, of IPv4 mapped; 0 of other protocols
 * @daddr: destination address, likewise
 * @da: destination address of frames, 6 bytes
 * @rds: RD frames sent
 * @rds_answered: answers that set the rate
 * @hops: congestion points that the last answer passed
 * @hop_bytes: queue of the one with the least rate
 * @hop: its identifier, 8 bytes; 0: none
 */
struct tc_onramp_class_xstats {
	__u64	type;
	__u64	rate_bps;
	__u64	target_bps;
	__u64	byte_stage;
	__u64	time_stage;
	__u64	cnms;
	__u64	packets;
	__u64	tx_packets;
	__u64	tx_bytes;
	__u64	shared;
	__u64	ether_type;
	__u64	proto;
	__u64	sport;
	__u64	dport;
	__u8	saddr[16];
	__u8	daddr[16];
	__u8	da[8];
	__u64	rds;
	__u64	rds_answered;
	__u64	hops;
	__u64	hop_bytes;
	__u8	hop[8];
};

#endif /* _UAPI_LINUX_PKT_SCH_ONRAMP_H */
