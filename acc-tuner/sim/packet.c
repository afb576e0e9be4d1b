// SPDX-License-Identifier: GPL-2.0
/*
 * The table of packets.
 */
#include "memory.h"
#include "packet.h"

void packets_init(struct packets *p)
{
	*p = (struct packets){ .vacant = PACKET_NONE };
}

uint32_t packets_take(struct packets *p, uint32_t flow, uint32_t payload)
{
	uint32_t index = p->vacant;

	if (index == PACKET_NONE) {
		p->at = memory_grow(p->at, p->count, &p->capacity, sizeof(*p->at));
		index = p->count++;
	} else {
		p->vacant = p->at[index].next;
	}
	p->used++;
	p->at[index] = (struct packet){ .flow = flow, .payload = payload, .next = PACKET_NONE };
	return index;
}

void packets_give(struct packets *p, uint32_t index)
{
	p->at[index].next = p->vacant;
	p->vacant = index;
	p->used--;
}

void packets_free(struct packets *p)
{
	free(p->at);
	packets_init(p);
}
