// SPDX-License-Identifier: GPL-2.0
/*
 * The request, the only message there is
 *
 *	 0     4      5       6   7      8      16     24
 *	| fgr1 | dscp | flags | n | zero | flow | size | n changes of the codepoint |
 *
 * Numbers are big endian.
 */
#include <endian.h>
#include <string.h>

#include "proto.h"

static const u8 magic[4] = { 'f', 'g', 'r', '1' };

size_t request_pack(const struct request *r, u8 *wire)
{
	u64 flow = htobe64(r->flow), size = htobe64(r->size);

	memcpy(wire, magic, sizeof(magic));
	wire[4] = r->dscp;
	wire[5] = r->flags;
	wire[6] = r->demotions.n;
	wire[7] = 0;
	memcpy(wire + 8, &flow, sizeof(flow));
	memcpy(wire + 16, &size, sizeof(size));
	demotions_pack(&r->demotions, wire + REQUEST_BYTES);
	return request_length(wire, REQUEST_BYTES);
}

size_t request_length(const u8 *wire, size_t got)
{
	/* Too many demotions: request_unpack() refuses the request without reading them. */
	if (got < REQUEST_BYTES || wire[6] > DEMOTIONS_MAX)
		return REQUEST_BYTES;
	return REQUEST_BYTES + wire[6] * DEMOTION_BYTES;
}

int request_unpack(struct request *r, const u8 *wire, u64 max)
{
	u64 flow, size;

	if (memcmp(wire, magic, sizeof(magic)) || wire[6] > DEMOTIONS_MAX || wire[7] ||
	    demotions_unpack(&r->demotions, wire[6], wire + REQUEST_BYTES))
		return -1;
	r->dscp = wire[4];
	r->flags = wire[5];
	memcpy(&flow, wire + 8, sizeof(flow));
	memcpy(&size, wire + 16, sizeof(size));
	r->flow = be64toh(flow);
	r->size = be64toh(size);
	if (r->dscp > 63 || r->flags & ~(REQUEST_KEEP | REQUEST_ENDLESS))
		return -1;
	if (r->flags & REQUEST_ENDLESS)
		return r->size || r->flags & REQUEST_KEEP ? -1 : 0;
	return !r->size || r->size > max ? -1 : 0;
}
