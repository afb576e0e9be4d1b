/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Weighted least squares on a connected graph: the normal equations L x = b,
 * where L is the graph's Laplacian.
 *
 * Few rows are factored (Cholesky), and errors are exact.  Many are solved by
 * conjugate gradients, which a random graph makes converge in a few dozen
 * steps whatever its size; their errors come from random edge vectors: if q
 * has random signs and L z = B' W^1/2 q, the mean of z z' is L's inverse.
 */
#ifndef HUYGENS_LEAST_SQUARES_H
#define HUYGENS_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No row is the reference. */
#define LEAST_SQUARES_MEAN	UINT32_MAX

/**
 * struct least_squares - a Laplacian
 * @rows: of x, 2 or more
 * @edges: how many
 * @i: rows at which edges begin
 * @j: rows at which they end, none where it begins
 * @weight: of each edge, above 0; greatest and least at most 10^12 apart
 * @ground: row of x that is 0: the reference's, or any if it is LEAST_SQUARES_MEAN
 * @dense: factor it
 * @matrix: dense: space for (@rows - 1) x @rows / 2 numbers
 * @diagonal: space for @rows
 * @right: space for @rows: the right side
 * @solved: space for @rows
 * @work: space for @rows, four times
 * @iterations: sparse: gets how many steps were made, of all solutions
 */
struct least_squares {
	uint32_t rows;
	uint32_t edges;
	const uint32_t *i;
	const uint32_t *j;
	const double *weight;
	uint32_t ground;
	bool dense;
	double *matrix;
	double *diagonal;
	double *right;
	double *solved;
	double *work[4];
	uint32_t iterations;
};

/**
 * least_squares_prepare() - make ready for these weights
 * @l: the Laplacian; everything but the content of the arrays is set
 */
void least_squares_prepare(struct least_squares *l);

/**
 * least_squares_solve() - solve for edges' values
 * @l: made ready
 * @value: for each edge, what x_i - x_j should be
 * @x: gets the solution, up to a constant
 */
void least_squares_solve(struct least_squares *l, const double *value, double *x);

/**
 * least_squares_variance() - variances of x against the ground, or a mean
 * @l: made ready, with weights that are 1 / variance of the edges' values
 * @share: LEAST_SQUARES_MEAN: what each row counts in the mean, together 1
 * @variance: gets them
 */
void least_squares_variance(struct least_squares *l, const double *share, double *variance);

#endif /* HUYGENS_LEAST_SQUARES_H */
