/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fast model of one switch port and of the hosts that send through it, packet by packet.
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
#include <stddef.h>
#include <stdint.h>

#include "host.h"

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
