// SPDX-License-Identifier: GPL-2.0
/*
 * Flows whose senders are paced.
 */
#include "pacing.h"

static void pacing_schedule(struct sim *s, uint32_t flow)
{
	struct sim_flow *f = &s->flow[flow];

	if (!f->left) {
		f->due_ns = UINT64_MAX;
		return;
	}
	f->due_ns = paced_next_ns(&f->paced, &s->dcqcn);
	events_add(&s->events, f->due_ns, EVENT_BURST, flow);
}

void pacing_begin(struct sim *s, uint32_t flow)
{
	struct sim_flow *f = &s->flow[flow];

	paced_begin(&f->paced, &s->dcqcn, s->now_ns);
	f->due_ns = s->now_ns;
	pacing_burst(s, flow);
}

void pacing_burst(struct sim *s, uint32_t flow)
{
	struct sim_flow *f = &s->flow[flow];
	uint64_t bytes = 0;
	uint32_t packet, n;

	/* Its time was changed after this one was set. */
	if (f->due_ns != s->now_ns || host_is_stopped(s, f))
		return;
	for (n = paced_burst(&f->paced, &s->dcqcn, s->now_ns); n && f->left; n--) {
		packet = host_new_packet(s, flow);
		bytes += packet_bytes(&s->packets.at[packet]) + PACKET_OVERHEAD;
		host_transmit(s, packet);
	}
	paced_on_sent(&f->paced, &s->dcqcn, bytes, s->now_ns);
	pacing_schedule(s, flow);
}

void pacing_receive(struct sim *s, uint32_t packet, uint64_t at_ns)
{
	const struct packet *p = &s->packets.at[packet];
	struct sim_flow *f = &s->flow[p->flow];

	if (p->marked && dcqcn_on_mark(&s->dcqcn, &f->paced.np, at_ns))
		events_add(&s->events, at_ns + s->sender[f->sender].ack_ns, EVENT_CNP, p->flow);
	packets_give(&s->packets, packet);
}

void pacing_on_cnp(struct sim *s, uint32_t flow)
{
	paced_on_cnp(&s->flow[flow].paced, &s->dcqcn, s->now_ns);
	if (s->flow[flow].due_ns != UINT64_MAX)
		pacing_schedule(s, flow);
}
