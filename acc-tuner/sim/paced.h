/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sender that DCQCN paces: the reaction point of lab/traffic/dcqcn.h, and when its next
 * burst leaves, as lab/traffic/source.c has it.
 */
#ifndef ACC_SIM_PACED_H
#define ACC_SIM_PACED_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lab/traffic/dcqcn.h"

/* Packets that leave at once, at most, and no longer than this at the flow's rate. */
#define PACED_BURST		8
#define PACED_BURST_NS		20000

/**
 * struct paced - a flow's sender and the notification point of its receiver
 * @rp: the reaction point
 * @stats: its counters
 * @np: the notification point
 * @owed: not yet paid of the last burst, bits times 10^9
 * @paid_ns: until then it was paid
 */
struct paced {
	struct dcqcn_vars rp;
	struct dcqcn_stats stats;
	struct dcqcn_np np;
	uint64_t owed;
	uint64_t paid_ns;
};

/**
 * paced_begin() - a flow begins
 * @s: filled
 * @p: constants of DCQCN
 * @now_ns: time
 */
void paced_begin(struct paced *s, const struct dcqcn_params *p, uint64_t now_ns);

/**
 * paced_burst() - how much may leave now
 * @s: state
 * @p: constants
 * @now_ns: time, not before paced_next_ns()
 *
 * Return: packets, 1 to PACED_BURST.
 */
uint32_t paced_burst(struct paced *s, const struct dcqcn_params *p, uint64_t now_ns);

/**
 * paced_on_sent() - a burst has left
 * @s: state
 * @p: constants
 * @wire_bytes: of the burst, with all that the wire has of it
 * @now_ns: time
 */
void paced_on_sent(struct paced *s, const struct dcqcn_params *p, uint64_t wire_bytes,
		   uint64_t now_ns);

/**
 * paced_next_ns() - when the next burst may leave, without further notifications
 * @s: state
 * @p: constants
 *
 * Return: time.
 */
uint64_t paced_next_ns(const struct paced *s, const struct dcqcn_params *p);

/**
 * paced_on_cnp() - a notification comes, or a packet was lost
 * @s: state
 * @p: constants
 * @now_ns: time
 */
void paced_on_cnp(struct paced *s, const struct dcqcn_params *p, uint64_t now_ns);

#endif /* ACC_SIM_PACED_H */
