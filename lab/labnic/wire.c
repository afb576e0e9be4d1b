// SPDX-License-Identifier: GPL-2.0
/* Arithmetics of a wire, see wire.h. */
#include "wire.h"

#define LABNIC_NS_PER_S 1000000000ULL

/**
 * labnic_wire_init() - an idle wire
 * @wire: wire to set up
 * @rate_bps: bit/s, 1 to 4 * 10^11
 */
void labnic_wire_init(struct labnic_wire *wire, u64 rate_bps)
{
	wire->rate_bps = rate_bps;
	wire->end_ns = 0;
	wire->rest = 0;
}

/**
 * labnic_wire_send() - put a frame on the wire
 * @wire: the wire
 * @now_ns: the time at which the frame is handed over
 * @wire_bytes: labnic_wire_bytes() of the frame, below 2^20
 *
 * The frame starts when it is handed over or when the one before it ends,
 * whichever is later.  Fractions of a nanosecond are carried from frame to
 * frame while the wire stays busy, so that n frames take n times the time of
 * one, rounded once.  2^20 * 8 * 10^9 + rate is below 2^63: no overflow.
 *
 * Return: the time at which the frame ends, rounded down to ns.
 */
u64 labnic_wire_send(struct labnic_wire *wire, u64 now_ns, u32 wire_bytes)
{
	u64 scaled, ns;

	if (now_ns > wire->end_ns) {
		wire->end_ns = now_ns;
		wire->rest = 0;
	}
	scaled = (u64)wire_bytes * 8 * LABNIC_NS_PER_S + wire->rest;
	ns = div64_u64(scaled, wire->rate_bps);
	wire->rest = scaled - ns * wire->rate_bps;
	wire->end_ns += ns;
	return wire->end_ns;
}
