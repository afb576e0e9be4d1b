// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that drivers share.
 */
#include <math.h>
#include <stdio.h>

#include "driver.h"

int64_t driver_common_ns(const struct output_line *line, int64_t raw_ns)
{
	int64_t span_ns = raw_ns - line->raw_ns;

	/* Only what the drift adds is floating: an hour of it is exact to 1 ns. */
	return line->common_ns + span_ns + llround(line->drift * (double)span_ns);
}

int64_t driver_utc_ns(const struct output_line *line, int64_t raw_ns)
{
	int64_t common_ns = driver_common_ns(line, raw_ns);

	return common_ns - leap_ahead_ns(&line->leap, common_ns);
}

int64_t driver_missing_ns(const struct output_line *line, int64_t raw_ns, int64_t real_ns)
{
	int64_t common_ns = driver_common_ns(line, raw_ns);

	return common_ns - leap_nearest_ns(&line->leap, common_ns, common_ns - real_ns) - real_ns;
}

static int64_t driver_grown_ns(const struct output_line *line, int64_t error_ns, int64_t skew_ppb,
			       int64_t raw_ns)
{
	double span_ns = fabs((double)(raw_ns - line->raw_ns));
	double grown_ns = (double)error_ns + ceil(span_ns * (double)skew_ppb / 1e9);

	return grown_ns < 1 ? 1 : grown_ns > 1e18 ? 1000000000000000000 : (int64_t)grown_ns;
}

int64_t driver_error_ns(const struct output_line *line, int64_t raw_ns)
{
	return driver_grown_ns(line, line->error_ns, line->skew_ppb, raw_ns);
}

int64_t driver_utc_error_ns(const struct output_line *line, int64_t raw_ns)
{
	return driver_grown_ns(line, line->utc_error_ns, line->utc_skew_ppb, raw_ns);
}

int64_t driver_upper_error_ns(const struct output_line *line, int64_t raw_ns)
{
	return driver_grown_ns(line, line->upper_error_ns, line->utc_skew_ppb, raw_ns);
}

int64_t driver_max_error_ns(const struct output_line *line, int64_t raw_ns)
{
	int64_t error_ns;

	if (__builtin_add_overflow(driver_error_ns(line, raw_ns), line->asymmetry_ns, &error_ns))
		return INT64_MAX;
	return error_ns;
}
