/* SPDX-License-Identifier: GPL-2.0 */
/* The lab's true time, in ns, and waiting for one without slack. */
#ifndef LABNIC_BURSTS_INSTANT_H
#define LABNIC_BURSTS_INSTANT_H

#include <err.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <time.h>

#define INSTANT_S 1000000000LL

static inline void instant_begin(void)
{
	if (prctl(PR_SET_TIMERSLACK, 1))
		err(1, "timer slack");
}

static inline int64_t instant_now(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts))
		err(1, "clock_gettime");
	return ts.tv_sec * INSTANT_S + ts.tv_nsec;
}

static inline struct timespec instant_spec(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / INSTANT_S,
				  .tv_nsec = ns % INSTANT_S };
}

#endif /* LABNIC_BURSTS_INSTANT_H */
