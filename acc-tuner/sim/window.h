/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flows over connections, whose senders have a window.
 */
#ifndef ACC_SIM_WINDOW_H
#define ACC_SIM_WINDOW_H

#include "host.h"

/**
 * window_begin() - a flow over a connection is requested
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

#endif /* ACC_SIM_WINDOW_H */
