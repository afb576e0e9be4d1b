// SPDX-License-Identifier: GPL-2.0
/*
 * What a host does with the probes of a window.
 */
#include <stdlib.h>
#include <string.h>

#include "agent.h"

static bool agent_owns(const struct agent *agent, uint32_t place)
{
	return agent->roster->self < agent->roster->neighbour[place];
}

/* Pairs come jittered, and late ones with the next window's. */
static uint32_t agent_room(const struct huygens_conf *conf)
{
	int64_t room = conf->window_ns / conf->interval_ns * 2 + 16;

	return room < CLOUD_SAMPLES ? room : CLOUD_SAMPLES;
}

int agent_make(struct agent *agent, const struct huygens_conf *conf,
	       const struct roster *roster, struct count *count)
{
	uint32_t i;

	memset(agent, 0, sizeof(*agent));
	agent->conf = conf;
	agent->roster = roster;
	agent->count = count;
	agent->room = agent_room(conf);
	agent->edge = calloc(roster->neighbours + 1, sizeof(*agent->edge));
	agent->scratch = calloc(agent->room, sizeof(*agent->scratch));
	agent->sample = calloc(2 * agent->room, sizeof(*agent->sample));
	if (!agent->edge || !agent->scratch || !agent->sample)
		goto fail;
	for (i = 0; i < roster->neighbours; i++)
		if (collector_make(&agent->edge[i].collector, agent->room))
			goto fail;
	return 0;
fail:
	agent_free(agent);
	return -1;
}

/* What a window's samples are worked on in, for all neighbours. */
static int agent_grow(struct agent *agent, uint32_t room)
{
	int64_t *scratch = reallocarray(agent->scratch, room, sizeof(*scratch));
	struct sample *sample;

	if (!scratch)
		return -1;
	agent->scratch = scratch;
	sample = reallocarray(agent->sample, 2 * (size_t)room, sizeof(*sample));
	if (!sample)
		return -1;
	agent->sample = sample;
	agent->room = room;
	return 0;
}

void agent_reload(struct agent *agent, const struct huygens_conf *conf)
{
	uint32_t room = agent_room(conf), i;

	agent->conf = conf;
	if (room <= agent->room || agent_grow(agent, room))
		return;
	for (i = 0; i < agent->roster->neighbours; i++)
		if (collector_grow(&agent->edge[i].collector, room))
			return;
}

bool agent_probe(struct agent *agent, uint32_t place,
		 const struct wire_probe *probe, int64_t rx_ns, uint64_t window)
{
	return collector_take(&agent->edge[place].collector, probe, rx_ns,
			      window, agent->conf->coded);
}

static struct guard_params agent_guard(const struct agent *agent, bool hardware)
{
	struct guard_params p = guard_defaults(hardware);

	p.coded = agent->conf->coded;
	if (agent->conf->guard_ns)
		p.least_ns = agent->conf->guard_ns;
	return p;
}

/* The cloud of what came from a neighbour. */
static void agent_gather(struct agent *agent, uint32_t place, uint64_t window,
			 bool hardware)
{
	struct guard_params guard = agent_guard(agent, hardware);
	struct agent_edge *edge = &agent->edge[place];
	struct guard_result result = { 0 };
	struct collector_window *w;

	edge->in.known = false;
	edge->seen = (struct agent_seen){ 0 };
	w = collector_window(&edge->collector, window);
	if (!w || !w->count)
		return;
	result = guard_filter(&guard, w->pair, w->count,
			      !agent_owns(agent, place), agent->scratch,
			      agent->sample);
	cloud_make(agent->sample, result.samples, &edge->in.cloud);
	edge->in.known = edge->in.cloud.points > 0;
	edge->in.window = window;
	edge->in.hardware = hardware;
	edge->seen.received = w->arrived;
	edge->seen.pure = result.pure;
	edge->seen.guard_ns = result.eps_ns;
	agent->count->pairs += w->arrived;
	agent->count->pairs_pure += result.pure;
	agent->count->pairs_impure += result.impure + result.absurd;
	agent->count->pairs_full += w->full;
}

static void agent_tell_owner(struct agent *agent, uint32_t place,
			     agent_send_fn send, void *data)
{
	const struct agent_edge *edge = &agent->edge[place];
	struct wire_message message = { .type = WIRE_ENVELOPE };
	struct wire_envelope *e = &message.envelope;
	uint32_t i;

	e->stamps = edge->in.hardware ? WIRE_HARDWARE : WIRE_SOFTWARE;
	e->window = edge->in.window;
	e->pairs = edge->seen.received;
	e->samples = edge->in.cloud.samples;
	e->layers = edge->in.cloud.layers;
	e->count = edge->in.cloud.points;
	for (i = 0; i < e->count; i++) {
		e->point[i].t = edge->in.cloud.point[i].at_ns;
		e->point[i].delay = edge->in.cloud.point[i].delay_ns;
	}
	send(data, agent->roster->neighbour[place], &message);
}

void agent_close(struct agent *agent, uint64_t window, bool hardware)
{
	uint32_t i;

	agent->count->windows++;
	for (i = 0; i < agent->roster->neighbours; i++)
		agent_gather(agent, i, window, hardware);
}

void agent_tell(struct agent *agent, uint64_t window, agent_send_fn send,
		void *data)
{
	uint32_t i;

	for (i = 0; i < agent->roster->neighbours; i++) {
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
	way->hardware = envelope->stamps == WIRE_HARDWARE;
	way->cloud.samples = envelope->samples;
	way->cloud.layers = envelope->layers;
	way->cloud.points = envelope->count;
	for (i = 0; i < envelope->count; i++) {
		way->cloud.point[i].at_ns = envelope->point[i].t;
		way->cloud.point[i].delay_ns = envelope->point[i].delay;
	}
	return true;
}

/* By how much the way out takes longer than the way in, as configured. */
static int64_t agent_asymmetry(const struct agent *agent, uint32_t place)
{
	uint32_t self = agent->roster->host[agent->roster->self].id;
	uint32_t peer = agent->roster->host[agent->roster->neighbour[place]].id;
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

/* A neighbour's cloud may lead beyond what a report can say. */
static bool agent_can_tell(const struct agent_edge *edge)
{
	return edge->fit.theta_ns <= WIRE_TIME_MAX &&
	       edge->fit.theta_ns >= -WIRE_TIME_MAX &&
	       edge->fit.gap_ns <= WIRE_SPAN_MAX &&
	       edge->worth.sigma_ns <= WIRE_SPAN_MAX &&
	       edge->worth.sigma_ppb <= WIRE_SPAN_MAX &&
	       edge->worth.bias_ns <= WIRE_SPAN_MAX;
}

static void agent_fit(struct agent *agent, uint32_t place, uint64_t window,
		      int64_t middle_ns, bool hardware)
{
	static const struct cloud nothing;
	struct agent_edge *edge = &agent->edge[place];
	bool has_in = edge->in.known && edge->in.window == window;
	bool has_out = edge->out.known && edge->out.window == window;
	struct measure_clouds clouds = {
		.forward = has_out ? &edge->out.cloud : &nothing,
		.backward = has_in ? &edge->in.cloud : &nothing,
		.at_ns = middle_ns,
		.window_ns = agent->conf->window_ns,
		/* A sample can lie beyond the truth if either stamp is a card's. */
		.hardware = hardware || (has_out && edge->out.hardware),
		.mixed = has_out && hardware != edge->out.hardware,
		.asymmetry_ns = agent_asymmetry(agent, place),
		.drift_most_ppb = (double)agent->conf->max_drift_ppb,
	};

	edge->fit = measure_edge(&edge->measure, &clouds, &edge->worth);
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
		 bool hardware)
{
	uint32_t i;

	for (i = 0; i < agent->roster->neighbours; i++) {
		const struct agent_edge *edge = &agent->edge[i];

		if (agent_owns(agent, i) &&
		    !(agent_is_of(edge, window) &&
		      edge->fit.verdict == EDGE_VALID))
			agent_fit(agent, i, window, middle_ns, hardware);
	}
}

void agent_count(struct agent *agent, uint64_t window)
{
	uint32_t i;

	for (i = 0; i < agent->roster->neighbours; i++) {
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
		.peer = agent->roster->host[agent->roster->neighbour[place]].id,
		.why = edge->fit.verdict,
		.out = edge->fit.forward,
		.in = edge->fit.backward,
	};
	if (edge->fit.verdict != EDGE_VALID)
		return;
	row->theta_ns = edge->fit.theta_ns;
	row->drift_ppb = edge->fit.drift_ppb;
	row->gap_ns = edge->fit.gap_ns;
	row->sigma_ns = edge->worth.sigma_ns;
	row->sigma_ppb = edge->worth.sigma_ppb;
	row->bias_ns = edge->worth.bias_ns;
}

void agent_report(struct agent *agent, uint32_t chair,
		  const struct wire_edges *head, agent_send_fn send, void *data)
{
	struct wire_message message = { .type = WIRE_EDGE, .edges = *head };
	struct wire_edges *edges = &message.edges;
	bool told = false;
	uint32_t i;

	edges->count = 0;
	for (i = 0; i < agent->roster->neighbours; i++) {
		if (!agent_is_of(&agent->edge[i], head->window))
			continue;
		if (edges->count == WIRE_EDGES_MAX) {
			send(data, chair, &message);
			edges->count = 0;
		}
		agent_row(agent, i, &edges->edge[edges->count++]);
		told = true;
	}
	if (edges->count || !told)
		send(data, chair, &message);
}

void agent_renumber(struct agent *agent)
{
	uint32_t i;

	for (i = 0; i < agent->roster->neighbours; i++) {
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
	for (i = 0; i < agent->roster->neighbours; i++)
		agent->edge[i].measure = (struct measure){ 0 };
}

void agent_free(struct agent *agent)
{
	uint32_t i;

	for (i = 0; agent->edge && i < agent->roster->neighbours; i++)
		collector_free(&agent->edge[i].collector);
	free(agent->edge);
	free(agent->scratch);
	free(agent->sample);
	memset(agent, 0, sizeof(*agent));
}
