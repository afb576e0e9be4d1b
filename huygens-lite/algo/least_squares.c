// SPDX-License-Identifier: GPL-2.0
/*
 * Cholesky for few rows, conjugate gradients for many.
 */
#include <math.h>

#include "prng.h"
#include "least_squares.h"

/* Sparse: by what the residual must fall, steps, and vectors for the errors. */
#define LEAST_SQUARES_RESIDUAL	1e11
#define LEAST_SQUARES_STEPS		500
#define LEAST_SQUARES_VECTORS		32

/* Dense: by what a pivot may fall below its diagonal. */
#define LEAST_SQUARES_PIVOT		1e14

static uint32_t least_squares_ground(const struct least_squares *l)
{
	return l->ground == LEAST_SQUARES_MEAN ? l->rows - 1 : l->ground;
}

/* The row in the matrix, which lacks the ground. */
static uint32_t least_squares_row(const struct least_squares *l, uint32_t row)
{
	return row > least_squares_ground(l) ? row - 1 : row;
}

/* Row @a of the lower triangle. */
static double *least_squares_triangle(const struct least_squares *l, size_t a)
{
	return l->matrix + a * (a + 1) / 2;
}

static void least_squares_fill(struct least_squares *l)
{
	size_t n = (size_t)l->rows * (l->rows - 1) / 2;
	uint32_t ground = least_squares_ground(l);
	uint32_t e;

	while (n-- > 0)
		l->matrix[n] = 0;
	for (e = 0; e < l->edges; e++) {
		uint32_t a = least_squares_row(l, l->i[e]);
		uint32_t b = least_squares_row(l, l->j[e]);

		if (l->i[e] != ground)
			least_squares_triangle(l, a)[a] += l->weight[e];
		if (l->j[e] != ground)
			least_squares_triangle(l, b)[b] += l->weight[e];
		if (l->i[e] != ground && l->j[e] != ground)
			least_squares_triangle(l, a > b ? a : b)[a > b ? b : a] -= l->weight[e];
	}
}

static double least_squares_dot(const double *a, const double *b, uint32_t n)
{
	double sum = 0;
	uint32_t k;

	for (k = 0; k < n; k++)
		sum += a[k] * b[k];
	return sum;
}

/* In place; the diagonal keeps the inverses of the pivots. */
static void least_squares_factor(struct least_squares *l)
{
	uint32_t n = l->rows - 1;
	uint32_t a, b;

	for (a = 0; a < n; a++) {
		double *row = least_squares_triangle(l, a);
		double whole = row[a];
		double pivot;

		for (b = 0; b < a; b++) {
			const double *other = least_squares_triangle(l, b);

			row[b] = (row[b] - least_squares_dot(row, other, b)) * other[b];
		}
		pivot = row[a] - least_squares_dot(row, row, a);
		/* Exact arithmetic has none below; rounding may. */
		if (!(pivot > whole / LEAST_SQUARES_PIVOT))
			pivot = whole / LEAST_SQUARES_PIVOT;
		row[a] = 1 / sqrt(pivot);
	}
}

/* Solve with the factor, from row @first on: what is before is 0. */
static void least_squares_forward(const struct least_squares *l, double *x, uint32_t first)
{
	uint32_t n = l->rows - 1;
	uint32_t a;

	for (a = first; a < n; a++) {
		const double *row = least_squares_triangle(l, a);

		x[a] = (x[a] - least_squares_dot(row + first, x + first, a - first)) *
		       row[a];
	}
}

/* Solve with the factor's transpose. */
static void least_squares_backward(const struct least_squares *l, double *x)
{
	uint32_t a, b;

	for (a = l->rows - 1; a-- > 0;) {
		const double *row = least_squares_triangle(l, a);

		x[a] *= row[a];
		for (b = 0; b < a; b++)
			x[b] -= row[b] * x[a];
	}
}

static void least_squares_dense(const struct least_squares *l, const double *b, double *x)
{
	uint32_t ground = least_squares_ground(l);
	double *y = l->work[0];
	uint32_t row;

	for (row = 0; row < l->rows; row++) {
		if (row != ground)
			y[least_squares_row(l, row)] = b[row];
	}
	least_squares_forward(l, y, 0);
	least_squares_backward(l, y);
	for (row = 0; row < l->rows; row++)
		x[row] = row == ground ? 0 : y[least_squares_row(l, row)];
}

static void least_squares_times(const struct least_squares *l, const double *x, double *y)
{
	uint32_t e, row;

	for (row = 0; row < l->rows; row++)
		y[row] = l->diagonal[row] * x[row];
	for (e = 0; e < l->edges; e++) {
		y[l->i[e]] -= l->weight[e] * x[l->j[e]];
		y[l->j[e]] -= l->weight[e] * x[l->i[e]];
	}
}

/* Conjugate gradients, each row scaled by its diagonal. */
static void least_squares_sparse(struct least_squares *l, const double *b, double *x)
{
	double *r = l->work[0], *z = l->work[1], *p = l->work[2], *q = l->work[3];
	double rz = 0, most, step, was;
	uint32_t n, row;

	for (row = 0; row < l->rows; row++) {
		x[row] = 0;
		r[row] = b[row];
		p[row] = r[row] / l->diagonal[row];
		rz += r[row] * p[row];
	}
	most = rz / LEAST_SQUARES_RESIDUAL / LEAST_SQUARES_RESIDUAL;
	for (n = 0; n < LEAST_SQUARES_STEPS && rz > most; n++) {
		least_squares_times(l, p, q);
		step = rz / least_squares_dot(p, q, l->rows);
		was = rz;
		rz = 0;
		for (row = 0; row < l->rows; row++) {
			x[row] += step * p[row];
			r[row] -= step * q[row];
			z[row] = r[row] / l->diagonal[row];
			rz += r[row] * z[row];
		}
		for (row = 0; row < l->rows; row++)
			p[row] = z[row] + rz / was * p[row];
	}
	l->iterations += n;
}

/* b = B' W value; @b may not be one of the works. */
static void least_squares_right(const struct least_squares *l, const double *value, double *b)
{
	uint32_t e, row;

	for (row = 0; row < l->rows; row++)
		b[row] = 0;
	for (e = 0; e < l->edges; e++) {
		b[l->i[e]] += l->weight[e] * value[e];
		b[l->j[e]] -= l->weight[e] * value[e];
	}
}

void least_squares_prepare(struct least_squares *l)
{
	uint32_t e, row;

	l->iterations = 0;
	if (l->dense) {
		least_squares_fill(l);
		least_squares_factor(l);
		return;
	}
	for (row = 0; row < l->rows; row++)
		l->diagonal[row] = 0;
	for (e = 0; e < l->edges; e++) {
		l->diagonal[l->i[e]] += l->weight[e];
		l->diagonal[l->j[e]] += l->weight[e];
	}
}

void least_squares_solve(struct least_squares *l, const double *value, double *x)
{
	least_squares_right(l, value, l->right);
	if (l->dense)
		least_squares_dense(l, l->right, x);
	else
		least_squares_sparse(l, l->right, x);
}

/*
 * With G the inverse of the matrix that lacks the ground: G's diagonal against
 * the ground; against a mean with shares p also - 2 Gp + p'Gp.
 */
static void least_squares_exact(const struct least_squares *l, const double *share,
				double *variance)
{
	uint32_t ground = least_squares_ground(l);
	double *y = l->work[1], *sums = l->work[2];
	double all = 0;
	uint32_t row, k;

	if (l->ground == LEAST_SQUARES_MEAN) {
		for (row = 0; row < l->rows; row++)
			l->right[row] = share[row];
		least_squares_dense(l, l->right, sums);
		for (row = 0; row < l->rows; row++)
			all += share[row] * sums[row];
	}
	for (row = 0; row < l->rows; row++) {
		uint32_t first = least_squares_row(l, row);

		variance[row] = 0;
		if (row != ground) {
			for (k = 0; k < l->rows; k++)
				y[k] = k == first;
			least_squares_forward(l, y, first);
			variance[row] = least_squares_dot(y + first, y + first,
							  l->rows - 1 - first);
		}
		if (l->ground == LEAST_SQUARES_MEAN)
			variance[row] += all - 2 * sums[row];
	}
}

static void least_squares_sampled(struct least_squares *l, const double *share,
				  double *variance)
{
	uint64_t random = 1;
	uint32_t n, e, row;

	for (row = 0; row < l->rows; row++)
		variance[row] = 0;
	for (n = 0; n < LEAST_SQUARES_VECTORS; n++) {
		double *x = l->solved;
		double zero = 0;

		for (row = 0; row < l->rows; row++)
			l->right[row] = 0;
		for (e = 0; e < l->edges; e++) {
			double one = sqrt(l->weight[e]);

			if (prng_below(&random, 2))
				one = -one;
			l->right[l->i[e]] += one;
			l->right[l->j[e]] -= one;
		}
		least_squares_sparse(l, l->right, x);
		if (l->ground != LEAST_SQUARES_MEAN)
			zero = x[l->ground];
		else
			for (row = 0; row < l->rows; row++)
				zero += share[row] * x[row];
		for (row = 0; row < l->rows; row++)
			variance[row] += (x[row] - zero) * (x[row] - zero) /
					 LEAST_SQUARES_VECTORS;
	}
}

void least_squares_variance(struct least_squares *l, const double *share, double *variance)
{
	if (l->dense)
		least_squares_exact(l, share, variance);
	else
		least_squares_sampled(l, share, variance);
}
