/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The side that sends the data
 */
#ifndef FLOWGEN_SERVER_H
#define FLOWGEN_SERVER_H

#include "flows.h"
#include "traffic.h"

/**
 * struct server_limits - what a server grants to requesters it does not know
 * @max_size: largest flow in bytes
 * @max_conns: connections at a time
 * @request_s: seconds from accept to the end of the first request, or from
 *	the first byte of a later request to its end; 0 for no limit
 * @idle_s: seconds without progress, or between requests; 0 for no limit
 * @max_files: files that this process may have open, for messages
 * @few_files: it is they that @max_conns follows from
 */
struct server_limits {
	u64 max_size;
	u64 max_conns;
	u64 request_s;
	u64 idle_s;
	u64 max_files;
	bool few_files;
};

/**
 * struct server_counts - what a server saw
 * @accepted: connections taken
 * @turned_away: connections closed at once because of max_conns, or without memory or file
 * @requests: valid requests
 * @bad_requests: connections ended for an invalid request
 * @timed_out: connections ended by a time limit
 * @bytes: payload handed to the kernel
 * @no_files: of @turned_away: those for which no file could be opened
 */
struct server_counts {
	u64 accepted;
	u64 turned_away;
	u64 requests;
	u64 bad_requests;
	u64 timed_out;
	u64 bytes;
	u64 no_files;
};

/**
 * server_open() - set the servers of this process up
 * @limits: limits, used from then on
 * @flows: flows of this process, whose figures the servers fill in; or NULL
 *	when requesters are elsewhere
 * @drained: called whenever the last connection is gone, or NULL
 *
 * Return: 0, or -1 after a message.
 */
int server_open(const struct server_limits *limits, struct flows *flows, void (*drained)(void));

/**
 * server_listen() - listen in the current network namespace
 * @address: where
 * @cc: congestion control of the connections; its number is added to the port
 *
 * Each congestion control needs a listener of its own, because the answer to
 * a SYN already depends on it (DCTCP's negotiates ECN).
 *
 * Return: 0, or -1 with errno set.
 */
int server_listen(const struct sockaddr_storage *address, enum cc cc);

/**
 * server_connections() - count the open connections
 */
u64 server_connections(void);

/**
 * server_settle() - fill in the figures of flows whose connections are open
 */
void server_settle(void);

/**
 * server_get_counts() - tell what the servers saw
 */
const struct server_counts *server_get_counts(void);

#endif
