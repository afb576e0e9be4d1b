/* SPDX-License-Identifier: GPL-2.0 */
/* instant.h - a clock's time in ns, and waiting for one */
#ifndef GUEST_INSTANT_H
#define GUEST_INSTANT_H

#include <err.h>
#include <stdint.h>
#include <time.h>

#define INSTANT_S 1000000000LL

static inline int64_t instant_now(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		err(1, "clock_gettime");
	return ts.tv_sec * INSTANT_S + ts.tv_nsec;
}

/* Of CLOCK_MONOTONIC, which is true in the lab. */
static inline void instant_wait(int64_t ns)
{
	struct timespec ts = { .tv_sec = ns / INSTANT_S, .tv_nsec = ns % INSTANT_S };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

#endif /* GUEST_INSTANT_H */
