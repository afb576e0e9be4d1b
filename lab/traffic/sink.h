/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The side that receives flows paced at a rate (cc=dcqcn), and notifies
 */
#ifndef FLOWGEN_SINK_H
#define FLOWGEN_SINK_H

#include "rated.h"

/**
 * sink_open() - set the sinks up
 * @job: the run, used until its end
 *
 * Return: 0, or -1 after a message.
 */
int sink_open(const struct rated_job *job);

/**
 * sink_listen() - receive in the current network namespace
 * @host: index of the host it is
 * @address: where; CC_DCQCN is added to the port
 *
 * Return: 0, or -1 with errno set.
 */
int sink_listen(u32 host, const struct sockaddr_storage *address);

#endif
