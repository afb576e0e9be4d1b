/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of onramp.ko for sch_onramp.  onramp_receiver.h adds what onramp_acker
 * uses.
 *
 * Core owns the flows of a network namespace, by addresses and ports, and the
 * paths, by addresses and DSCP.  A qdisc instance owns a port, its parameters
 * and counters as core sees them, and for each of its queues an attachment,
 * which binds the queue to a flow.
 *
 * Contexts: a qdisc calls the functions on attachments under its root lock,
 * and those on ports under RTNL.  Core changes a flow's t_next at any time, in
 * softirq, under the flow's lock, which is taken inside the root lock and never
 * the other way; if that made t_next earlier it puts the attachment on the port's
 * list and schedules the qdisc, which empties the list as it dequeues.
 */
#ifndef SHARPRAMP_ONRAMP_CORE_H
#define SHARPRAMP_ONRAMP_CORE_H

#include <linux/in6.h>
#include <linux/ktime.h>
#include <linux/llist.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/sch_generic.h>

#include <linux/onramp.h>
#include <linux/onramp_wire.h>

#include "algo/delay_hist.h"
#include "algo/onramp.h"
#include "algo/onramp_path.h"
#include "compat/compat.h"
#include "onramp_packet.h"

/**
 * onramp_now() - the clock of schedules: EDT, pacing, t_next, ages
 * @net: the host
 *
 * Context: any.
 * Return: ns of CLOCK_MONOTONIC, the same for all hosts of a machine.
 */
static inline u64 onramp_now(const struct net *net)
{
	return ktime_get_ns();
}

/**
 * onramp_wall() - the clock of stamps, as it is
 * @net: the host; onramp_clock_stamp() makes common time of it
 *
 * Context: any but NMI.
 * Return: ns of CLOCK_REALTIME, which may be set and may run back.
 */
static inline u64 onramp_wall(const struct net *net)
{
	return compat_net_real_ns(net);
}

/**
 * onramp_scope_by() - within which of a host's parts addresses mean one host
 * @dev: the device by which IP has the packet: of a VLAN's the VLAN
 * @tuple: with the addresses
 *
 * Two VRFs may use the same addresses, and so may two links those that are
 * local to a link.
 *
 * Context: RCU.
 * Return: of link-local addresses, of IPv4 too, the ifindex of @dev, else that of its VRF, or 0.
 */
u32 onramp_scope_by(const struct net_device *dev,
		    const struct onramp_tuple *tuple);

/**
 * onramp_scope_matters() - can it make a difference by which device IP has a packet?
 * @net: the namespace
 * @tuple: with the addresses
 *
 * Context: any.
 * Return: false if there is no VRF in @net, and no address is local to a link: then
 *	onramp_scope_by() is 0 for all devices, and routes and addresses are those of @net.
 */
bool onramp_scope_matters(const struct net *net, const struct onramp_tuple *tuple);

/**
 * onramp_scope_tags() - the VLAN tags of a packet, wherever they are
 * @skb: the packet, as onramp_dissect() takes it
 *
 * Context: any.
 * Return: the outer in the lower half, the inner in the upper; 0: none.
 */
u32 onramp_scope_tags(const struct sk_buff *skb);

/**
 * onramp_scope_above() - the device by which IP has what passes one
 * @dev: the device
 * @tags: onramp_scope_tags() of the packet
 *
 * With a tag the VLAN, else the bond or bridge, and so on; @dev if nothing is above.
 *
 * Context: RCU.
 * Return: the device; of a VLAN's it may be in another namespace.
 */
struct net_device *onramp_scope_above(struct net_device *dev, u32 tags);

/**
 * struct onramp_timestamp - when a packet passed a timestamp point
 * @wall_ns: ns of onramp_wall(); 0: now
 * @error_ns: bound on the error of @wall_ns, in addition to the clock's own
 * @stamp: enum onramp_stamp
 */
struct onramp_timestamp {
	u64	wall_ns;
	u32	error_ns;
	u8	stamp;
};

/**
 * struct onramp_port_params - what a qdisc instance wants
 * @mode: enum onramp_mode
 * @clock: enum onramp_clock_id
 * @system_error_ns: error bound with ONRAMP_CLOCK_SYSTEM
 * @path_fresh_ns: how old a path's delay may be to hold a new flow
 * @record_idle_ns: records are freed so long after a flow's last packet
 * @link_bps: for the segments of GSO packets; 0: what the device reports
 * @remember: grid of the packets that are remembered, see onramp_pick.h; 0: all are
 * @nic_comp: take the NIC's backlog out of the delay
 * @algo: equation, gain, max_hold
 * @path: threshold, margin, max_error
 */
struct onramp_port_params {
	u32				mode;
	u32				clock;
	u64				system_error_ns;
	u64				path_fresh_ns;
	u64				record_idle_ns;
	u64				link_bps;
	u32				remember;
	bool				nic_comp;
	struct onramp_params		algo;
	struct onramp_path_params	path;
};

/**
 * struct onramp_port - a qdisc instance, as core sees it
 * @kicked: attachments whose t_next became earlier, or whose flow has @remember_all now;
 *	core adds, the qdisc takes all
 * @held_until_ns: no flow that is attached here is held longer; READ_ONCE(); core only
 *	raises it, before the flow's t_next
 * @hot_until_ns: until then flows that are new may be held; READ_ONCE(); the namespace's
 * @tap_tx: packets are seen as they leave the qdisc; core's
 *
 * Allocated by core, which has more behind it.
 */
struct onramp_port {
	struct llist_head	kicked;
	u64			held_until_ns;
	const u64		*hot_until_ns;
	bool			tap_tx;
};

/* Where the mark of a packet is in the control block that qdiscs have. */
#define ONRAMP_MARK_OFFSET (QDISC_CB_PRIV_LEN - sizeof(u32))

/**
 * onramp_skb_mark() - the mark of a packet that is to be remembered
 * @skb: the packet
 *
 * The qdisc sets it to 0; core marks a packet that leaves the qdisc.  Behind that anything
 * may be there.
 *
 * Return: where it is.
 */
static inline u32 *onramp_skb_mark(const struct sk_buff *skb)
{
	return (u32 *)(qdisc_skb_cb(skb)->data + ONRAMP_MARK_OFFSET);
}

/**
 * struct onramp_flow - the part of a flow that a qdisc reads
 * @t_next_ns: packets with payload leave no earlier; READ_ONCE()
 * @gone: it made space for another, or is not followed any more; READ_ONCE()
 * @remember_all: all its packets are to be remembered; READ_ONCE(); once set it stays, and
 *	the attachments are kicked
 */
struct onramp_flow {
	u64			t_next_ns;
	bool			gone;
	bool			remember_all;
};

/**
 * struct onramp_attachment - binds a queue of a qdisc to a flow; zero: to none
 * @kick: on onramp_port.kicked
 * @kicked: bit 0: it is; cleared by onramp_port_take_kicked()
 * @flow: stays as long as it is attached; written under the root lock only
 * @node: core's: on the flow's list of attachments
 * @port: core's: whose queue this is
 */
struct onramp_attachment {
	struct llist_node	kick;
	unsigned long		kicked;
	struct onramp_flow	*flow;
	struct hlist_node	node;
	struct onramp_port	*port;
};

/**
 * onramp_port_create() - a qdisc instance comes
 * @sch: the qdisc
 * @params: checked by the caller
 * @extack: gets the reason of a refusal
 *
 * With a mode other than off core taps what leaves the qdisc's device.
 * Context: RTNL; may sleep.
 * Return: the port, or ERR_PTR(-ENOMEM) or of registering tracepoints.
 */
struct onramp_port *onramp_port_create(struct Qdisc *sch,
				       const struct onramp_port_params *params,
				       struct netlink_ext_ack *extack);

/**
 * onramp_port_change() - new parameters, at once and all together
 * @port: the port
 * @params: checked by the caller
 * @extack: gets the reason of a refusal; nothing is changed then
 *
 * Mode off ends all holds of the port and kicks its attachments.
 * Context: RTNL, not the root lock; may sleep.
 * Return: 0, -ENOMEM, or of registering tracepoints.
 */
int onramp_port_change(struct onramp_port *port,
		       const struct onramp_port_params *params,
		       struct netlink_ext_ack *extack);

/**
 * onramp_port_destroy() - a qdisc instance goes
 * @port: the port, or NULL; all its queues are detached
 *
 * Context: RTNL; may sleep.
 */
void onramp_port_destroy(struct onramp_port *port);

/**
 * onramp_port_stats() - counters of a port, and what its state is
 * @port: the port
 * @st: filled
 */
void onramp_port_stats(const struct onramp_port *port,
		       struct onramp_stats *st);

/**
 * onramp_port_owds() - distribution of the valid delays of a port
 * @port: the port
 * @h: filled
 */
void onramp_port_owds(const struct onramp_port *port, struct delay_hist *h);

/**
 * onramp_port_count_other() - a packet was queued that is never held
 * @port: the port
 *
 * Context: root lock held.
 */
void onramp_port_count_other(struct onramp_port *port);

/**
 * onramp_port_tuple() - the flow of a packet that is about to be queued
 * @port: the instance's
 * @skb: the packet
 * @p: filled by onramp_read(); its tuple is set
 *
 * Context: root lock held, BH off.
 */
void onramp_port_tuple(const struct onramp_port *port,
		       const struct sk_buff *skb, struct onramp_packet *p);

/**
 * onramp_port_attach() - attach a queue to the flow of a packet
 * @port: the instance's
 * @att: attached to nothing
 * @p: the packet, about to be queued; it has payload, and its tuple is set
 * @end: sequence number behind the packet, or, written, behind all that the flow sent
 *
 * A flow that is new is held at once if that follows from its path's latest delay.
 * Nothing is attached if, and that is counted, its flow is not followed, the table
 * is full and nothing makes space, or memory is short.
 * Context: root lock held, BH off.
 */
void onramp_port_attach(struct onramp_port *port, struct onramp_attachment *att,
			const struct onramp_packet *p, u32 *end);

/**
 * onramp_attachment_is_for() - is a packet of the attached flow?
 * @att: attached
 * @skb: the packet, about to be queued
 * @p: filled by onramp_read(); its tuple is set if false is returned
 *
 * Context: root lock held, BH off.
 * Return: true if it is, and the flow is not gone.
 */
bool onramp_attachment_is_for(const struct onramp_attachment *att,
			      const struct sk_buff *skb, struct onramp_packet *p);

/**
 * onramp_port_detach() - the queue is about to go, or gets another flow
 * @att: may be attached to nothing; after this core does not know it, but
 *	it may still be on onramp_port.kicked
 *
 * Context: root lock held, or the qdisc is not in use any more.
 */
void onramp_port_detach(struct onramp_attachment *att);

/**
 * onramp_attachment_is_gone() - is the attached flow gone?
 * @att: attached
 *
 * Context: root lock held.
 * Return: true if it made space for another, or is not followed any more: the
 * queue is to be detached with the next packet, and may be attached again.
 */
static inline bool onramp_attachment_is_gone(const struct onramp_attachment *att)
{
	return READ_ONCE(att->flow->gone);
}

/**
 * onramp_attachment_t_next() - when the head packet of a queue may leave
 * @att: may be attached to nothing
 *
 * Context: root lock held.
 * Return: ns of onramp_now(); 0 if nothing holds.
 */
static inline u64 onramp_attachment_t_next(const struct onramp_attachment *att)
{
	return att->flow ? READ_ONCE(att->flow->t_next_ns) : 0;
}

/**
 * onramp_port_sent() - a packet that is to be remembered leaves the qdisc, for good
 * @port: the port
 * @flow: that the packet's queue is attached to
 * @skb: the packet, which has payload
 * @again: some of that was sent before
 *
 * Context: root lock held, BH off.
 */
void onramp_port_sent(struct onramp_port *port, struct onramp_flow *flow,
		      struct sk_buff *skb, bool again);

/**
 * onramp_port_syn() - a SYN leaves the qdisc: what its flow sent before is not of this
 *	connection
 * @port: the port
 * @skb: the packet
 *
 * Context: root lock held, BH off.
 */
void onramp_port_syn(struct onramp_port *port, const struct sk_buff *skb);

/**
 * onramp_port_take_kicked() - empty the list
 * @port: the port
 *
 * Context: root lock held. Clear each attachment's @kicked before its t_next is
 * read again, or a kick is lost.
 * Return: the first attachment's @kick, or NULL.
 */
static inline struct llist_node *
onramp_port_take_kicked(struct onramp_port *port)
{
	return llist_empty(&port->kicked) ? NULL : llist_del_all(&port->kicked);
}

/**
 * struct onramp_clock - a host's clock, as its stamps are to be read
 * @id: enum onramp_clock_id
 * @epoch: 0 with ONRAMP_CLOCK_SYSTEM
 * @error_ns: bound on the error
 * @ok: known, and not stale
 */
struct onramp_clock {
	u32	id;
	u32	epoch;
	u32	error_ns;
	bool	ok;
};

/**
 * onramp_clock_stamp() - the common time of a stamp, for the acker
 * @net: the host
 * @ts: the stamp; NULL: now
 * @now_ns: filled with onramp_now(), which was read for it
 * @c: filled
 *
 * The published clock if there is one, else the system's with the bound that
 * was set for it, else not ok.
 * Context: any.
 * Return: ns since the epoch of the clock; of the system's, if not ok.
 */
u64 onramp_clock_stamp(const struct net *net,
		       const struct onramp_timestamp *ts, u64 *now_ns,
		       struct onramp_clock *c);

#endif /* SHARPRAMP_ONRAMP_CORE_H */
