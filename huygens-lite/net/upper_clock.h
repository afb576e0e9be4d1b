/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The common time of an upper mesh, of which another daemon on this host writes the line
 * (huygens_line.h).  A mesh of a cell takes its time from some of its hosts that have it.
 *
 * The line turns when that daemon slews, and a window's middle is some seconds ago.  So it
 * is read as a clock device is, and what is reported is the line of the last readings, with
 * the greatest error that any of them had.
 *
 * Pure.
 */
#ifndef HUYGENS_UPPER_CLOCK_H
#define HUYGENS_UPPER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "../include/huygens_line.h"
#include "clock.h"
#include "mesh.h"

/*
 * Readings, of which 32 are kept, one each 100 ms, must span this.  The middle of a window of
 * up to 3 s is then among them.
 */
#define UPPER_CLOCK_SPAN_NS	2900000000LL

/**
 * struct upper_clock - the upper mesh's common time
 * @epoch: which; 0: there are no readings
 * @line: of the readings
 * @error_ns: bound of the error of each, as @line keeps them
 * @leap: UTC in it
 * @utc_ns: how far it may be from UTC; INFINITY: not known
 */
struct upper_clock {
	uint32_t	epoch;
	struct phc_line	line;
	int64_t		error_ns[PHC_LINE_READINGS];
	struct leap	leap;
	double		utc_ns;
};

/**
 * upper_clock_take() - a reading
 * @upper: goes on; zero at first
 * @line: a copy of the line
 * @raw_ns: CLOCK_MONOTONIC_RAW, later than at the last reading
 * @asleep_ns: CLOCK_BOOTTIME less CLOCK_MONOTONIC
 *
 * Another epoch, and a step, void the readings before.
 *
 * Return: 0, or an error of huygens_at(), and then there are no readings any more; -ERANGE:
 * the line is not one that the daemon writes.
 */
int upper_clock_take(struct upper_clock *upper, const struct huygens_line *line, int64_t raw_ns,
		     int64_t asleep_ns);

/**
 * upper_clock_forget() - readings before this are void
 * @upper: the clock
 */
void upper_clock_forget(struct upper_clock *upper);

/**
 * upper_clock_read() - the upper mesh's time over local time
 * @upper: the clock
 * @local: local time now
 * @utc: filled
 *
 * Return: false if it is not known, or was not read for long enough.
 */
bool upper_clock_read(const struct upper_clock *upper, const struct clock_line *local,
		      struct mesh_utc *utc);

#endif /* HUYGENS_UPPER_CLOCK_H */
