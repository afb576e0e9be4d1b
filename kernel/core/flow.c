// SPDX-License-Identifier: GPL-2.0
/*
 * The flows of a namespace: made for the queues that watch them, told of what
 * leaves, and forgotten when they are idle.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "core.h"
#include "onramp_trace.h"

/* How many are looked at to find one that can go; ageing makes it likely. */
#define ONRAMP_FLOW_TRIES 16
/* Ageing holds the lock for so many, and comes back so often. */
#define ONRAMP_FLOW_BATCH 256
#define ONRAMP_AGE_JIFFIES (HZ / 4)

/* What Ethernet adds to a frame on the wire: preamble, checksum, gap. */
#define ONRAMP_FRAME_EXTRA 24

const struct rhashtable_params onramp_flow_table = {
	.head_offset = offsetof(struct onramp_core_flow, node),
	.key_offset = offsetof(struct onramp_core_flow, tuple),
	.key_len = sizeof(struct onramp_tuple),
	.automatic_shrinking = true,
};

static struct onramp_core_flow *onramp_flow_of(const struct onramp_watch *watch)
{
	return container_of(watch->flow, struct onramp_core_flow, pub);
}

/**
 * onramp_flow_find() - by tuple
 * @on: the namespace
 * @tuple: which
 *
 * Context: RCU.
 * Return: the flow, which may be dead: look when its lock is held; or NULL.
 */
struct onramp_core_flow *onramp_flow_find(struct onramp_net *on,
					  const struct onramp_tuple *tuple)
{
	return rhashtable_lookup(&on->flows, tuple, onramp_flow_table);
}

/**
 * onramp_flow_port() - whose parameters a flow has
 * @flow: its lock is held
 *
 * Return: the port of the queue that began to watch it last, or NULL.
 */
struct onramp_core_port *onramp_flow_port(const struct onramp_core_flow *flow)
{
	if (hlist_empty(&flow->watches))
		return NULL;
	return onramp_port_of(hlist_entry(flow->watches.first,
					  struct onramp_watch, node));
}

/* Coming and going */

static void onramp_flow_free_ring(struct onramp_core_flow *flow)
{
	kfree(onramp_ring_move(&flow->ring, NULL, 0));
}

/* Context: onramp_net.lock.  Return: false if it is watched. */
static bool onramp_flow_remove(struct onramp_net *on,
			       struct onramp_core_flow *flow)
{
	spin_lock(&flow->lock);
	if (!hlist_empty(&flow->watches)) {
		spin_unlock(&flow->lock);
		return false;
	}
	flow->dead = true;
	onramp_controller_count_held(flow, &on->counts,
				     onramp_now(on->net));
	onramp_flow_free_ring(flow);
	spin_unlock(&flow->lock);

	rhashtable_remove_fast(&on->flows, &flow->node, onramp_flow_table);
	list_del(&flow->list);
	onramp_path_put(flow->path);
	kfree_rcu(flow, rcu);
	return true;
}

/* Context: onramp_net.lock.  Return: true if there is room for one more. */
static bool onramp_flow_room(struct onramp_net *on)
{
	struct onramp_core_flow *flow, *next;
	int tries = ONRAMP_FLOW_TRIES;

	if (atomic_read(&on->flows.nelems) < READ_ONCE(on->max_flows))
		return true;
	list_for_each_entry_safe(flow, next, &on->flow_list, list) {
		if (onramp_flow_remove(on, flow))
			return true;
		list_move_tail(&flow->list, &on->flow_list);
		if (!--tries)
			break;
	}
	return false;
}

static struct onramp_core_flow *
onramp_flow_alloc(struct onramp_net *on, const struct onramp_packet *p,
		  struct onramp_path *path)
{
	struct onramp_core_flow *flow;

	flow = kzalloc(sizeof(*flow), GFP_ATOMIC | __GFP_NOWARN);
	if (!flow)
		return NULL;
	flow->tuple = p->tuple;
	flow->on = on;
	flow->path = path;
	flow->last_ns = onramp_now(on->net);
	spin_lock_init(&flow->lock);
	INIT_HLIST_HEAD(&flow->watches);
	onramp_vars_init(&flow->vars, READ_ONCE(path->has_beta) ?
			 READ_ONCE(path->beta_q16) : ONRAMP_BETA_ONE);
	return flow;
}

/*
 * A flow that was not there a moment ago; takes over the reference to the path
 * if it is new.
 *
 * Context: onramp_net.lock.
 */
static struct onramp_core_flow *
onramp_flow_add(struct onramp_net *on, const struct onramp_packet *p,
		struct onramp_path **path)
{
	struct onramp_core_flow *flow = onramp_flow_find(on, &p->tuple);

	if (flow || !onramp_flow_room(on))
		return flow;
	flow = onramp_flow_alloc(on, p, *path);
	if (!flow)
		return NULL;
	if (rhashtable_insert_fast(&on->flows, &flow->node,
				   onramp_flow_table)) {
		kfree(flow);
		return NULL;
	}
	list_add_tail(&flow->list, &on->flow_list);
	*path = NULL;
	return flow;
}

/*
 * The flow of a packet, made if need be; it may be dead when its lock is taken.
 * One that is known to be is waited for: removing it is done under the lock.
 */
static struct onramp_core_flow *onramp_flow_get(struct onramp_net *on,
						const struct onramp_packet *p,
						u64 now_ns)
{
	struct onramp_core_flow *flow = onramp_flow_find(on, &p->tuple);
	struct onramp_path *path;

	if (flow && !READ_ONCE(flow->dead))
		return flow;
	path = onramp_path_get(on, p, now_ns);
	if (!path)
		return NULL;
	spin_lock(&on->lock);
	flow = onramp_flow_add(on, p, &path);
	spin_unlock(&on->lock);
	if (!path)
		schedule_delayed_work(&on->age, ONRAMP_AGE_JIFFIES);
	onramp_path_put(path);
	return flow;
}

/* Watches */

/* Return: false if the flow is dead. */
static bool onramp_flow_watch(struct onramp_core_flow *flow,
			      struct onramp_core_port *port,
			      const struct onramp_port_params *params,
			      struct onramp_watch *watch, u64 now_ns)
{
	bool alive;

	spin_lock(&flow->lock);
	alive = !flow->dead;
	if (alive) {
		watch->port = &port->pub;
		watch->flow = &flow->pub;
		hlist_add_head(&watch->node, &flow->watches);
		flow->last_ns = now_ns;
		flow->idle_ns = params->record_idle_ns;
	}
	if (alive && !flow->started) {
		flow->started = true;
		onramp_count(&port->counts, flows);
		onramp_controller_start(flow, port, now_ns);
	}
	spin_unlock(&flow->lock);
	return alive;
}

static void onramp_port_watch(struct onramp_core_port *port,
			      const struct onramp_port_params *params,
			      struct onramp_watch *watch,
			      const struct onramp_packet *p)
{
	struct onramp_net *on = port->on;
	u64 now_ns = onramp_now(on->net);
	struct onramp_core_flow *flow;

	do {
		flow = onramp_flow_get(on, p, now_ns);
		if (!flow) {
			onramp_count(&port->counts, flows_failed);
			return;
		}
	} while (!onramp_flow_watch(flow, port, params, watch, now_ns));
}

bool onramp_watch_attach(struct onramp_port *pub, struct onramp_watch *watch,
			 const struct sk_buff *skb)
{
	struct onramp_core_port *port =
		container_of(pub, struct onramp_core_port, pub);
	const struct onramp_port_params *params;
	struct onramp_packet p;

	if (!onramp_dissect(skb, &p) || !p.len)
		return false;
	rcu_read_lock();
	params = onramp_port_params(port);
	if (params->mode != ONRAMP_MODE_OFF)
		onramp_port_watch(port, params, watch, &p);
	rcu_read_unlock();
	return true;
}
EXPORT_SYMBOL_GPL(onramp_watch_attach);

bool onramp_watch_is_for(const struct onramp_watch *watch,
			 const struct sk_buff *skb)
{
	struct onramp_packet p;

	return onramp_dissect(skb, &p) &&
	       !memcmp(&p.tuple, &onramp_flow_of(watch)->tuple,
		       sizeof(p.tuple));
}
EXPORT_SYMBOL_GPL(onramp_watch_is_for);

void onramp_watch_detach(struct onramp_watch *watch)
{
	struct onramp_core_flow *flow;

	if (!watch->flow)
		return;
	flow = onramp_flow_of(watch);
	spin_lock_bh(&flow->lock);
	onramp_controller_count_held(flow, &onramp_port_of(watch)->counts,
				     onramp_now(flow->on->net));
	hlist_del(&watch->node);
	watch->flow = NULL;
	watch->port = NULL;
	spin_unlock_bh(&flow->lock);
}
EXPORT_SYMBOL_GPL(onramp_watch_detach);

/* What leaves */

/* A larger array if there is one to be had; without, records make room. */
static void onramp_flow_grow(struct onramp_core_flow *flow)
{
	u32 size = onramp_ring_wanted(&flow->ring);
	struct onramp_record *records;

	if (!size)
		return;
	records = kmalloc_array(size, sizeof(*records),
				GFP_ATOMIC | __GFP_NOWARN);
	if (records)
		kfree(onramp_ring_move(&flow->ring, records, size));
}

static struct onramp_record
onramp_flow_describe(const struct onramp_core_flow *flow,
		     const struct onramp_port_params *params,
		     const struct sk_buff *skb, const struct net_device *dev,
		     const struct onramp_packet *p,
		     const struct onramp_moment *moment, u64 now_ns)
{
	struct onramp_record x = {
		.tx_ns = now_ns,
		.total_ns = onramp_pause_total(&flow->pause, now_ns),
		.seq = p->seq,
		.len = p->len,
		.header_bytes = skb->len - p->len + ONRAMP_FRAME_EXTRA,
		.stamp = moment->stamp,
	};
	struct onramp_clock clock;

	if (skb_is_gso(skb))
		x.segment_bytes = skb_shinfo(skb)->gso_size;
	x.backlog_bytes =
		compat_txq_inflight(netdev_get_tx_queue(dev,
							skb_get_queue_mapping(skb)));
	x.common_ns = onramp_clock_read(flow->on, params->clock,
					params->system_error_ns,
					moment->wall_ns, &clock);
	x.epoch = clock.epoch;
	x.error_ns = clock.ok ? clock.error_ns : ONRAMP_RECORD_NO_CLOCK;
	return x;
}

static void onramp_flow_record(struct onramp_core_flow *flow,
			       struct onramp_core_port *port,
			       const struct onramp_port_params *params,
			       const struct onramp_record *x)
{
	u64 bps = onramp_port_bps(port, params);

	if (bps)
		WRITE_ONCE(port->nic_backlog_ns,
			   onramp_link_ns(x->backlog_bytes, bps));
	onramp_ring_retire(&flow->ring, x->tx_ns, params->record_idle_ns);
	onramp_flow_grow(flow);
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

/* Tell that the flow moves again, and count how long it was held. */
static void onramp_flow_resumed(struct onramp_core_flow *flow,
				struct onramp_core_port *port, u64 now_ns)
{
	if (!flow->paused || now_ns < flow->pause.t_next_ns)
		return;
	flow->paused = false;
	onramp_controller_count_held(flow, &port->counts, now_ns);
	trace_onramp_pause_over(flow->on->net, &flow->tuple,
				now_ns - flow->pause.t_next_ns,
				onramp_pause_total(&flow->pause, now_ns));
}

/* The path with another DSCP, if the packet has one; else NULL. */
static struct onramp_path *onramp_flow_other_path(struct onramp_net *on,
						  struct onramp_core_flow *flow,
						  const struct onramp_packet *p)
{
	const struct onramp_path *path = READ_ONCE(flow->path);

	if (!p->len || path->key.dscp == p->dsfield >> 2)
		return NULL;
	return onramp_path_get(on, p, onramp_now(on->net));
}

/*
 * A packet of a watched flow leaves.  On its way through stacked devices it
 * passes several doors; the one counts whose queue watches the flow.
 *
 * Context: the flow's lock.
 */
static void onramp_flow_leave(struct onramp_core_flow *flow,
			      const struct sk_buff *skb,
			      const struct net_device *dev,
			      const struct onramp_packet *p,
			      const struct onramp_moment *moment)
{
	struct onramp_core_port *port = onramp_flow_port(flow);
	const struct onramp_port_params *params;
	struct onramp_record x;
	u64 now_ns;

	if (!port || port->device->dev != dev)
		return;
	params = onramp_port_params(port);
	if (params->mode == ONRAMP_MODE_OFF)
		return;
	if (p->syn) {
		onramp_ring_clear(&flow->ring);
		flow->vars.has_last = false;
	}
	if (!p->len)
		return;

	now_ns = onramp_now(flow->on->net);
	flow->last_ns = now_ns;
	WRITE_ONCE(flow->path->used_ns, now_ns);
	onramp_flow_resumed(flow, port, now_ns);
	onramp_pause_left(&flow->pause);
	x = onramp_flow_describe(flow, params, skb, dev, p, moment, now_ns);
	onramp_flow_record(flow, port, params, &x);
}

/**
 * onramp_flow_sent() - a TCP packet leaves by a device that measures
 * @on: the namespace
 * @skb: the packet, at its MAC header
 * @dev: the device
 * @p: what it is
 * @moment: when it leaves
 *
 * Context: a door: BH off, RCU.
 */
void onramp_flow_sent(struct onramp_net *on, const struct sk_buff *skb,
		      const struct net_device *dev,
		      const struct onramp_packet *p,
		      const struct onramp_moment *moment)
{
	struct onramp_core_flow *flow = onramp_flow_find(on, &p->tuple);
	struct onramp_path *path;

	if (!flow)
		return;
	path = onramp_flow_other_path(on, flow, p);
	spin_lock(&flow->lock);
	if (!flow->dead) {
		if (path)
			swap(flow->path, path);
		onramp_flow_leave(flow, skb, dev, p, moment);
	}
	spin_unlock(&flow->lock);
	onramp_path_put(path);
}

/* Ageing */

/* Context: onramp_net.lock.  Return: false if the flow is gone. */
static bool onramp_flow_age(struct onramp_net *on,
			    struct onramp_core_flow *flow, u64 now_ns)
{
	s64 age_ns = now_ns - READ_ONCE(flow->last_ns);
	s64 idle_ns = READ_ONCE(flow->idle_ns);

	if (age_ns >= max_t(s64, idle_ns, ONRAMP_FLOW_IDLE_NS) &&
	    onramp_flow_remove(on, flow))
		return false;
	if (age_ns >= idle_ns && READ_ONCE(flow->ring.size)) {
		spin_lock(&flow->lock);
		if (flow->last_ns + idle_ns <= now_ns)
			onramp_flow_free_ring(flow);
		spin_unlock(&flow->lock);
	}
	return true;
}

/**
 * onramp_flow_age_work() - forget idle flows and paths, a batch at a time
 * @work: onramp_net.age
 */
void onramp_flow_age_work(struct work_struct *work)
{
	struct onramp_net *on = container_of(to_delayed_work(work),
					     struct onramp_net, age);
	struct onramp_core_flow *flow, *next;
	u64 now_ns = onramp_now(on->net);
	int batch = ONRAMP_FLOW_BATCH;
	LIST_HEAD(kept);
	bool some;

	spin_lock_bh(&on->lock);
	list_for_each_entry_safe(flow, next, &on->flow_list, list) {
		if (onramp_flow_age(on, flow, now_ns))
			list_move_tail(&flow->list, &kept);
		if (!--batch)
			break;
	}
	list_splice_tail(&kept, &on->flow_list);
	some = onramp_path_age(on, now_ns) || !list_empty(&on->flow_list);
	spin_unlock_bh(&on->lock);
	if (some)
		schedule_delayed_work(&on->age, batch ? ONRAMP_AGE_JIFFIES : 1);
}

/**
 * onramp_flow_forget_all() - the namespace goes
 * @on: the namespace; it has no ports any more, and nothing looks into it
 */
void onramp_flow_forget_all(struct onramp_net *on)
{
	struct onramp_core_flow *flow, *next;

	spin_lock_bh(&on->lock);
	list_for_each_entry_safe(flow, next, &on->flow_list, list)
		onramp_flow_remove(on, flow);
	spin_unlock_bh(&on->lock);
}

static bool onramp_flow_is_of(const struct onramp_core_flow *flow,
			      const struct onramp_core_port *port)
{
	const struct onramp_watch *watch;

	hlist_for_each_entry(watch, &flow->watches, node)
		if (watch->port == &port->pub)
			return true;
	return false;
}

static void onramp_flow_release(struct onramp_core_flow *flow,
				struct onramp_core_port *port)
{
	u64 now_ns = onramp_now(flow->on->net);

	spin_lock_bh(&flow->lock);
	if (onramp_flow_is_of(flow, port) &&
	    READ_ONCE(flow->pub.t_next_ns) > now_ns) {
		onramp_pause_set(&flow->pause, now_ns, now_ns);
		WRITE_ONCE(flow->pub.t_next_ns, now_ns);
		onramp_port_kick(flow);
	}
	spin_unlock_bh(&flow->lock);
}

/**
 * onramp_flow_release_all() - end the holds of the flows of a port
 * @port: the port
 *
 * Context: RTNL.
 */
void onramp_flow_release_all(struct onramp_core_port *port)
{
	struct rhashtable_iter iter;
	struct onramp_core_flow *flow;

	rhashtable_walk_enter(&port->on->flows, &iter);
	do {
		rhashtable_walk_start(&iter);
		while ((flow = rhashtable_walk_next(&iter)) && !IS_ERR(flow))
			onramp_flow_release(flow, port);
		rhashtable_walk_stop(&iter);
	} while (IS_ERR(flow));
	rhashtable_walk_exit(&iter);
}
