/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flows whose senders are paced.
 */
#ifndef ACC_SIM_PACING_H
#define ACC_SIM_PACING_H

#include "host.h"

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

#endif /* ACC_SIM_PACING_H */
