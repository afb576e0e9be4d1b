/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scenario of the model: senders, their round-trip times, and the flows that they send
 * through one port to one receiver.
 *
 * Open-loop flows are drawn by lab/traffic/flows.c from the same streams as in the laboratory:
 * with its seed, senders and load they are the same flows.  Times are those of the laboratory's
 * star as well: of a base RTT, what a frame of the least size needs on two links, there and
 * back, and 1 us each way behind the port, is not the sender's link's delay.
 */
#ifndef ACC_SIM_SCENARIO_H
#define ACC_SIM_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

#include "../../lab/traffic/flows.h"

#define SCENARIO_SENDERS	64

#define SCENARIO_RATE_LEAST	100000000ULL
#define SCENARIO_RATE_MOST	400000000000ULL
#define SCENARIO_RTT_LEAST_NS	4000ULL
#define SCENARIO_RTT_MOST_NS	100000000ULL
#define SCENARIO_DURATION_MOST	(1000 * NSEC_PER_SEC)
#define SCENARIO_FLOWS_MOST	10000

/* From the port to the receiver. */
#define SCENARIO_BEHIND_NS	1000

/**
 * enum scenario_cc - congestion control of all senders
 * @SCENARIO_DCTCP: dctcp.h; each flow is requested over a connection
 * @SCENARIO_DCQCN: paced.h; each flow is sent unasked
 */
enum scenario_cc { SCENARIO_DCTCP, SCENARIO_DCQCN };

/**
 * struct scenario - what is simulated
 * @cc: congestion control
 * @rate_bps: of all links, SCENARIO_RATE_LEAST to SCENARIO_RATE_MOST
 * @buffer: packets that the port holds, above 0
 * @duration_ns: in which flows begin, and endless ones last; 1 to SCENARIO_DURATION_MOST
 * @seed: of flows and marks
 * @senders: how many, 1 to SCENARIO_SENDERS
 * @rtt_ns: base RTT of each, SCENARIO_RTT_LEAST_NS to SCENARIO_RTT_MOST_NS
 * @pool: connections last, and flows of a sender share them one after the other (dctcp)
 * @sizes: sizes of flows; needed with @load_ppm or @closed
 * @load_ppm: of flows that arrive by themselves, relative to @rate_bps; 0: none
 * @closed: flows of a closed loop: each is followed by another; 0: none
 * @endless: flows that last for the whole duration; 0: none
 * @fan_in: flows that begin together; 0: none
 * @fan_in_bytes: size of each of those
 * @fan_in_ns: from one beginning to the next
 */
struct scenario {
	enum scenario_cc cc;
	uint64_t rate_bps;
	uint32_t buffer;
	uint64_t duration_ns;
	uint64_t seed;
	uint32_t senders;
	uint64_t rtt_ns[SCENARIO_SENDERS];
	bool pool;
	const struct cdf *sizes;
	uint32_t load_ppm;
	uint32_t closed;
	uint32_t endless;
	uint32_t fan_in;
	uint64_t fan_in_bytes;
	uint64_t fan_in_ns;
};

/**
 * enum scenario_kind - which flows of a scenario one belongs to
 * @SCENARIO_LOAD: of the load
 * @SCENARIO_FAN_IN: of those that begin together
 * @SCENARIO_ENDLESS: of those that last
 * @SCENARIO_CLOSED: of the closed loop
 */
enum scenario_kind { SCENARIO_LOAD, SCENARIO_FAN_IN, SCENARIO_ENDLESS, SCENARIO_CLOSED };

/**
 * scenario_range() - RTTs as the laboratory has them for MIN-MAX
 * @s: its @senders is read, its @rtt_ns filled
 * @least_ns: the shortest
 * @most_ns: the longest, not below @least_ns
 *
 * Evenly spaced quantiles of a distribution with a long tail, lab/host/rtt.py.
 */
void scenario_range(struct scenario *s, uint64_t least_ns, uint64_t most_ns);

/**
 * scenario_check() - can it be simulated?
 * @s: the scenario
 * @why: filled if not: which number, and its range
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int scenario_check(const struct scenario *s, char *why, size_t size);

/**
 * scenario_delay_ns() - delay of a sender's link, one way
 * @s: the scenario
 * @sender: its index
 *
 * Return: ns.
 */
uint64_t scenario_delay_ns(const struct scenario *s, uint32_t sender);

/**
 * scenario_ack_ns() - from the receiver back to a sender, on idle links
 * @s: the scenario
 * @sender: its index
 *
 * Return: ns.
 */
uint64_t scenario_ack_ns(const struct scenario *s, uint32_t sender);

/**
 * scenario_flows() - draw the flows that do not depend on others
 * @s: a scenario that scenario_check() passed
 * @flows: filled, by time; each one's group is its enum scenario_kind; flows_free() frees them
 *
 * Return: 0, or -1 after a message.
 */
int scenario_flows(const struct scenario *s, struct flows *flows);

#endif /* ACC_SIM_SCENARIO_H */
