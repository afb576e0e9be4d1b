// SPDX-License-Identifier: GPL-2.0
/*
 * The line of a clock device's readings.
 */
#include <math.h>
#include <stdlib.h>

#include "../algo/line.h"
#include "../algo/sort.h"
#include "phc_line.h"

/* Fewer readings do not tell how a clock is read. */
#define PHC_LINE_NOISE	8

static uint64_t phc_line_kept(const struct phc_line *line)
{
	return line->readings < PHC_LINE_READINGS ? line->readings : PHC_LINE_READINGS;
}

/* The reading so many before the latest. */
static const struct reading *phc_line_back(const struct phc_line *line, uint64_t back)
{
	return &line->reading[(line->readings - 1 - back) % PHC_LINE_READINGS];
}

/* How far a reading is off the line from the one before it, at a slope. */
static int64_t phc_line_off(const struct reading *reading, const struct reading *before,
			    double slope)
{
	return llabs(reading->off_ns - before->off_ns -
		     line_round(slope * (double)(reading->at_ns - before->at_ns)));
}

/*
 * By how much two readings in a row may differ because of how they are read: three
 * times the median of what each is off the line of the two before it.  A clock that
 * is turned is off once, so that this does not hide it.
 */
static int64_t phc_line_noise(const struct phc_line *line)
{
	uint64_t count = phc_line_kept(line);
	int64_t off[PHC_LINE_READINGS];
	uint64_t i;

	if (count < PHC_LINE_NOISE)
		return phc_line_back(line, 0)->half_ns + phc_line_back(line, 1)->half_ns;
	for (i = 0; i + 2 < count; i++) {
		const struct reading *before = phc_line_back(line, i + 1);
		const struct reading *first = phc_line_back(line, i + 2);
		double slope = (double)(before->off_ns - first->off_ns) /
			       fmax((double)(before->at_ns - first->at_ns), 1);

		off[i] = phc_line_off(phc_line_back(line, i), before, slope);
	}
	sort_ns(off, i);
	return 3 * off[i / 2];
}

/*
 * By how much more than how they are read the last two readings are off the line's
 * slope: another program turned the clock, and the line, of the last 3.2 s, follows
 * later.
 */
static int64_t phc_line_turn(struct phc_line *line)
{
	const struct reading *last, *before;
	int64_t turned_ns, after_ns;

	line->skew = 0;
	if (line->readings < 2)
		return 0;
	last = phc_line_back(line, 0);
	before = phc_line_back(line, 1);
	turned_ns = phc_line_off(last, before, line->slope) - phc_line_noise(line);
	if (turned_ns <= 0)
		return 0;
	after_ns = last->at_ns - before->at_ns;
	if (after_ns > 0)
		line->skew = (double)turned_ns / (double)after_ns;
	return turned_ns;
}

/* Least squares over the readings that there are; ends at the latest. */
static void phc_line_fit(struct phc_line *line)
{
	const struct reading *last = &line->reading[(line->readings - 1) % PHC_LINE_READINGS];
	uint64_t count = phc_line_kept(line);
	double mt = 0, mo = 0, tt = 0, to = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		mt += (double)(line->reading[i].at_ns - last->at_ns) / count;
		mo += (double)(line->reading[i].off_ns - last->off_ns) / count;
	}
	for (i = 0; i < count; i++) {
		double t = (double)(line->reading[i].at_ns - last->at_ns) - mt;

		tt += t * t;
		to += t * ((double)(line->reading[i].off_ns - last->off_ns) - mo);
	}
	/* A clock that was just stepped has the rate that it had. */
	if (tt > 0)
		line->slope = to / tt;
	line->at_ns = last->at_ns;
	line->off_ns = last->off_ns + line_round(mo - line->slope * mt);
	line->error_ns = last->half_ns + 1 +
			llabs(last->off_ns - line->off_ns) + phc_line_turn(line);
}

bool phc_line_take(struct phc_line *line, const struct reading *reading)
{
	int64_t after = reading->at_ns - line->at_ns;
	double off = (double)(reading->off_ns - line->off_ns) - line->slope * (double)after;
	bool stepped = line->readings && reading_is_off(off, after, reading->half_ns);

	if (stepped)
		line->readings = 0;
	line->reading[line->readings++ % PHC_LINE_READINGS] = *reading;
	phc_line_fit(line);
	return stepped;
}

int64_t phc_line_at(const struct phc_line *line, int64_t raw_ns)
{
	return raw_ns + line->off_ns + line_round(line->slope * (double)(raw_ns - line->at_ns));
}

/* The slope's square is below 1 ns of what lately is. */
int64_t phc_line_raw(const struct phc_line *line, int64_t phc_ns)
{
	int64_t raw_ns = phc_ns - line->off_ns;

	return raw_ns - line_round(line->slope * (double)(raw_ns - line->at_ns));
}

int64_t phc_line_span_ns(const struct phc_line *line)
{
	uint64_t count = phc_line_kept(line);

	return count ? phc_line_back(line, 0)->at_ns - phc_line_back(line, count - 1)->at_ns : 0;
}

int64_t phc_line_error_ns(const struct phc_line *line)
{
	int64_t best_ns = INT64_MAX, worst_ns = 0;
	uint64_t count = phc_line_kept(line), i;

	for (i = 0; i < count; i++) {
		const struct reading *reading = phc_line_back(line, i);
		int64_t off_ns = llabs(reading->at_ns + reading->off_ns -
				       phc_line_at(line, reading->at_ns));

		if (reading->half_ns < best_ns)
			best_ns = reading->half_ns;
		if (off_ns > worst_ns)
			worst_ns = off_ns;
	}
	return best_ns + worst_ns + 1;
}
