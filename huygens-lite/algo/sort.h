/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Heapsort, which allocates nothing and whose time no input can stretch:
 * libc's qsort() may do either.
 */
#ifndef HUYGENS_SORT_H
#define HUYGENS_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Define static void name(type a[], size_t n); before(x, y) takes pointers. */
#define SORT_DEFINE(name, type, before)					\
static void name##_sink(type a[], size_t at, size_t n)			\
{									\
	type sinking = a[at];						\
	size_t child;							\
									\
	while ((child = 2 * at + 1) < n) {				\
		if (child + 1 < n && (before)(&a[child], &a[child + 1]))	\
			child++;					\
		if (!(before)(&sinking, &a[child]))			\
			break;						\
		a[at] = a[child];					\
		at = child;						\
	}								\
	a[at] = sinking;						\
}									\
									\
static void name(type a[], size_t n)					\
{									\
	size_t at;							\
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

/**
 * sort_ns() - sort times
 * @a: the times, afterwards in growing order
 * @n: how many
 */
void sort_ns(int64_t *a, size_t n);

/**
 * sort_numbers() - sort numbers
 * @a: finite numbers, afterwards in growing order
 * @n: how many
 */
void sort_numbers(double *a, size_t n);

#endif /* HUYGENS_SORT_H */
