/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The datagrams of flows that are paced at a rate (cc=dcqcn)
 *
 * A source sends numbered packets, all of the same payload but the last. The
 * sink takes them in order alone; it answers marks, gaps and the end.
 */
#ifndef FLOWGEN_DATAGRAM_H
#define FLOWGEN_DATAGRAM_H

#include "types.h"

/* The header, which is all of a datagram that is not DATA. */
#define DATAGRAM_BYTES	24

/* As many as a GSO datagram of 64 KB holds. */
#define BURST_MAX	44

/**
 * enum datagram_kind - what it says
 * @DATAGRAM_DATA: source to sink: packet number @packet
 * @DATAGRAM_CNP: sink to source: a marked packet came
 * @DATAGRAM_NACK: sink to source: send again from number @packet on
 * @DATAGRAM_DONE: sink to source: everything is there
 */
enum datagram_kind { DATAGRAM_DATA, DATAGRAM_CNP, DATAGRAM_NACK, DATAGRAM_DONE, DATAGRAM_KINDS };

/**
 * struct datagram - the header
 * @kind: DATAGRAM_*
 * @flow: id of the flow
 * @packet: number of a packet, from 0; 0 where there is none
 */
struct datagram {
	u8 kind;
	u64 flow;
	u64 packet;
};

/**
 * datagram_pack() - write a header as it is sent
 * @d: header
 * @wire: DATAGRAM_BYTES bytes
 */
void datagram_pack(const struct datagram *d, u8 *wire);

/**
 * datagram_unpack() - read a header as it came; trusts nothing
 * @d: receives it
 * @wire: what came
 * @len: length of the datagram
 *
 * Return: 0, or -1 if it is not a valid one.
 */
int datagram_unpack(struct datagram *d, const u8 *wire, size_t len);

/**
 * datagram_payload() - most payload of a packet that fits an Ethernet frame
 * @family: AF_INET or AF_INET6
 *
 * Return: bytes; with AF_INET as many as of TCP with time stamps.
 */
u32 datagram_payload(int family);

/**
 * datagram_packets() - packets of a flow
 * @size: its bytes, 0 for endless
 * @payload: of a packet
 */
u64 datagram_packets(u64 size, u32 payload);

/**
 * datagram_length() - bytes of a packet, header and payload
 * @size: bytes of its flow, 0 for endless
 * @payload: of a packet
 * @packet: number, below datagram_packets()
 */
u32 datagram_length(u64 size, u32 payload, u64 packet);

/**
 * datagram_wire_bytes() - what packets take of the wire
 * @packets: how many
 * @bytes: their datagram_length() in sum
 * @family: AF_INET or AF_INET6
 *
 * Return: bytes with all headers, preamble, FCS and gap.
 */
u64 datagram_wire_bytes(u32 packets, u64 bytes, int family);

#endif
