// SPDX-License-Identifier: GPL-2.0
/*
 * The port of the model.
 */
#include "bottleneck.h"

void bottleneck_init(struct bottleneck *b, struct packets *packets, uint64_t rate_bps,
		     uint32_t limit, uint64_t seed)
{
	*b = (struct bottleneck) {
		.rate_bps = rate_bps,
		.limit = limit,
		.packets = packets,
		.first = PACKET_NONE,
		.last = PACKET_NONE,
		.params = { .ins = ECNSHARP_INS_OFF },
	};
	prng_seed(&b->prng, seed);
}

void bottleneck_set(struct bottleneck *b, const struct template *t)
{
	b->params = (struct ecnsharp_params) {
		.kmin = t->kmin_ns,
		.kmax = t->kmax_ns,
		.pmax_q32 = ((u64)t->pmax_ppm << 32) / TEMPLATE_ONE_PPM,
		.ins = ECNSHARP_INS_RAMP,
	};
}

static void bottleneck_integrate(struct bottleneck *b, uint64_t now_ns)
{
	b->count.backlog_byte_ns += b->backlog * (now_ns - b->since_ns);
	b->since_ns = now_ns;
}

bool bottleneck_enqueue(struct bottleneck *b, uint32_t packet, uint64_t now_ns)
{
	struct packet *p = &b->packets->at[packet];

	b->count.in_packets++;
	b->count.in_bytes += packet_bytes(p);
	if (b->queued == b->limit) {
		b->count.drops++;
		b->count.drop_bytes += packet_bytes(p);
		return false;
	}
	bottleneck_integrate(b, now_ns);
	p->queued_ns = now_ns;
	p->next = PACKET_NONE;
	if (b->first == PACKET_NONE)
		b->first = packet;
	else
		b->packets->at[b->last].next = packet;
	b->last = packet;
	b->queued++;
	b->backlog += packet_bytes(p);
	return true;
}

static void bottleneck_mark(struct bottleneck *b, struct packet *p, uint64_t now_ns)
{
	const struct ecnsharp_sample x = {
		.now_ns = now_ns,
		.sojourn_ns = now_ns - p->queued_ns,
		.backlog_bytes = b->backlog,
		.random = ecnsharp_wants_random(&b->params) ? prng_next(&b->prng) : 0,
	};

	if (ecnsharp_on_dequeue(&b->params, &b->vars, &b->stats, &x) == ECNSHARP_MARK_NONE)
		return;
	p->marked = true;
	b->count.marked_packets++;
	b->count.marked_bytes += packet_bytes(p);
}

uint32_t bottleneck_dequeue(struct bottleneck *b, uint64_t now_ns)
{
	uint32_t packet = b->first;
	struct packet *p;

	if (packet == PACKET_NONE)
		return PACKET_NONE;
	p = &b->packets->at[packet];
	bottleneck_integrate(b, now_ns);
	b->first = p->next;
	b->queued--;
	b->backlog -= packet_bytes(p);
	b->count.tx_packets++;
	b->count.tx_bytes += packet_bytes(p);
	bottleneck_mark(b, p, now_ns);
	b->free_ns = now_ns + packet_wire_ns(packet_bytes(p), b->rate_bps);
	return packet;
}

struct bottleneck_count bottleneck_read(struct bottleneck *b, uint64_t now_ns)
{
	bottleneck_integrate(b, now_ns);
	return b->count;
}
