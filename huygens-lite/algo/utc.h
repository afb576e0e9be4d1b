/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Several clocks that claim to show UTC (Marzullo 1984; the selection of RFC 5905,
 * section 11.2.1).
 *
 * Each gives a range that contains UTC if its error bound holds.  If most bounds hold,
 * UTC is somewhere that more than half of the ranges contain; so the values that so
 * many contain, and all between them, are the range that is known.  Clocks that show a
 * value outside of it do not count.  Two clocks whose ranges have nothing in common
 * prove that one is wrong, and not which.
 */
#ifndef HUYGENS_UTC_H
#define HUYGENS_UTC_H

#include <stdbool.h>
#include <stdint.h>

/* At most so many are compared. */
#define UTC_MOST	64

/**
 * struct utc_view - UTC less the common time, as one clock shows it
 * @miss_ns: the difference, within +-LINE_MOST_NS
 * @error_ns: bound of its error, 0 or more; infinite counts as LINE_MOST_NS
 */
struct utc_view {
	int64_t	miss_ns;
	double	error_ns;
};

/**
 * utc_agree() - UTC less the common time, as most clocks show it
 * @view: of each clock
 * @views: how many, 0 to UTC_MOST
 * @agreed: filled: the mean of the clocks that count, by 1 / error², or else the middle
 *	of the range; and how far the ends of the range are away
 *
 * Return: false if no value is in the ranges of more than half of the clocks.
 */
bool utc_agree(const struct utc_view *view, uint32_t views, struct utc_view *agreed);

#endif /* HUYGENS_UTC_H */
