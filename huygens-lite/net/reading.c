// SPDX-License-Identifier: GPL-2.0
/*
 * Two of the kernel's clocks, read together.
 */
#include "reading.h"

#define READING_NS		1000000000LL
/* One that is shorter is short enough; so many are tried. */
#define READING_SHORT_NS	200
#define READING_TRIES	4

int64_t reading_now(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * READING_NS + ts.tv_nsec;
}

struct reading reading_take(clockid_t by, clockid_t of)
{
	struct reading best = { .half_ns = INT64_MAX };
	int i;

	for (i = 0; i < READING_TRIES && best.half_ns > READING_SHORT_NS; i++) {
		int64_t before = reading_now(by);
		int64_t there = reading_now(of);
		int64_t after = reading_now(by);
		int64_t half = (after - before + 1) / 2;

		if (half < best.half_ns)
			best = (struct reading){
				.at_ns = before + half,
				.off_ns = there - before - half,
				.half_ns = half,
			};
	}
	return best;
}

bool reading_is_off(double off_ns, int64_t after_ns, int64_t unsure_ns)
{
	double most = READING_STEP_NS + unsure_ns +
		      READING_TURN_PPB / 1e9 * (double)after_ns;

	return off_ns > most || off_ns < -most;
}
