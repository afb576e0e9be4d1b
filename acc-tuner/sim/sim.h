/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fast model of one switch port and of those who send through it, packet by packet.
 *
 *	sender 0 --link--+
 *	sender 1 --link--+-- port ===[queue]=== receiver
 *	   ...           |
 *
 * Time is whole nanoseconds, all is integers, and chance comes from the seed alone, so that
 * a run has the same result on every machine.  A sender's link is a queue without limit;
 * acknowledgments and notifications come back over idle links, and are never lost.  Each packet
 * is a frame of its own, acknowledged at once; senders with a window send as much at a time as
 * Linux does with TSO.  A host's wake-up takes no time.
 *
 * A lost packet is sent again: after a round trip and the queue as it is if at least three
 * segments of its flow follow, else after DCTCP_RTO_NS.
 */
#ifndef ACC_SIM_SIM_H
#define ACC_SIM_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "bottleneck.h"
#include "dctcp.h"
#include "event.h"
#include "paced.h"
#include "scenario.h"

#define SIM_NONE	UINT32_MAX

/**
 * struct sim_flow - a flow
 * @kind: enum scenario_kind
 * @sender: who sends it
 * @size: bytes, 0 for endless
 * @start_ns: when it was asked for
 * @end_ns: when its last byte came; 0: it has not
 * @left: bytes that were never sent
 * @delivered: bytes that came
 * @connection: of DCTCP, SIM_NONE before it has one
 * @due_ns: when a paced flow may send next; UINT64_MAX: it has nothing to send
 * @paced: the sender of a paced one
 */
struct sim_flow {
	uint32_t kind;
	uint32_t sender;
	uint64_t size;
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t left;
	uint64_t delivered;
	uint32_t connection;
	uint64_t due_ns;
	struct paced paced;
};

/**
 * struct sim_connection - a connection of a sender
 * @window: what it may send
 * @flow: flow that it carries, or carried last
 * @inflight: packets sent and not acknowledged
 * @limited: its flow had more to send than the window allowed
 * @idle_ns: when its last flow ended
 * @next: behind it among the idle ones, SIM_NONE for none
 */
struct sim_connection {
	struct dctcp window;
	uint32_t flow;
	uint32_t inflight;
	bool limited;
	uint64_t idle_ns;
	uint32_t next;
};

/**
 * struct sim_sender - a host that sends
 * @delay_ns: of its link
 * @ack_ns: from the receiver back to it
 * @free_ns: when its link is free
 * @idle: connection that became idle last, SIM_NONE for none
 */
struct sim_sender {
	uint64_t delay_ns;
	uint64_t ack_ns;
	uint64_t free_ns;
	uint32_t idle;
};

/**
 * struct sim - a run
 * @scenario: what is simulated
 * @dcqcn: constants of paced senders
 * @now_ns: time
 * @events: what will happen
 * @packets: packets on their way
 * @port: the port
 * @sender: hosts
 * @flow: flows, those that are planned among them
 * @flows: how many
 * @room: of @flow
 * @started: of those planned at first, how many have begun
 * @planned: how many were planned at first
 * @connection: connections
 * @connections: how many
 * @connection_room: of @connection
 * @sizes: chance of a closed loop's sizes
 */
struct sim {
	struct scenario scenario;
	struct dcqcn_params dcqcn;
	uint64_t now_ns;
	struct events events;
	struct packets packets;
	struct bottleneck port;
	struct sim_sender sender[SCENARIO_SENDERS];
	struct sim_flow *flow;
	uint32_t flows;
	uint32_t room;
	uint32_t started;
	uint32_t planned;
	struct sim_connection *connection;
	uint32_t connections;
	uint32_t connection_room;
	struct rng sizes;
};

/**
 * sim_open() - make a run, at time 0
 * @s: filled; sim_close() frees it
 * @scenario: what is simulated; its sizes must outlive the run
 * @why: filled if it is refused
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int sim_open(struct sim *s, const struct scenario *scenario, char *why, size_t size);

/**
 * sim_run() - let time go on
 * @s: the run
 * @until_ns: until then, not before @s->now_ns
 */
void sim_run(struct sim *s, uint64_t until_ns);

/**
 * sim_is_over() - has every flow with a size ended?
 * @s: the run
 *
 * Return: true if nothing more can come.
 */
bool sim_is_over(const struct sim *s);

/**
 * sim_close() - free a run
 * @s: the run
 */
void sim_close(struct sim *s);

#endif /* ACC_SIM_SIM_H */
