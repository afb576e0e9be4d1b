/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Weights of edges that few bad ones do not bend: 1 / variance, lowered by
 * Huber's rule where an edge disagrees.
 *
 * The scale is the median absolute deviation of residuals, each in its edge's
 * own standard deviations, times 1.4826, which makes it a standard deviation
 * if they are normal.
 */
#ifndef HUYGENS_ROBUST_H
#define HUYGENS_ROBUST_H

#include <stdint.h>

/* Scales: where Huber's rule begins, and where an edge is left out. */
#define ROBUST_HUBER	1.5
#define ROBUST_OUTLIER	6.0

/* Residuals below a tenth of what edges promise single nobody out. */
#define ROBUST_SCALE_LEAST	0.1

/**
 * robust_scale() - how far residuals are spread
 * @residual: of each edge
 * @std: standard deviation of each edge, above 0
 * @edges: how many
 * @rows: unknowns that were fitted, one more than are free
 * @scratch: space for @edges
 *
 * Return: in standard deviations, ROBUST_SCALE_LEAST at least.
 */
double robust_scale(const double *residual, const double *std, uint32_t edges,
		    uint32_t rows, double *scratch);

/**
 * robust_weigh() - weights
 * @residual: of each edge
 * @std: standard deviation of each edge, above 0
 * @edges: how many
 * @scale: of robust_scale()
 * @weight: gets them, relative to that of an edge of standard deviation @unit,
 *	within what least_squares.h can take
 * @unit: above 0
 */
void robust_weigh(const double *residual, const double *std, uint32_t edges,
		  double scale, double unit, double *weight);

/**
 * robust_unit() - a standard deviation to which weights are relative
 * @std: standard deviation of each edge, above 0
 * @edges: how many, 1 or more
 *
 * Return: between the best and the worst, so that both have the weight that is
 * theirs, or at least the best: under load one edge may be known to 50 ns and
 * most to 1 ms.
 */
double robust_unit(const double *std, uint32_t edges);

/**
 * robust_sigma() - residuals against what edges promise
 * @residual: of each edge
 * @weight: of robust_weigh()
 * @unit: same
 * @edges: how many
 * @rows: unknowns that were fitted, one more than are free
 *
 * Return: root of the weighted mean square per degree of freedom; 1 if there
 * is none.
 */
double robust_sigma(const double *residual, const double *weight, double unit,
		    uint32_t edges, uint32_t rows);

#endif /* HUYGENS_ROBUST_H */
