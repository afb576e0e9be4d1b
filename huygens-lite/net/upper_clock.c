// SPDX-License-Identifier: GPL-2.0
/*
 * The common time of an upper mesh.
 */
#include <math.h>
#include <stdlib.h>

#include "upper_clock.h"

/* Outputs take no line with more (output.h). */
#define UPPER_CLOCK_DRIFT	(1.0 / 1024)
/* A sum of some fits into messages. */
#define UPPER_CLOCK_ERROR	100000000000LL

void upper_clock_forget(struct upper_clock *upper)
{
	upper->epoch = 0;
	upper->line.readings = 0;
}

static bool upper_clock_is_within(int64_t x, int64_t least, int64_t most)
{
	return x >= least && x <= most;
}

/* BOOTTIME is read before MONOTONIC, so their difference may be below 0. */
static bool upper_clock_has_times(const struct huygens_line *line, int64_t raw_ns)
{
	return upper_clock_is_within(line->raw_ns, 0, WIRE_TIME_MAX) &&
	       upper_clock_is_within(line->asleep_ns, -WIRE_TIME_MAX, WIRE_TIME_MAX) &&
	       upper_clock_is_within(line->common_ns, -WIRE_TIME_MAX, WIRE_TIME_MAX) &&
	       (raw_ns > line->until_ns || llabs(raw_ns - line->raw_ns) <= (int64_t)WIRE_SPAN_MAX);
}

/* An error of UTC may be too large for messages: UTC is not known then. */
static bool upper_clock_has_errors(const struct huygens_line *line)
{
	return upper_clock_is_within(line->error_ns, 1, UPPER_CLOCK_ERROR) &&
	       upper_clock_is_within(line->asymmetry_ns, 0, UPPER_CLOCK_ERROR) &&
	       (!(line->flags & HUYGENS_LINE_UTC) ||
		upper_clock_is_within(line->utc_error_ns, 0, WIRE_TIME_MAX)) &&
	       (!line->upper_epoch ||
		upper_clock_is_within(line->upper_error_ns, 0, WIRE_TIME_MAX));
}

static bool upper_clock_has_leap(const struct huygens_line *line)
{
	return upper_clock_is_within(line->leap, -1, 1) && !line->leap == !line->leap_day &&
	       line->leap_day <= LEAP_DAY_MOST &&
	       upper_clock_is_within(line->tai_s, 0, LEAP_TAI_MOST) &&
	       upper_clock_is_within(line->utc_s, -LEAP_SECONDS_MOST, LEAP_SECONDS_MOST);
}

/* The file is another program's: a report has nothing that messages cannot have. */
static bool upper_clock_is_sane(const struct huygens_line *line, int64_t raw_ns)
{
	return line->epoch && fabs(line->drift) < UPPER_CLOCK_DRIFT &&
	       upper_clock_has_times(line, raw_ns) && upper_clock_has_errors(line) &&
	       upper_clock_has_leap(line);
}

static double upper_clock_utc_ns(const struct huygens_line *line, int64_t raw_ns)
{
	int64_t grown_ns;

	if (!(line->flags & HUYGENS_LINE_UTC))
		return INFINITY;
	grown_ns = huygens_grown(line->utc_error_ns, line->utc_growth_ppb, raw_ns - line->raw_ns);
	return grown_ns <= UPPER_CLOCK_ERROR ? (double)grown_ns : INFINITY;
}

int upper_clock_take(struct upper_clock *upper, const struct huygens_line *line, int64_t raw_ns,
		     int64_t asleep_ns)
{
	bool is_valid = line->flags & HUYGENS_LINE_VALID;
	struct huygens_time now;
	int error = !is_valid ? -ENODATA : !upper_clock_is_sane(line, raw_ns) ? -ERANGE :
		    huygens_at(line, raw_ns, asleep_ns, &now);

	if (!error && now.error_ns > UPPER_CLOCK_ERROR)
		error = -ERANGE;
	if (error || line->epoch != upper->epoch)
		upper_clock_forget(upper);
	if (error)
		return error;
	upper->epoch = line->epoch;
	phc_line_take(&upper->line, &(struct reading){ raw_ns, now.ns - raw_ns, 0 });
	upper->error_ns[(upper->line.readings - 1) % PHC_LINE_READINGS] = now.error_ns;
	upper->leap = (struct leap){ .seconds = line->utc_s, .tai = line->tai_s,
				     .step = line->leap, .day = line->leap_day };
	upper->utc_ns = upper_clock_utc_ns(line, raw_ns);
	return 0;
}

static int64_t upper_clock_error_ns(const struct upper_clock *upper)
{
	int64_t worst_ns = 0;
	uint64_t i;

	for (i = 0; i < upper->line.readings && i < PHC_LINE_READINGS; i++)
		if (upper->error_ns[i] > worst_ns)
			worst_ns = upper->error_ns[i];
	return worst_ns;
}

bool upper_clock_read(const struct upper_clock *upper, const struct clock_line *local,
		      struct mesh_utc *utc)
{
	const struct phc_line *line = &upper->line;
	int64_t ago_ns = local->raw_ns - line->at_ns;

	if (!upper->epoch || phc_line_span_ns(line) < UPPER_CLOCK_SPAN_NS)
		return false;
	*utc = (struct mesh_utc){
		.error_ns = (double)upper_clock_error_ns(upper),
		.read_ns = (double)phc_line_error_ns(line) + (double)local->error_ns,
		.upper = upper->epoch,
		.leap = upper->leap,
		.upper_utc_ns = upper->utc_ns,
	};
	utc->line.at_ns = local->local_ns - ago_ns - line_round(local->drift * (double)ago_ns);
	utc->line.offset_ns = line->at_ns + line->off_ns - utc->line.at_ns;
	utc->line.drift_ppb = ((1 + line->slope) / (1 + local->drift) - 1) * 1e9;
	return true;
}
