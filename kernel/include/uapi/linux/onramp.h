/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Generic netlink family "onramp": clocks, acker, flows, paths, counters.
 * Times are ns.  docs/netlink/onramp.yaml describes the same.
 */
#ifndef _UAPI_LINUX_ONRAMP_H
#define _UAPI_LINUX_ONRAMP_H

#include <linux/types.h>

#define ONRAMP_GENL_NAME	"onramp"
#define ONRAMP_GENL_VERSION	1
#define ONRAMP_GENL_MONITOR	"monitor"	/* multicast group */

/* Ranges of what can be set.  Where no least value is named it is 1. */
#define ONRAMP_RANGE_ERROR_MAX_NS	1000000000
#define ONRAMP_RANGE_DRIFT_MAX		4194303
#define ONRAMP_RANGE_VALID_MAX_NS	600000000000
#define ONRAMP_RANGE_TABLE_MAX		1048576
#define ONRAMP_RANGE_MEMORY_MIN		65536
#define ONRAMP_RANGE_MEMORY_MAX		1099511627776
#define ONRAMP_RANGE_EVERY_MAX		1000
#define ONRAMP_RANGE_DELAY_MIN_NS	1000
#define ONRAMP_RANGE_DELAY_MAX_NS	100000000
#define ONRAMP_RANGE_IDLE_MIN_NS	10000
#define ONRAMP_RANGE_IDLE_MAX_NS	10000000000
#define ONRAMP_RANGE_RATE_MAX		10000000
#define ONRAMP_RANGE_GROUP_MAX		65535
#define ONRAMP_RANGE_BIAS_MAX_NS	1000000
#define ONRAMP_RANGE_WINDOW_MIN_NS	1000
#define ONRAMP_RANGE_WINDOW_MAX_NS	100000000
#define ONRAMP_RANGE_WHY_MAX		63

/* How long a packet may take from NIC to stack, by default. */
#define ONRAMP_WINDOW_DEFAULT_NS	1000000

/* In statistics, a time that is not known; of signed ones the lowest. */
#define ONRAMP_NS_NONE			0x8000000000000000ULL

/**
 * enum onramp_mode - what a qdisc does with delays
 * @ONRAMP_MODE_OFF: nothing is measured
 * @ONRAMP_MODE_OBSERVE: measured, and the holds that would follow are counted
 * @ONRAMP_MODE_HOLD: flows are held
 */
enum onramp_mode {
	ONRAMP_MODE_OFF,
	ONRAMP_MODE_OBSERVE,
	ONRAMP_MODE_HOLD,
};

/**
 * enum onramp_follow - which flows are followed: measured, and held
 * @ONRAMP_FOLLOW_ALL: all
 * @ONRAMP_FOLLOW_PEERS: those to prefixes of the list of peers
 * @ONRAMP_FOLLOW_KEYS: those to peers of a group with keys
 */
enum onramp_follow {
	ONRAMP_FOLLOW_ALL,
	ONRAMP_FOLLOW_PEERS,
	ONRAMP_FOLLOW_KEYS,
};

/**
 * struct onramp_stats - counters of a qdisc, grow only at the end
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
 * @flows: flows created
 * @flows_failed: not created: no memory, or too many
 * @gso_unknown_rate: entries of GSO packets on a device of unknown speed
 * @not_tcp: packets of other protocols: fair-queued but never held
 * @nic_backlog_ns: NIC backlog when the last packet left; ONRAMP_NS_NONE: speed not known
 * @owd_ns: the last delay; ONRAMP_NS_NONE: none, or without a clock
 * @threshold_ns: T for it; ONRAMP_NS_NONE: its path has no base
 * @base_ns: base of its path; ONRAMP_NS_NONE: it has none
 * @unacked: packets with payload that left while nobody acked their path
 * @unacked_paths: paths that became unacknowledged
 * @holds_off: holds not set in mode hold: holding is switched off
 */
struct onramp_stats {
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
	__u64	flows;
	__u64	flows_failed;
	__u64	gso_unknown_rate;
	__u64	not_tcp;
	__u64	nic_backlog_ns;
	__s64	owd_ns;
	__u64	threshold_ns;
	__s64	base_ns;
	__u64	unacked;
	__u64	unacked_paths;
	__u64	holds_off;
};

/**
 * enum onramp_cmd - requests; _GET of many things dump
 * @ONRAMP_CMD_UNSPEC: never sent
 * @ONRAMP_CMD_CLOCK_SET: ONRAMP_A_CLOCK_*; admin
 * @ONRAMP_CMD_CLOCK_GET: reply with all of it
 * @ONRAMP_CMD_FLOW_GET: dump of nests ONRAMP_A_FLOW
 * @ONRAMP_CMD_PATH_GET: dump of nests ONRAMP_A_PATH
 * @ONRAMP_CMD_STATS_GET: core's counters and limits of the namespace
 * @ONRAMP_CMD_LIMITS_SET: ONRAMP_A_MAX_FLOWS, ONRAMP_A_MAX_PATHS,
 *	ONRAMP_A_MAX_MEMORY, ONRAMP_A_FOLLOW, an absent one stays; admin
 * @ONRAMP_CMD_ACKER_SET: ONRAMP_A_ACKER_*, an absent one stays; admin
 * @ONRAMP_CMD_ACKER_GET: settings and counters
 * @ONRAMP_CMD_ACKER_DEV_ADD: ONRAMP_A_IFINDEX; admin
 * @ONRAMP_CMD_ACKER_DEV_DEL: ONRAMP_A_IFINDEX; admin
 * @ONRAMP_CMD_ACKER_DEV_GET: dump
 * @ONRAMP_CMD_PEER_ADD: ONRAMP_A_PREFIX, ONRAMP_A_PREFIX_LEN: a peer, whose data
 *	is acked, and for whose flows those to unknown peers make space; admin
 * @ONRAMP_CMD_PEER_DEL: same; admin
 * @ONRAMP_CMD_PEER_GET: dump
 * @ONRAMP_CMD_EVENT: to group monitor
 * @ONRAMP_CMD_DEV_SET: ONRAMP_A_IFINDEX, ONRAMP_A_STAMP_WANTED_*, an absent one
 *	stays; admin
 * @ONRAMP_CMD_DEV_GET: dump
 * @ONRAMP_CMD_KEY_ADD: ONRAMP_A_GROUP, ONRAMP_A_KEY_ID, ONRAMP_A_KEY: one more
 *	key, of two at most; a group's first makes the group, and signs; admin
 * @ONRAMP_CMD_KEY_ROTATE: ONRAMP_A_GROUP, ONRAMP_A_KEY_ID: it signs; admin
 * @ONRAMP_CMD_KEY_DEL: ONRAMP_A_GROUP, and ONRAMP_A_KEY_ID of the key that does
 *	not sign, or the whole group; admin
 * @ONRAMP_CMD_KEY_SET: ONRAMP_A_GROUP, ONRAMP_A_KEY_REQUIRE; admin
 * @ONRAMP_CMD_KEY_PEER_ADD: ONRAMP_A_GROUP, ONRAMP_A_PREFIX,
 *	ONRAMP_A_PREFIX_LEN: the longest prefix of an address counts; admin
 * @ONRAMP_CMD_KEY_PEER_DEL: same; admin
 * @ONRAMP_CMD_KEY_GET: dump: groups, once for each of their prefixes; no keys
 * @ONRAMP_CMD_PHC_SET: ONRAMP_A_IFINDEX, ONRAMP_A_CLOCK_*, ONRAMP_A_PHC_BIAS,
 *	ONRAMP_A_PHC_WINDOW: the line from a device's hardware clock to
 *	CLOCK_REALTIME; admin
 * @ONRAMP_CMD_PHC_DEL: ONRAMP_A_IFINDEX: forget the line; admin
 * @ONRAMP_CMD_HOLDING_SET: ONRAMP_A_HOLDING, ONRAMP_A_HOLDING_WHY: 0: every
 *	qdisc of mode hold does as with mode observe, and holds end; 1: no
 *	longer; admin
 */
enum onramp_cmd {
	ONRAMP_CMD_UNSPEC,
	ONRAMP_CMD_CLOCK_SET,
	ONRAMP_CMD_CLOCK_GET,
	ONRAMP_CMD_FLOW_GET,
	ONRAMP_CMD_PATH_GET,
	ONRAMP_CMD_STATS_GET,
	ONRAMP_CMD_LIMITS_SET,
	ONRAMP_CMD_ACKER_SET,
	ONRAMP_CMD_ACKER_GET,
	ONRAMP_CMD_ACKER_DEV_ADD,
	ONRAMP_CMD_ACKER_DEV_DEL,
	ONRAMP_CMD_ACKER_DEV_GET,
	ONRAMP_CMD_PEER_ADD,
	ONRAMP_CMD_PEER_DEL,
	ONRAMP_CMD_PEER_GET,
	ONRAMP_CMD_EVENT,
	ONRAMP_CMD_DEV_SET,
	ONRAMP_CMD_DEV_GET,
	ONRAMP_CMD_KEY_ADD,
	ONRAMP_CMD_KEY_ROTATE,
	ONRAMP_CMD_KEY_DEL,
	ONRAMP_CMD_KEY_SET,
	ONRAMP_CMD_KEY_PEER_ADD,
	ONRAMP_CMD_KEY_PEER_DEL,
	ONRAMP_CMD_KEY_GET,
	ONRAMP_CMD_PHC_SET,
	ONRAMP_CMD_PHC_DEL,
	ONRAMP_CMD_HOLDING_SET,
	__ONRAMP_CMD_MAX,
};

#define ONRAMP_CMD_MAX (__ONRAMP_CMD_MAX - 1)

/**
 * enum onramp_clock_base - which of the host's clocks a published line maps
 * @ONRAMP_BASE_REALTIME: CLOCK_REALTIME
 * @ONRAMP_BASE_MONOTONIC_RAW: CLOCK_MONOTONIC_RAW
 * @ONRAMP_BASE_TAI: CLOCK_TAI
 */
enum onramp_clock_base {
	ONRAMP_BASE_REALTIME,
	ONRAMP_BASE_MONOTONIC_RAW,
	ONRAMP_BASE_TAI,
};

/**
 * enum onramp_state - may the latest delay of a flow or path hold it?
 * @ONRAMP_STATE_VALID: yes
 * @ONRAMP_STATE_NO_CLOCK: a clock is not known, stale, or of another epoch
 * @ONRAMP_STATE_UNCERTAIN: the error bound is above max_error
 * @ONRAMP_STATE_NEGATIVE: received before it was sent
 * @ONRAMP_STATE_TOO_LONG: it would still be on its way
 * @ONRAMP_STATE_BELOW_BASE: shorter than a path's base allows
 * @ONRAMP_STATE_SUSPECT: possible, but the path is suspect
 * @ONRAMP_STATE_UNACKED: there is no later one: nobody acks the path
 * @ONRAMP_STATE_SWITCHED_OFF: it is valid, but holding is switched off
 */
enum onramp_state {
	ONRAMP_STATE_VALID,
	ONRAMP_STATE_NO_CLOCK,
	ONRAMP_STATE_UNCERTAIN,
	ONRAMP_STATE_NEGATIVE,
	ONRAMP_STATE_TOO_LONG,
	ONRAMP_STATE_BELOW_BASE,
	ONRAMP_STATE_SUSPECT,
	ONRAMP_STATE_UNACKED,
	ONRAMP_STATE_SWITCHED_OFF,
};

/* One flat space of attributes: a tool needs one table. */
enum onramp_attr {
	ONRAMP_A_UNSPEC,		/* unused */
	ONRAMP_A_PAD,			/* pad, of 64 bits */
	/*
	 * clock: common = base + offset + drift x (base - ref); of a device's
	 * hardware clock: CLOCK_REALTIME = it + offset + drift x (it - ref)
	 */
	ONRAMP_A_CLOCK_ID,		/* u8, enum onramp_clock_id */
	ONRAMP_A_CLOCK_ERROR,		/* u32, ns; 0, and only the id: forget it */
	ONRAMP_A_CLOCK_BASE,		/* u8, enum onramp_clock_base */
	ONRAMP_A_CLOCK_OFFSET,		/* s64, ns */
	ONRAMP_A_CLOCK_DRIFT,		/* s64, 2^-32 ns each ns, below 2^-10 */
	ONRAMP_A_CLOCK_REF,		/* s64, ns of the base clock, or the hardware's */
	ONRAMP_A_CLOCK_VALID,		/* u64, ns from now; a stale line is not used */
	ONRAMP_A_CLOCK_EPOCH,		/* u32, not 0 */
	ONRAMP_A_CLOCK_STATE,		/* u8, 1 if it can be used */
	/* flows and paths */
	ONRAMP_A_FLOW,			/* nest */
	ONRAMP_A_PATH,			/* nest */
	ONRAMP_A_SADDR,			/* 4 or 16 bytes */
	ONRAMP_A_DADDR,			/* 4 or 16 bytes */
	ONRAMP_A_SPORT,			/* be16 */
	ONRAMP_A_DPORT,			/* be16 */
	ONRAMP_A_DSCP,			/* u8 */
	ONRAMP_A_IFINDEX,		/* u32 */
	ONRAMP_A_OWD,			/* s64, ns, the latest */
	ONRAMP_A_OWD_AGE,		/* u64, ns */
	ONRAMP_A_BASE,			/* s64, ns */
	ONRAMP_A_THRESHOLD,		/* u64, ns */
	ONRAMP_A_BETA,			/* u32, of 65536 */
	ONRAMP_A_HOLD,			/* u64, ns that its current hold still lasts */
	ONRAMP_A_HOLD_TOTAL,		/* u64, ns, A(now) */
	ONRAMP_A_HOLDS,			/* u64 */
	ONRAMP_A_SAMPLES,		/* u64 */
	ONRAMP_A_RECORDS,		/* u32, packets remembered */
	ONRAMP_A_STAMP_TX,		/* u8, enum onramp_stamp */
	ONRAMP_A_STAMP_RX,		/* u8, enum onramp_stamp */
	ONRAMP_A_ERROR,			/* u64, ns, both clocks' bounds */
	ONRAMP_A_STATE,			/* u8, enum onramp_state */
	/* counters and limits */
	ONRAMP_A_STATS,			/* struct onramp_stats, of the namespace */
	ONRAMP_A_FLOWS,			/* u32, now */
	ONRAMP_A_PATHS,			/* u32, now */
	ONRAMP_A_MAX_FLOWS,		/* u32, 1 to 2^20 */
	ONRAMP_A_MAX_PATHS,		/* u32, 1 to 2^20 */
	ONRAMP_A_ACKS,			/* u64, datagrams received as OR-ACKs */
	ONRAMP_A_ACKS_BAD,		/* u64, to their port, but malformed */
	ONRAMP_A_ACKS_UNKNOWN_PEER,	/* u64, of nobody known here: passed on */
	/* acker */
	ONRAMP_A_ACKER_EVERY,		/* u32, MTUs of payload, 1 to 1000 */
	ONRAMP_A_ACKER_DELAY,		/* u64, ns, 1 us to 100 ms: for the last of a burst */
	ONRAMP_A_ACKER_IDLE,		/* u64, ns, 10 us to 10 s: then a flow is new */
	ONRAMP_A_ACKER_RATE,		/* u32, datagrams a second, 1 to 10^7 */
	ONRAMP_A_ACKER_MAX_FLOWS,	/* u32, 1 to 2^20 */
	ONRAMP_A_ACKER_STATS,		/* struct onramp_acker_stats */
	ONRAMP_A_PREFIX,		/* 4 or 16 bytes */
	ONRAMP_A_PREFIX_LEN,		/* u8 */
	/* events */
	ONRAMP_A_EVENT,			/* u8, enum onramp_event */
	/* devices; of these ONRAMP_A_STAMP_* is where packets are seen now */
	ONRAMP_A_STAMP_WANTED_TX,	/* u8, enum onramp_stamp; 0: the best */
	ONRAMP_A_STAMP_WANTED_RX,	/* u8, enum onramp_stamp; 0: the best */
	ONRAMP_A_HOOK,			/* u8, 1 if the driver calls onramp_hook */
	/* keys of OR-ACKs, and what became of those that were signed */
	ONRAMP_A_GROUP,			/* u32, 1 to 65535 */
	ONRAMP_A_KEY,			/* 16 bytes; never dumped */
	ONRAMP_A_KEY_ID,		/* u8, in dumps of the key that signs */
	ONRAMP_A_KEY_OTHER,		/* u8, of the other key, if there is one */
	ONRAMP_A_KEY_REQUIRE,		/* u8, 1: what is not signed is dropped */
	ONRAMP_A_ACKS_SIGNED,		/* u64, of ONRAMP_A_ACKS, authentic */
	ONRAMP_A_ACKS_UNSIGNED,		/* u64, dropped: not signed, but required */
	ONRAMP_A_ACKS_UNKNOWN_KEY,	/* u64, dropped: of a key that is not there */
	ONRAMP_A_ACKS_FORGED,		/* u64, dropped: wrong tag */
	ONRAMP_A_ACKS_REPLAYED,		/* u64, dropped: taken before, or too late */
	ONRAMP_A_ACKS_STALE,		/* u64, dropped: stamps a second from our clock */
	/* hardware clocks of devices, and what became of their stamps */
	ONRAMP_A_PHC,			/* u8, 1 if the device has one that stamps */
	ONRAMP_A_PHC_BIAS,		/* s64, ns from the tap to the wire, 1 ms either way */
	ONRAMP_A_PHC_WINDOW,		/* u64, ns, 1 us to 100 ms: no stamp is older */
	ONRAMP_A_PHC_TX_GOOD,		/* u64, sent with the bias */
	ONRAMP_A_PHC_TX_STALE,		/* u64, without: no line, or none any more */
	ONRAMP_A_PHC_RX_GOOD,		/* u64, received with the hardware's stamp */
	ONRAMP_A_PHC_RX_MISSING,	/* u64, without: the NIC gave none */
	ONRAMP_A_PHC_RX_STALE,		/* u64, without: no line, or none any more */
	ONRAMP_A_PHC_RX_IMPLAUSIBLE,	/* u64, without: of the future, or too old */
	ONRAMP_A_ACKS_UNKNOWN_FLOW,	/* u64, no such flow, but for us: dropped */
	/* the switch of the namespace */
	ONRAMP_A_HOLDING,		/* u8, 0: nothing is held, in whatever mode */
	ONRAMP_A_HOLDING_WHY,		/* string, of the last that set it, printable */
	/* more of flows and paths */
	ONRAMP_A_SCOPE,			/* u32, ifindex of VRF or link, if there is one */
	ONRAMP_A_ACKS_FORWARDED,	/* u64, of the acks, not for us: sent on, too */
	/* more of limits: which hosts are followed, and what makes space */
	ONRAMP_A_FOLLOW,		/* u8, enum onramp_follow */
	ONRAMP_A_NOT_FOLLOWED,		/* u64, packets with payload */
	ONRAMP_A_MEMORY,		/* u64, bytes of flows, records and paths now */
	ONRAMP_A_MAX_MEMORY,		/* u64, bytes, 64 KB to 1 TB */
	ONRAMP_A_FLOWS_EVICTED,		/* u64, made space for others, though queues' */
	__ONRAMP_A_MAX,
};

#define ONRAMP_A_MAX (__ONRAMP_A_MAX - 1)

/**
 * enum onramp_event - events of group monitor
 * @ONRAMP_EVENT_CLOCK: the clock was set, with ONRAMP_A_CLOCK_*
 * @ONRAMP_EVENT_CLOCK_LOST: it became stale
 * @ONRAMP_EVENT_SUSPECT: a path became suspect, with ONRAMP_A_PATH
 * @ONRAMP_EVENT_CLEARED: it is no more
 * @ONRAMP_EVENT_UNACKED: nobody acks a path, with ONRAMP_A_PATH
 * @ONRAMP_EVENT_ACKED: somebody does, again
 * @ONRAMP_EVENT_HOLDING: holding was switched, with ONRAMP_A_HOLDING*
 */
enum onramp_event {
	ONRAMP_EVENT_CLOCK = 1,
	ONRAMP_EVENT_CLOCK_LOST,
	ONRAMP_EVENT_SUSPECT,
	ONRAMP_EVENT_CLEARED,
	ONRAMP_EVENT_UNACKED,
	ONRAMP_EVENT_ACKED,
	ONRAMP_EVENT_HOLDING,
};

/**
 * struct onramp_acker_stats - counters of a namespace, grow only at the end
 * @packets: data packets seen on attached devices
 * @not_peer: of them, from no prefix of the allow-list
 * @not_ours: forwarded: the destination is not an address of this host
 * @entries: packets acked
 * @entries_first: of them, a flow's first or the first after idleness
 * @entries_every: of them, with a byte on the grid
 * @entries_last: of them, the last of a burst
 * @datagrams: sent
 * @send_failed: datagrams not sent: no route, no memory, no space in a queue
 * @rate_limited: entries not sent because of the rate limit
 * @backed_off: entries not sent because the peer's port was unreachable
 * @flows_failed: flows not followed: no memory
 * @flows_evicted: least recently used, to make space
 * @flows: now
 * @unearned: entries not sent because the peer sent fewer bytes than that takes
 */
struct onramp_acker_stats {
	__u64	packets;
	__u64	not_peer;
	__u64	not_ours;
	__u64	entries;
	__u64	entries_first;
	__u64	entries_every;
	__u64	entries_last;
	__u64	datagrams;
	__u64	send_failed;
	__u64	rate_limited;
	__u64	backed_off;
	__u64	flows_failed;
	__u64	flows_evicted;
	__u64	flows;
	__u64	unearned;
};

#endif /* _UAPI_LINUX_ONRAMP_H */
