// SPDX-License-Identifier: GPL-2.0
/*
 * Marks: which of the packets that pass a tap are to be remembered.
 *
 * The qdisc has the flow of a packet at hand, so it says which packets are remembered
 * and of which flow they are, and the tap need neither read headers nor look for the
 * flow.  A mark in the packet's control block leads to a place of the port where that is
 * kept.  Others write there, too, so a mark is accepted only if the place has the same
 * mark and was made for this packet, on this device.  It counts once.
 *
 * Places are reused in turn, so that a packet that is dropped or waits behind the qdisc
 * loses its own after so many others.  They are written under the root lock and read by
 * any CPU: a place that is written has no mark, and its reader takes the mark away
 * last, which fails if it was written meanwhile.
 */
#include <linux/prefetch.h>
#include <net/sock.h>

#include "core.h"

/* A mark is the port's number and that of the packet, of which the last bits are its place. */
#define ONRAMP_MARK_PORT_SHIFT 16

/**
 * onramp_mark_open() - a port may mark packets
 * @port: the port
 *
 * Context: RTNL; may sleep.
 * Return: 0, -ENOMEM, or -EBUSY if the namespace has too many ports.
 */
int onramp_mark_open(struct onramp_core_port *port)
{
	return xa_alloc(&port->on->port_ids, &port->id, port, XA_LIMIT(1, U16_MAX),
			GFP_KERNEL);
}

/**
 * onramp_mark_close() - no longer; earlier marks are not accepted any more
 * @port: the port, which is freed after a grace period
 *
 * Context: RTNL.
 */
void onramp_mark_close(struct onramp_core_port *port)
{
	xa_erase(&port->on->port_ids, port->id);
}

/* May others pass the tap in a packet's stead, which are matched by their bytes? */
static bool onramp_mark_is_replaced(const struct sk_buff *skb)
{
	const struct sock *sk = skb->sk;

	return skb_is_gso(skb) || (sk && sk_fullsock(sk) && compat_sk_validates(sk));
}

/* The bytes of such a packet.  Return: false if its headers cannot be read. */
static noinline bool onramp_mark_bytes(const struct sk_buff *skb, u32 *seq, u32 *len)
{
	struct onramp_packet p;

	if (!onramp_read(skb, &p))
		return false;
	*seq = p.seq;
	*len = p.len;
	return true;
}

/**
 * onramp_mark_set() - a packet that is to be remembered leaves the qdisc
 * @port: the port
 * @flow: its flow
 * @skb: the packet
 * @again: some of it was sent before
 *
 * Context: root lock held.
 */
void onramp_mark_set(struct onramp_core_port *port, struct onramp_core_flow *flow,
		     struct sk_buff *skb, bool again)
{
	u16 serial = ++port->serial;
	struct onramp_mark *place = &port->marks[serial % ONRAMP_MARKS];
	u32 mark = port->id << ONRAMP_MARK_PORT_SHIFT | serial;
	u32 seq = 0, len = 0;

	/* The tap needs them, until which there is time to get them. */
	prefetchw(flow);
	prefetchw(&flow->hold);
	prefetch(skb_network_header(skb));
	if (onramp_mark_is_replaced(skb) && !onramp_mark_bytes(skb, &seq, &len))
		return;
	WRITE_ONCE(place->mark, 0);
	/* A reader of what follows does not find the earlier mark any more. */
	smp_wmb();
	WRITE_ONCE(place->skb, skb);
	WRITE_ONCE(place->flow, flow);
	WRITE_ONCE(place->seq, seq);
	WRITE_ONCE(place->len, len);
	WRITE_ONCE(place->again, again);
	/* And a reader that finds this one reads what was written for it. */
	smp_store_release(&place->mark, mark);
	*onramp_skb_mark(skb) = mark;
}

/**
 * onramp_mark_forget() - a queue is not attached to a flow any more
 * @port: the queue's
 * @flow: the flow, which is freed after a grace period at the earliest
 *
 * Context: root lock held, or the qdisc is not in use any more.
 */
void onramp_mark_forget(struct onramp_core_port *port, const struct onramp_core_flow *flow)
{
	int i;

	for (i = 0; i < ONRAMP_MARKS; i++)
		if (port->marks[i].flow == flow)
			WRITE_ONCE(port->marks[i].mark, 0);
}

/*
 * One of the packets that a marked one was cut into behind the qdisc, which all have its
 * mark: of the same flow, and some of what it was.
 */
static bool onramp_mark_is_segment(const struct sk_buff *skb,
				   const struct onramp_marked *m, u32 seq, u32 len,
				   struct onramp_packet *p)
{
	u32 offset;

	if (!onramp_dissect(skb, p))
		return false;
	onramp_scope_tx(m->flow->on, skb, m->device->dev, p);
	offset = p->seq - seq;
	return onramp_tuple_is(&p->tuple, &m->flow->tuple) && p->len && p->len <= len &&
	       offset <= len - p->len;
}

/* The packet itself, which no other CPU has, and which nothing changed meanwhile. */
static bool onramp_mark_is_whole(const struct sk_buff *skb, struct onramp_packet *p)
{
	return onramp_read(skb, p) && p->len;
}

/* The port of a mark, if it is on the device and sees its packets there. */
static struct onramp_core_port *
onramp_mark_port(struct onramp_net *on, const struct net_device *dev,
		 enum onramp_stamp stamp, u32 mark)
{
	struct onramp_core_port *port;

	port = xa_load(&on->port_ids, mark >> ONRAMP_MARK_PORT_SHIFT);
	return port && port->device->dev == dev &&
	       READ_ONCE(port->device->stamp[ONRAMP_HOOK_TX]) == stamp ? port : NULL;
}

/**
 * onramp_mark_take() - is a packet that passes a tap to be remembered?
 * @skb: the packet
 * @dev: the device
 * @stamp: the tap
 * @m: filled if true is returned
 * @p: same, but for the tuple
 *
 * Context: a tap: BH off, RCU.
 * Return: true if so.
 */
bool onramp_mark_take(const struct sk_buff *skb, const struct net_device *dev,
		      enum onramp_stamp stamp, struct onramp_marked *m,
		      struct onramp_packet *p)
{
	struct onramp_net *on = onramp_net_of(dev_net(dev));
	u32 mark = *onramp_skb_mark(skb);
	struct onramp_core_port *port = onramp_mark_port(on, dev, stamp, mark);
	struct onramp_mark *place;
	u32 seq, len;

	if (!port)
		return false;
	place = &port->marks[mark % ONRAMP_MARKS];
	/* All that is read after it was written before it. */
	if (smp_load_acquire(&place->mark) != mark)
		return false;
	m->device = port->device;
	m->flow = READ_ONCE(place->flow);
	m->again = READ_ONCE(place->again);
	if (likely(READ_ONCE(place->skb) == skb))
		return cmpxchg(&place->mark, mark, 0) == mark &&
		       onramp_mark_is_whole(skb, p);
	seq = READ_ONCE(place->seq);
	len = READ_ONCE(place->len);
	smp_rmb(); /* with that of onramp_mark_set() */
	return READ_ONCE(place->mark) == mark &&
	       onramp_mark_is_segment(skb, m, seq, len, p);
}
