/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where least squares begin: integers, near enough to the solution that what
 * is left fits a double, and out of reach of a few edges that are far off.
 *
 * A spanning tree gives each row a value.  Then each row in turn takes the
 * median of what its edges say, so that one edge that lies by seconds does
 * not pull its ends to the middle, as a sum of squares would.
 */
#ifndef HUYGENS_ESTIMATE_H
#define HUYGENS_ESTIMATE_H

#include <stdint.h>

/**
 * struct estimate - a connected graph of integers
 * @rows: how many
 * @edges: how many
 * @i: rows at which edges begin
 * @j: rows at which they end
 * @value: what x_i - x_j should be, within +-LINE_MOST_NS
 * @first: space for @rows + 1
 * @link: space for 2 x @edges
 * @queue: space for @rows
 * @scratch: space for 2 x @edges
 */
struct estimate {
	uint32_t rows;
	uint32_t edges;
	const uint32_t *i;
	const uint32_t *j;
	const int64_t *value;
	uint32_t *first;
	uint32_t *link;
	uint32_t *queue;
	int64_t *scratch;
};

/**
 * estimate_initial() - values of all rows
 * @v: the graph
 * @x: gets them, within +-LINE_MOST_NS; row 0 begins as 0
 */
void estimate_initial(const struct estimate *v, int64_t *x);

#endif /* HUYGENS_ESTIMATE_H */
