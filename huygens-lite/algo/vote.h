/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where least squares begin: integers, near enough to the solution that what
 * is left fits a double, and out of reach of a few edges that are far off.
 *
 * A spanning tree gives each row a value.  Then each row in turn takes the
 * median of what its edges say, so that one edge that lies by seconds does
 * not pull its ends to the middle, as a sum of squares would.
 */
#ifndef HUYGENS_VOTE_H
#define HUYGENS_VOTE_H

#include <stdint.h>

/**
 * struct vote - a connected graph of integers
 * @rows: how many
 * @edges: how many
 * @i: rows at which edges begin
 * @j: rows at which they end
 * @value: what x_i - x_j should be, within +-LINE_MOST_NS
 * @first: room for @rows + 1
 * @link: room for 2 x @edges
 * @queue: room for @rows
 * @scratch: room for 2 x @edges
 */
struct vote {
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
 * vote_count() - values of all rows
 * @v: the graph
 * @x: gets them, within +-LINE_MOST_NS; row 0 begins as 0
 */
void vote_count(const struct vote *v, int64_t *x);

#endif /* HUYGENS_VOTE_H */
