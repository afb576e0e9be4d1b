/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A clock device, a NIC's or a hypervisor's, over CLOCK_MONOTONIC_RAW: the line of its
 * last readings, and what may be wrong with it while another program steers the clock.
 */
#ifndef HUYGENS_PHC_LINE_H
#define HUYGENS_PHC_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "reading.h"

#define PHC_LINE_READINGS	32

/**
 * struct phc_line - the line
 * @readings: readings, ever since it was stepped
 * @reading: the latest, by number modulo PHC_LINE_READINGS
 * @at_ns: where the line begins, raw
 * @off_ns: there
 * @slope: of the line, a ratio
 * @error_ns: bound of the line's error from there until the next reading: how sure
 *	the last is, how far it is off the line, and how far the clock leaves it until
 *	then, as where ptp4l turns it
 * @skew: by which the slope is wrong, as far as the last two readings differ by more
 *	than how they are read, a ratio, 0 or more
 */
struct phc_line {
	uint64_t	readings;
	struct reading	reading[PHC_LINE_READINGS];
	int64_t		at_ns;
	int64_t		off_ns;
	double		slope;
	int64_t		error_ns;
	double		skew;
};

/**
 * phc_line_take() - a reading
 * @line: goes on; zero at first
 * @reading: after the last one
 *
 * Return: true if the clock was stepped: the line begins with this reading, at the rate
 * that the clock had.
 */
bool phc_line_take(struct phc_line *line, const struct reading *reading);

/**
 * phc_line_at() - what the clock shows
 * @line: the line, with a reading
 * @raw_ns: CLOCK_MONOTONIC_RAW, lately
 *
 * Return: ns.
 */
int64_t phc_line_at(const struct phc_line *line, int64_t raw_ns);

/**
 * phc_line_raw() - when the clock showed a time
 * @line: the line, with a reading
 * @phc_ns: the time, lately
 *
 * Return: CLOCK_MONOTONIC_RAW, ns.
 */
int64_t phc_line_raw(const struct phc_line *line, int64_t phc_ns);

/**
 * phc_line_span_ns() - how long the line has been read
 * @line: the line
 *
 * Return: ns from the first reading that is kept to the last.
 */
int64_t phc_line_span_ns(const struct phc_line *line);

/**
 * phc_line_error_ns() - bound of the line's error wherever its readings are
 * @line: the line
 *
 * Return: ns: the best of them, and how far any is off the line.
 */
int64_t phc_line_error_ns(const struct phc_line *line);

#endif /* HUYGENS_PHC_LINE_H */
