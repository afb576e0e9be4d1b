/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reaction points: flows that CNMs are about (rp qcn), or all that send more than a little (rp
 * fecn), leave at their reaction point's rate.
 *
 * A packet that is queued belongs to a reaction point or to none, which its control block
 * says; so a queue of several flows is no matter.  CNMs come by the device's ingress hook, on
 * any processor: all state is that of onrampq_rp.lock, which is taken below a root lock, and
 * below which none is.  There is no timer: a rate is brought up to date where it is read.
 */
#ifndef SHARPRAMP_ONRAMPQ_RP_H
#define SHARPRAMP_ONRAMPQ_RP_H

#include <linux/netfilter.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>
#include <net/pkt_sched.h>
#include <linux/pkt_sch_onramp.h>

#include "algo/fecn_rp.h"
#include "algo/fecn_wire.h"
#include "algo/l2_flow.h"
#include "algo/onramp_params.h"
#include "algo/qcn_flows.h"
#include "algo/qcn_rp.h"
#include "compat/compat.h"

/**
 * struct onrampq_point - a reaction point
 * @vars: the algorithm's
 * @flow: whose it is
 * @id: names it in flows' entries; 0: it is not in use.  Not used again for long.
 * @queued: packets of it that wait
 * @free: while it is not in use: the next that is not, as onrampq_rp.free has it
 * @since_bytes: what left since the last CNM was accepted
 * @cnms: CNMs that cut its rate
 * @tx_packets: packets that left
 * @tx_bytes: their bytes
 * @shared: flows that share it, beyond the first
 * @fecn: FECN's state; its rate is in @vars, too, which has the departures
 * @rds: RDs sent; @since_bytes is what left since the last
 * @rds_answered: answers that set the rate
 * @hops: congestion points that the last answer passed
 * @hop_bytes: queue of that with the least rate
 * @hop: its identifier
 */
struct onrampq_point {
	struct qcn_rp_vars	vars;
	struct l2_flow		flow;
	u32			id;
	union {
		u32		queued;
		u32		free;
	};
	u64			since_bytes;
	u64			cnms;
	u64			tx_packets;
	u64			tx_bytes;
	u64			shared;
	struct fecn_rp_vars	fecn;
	u64			rds;
	u64			rds_answered;
	u32			hops;
	u32			hop_bytes;
	u8			hop[L2_CPID_BYTES];
};

/**
 * struct onrampq_rp_conf - settings of reaction points
 * @qcn: 802.1Qau's, of which FECN's read rates and @late_ns
 * @fecn: FECN's
 * @reflect_ns: RDs are not reflected more often on average; 0: none is
 * @hot: CNMs are FECN's hot-spot messages
 */
struct onrampq_rp_conf {
	struct qcn_rp_params	qcn;
	struct fecn_rp_params	fecn;
	u32			reflect_ns;
	bool			hot;
};

/**
 * struct onrampq_rp - the reaction points of a qdisc
 * @lock: of all that follows but @sch, @max, @key, @hook, @kind and @rd
 * @sch: the qdisc
 * @max: reaction points at a time
 * @key: of the hash of flows
 * @hook: by which CNMs come
 * @from: accepted senders of CNMs; those of others are passed on
 * @nr_from: how many; 0: all are accepted
 * @kind: ONRAMP_RP_*
 * @conf: settings
 * @rd: an RD that leaves ahead of the packet that was sent last; root lock
 * @reflected_ns: when the next RD may be reflected by the average
 * @used: reaction points in use
 * @next: looked at next, for one that ended
 * @free: the first that is not in use, @max: none
 * @last_id: the last that was given
 * @law: what the algorithm counted
 * @count: what the qdisc shows, of the members about CNMs and reaction points
 * @flows: flows that were sent lately
 * @point: @max of them
 */
struct onrampq_rp {
	spinlock_t		lock;	/* see above */
	struct Qdisc		*sch;
	u32			max;
	siphash_key_t		key;
	struct nf_hook_ops	hook;
	u64			from[ONRAMP_CNM_FROM];
	u32			nr_from;
	u8			kind;
	struct onrampq_rp_conf	conf;
	struct sk_buff		*rd;
	u64			reflected_ns;
	u32			used;
	u32			next;
	u32			free;
	u32			last_id;
	struct qcn_rp_stats	law;
	struct tc_onramp_xstats	count;
	struct qcn_flow		*flows;
	struct onrampq_point	point[];
};

/* rp_rd.c */

/**
 * onrampq_rd_start() - a flow begins
 * @rp: reaction points of FECN
 * @point: its reaction point, with no state yet
 *
 * Context: @rp->lock.
 */
void onrampq_rd_start(struct onrampq_rp *rp, struct onrampq_point *point);

/**
 * onrampq_rd_sent() - a packet leaves: is an RD due?
 * @rp: reaction points of FECN
 * @point: the packet's
 * @skb: the packet, from its Ethernet header on
 * @now: time
 *
 * Context: root lock and @rp->lock.
 */
void onrampq_rd_sent(struct onrampq_rp *rp, struct onrampq_point *point,
		     const struct sk_buff *skb, u64 now);

/**
 * onrampq_rd_hot() - a hot-spot message came about a flow
 * @rp: reaction points of FECN
 * @point: the flow's
 * @now: time
 *
 * Context: @rp->lock.
 */
void onrampq_rd_hot(struct onrampq_rp *rp, struct onrampq_point *point, u64 now);

/**
 * onrampq_rd_receive() - a frame of the RDs' EtherType comes
 * @rp: reaction points of FECN
 * @skb: the frame, behind its Ethernet header
 *
 * Context: BH disabled, neither root lock nor @rp->lock.
 * Return: NF_ACCEPT or NF_DROP.
 */
unsigned int onrampq_rd_receive(struct onrampq_rp *rp, const struct sk_buff *skb);

/* rp.c */

/**
 * onrampq_rp_conf() - settings of reaction points
 * @sch: the qdisc
 * @s: its settings
 * @conf: written
 *
 * Context: RTNL; may sleep.
 */
void onrampq_rp_conf(struct Qdisc *sch, const struct onramp_settings *s,
		     struct onrampq_rp_conf *conf);

/**
 * onrampq_rp_create() - reaction points of a qdisc; from onrampq_rp_set() on CNMs may count
 * @sch: the qdisc
 * @kind: ONRAMP_RP_*
 * @max: how many
 * @extack: gets the reason of a refusal
 *
 * Context: RTNL; may sleep.
 * Return: them, or an error.
 */
struct onrampq_rp *onrampq_rp_create(struct Qdisc *sch, u8 kind, u32 max,
				     struct netlink_ext_ack *extack);

/**
 * onrampq_rp_destroy() - no CNM comes any more, and nobody uses them
 * @rp: reaction points, or NULL
 * @st: their counters are added to it, so that counters do not fall
 *
 * Context: RTNL; may sleep.
 */
void onrampq_rp_destroy(struct onrampq_rp *rp, struct tc_onramp_xstats *st);

/**
 * onrampq_rp_set() - put settings in force
 * @rp: reaction points
 * @conf: of onrampq_rp_conf()
 * @s: the qdisc's settings, for accepted senders
 *
 * Context: RTNL, or root lock.
 */
void onrampq_rp_set(struct onrampq_rp *rp, const struct onrampq_rp_conf *conf,
		    const struct onramp_settings *s);

/**
 * onrampq_rp_reset() - none is in use; no packet waits
 * @rp: reaction points
 */
void onrampq_rp_reset(struct onrampq_rp *rp);

/**
 * onrampq_rp_packet() - a packet is about to be queued, or to bypass queues
 * @rp: reaction points
 * @skb: the packet, from its Ethernet header on
 * @now: time
 *
 * Context: root lock.
 * Return: its reaction point, 1 and above, where it counts until onrampq_rp_sent() or
 *	onrampq_rp_dropped(); 0 if it has none.
 */
u16 onrampq_rp_packet(struct onrampq_rp *rp, const struct sk_buff *skb, u64 now);

/**
 * onrampq_rp_next() - when a packet may leave
 * @rp: reaction points
 * @point: the packet's
 * @now: time
 *
 * Context: root lock.
 * Return: ns; it may be that of a time at which the rate is another, then it is to be
 *	asked again.
 */
u64 onrampq_rp_next(struct onrampq_rp *rp, u16 point, u64 now);

/**
 * onrampq_rp_sent() - a packet leaves
 * @rp: reaction points
 * @point: the packet's
 * @skb: the packet
 * @now: time
 *
 * Context: root lock.
 */
void onrampq_rp_sent(struct onrampq_rp *rp, u16 point, const struct sk_buff *skb, u64 now);

/**
 * onrampq_rp_dropped() - a packet goes otherwise
 * @rp: reaction points
 * @point: the packet's
 *
 * Context: root lock.
 */
void onrampq_rp_dropped(struct onrampq_rp *rp, u16 point);

/**
 * onrampq_rp_read() - a reaction point as it is now
 * @rp: reaction points
 * @minor: which, 1 to their number
 * @now: time
 * @copy: written
 *
 * Context: RTNL, BH on.
 * Return: false if it is not in use.
 */
bool onrampq_rp_read(struct onrampq_rp *rp, u32 minor, u64 now, struct onrampq_point *copy);

/**
 * onrampq_rp_stats() - add their counters
 * @rp: reaction points
 * @st: members about them, with what earlier ones counted
 *
 * Context: RTNL, BH on.
 */
void onrampq_rp_stats(struct onrampq_rp *rp, struct tc_onramp_xstats *st);

extern const struct Qdisc_class_ops onrampq_class_ops;

#endif /* SHARPRAMP_ONRAMPQ_RP_H */
