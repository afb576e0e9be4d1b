// SPDX-License-Identifier: GPL-2.0
/*
 * Times and numbers in order.
 */
#include "sort.h"

static bool sort_ns_before(const int64_t *a, const int64_t *b)
{
	return *a < *b;
}

static bool sort_number_before(const double *a, const double *b)
{
	return *a < *b;
}

SORT_DEFINE(sort_times, int64_t, sort_ns_before)
SORT_DEFINE(sort_doubles, double, sort_number_before)

void sort_ns(int64_t *a, size_t n)
{
	sort_times(a, n);
}

void sort_numbers(double *a, size_t n)
{
	sort_doubles(a, n);
}
