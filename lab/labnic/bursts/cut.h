/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A burst of cross traffic as UDP datagrams over IPv4 that take the same time
 * on a wire.  Pure.
 */
#ifndef LABNIC_BURSTS_CUT_H
#define LABNIC_BURSTS_CUT_H

#include "../wire.h"

/* Ethernet's header, IPv4's and UDP's. */
#define CUT_HEADERS	(14 + 20 + 8)
/* Payload of the largest frame (MTU 1500), and what that takes on the wire. */
#define CUT_PAYLOAD	(1500 - 20 - 8)
#define CUT_WIRE	(CUT_HEADERS + CUT_PAYLOAD + LABNIC_WIRE_OVERHEAD)
/* Payload of the shortest frame. */
#define CUT_LEAST	(LABNIC_WIRE_MIN - LABNIC_WIRE_OVERHEAD - CUT_HEADERS)
/* Payload that one call sends at most: whole frames, below 64 KB. */
#define CUT_CALL	(44 * CUT_PAYLOAD)

/**
 * cut_payload() - payload of a burst
 * @wire_bytes: of the burst, below 2^31
 *
 * All frames are full but the last, which is no shorter than a frame can be.
 *
 * Return: bytes, to be cut into datagrams of CUT_PAYLOAD and the rest.
 */
static inline u32 cut_payload(u32 wire_bytes)
{
	u32 full = wire_bytes / CUT_WIRE * CUT_PAYLOAD;
	u32 rest = wire_bytes % CUT_WIRE;

	if (!rest)
		return full;
	rest = max_t(u32, rest, LABNIC_WIRE_MIN);
	return full + rest - LABNIC_WIRE_OVERHEAD - CUT_HEADERS;
}

#endif /* LABNIC_BURSTS_CUT_H */
