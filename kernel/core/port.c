// SPDX-License-Identifier: GPL-2.0
/*
 * Ports, which are qdisc instances as core sees them: the attachments of their
 * queues to flows, parameters and counters.
 */
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "core.h"

static struct onramp_core_flow *onramp_flow_of(const struct onramp_attachment *att)
{
	return container_of(att->flow, struct onramp_core_flow, pub);
}

/* A sequence number and what was sent of a flow: the later of both. */
static u32 onramp_flow_end(const struct onramp_ring *ring, u32 end)
{
	return ring->has_end && ring->end - end <= ONRAMP_RING_REACH ? ring->end : end;
}

/* Return: false if the flow is dead. */
static bool onramp_flow_attach(struct onramp_core_flow *flow,
			       struct onramp_core_port *port,
			       const struct onramp_port_params *params,
			       struct onramp_attachment *att, u64 now_ns, u32 *end)
{
	bool alive;

	spin_lock(&flow->lock);
	alive = !flow->dead;
	if (alive) {
		/* A queue does not see what of the flow passes another. */
		if (unlikely(!hlist_empty(&flow->attachments)))
			onramp_flow_remember_all(flow);
		att->port = &port->pub;
		att->flow = &flow->pub;
		hlist_add_head(&att->node, &flow->attachments);
		onramp_flow_hold_until(flow, flow->pub.t_next_ns);
		*end = onramp_flow_end(&flow->ring, *end);
		WRITE_ONCE(flow->last_ns, now_ns);
		flow->away_ns = 0;
		WRITE_ONCE(flow->idle_ns, params->record_idle_ns);
	}
	if (alive && !flow->started) {
		flow->started = true;
		onramp_count(&port->counts, flows);
		onramp_controller_start(flow, port, now_ns);
	}
	spin_unlock(&flow->lock);
	return alive;
}

static void onramp_port_attach_to(struct onramp_core_port *port,
				  const struct onramp_port_params *params,
				  struct onramp_attachment *att,
				  const struct onramp_packet *p, u32 *end)
{
	struct onramp_net *on = port->on;
	struct onramp_core_flow *flow;
	u64 now_ns;

	if (unlikely(!onramp_follow(on, &p->tuple.daddr))) {
		this_cpu_inc(*on->unfollowed);
		return;
	}
	now_ns = onramp_now(on->net);
	do {
		flow = onramp_flow_get(on, p, now_ns, &port->counts);
		if (!flow)
			return;
	} while (!onramp_flow_attach(flow, port, params, att, now_ns, end));
}

void onramp_port_attach(struct onramp_port *pub, struct onramp_attachment *att,
			const struct onramp_packet *p, u32 *end)
{
	struct onramp_core_port *port =
		container_of(pub, struct onramp_core_port, pub);
	const struct onramp_port_params *params;

	rcu_read_lock();
	params = onramp_port_params(port);
	if (params->mode != ONRAMP_MODE_OFF)
		onramp_port_attach_to(port, params, att, p, end);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(onramp_port_attach);

void onramp_port_tuple(const struct onramp_port *pub,
		       const struct sk_buff *skb, struct onramp_packet *p)
{
	const struct onramp_core_port *port =
		container_of(pub, struct onramp_core_port, pub);

	onramp_dissect(skb, p);
	rcu_read_lock();
	onramp_scope_tx(port->on, skb, port->device->dev, p);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(onramp_port_tuple);

void onramp_port_syn(struct onramp_port *pub, const struct sk_buff *skb)
{
	const struct onramp_core_port *port =
		container_of(pub, struct onramp_core_port, pub);
	struct onramp_core_flow *flow;
	struct onramp_packet p;

	if (!onramp_dissect(skb, &p))
		return;
	rcu_read_lock();
	onramp_scope_tx(port->on, skb, port->device->dev, &p);
	flow = onramp_flow_find(port->on, &p.tuple);
	if (flow)
		onramp_flow_begin(flow);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(onramp_port_syn);

bool onramp_attachment_is_for(const struct onramp_attachment *att,
			      const struct sk_buff *skb, struct onramp_packet *p)
{
	const struct onramp_tuple *tuple = &onramp_flow_of(att)->tuple;
	const struct onramp_net *on = onramp_port_of(att)->on;
	struct onramp_plain h;

	/* Nearly all: without VRFs only addresses of a link have a scope. */
	if (likely(!tuple->scope && !READ_ONCE(on->vrfs) &&
		   onramp_plain(skb, skb_network_offset(skb), &h) &&
		   onramp_plain_is(&h, tuple) && !onramp_attachment_is_gone(att)))
		return true;
	onramp_port_tuple(att->port, skb, p);
	return !onramp_attachment_is_gone(att) && onramp_tuple_is(&p->tuple, tuple);
}
EXPORT_SYMBOL_GPL(onramp_attachment_is_for);

static bool onramp_port_remembers_some(const struct onramp_core_port *port)
{
	bool some;

	rcu_read_lock();
	some = onramp_port_params(port)->remember;
	rcu_read_unlock();
	return some;
}

void onramp_port_detach(struct onramp_attachment *att)
{
	struct onramp_core_flow *flow;
	bool is_last;

	if (!att->flow)
		return;
	flow = onramp_flow_of(att);
	spin_lock_bh(&flow->lock);
	onramp_flow_count_held(flow, &onramp_port_of(att)->counts,
			       onramp_now(flow->on->net));
	/* Retransmissions while no queue is attached are not seen. */
	if (onramp_port_remembers_some(onramp_port_of(att)))
		onramp_ring_empty(&flow->ring);
	hlist_del(&att->node);
	onramp_mark_forget(onramp_port_of(att), flow);
	att->flow = NULL;
	att->port = NULL;
	onramp_age_wake(flow->on);
	is_last = flow->dead && hlist_empty(&flow->attachments);
	spin_unlock_bh(&flow->lock);
	if (unlikely(is_last))
		onramp_flow_free(flow);
}
EXPORT_SYMBOL_GPL(onramp_port_detach);

static struct onramp_core_port *onramp_port_private(struct onramp_port *pub)
{
	return container_of(pub, struct onramp_core_port, pub);
}

static struct onramp_core_params *
onramp_port_copy(const struct onramp_port_params *params)
{
	struct onramp_core_params *copy = kzalloc(sizeof(*copy), GFP_KERNEL);

	if (copy)
		copy->p = *params;
	return copy;
}

/* Begin to tap what leaves, and the OR-ACKs that come. */
static int onramp_port_on(struct onramp_core_port *port,
			  struct netlink_ext_ack *extack)
{
	struct onramp_net *on = port->on;
	int err = onramp_device_tap(port->device, ONRAMP_HOOK_TX);

	if (err) {
		NL_SET_ERR_MSG(extack, "no tap shows packets that leave");
		return err;
	}
	if (!on->ports_on) {
		err = onramp_orack_start(on);
		if (err) {
			NL_SET_ERR_MSG(extack, "no netfilter hook receives OR-ACKs");
			onramp_device_untap(port->device, ONRAMP_HOOK_TX);
			return err;
		}
	}
	on->ports_on++;
	return 0;
}

static void onramp_port_off(struct onramp_core_port *port)
{
	struct onramp_net *on = port->on;

	if (!--on->ports_on)
		onramp_orack_stop(on);
	onramp_device_untap(port->device, ONRAMP_HOOK_TX);
}

struct onramp_port *onramp_port_create(struct Qdisc *sch,
				       const struct onramp_port_params *params,
				       struct netlink_ext_ack *extack)
{
	struct net_device *dev = qdisc_dev(sch);
	struct onramp_core_params *copy = onramp_port_copy(params);
	struct onramp_core_port *port;
	int err = -ENOMEM;

	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port || !copy)
		goto free;
	port->device = onramp_device_get(dev);
	if (!port->device)
		goto free;
	init_llist_head(&port->pub.kicked);
	port->sch = sch;
	port->on = onramp_net_of(dev_net(dev));
	port->pub.hot_until_ns = &port->on->hot_until_ns;
	port->owd_ns = (s64)ONRAMP_NS_NONE;
	port->threshold_ns = ONRAMP_NS_NONE;
	port->base_ns = (s64)ONRAMP_NS_NONE;
	RCU_INIT_POINTER(port->params, copy);
	if (params->remember)
		WRITE_ONCE(port->on->remembers_some, true);
	err = onramp_mark_open(port);
	if (err) {
		NL_SET_ERR_MSG(extack, "no number is left for a qdisc of this namespace");
		goto device;
	}
	if (!port->device->ports++)
		onramp_device_query(port->device);
	if (params->mode != ONRAMP_MODE_OFF) {
		err = onramp_port_on(port, extack);
		if (err)
			goto put;
	}
	list_add_tail(&port->node, &port->on->ports);
	onramp_device_set_tap(port->device);
	return &port->pub;
put:
	port->device->ports--;
	onramp_mark_close(port);
device:
	onramp_device_put(port->device);
free:
	kfree(copy);
	kfree(port);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_GPL(onramp_port_create);

/* Might a hold that was set by the old parameters not be set by the new ones? */
static bool onramp_port_ends_holds(const struct onramp_port_params *was,
				   const struct onramp_port_params *is)
{
	return was->mode == ONRAMP_MODE_HOLD &&
	       (is->mode != ONRAMP_MODE_HOLD ||
		is->algo.max_hold_ns < was->algo.max_hold_ns);
}

/* Holds by the old parameters end; first nobody may read these. */
static void onramp_port_changed(struct onramp_core_port *port,
				const struct onramp_port_params *was,
				const struct onramp_port_params *is)
{
	bool ends_holds = onramp_port_ends_holds(was, is);
	bool sets_idle = was->record_idle_ns != is->record_idle_ns;

	if (!ends_holds && !sets_idle)
		return;
	synchronize_net();
	if (ends_holds)
		onramp_flow_each(port->on, onramp_flow_release, port);
	if (sets_idle) {
		onramp_flow_each(port->on, onramp_flow_set_idle, port);
		onramp_age_wake(port->on);
	}
}

int onramp_port_change(struct onramp_port *pub,
		       const struct onramp_port_params *params,
		       struct netlink_ext_ack *extack)
{
	struct onramp_core_port *port = onramp_port_private(pub);
	struct onramp_core_params *copy = onramp_port_copy(params);
	struct onramp_core_params *was = rtnl_dereference(port->params);
	bool was_on = was->p.mode != ONRAMP_MODE_OFF;
	bool is_on = params->mode != ONRAMP_MODE_OFF;

	if (!copy)
		return -ENOMEM;
	if (is_on && !was_on) {
		int err = onramp_port_on(port, extack);

		if (err) {
			kfree(copy);
			return err;
		}
	}
	rcu_assign_pointer(port->params, copy);
	if (params->remember)
		WRITE_ONCE(port->on->remembers_some, true);
	if (was_on && !is_on)
		onramp_port_off(port);
	onramp_port_changed(port, &was->p, params);
	kfree_rcu(was, rcu);
	return 0;
}
EXPORT_SYMBOL_GPL(onramp_port_change);

/* Counts of a port stay in the namespace's sum. */
static void onramp_port_fold(struct onramp_core_port *port)
{
	int i;

	for (i = 0; i < ONRAMP_COUNTERS; i++)
		atomic64_add(atomic64_read(&port->counts.n[i]),
			     &port->on->counts.n[i]);
}

void onramp_port_destroy(struct onramp_port *pub)
{
	struct onramp_core_params *params;
	struct onramp_core_port *port;

	if (!pub)
		return;
	port = onramp_port_private(pub);
	params = rtnl_dereference(port->params);
	if (params->p.mode != ONRAMP_MODE_OFF)
		onramp_port_off(port);
	list_del(&port->node);
	onramp_mark_close(port);
	onramp_port_fold(port);
	port->device->ports--;
	onramp_device_put(port->device);
	kfree_rcu(params, rcu);
	kfree_rcu(port, rcu);
}
EXPORT_SYMBOL_GPL(onramp_port_destroy);

/**
 * onramp_counts_read() - add counters to statistics
 * @counts: counters
 * @st: added to
 */
void onramp_counts_read(const struct onramp_counts *counts,
			struct onramp_stats *st)
{
	u64 *sum = (u64 *)st;
	int i;

	for (i = 0; i < ONRAMP_COUNTERS; i++)
		sum[i] += atomic64_read(&counts->n[i]);
}

/**
 * onramp_port_levels() - the members of statistics that are not counters
 * @port: the port
 * @st: they are set
 *
 * Context: RCU or RTNL.
 */
void onramp_port_levels(const struct onramp_core_port *port,
			struct onramp_stats *st)
{
	st->nic_backlog_ns = onramp_port_backlog_ns(port);
	st->owd_ns = READ_ONCE(port->owd_ns);
	st->threshold_ns = READ_ONCE(port->threshold_ns);
	st->base_ns = READ_ONCE(port->base_ns);
}

void onramp_port_stats(const struct onramp_port *pub, struct onramp_stats *st)
{
	const struct onramp_core_port *port =
		container_of(pub, struct onramp_core_port, pub);

	*st = (struct onramp_stats){};
	onramp_port_levels(port, st);
	onramp_counts_read(&port->counts, st);
}
EXPORT_SYMBOL_GPL(onramp_port_stats);

void onramp_port_owds(const struct onramp_port *pub, struct delay_hist *h)
{
	const struct onramp_owds *owds =
		&container_of(pub, struct onramp_core_port, pub)->owds;
	int i;

	h->sum_ns = atomic64_read(&owds->sum_ns);
	for (i = 0; i < DELAY_HIST_BUCKETS; i++)
		h->bucket[i] = atomic64_read(&owds->bucket[i]);
}
EXPORT_SYMBOL_GPL(onramp_port_owds);

void onramp_port_count_other(struct onramp_port *pub)
{
	onramp_count(&onramp_port_private(pub)->counts, not_tcp);
}
EXPORT_SYMBOL_GPL(onramp_port_count_other);
