/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The side that sends the data of flows paced at a rate (cc=dcqcn)
 */
#ifndef FLOWGEN_SOURCE_H
#define FLOWGEN_SOURCE_H

#include "rated.h"

/**
 * source_open() - set the sources up
 * @job: the run, used until its end
 */
void source_open(const struct rated_job *job);

/**
 * source_start() - begin a flow
 * @f: flow; its start is now
 *
 * Return: 0, or -1 with errno set.
 */
int source_start(struct flow *f);

#endif
