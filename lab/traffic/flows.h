/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every flow of a run, drawn before it starts
 */
#ifndef FLOWGEN_FLOWS_H
#define FLOWGEN_FLOWS_H

#include <stdio.h>

#include "traffic.h"
#include "types.h"

/* More flows than this are refused: about 1.9 GB of memory. */
#define FLOWS_MAX	(1U << 24)

/* A figure that the kernel did not give. */
#define UNKNOWN		UINT32_MAX

/**
 * enum flow_end - how a flow ended
 * @END_NONE: it has not, or never began
 * @END_DONE: its last byte was read
 * @END_STOPPED: endless, and its time was over
 * @END_FAILED: the connection failed
 */
enum flow_end { END_NONE, END_DONE, END_STOPPED, END_FAILED };

/**
 * struct flow - one flow: first what was planned, then what happened
 * @planned: when it is to start, ns after the epoch
 * @size: bytes, 0 for endless
 * @pace_bps: most that its sender's kernel paces it at, 0: it is not limited (TCP)
 * @group: index of its group
 * @sender: index of the host that sends the data
 * @receiver: index of the host that requests and receives it
 * @query: which query, or worker, of its group it belongs to, from 0
 * @chained: it starts when its worker's flow before it has ended, if that is in time
 * @order: its place among the flows of its group
 * @started: when it was requested, ns after the epoch
 * @ended: when its last byte was read, ns after the epoch
 * @bytes: bytes read
 * @retrans: packets sent again by both ends, or UNKNOWN
 * @timeouts: retransmission timeouts of both ends, or UNKNOWN
 * @delivered_ce: packets of the sender that arrived CE, or UNKNOWN
 * @min_rtt_us: least round-trip time the sender saw, or UNKNOWN
 * @cnps: congestion notifications that the sender got (cc=dcqcn)
 * @offered: payload that was due to be sent, bytes (cc=cbr)
 * @accepted: as much of it as the sender's host had space for (cc=cbr)
 * @end: how it ended
 * @reused: it ran on a connection that another flow had used
 * @begun: it was requested
 */
struct flow {
	u64 planned;
	u64 size;
	u64 pace_bps;
	u32 group;
	u32 sender;
	u32 receiver;
	u32 query;
	u32 order;
	bool chained;

	s64 started;
	s64 ended;
	u64 bytes;
	u32 retrans;
	u32 timeouts;
	u32 delivered_ce;
	u32 min_rtt_us;
	u32 cnps;
	u64 offered;
	u64 accepted;
	u8 end;
	bool reused;
	bool begun;
};

/**
 * struct flows - the flows of a run in the order of their start
 * @flow: flows; a flow's place is its id
 * @n: how many
 */
struct flows {
	struct flow *flow;
	u32 n;
};

/**
 * flows_build() - draw all flows
 * @flows: receives them
 * @t: traffic
 * @seed: the run's seed
 *
 * A function of its arguments alone: no clock, no network, no floating point.
 *
 * Return: 0 (release with flows_free()), or -1 after a message.
 */
int flows_build(struct flows *flows, const struct traffic *t, u64 seed);

/**
 * flows_print() - write the flows as CSV
 * @flows: flows
 * @t: traffic
 * @f: where to
 */
void flows_print(const struct flows *flows, const struct traffic *t, FILE *f);

/**
 * flows_free() - release the flows
 * @flows: flows
 */
void flows_free(struct flows *flows);

#endif
