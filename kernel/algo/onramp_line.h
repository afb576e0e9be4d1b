/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line from one clock to another: what the other shows when the one does.
 *
 *   other = one + offset + drift x (one - ref)
 *
 * The drift is in parts of 2^32, a shift in the place of a division.  Nothing
 * overflows, whatever the numbers are: a span that is too long for the product,
 * and a result that is not a time, are refused.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_LINE_H
#define SHARPRAMP_ALGO_ONRAMP_LINE_H

#include "port.h"

/* A drift is smaller than that, either way: 2^-10, a thousandth. */
#define ONRAMP_LINE_DRIFT 4194304LL
/* Further from its reference a line is not used; the product is below 2^62. */
#define ONRAMP_LINE_SPAN_NS 1099511627776LL

/**
 * struct onramp_line - a line
 * @ref_ns: where @offset_ns is right, by the one clock
 * @offset_ns: the other clock, less the one, at @ref_ns
 * @drift: by how much the other is faster, 2^-32 ns each ns; its size is below
 *	ONRAMP_LINE_DRIFT
 */
struct onramp_line {
	s64 ref_ns;
	s64 offset_ns;
	s64 drift;
};

/**
 * onramp_line_map() - what the other clock shows
 * @line: the line
 * @one_ns: the one clock
 * @other_ns: filled if true is returned, 0 or more; rounded down
 *
 * Return: false if either clock would be before 0 or beyond 2^63 ns, or
 * @one_ns is ONRAMP_LINE_SPAN_NS or more from the reference.
 */
static inline bool onramp_line_map(const struct onramp_line *line, s64 one_ns,
				   s64 *other_ns)
{
	s64 span_ns, sum_ns;

	if (one_ns < 0 ||
	    __builtin_sub_overflow(one_ns, line->ref_ns, &span_ns) ||
	    span_ns <= -ONRAMP_LINE_SPAN_NS || span_ns >= ONRAMP_LINE_SPAN_NS)
		return false;
	/* A value that overflows here is further than @one_ns could bring it back. */
	if (__builtin_add_overflow(line->offset_ns, span_ns * line->drift >> 32,
				   &sum_ns) ||
	    __builtin_add_overflow(one_ns, sum_ns, &sum_ns) || sum_ns < 0)
		return false;
	*other_ns = sum_ns;
	return true;
}

/**
 * onramp_line_apart() - do two lines differ?
 * @a: one line
 * @b: another between the same clocks
 * @most_ns: by how much they may
 *
 * They are compared at the reference of @b.
 *
 * Return: true if they are further apart, or one of them cannot be evaluated.
 */
static inline bool onramp_line_apart(const struct onramp_line *a,
				     const struct onramp_line *b, u64 most_ns)
{
	s64 by_a, by_b;

	if (!onramp_line_map(a, b->ref_ns, &by_a) ||
	    !onramp_line_map(b, b->ref_ns, &by_b))
		return true;
	/* Neither is negative, so the difference is a number. */
	return (u64)(by_a > by_b ? by_a - by_b : by_b - by_a) > most_ns;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_LINE_H */
