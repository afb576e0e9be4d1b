/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the machine was suspended: CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW stop
 * then, CLOCK_BOOTTIME goes on.  Nothing else moves the one against the other.
 */
#ifndef HUYGENS_SUSPEND_H
#define HUYGENS_SUSPEND_H

#include <stdbool.h>
#include <stdint.h>

#include "reading.h"

/* Less than this cannot be distinguished from the time that reading the clocks takes. */
#define SUSPEND_LEAST_NS	10000

/**
 * struct suspend - what was seen last
 * @known: there was a sample
 * @reading: CLOCK_BOOTTIME less CLOCK_MONOTONIC
 */
struct suspend {
	bool		known;
	struct reading	reading;
};

/**
 * suspend_sample() - was it, since the last sample
 * @suspend: zero before the first sample
 *
 * Return: for how long, ns, as well as the kernel knows; 0: it was not.
 */
int64_t suspend_sample(struct suspend *suspend);

#endif /* HUYGENS_SUSPEND_H */
