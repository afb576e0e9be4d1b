/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shortest paths in a graph of links with lengths (Bellman 1958, Ford 1956).
 *
 * Rounds over all links until nothing becomes shorter: at most as many as the path with
 * the most links has, which are few in a random mesh.
 */
#ifndef HUYGENS_SHORTEST_H
#define HUYGENS_SHORTEST_H

#include <stdint.h>

/**
 * struct shortest_graph - a graph
 * @rows: its nodes, 1 or more
 * @links: its links
 * @i: node at one end of each link, below @rows
 * @j: node at its other end
 * @length: of each link, 0 or more, in either direction
 */
struct shortest_graph {
	uint32_t rows;
	uint32_t links;
	const uint32_t *i;
	const uint32_t *j;
	const double *length;
};

/**
 * shortest_paths() - lengths of the shortest paths from a node
 * @graph: the graph
 * @root: the node
 * @path: gets the length for each node; INFINITY: no path leads there
 */
void shortest_paths(const struct shortest_graph *graph, uint32_t root, double *path);

#endif /* HUYGENS_SHORTEST_H */
