// SPDX-License-Identifier: GPL-2.0
/*
 * UTC from a clock device.
 */
#include <errno.h>

#include "utc_clock.h"

int utc_clock_open(struct utc_clock *utc, const char *path, char *why, size_t size)
{
	utc_clock_forget(utc);
	phc_close(&utc->phc);
	utc->lost = phc_open(&utc->phc, path, PHC_PRECISE, PHC_BASIC, why, size);
	return utc->lost ? -1 : 0;
}

enum utc_clock_event utc_clock_sample(struct utc_clock *utc, const struct local_clock *clock)
{
	bool was_lost = utc->lost;
	int64_t phc_ns, real_ns, half_ns;
	struct reading reading;

	if (utc->phc.fd < 0)
		return UTC_CLOCK_QUIET;
	half_ns = phc_sample(&utc->phc, &phc_ns, &real_ns);
	utc->lost = half_ns < 0;
	if (utc->lost) {
		utc->error = errno;
		utc_clock_forget(utc);
		return was_lost ? UTC_CLOCK_QUIET : UTC_CLOCK_LOST;
	}
	reading = clock_phc_reading(clock, phc_ns, real_ns, half_ns);
	utc->step_ns = utc->line.readings ?
		       phc_ns - phc_line_at(&utc->line, reading.at_ns) : 0;
	if (phc_line_take(&utc->line, &reading))
		return UTC_CLOCK_STEPPED;
	return was_lost ? UTC_CLOCK_BACK : UTC_CLOCK_QUIET;
}

void utc_clock_forget(struct utc_clock *utc)
{
	utc->line.readings = 0;
}

bool utc_clock_read(const struct utc_clock *utc, const struct local_clock *clock,
		    struct line *line, double *error_ns)
{
	const struct phc_line *phc = &utc->line;
	struct clock_line local = clock_line(clock);

	if (utc->phc.fd < 0 || phc_line_span_ns(phc) < UTC_CLOCK_SPAN_NS)
		return false;
	line->at_ns = clock_local_ns(clock, phc->at_ns);
	line->offset_ns = phc->at_ns + phc->off_ns - line->at_ns;
	line->drift_ppb = ((1 + phc->slope) / (1 + local.drift) - 1) * 1e9;
	*error_ns = (double)phc_line_error_ns(phc) + (double)local.error_ns;
	return true;
}
