// SPDX-License-Identifier: GPL-2.0
/*
 * The system's clocks.
 */
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "system.h"
#include "timens.h"

#define SYSTEM_S_NS	1000000000LL
/* So often both are read: the tightest of the pairs counts. */
#define SYSTEM_READS	5

static int64_t system_read_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * SYSTEM_S_NS + t.tv_nsec;
}

void system_pair(int64_t *raw_ns, int64_t *real_ns)
{
	int64_t before_ns, real, after_ns, least_ns = INT64_MAX;
	int i;

	for (i = 0; i < SYSTEM_READS; i++) {
		before_ns = system_read_ns(CLOCK_MONOTONIC_RAW);
		real = system_read_ns(CLOCK_REALTIME);
		after_ns = system_read_ns(CLOCK_MONOTONIC_RAW);
		if (after_ns - before_ns >= least_ns)
			continue;
		least_ns = after_ns - before_ns;
		*raw_ns = before_ns + least_ns / 2;
		*real_ns = real;
	}
}

/* Time that passes between the two makes the difference less, so the greatest counts. */
int64_t system_asleep(void)
{
	int64_t most_ns = INT64_MIN;
	int i;

	for (i = 0; i < SYSTEM_READS; i++) {
		int64_t boot_ns = system_read_ns(CLOCK_BOOTTIME);
		int64_t asleep_ns = boot_ns - system_read_ns(CLOCK_MONOTONIC);

		if (asleep_ns > most_ns)
			most_ns = asleep_ns;
	}
	return most_ns;
}

int64_t system_coarse_ns(void)
{
	return system_read_ns(CLOCK_MONOTONIC_COARSE);
}

int64_t system_tick_ns(void)
{
	struct timespec t = { 0 };

	clock_getres(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_sec * SYSTEM_S_NS + t.tv_nsec;
}

int system_raw_ahead(int64_t *ahead_ns)
{
	return timens_read("/proc/self/timens_offsets", ahead_ns);
}

int system_discipline(struct timex *timex)
{
	return clock_adjtime(CLOCK_REALTIME, timex) < 0 ? -1 : 0;
}

int system_timer(void)
{
	return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

void system_set_timer(int fd, int64_t ns)
{
	struct itimerspec when = {
		.it_value = { ns / SYSTEM_S_NS, ns % SYSTEM_S_NS },
	};

	timerfd_settime(fd, 0, &when, NULL);
}
