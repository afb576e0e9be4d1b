// SPDX-License-Identifier: GPL-2.0
/*
 * The mesh: connected, regular, everybody in two loops, and the same
 * everywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "options.h"
#include "components.h"

static struct graph_edge edge[GRAPH_HOSTS_MOST * GRAPH_K_MOST];
static uint32_t part[GRAPH_HOSTS_MOST], size[GRAPH_HOSTS_MOST], degree[GRAPH_HOSTS_MOST];

/* Connected without edge @but. */
static bool connected(uint32_t hosts, size_t edges, size_t but)
{
	size_t e;

	components_begin(part, hosts);
	for (e = 0; e < edges; e++) {
		if (e != but)
			components_join(part, edge[e].i, edge[e].j);
	}
	components_settle(part, hosts, size);
	return size[0] == hosts;
}

/* Sorted, no edge twice, none to itself. */
static bool simple(uint32_t hosts, size_t edges)
{
	size_t e;

	for (e = 0; e < edges; e++) {
		if (edge[e].i >= edge[e].j || edge[e].j >= hosts)
			return false;
		if (e && (edge[e].i < edge[e - 1].i ||
			  (edge[e].i == edge[e - 1].i && edge[e].j <= edge[e - 1].j)))
			return false;
	}
	return true;
}

static bool regular(uint32_t hosts, size_t edges, uint32_t each)
{
	uint32_t h;
	size_t e;

	memset(degree, 0, sizeof(degree));
	for (e = 0; e < edges; e++) {
		degree[edge[e].i]++;
		degree[edge[e].j]++;
	}
	for (h = 0; h < hosts; h++) {
		if (degree[h] != each)
			return false;
	}
	return true;
}

/* No edge is a bridge: each is in a loop, and a host with three is in two. */
static bool bridgeless(uint32_t hosts, size_t edges)
{
	size_t e;

	for (e = 0; e < edges; e++) {
		if (!connected(hosts, edges, e))
			return false;
	}
	return true;
}

static void properties(void)
{
	static const uint32_t large[] = { 100, 257, 1000, 4096 };
	static const uint32_t ks[] = { 1, 2, 3, 5, 10, 20, GRAPH_K_MOST };
	bool all_simple = true, all_regular = true, all_connected = true, all_looped = true;
	uint32_t n, k, hosts, each;
	uint64_t seed;
	size_t edges;

	for (n = 1; n < 44; n++) {
		hosts = n < 40 ? n : large[n - 40];
		for (k = 0; k < sizeof(ks) / sizeof(ks[0]); k++) {
			for (seed = 0; seed < (hosts < 50 ? 5 : 2); seed++) {
				edges = graph_make(hosts, ks[k], seed, edge);
				each = 2 * ks[k] < hosts - 1 ? 2 * ks[k] : hosts - 1;
				all_simple &= edges == graph_edges(hosts, ks[k]) && simple(hosts, edges);
				all_regular &= graph_neighbours(hosts, ks[k]) == each &&
					       edges * 2 == (size_t)hosts * each && regular(hosts, edges, each);
				all_connected &= connected(hosts, edges, edges);
				if (hosts >= 4 && hosts < 30 && ks[k] >= 2)
					all_looped &= each >= 3 && bridgeless(hosts, edges);
			}
		}
	}
	tap_ok(all_simple, "graph__edges_are_sorted_and_no_two_the_same");
	tap_ok(all_regular, "graph__every_host_has_two_k_neighbours_or_all");
	tap_ok(all_connected, "graph__is_connected");
	tap_ok(all_looped, "graph__every_host_is_in_two_loops");
	edges = graph_make(GRAPH_HOSTS_MOST, 10, 1, edge);
	tap_ok(edges == 10 * GRAPH_HOSTS_MOST && simple(GRAPH_HOSTS_MOST, edges) &&
	       regular(GRAPH_HOSTS_MOST, edges, 20) && connected(GRAPH_HOSTS_MOST, edges, edges),
	       "graph__the_most_hosts");
}

/* FNV of a graph: integers alone, the same on every machine. */
static uint64_t digest(uint32_t hosts, uint32_t k, uint64_t seed)
{
	size_t edges = graph_make(hosts, k, seed, edge);
	uint64_t sum = 14695981039346656037ULL;
	size_t e;

	for (e = 0; e < edges; e++)
		sum = ((sum ^ edge[e].i) * 1099511628211ULL ^ edge[e].j) * 1099511628211ULL;
	return sum;
}

/*
 * Hosts of different builds must make the same graph, so that it is part of
 * the protocol: the one number here that a run printed.
 */
static void deterministic(void)
{
	uint64_t one = digest(1000, 10, 1);

	tap_remark("digest of (1000, 10, 1): %016" PRIx64, one);
	tap_ok(one == digest(1000, 10, 1), "graph__the_same_again");
	tap_ok(one == 0x0b78997021428f91ULL, "graph__the_same_as_on_other_machines");
	tap_ok(one != digest(1000, 10, 2), "graph__another_seed_makes_another");
}

/* Over many seeds every pair is as likely as any other. */
static void random_enough(void)
{
	static uint32_t met[20][20];
	uint32_t least = UINT32_MAX, most = 0, i, j;
	uint64_t seed;
	size_t edges, e;

	for (seed = 0; seed < 2000; seed++) {
		edges = graph_make(20, 3, seed, edge);
		for (e = 0; e < edges; e++)
			met[edge[e].i][edge[e].j]++;
	}
	for (i = 0; i < 20; i++) {
		for (j = i + 1; j < 20; j++) {
			least = met[i][j] < least ? met[i][j] : least;
			most = met[i][j] > most ? met[i][j] : most;
		}
	}
	/* 2000 x 6 / 19 = 632, standard deviation 21: five of them. */
	tap_remark("20 hosts, k 3, 2000 seeds: a pair meets %u to %u times", least, most);
	tap_ok(least > 526 && most < 738, "graph__every_pair_is_as_likely");
}

static void refusals(void)
{
	tap_ok(!graph_make(0, 10, 1, edge), "graph__no_hosts");
	tap_ok(!graph_make(1, 10, 1, edge), "graph__one_host_has_no_edges");
	tap_ok(!graph_make(10, 0, 1, edge), "graph__no_neighbours");
	tap_ok(!graph_make(10, GRAPH_K_MOST + 1, 1, edge), "graph__too_many_neighbours");
	tap_ok(!graph_make(GRAPH_HOSTS_MOST + 1, 10, 1, edge), "graph__too_many_hosts");
	tap_ok(!graph_make(UINT32_MAX, UINT32_MAX, 1, edge), "graph__far_too_many");
}

int main(void)
{
	properties();
	deterministic();
	random_enough();
	refusals();
	return tap_done();
}
