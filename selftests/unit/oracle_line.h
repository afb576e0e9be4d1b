/* SPDX-License-Identifier: GPL-2.0 */
/* A line between clocks as its formula is written, in 128 bits, where nothing overflows. */
#ifndef SHARPRAMP_ORACLE_LINE_H
#define SHARPRAMP_ORACLE_LINE_H

#include "onramp_line.h"

#ifdef __SIZEOF_INT128__
/**
 * oracle_line_map() - what the other clock shows
 * @line: the line
 * @one_ns: the one clock
 * @other_ns: filled if true is returned
 *
 * Return: what the algorithm must return.
 */
static inline bool oracle_line_map(const struct onramp_line *line, s64 one_ns, s64 *other_ns)
{
	__int128 unit = (__int128)1 << 32;
	__int128 span = (__int128)one_ns - line->ref_ns;
	__int128 product = span * line->drift;
	__int128 parts = product / unit;
	__int128 other;

	if (product < 0 && parts * unit != product)
		parts--;
	other = (__int128)one_ns + line->offset_ns + parts;
	if (one_ns < 0 || other < 0 || other > S64_MAX || span <= -ONRAMP_LINE_SPAN_NS || span >= ONRAMP_LINE_SPAN_NS)
		return false;
	*other_ns = other;
	return true;
}
#endif

#endif /* SHARPRAMP_ORACLE_LINE_H */
