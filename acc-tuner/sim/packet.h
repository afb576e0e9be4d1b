/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of the model: a table in which a packet is an index.
 */
#ifndef ACC_SIM_PACKET_H
#define ACC_SIM_PACKET_H

#include <stdbool.h>
#include <stdint.h>

/* Most payload of a frame of 1514 bytes: TCP with time stamps, and flowgen's datagrams. */
#define PACKET_PAYLOAD		1448
/* Headers that a qdisc counts, Ethernet's among them; preamble, checksum and gap come to that. */
#define PACKET_HEADERS		66
#define PACKET_OVERHEAD		24
/* A frame without payload, as the wire has it. */
#define PACKET_LEAST_WIRE	84

#define PACKET_NONE		UINT32_MAX

/**
 * struct packet - a packet on its way, or a free place of the table
 * @queued_ns: when it came to the port
 * @flow: whose it is
 * @payload: bytes
 * @next: behind it in the queue, or in the list of free places; PACKET_NONE: nothing
 * @marked: congestion experienced
 */
struct packet {
	uint64_t queued_ns;
	uint32_t flow;
	uint32_t payload;
	uint32_t next;
	bool marked;
};

/**
 * struct packets - the table
 * @at: packets
 * @count: places that were ever used
 * @capacity: of @at
 * @vacant: first free place among those, PACKET_NONE for none
 * @used: packets that are on their way
 */
struct packets {
	struct packet *at;
	uint32_t count;
	uint32_t capacity;
	uint32_t vacant;
	uint32_t used;
};

/**
 * packets_init() - an empty table
 * @p: filled
 */
void packets_init(struct packets *p);

/**
 * packets_take() - a new packet
 * @p: the table
 * @flow: whose it is
 * @payload: bytes, 1 to PACKET_PAYLOAD
 *
 * Return: its index.
 */
uint32_t packets_take(struct packets *p, uint32_t flow, uint32_t payload);

/**
 * packets_give() - a packet has arrived, its place is free
 * @p: the table
 * @index: the packet
 */
void packets_give(struct packets *p, uint32_t index);

/**
 * packets_free() - forget all
 * @p: the table
 */
void packets_free(struct packets *p);

/**
 * packet_bytes() - length as a qdisc counts it
 * @p: a packet
 *
 * Return: bytes with headers.
 */
static inline uint32_t packet_bytes(const struct packet *p)
{
	return p->payload + PACKET_HEADERS;
}

/**
 * packet_wire_ns() - time of a packet on a link
 * @bytes: packet_bytes()
 * @rate_bps: of the link, above 0
 *
 * Return: ns, rounded up.
 */
static inline uint64_t packet_wire_ns(uint32_t bytes, uint64_t rate_bps)
{
	return ((bytes + PACKET_OVERHEAD) * 8000000000ULL + rate_bps - 1) / rate_bps;
}

#endif /* ACC_SIM_PACKET_H */
