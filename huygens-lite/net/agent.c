// SPDX-License-Identifier: GPL-2.0
/*
 * The work of a host on the probes of a window.
 */
#include <stdlib.h>
#include <string.h>

#include "agent.h"

static bool agent_owns(const struct agent *agent, uint32_t place)
{
	return agent->membership->self < agent->membership->neighbour[place];
}

/* Pairs come jittered, and late ones with the next window's. */
static uint32_t agent_capacity(const struct huygens_conf *conf)
{
	int64_t capacity = conf->window_ns / conf_burst_ns(conf) * 2 + 16;

	return capacity < ENVELOPE_SAMPLES ? capacity : ENVELOPE_SAMPLES;
}

int agent_make(struct agent *agent, const struct huygens_conf *conf,
	       const struct membership *membership, struct count *count)
{
	uint32_t i;

	memset(agent, 0, sizeof(*agent));
	agent->conf = conf;
	agent->membership = membership;
	agent->count = count;
	agent->capacity = agent_capacity(conf);
	agent->edge = calloc(membership->neighbours + 1, sizeof(*agent->edge));
	agent->scratch = calloc(agent->capacity, sizeof(*agent->scratch));
	agent->sample = calloc(2 * agent->capacity, sizeof(*agent->sample));
	if (!agent->edge || !agent->scratch || !agent->sample)
		goto fail;
	for (i = 0; i < membership->neighbours; i++)
		if (collector_make(&agent->edge[i].collector, agent->capacity))
			goto fail;
	return 0;
fail:
	agent_free(agent);
	return -1;
}

int agent_grow(struct agent *agent, uint32_t capacity)
{
	struct sample *sample;
	int64_t *scratch;

	if (capacity <= agent->capacity)
		return 0;
	scratch = reallocarray(agent->scratch, capacity, sizeof(*scratch));
	if (!scratch)
		return -1;
	agent->scratch = scratch;
	sample = reallocarray(agent->sample, 2 * (size_t)capacity, sizeof(*sample));
	if (!sample)
		return -1;
	agent->sample = sample;
	agent->capacity = capacity;
	return 0;
}

void agent_reload(struct agent *agent, const struct huygens_conf *conf)
{
	uint32_t capacity = agent_capacity(conf), i;

	agent->conf = conf;
	if (capacity <= agent->capacity || agent_grow(agent, capacity))
		return;
	for (i = 0; i < agent->membership->neighbours; i++)
		if (collector_grow(&agent->edge[i].collector, capacity))
			return;
}

void agent_move(struct agent *agent, uint32_t place, struct agent *from, uint32_t was)
{
	struct agent_edge edge = agent->edge[place];

	agent->edge[place] = from->edge[was];
	from->edge[was] = edge;
}

bool agent_probe(struct agent *agent, uint32_t place,
		 const struct wire_probe *probe, int64_t rx_ns, uint64_t window)
{
	return collector_take(&agent->edge[place].collector, probe, rx_ns,
			      window, agent->conf->coded);
}

/* A pair's spacing has the errors of both ends: a NIC's stamps alone are without a software's. */
static struct pair_filter_params agent_pair_filter(const struct agent *agent,
						   enum wire_stamps stamps)
{
	struct pair_filter_params p = pair_filter_defaults(stamps == WIRE_HARDWARE);

	p.coded = agent->conf->coded;
	if (agent->conf->tolerance_ns)
		p.least_ns = agent->conf->tolerance_ns;
	return p;
}

/* The envelope of what came from a neighbour. */
static void agent_gather(struct agent *agent, uint32_t place, uint64_t window,
			 enum wire_stamps stamps)
{
	struct pair_filter_params params = agent_pair_filter(agent, stamps);
	struct agent_edge *edge = &agent->edge[place];
	struct pair_filter_result result = { 0 };
	struct collector_window *w;

	edge->in.known = false;
	edge->seen = (struct agent_seen){ 0 };
	w = collector_window(&edge->collector, window);
	if (!w || !w->count)
		return;
	result = pair_filter_apply(&params, w->pair, w->count,
				   !agent_owns(agent, place), agent->scratch,
				   agent->sample);
	envelope_make(agent->sample, result.samples, &edge->in.envelope);
	edge->in.known = edge->in.envelope.points > 0;
	edge->in.window = window;
	edge->in.stamps = stamps;
	edge->seen.received = w->arrived;
	edge->seen.accepted = result.accepted;
	edge->seen.tolerance_ns = result.eps_ns;
	agent->count->pairs += w->arrived;
	agent->count->pairs_accepted += result.accepted;
	agent->count->pairs_rejected += result.rejected + result.absurd;
	agent->count->pairs_full += w->full;
}

static void agent_tell_owner(struct agent *agent, uint32_t place,
			     agent_send_fn send, void *data)
{
	const struct agent_edge *edge = &agent->edge[place];
	struct wire_message message = { .type = WIRE_ENVELOPE };
	struct wire_envelope *e = &message.envelope;
	uint32_t i;

	e->stamps = edge->in.stamps;
	e->window = edge->in.window;
	e->pairs = edge->seen.received;
	e->samples = edge->in.envelope.samples;
	e->hulls = edge->in.envelope.hulls;
	e->count = edge->in.envelope.points;
	for (i = 0; i < e->count; i++) {
		e->point[i].t = edge->in.envelope.point[i].at_ns;
		e->point[i].delay = edge->in.envelope.point[i].delay_ns;
	}
	send(data, agent->membership->neighbour[place], &message);
}

void agent_close(struct agent *agent, uint64_t window, enum wire_stamps stamps)
{
	uint32_t i;

	agent->count->windows++;
	for (i = 0; i < agent->membership->neighbours; i++)
		agent_gather(agent, i, window, stamps);
}

void agent_send(struct agent *agent, uint64_t window, agent_send_fn send,
		void *data)
{
	uint32_t i;

	for (i = 0; i < agent->membership->neighbours; i++) {
		const struct agent_way *in = &agent->edge[i].in;

		if (in->known && in->window == window && !agent_owns(agent, i))
			agent_tell_owner(agent, i, send, data);
	}
}

bool agent_envelope(struct agent *agent, uint32_t place,
		    const struct wire_envelope *envelope)
{
	struct agent_way *way = &agent->edge[place].out;
	uint32_t i;

	if (!agent_owns(agent, place))
		return false;
	way->known = true;
	way->window = envelope->window;
	way->stamps = envelope->stamps;
	way->envelope.samples = envelope->samples;
	way->envelope.hulls = envelope->hulls;
	way->envelope.points = envelope->count;
	for (i = 0; i < envelope->count; i++) {
		way->envelope.point[i].at_ns = envelope->point[i].t;
		way->envelope.point[i].delay_ns = envelope->point[i].delay;
	}
	return true;
}

/* By how much the way out takes longer than the way in, as configured. */
static int64_t agent_asymmetry(const struct agent *agent, uint32_t place)
{
	uint32_t self = agent->membership->host[agent->membership->self].id;
	uint32_t peer = agent->membership->host[agent->membership->neighbour[place]].id;
	int64_t ns = 0;
	size_t i;

	for (i = 0; i < agent->conf->n_asymmetries; i++) {
		const struct conf_asymmetry *a = &agent->conf->asymmetries[i];

		if (a->from == self && a->to == peer)
			ns += a->ns;
		else if (a->from == peer && a->to == self)
			ns -= a->ns;
	}
	return ns;
}

/* A neighbour's envelope may lead beyond what a report can say. */
static bool agent_can_tell(const struct agent_edge *edge)
{
	return edge->fit.theta_ns <= WIRE_TIME_MAX &&
	       edge->fit.theta_ns >= -WIRE_TIME_MAX &&
	       edge->fit.delay_sum_ns <= WIRE_SPAN_MAX &&
	       edge->worth.sigma_ns <= WIRE_SPAN_MAX &&
	       edge->worth.sigma_ppb <= WIRE_SPAN_MAX &&
	       edge->worth.bias_ns <= WIRE_SPAN_MAX;
}

static void agent_fit(struct agent *agent, uint32_t place, uint64_t window,
		      int64_t middle_ns, enum wire_stamps stamps)
{
	static const struct envelope nothing;
	struct agent_edge *edge = &agent->edge[place];
	bool has_in = edge->in.known && edge->in.window == window;
	bool has_out = edge->out.known && edge->out.window == window;
	struct edge_filter_window envelopes = {
		.forward = has_out ? &edge->out.envelope : &nothing,
		.backward = has_in ? &edge->in.envelope : &nothing,
		.at_ns = middle_ns,
		.window_ns = agent->conf->window_ns,
		/* A sample can lie beyond the truth if either stamp is a NIC's. */
		.hardware = stamps == WIRE_HARDWARE ||
			    (has_out && edge->out.stamps == WIRE_HARDWARE),
		.mixed = has_out && stamps != edge->out.stamps,
		.asymmetry_ns = agent_asymmetry(agent, place),
		.drift_most_ppb = (double)agent->conf->max_drift_ppb,
	};

	edge->fit = edge_filter_update(&edge->filter, &envelopes, &edge->worth);
	edge->fitted = true;
	edge->fit_window = window;
	if (edge->fit.verdict == EDGE_VALID && !agent_can_tell(edge))
		edge->fit.verdict = EDGE_FAR;
}

static bool agent_is_of(const struct agent_edge *edge, uint64_t window)
{
	return edge->fitted && edge->fit_window == window;
}

void agent_solve(struct agent *agent, uint64_t window, int64_t middle_ns,
		 enum wire_stamps stamps)
{
	uint32_t i;

	for (i = 0; i < agent->membership->neighbours; i++) {
		const struct agent_edge *edge = &agent->edge[i];

		if (agent_owns(agent, i) &&
		    !(agent_is_of(edge, window) &&
		      edge->fit.verdict == EDGE_VALID))
			agent_fit(agent, i, window, middle_ns, stamps);
	}
}

void agent_count(struct agent *agent, uint64_t window)
{
	uint32_t i;

	for (i = 0; i < agent->membership->neighbours; i++) {
		const struct agent_edge *edge = &agent->edge[i];

		if (!agent_is_of(edge, window))
			continue;
		if (edge->fit.verdict == EDGE_VALID)
			agent->count->edges++;
		else
			agent->count->edges_invalid++;
	}
}

static void agent_row(const struct agent *agent, uint32_t place,
		      struct wire_edge *row)
{
	const struct agent_edge *edge = &agent->edge[place];

	*row = (struct wire_edge){
		.peer = agent->membership->host[agent->membership->neighbour[place]].id,
		.why = edge->fit.verdict,
		.out = edge->fit.forward,
		.in = edge->fit.backward,
	};
	if (edge->fit.verdict != EDGE_VALID)
		return;
	row->theta_ns = edge->fit.theta_ns;
	row->drift_ppb = edge->fit.drift_ppb;
	row->delay_sum_ns = edge->fit.delay_sum_ns;
	row->sigma_ns = edge->worth.sigma_ns;
	row->sigma_ppb = edge->worth.sigma_ppb;
	row->bias_ns = edge->worth.bias_ns;
}

void agent_report(struct agent *agent, uint32_t leader,
		  const struct wire_edges *head, agent_send_fn send, void *data)
{
	struct wire_message message = { .type = WIRE_EDGE, .edges = *head };
	struct wire_edges *edges = &message.edges;
	bool reported = false;
	uint32_t i;

	edges->count = 0;
	for (i = 0; i < agent->membership->neighbours; i++) {
		if (!agent_is_of(&agent->edge[i], head->window))
			continue;
		if (edges->count == WIRE_EDGES_MAX) {
			send(data, leader, &message);
			edges->count = 0;
		}
		agent_row(agent, i, &edges->edge[edges->count++]);
		reported = true;
	}
	if (edges->count || !reported)
		send(data, leader, &message);
}

void agent_renumber(struct agent *agent)
{
	uint32_t i;

	for (i = 0; i < agent->membership->neighbours; i++) {
		collector_forget(&agent->edge[i].collector);
		agent->edge[i].in.known = false;
		agent->edge[i].out.known = false;
		agent->edge[i].fitted = false;
	}
}

void agent_forget(struct agent *agent)
{
	uint32_t i;

	agent_renumber(agent);
	for (i = 0; i < agent->membership->neighbours; i++)
		agent->edge[i].filter = (struct edge_filter){ 0 };
}

void agent_free(struct agent *agent)
{
	uint32_t i;

	for (i = 0; agent->edge && i < agent->membership->neighbours; i++)
		collector_free(&agent->edge[i].collector);
	free(agent->edge);
	free(agent->scratch);
	free(agent->sample);
	memset(agent, 0, sizeof(*agent));
}
