/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Facts about a host, for doctor: settings, counters, devices.  Nothing in here
 * queries the kernel; findings are functions of the facts alone.
 *
 * Counters are gathered twice, and facts_since() leaves what changed in between.
 * Counters that did not change stay totals.  The states of paths are counted in
 * the same way.
 */
#ifndef SHARPRAMP_ONRAMPCTL_FACTS_H
#define SHARPRAMP_ONRAMPCTL_FACTS_H

#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/onramp.h>

#include "value.h"

#define FACTS_KIND_MAX		16
#define FACTS_STATES		(ONRAMP_STATE_SWITCHED_OFF + 1)
#define FACTS_UNREAD_MAX	8
#define FACTS_QUEUE_MAX		32
#define FACTS_WHY_MAX		256

/* Counters.  If the first member of a struct fell, all of them were reset. */

/** struct facts_dev_counts - bytes of a device */
struct facts_dev_counts {
	uint64_t	bytes;		/* both ways */
	uint64_t	rx_bytes;
	uint64_t	tx_bytes;
};

/** struct facts_onramp_counts - of an onramp qdisc, see tc-onramp(8) */
struct facts_onramp_counts {
	uint64_t	packets;	/* that left */
	uint64_t	records;
	uint64_t	samples;
	uint64_t	unmatched;
	uint64_t	not_tcp;
	uint64_t	gso_unknown_rate;
	uint64_t	flows_plimit;
	uint64_t	cnms;
	uint64_t	cnms_unknown;
};

/** struct facts_ecnsharp_counts - of an ecnsharp qdisc, see tc-ecnsharp(8) */
struct facts_ecnsharp_counts {
	uint64_t	packets;
	uint64_t	bytes;
	uint64_t	marks;		/* of any signal */
	uint64_t	nonect;		/* seen */
	uint64_t	nonect_due;	/* of them, would have been marked */
};

/** struct facts_cp_counts - of a qdisc cp, see tc-cp(8) */
struct facts_cp_counts {
	uint64_t	packets;
	uint64_t	foreign;
};

/** struct facts_core_counts - of the namespace, see linux/onramp.h */
struct facts_core_counts {
	uint64_t	records;
	uint64_t	acks;
	uint64_t	unknown_peer;
	uint64_t	not_signed;
	uint64_t	unknown_key;
	uint64_t	forged;
	uint64_t	stale;
	uint64_t	flows_failed;
};

/** struct facts_acker_counts - of the acker, see linux/onramp.h */
struct facts_acker_counts {
	uint64_t	packets;
	uint64_t	not_peer;
	uint64_t	not_ours;
	uint64_t	entries;
	uint64_t	backed_off;
	uint64_t	rate_limited;
	uint64_t	flows_evicted;
};

/**
 * struct facts_dev - a network device
 * @ifindex: its number
 * @name: its name
 * @root: kind of its root qdisc
 * @up: it is up
 * @loopback: it is lo
 * @hardware: it is a NIC
 * @passed: what comes to it is seen at what is below it alone: a bond, a VLAN
 * @bond: it is a bond or a team: packets leave by any of its links
 * @below: ifindex of what it is on, a VLAN or a macvlan; 0: nothing here
 * @master: ifindex of what has it as a link or port; 0: nothing
 * @away: what it is on is in another network namespace
 * @bql: its driver reports completed packets (byte queue limits)
 * @gso: it is given packets that it, or the kernel, segments
 * @lro: it merges what it receives, so that sizes and stamps are not packets'
 * @gro_hw: the same, by GRO's rules
 * @gro: the kernel merges what it receives
 * @drops_pause: its driver drops PAUSE frames that software sends
 * @tc_offload: it may forward by itself
 * @acked: the acker is attached to it
 * @stamp_tx: enum onramp_stamp, where what leaves is seen
 * @stamp_rx: where what comes is seen
 * @still: nothing passed while counters were watched; @n is what ever did
 * @queues: transmit queues
 * @mtu: bytes
 * @gso_max: bytes of a GSO packet
 * @bps: speed of its link; 0: not known
 * @net: a prefix that it is in, if given
 * @other_net: one of the other family, if given
 * @n: counters
 */
struct facts_dev {
	uint32_t		ifindex;
	char			name[IFNAMSIZ];
	char			root[FACTS_KIND_MAX];
	bool			up;
	bool			loopback;
	bool			hardware;
	bool			passed;
	bool			away;
	bool			bond;
	bool			bql;
	bool			gso;
	bool			lro;
	bool			gro_hw;
	bool			gro;
	bool			drops_pause;
	bool			tc_offload;
	bool			acked;
	bool			still;
	uint8_t			stamp_tx;
	uint8_t			stamp_rx;
	uint32_t		below;
	uint32_t		master;
	uint32_t		queues;
	uint32_t		mtu;
	uint32_t		gso_max;
	uint64_t		bps;
	struct value		net;
	struct value		other_net;
	struct facts_dev_counts	n;
};

/**
 * struct facts_onramp - settings and state of an onramp qdisc
 * @mode: enum onramp_mode
 * @clock: enum onramp_clock_id
 * @error_ns: bound, of the system's clock
 * @max_error_ns: clocks that may be wrong by more do not hold
 * @threshold_ns: T; 0: automatic
 * @margin_ns: headroom of the automatic T
 * @link_bps: of the link, if it is given
 * @nic_comp: the NIC's backlog is taken out of delays
 * @remember: grid of the packets that are remembered, bytes; 0: all are
 * @rp: it has reaction points
 * @nic_backlog_ns: as of the last packet; 0 if it is not known
 * @base_ns: lowest delay of the path that was last measured
 * @learned: @base_ns is known
 * @measured: flows that were measured, ever
 * @recorded: packets that were recorded, ever
 * @n: counters
 */
struct facts_onramp {
	uint32_t			mode;
	uint32_t			clock;
	uint64_t			error_ns;
	uint64_t			max_error_ns;
	uint64_t			threshold_ns;
	uint64_t			margin_ns;
	uint64_t			link_bps;
	bool				nic_comp;
	uint32_t			remember;
	bool				rp;
	uint64_t			nic_backlog_ns;
	int64_t				base_ns;
	bool				learned;
	uint64_t			measured;
	uint64_t			recorded;
	struct facts_onramp_counts	n;
};

/**
 * struct facts_ecnsharp - settings and state of an ecnsharp qdisc
 * @ins_target_ns: cut-off of the instantaneous signal
 * @pst_target_ns: level of a persistent queue
 * @split_gso: GSO packets are segmented
 * @longest_ns: highest level of the signal, ever
 * @n: counters
 */
struct facts_ecnsharp {
	uint64_t			ins_target_ns;
	uint64_t			pst_target_ns;
	bool				split_gso;
	uint64_t			longest_ns;
	struct facts_ecnsharp_counts	n;
};

/**
 * struct facts_cp - settings and state of a qdisc cp
 * @pauses: it sends PAUSE frames
 * @n: counters
 */
struct facts_cp {
	bool			pauses;
	struct facts_cp_counts	n;
};

/**
 * struct facts_qdisc - a qdisc
 * @ifindex: of its device
 * @handle: its own number, 0 if it came by itself
 * @parent: TC_H_ROOT or a class
 * @kind: its kind; onramp, ecnsharp and cp have the rest
 * @onramp: of an onramp
 * @ecnsharp: of an ecnsharp
 * @cp: of a cp
 */
struct facts_qdisc {
	uint32_t		ifindex;
	uint32_t		handle;
	uint32_t		parent;
	char			kind[FACTS_KIND_MAX];
	struct facts_onramp	onramp;
	struct facts_ecnsharp	ecnsharp;
	struct facts_cp		cp;
};

/**
 * struct facts_clock - the clock of the acker's stamps
 * @id: enum onramp_clock_id; the system's if none was set
 * @usable: it was set, and is not stale
 * @error_ns: its bound
 */
struct facts_clock {
	uint8_t		id;
	bool		usable;
	uint64_t	error_ns;
};

/**
 * struct facts_group - a group of keys
 * @group: its number
 * @signs: number of the key that signs
 * @other: of the other key; -1: there is none
 * @require: what is not signed is dropped
 */
struct facts_group {
	uint32_t	group;
	uint32_t	signs;
	int		other;
	bool		require;
};

/**
 * struct facts_ends - a set of paths, by its first one
 * @n: how many there are
 * @saddr: source of the first
 * @daddr: destination of the first
 */
struct facts_ends {
	uint32_t	n;
	char		saddr[INET6_ADDRSTRLEN];
	char		daddr[INET6_ADDRSTRLEN];
};

/**
 * struct facts_path_key - key of a path; compared as bytes, so padding is zero
 * @saddr: its source
 * @daddr: its destination
 * @address_len: bytes of each, 4 or 16; others are zero
 * @dscp: its class
 * @scope: ifindex of its VRF or link, or 0
 */
struct facts_path_key {
	uint8_t	saddr[16];
	uint8_t	daddr[16];
	uint8_t	address_len;
	uint8_t	dscp;
	uint32_t	scope;
};

/**
 * struct facts_path - a path
 * @key: which
 * @state: what became of the latest delay, enum onramp_state; -1: not known
 * @samples: delays, ever
 * @error_ns: bound of the latest, if it is valid
 */
struct facts_path {
	struct facts_path_key	key;
	int			state;
	uint64_t		samples;
	uint64_t		error_ns;
};

/**
 * struct facts_paths - all paths, by state
 * @list: all of them; facts_since() makes the others of it
 * @n: how many
 * @all: all of them
 * @unacked: those from which no OR-ACK ever arrived
 * @in: by what became of the latest delay, enum onramp_state; if some were
 *	measured while they were watched, only of those and of unacknowledged ones
 * @error_ns: highest bound of the valid ones
 * @uncertain_ns: bound of a flow whose latest delay was too uncertain
 */
struct facts_paths {
	struct facts_path	*list;
	size_t			n;
	struct facts_ends	all;
	struct facts_ends	unacked;
	struct facts_ends	in[FACTS_STATES];
	uint64_t		error_ns;
	uint64_t		uncertain_ns;
};

/** struct facts_tuner_counts - of acc-tuner, see accctl(1) */
struct facts_tuner_counts {
	uint64_t	ticks;
	uint64_t	overruns;
};

/**
 * struct facts_tuner_queue - a queue of acc-tuner, as accctl(1) prints it
 * @name: DEVICE/HANDLE:
 * @state: its state, or the name of the reason why it is refused
 * @why: why it is refused, and the command that helps; else empty
 * @own_kmax_ns: kmax of its own thresholds; 0: not known
 * @wanted_kmax_ns: of the last choice; 0: none
 * @whole: all of it was read
 */
struct facts_tuner_queue {
	char		name[FACTS_QUEUE_MAX];
	char		state[FACTS_KIND_MAX];
	char		why[FACTS_WHY_MAX];
	uint64_t	own_kmax_ns;
	uint64_t	wanted_kmax_ns;
	bool		whole;
};

/**
 * struct facts_tuner - acc-tuner in this network namespace
 * @configured: its configuration is there, and so is the program
 * @claimed: one runs
 * @deaf: accctl does not reach it, and not for lack of rights
 * @saved: own settings of queues are saved: one runs, or was killed
 * @refused: why it would not start; empty: it would, or runs
 * @queues: queues that it observes, tunes or refuses
 * @nr_queues: how many
 * @n: counters
 */
struct facts_tuner {
	bool				configured;
	bool				claimed;
	bool				deaf;
	bool				saved;
	char				refused[FACTS_WHY_MAX];
	struct facts_tuner_queue	*queues;
	size_t				nr_queues;
	struct facts_tuner_counts	n;
};

/**
 * struct facts_unread - what could not be read
 * @what: its name
 * @error: errno
 */
struct facts_unread {
	const char	*what;
	int		error;
};

/**
 * struct facts - all of it
 * @scope: the device to examine; 0: all
 * @absent: the module is not there
 * @untried: a module reports a kernel newer than any that was tested
 * @onramp: it is loaded and answers
 * @acker: onramp_acker is there
 * @held_off: holding is switched off
 * @held_off_why: the reason that was given; may be empty
 * @clock: the host's clock
 * @core: counters
 * @still: none of @core changed while they were watched; they are totals
 * @flows_now: flows in core's table
 * @max_flows: its limit
 * @paths_now: paths in core's other table
 * @max_paths: its limit
 * @memory_now: bytes of both and of records
 * @max_memory: its limit; 0: the module has none
 * @ack: counters of the acker
 * @ack_rate: datagrams a second at most
 * @ack_max_flows: flows that are followed at most
 * @peers: prefixes of the allow-list
 * @nr_peers: how many
 * @unlisted: the other end of a TCP connection that is in none of them, if given
 * @groups: of keys
 * @nr_groups: how many
 * @paths: paths, by state
 * @devs: devices
 * @nr_devs: how many
 * @qdiscs: qdiscs
 * @nr_qdiscs: how many
 * @tuner: acc-tuner
 * @unread: what could not be read
 * @nr_unread: how many
 */
struct facts {
	uint32_t			scope;
	bool				absent;
	bool				untried;
	bool				onramp;
	bool				acker;
	bool				held_off;
	char				held_off_why[ONRAMP_RANGE_WHY_MAX + 1];
	struct facts_clock		clock;
	struct facts_core_counts	core;
	bool				still;
	uint64_t			flows_now;
	uint64_t			max_flows;
	uint64_t			paths_now;
	uint64_t			max_paths;
	uint64_t			memory_now;
	uint64_t			max_memory;
	struct facts_acker_counts	ack;
	uint64_t			ack_rate;
	uint64_t			ack_max_flows;
	struct value			*peers;
	size_t				nr_peers;
	struct value			unlisted;
	struct facts_group		*groups;
	size_t				nr_groups;
	struct facts_paths		paths;
	struct facts_dev		*devs;
	size_t				nr_devs;
	struct facts_qdisc		*qdiscs;
	size_t				nr_qdiscs;
	struct facts_tuner		tuner;
	struct facts_unread		unread[FACTS_UNREAD_MAX];
	size_t				nr_unread;
};

/**
 * facts_dev() - a device
 * @f: the facts
 * @ifindex: its number
 *
 * Return: it, or NULL.
 */
struct facts_dev *facts_dev(const struct facts *f, uint32_t ifindex);

/** facts_qdisc_is() - is a qdisc of a kind? */
bool facts_qdisc_is(const struct facts_qdisc *q, const char *kind);

/**
 * facts_since() - leave of counters and paths what happened since earlier facts
 * @f: the facts
 * @before: the earlier ones; the list of their paths is sorted
 */
void facts_since(struct facts *f, const struct facts *before);

/**
 * facts_grow() - space for one more of a list
 * @list: the list, or NULL
 * @n: how many it has; counted
 * @size: of each
 *
 * Return: the list, with a last one that is zero; the program ends if there is
 * no memory.
 */
void *facts_grow(void *list, size_t *n, size_t size);

/**
 * facts_miss() - note what could not be read
 * @f: the facts
 * @what: its name, a literal
 * @error: errno
 */
void facts_miss(struct facts *f, const char *what, int error);

/** facts_free() - give the lists back */
void facts_free(struct facts *f);

#endif /* SHARPRAMP_ONRAMPCTL_FACTS_H */
