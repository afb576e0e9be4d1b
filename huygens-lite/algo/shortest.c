// SPDX-License-Identifier: GPL-2.0
/*
 * Shortest paths, in rounds over all links.
 */
#include <math.h>
#include <stdbool.h>

#include "shortest.h"

/* Return: true if the path over a link is shorter than the one that was known. */
static bool shortest_relax(double *path, uint32_t from, uint32_t to, double length)
{
	if (!(path[from] + length < path[to]))
		return false;
	path[to] = path[from] + length;
	return true;
}

void shortest_paths(const struct shortest_graph *graph, uint32_t root, double *path)
{
	bool shorter = true;
	uint32_t k;

	for (k = 0; k < graph->rows; k++)
		path[k] = k == root ? 0 : INFINITY;
	while (shorter) {
		shorter = false;
		for (k = 0; k < graph->links; k++) {
			shorter |= shortest_relax(path, graph->i[k], graph->j[k],
						  graph->length[k]);
			shorter |= shortest_relax(path, graph->j[k], graph->i[k],
						  graph->length[k]);
		}
	}
}
