/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rank correlation.
 */
#ifndef ACC_TRAIN_RANK_H
#define ACC_TRAIN_RANK_H

#include <stdint.h>

#define RANK_MOST	64

/**
 * rank_correlation() - Spearman's rho
 * @a: numbers
 * @b: others
 * @n: how many of each, 2 to RANK_MOST
 *
 * Equal numbers share the mean of their ranks.
 *
 * Return: -1 to 1; 0 if all numbers of one are equal.
 */
double rank_correlation(const double *a, const double *b, uint32_t n);

#endif /* ACC_TRAIN_RANK_H */
