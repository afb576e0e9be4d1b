/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The result of an edge, too simple to be wrong: the margin of every slope at
 * which it can have a corner, each by sorting all samples.
 *
 * The margin is concave and made of straight pieces; pieces meet where two
 * residuals of one direction are equal, so at the slope between two samples of
 * it.  Its top is at one of those.
 */
#ifndef HUYGENS_TEST_ORACLE_H
#define HUYGENS_TEST_ORACLE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edge.h"

#define ORACLE_SAMPLES	200

/**
 * struct oracle - samples of an edge, as numbers; t in s, d in ns
 * @n: how many, forward and backward
 * @t: times from the middle
 * @d: delays
 * @nu: part of the samples beyond the margin
 */
struct oracle {
	uint32_t n[2];
	double t[2][ORACLE_SAMPLES];
	double d[2][ORACLE_SAMPLES];
	double nu;
};

static int oracle_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static uint32_t oracle_low(const struct oracle *o, int way)
{
	uint32_t low = ceil(o->n[way] * o->nu - 1e-9);

	return low ? low : 1;
}

static inline void oracle_sorted(const struct oracle *o, int way, double slope, double *r)
{
	uint32_t k;

	for (k = 0; k < o->n[way]; k++)
		r[k] = o->d[way][k] + (way ? slope : -slope) * o->t[way][k];
	qsort(r, o->n[way], sizeof(*r), oracle_order);
}

/* Sum of the lowest of sorted residuals. */
static inline double oracle_mean(const struct oracle *o, int way, const double *r)
{
	uint32_t low = oracle_low(o, way);
	double sum = 0;
	uint32_t k;

	for (k = 0; k < low; k++)
		sum += r[k] / low;
	return sum;
}

/* Twice the margin. */
static inline double oracle_margin(const struct oracle *o, double slope)
{
	double r[ORACLE_SAMPLES], sum = 0;
	int way;

	for (way = 0; way < 2; way++) {
		oracle_sorted(o, way, slope, r);
		sum += oracle_mean(o, way, r);
	}
	return sum;
}

static inline double oracle_theta(const struct oracle *o, double slope)
{
	double r[ORACLE_SAMPLES], s[ORACLE_SAMPLES];

	oracle_sorted(o, 0, slope, r);
	oracle_sorted(o, 1, slope, s);
	return (r[oracle_low(o, 0) - 1] - s[oracle_low(o, 1) - 1]) / 2;
}

/* The slope of the greatest margin within +-@most. */
static inline double oracle_slope(const struct oracle *o, double most)
{
	double best = 0, best_margin = -INFINITY;
	uint32_t a, b;
	int way;

	for (way = 0; way < 2; way++) {
		for (a = 0; a < o->n[way]; a++) {
			for (b = a + 1; b < o->n[way]; b++) {
				double slope = (o->d[way][b] - o->d[way][a]) / (o->t[way][b] - o->t[way][a]);
				double margin;

				slope = way ? -slope : slope;
				if (!(fabs(slope) <= most))
					continue;
				margin = oracle_margin(o, slope);
				if (margin > best_margin) {
					best_margin = margin;
					best = slope;
				}
			}
		}
	}
	return best;
}

#endif /* HUYGENS_TEST_ORACLE_H */
