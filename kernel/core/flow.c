// SPDX-License-Identifier: GPL-2.0
/*
 * A flow: which queues are attached to it, how long it is held, and what leaves.
 */
#include <linux/slab.h>

#include "core.h"
#define CREATE_TRACE_POINTS
#include "onramp_trace.h"

/* Bytes that Ethernet adds to a frame on the wire: preamble, checksum, gap. */
#define ONRAMP_FRAME_EXTRA 24

/*
 * A flow that leaves by another device of those attached to it for so long, without so
 * long a gap, has been led there.  Longer than what is below a device keeps a
 * packet: of stacked devices each sees it.
 */
#define ONRAMP_AWAY_NS		(2 * NSEC_PER_SEC)
#define ONRAMP_AWAY_GAP_NS	(NSEC_PER_SEC / 2)

/**
 * onramp_flow_port() - whose parameters a flow has
 * @flow: its lock is held
 *
 * Return: the port of the queue that was attached to it last, or to which it
 * came back; or NULL, also if it is dead.
 */
struct onramp_core_port *onramp_flow_port(const struct onramp_core_flow *flow)
{
	if (flow->dead || hlist_empty(&flow->attachments))
		return NULL;
	return onramp_port_of(hlist_entry(flow->attachments.first,
					  struct onramp_attachment, node));
}

/**
 * onramp_flow_kick() - the queues of a flow may send earlier than they think
 * @flow: its lock is held, and RCU
 */
void onramp_flow_kick(struct onramp_core_flow *flow)
{
	struct onramp_attachment *att;

	hlist_for_each_entry(att, &flow->attachments, node) {
		struct onramp_core_port *port = onramp_port_of(att);

		if (!test_and_set_bit(0, &att->kicked))
			llist_add(&att->kick, &port->pub.kicked);
		/* Any context, as the watchdog of a qdisc does it. */
		__netif_schedule(qdisc_root(port->sch));
	}
}

/* Any CPU may raise it for another flow. */
static void onramp_port_raise(struct onramp_port *port, u64 until_ns)
{
	u64 was_ns = READ_ONCE(port->held_until_ns);

	while (was_ns < until_ns &&
	       !try_cmpxchg(&port->held_until_ns, &was_ns, until_ns))
		;
}

/**
 * onramp_flow_hold_until() - queues attached to a flow send nothing of it before a time
 * @flow: its lock is held
 * @t_next_ns: the time
 *
 * Ports first: a qdisc that knows of no hold does not look at flows.
 */
void onramp_flow_hold_until(struct onramp_core_flow *flow, u64 t_next_ns)
{
	struct onramp_attachment *att;

	hlist_for_each_entry(att, &flow->attachments, node)
		onramp_port_raise(att->port, t_next_ns);
	WRITE_ONCE(flow->pub.t_next_ns, t_next_ns);
}

/**
 * onramp_flow_remember_all() - have all packets of a flow remembered
 * @flow: its lock is held, and RCU
 */
void onramp_flow_remember_all(struct onramp_core_flow *flow)
{
	if (flow->pub.remember_all)
		return;
	WRITE_ONCE(flow->pub.remember_all, true);
	onramp_flow_kick(flow);
}

/**
 * onramp_flow_count_held() - bring hold_ns up to now
 * @flow: its lock is held
 * @counts: where to
 * @now_ns: time; one that was read before the lock was waited for may be before
 *	the last, and then nothing is counted: hold_ns never falls
 */
void onramp_flow_count_held(struct onramp_core_flow *flow,
			    struct onramp_counts *counts, u64 now_ns)
{
	u64 total_ns = onramp_hold_total(&flow->hold, now_ns);

	if (total_ns <= flow->held_ns)
		return;
	onramp_count_add(counts, hold_ns, total_ns - flow->held_ns);
	flow->held_ns = total_ns;
}

static bool onramp_flow_is_of(const struct onramp_core_flow *flow,
			      const struct onramp_core_port *port)
{
	const struct onramp_attachment *att;

	hlist_for_each_entry(att, &flow->attachments, node)
		if (att->port == &port->pub)
			return true;
	return false;
}

/**
 * onramp_flow_set_idle() - the port of a flow has another record_idle
 * @flow: the flow
 * @port: nothing happens if the flow's is another
 *
 * Context: BH on, RCU.
 */
void onramp_flow_set_idle(struct onramp_core_flow *flow,
			  struct onramp_core_port *port)
{
	spin_lock_bh(&flow->lock);
	if (onramp_flow_port(flow) == port)
		WRITE_ONCE(flow->idle_ns,
			   onramp_port_params(port)->record_idle_ns);
	spin_unlock_bh(&flow->lock);
}

/**
 * onramp_flow_release() - end the hold of a flow
 * @flow: the flow
 * @port: if none of its queues is attached nothing happens; NULL: any
 *
 * Context: BH on, RCU.
 */
void onramp_flow_release(struct onramp_core_flow *flow,
			 struct onramp_core_port *port)
{
	struct onramp_path *path;
	u64 now_ns;

	spin_lock_bh(&flow->lock);
	path = flow->path;
	now_ns = onramp_now(flow->on->net);
	if ((!port || onramp_flow_is_of(flow, port)) &&
	    READ_ONCE(flow->pub.t_next_ns) > now_ns) {
		onramp_hold_set(&flow->hold, now_ns, now_ns);
		spin_lock(&path->lock);
		onramp_held_set(flow, now_ns);
		spin_unlock(&path->lock);
		WRITE_ONCE(flow->pub.t_next_ns, now_ns);
		onramp_flow_kick(flow);
	}
	spin_unlock_bh(&flow->lock);
}

/* Packets that leave */

static size_t onramp_flow_ring_bytes(u32 size)
{
	return size * sizeof(struct onramp_record);
}

/**
 * onramp_flow_free_ring() - forget all records of a flow
 * @flow: its lock is held
 */
void onramp_flow_free_ring(struct onramp_core_flow *flow)
{
	u32 was = flow->ring.size;

	/* As in onramp_flow_grow(). */
	kfree(data_race(onramp_ring_move(&flow->ring, NULL, 0)));
	if (was)
		onramp_memory_give(flow->on, onramp_flow_ring_bytes(was),
				   flow->is_peer);
}

/**
 * onramp_flow_change_ring() - the records of a flow are a peer's now, or no more
 * @flow: its lock is held, and its is_peer says which
 */
void onramp_flow_change_ring(struct onramp_core_flow *flow)
{
	if (flow->ring.size)
		onramp_memory_change(flow->on,
				     onramp_flow_ring_bytes(flow->ring.size),
				     flow->is_peer);
}

/*
 * A larger array, if what is old leaves no space in this one and there is one to
 * be had; without, records make space.
 */
static noinline void onramp_flow_grow(struct onramp_core_flow *flow, u64 now_ns,
				      u64 idle_ns)
{
	struct onramp_record *records;
	u32 size, was = flow->ring.size;

	onramp_ring_retire(&flow->ring, now_ns, idle_ns);
	size = onramp_ring_wanted(&flow->ring);
	if (!size || !onramp_memory_take(flow->on, onramp_flow_ring_bytes(size),
					 flow->is_peer))
		return;
	records = kmalloc_array(size, sizeof(*records), ONRAMP_GFP);
	if (!records) {
		onramp_memory_give(flow->on, onramp_flow_ring_bytes(size),
				   flow->is_peer);
		return;
	}
	/* Ageing reads the size, and again with the lock. */
	kfree(data_race(onramp_ring_move(&flow->ring, records, size)));
	if (was)
		onramp_memory_give(flow->on, onramp_flow_ring_bytes(was),
				   flow->is_peer);
	onramp_age_wake(flow->on);
}

static struct onramp_record
onramp_flow_describe(const struct onramp_core_flow *flow,
		     const struct onramp_port_params *params,
		     const struct sk_buff *skb, const struct net_device *dev,
		     const struct onramp_packet *p,
		     const struct onramp_timestamp *ts, u64 now_ns)
{
	struct onramp_record x = {
		.tx_ns = now_ns,
		.total_ns = onramp_hold_total(&flow->hold, now_ns),
		.seq = p->seq,
		.len = p->len,
		.header_bytes = skb->len - p->len + ONRAMP_FRAME_EXTRA,
		.stamp = ts->stamp,
	};
	struct onramp_clock clock;

	if (skb_is_gso(skb))
		x.segment_bytes = skb_shinfo(skb)->gso_size;
	x.backlog_bytes =
		compat_txq_inflight(netdev_get_tx_queue(dev,
							skb_get_queue_mapping(skb)));
	x.common_ns = onramp_clock_read(flow->on, params->clock,
					params->system_error_ns,
					ts, now_ns, &clock);
	x.epoch = clock.epoch;
	x.error_ns = clock.ok ? clock.error_ns : ONRAMP_RECORD_NO_CLOCK;
	return x;
}

static void onramp_flow_record(struct onramp_core_flow *flow,
			       struct onramp_core_port *port,
			       const struct onramp_port_params *params,
			       const struct onramp_record *x, bool again)
{
	WRITE_ONCE(port->nic_backlog_bytes, x->backlog_bytes);
	if (unlikely(again)) {
		onramp_ring_again(&flow->ring, x->seq, x->len);
		return;
	}
	if (unlikely(onramp_ring_wanted(&flow->ring)))
		onramp_flow_grow(flow, x->tx_ns, params->record_idle_ns);
	switch (onramp_ring_push(&flow->ring, x, params->record_idle_ns)) {
	case ONRAMP_PUSHED_EVICTED:
		onramp_count(&port->counts, records_evicted);
		fallthrough;
	case ONRAMP_PUSHED:
		onramp_count(&port->counts, records);
		break;
	case ONRAMP_PUSHED_NOT:
		onramp_count(&port->counts, records_failed);
		break;
	case ONRAMP_PUSHED_AGAIN:
		break;
	}
}

/* Trace that the flow moves again, and count how long it was held. */
static void onramp_flow_resumed(struct onramp_core_flow *flow,
				struct onramp_core_port *port, u64 now_ns)
{
	if (!flow->holding || now_ns < flow->hold.t_next_ns)
		return;
	flow->holding = false;
	onramp_flow_count_held(flow, &port->counts, now_ns);
	trace_onramp_hold_over(flow->on->net, &flow->tuple,
			       now_ns - flow->hold.t_next_ns,
			       onramp_hold_total(&flow->hold, now_ns));
}

/* The path with another DSCP, if the packet has one; else NULL. */
static struct onramp_path *onramp_flow_other_path(struct onramp_core_flow *flow,
						  const struct onramp_packet *p)
{
	const struct onramp_path *path = READ_ONCE(flow->path);
	struct onramp_packet other = *p;

	if (likely(path->key.dscp == p->dsfield >> 2))
		return NULL;
	other.tuple = flow->tuple;
	return onramp_path_get(flow->on, &other, onramp_now(flow->on->net),
			       NULL);
}

/*
 * From now on a flow is of another path, and so is its hold.  Its records are
 * not: a report of a packet that took the old path would teach the new one its
 * delay, and pass the new one's replay window.
 *
 * Context: the flow's lock.
 * Return: the path that it was of, a reference.
 */
static struct onramp_path *onramp_flow_move(struct onramp_core_flow *flow,
					    struct onramp_path *path)
{
	u64 now_ns = onramp_now(flow->on->net);
	struct onramp_path *left = flow->path;

	onramp_ring_empty(&flow->ring);
	flow->vars.has_last = false;
	onramp_held_end(flow, now_ns);
	/* Others read its key: see onramp_flow_other_path(). */
	WRITE_ONCE(flow->path, path);
	spin_lock(&path->lock);
	onramp_held_set(flow, now_ns);
	spin_unlock(&path->lock);
	return left;
}

/*
 * Nobody acked the path of a flow for a while.  Return: the path, if it becomes
 * unacked with this packet; else NULL.
 */
static struct onramp_path *onramp_flow_unacked(struct onramp_core_flow *flow,
					       struct onramp_core_port *port,
					       u64 now_ns)
{
	struct onramp_path *path = flow->path;
	bool becomes_unacked;

	/* All CPUs need not take one lock for a state that is set already. */
	if (READ_ONCE(path->unacked.unacked)) {
		onramp_count(&port->counts, unacked);
		return NULL;
	}
	spin_lock(&path->lock);
	/* Other CPUs read it without the lock: see struct onramp_path. */
	becomes_unacked = data_race(onramp_unacked_on_packet(&path->unacked,
							     now_ns));
	spin_unlock(&path->lock);
	if (!becomes_unacked)
		return NULL;
	onramp_count(&port->counts, unacked);
	onramp_count(&port->counts, unacked_paths);
	trace_onramp_fail_open(flow->on->net, &flow->tuple, flow->owd_ns,
			       flow->error_ns, ONRAMP_STATE_UNACKED);
	return path;
}

static struct onramp_attachment *onramp_flow_attachment_on(const struct onramp_core_flow *flow,
							   const struct net_device *dev)
{
	struct onramp_attachment *att;

	hlist_for_each_entry(att, &flow->attachments, node)
		if (onramp_port_of(att)->device->dev == dev)
			return att;
	return NULL;
}

/*
 * Are two devices links of one bond, or team?  Each of them sends what it likes of a
 * flow, packet by packet (balance-rr), and no packet passes both.
 *
 * Context: RCU.
 */
static bool onramp_flow_shares_links(const struct net_device *a,
				     const struct net_device *b)
{
	struct net_device *master;

	if (!netif_is_lag_port(a) || !netif_is_lag_port(b))
		return false;
	master = netdev_master_upper_dev_get_rcu((struct net_device *)a);
	return master &&
	       master == netdev_master_upper_dev_get_rcu((struct net_device *)b);
}

/*
 * A packet with payload leaves by a device that is not the first attachment's.  Routes
 * change, and bonds' links: a queue that was attached already is not attached again when
 * its flow comes back.
 *
 * Context: the flow's lock.
 * Return: the port of a queue on the device, which has the flow from now on; NULL:
 * the packet has not left yet, or is not measured.  Each link of a bond has
 * it for the packets that it sends.
 */
static struct onramp_core_port *onramp_flow_away(struct onramp_core_flow *flow,
						 const struct net_device *dev)
{
	struct onramp_attachment *att = onramp_flow_attachment_on(flow, dev);
	u64 now_ns = onramp_now(flow->on->net);
	struct onramp_core_port *port;

	if (!att)
		return NULL;
	port = onramp_port_of(att);
	if (onramp_flow_shares_links(onramp_flow_port(flow)->device->dev, dev))
		return port;
	if (!flow->away_ns ||
	    (s64)(now_ns - flow->away_ns) > (s64)ONRAMP_AWAY_GAP_NS)
		flow->away_since_ns = now_ns;
	flow->away_ns = now_ns;
	if ((s64)(now_ns - flow->away_since_ns) < (s64)ONRAMP_AWAY_NS)
		return NULL;
	hlist_del(&att->node);
	hlist_add_head(&att->node, &flow->attachments);
	WRITE_ONCE(flow->idle_ns, onramp_port_params(port)->record_idle_ns);
	return port;
}

/*
 * A packet of an attached flow leaves.  On its way through stacked devices it
 * passes several taps; the one counts whose queue has the flow's parameters.
 *
 * Context: the flow's lock.
 * Return: the path, if it becomes unacked; else NULL.
 */
static struct onramp_path *onramp_flow_leave(const struct onramp_marked *m,
					     const struct sk_buff *skb,
					     const struct onramp_packet *p,
					     const struct onramp_timestamp *ts)
{
	const struct net_device *dev = m->device->dev;
	struct onramp_core_flow *flow = m->flow;
	const struct onramp_port_params *params;
	struct onramp_core_port *port;
	struct onramp_record x;
	u64 now_ns;

	port = onramp_flow_port(flow);
	if (port && unlikely(port->device->dev != dev))
		port = onramp_flow_away(flow, dev);
	if (!port)
		return NULL;
	params = onramp_port_params(port);
	if (params->mode == ONRAMP_MODE_OFF)
		return NULL;

	now_ns = onramp_now(flow->on->net);
	WRITE_ONCE(flow->last_ns, now_ns);
	flow->away_ns = 0;
	WRITE_ONCE(flow->path->used_ns, now_ns);
	onramp_flow_resumed(flow, port, now_ns);
	onramp_hold_on_packet(&flow->hold);
	x = onramp_flow_describe(flow, params, skb, dev, p, ts, now_ns);
	onramp_flow_record(flow, port, params, &x, m->again);
	if (likely(!onramp_unacked_is_late(READ_ONCE(flow->path->unacked.acked_ns),
					   now_ns)))
		return NULL;
	return onramp_flow_unacked(flow, port, now_ns);
}

/**
 * onramp_flow_begin() - a connection begins: what was sent before is not of this one
 * @flow: the flow, which may be dead
 *
 * No queue need be attached: that of a connection before may be gone.
 * Context: BH off, RCU.
 */
void onramp_flow_begin(struct onramp_core_flow *flow)
{
	spin_lock(&flow->lock);
	onramp_ring_clear(&flow->ring);
	flow->vars.has_last = false;
	spin_unlock(&flow->lock);
}

/**
 * onramp_flow_sent() - a packet of a flow leaves by a device that measures
 * @m: by which, and the flow
 * @skb: the packet, at its MAC header
 * @p: what it is, but for the tuple; it has payload
 * @ts: when it leaves
 *
 * Context: a tap: BH off, RCU.
 * Return: the path, if it becomes unacked with this packet, for its
 *	monitors; else NULL.
 */
struct onramp_path *onramp_flow_sent(const struct onramp_marked *m,
				     const struct sk_buff *skb,
				     const struct onramp_packet *p,
				     const struct onramp_timestamp *ts)
{
	struct onramp_core_flow *flow = m->flow;
	struct onramp_path *path = onramp_flow_other_path(flow, p);
	struct onramp_path *unacked = NULL;

	spin_lock(&flow->lock);
	if (!flow->dead) {
		if (path)
			path = onramp_flow_move(flow, path);
		unacked = onramp_flow_leave(m, skb, p, ts);
	}
	spin_unlock(&flow->lock);
	onramp_path_put(path);
	return unacked;
}
