// SPDX-License-Identifier: GPL-2.0
/*
 * A run of the model: its flows, and what happens when.
 */
#include <string.h>

#include "../../lib/fail.h"
#include "memory.h"
#include "pacing.h"
#include "sim.h"
#include "window.h"

static uint32_t sim_add_flow(struct sim *s, uint32_t kind, uint32_t sender, uint64_t size,
			     uint64_t start_ns)
{
	s->flow = memory_grow(s->flow, s->flows, &s->capacity, sizeof(*s->flow));
	s->flow[s->flows] = (struct sim_flow) {
		.kind = kind,
		.sender = sender,
		.size = size,
		.start_ns = start_ns,
		.left = size ? size : UINT64_MAX,
		.connection = SIM_NONE,
		.due_ns = UINT64_MAX,
	};
	return s->flows++;
}

static void sim_add_closed(struct sim *s, uint32_t sender, uint64_t start_ns)
{
	uint32_t flow = sim_add_flow(s, SCENARIO_CLOSED, sender,
				     cdf_draw(s->scenario.sizes, &s->sizes), start_ns);

	events_add(&s->events, start_ns, EVENT_START, flow);
}

/* Planned flows begin one after the other: the heap has the next one only. */
static void sim_plan_next(struct sim *s)
{
	if (s->started < s->planned)
		events_add(&s->events, s->flow[s->started].start_ns, EVENT_START, s->started);
}

static void sim_start(struct sim *s, uint32_t flow)
{
	if (flow < s->planned) {
		s->started++;
		sim_plan_next(s);
	}
	if (s->scenario.cc == SCENARIO_DCQCN)
		pacing_begin(s, flow);
	else
		window_begin(s, flow);
}

static void sim_end(struct sim *s, uint32_t flow, uint64_t at_ns)
{
	struct sim_flow *f = &s->flow[flow];

	f->end_ns = at_ns;
	if (s->scenario.cc == SCENARIO_DCTCP)
		window_end(s, flow);
	if (f->kind == SCENARIO_CLOSED && at_ns < s->scenario.duration_ns)
		sim_add_closed(s, f->sender, at_ns);
}

/* The last bit of a packet that is leaving the port comes to the receiver. */
static void sim_receive(struct sim *s, uint32_t packet)
{
	uint64_t at_ns = s->port.free_ns + SCENARIO_BEHIND_NS;
	uint32_t flow = s->packets.at[packet].flow;
	struct sim_flow *f = &s->flow[flow];

	if (f->size || at_ns <= s->scenario.duration_ns)
		f->delivered += s->packets.at[packet].payload;
	if (s->scenario.cc == SCENARIO_DCQCN)
		pacing_receive(s, packet, at_ns);
	else
		events_add_fifo(&s->events, HOST_ACKS(f->sender),
				at_ns + s->sender[f->sender].ack_ns, EVENT_ACK, packet);
	if (f->size && f->delivered == f->size)
		sim_end(s, flow, at_ns);
}

static void sim_link(struct sim *s)
{
	uint32_t packet = bottleneck_dequeue(&s->port, s->now_ns);

	if (packet == PACKET_NONE)
		return;
	sim_receive(s, packet);
	if (s->port.queued)
		events_add(&s->events, s->port.free_ns, EVENT_LINK, 0);
}

static void sim_lose(struct sim *s, uint32_t packet)
{
	const struct sim_flow *f = &s->flow[s->packets.at[packet].flow];
	uint64_t queue_ns = s->port.backlog * 8000000000ULL / s->scenario.rate_bps;
	uint64_t wait_ns = DCTCP_RTO_NS;

	if (f->left >= 3 * PACKET_PAYLOAD)
		wait_ns = s->scenario.rtt_ns[f->sender] + queue_ns;
	events_add(&s->events, s->now_ns + wait_ns, EVENT_RESEND, packet);
}

static void sim_arrive(struct sim *s, uint32_t packet)
{
	bool queued = s->port.queued;

	if (!bottleneck_enqueue(&s->port, packet, s->now_ns)) {
		sim_lose(s, packet);
		return;
	}
	if (queued)
		return;
	/* While the link sends there is no event for a queue that was empty. */
	if (s->port.free_ns > s->now_ns)
		events_add(&s->events, s->port.free_ns, EVENT_LINK, 0);
	else
		sim_link(s);
}

static void sim_resend(struct sim *s, uint32_t packet)
{
	uint32_t flow = s->packets.at[packet].flow;

	if (s->scenario.cc == SCENARIO_DCQCN)
		pacing_on_cnp(s, flow);
	else
		window_on_loss(s, flow);
	host_transmit(s, packet);
}

static void sim_happen(struct sim *s, const struct event *e)
{
	switch (e->kind) {
	case EVENT_START:
		sim_start(s, e->index);
		break;
	case EVENT_REQUEST:
		window_request(s, e->index);
		break;
	case EVENT_ARRIVAL:
		sim_arrive(s, e->index);
		break;
	case EVENT_LINK:
		sim_link(s);
		break;
	case EVENT_ACK:
		window_on_ack(s, e->index);
		break;
	case EVENT_RESEND:
		sim_resend(s, e->index);
		break;
	case EVENT_BURST:
		pacing_burst(s, e->index);
		break;
	case EVENT_CNP:
		pacing_on_cnp(s, e->index);
		break;
	}
}

void sim_run(struct sim *s, uint64_t until_ns)
{
	struct event e;

	while (events_take(&s->events, until_ns, &e)) {
		s->now_ns = e.at_ns;
		sim_happen(s, &e);
	}
	s->now_ns = until_ns;
}

bool sim_is_over(const struct sim *s)
{
	uint32_t i;

	for (i = 0; i < s->flows; i++)
		if (s->flow[i].size && !s->flow[i].end_ns)
			return false;
	return true;
}

static void sim_add_flows(struct sim *s, const struct flows *planned)
{
	uint32_t i;

	for (i = 0; i < planned->n; i++) {
		const struct flow *f = &planned->flow[i];

		sim_add_flow(s, f->group, f->sender, f->size, f->planned);
	}
	s->planned = s->flows;
	sim_plan_next(s);
	for (i = 0; i < s->scenario.closed; i++)
		sim_add_closed(s, i % s->scenario.senders, 0);
}

int sim_open(struct sim *s, const struct scenario *scenario, char *why, size_t size)
{
	struct flows planned;
	uint32_t i;

	memset(s, 0, sizeof(*s));
	if (scenario_check(scenario, why, size))
		return -1;
	if (scenario_flows(scenario, &planned))
		return fail(why, size, "the flows cannot be drawn");
	s->scenario = *scenario;
	dcqcn_set_params(&s->dcqcn, DCQCN_PAPER, scenario->rate_bps);
	packets_init(&s->packets);
	bottleneck_init(&s->port, &s->packets, scenario->rate_bps, scenario->buffer,
			scenario->seed);
	for (i = 0; i < scenario->senders; i++)
		s->sender[i] = (struct sim_sender) {
			.delay_ns = scenario_delay_ns(scenario, i),
			.ack_ns = scenario_ack_ns(scenario, i),
			.idle = SIM_NONE,
		};
	rng_seed(&s->sizes, scenario->seed, "closed", "size");
	sim_add_flows(s, &planned);
	flows_free(&planned);
	return 0;
}

void sim_close(struct sim *s)
{
	events_free(&s->events);
	packets_free(&s->packets);
	free(s->flow);
	free(s->connection);
	memset(s, 0, sizeof(*s));
}
