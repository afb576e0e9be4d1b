/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The side that sends flows at a constant mean rate (cc=cbr)
 */
#ifndef FLOWGEN_CBR_H
#define FLOWGEN_CBR_H

#include "rated.h"

/**
 * cbr_open() - get ready for the first flow
 * @job: the run
 */
void cbr_open(const struct rated_job *job);

/**
 * cbr_start() - start to send a flow
 * @f: flow
 *
 * Return: 0, or -1 with errno set.
 */
int cbr_start(struct flow *f);

#endif
