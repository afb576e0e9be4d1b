/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The socket that a flow over UDP is sent by
 */
#ifndef FLOWGEN_OUTLET_H
#define FLOWGEN_OUTLET_H

#include <sys/types.h>

#include "flows.h"
#include "loop.h"

/**
 * struct outlet - how it is to be
 * @sndbuf: bytes that its buffer holds; the kernel doubles it and counts its own overhead
 * @ect: packets are ECN-capable
 * @drops: a send that the queue discipline drops fails with ENOBUFS
 */
struct outlet {
	int sndbuf;
	bool ect;
	bool drops;
};

/**
 * outlet_open() - make the socket of a flow, connected to its receiver's sink
 * @w: watch without a descriptor; it is added to the loop, for input
 * @flows: all flows
 * @t: hosts and groups
 * @f: the flow
 * @outlet: how the socket is to be
 *
 * Return: 0, or -1 with errno set.
 */
int outlet_open(struct watch *w, const struct flows *flows, const struct traffic *t,
		const struct flow *f, const struct outlet *outlet);

/**
 * outlet_send() - send packets that lie behind each other
 * @fd: socket
 * @packets: headers and payload
 * @len: their bytes; all packets but the last are full
 * @departs: when they leave, ns of CLOCK_MONOTONIC, if the queue discipline holds to it
 *
 * Return: as of sendmsg(2), which does not wait.
 */
ssize_t outlet_send(int fd, void *packets, size_t len, u64 departs);

#endif
