/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A straight line of corrections over a host's local time.
 *
 * A correction x of a host means: reference = local + x.  A double holds 53
 * bits, 104 days of ns, and clocks may differ by more, so offsets are integers
 * and only differences from them are floating.
 */
#ifndef HUYGENS_LINE_H
#define HUYGENS_LINE_H

#include <stdint.h>

/* Local times and offsets that algorithms take: 2^61 ns, 73 years; sums of four fit. */
#define LINE_MOST_NS	((int64_t)1 << 61)

/**
 * struct line - correction of a host, as a function of its local time
 * @at_ns: local time, within +-LINE_MOST_NS
 * @offset_ns: correction then, within +-LINE_MOST_NS
 * @drift_ppb: by how much it grows, in ns a local second
 */
struct line {
	int64_t at_ns;
	int64_t offset_ns;
	double drift_ppb;
};

/**
 * line_round() - the nearest integer
 * @x: any number; NaN counts as 0
 *
 * Return: @x rounded, half away from 0, limited to +-LINE_MOST_NS.
 */
static inline int64_t line_round(double x)
{
	if (!(x == x))
		return 0;
	if (x >= (double)LINE_MOST_NS)
		return LINE_MOST_NS;
	if (x <= -(double)LINE_MOST_NS)
		return -LINE_MOST_NS;
	return (int64_t)(x < 0 ? x - 0.5 : x + 0.5);
}

/**
 * line_grown() - how much the correction has grown since @line->at_ns
 * @line: the line
 * @now_ns: local time, within +-LINE_MOST_NS
 *
 * Return: ns, below 0 if it fell.
 */
static inline double line_grown(const struct line *line, int64_t now_ns)
{
	return line->drift_ppb * (double)(now_ns - line->at_ns) / 1e9;
}

/**
 * line_at() - the correction at a time
 * @line: the line
 * @now_ns: local time, within +-LINE_MOST_NS
 *
 * Return: ns, within +-2 LINE_MOST_NS.
 */
static inline int64_t line_at(const struct line *line, int64_t now_ns)
{
	return line->offset_ns + line_round(line_grown(line, now_ns));
}

#endif /* HUYGENS_LINE_H */
