// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the machine was suspended.
 */
#include "suspend.h"

int64_t suspend_sample(struct suspend *suspend)
{
	struct reading now = reading_take(CLOCK_MONOTONIC, CLOCK_BOOTTIME);
	int64_t asleep_ns = now.off_ns - suspend->reading.off_ns;
	int64_t unsure_ns = SUSPEND_LEAST_NS + now.half_ns +
			    suspend->reading.half_ns;

	if (suspend->known && asleep_ns <= unsure_ns) {
		/* The shorter look stays, or many short ones would add up unseen. */
		if (now.half_ns < suspend->reading.half_ns)
			suspend->reading = now;
		return 0;
	}
	if (!suspend->known)
		asleep_ns = 0;
	suspend->known = true;
	suspend->reading = now;
	return asleep_ns;
}
