// SPDX-License-Identifier: GPL-2.0
/*
 * The least squares over a graph: the matrix form against the paper's form of
 * loops, and the variances.  -s SEED repeats, -n is the number of rounds.
 */
#include <string.h>

#include "graph.h"
#include "least_squares.h"
#include "options.h"
#include "world.h"

#define HOSTS	100
#define EDGES	(HOSTS * GRAPH_K_MOST)

/* Gauss, with the greatest pivot. */
static void gauss(double *a, double *b, uint32_t n)
{
	uint32_t c, r, k, best;
	double swap;

	for (c = 0; c < n; c++) {
		for (best = c, r = c; r < n; r++)
			best = fabs(a[r * n + c]) > fabs(a[best * n + c]) ? r : best;
		for (k = 0; k < n; k++) {
			swap = a[c * n + k];
			a[c * n + k] = a[best * n + k];
			a[best * n + k] = swap;
		}
		swap = b[c];
		b[c] = b[best];
		b[best] = swap;
		for (r = 0; r < n; r++) {
			double by = a[r * n + c] / a[c * n + c];

			for (k = 0; r != c && k < n; k++)
				a[r * n + k] -= by * a[c * n + k];
			b[r] -= r != c ? by * b[c] : 0;
		}
	}
	for (c = 0; c < n; c++)
		b[c] /= a[c * n + c];
}

/*
 * The paper's form: the smallest weighted change that closes all loops.  A
 * loop for each edge that is not in a tree: the edge, and the tree's way back
 * from its end by way of the root.
 */
static void loop_form(const struct graph_edge *edge, uint32_t edges,
		      const double *weight, const double *delta, double *repaired)
{
	static double loop[EDGES][EDGES], way[HOSTS][EDGES], a[EDGES * EDGES], y[EDGES];
	static bool known[HOSTS], tree[EDGES];
	uint32_t loops = 0, e, k, l;
	bool grew = true;

	memset(known, 0, sizeof(known));
	memset(tree, 0, sizeof(tree));
	memset(way, 0, sizeof(way));
	known[0] = true;
	while (grew) {
		grew = false;
		for (e = 0; e < edges; e++) {
			uint32_t from = known[edge[e].i] ? edge[e].i : edge[e].j;
			uint32_t to = from == edge[e].i ? edge[e].j : edge[e].i;

			if (known[edge[e].i] == known[edge[e].j])
				continue;
			memcpy(way[to], way[from], sizeof(way[to]));
			way[to][e] += from == edge[e].i ? 1 : -1;
			known[to] = tree[e] = grew = true;
		}
	}
	for (e = 0; e < edges; e++) {
		if (tree[e])
			continue;
		for (k = 0; k < edges; k++)
			loop[loops][k] = (k == e) + way[edge[e].i][k] - way[edge[e].j][k];
		loops++;
	}
	for (l = 0; l < loops; l++) {
		for (y[l] = 0, e = 0; e < edges; e++)
			y[l] += loop[l][e] * delta[e];
		for (k = 0; k < loops; k++)
			for (a[l * loops + k] = 0, e = 0; e < edges; e++)
				a[l * loops + k] += loop[l][e] * loop[k][e] / weight[e];
	}
	gauss(a, y, loops);
	for (e = 0; e < edges; e++)
		for (repaired[e] = delta[e], l = 0; l < loops; l++)
			repaired[e] -= loop[l][e] * y[l] / weight[e];
}

/* A Laplacian in static rooms. */
static struct least_squares least_squares_of(uint32_t hosts, uint32_t edges, const struct graph_edge *edge,
					     const double *weight, uint32_t ground, bool dense)
{
	static double matrix[HOSTS * HOSTS], memory[7][HOSTS];
	static uint32_t i[EDGES], j[EDGES];
	uint32_t e;

	for (e = 0; e < edges; e++) {
		i[e] = edge[e].i;
		j[e] = edge[e].j;
	}
	return (struct least_squares){
		.rows = hosts, .edges = edges, .i = i, .j = j, .weight = weight, .ground = ground,
		.dense = dense, .matrix = matrix, .diagonal = memory[0], .right = memory[1],
		.solved = memory[2], .work = { memory[3], memory[4], memory[5], memory[6] },
	};
}

static void against_loops(struct options o)
{
	static double weight[EDGES], delta[EDGES], repaired[EDGES], x[HOSTS];
	static struct graph_edge edge[EDGES];
	double worst[2] = { 0, 0 };
	unsigned long round;
	int dense;
	uint32_t e;

	for (round = 0; round < o.n; round++) {
		uint32_t hosts = 3 + random_below(&o.seed, 10);
		uint32_t edges = graph_make(hosts, 1 + random_below(&o.seed, 3), round, edge);

		for (e = 0; e < edges; e++) {
			weight[e] = round % 2 ? 1 : 0.01 + world_uniform(&o.seed) * 10;
			delta[e] = 1000 * world_normal(&o.seed);
		}
		loop_form(edge, edges, weight, delta, repaired);
		for (dense = 0; dense < 2; dense++) {
			struct least_squares l = least_squares_of(hosts, edges, edge, weight, LEAST_SQUARES_MEAN, dense);

			least_squares_prepare(&l);
			least_squares_solve(&l, delta, x);
			for (e = 0; e < edges; e++)
				worst[dense] = fmax(worst[dense],
						    fabs(x[edge[e].i] - x[edge[e].j] - repaired[e]));
		}
	}
	tap_remark("off the form of loops by %.2g (factor) and %.2g ns (gradients) of 1000 at most", worst[1], worst[0]);
	tap_ok(worst[1] < 1e-8, "least_squares__the_factor_is_the_form_of_loops");
	tap_ok(worst[0] < 1e-5, "least_squares__the_gradients_are_the_form_of_loops");
}

/* Variances: those of the factor by their definition, with unit vectors; the sampled near them. */
static void variances(struct options o)
{
	static double weight[EDGES], exact[HOSTS], sampled[HOSTS], unit[EDGES], x[HOSTS];
	static struct graph_edge edge[EDGES];
	uint32_t edges = graph_make(30, 5, o.seed, edge);
	double worst = 0, sum[2] = { 0, 0 };
	uint32_t ground, e, h;
	double component[HOSTS];
	struct least_squares l;

	for (e = 0; e < edges; e++)
		weight[e] = 0.2 + world_uniform(&o.seed) * 4;
	/* Against three hosts, all of them, and all by 1 to 30. */
	for (ground = 0; ground < 50; ground += 10) {
		double by_edges[HOSTS] = { 0 };
		uint32_t zero = ground >= 30 ? LEAST_SQUARES_MEAN : ground;

		for (h = 0; h < 30; h++)
			component[h] = ground == 40 ? (h + 1) / 465.0 : 1 / 30.0;

		l = least_squares_of(30, edges, edge, weight, zero, true);
		least_squares_prepare(&l);
		least_squares_variance(&l, component, exact);
		/* Sum over all edges, for an edge of variance 1 / w alone. */
		for (e = 0; e < edges; e++) {
			double mean = 0;

			memset(unit, 0, sizeof(unit));
			unit[e] = 1 / sqrt(weight[e]);
			least_squares_solve(&l, unit, x);
			for (h = 0; h < 30; h++)
				mean += component[h] * x[h];
			for (h = 0; h < 30; h++)
				by_edges[h] += pow(x[h] - (ground >= 30 ? mean : x[ground]), 2);
		}
		for (h = 0; h < 30; h++)
			worst = fmax(worst, fabs(by_edges[h] - exact[h]));
		l = least_squares_of(30, edges, edge, weight, zero, false);
		least_squares_prepare(&l);
		least_squares_variance(&l, component, sampled);
		for (h = 0; h < 30; h++) {
			sum[0] += exact[h];
			sum[1] += sampled[h];
		}
	}
	tap_ok(worst < 1e-9, "least_squares__variances_are_the_sum_over_edges");
	tap_remark("sampled variances add up to %.3f of the exact", sum[1] / sum[0]);
	tap_ok(fabs(sum[1] / sum[0] - 1) < 0.2, "least_squares__sampled_variances_are_near");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 40, "random networks");

	against_loops(o);
	variances(o);
	return tap_done();
}
