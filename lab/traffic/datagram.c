// SPDX-License-Identifier: GPL-2.0
/*
 * The datagrams of flows that are paced at a rate (cc=dcqcn)
 *
 *	 0     4     5      8             16            24
 *	| fgd1 | kind | zero | flow        | packet      | payload     big endian
 */
#include <endian.h>
#include <string.h>
#include <sys/socket.h>

#include "datagram.h"

#define MTU		1500
#define UDP_HEADER	8
#define IPV4_HEADER	20
#define IPV6_HEADER	40

/* Ethernet header, FCS, preamble and gap. */
#define ETHERNET	38

static const u8 magic[4] = { 'f', 'g', 'd', '1' };

static u32 ip_header(int family)
{
	return family == AF_INET6 ? IPV6_HEADER : IPV4_HEADER;
}

void datagram_pack(const struct datagram *d, u8 *wire)
{
	u64 flow = htobe64(d->flow), packet = htobe64(d->packet);

	memcpy(wire, magic, sizeof(magic));
	wire[4] = d->kind;
	memset(wire + 5, 0, 3);
	memcpy(wire + 8, &flow, sizeof(flow));
	memcpy(wire + 16, &packet, sizeof(packet));
}

int datagram_unpack(struct datagram *d, const u8 *wire, size_t len)
{
	u64 flow, packet;

	if (len < DATAGRAM_BYTES || memcmp(wire, magic, sizeof(magic)) ||
	    wire[4] >= DATAGRAM_KINDS || wire[5] || wire[6] || wire[7])
		return -1;
	d->kind = wire[4];
	memcpy(&flow, wire + 8, sizeof(flow));
	memcpy(&packet, wire + 16, sizeof(packet));
	d->flow = be64toh(flow);
	d->packet = be64toh(packet);
	if (d->packet && (d->kind == DATAGRAM_CNP || d->kind == DATAGRAM_DONE))
		return -1;
	return (d->kind == DATAGRAM_DATA) == (len > DATAGRAM_BYTES) ? 0 : -1;
}

u32 datagram_payload(int family)
{
	return MTU - ip_header(family) - UDP_HEADER - DATAGRAM_BYTES;
}

u64 datagram_packets(u64 size, u32 payload)
{
	return size ? (size + payload - 1) / payload : UINT64_MAX;
}

u32 datagram_length(u64 size, u32 payload, u64 packet)
{
	u64 before = packet * payload;

	if (!size || size - before > payload)
		return DATAGRAM_BYTES + payload;
	return DATAGRAM_BYTES + (size - before);
}

u64 datagram_wire_bytes(u32 packets, u64 bytes, int family)
{
	return bytes + (u64)packets * (UDP_HEADER + ip_header(family) + ETHERNET);
}
