// SPDX-License-Identifier: GPL-2.0
/*
 * Limits of the errors that directions that differ make: shortest paths against an oracle, and
 * solutions of edges that are asymmetric at random and at worst.  -s SEED repeats, -n is the
 * number of rounds.
 */
#include <stdlib.h>

#include "graph.h"
#include "network.h"
#include "options.h"
#include "prng.h"
#include "shortest.h"
#include "world.h"

#define HOSTS	60
#define EDGES	(HOSTS * GRAPH_K_MOST)
#define AT_NS	1000000000000LL

static double horrible[HOSTS][HOSTS];

/* All paths by way of all nodes (Floyd 1962). */
static void horrible_paths(const struct shortest_graph *g)
{
	uint32_t i, j, k;

	for (i = 0; i < g->rows; i++)
		for (j = 0; j < g->rows; j++)
			horrible[i][j] = i == j ? 0 : INFINITY;
	for (k = 0; k < g->links; k++) {
		double shorter = fmin(g->length[k], horrible[g->i[k]][g->j[k]]);

		horrible[g->i[k]][g->j[k]] = shorter;
		horrible[g->j[k]][g->i[k]] = shorter;
	}
	for (k = 0; k < g->rows; k++)
		for (i = 0; i < g->rows; i++)
			for (j = 0; j < g->rows; j++)
				horrible[i][j] = fmin(horrible[i][j], horrible[i][k] + horrible[k][j]);
}

static void paths(struct options o)
{
	static uint32_t i[2 * HOSTS], j[2 * HOSTS];
	static double length[2 * HOSTS], path[HOSTS];
	struct shortest_graph g = { .i = i, .j = j, .length = length };
	uint32_t round, k, root, wrong = 0, apart = 0;

	for (round = 0; round < 20 * o.n; round++) {
		g.rows = 1 + prng_below(&o.seed, HOSTS);
		g.links = g.rows > 1 ? prng_below(&o.seed, 2 * g.rows) : 0;
		for (k = 0; k < g.links; k++) {
			i[k] = prng_below(&o.seed, g.rows);
			j[k] = prng_below(&o.seed, g.rows);
			/* Whole numbers, so that sums in any order are equal. */
			length[k] = prng_below(&o.seed, 1000);
		}
		horrible_paths(&g);
		root = prng_below(&o.seed, g.rows);
		shortest_paths(&g, root, path);
		for (k = 0; k < g.rows; k++) {
			wrong += path[k] != horrible[root][k];
			apart += isinf(path[k]);
		}
	}
	tap_ok(!wrong, "shortest_paths__are_those_of_all_ways");
	tap_ok(apart > 0, "shortest_paths__some_nodes_are_reached_by_none");
}

/** enum shape - which edges are asymmetric, and by how much of their limit */
enum shape {
	NONE,		/* by nothing */
	RANDOM,		/* all, by random parts */
	HOST,		/* those of the last host, all one way: nothing sees it */
	OPPOSED,	/* those of the last host one way, those of the first the other way */
	SHAPES,
};

static double part(enum shape shape, uint64_t *seed, uint32_t hosts, const struct graph_edge *e)
{
	switch (shape) {
	case RANDOM:
		return 2 * world_uniform(seed) - 1;
	case HOST:
		return e->j == hosts - 1;
	case OPPOSED:
		return e->i == 0 || e->j == hosts - 1;
	default:
		return 0;
	}
}

/**
 * struct found - of many solutions
 * @hosts: hosts solved, but for the first
 * @above: of them, those whose error is above the limit
 * @half: of them, those whose error is above half of it
 */
struct found {
	uint32_t hosts, above, half;
};

static void look(enum shape shape, uint32_t hosts, uint32_t k, double limit_ns, uint64_t *seed,
		 struct found *found)
{
	static struct graph_edge pair[EDGES];
	static struct network_edge edge[EDGES];
	static struct network_fit fit[EDGES];
	static struct network_host host[HOSTS];
	struct datum datum = { .kind = DATUM_HOST, .window_ns = 2000000000 };
	uint32_t edges = graph_make(hosts, k, *seed, pair), e, h;
	void *memory = malloc(network_bytes(hosts, edges, NETWORK_DENSE));

	for (e = 0; e < edges; e++)
		edge[e] = (struct network_edge){
			.i = pair[e].i, .j = pair[e].j, .at_ns = AT_NS,
			.theta_ns = llround(limit_ns * part(shape, seed, hosts, &pair[e])),
			.sigma_ns = 50 + 500 * world_uniform(seed), .sigma_ppb = 10,
			.asymmetry_ns = limit_ns };
	network_solve(hosts, edge, edges, &datum, NETWORK_DENSE, memory, fit, host);
	for (h = 1; h < hosts; h++) {
		/* All clocks are right, so what is said to correct them is the error. */
		double error = fabs((double)(host[h].line.offset_ns - host[0].line.offset_ns));

		found->hosts += host[h].reached;
		found->above += host[h].reached && error > host[h].asymmetry_ns + 1;
		found->half += host[h].reached && error > host[h].asymmetry_ns / 2 + 1;
	}
	free(memory);
}

static void solutions(struct options o)
{
	static const char *const names[SHAPES] = { "none", "random", "host", "opposed" };
	static const struct { uint32_t hosts, k; } mesh[] = { { 2, 1 }, { 4, 3 }, { 12, 1 }, { 50, 5 } };
	struct found found[SHAPES] = { { 0 } };
	uint32_t round, m, shape;

	for (shape = 0; shape < SHAPES; shape++)
		for (round = 0; round < o.n; round++)
			for (m = 0; m < sizeof(mesh) / sizeof(*mesh); m++)
				look(shape, mesh[m].hosts, mesh[m].k, 5000, &o.seed, &found[shape]);
	for (shape = 0; shape < SHAPES; shape++) {
		tap_ok(found[shape].hosts && !found[shape].above, "network__the_limit_covers_asymmetry__%s",
		       names[shape]);
		if (found[shape].above)
			tap_remark("%u of %u", found[shape].above, found[shape].hosts);
	}
	/* The limit is not merely large: a host all of whose ways are asymmetric comes near it. */
	tap_ok(found[HOST].half > 0, "network__half_of_the_limit_would_not_cover");
	tap_ok(!found[NONE].half, "network__without_asymmetry_nothing_is_off");
}

static void limits(void)
{
	struct network_edge edge[] = { { .i = 0, .j = 1, .theta_ns = 30, .sigma_ns = 1, .sigma_ppb = 1 } };
	struct datum datum = { .kind = DATUM_MEAN, .window_ns = 2000000000 };
	double memory[256];
	struct network_fit fit[1];
	struct network_host host[2];
	uint32_t n;

	if (network_bytes(2, 1, NETWORK_DENSE) > sizeof(memory))
		abort();
	network_solve(2, edge, 1, &datum, NETWORK_DENSE, memory, fit, host);
	tap_ok(host[1].reached && !host[0].asymmetry_ns && !host[1].asymmetry_ns,
	       "network__symmetric_edges_have_no_limit");
	edge[0].asymmetry_ns = 70;
	network_solve(2, edge, 1, &datum, NETWORK_DENSE, memory, fit, host);
	tap_ok(!host[0].asymmetry_ns && fabs(host[1].asymmetry_ns - 70) < 1e-6,
	       "network__without_a_reference_it_is_against_the_first_host");
	datum.kind = DATUM_HOST;
	datum.host = 1;
	network_solve(2, edge, 1, &datum, NETWORK_DENSE, memory, fit, host);
	tap_ok(!host[1].asymmetry_ns && fabs(host[0].asymmetry_ns - 70) < 1e-6,
	       "network__with_a_reference_it_is_against_that");
	for (n = 0; n < 3; n++) {
		static const double bad[] = { -1, NAN, 1e10 };

		edge[0].asymmetry_ns = bad[n];
		network_solve(2, edge, 1, &datum, NETWORK_DENSE, memory, fit, host);
		tap_ok(fit[0].fate == NETWORK_ABSURD && !host[0].reached,
		       "network__an_asymmetry_of_%g_is_absurd", bad[n]);
	}
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 20, "random graphs");

	paths(o);
	solutions(o);
	limits();
	return tap_done();
}
