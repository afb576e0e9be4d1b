// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts that send.
 */
#include "host.h"

bool host_is_stopped(const struct sim *s, const struct sim_flow *f)
{
	return !f->size && s->now_ns >= s->scenario.duration_ns;
}

void host_transmit(struct sim *s, uint32_t packet)
{
	const struct packet *p = &s->packets.at[packet];
	uint32_t index = s->flow[p->flow].sender;
	struct sim_sender *sender = &s->sender[index];

	if (sender->free_ns < s->now_ns)
		sender->free_ns = s->now_ns;
	sender->free_ns += packet_wire_ns(packet_bytes(p), s->scenario.rate_bps);
	events_add_fifo(&s->events, HOST_PACKETS(index), sender->free_ns + sender->delay_ns,
			EVENT_ARRIVAL, packet);
}

uint32_t host_new_packet(struct sim *s, uint32_t flow)
{
	struct sim_flow *f = &s->flow[flow];
	uint32_t payload = f->left < PACKET_PAYLOAD ? f->left : PACKET_PAYLOAD;

	if (f->size)
		f->left -= payload;
	return packets_take(&s->packets, flow, payload);
}
