/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time series of the bytes that each group has received
 */
#ifndef FLOWGEN_SERIES_H
#define FLOWGEN_SERIES_H

#include "traffic.h"
#include "types.h"

/**
 * series_open() - begin to write the time series
 * @path: file, or NULL for none
 * @step: from one point to the next, ns
 * @epoch: when time 0 of the flows is, ns of CLOCK_MONOTONIC; the first point is there
 * @t: traffic, used until the end
 *
 * Return: 0, or -1 after a message.
 */
int series_open(const char *path, u64 step, u64 epoch, const struct traffic *t);

/**
 * series_close() - write the last point, and finish the file
 *
 * Return: 0, or -1 after a message.
 */
int series_close(void);

#endif
