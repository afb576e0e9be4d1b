// SPDX-License-Identifier: GPL-2.0
/*
 * Flows over connections, whose senders have a window.
 */
#include "memory.h"
#include "window.h"

/* Segments of a GSO packet of 64 KB. */
#define WINDOW_BURST	44

static struct sim_connection *window_of(struct sim *s, uint32_t flow)
{
	return &s->connection[s->flow[flow].connection];
}

static uint32_t window_new(struct sim *s)
{
	s->connection = memory_grow(s->connection, s->connections, &s->connection_capacity,
				    sizeof(*s->connection));
	dctcp_init(&s->connection[s->connections].window);
	return s->connections++;
}

/* The connection that became idle last, as flowgen has it, or a new one after its handshake. */
void window_begin(struct sim *s, uint32_t flow)
{
	struct sim_flow *f = &s->flow[flow];
	struct sim_sender *sender = &s->sender[f->sender];
	uint64_t trip_ns = sender->ack_ns;

	f->connection = f->kind == SCENARIO_LOAD || f->kind == SCENARIO_CLOSED ? sender->idle :
			SIM_NONE;
	if (f->connection == SIM_NONE) {
		f->connection = window_new(s);
		trip_ns += 2 * sender->ack_ns;
	} else {
		sender->idle = s->connection[f->connection].next;
	}
	events_add(&s->events, s->now_ns + trip_ns, EVENT_REQUEST, flow);
}

void window_request(struct sim *s, uint32_t flow)
{
	struct sim_connection *c = window_of(s, flow);

	c->flow = flow;
	if (c->idle_ns && s->now_ns > c->idle_ns)
		dctcp_on_idle(&c->window, s->now_ns - c->idle_ns);
	window_send(s, flow);
}

/*
 * As Linux with TSO a sender waits until a third of its window is free, or all that is left
 * fits, and sends that at once.
 */
static bool window_defers(const struct sim_connection *c, const struct sim_flow *f)
{
	uint64_t left = (f->left + PACKET_PAYLOAD - 1) / PACKET_PAYLOAD;
	uint32_t chunk = c->window.cwnd / 3;

	if (!c->inflight || c->inflight >= c->window.cwnd)
		return false;
	if (chunk > WINDOW_BURST)
		chunk = WINDOW_BURST;
	if (chunk > left)
		chunk = left;
	return c->window.cwnd - c->inflight < chunk;
}

void window_send(struct sim *s, uint32_t flow)
{
	struct sim_connection *c = window_of(s, flow);
	struct sim_flow *f = &s->flow[flow];

	if (host_is_stopped(s, f))
		return;
	if (window_defers(c, f))
		return;
	while (f->left && c->inflight < c->window.cwnd) {
		c->inflight++;
		c->window.sent++;
		host_transmit(s, host_new_packet(s, flow));
	}
	c->limited = f->left;
}

/* In slow start half a window in use is enough to let it grow, as in Linux. */
static bool window_is_limited(const struct sim_connection *c)
{
	const struct dctcp *d = &c->window;

	return c->limited || (d->cwnd < d->ssthresh && d->cwnd < 2 * c->inflight);
}

void window_on_ack(struct sim *s, uint32_t packet)
{
	const struct packet *p = &s->packets.at[packet];
	struct sim_connection *c = window_of(s, p->flow);
	bool limited = window_is_limited(c), marked = p->marked;

	packets_give(&s->packets, packet);
	c->inflight--;
	dctcp_on_ack(&c->window, marked, limited);
	window_send(s, c->flow);
}

void window_end(struct sim *s, uint32_t flow)
{
	struct sim_flow *f = &s->flow[flow];
	struct sim_sender *sender = &s->sender[f->sender];

	if (!s->scenario.pool)
		return;
	window_of(s, flow)->idle_ns = f->end_ns;
	window_of(s, flow)->next = sender->idle;
	sender->idle = f->connection;
}

void window_on_loss(struct sim *s, uint32_t flow)
{
	bool follows = s->flow[flow].left >= 3 * PACKET_PAYLOAD || window_of(s, flow)->inflight > 3;

	dctcp_on_loss(&window_of(s, flow)->window, !follows);
}
