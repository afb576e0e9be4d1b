// SPDX-License-Identifier: GPL-2.0
/*
 * A seeded random regular graph.
 *
 * The hosts are put round a circle in random order; each has the next one as
 * out-neighbour, and k - 1 others at random strides, the same for all.  Then
 * pairs of the k - 1 swap their ends, again and again, which keeps all degrees
 * (the switch chain of random regular graphs).  The circle itself stays.
 *
 * While it is made, row a of @edge has the out-neighbours of the host at
 * position a: i is that host, j a position.
 */
#include "prng.h"
#include "graph.h"
#include "sort.h"

/* Swaps tried for each edge that may be swapped. */
#define GRAPH_SWAPS	8

static bool graph_is_full(uint32_t hosts, uint32_t k)
{
	return graph_neighbours(hosts, k) == hosts - 1;
}

size_t graph_edges(uint32_t hosts, uint32_t k)
{
	if (hosts > GRAPH_HOSTS_MOST || !hosts || !k || k > GRAPH_K_MOST)
		return 0;
	return graph_is_full(hosts, k) ? (size_t)hosts * (hosts - 1) / 2 :
					 (size_t)hosts * k;
}

static void graph_full(uint32_t hosts, struct graph_edge *edge)
{
	uint32_t i, j;

	for (i = 0; i < hosts; i++) {
		for (j = i + 1; j < hosts; j++)
			*edge++ = (struct graph_edge){ i, j };
	}
}

/* Hosts in random order, by Fisher and Yates; host a is in edge[a * k].i. */
static void graph_shuffle(uint32_t hosts, uint32_t k, uint64_t *random,
			  struct graph_edge *edge)
{
	uint32_t a, s;

	for (a = 0; a < hosts; a++) {
		uint32_t other = prng_below(random, a + 1);

		edge[a * k].i = edge[other * k].i;
		edge[other * k].i = a;
	}
	for (a = 0; a < hosts; a++) {
		for (s = 1; s < k; s++)
			edge[a * k + s].i = edge[a * k].i;
	}
}

/* Strides 1 and k - 1 others of 2 to (hosts - 1) / 2: no two meet. */
static void graph_stride(uint32_t hosts, uint32_t k, uint64_t *random,
			 struct graph_edge *edge)
{
	uint32_t most = (hosts - 1) / 2;
	uint32_t s = 0;
	uint32_t a, stride;

	for (stride = 1; s < k; stride++) {
		/* Take it with the chance (still wanted) / (still there). */
		if (stride > 1 && prng_below(random, most + 1 - stride) >= k - s)
			continue;
		for (a = 0; a < hosts; a++)
			edge[a * k + s].j = (a + stride) % hosts;
		s++;
	}
}

static bool graph_chose(const struct graph_edge *edge, uint32_t k, uint32_t a,
			uint32_t b)
{
	uint32_t s;

	for (s = 0; s < k; s++) {
		if (edge[a * k + s].j == b)
			return true;
	}
	return false;
}

static bool graph_may_meet(const struct graph_edge *edge, uint32_t k,
			   uint32_t a, uint32_t b)
{
	return a != b && !graph_chose(edge, k, a, b) && !graph_chose(edge, k, b, a);
}

/* Two edges of different hosts exchange their ends, if that makes no double. */
static void graph_swap(uint32_t hosts, uint32_t k, uint64_t *random,
		       struct graph_edge *edge)
{
	uint32_t a = prng_below(random, hosts);
	uint32_t b = prng_below(random, hosts);
	struct graph_edge *one = &edge[a * k + 1 + prng_below(random, k - 1)];
	struct graph_edge *two = &edge[b * k + 1 + prng_below(random, k - 1)];
	uint32_t end = one->j;

	if (a == b || !graph_may_meet(edge, k, a, two->j) ||
	    !graph_may_meet(edge, k, b, end))
		return;
	one->j = two->j;
	two->j = end;
}

/* Positions become hosts, the smaller first. */
static void graph_name(uint32_t hosts, uint32_t k, struct graph_edge *edge)
{
	size_t edges = (size_t)hosts * k;
	size_t n;

	for (n = 0; n < edges; n++)
		edge[n].j = edge[edge[n].j * k].i;
	for (n = 0; n < edges; n++) {
		uint32_t i = edge[n].i;

		if (edge[n].j < i) {
			edge[n].i = edge[n].j;
			edge[n].j = i;
		}
	}
}

static bool graph_before(const struct graph_edge *a, const struct graph_edge *b)
{
	return a->i != b->i ? a->i < b->i : a->j < b->j;
}

SORT_DEFINE(graph_sort, struct graph_edge, graph_before)

size_t graph_make(uint32_t hosts, uint32_t k, uint64_t seed,
		  struct graph_edge *edge)
{
	size_t edges = graph_edges(hosts, k);
	uint64_t random = seed;
	size_t n;

	if (!edges)
		return 0;
	if (graph_is_full(hosts, k)) {
		graph_full(hosts, edge);
		return edges;
	}
	graph_shuffle(hosts, k, &random, edge);
	graph_stride(hosts, k, &random, edge);
	for (n = 0; k > 1 && n < (edges - hosts) * GRAPH_SWAPS; n++)
		graph_swap(hosts, k, &random, edge);
	graph_name(hosts, k, edge);
	graph_sort(edge, edges);
	return edges;
}
