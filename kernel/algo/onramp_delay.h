/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: the one-way delay of a segment, from the record of its packet and the
 * stamp of its arrival.
 *
 *   O = rx - tx - later [- backlog]
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, section 4.1, 1 and 2:
 * O is the difference of two stamps; a packet that is cut by the NIC has one of
 * them, so that its last segments seem to take longer than they do.  The paper
 * leaves it at that; both corrections are not in it.
 *
 *   later    by how much the segment left after the GSO packet that it was in:
 *            what lies before it, on a link of known speed.  If the speed is not
 *            known O is left as it is, and the threshold is raised by what a
 *            slow link would have taken.
 *   backlog  what the NIC had not sent yet when the packet came to it: a queue,
 *            but the host's own, which a hold does not shorten.  It is taken out
 *            if it is configured, and the speed is known.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_DELAY_H
#define SHARPRAMP_ALGO_ONRAMP_DELAY_H

#include "onramp_ring.h"
#include "port.h"

/* A link whose speed nobody knows is that slow. */
#define ONRAMP_UNKNOWN_BPS 10000000000ULL
/* 1 GiB: more bytes than that are not waited for, and the product is below 2^63. */
#define ONRAMP_LINK_BYTES_MAX 1073741824ULL

/**
 * struct onramp_delay - a segment's
 * @owd_ns: one-way delay; clocks err, so it may be negative
 * @later_ns: how long after its packet the segment left
 * @margin_ns: to be added to the threshold, for a correction that is not known
 * @no_rate: that is so
 */
struct onramp_delay {
	s64 owd_ns;
	u64 later_ns;
	u64 margin_ns;
	bool no_rate;
};

/**
 * onramp_link_ns() - how long a link takes for some bytes
 * @bytes: as on the wire, often none; more than ONRAMP_LINK_BYTES_MAX count as
 *	that
 * @bps: its speed, bits per second, not 0
 *
 * Return: ns, rounded down.
 */
static inline u64 onramp_link_ns(u64 bytes, u64 bps)
{
	if (!bytes)
		return 0;
	return div64_u64(min(bytes, ONRAMP_LINK_BYTES_MAX) * 8 * 1000000000ULL,
			 bps);
}

/**
 * onramp_delay_of() - of a segment that came
 * @x: the packet that it was in
 * @seq: sequence number of its first byte, in @x
 * @rx_ns: when it came, common time
 * @bps: speed of the link that it left by, bits per second; 0: not known
 * @nic_comp: is the NIC's backlog taken out?
 *
 * Return: the delay.
 */
static inline struct onramp_delay
onramp_delay_of(const struct onramp_record *x, u32 seq, u64 rx_ns, u64 bps,
		bool nic_comp)
{
	u64 before_bytes = onramp_record_before(x, seq);
	struct onramp_delay d = {
		.owd_ns = rx_ns - x->common_ns,
		.no_rate = before_bytes && !bps,
	};

	if (d.no_rate)
		d.margin_ns = onramp_link_ns(before_bytes, ONRAMP_UNKNOWN_BPS);
	if (!bps)
		return d;
	d.later_ns = onramp_link_ns(before_bytes, bps);
	d.owd_ns -= d.later_ns;
	if (nic_comp)
		d.owd_ns -= onramp_link_ns(x->backlog_bytes, bps);
	return d;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_DELAY_H */
