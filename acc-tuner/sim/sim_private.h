/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two kinds of senders and the run have of each other.
 */
#ifndef ACC_SIM_PRIVATE_H
#define ACC_SIM_PRIVATE_H

#include "sim.h"

/**
 * sim_transmit() - a packet enters its sender's link
 * @s: the run
 * @packet: its index
 */
void sim_transmit(struct sim *s, uint32_t packet);

/**
 * sim_new_packet() - the next packet of a flow
 * @s: the run
 * @flow: its index; it has something left to send
 *
 * Return: the packet's index.
 */
uint32_t sim_new_packet(struct sim *s, uint32_t flow);

/**
 * sim_is_stopped() - does a flow send no more of its own accord?
 * @s: the run
 * @f: the flow
 *
 * Return: true for an endless one whose time is over.
 */
bool sim_is_stopped(const struct sim *s, const struct sim_flow *f);

/**
 * window_begin() - a flow over a connection is asked for
 * @s: the run
 * @flow: its index
 */
void window_begin(struct sim *s, uint32_t flow);

/**
 * window_send() - send as much as the window allows
 * @s: the run
 * @flow: its index
 */
void window_send(struct sim *s, uint32_t flow);

/**
 * window_request() - the request of a flow comes to its sender
 * @s: the run
 * @flow: its index
 */
void window_request(struct sim *s, uint32_t flow);

/**
 * window_on_ack() - an acknowledgment comes
 * @s: the run
 * @packet: what it is for; its place is free afterwards
 */
void window_on_ack(struct sim *s, uint32_t packet);

/**
 * window_end() - a flow's last byte came
 * @s: the run
 * @flow: its index
 */
void window_end(struct sim *s, uint32_t flow);

/**
 * window_on_loss() - a sender knows of a loss
 * @s: the run
 * @flow: whose packet it is
 */
void window_on_loss(struct sim *s, uint32_t flow);

/**
 * pacing_begin() - a paced flow begins
 * @s: the run
 * @flow: its index
 */
void pacing_begin(struct sim *s, uint32_t flow);

/**
 * pacing_burst() - a paced flow may send
 * @s: the run
 * @flow: its index
 */
void pacing_burst(struct sim *s, uint32_t flow);

/**
 * pacing_receive() - a packet of a paced flow comes to the receiver
 * @s: the run
 * @packet: its index
 * @at_ns: when
 */
void pacing_receive(struct sim *s, uint32_t packet, uint64_t at_ns);

/**
 * pacing_on_cnp() - a notification comes to the sender, or it knows of a loss
 * @s: the run
 * @flow: its index
 */
void pacing_on_cnp(struct sim *s, uint32_t flow);

#endif /* ACC_SIM_PRIVATE_H */
