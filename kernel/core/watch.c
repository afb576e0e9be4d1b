// SPDX-License-Identifier: GPL-2.0
/*
 * Watches: of queues that want to know when their flow may send.
 */
#include <linux/module.h>

#include "core.h"

static struct onramp_core_flow *onramp_flow_of(const struct onramp_watch *watch)
{
	return container_of(watch->flow, struct onramp_core_flow, pub);
}

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

static void onramp_port_watch(struct onramp_core_port *port,
			      const struct onramp_port_params *params,
			      struct onramp_watch *watch,
			      const struct onramp_packet *p)
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
	} while (!onramp_flow_watch(flow, port, params, watch, now_ns));
}

void onramp_watch_attach(struct onramp_port *pub, struct onramp_watch *watch,
			 const struct onramp_packet *p)
{
	struct onramp_core_port *port =
		container_of(pub, struct onramp_core_port, pub);
	const struct onramp_port_params *params;

	rcu_read_lock();
	params = onramp_port_params(port);
	if (params->mode != ONRAMP_MODE_OFF)
		onramp_port_watch(port, params, watch, p);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(onramp_watch_attach);

void onramp_port_scope(const struct onramp_port *pub,
		       const struct sk_buff *skb, struct onramp_packet *p)
{
	const struct onramp_core_port *port =
		container_of(pub, struct onramp_core_port, pub);

	rcu_read_lock();
	onramp_scope_tx(port->on, skb, port->device->dev, p);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(onramp_port_scope);

bool onramp_watch_is_for(const struct onramp_watch *watch,
			 const struct onramp_packet *p)
{
	return !onramp_watch_is_gone(watch) &&
	       onramp_tuple_is(&p->tuple, &onramp_flow_of(watch)->tuple);
}
EXPORT_SYMBOL_GPL(onramp_watch_is_for);

void onramp_watch_detach(struct onramp_watch *watch)
{
	struct onramp_core_flow *flow;
	bool is_last;

	if (!watch->flow)
		return;
	flow = onramp_flow_of(watch);
	spin_lock_bh(&flow->lock);
	onramp_flow_count_held(flow, &onramp_port_of(watch)->counts,
			       onramp_now(flow->on->net));
	hlist_del(&watch->node);
	watch->flow = NULL;
	watch->port = NULL;
	onramp_age_wake(flow->on);
	is_last = flow->dead && hlist_empty(&flow->watches);
	spin_unlock_bh(&flow->lock);
	if (unlikely(is_last))
		onramp_flow_free(flow);
}
EXPORT_SYMBOL_GPL(onramp_watch_detach);
