/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sorting that allocates nothing and whose time no input can stretch: libc's
 * qsort() may do either.
 */
#ifndef HUYGENS_SORT_H
#define HUYGENS_SORT_H

#include <stdint.h>

/**
 * sort_ns() - sort times
 * @a: the times, afterwards in growing order
 * @n: how many
 */
void sort_ns(int64_t *a, uint32_t n);

/**
 * sort_numbers() - sort numbers
 * @a: finite numbers, afterwards in growing order
 * @n: how many
 */
void sort_numbers(double *a, uint32_t n);

#endif /* HUYGENS_SORT_H */
