/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions shared by both ends of flows over UDP (cc=dcqcn, cc=cbr)
 */
#ifndef FLOWGEN_RATED_H
#define FLOWGEN_RATED_H

#include "flows.h"
#include "traffic.h"

/**
 * struct rated_job - the run
 * @flows: flows; what happens to them is written there
 * @traffic: hosts and groups
 * @seed: the run's
 * @epoch: when time 0 of the flows is, ns of CLOCK_MONOTONIC
 * @take: to be called when bytes of a flow have come, in order
 * @end: to be called when a flow is done or stopped
 * @fail: to be called when one fails: what did, and errno
 */
struct rated_job {
	struct flows *flows;
	const struct traffic *traffic;
	u64 seed;
	u64 epoch;
	void (*take)(struct flow *f, u64 bytes);
	void (*end)(struct flow *f, enum flow_end end);
	void (*fail)(struct flow *f, const char *what, int error);
};

#endif
