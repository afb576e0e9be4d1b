/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: does a receiver ack what leaves on a path?
 *
 * A path that nobody acks holds nothing, and that is as it must be: the peer has
 * no acker, or it does not allow us, or a firewall eats OR-ACKs.  But it must be
 * known, or On-Ramp seems to work and does not.
 *
 * The paper's receivers always ack (Liu et al., NSDI 2021, section 4.1), so the
 * rule is not in the paper.  An acker acks the first packet of a burst at once, one in so
 * many MTUs, and the last within 100 ms at most; so where there is one, nearly
 * each packet is answered within a round trip and that.  A path is unacked if ten
 * packets with payload left, another left half a second after the tenth, and no
 * OR-ACK came meanwhile.  Packets are counted from half a second after the last
 * OR-ACK on, so a path that is acked need not count.
 *
 * It can be wrong where few bytes are sent and the acker is configured to wait for
 * many: every, delay and idle at their most.  The state then ends with the next
 * OR-ACK, and holds never depended on it.
 *
 * Times are of a monotone clock and below 2^63; they may run back between CPUs.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_UNACKED_H
#define SHARPRAMP_ALGO_ONRAMP_UNACKED_H

#include "port.h"

#define ONRAMP_UNACKED_NS 500000000ULL
#define ONRAMP_UNACKED_PACKETS 10

/**
 * struct onramp_unacked - what is known of a path; all zero at the start
 * @acked_ns: when the latest OR-ACK came; 0: none did
 * @full_ns: when the tenth packet without one left, if there were ten
 * @packets: counted without one, at most ten
 * @unacked: nobody acks
 */
struct onramp_unacked {
	u64 acked_ns;
	u64 full_ns;
	u32 packets;
	bool unacked;
};

/**
 * onramp_unacked_is_late() - was there no OR-ACK for a while?
 * @acked_ns: when the latest came; 0: none did
 * @now_ns: time
 *
 * Return: true if packets are to be counted.
 */
static inline bool onramp_unacked_is_late(u64 acked_ns, u64 now_ns)
{
	return !acked_ns || (s64)(now_ns - acked_ns) >= (s64)ONRAMP_UNACKED_NS;
}

/**
 * onramp_unacked_on_packet() - a packet with payload leaves
 * @v: state
 * @now_ns: time
 *
 * Return: true if the path becomes unacked with it.
 */
static inline bool onramp_unacked_on_packet(struct onramp_unacked *v,
					    u64 now_ns)
{
	if (v->unacked || !onramp_unacked_is_late(v->acked_ns, now_ns))
		return false;
	if (v->packets < ONRAMP_UNACKED_PACKETS) {
		v->packets++;
		v->full_ns = now_ns;
		return false;
	}
	v->unacked = (s64)(now_ns - v->full_ns) >= (s64)ONRAMP_UNACKED_NS;
	return v->unacked;
}

/**
 * onramp_unacked_on_ack() - an OR-ACK came
 * @v: state
 * @now_ns: time, not 0
 *
 * Return: true if the path was unacked until now.
 */
static inline bool onramp_unacked_on_ack(struct onramp_unacked *v, u64 now_ns)
{
	bool was_unacked = v->unacked;

	*v = (struct onramp_unacked){ .acked_ns = max(v->acked_ns, now_ns) };
	return was_unacked;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_UNACKED_H */
