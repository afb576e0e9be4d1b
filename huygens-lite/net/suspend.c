// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the machine was suspended.
 */
#include <time.h>

#include "suspend.h"

#define SUSPEND_NS	1000000000LL
/* A look that is shorter is short enough; so many are tried. */
#define SUSPEND_SHORT_NS	200
#define SUSPEND_LOOKS		4

static int64_t suspend_read(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * SUSPEND_NS + ts.tv_nsec;
}

/* The shortest of some looks; one that a suspend is in the middle of is not. */
static struct suspend suspend_shoot(void)
{
	struct suspend best = { .half_ns = INT64_MAX };
	int i;

	for (i = 0; i < SUSPEND_LOOKS && best.half_ns > SUSPEND_SHORT_NS; i++) {
		int64_t before = suspend_read(CLOCK_MONOTONIC);
		int64_t boot = suspend_read(CLOCK_BOOTTIME);
		int64_t after = suspend_read(CLOCK_MONOTONIC);
		int64_t half = (after - before + 1) / 2;

		if (half < best.half_ns)
			best = (struct suspend){
				.known = true,
				.off_ns = boot - before - half,
				.half_ns = half,
			};
	}
	return best;
}

int64_t suspend_look(struct suspend *suspend)
{
	struct suspend now = suspend_shoot();
	int64_t asleep_ns = now.off_ns - suspend->off_ns;
	int64_t unsure_ns = SUSPEND_LEAST_NS + now.half_ns + suspend->half_ns;

	if (suspend->known && asleep_ns <= unsure_ns) {
		/* The shorter look stays, or many short ones would add up unseen. */
		if (now.half_ns < suspend->half_ns)
			*suspend = now;
		return 0;
	}
	if (!suspend->known)
		asleep_ns = 0;
	*suspend = now;
	return asleep_ns;
}
