// SPDX-License-Identifier: GPL-2.0
/*
 * Spearman's rank correlation: the correlation of ranks.
 */
#include <math.h>

#include "rank.h"

/* Twice the rank, less its mean: whole numbers, where equal ones share a rank. */
static void rank_fill(const double *x, double *rank, uint32_t n)
{
	uint32_t i, j;

	for (i = 0; i < n; i++) {
		rank[i] = 0;
		for (j = 0; j < n; j++)
			rank[i] += (x[j] < x[i]) - (x[j] > x[i]);
	}
}

double rank_correlation(const double *a, const double *b, uint32_t n)
{
	double rank_a[RANK_MOST], rank_b[RANK_MOST], ab = 0, aa = 0, bb = 0;
	uint32_t i;

	rank_fill(a, rank_a, n);
	rank_fill(b, rank_b, n);
	for (i = 0; i < n; i++) {
		ab += rank_a[i] * rank_b[i];
		aa += rank_a[i] * rank_a[i];
		bb += rank_b[i] * rank_b[i];
	}
	return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}
