/* SPDX-License-Identifier: GPL-2.0 */
/* The clocks of a machine of the test's own, as the engine samples them. */
#ifndef HUYGENS_TEST_CLOCK_TEST_H
#define HUYGENS_TEST_CLOCK_TEST_H

#include <math.h>
#include <stdlib.h>

#include "../../../selftests/lib/tap.h"
#include "../../net/clock.h"
#include "../../net/suspend.h"
#include "machine.h"

static const struct clock_debug as_it_is;

static inline bool is_near(int64_t a, int64_t b, int64_t ns)
{
	if (llabs(a - b) <= ns)
		return true;
	tap_remark("%lld ns apart", (long long)(a - b));
	return false;
}

/* Look every 100 ms, as the engine does; returns how many saw a step. */
static inline int looks(struct local_clock *clock, int count)
{
	int steps = 0;

	while (count--) {
		machine.raw_ns += 100 * MS;
		steps += clock_has_nic(clock) ? clock_sample_nic(clock) == 1 : clock_sample(clock);
	}
	return steps;
}

/* REALTIME by the line now, less the true one. */
static inline int64_t utc_error(const struct local_clock *clock, const struct line *line,
				int64_t back_ns)
{
	int64_t local_ns = clock_now(clock);
	int64_t real_ns = machine_shows(&machine.real);

	return local_ns - back_ns + line_at(line, local_ns - back_ns) -
	       (real_ns - back_ns - llround(machine.real.ppb / 1e9 * (double)back_ns));
}

/* As engine_utc() asks. */
static inline bool utc_bounded(struct local_clock *clock, struct line *line, double *error_ns)
{
	clock_sample(clock);
	return clock_utc(clock, line, error_ns);
}

static inline bool utc(struct local_clock *clock, struct line *line)
{
	double error_ns;

	return utc_bounded(clock, line, &error_ns);
}

#endif /* HUYGENS_TEST_CLOCK_TEST_H */
