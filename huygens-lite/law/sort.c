// SPDX-License-Identifier: GPL-2.0
/*
 * Heapsort, once for each type.
 */
#include "sort.h"

#define HEAPSORT(name, type)						\
static void name##_sink(type *a, uint32_t at, uint32_t n)		\
{									\
	type sinking = a[at];						\
	uint32_t child;							\
									\
	while ((child = 2 * at + 1) < n) {				\
		if (child + 1 < n && a[child] < a[child + 1])		\
			child++;					\
		if (!(sinking < a[child]))				\
			break;						\
		a[at] = a[child];					\
		at = child;						\
	}								\
	a[at] = sinking;						\
}									\
									\
void name(type *a, uint32_t n)						\
{									\
	uint32_t at;							\
									\
	for (at = n / 2; at-- > 0;)					\
		name##_sink(a, at, n);					\
	for (at = n; at-- > 1;) {					\
		type last = a[at];					\
									\
		a[at] = a[0];						\
		a[0] = last;						\
		name##_sink(a, 0, at);					\
	}								\
}

HEAPSORT(sort_ns, int64_t)
HEAPSORT(sort_numbers, double)
