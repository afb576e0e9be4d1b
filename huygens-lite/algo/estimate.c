// SPDX-License-Identifier: GPL-2.0
/*
 * A spanning tree, then medians.
 */
#include "line.h"
#include "sort.h"
#include "estimate.h"

#define ESTIMATE_ROUNDS	4

/* Both terms within +-2^61: no overflow. */
static int64_t estimate_sum(int64_t a, int64_t b)
{
	int64_t sum = a + b;

	return sum > LINE_MOST_NS ? LINE_MOST_NS :
	       sum < -LINE_MOST_NS ? -LINE_MOST_NS : sum;
}

/* The edges of each row: link[first[row]] to link[first[row + 1] - 1]. */
static void estimate_link(const struct estimate *v)
{
	uint32_t e, row;

	for (row = 0; row <= v->rows; row++)
		v->first[row] = 0;
	for (e = 0; e < v->edges; e++) {
		v->first[v->i[e]]++;
		v->first[v->j[e]]++;
	}
	for (row = 1; row <= v->rows; row++)
		v->first[row] += v->first[row - 1];
	for (e = v->edges; e-- > 0;) {
		v->link[--v->first[v->i[e]]] = e;
		v->link[--v->first[v->j[e]]] = e;
	}
}

/* Value of end @row of edge @e, if the other end is right. */
static int64_t estimate_of(const struct estimate *v, uint32_t e, uint32_t row,
			   const int64_t *x)
{
	return v->i[e] == row ? estimate_sum(x[v->j[e]], v->value[e]) :
				estimate_sum(x[v->i[e]], -v->value[e]);
}

/* Breadth first from row 0; INT64_MIN: not there yet. */
static void estimate_tree(const struct estimate *v, int64_t *x)
{
	uint32_t done = 0, known = 1;
	uint32_t row, n;

	for (row = 0; row < v->rows; row++)
		x[row] = INT64_MIN;
	x[0] = 0;
	v->queue[0] = 0;
	while (done < known) {
		row = v->queue[done++];
		for (n = v->first[row]; n < v->first[row + 1]; n++) {
			uint32_t e = v->link[n];
			uint32_t other = v->i[e] == row ? v->j[e] : v->i[e];

			if (x[other] != INT64_MIN)
				continue;
			x[other] = estimate_of(v, e, other, x);
			v->queue[known++] = other;
		}
	}
}

static int64_t estimate_median(const struct estimate *v, uint32_t row, const int64_t *x)
{
	uint32_t count = v->first[row + 1] - v->first[row];
	uint32_t n;

	for (n = 0; n < count; n++)
		v->scratch[n] = estimate_of(v, v->link[v->first[row] + n], row, x);
	sort_ns(v->scratch, count);
	return (v->scratch[(count - 1) / 2] + v->scratch[count / 2]) / 2;
}

void estimate_initial(const struct estimate *v, int64_t *x)
{
	uint32_t round, row;

	estimate_link(v);
	estimate_tree(v, x);
	for (round = 0; round < ESTIMATE_ROUNDS; round++) {
		for (row = 0; row < v->rows; row++)
			x[row] = estimate_median(v, row, x);
	}
}
