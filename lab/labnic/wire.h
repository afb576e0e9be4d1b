/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arithmetics of a wire: when does a frame end that is handed over now?
 * Pure: the clock is an argument, nothing is allocated, nothing is read back
 * from a timer, so that the wire's times are exact whatever the host does.
 */
#ifndef LABNIC_WIRE_H
#define LABNIC_WIRE_H

#include "../../kernel/algo/port.h"

/* Preamble with start delimiter; with it frame check sequence, gap between frames. */
#define LABNIC_WIRE_PREAMBLE 8
#define LABNIC_WIRE_OVERHEAD (LABNIC_WIRE_PREAMBLE + 4 + 12)
/* The shortest frame, 64 bytes with its check sequence, and the same overhead. */
#define LABNIC_WIRE_MIN (64 + 8 + 12)

/**
 * struct labnic_wire - one direction of a link
 * @rate_bps: bit/s, 1 to 4 * 10^11
 * @end_ns: when the last frame is out, rounded down to ns
 * @rest: what @end_ns was rounded down by, in 1/@rate_bps ns
 */
struct labnic_wire {
	u64 rate_bps;
	u64 end_ns;
	u64 rest;
};

/**
 * labnic_wire_bytes() - bytes of wire time that a frame takes
 * @len: frame length with its Ethernet header, without check sequence, bytes
 *
 * Return: bytes, at least LABNIC_WIRE_MIN.
 */
static inline u32 labnic_wire_bytes(u32 len)
{
	return max(len + (u32)LABNIC_WIRE_OVERHEAD, (u32)LABNIC_WIRE_MIN);
}

/**
 * labnic_wire_preamble_ns() - time from a frame's start to its stamp's point
 * @wire: the wire
 *
 * Return: ns, rounded down.
 */
static inline u64 labnic_wire_preamble_ns(const struct labnic_wire *wire)
{
	return div64_u64(LABNIC_WIRE_PREAMBLE * 8 * 1000000000ULL,
			 wire->rate_bps);
}

void labnic_wire_init(struct labnic_wire *wire, u64 rate_bps);
u64 labnic_wire_send(struct labnic_wire *wire, u64 now_ns, u32 wire_bytes);

#endif /* LABNIC_WIRE_H */
