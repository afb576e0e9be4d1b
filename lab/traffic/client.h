/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The side that requests flows and measures them
 */
#ifndef FLOWGEN_CLIENT_H
#define FLOWGEN_CLIENT_H

#include "flows.h"
#include "traffic.h"

/**
 * struct client_job - what the requesters are to do
 * @flows: flows; what happens to them is written there
 * @traffic: hosts and groups
 * @seed: of the run
 * @epoch: when time 0 of the flows is, ns of CLOCK_MONOTONIC
 * @give_up: ns after the last planned event at which the run ends anyway
 * @lowat: bytes a receiver may sleep over, at least 1
 * @local: the servers are in this process too
 */
struct client_job {
	struct flows *flows;
	const struct traffic *traffic;
	u64 seed;
	u64 epoch;
	u64 give_up;
	u32 lowat;
	bool local;
};

/**
 * struct client_counts - where the run stands
 * @planned: flows that have begun or will; of a closed loop's those whose turn it was
 * @begun: flows requested
 * @ended: flows done, stopped or failed
 * @failed: flows whose connection failed
 */
struct client_counts {
	u32 planned;
	u32 begun;
	u32 ended;
	u32 failed;
};

/**
 * client_check_cc() - is a congestion control there?
 * @family: AF_INET or AF_INET6
 * @cc: which, in the current network namespace
 *
 * Return: 0, or -1 with errno set.
 */
int client_check_cc(int family, enum cc cc);

/**
 * client_open() - begin the run: flows start at their times
 * @job: what to do, used until the end
 *
 * Return: 0, or -1 after a message.
 */
int client_open(const struct client_job *job);

/**
 * client_drained() - to be called when the last server connection is gone
 *
 * Ends the run if every flow has ended.
 */
void client_drained(void);

/**
 * client_received() - tell how much a group has received
 * @group: index of the group
 *
 * Bytes that were read, and those that wait to be read on endless flows: an
 * endless flow's receiver sleeps over many.
 */
u64 client_received(u32 group);

/**
 * client_get_counts() - tell where the run stands
 */
const struct client_counts *client_get_counts(void);

#endif
