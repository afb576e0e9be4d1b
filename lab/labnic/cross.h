/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cross traffic without packets: bursts that come to a wire at random times and
 * occupy it for as long as their bytes take, ahead of whatever comes later.
 *
 * Bursts come as a Poisson process, their sizes are distributed exponentially,
 * so a wire that has nothing else is a queue of the kind M/M/1.  A burst that
 * finds no space in the port's buffer is lost whole.  What comes in a time in
 * which no frame is sent is reckoned when the next one is: nothing wakes up.
 *
 * Pure; see wire.h.
 */
#ifndef LABNIC_CROSS_H
#define LABNIC_CROSS_H

#include "labnic_uapi.h"
#include "wire.h"

/**
 * struct labnic_cross - the bursts of one direction of a link
 * @gap_ns: mean time from one to the next, 0: there are none
 * @burst: mean bytes of one
 * @limit_ns: how long the wire may be occupied ahead, as the buffer allows
 * @next_ns: when the next comes
 * @random: state of the generator
 */
struct labnic_cross {
	u64 gap_ns;
	u64 burst;
	u64 limit_ns;
	u64 next_ns;
	u64 random;
};

void labnic_cross_init(struct labnic_cross *cross, u64 rate_bps, u64 permille,
		       u64 burst, u64 limit, u64 random);
u64 labnic_cross_pass(struct labnic_cross *cross, struct labnic_wire *wire,
		      u64 now_ns);

#endif /* LABNIC_CROSS_H */
