// SPDX-License-Identifier: GPL-2.0
/*
 * Several clocks that claim to show UTC.
 */
#include <math.h>

#include "line.h"
#include "utc.h"

/* A bound of 0 has a finite weight: times are whole ns. */
#define UTC_ERROR_LEAST	1.0

/**
 * struct utc_range - UTC less the common time is in it
 * @low_ns: the least value
 * @high_ns: the greatest
 */
struct utc_range {
	int64_t	low_ns;
	int64_t	high_ns;
};

static struct utc_range utc_range(const struct utc_view *view)
{
	int64_t error_ns = view->error_ns < (double)LINE_MOST_NS ?
			   (int64_t)ceil(view->error_ns) : LINE_MOST_NS;

	return (struct utc_range){ view->miss_ns - error_ns, view->miss_ns + error_ns };
}

static bool utc_contains(const struct utc_range *range, int64_t ns)
{
	return range->low_ns <= ns && range->high_ns >= ns;
}

static bool utc_is_most(const struct utc_view *view, uint32_t views, int64_t ns)
{
	uint32_t count = 0, i;

	for (i = 0; i < views; i++) {
		struct utc_range range = utc_range(&view[i]);

		count += utc_contains(&range, ns);
	}
	return 2 * count > views;
}

/* It begins where a clock's range begins, and ends where one ends. */
static bool utc_find(const struct utc_view *view, uint32_t views, struct utc_range *most)
{
	bool found = false;
	uint32_t i;

	for (i = 0; i < views; i++) {
		struct utc_range range = utc_range(&view[i]);

		if (utc_is_most(view, views, range.low_ns) &&
		    (!found || range.low_ns < most->low_ns)) {
			most->low_ns = range.low_ns;
			found = true;
		}
	}
	for (i = 0; found && i < views; i++) {
		struct utc_range range = utc_range(&view[i]);

		if (utc_is_most(view, views, range.high_ns) &&
		    range.high_ns > most->high_ns)
			most->high_ns = range.high_ns;
	}
	return found;
}

/* As differences from the range's beginning: a double does not hold 1 ns of 73 years. */
static int64_t utc_mean(const struct utc_view *view, uint32_t views,
			const struct utc_range *most)
{
	double sum = 0, weights = 0;
	uint32_t i;

	for (i = 0; i < views; i++) {
		double error_ns = fmax(view[i].error_ns, UTC_ERROR_LEAST);
		double weight = 1 / (error_ns * error_ns);

		if (!utc_contains(most, view[i].miss_ns))
			continue;
		sum += weight * (double)(view[i].miss_ns - most->low_ns);
		weights += weight;
	}
	return most->low_ns + (weights > 0 ? line_round(sum / weights) :
					     (most->high_ns - most->low_ns) / 2);
}

bool utc_agree(const struct utc_view *view, uint32_t views, struct utc_view *agreed)
{
	struct utc_range most = { 0, INT64_MIN };
	int64_t below_ns, above_ns;

	if (!utc_find(view, views, &most))
		return false;
	agreed->miss_ns = views > 1 ? utc_mean(view, views, &most) : view->miss_ns;
	below_ns = agreed->miss_ns - most.low_ns;
	above_ns = most.high_ns - agreed->miss_ns;
	agreed->error_ns = (double)(below_ns > above_ns ? below_ns : above_ns);
	return true;
}
