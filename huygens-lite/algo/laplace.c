// SPDX-License-Identifier: GPL-2.0
/*
 * Cholesky for few rows, conjugate gradients for many.
 */
#include <math.h>

#include "dice.h"
#include "laplace.h"

/* Sparse: by what the residual must fall, steps, and vectors for the errors. */
#define LAPLACE_RESIDUAL	1e11
#define LAPLACE_STEPS		500
#define LAPLACE_VECTORS		32

/* Dense: by what a pivot may fall below its diagonal. */
#define LAPLACE_PIVOT		1e14

static uint32_t laplace_ground(const struct laplace *l)
{
	return l->ground == LAPLACE_MEAN ? l->rows - 1 : l->ground;
}

/* The row in the matrix, which lacks the ground. */
static uint32_t laplace_row(const struct laplace *l, uint32_t row)
{
	return row > laplace_ground(l) ? row - 1 : row;
}

/* Row @a of the lower triangle. */
static double *laplace_triangle(const struct laplace *l, size_t a)
{
	return l->matrix + a * (a + 1) / 2;
}

static void laplace_fill(struct laplace *l)
{
	size_t n = (size_t)l->rows * (l->rows - 1) / 2;
	uint32_t ground = laplace_ground(l);
	uint32_t e;

	while (n-- > 0)
		l->matrix[n] = 0;
	for (e = 0; e < l->edges; e++) {
		uint32_t a = laplace_row(l, l->i[e]);
		uint32_t b = laplace_row(l, l->j[e]);

		if (l->i[e] != ground)
			laplace_triangle(l, a)[a] += l->weight[e];
		if (l->j[e] != ground)
			laplace_triangle(l, b)[b] += l->weight[e];
		if (l->i[e] != ground && l->j[e] != ground)
			laplace_triangle(l, a > b ? a : b)[a > b ? b : a] -= l->weight[e];
	}
}

static double laplace_dot(const double *a, const double *b, uint32_t n)
{
	double sum = 0;
	uint32_t k;

	for (k = 0; k < n; k++)
		sum += a[k] * b[k];
	return sum;
}

/* In place; the diagonal keeps the inverses of the pivots. */
static void laplace_factor(struct laplace *l)
{
	uint32_t n = l->rows - 1;
	uint32_t a, b;

	for (a = 0; a < n; a++) {
		double *row = laplace_triangle(l, a);
		double whole = row[a];
		double pivot;

		for (b = 0; b < a; b++) {
			const double *other = laplace_triangle(l, b);

			row[b] = (row[b] - laplace_dot(row, other, b)) * other[b];
		}
		pivot = row[a] - laplace_dot(row, row, a);
		/* Exact arithmetic has none below; rounding may. */
		if (!(pivot > whole / LAPLACE_PIVOT))
			pivot = whole / LAPLACE_PIVOT;
		row[a] = 1 / sqrt(pivot);
	}
}

/* Solve with the factor, from row @first on: what is before is 0. */
static void laplace_forward(const struct laplace *l, double *x, uint32_t first)
{
	uint32_t n = l->rows - 1;
	uint32_t a;

	for (a = first; a < n; a++) {
		const double *row = laplace_triangle(l, a);

		x[a] = (x[a] - laplace_dot(row + first, x + first, a - first)) *
		       row[a];
	}
}

/* Solve with the factor's transpose. */
static void laplace_backward(const struct laplace *l, double *x)
{
	uint32_t a, b;

	for (a = l->rows - 1; a-- > 0;) {
		const double *row = laplace_triangle(l, a);

		x[a] *= row[a];
		for (b = 0; b < a; b++)
			x[b] -= row[b] * x[a];
	}
}

static void laplace_dense(const struct laplace *l, const double *b, double *x)
{
	uint32_t ground = laplace_ground(l);
	double *y = l->work[0];
	uint32_t row;

	for (row = 0; row < l->rows; row++) {
		if (row != ground)
			y[laplace_row(l, row)] = b[row];
	}
	laplace_forward(l, y, 0);
	laplace_backward(l, y);
	for (row = 0; row < l->rows; row++)
		x[row] = row == ground ? 0 : y[laplace_row(l, row)];
}

static void laplace_times(const struct laplace *l, const double *x, double *y)
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
static void laplace_sparse(struct laplace *l, const double *b, double *x)
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
	most = rz / LAPLACE_RESIDUAL / LAPLACE_RESIDUAL;
	for (n = 0; n < LAPLACE_STEPS && rz > most; n++) {
		laplace_times(l, p, q);
		step = rz / laplace_dot(p, q, l->rows);
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
static void laplace_right(const struct laplace *l, const double *value, double *b)
{
	uint32_t e, row;

	for (row = 0; row < l->rows; row++)
		b[row] = 0;
	for (e = 0; e < l->edges; e++) {
		b[l->i[e]] += l->weight[e] * value[e];
		b[l->j[e]] -= l->weight[e] * value[e];
	}
}

void laplace_prepare(struct laplace *l)
{
	uint32_t e, row;

	l->iterations = 0;
	if (l->dense) {
		laplace_fill(l);
		laplace_factor(l);
		return;
	}
	for (row = 0; row < l->rows; row++)
		l->diagonal[row] = 0;
	for (e = 0; e < l->edges; e++) {
		l->diagonal[l->i[e]] += l->weight[e];
		l->diagonal[l->j[e]] += l->weight[e];
	}
}

void laplace_solve(struct laplace *l, const double *value, double *x)
{
	laplace_right(l, value, l->right);
	if (l->dense)
		laplace_dense(l, l->right, x);
	else
		laplace_sparse(l, l->right, x);
}

/*
 * With G the inverse of the matrix that lacks the ground: G's diagonal against
 * the ground; against a mean of parts p also - 2 Gp + p'Gp.
 */
static void laplace_exact(const struct laplace *l, const double *part,
			  double *variance)
{
	uint32_t ground = laplace_ground(l);
	double *y = l->work[1], *sums = l->work[2];
	double all = 0;
	uint32_t row, k;

	if (l->ground == LAPLACE_MEAN) {
		for (row = 0; row < l->rows; row++)
			l->right[row] = part[row];
		laplace_dense(l, l->right, sums);
		for (row = 0; row < l->rows; row++)
			all += part[row] * sums[row];
	}
	for (row = 0; row < l->rows; row++) {
		uint32_t first = laplace_row(l, row);

		variance[row] = 0;
		if (row != ground) {
			for (k = 0; k < l->rows; k++)
				y[k] = k == first;
			laplace_forward(l, y, first);
			variance[row] = laplace_dot(y + first, y + first,
						    l->rows - 1 - first);
		}
		if (l->ground == LAPLACE_MEAN)
			variance[row] += all - 2 * sums[row];
	}
}

static void laplace_sampled(struct laplace *l, const double *part,
			    double *variance)
{
	uint64_t random = 1;
	uint32_t n, e, row;

	for (row = 0; row < l->rows; row++)
		variance[row] = 0;
	for (n = 0; n < LAPLACE_VECTORS; n++) {
		double *x = l->solved;
		double zero = 0;

		for (row = 0; row < l->rows; row++)
			l->right[row] = 0;
		for (e = 0; e < l->edges; e++) {
			double one = sqrt(l->weight[e]);

			if (dice_below(&random, 2))
				one = -one;
			l->right[l->i[e]] += one;
			l->right[l->j[e]] -= one;
		}
		laplace_sparse(l, l->right, x);
		if (l->ground != LAPLACE_MEAN)
			zero = x[l->ground];
		else
			for (row = 0; row < l->rows; row++)
				zero += part[row] * x[row];
		for (row = 0; row < l->rows; row++)
			variance[row] += (x[row] - zero) * (x[row] - zero) /
					 LAPLACE_VECTORS;
	}
}

void laplace_variance(struct laplace *l, const double *part, double *variance)
{
	if (l->dense)
		laplace_exact(l, part, variance);
	else
		laplace_sampled(l, part, variance);
}
