// SPDX-License-Identifier: GPL-2.0
/*
 * From the report of a received packet to a hold: which packet it was, how long
 * it took, whether that delay is valid, and what the algorithm makes of it.
 */
#include "core.h"
#include "onramp_trace.h"

/**
 * struct onramp_feedback - a report, matched with its packet
 * @report: the delay, for the path
 * @total_ns: A when the packet left
 * @margin_ns: by how much the threshold is higher because a correction is not
 *	known
 * @stamp_tx: where the packet was seen as it left, enum onramp_stamp
 * @stamp_rx: and as it came
 */
struct onramp_feedback {
	struct onramp_report	report;
	u64			total_ns;
	u64			margin_ns;
	u8			stamp_tx;
	u8			stamp_rx;
};

/*
 * Hold a flow from now.  Context: its lock and its path's.
 * Return: false if it may not be held any longer.
 */
static bool onramp_controller_hold(struct onramp_core_flow *flow,
				   struct onramp_core_port *port,
				   const struct onramp_params *algo,
				   const struct onramp_decision *d, u64 now_ns)
{
	u64 t_next_ns = onramp_hold_until(&flow->hold, now_ns, d->hold_ns,
					  algo->max_hold_ns);
	bool bounded = d->bounded || t_next_ns < now_ns + d->hold_ns;
	bool shorter = t_next_ns < flow->pub.t_next_ns;

	/* Those before took all of max_hold, and ended. */
	if (t_next_ns <= now_ns && flow->pub.t_next_ns <= now_ns)
		return false;
	onramp_hold_set(&flow->hold, now_ns, t_next_ns);
	onramp_flow_hold_until(flow, t_next_ns);
	onramp_held_set(flow, now_ns);
	onramp_flow_count_held(flow, &port->counts, now_ns);
	flow->holding = true;
	flow->holds++;
	flow->path->holds++;
	onramp_count(&port->counts, holds);
	if (bounded)
		onramp_count(&port->counts, holds_bounded);
	if (shorter)
		onramp_flow_kick(flow);
	trace_onramp_hold(flow->on->net, &flow->tuple, d->hold_ns, bounded,
			  onramp_hold_total(&flow->hold, now_ns),
			  flow->vars.beta_q16);
	return true;
}

/* A hold that follows from a valid delay is not set.  Context: the path's lock. */
static void onramp_controller_forgo(struct onramp_core_flow *flow,
				    struct onramp_core_port *port,
				    const struct onramp_port_params *params)
{
	if (params->mode != ONRAMP_MODE_HOLD) {
		onramp_count(&port->counts, holds_observed);
		return;
	}
	onramp_count(&port->counts, holds_off);
	trace_onramp_fail_open(flow->on->net, &flow->tuple,
			       flow->path->vars.owd_ns, flow->path->error_ns,
			       ONRAMP_STATE_SWITCHED_OFF);
}

/* Return: true if the flow is held. */
static bool onramp_controller_act(struct onramp_core_flow *flow,
				  struct onramp_core_port *port,
				  const struct onramp_port_params *params,
				  const struct onramp_decision *d, u64 now_ns)
{
	if (!d->hold_ns)
		return false;
	if (params->mode != ONRAMP_MODE_HOLD ||
	    READ_ONCE(flow->on->switched_off)) {
		onramp_controller_forgo(flow, port, params);
		return false;
	}
	return onramp_controller_hold(flow, port, &params->algo, d, now_ns);
}

/**
 * onramp_controller_start() - a flow is new: hold it as if its path's latest
 *	delay had just been reported (section 5.2.1)
 * @flow: its lock is held
 * @port: of the queue that is attached to it
 * @now_ns: time
 */
void onramp_controller_start(struct onramp_core_flow *flow,
			     struct onramp_core_port *port, u64 now_ns)
{
	const struct onramp_port_params *params = onramp_port_params(port);
	struct onramp_path *path = flow->path;

	spin_lock(&path->lock);
	if (!path->unacked.unacked &&
	    onramp_path_is_fresh(&path->vars, now_ns, params->path_fresh_ns) &&
	    path->error_ns <= params->path.max_error_ns) {
		const struct onramp_sample x = {
			.owd_ns = path->vars.owd_ns,
			.tx_ns = now_ns,
			.threshold_ns = onramp_path_threshold(&params->path,
							      &path->vars,
							      path->error_ns),
		};
		struct onramp_decision d;

		d = onramp_judge(&params->algo, &flow->vars, &x);
		if (onramp_controller_act(flow, port, params, &d, now_ns))
			onramp_count(&port->counts, holds_new);
	}
	spin_unlock(&path->lock);
}

/* Were both clocks known, and the same one? */
static bool onramp_controller_clock_ok(const struct onramp_record *x,
				       const struct onramp_wire_head *head)
{
	return !head->no_clock && x->error_ns != ONRAMP_RECORD_NO_CLOCK &&
	       x->epoch == head->clock_epoch;
}

static void onramp_controller_measure(struct onramp_core_port *port,
				      const struct onramp_port_params *params,
				      const struct onramp_record *x,
				      const struct onramp_wire_item *item,
				      struct onramp_feedback *a)
{
	struct onramp_delay d;

	d = onramp_delay_of(x, item->seq, item->rx_ns,
			    onramp_port_bps(port, params), params->nic_comp);
	if (d.no_rate)
		onramp_count(&port->counts, gso_unknown_rate);
	a->total_ns = x->total_ns;
	a->margin_ns = d.margin_ns;
	a->report.tx_ns = x->tx_ns + d.later_ns;
	a->report.owd_ns = d.owd_ns;
}

/* Return: false if the report is not of a packet that left once. */
static bool onramp_controller_match(struct onramp_core_flow *flow,
				    struct onramp_core_port *port,
				    const struct onramp_port_params *params,
				    const struct onramp_wire_head *head,
				    const struct onramp_wire_item *item,
				    struct onramp_feedback *a)
{
	const struct onramp_record *x;

	switch (onramp_ring_find(&flow->ring, item->seq, item->len, &x)) {
	case ONRAMP_FOUND:
		break;
	case ONRAMP_FOUND_AMBIGUOUS:
		onramp_count(&port->counts, retransmitted);
		return false;
	case ONRAMP_FOUND_NOT:
	default:
		onramp_count(&port->counts, unmatched);
		return false;
	}
	onramp_count(&port->counts, samples);
	onramp_controller_measure(port, params, x, item, a);
	a->report.epoch = x->epoch;
	a->report.error_ns = (u64)x->error_ns + head->clock_error_ns;
	a->report.clock_ok = onramp_controller_clock_ok(x, head);
	a->stamp_tx = x->stamp;
	a->stamp_rx = item->stamp;
	return true;
}

static void onramp_controller_count_invalid(struct onramp_core_port *port,
					    enum onramp_validity validity)
{
	struct onramp_counts *counts = &port->counts;

	switch (validity) {
	case ONRAMP_NO_CLOCK:
		onramp_count(counts, no_clock);
		break;
	case ONRAMP_UNCERTAIN:
		onramp_count(counts, uncertain);
		break;
	case ONRAMP_NEGATIVE:
		onramp_count(counts, negative);
		break;
	case ONRAMP_TOO_LONG:
		onramp_count(counts, too_long);
		break;
	case ONRAMP_BELOW_BASE:
		onramp_count(counts, below_base);
		break;
	case ONRAMP_SUSPECT:
		onramp_count(counts, suspect);
		break;
	default:
		break;
	}
}

/* Keep what statistics show: nothing of another path, or of a delay before. */
static void onramp_controller_note_port(struct onramp_core_port *port,
					const struct onramp_path *path,
					const struct onramp_report *r,
					u64 threshold_ns)
{
	s64 none_ns = (s64)ONRAMP_NS_NONE;

	WRITE_ONCE(port->owd_ns, r->clock_ok ? r->owd_ns : none_ns);
	WRITE_ONCE(port->threshold_ns, threshold_ns);
	WRITE_ONCE(port->base_ns,
		   path->vars.has_base ? path->vars.base_ns : none_ns);
}

/* Keep what dumps show.  Without a clock there is no delay: the latest stays. */
static void onramp_controller_note(struct onramp_core_flow *flow,
				   const struct onramp_feedback *a,
				   u64 threshold_ns, enum onramp_validity validity)
{
	struct onramp_path *path = flow->path;

	path->samples++;
	path->validity = validity;
	flow->samples++;
	flow->validity = validity;
	flow->stamp_tx = a->stamp_tx;
	flow->stamp_rx = a->stamp_rx;
	if (!a->report.clock_ok)
		return;
	flow->owd_ns = a->report.owd_ns;
	flow->owd_at_ns = a->report.now_ns;
	flow->error_ns = a->report.error_ns;
	flow->has_owd = true;
	flow->threshold_ns = threshold_ns;
	path->threshold_ns = threshold_ns;
}

static void onramp_controller_count_owd(struct onramp_core_port *port, u64 owd_ns)
{
	atomic64_add(owd_ns, &port->owds.sum_ns);
	atomic64_inc(&port->owds.bucket[delay_hist_bucket(owd_ns)]);
}

/* The algorithm, on a valid delay.  Context: the flow's lock and path's. */
static void onramp_controller_judge(struct onramp_core_flow *flow,
				    struct onramp_core_port *port,
				    const struct onramp_port_params *params,
				    const struct onramp_feedback *a,
				    u64 threshold_ns)
{
	u64 now_ns = a->report.now_ns;
	const struct onramp_sample x = {
		.owd_ns = a->report.owd_ns,
		.tx_ns = a->report.tx_ns,
		.total_ns = a->total_ns,
		.total_now_ns = onramp_hold_total(&flow->hold, now_ns),
		.threshold_ns = threshold_ns,
	};
	struct onramp_decision d;

	/* A valid one is not below 0. */
	onramp_controller_count_owd(port, x.owd_ns);
	d = onramp_on_sample(&params->algo, &flow->vars, &x);
	if (x.owd_ns > (s64)threshold_ns)
		WRITE_ONCE(flow->on->hot_until_ns, now_ns + params->path_fresh_ns);
	flow->path->error_ns = a->report.error_ns;
	WRITE_ONCE(flow->path->beta_q16, flow->vars.beta_q16);
	WRITE_ONCE(flow->path->has_beta, true);
	onramp_controller_act(flow, port, params, &d, now_ns);
}

/* Return: the event for the path's monitors, or 0. */
static int onramp_controller_learn(struct onramp_core_flow *flow,
				   struct onramp_core_port *port,
				   const struct onramp_port_params *params,
				   const struct onramp_feedback *a,
				   const struct onramp_wire_item *item)
{
	struct onramp_path_params rules = params->path;
	struct onramp_path *path = flow->path;
	enum onramp_validity validity;
	u64 threshold_ns = ONRAMP_NS_NONE;
	bool suspect_was;
	bool suspect_is;

	rules.margin_ns += a->margin_ns;
	if (rules.threshold_ns)
		rules.threshold_ns += a->margin_ns;
	spin_lock(&path->lock);
	suspect_was = path->vars.suspect;
	validity = onramp_path_judge(&rules, &path->vars, &a->report);
	suspect_is = path->vars.suspect;
	if (path->vars.has_base && a->report.clock_ok)
		threshold_ns = onramp_path_threshold(&rules, &path->vars,
						     a->report.error_ns);
	onramp_controller_note(flow, a, threshold_ns, validity);
	onramp_controller_note_port(port, path, &a->report, threshold_ns);
	if (validity == ONRAMP_VALID)
		onramp_controller_judge(flow, port, params, a, threshold_ns);
	spin_unlock(&path->lock);

	trace_onramp_ack(flow->on->net, &flow->tuple, item->seq,
			 a->report.tx_ns, item->rx_ns, a->report.owd_ns,
			 threshold_ns == ONRAMP_NS_NONE ? 0 : threshold_ns,
			 a->stamp_tx, a->stamp_rx, validity);
	if (validity != ONRAMP_VALID) {
		onramp_controller_count_invalid(port, validity);
		trace_onramp_fail_open(flow->on->net, &flow->tuple,
				       a->report.owd_ns, a->report.error_ns,
				       validity);
	}
	if (suspect_is && !suspect_was)
		onramp_count(&port->counts, suspicions);
	if (suspect_is == suspect_was)
		return 0;
	return suspect_is ? ONRAMP_EVENT_SUSPECT : ONRAMP_EVENT_CLEARED;
}

/* Somebody acks the path.  Return: true if nobody did until now. */
static bool onramp_controller_acked(struct onramp_path *path, u64 now_ns)
{
	bool was_unacked;

	spin_lock(&path->lock);
	/* As in onramp_flow_unacked(). */
	was_unacked = data_race(onramp_unacked_on_ack(&path->unacked, now_ns));
	spin_unlock(&path->lock);
	return was_unacked;
}

/**
 * onramp_controller_report() - an OR-ACK's entry
 * @flow: whose it is
 * @head: the datagram's header
 * @item: the entry
 * @now_ns: time
 *
 * Context: BH off, RCU.
 */
void onramp_controller_report(struct onramp_core_flow *flow,
			      const struct onramp_wire_head *head,
			      const struct onramp_wire_item *item, u64 now_ns)
{
	struct onramp_feedback a = { .report.now_ns = now_ns };
	const struct onramp_port_params *params;
	struct onramp_net *on = flow->on;
	struct onramp_core_port *port;
	struct onramp_path *path;
	bool acked = false, matched;
	int event = 0;

	spin_lock(&flow->lock);
	path = flow->path;
	port = onramp_flow_port(flow);
	if (!port) {
		onramp_count(&on->counts, unmatched);
		goto unlock;
	}
	params = onramp_port_params(port);
	if (params->mode == ONRAMP_MODE_OFF)
		goto unlock;
	matched = onramp_controller_match(flow, port, params, head, item, &a);
	if (params->remember &&
	    onramp_pick_on_report(&flow->reports, params->remember, item->seq, item->len,
				  matched))
		onramp_flow_remember_all(flow);
	/*
	 * One whose clock is not this host's may be an old one that comes again: it shows
	 * that somebody acks only if it is of a packet that is remembered.
	 */
	if (matched || !head->no_clock)
		acked = onramp_controller_acked(path, now_ns);
	if (matched)
		event = onramp_controller_learn(flow, port, params, &a, item);
unlock:
	spin_unlock(&flow->lock);
	if (unlikely(acked))
		onramp_genl_path_event(on, path, ONRAMP_EVENT_ACKED);
	if (event)
		onramp_genl_path_event(on, path, event);
}
