/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hosts that send, and the state of the run that they are in: what window.h and pacing.h,
 * which say when a flow may send, and sim.h, which says what happens then, have in common.
 */
#ifndef ACC_SIM_HOST_H
#define ACC_SIM_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "bottleneck.h"
#include "dctcp.h"
#include "event.h"
#include "paced.h"
#include "scenario.h"

#define SIM_NONE	UINT32_MAX

/* FIFOs of events: packets on the sender's link, and acknowledgments back to it. */
#define HOST_PACKETS(sender)	(sender)
#define HOST_ACKS(sender)	(SCENARIO_SENDERS + (sender))

/**
 * struct sim_flow - a flow
 * @kind: enum scenario_kind
 * @sender: the host that sends it
 * @size: bytes, 0 for endless
 * @start_ns: when it was requested
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
 * @capacity: of @flow
 * @started: of those planned at first, how many have begun
 * @planned: how many were planned at first
 * @connection: connections
 * @connections: how many
 * @connection_capacity: of @connection
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
	uint32_t capacity;
	uint32_t started;
	uint32_t planned;
	struct sim_connection *connection;
	uint32_t connections;
	uint32_t connection_capacity;
	struct rng sizes;
};

/**
 * host_transmit() - a packet enters its sender's link
 * @s: the run
 * @packet: its index
 */
void host_transmit(struct sim *s, uint32_t packet);

/**
 * host_new_packet() - the next packet of a flow
 * @s: the run
 * @flow: its index; it has something left to send
 *
 * Return: the packet's index.
 */
uint32_t host_new_packet(struct sim *s, uint32_t flow);

/**
 * host_is_stopped() - does a flow send no more of its own accord?
 * @s: the run
 * @f: the flow
 *
 * Return: true for an endless one whose time is over.
 */
bool host_is_stopped(const struct sim *s, const struct sim_flow *f);

#endif /* ACC_SIM_HOST_H */
