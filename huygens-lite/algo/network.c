// SPDX-License-Identifier: GPL-2.0
/*
 * The network effect: from edges to hosts.
 *
 * A pass solves one component of the graph with the edges that still count; edges
 * that prove bad are left out, and a pass begins anew, as components may fall apart
 * without them.
 */
#include <math.h>

#include "edge.h"
#include "network_private.h"
#include "components.h"
#include "robust.h"
#include "sort.h"

#define NETWORK_PASSES	16

/* An edge that is off less than the worst by this may be bent by it. */
#define NETWORK_BENT	10.0

/* Solutions of a pass, each with the weights of the one before. */
#define NETWORK_ROUNDS	4

/* Edges that were made further than this from the others are of no window. */
#define NETWORK_AWAY_NS	10000000000LL

/* Limits of standard deviations and biases: stamps are whole ns. */
#define NETWORK_STD_LEAST	1.0
#define NETWORK_PPB_LEAST	0.01
#define NETWORK_STD_MOST	1e9

/* Take @count of @size bytes, in whole words; without memory only count. */
static void *network_take(char **at, size_t *taken, size_t count, size_t size)
{
	size_t bytes = (count * size + 7) / 8 * 8;
	void *here = *at;

	*taken += bytes;
	if (*at)
		*at += bytes;
	return here;
}

#define NETWORK_TAKE(what, count) \
	((what) = network_take(&at, &taken, count, sizeof(*(what))))

static size_t network_carve(struct network *n, uint32_t hosts, uint32_t edges,
			    uint32_t dense, char *at)
{
	size_t most = hosts < dense ? hosts : dense;
	size_t both = 2 * (size_t)edges;
	size_t longest = both > hosts ? both : hosts;
	size_t taken = 0;
	int k;

	NETWORK_TAKE(n->row, hosts);
	NETWORK_TAKE(n->host, hosts);
	NETWORK_TAKE(n->link, edges);
	NETWORK_TAKE(n->i, edges);
	NETWORK_TAKE(n->j, edges);
	NETWORK_TAKE(n->reached, hosts);
	NETWORK_TAKE(n->component, hosts);
	NETWORK_TAKE(n->size, hosts);
	NETWORK_TAKE(n->wanted, edges);
	NETWORK_TAKE(n->value, edges);
	NETWORK_TAKE(n->std, edges);
	NETWORK_TAKE(n->residual, edges);
	NETWORK_TAKE(n->weight, edges);
	NETWORK_TAKE(n->weight_ppb, edges);
	NETWORK_TAKE(n->base, hosts);
	NETWORK_TAKE(n->x, hosts);
	NETWORK_TAKE(n->rate, hosts);
	NETWORK_TAKE(n->line, hosts);
	NETWORK_TAKE(n->worth, hosts);
	NETWORK_TAKE(n->share_of, hosts);
	NETWORK_TAKE(n->bound_ns, hosts);
	NETWORK_TAKE(n->samples, hosts);
	NETWORK_TAKE(n->ns, longest);
	NETWORK_TAKE(n->number, longest);
	NETWORK_TAKE(n->estimate.first, (size_t)hosts + 1);
	NETWORK_TAKE(n->estimate.link, both);
	NETWORK_TAKE(n->estimate.queue, hosts);
	NETWORK_TAKE(n->least_squares.matrix, most * (most + 1) / 2);
	NETWORK_TAKE(n->least_squares.diagonal, hosts);
	NETWORK_TAKE(n->least_squares.right, hosts);
	NETWORK_TAKE(n->least_squares.solved, hosts);
	for (k = 0; k < 4; k++)
		NETWORK_TAKE(n->least_squares.work[k], hosts);
	return taken;
}

size_t network_bytes(uint32_t hosts, uint32_t edges, uint32_t dense)
{
	struct network n;

	return network_carve(&n, hosts, edges, dense, NULL);
}

static bool network_within(double x, double least, double most)
{
	return x >= least && x <= most;
}

static bool network_is_sane(const struct network_edge *e, uint32_t hosts)
{
	return e->i < e->j && e->j < hosts &&
	       e->at_ns <= LINE_MOST_NS && e->at_ns >= -LINE_MOST_NS &&
	       e->theta_ns <= LINE_MOST_NS && e->theta_ns >= -LINE_MOST_NS &&
	       network_within(e->drift_ppb, -EDGE_DRIFT_MOST_PPB, EDGE_DRIFT_MOST_PPB) &&
	       network_within(e->sigma_ns, NETWORK_STD_LEAST, NETWORK_STD_MOST) &&
	       network_within(e->sigma_ppb, NETWORK_PPB_LEAST, NETWORK_STD_MOST) &&
	       network_within(e->bias_ns, 0, NETWORK_STD_MOST) &&
	       network_within(e->asymmetry_ns, 0, NETWORK_STD_MOST);
}

static bool network_counts(const struct network_fit *fit)
{
	return fit->fate == NETWORK_USED || fit->fate == NETWORK_LOWERED;
}

/* The component to solve, by its smallest index. */
static uint32_t network_component(const struct network *n, const struct datum *datum)
{
	uint32_t best = 0;
	uint32_t h;

	if (datum->kind != DATUM_MEAN && datum->host < n->hosts &&
	    n->size[n->component[datum->host]] > 1)
		return n->component[datum->host];
	for (h = 1; h < n->hosts; h++) {
		if (n->size[h] > n->size[best])
			best = h;
	}
	return best;
}

/* Hosts and edges of the component become rows and links; returns the number of components. */
static uint32_t network_gather(struct network *n, const struct datum *datum)
{
	uint32_t components, component, h, e;

	components_begin(n->component, n->hosts);
	for (e = 0; e < n->edges; e++) {
		if (network_counts(&n->fit[e]))
			components_join(n->component, n->edge[e].i, n->edge[e].j);
	}
	components = components_settle(n->component, n->hosts, n->size);
	component = network_component(n, datum);
	n->rows = 0;
	n->links = 0;
	for (h = 0; h < n->hosts; h++) {
		n->reached[h] = n->component[h] == component && n->size[component] > 1;
		n->row[h] = n->rows;
		if (n->reached[h])
			n->host[n->rows++] = h;
	}
	for (e = 0; e < n->edges; e++) {
		if (!network_counts(&n->fit[e]) || !n->reached[n->edge[e].i])
			continue;
		n->link[n->links] = e;
		n->i[n->links] = n->row[n->edge[e].i];
		n->j[n->links++] = n->row[n->edge[e].j];
	}
	return components;
}

/* Where there are priors no host is the reference of errors (datum.h). */
static bool network_knows(const struct network *n)
{
	uint32_t row;

	for (row = 0; row < n->rows; row++) {
		if (datum_is_known(n->datum, n->reached, n->host[row]))
			return true;
	}
	return false;
}

/* Solvers for the component. */
static void network_ready(struct network *n, const struct datum *datum,
			  uint32_t dense)
{
	struct least_squares *l = &n->least_squares;

	n->estimate.rows = n->rows;
	n->estimate.edges = n->links;
	n->estimate.i = n->i;
	n->estimate.j = n->j;
	n->estimate.value = n->wanted;
	n->estimate.scratch = n->ns;
	l->rows = n->rows;
	l->edges = n->links;
	l->i = n->i;
	l->j = n->j;
	l->dense = n->rows <= dense;
	n->known = network_knows(n);
	l->ground = !n->known && datum->kind != DATUM_MEAN && datum->host < n->hosts &&
		    n->reached[datum->host] ? n->row[datum->host] : LEAST_SQUARES_MEAN;
}

/* Least squares for @value and @std, again and again; into @x. */
static uint32_t network_squares(struct network *n, double *weight,
				double *unit, double *sigma)
{
	uint32_t iterations = 0;
	double scale;
	uint32_t round, e;

	*unit = robust_unit(n->std, n->links);
	for (e = 0; e < n->links; e++)
		n->residual[e] = n->value[e];
	n->least_squares.weight = weight;
	for (round = 0; round < NETWORK_ROUNDS; round++) {
		scale = robust_scale(n->residual, n->std, n->links, n->rows,
				     n->number);
		robust_weigh(n->residual, n->std, n->links, scale, *unit, weight);
		least_squares_prepare(&n->least_squares);
		least_squares_solve(&n->least_squares, n->value, n->x);
		iterations += n->least_squares.iterations;
		for (e = 0; e < n->links; e++)
			n->residual[e] = n->value[e] - n->x[n->i[e]] + n->x[n->j[e]];
	}
	*sigma = robust_sigma(n->residual, weight, *unit, n->links, n->rows);
	return iterations;
}

/* x_i - x_j by the estimate. */
static int64_t network_base(const struct network *n, uint32_t e)
{
	return n->base[n->i[e]] - n->base[n->j[e]];
}

/*
 * Rates of the reference's time.  An edge tells its drift in its owner's, which
 * runs by 1 - rate as fast: 50 ppm of 100 ppm are 5 ppb.
 */
static uint32_t network_rates(struct network *n, const struct datum *datum)
{
	uint32_t iterations, e, row, h;
	double shift, moved;

	for (e = 0; e < n->links; e++)
		n->wanted[e] = line_round(n->edge[n->link[e]].drift_ppb *
					  DATUM_DRIFT_UNIT);
	estimate_initial(&n->estimate, n->base);
	for (e = 0; e < n->links; e++) {
		const struct network_edge *edge = &n->edge[n->link[e]];

		n->std[e] = edge->sigma_ppb;
		n->value[e] = edge->drift_ppb - network_base(n, e) / DATUM_DRIFT_UNIT;
	}
	iterations = network_squares(n, n->weight_ppb, &n->unit_ppb, &n->sigma_ppb);
	for (row = 0; row < n->rows; row++) {
		h = n->host[row];
		n->rate[row] = n->base[row] / DATUM_DRIFT_UNIT + n->x[row];
		n->line[h] = (struct line){ .drift_ppb = n->rate[row] };
	}
	network_worth(n, true);
	shift = datum_drift_ppb(datum, n->hosts, n->reached, n->worth, n->line,
				n->samples, &moved);
	for (e = 0; e < n->links; e++) {
		n->fit[n->link[e]].residual_ppb = n->residual[e];
		n->value[e] = -n->edge[n->link[e]].drift_ppb *
			      (n->rate[n->i[e]] + shift) / 1e9;
	}
	least_squares_solve(&n->least_squares, n->value, n->x);
	for (row = 0; row < n->rows; row++)
		n->rate[row] += n->x[row];
	return iterations;
}

/* The median instant of the edges, in the time that @base makes. */
static int64_t network_instant(struct network *n)
{
	uint32_t e;

	for (e = 0; e < n->links; e++)
		n->ns[e] = n->edge[n->link[e]].at_ns + n->base[n->i[e]];
	sort_ns(n->ns, n->links);
	return n->ns[n->links / 2];
}

/*
 * How far the instant is from when link @e was made.  An edge of another window
 * is not taken further than a window may be away, and proves bad by itself.
 */
static double network_ahead(const struct network *n, uint32_t e, int64_t at_ns)
{
	__int128 ahead = (__int128)at_ns - n->base[n->i[e]] -
			 n->edge[n->link[e]].at_ns;

	return ahead > NETWORK_AWAY_NS ? NETWORK_AWAY_NS :
	       ahead < -NETWORK_AWAY_NS ? -NETWORK_AWAY_NS : (double)ahead;
}

static void network_offset_values(struct network *n, int64_t at_ns)
{
	uint32_t e;

	for (e = 0; e < n->links; e++) {
		const struct network_edge *edge = &n->edge[n->link[e]];
		int64_t left = edge->theta_ns - network_base(n, e);

		n->value[e] = left + edge->drift_ppb * network_ahead(n, e, at_ns) / 1e9;
		n->std[e] = sqrt(edge->sigma_ns * edge->sigma_ns +
				 edge->bias_ns * edge->bias_ns);
	}
}

/* How far link @e is off, in its standard deviations. */
static double network_off(const struct network *n, uint32_t e)
{
	return fabs(n->residual[e]) / n->std[e];
}

/*
 * Edges that disagree prove bad, unless it was the last pass; not all at once,
 * as an edge that is off by seconds bends good ones.  Returns how many.
 */
static uint32_t network_judge(struct network *n, bool last)
{
	double scale = robust_scale(n->residual, n->std, n->links, n->rows,
				    n->number);
	double most = ROBUST_OUTLIER * scale;
	uint32_t out = 0;
	uint32_t e;

	for (e = 0; e < n->links; e++)
		most = fmax(most, network_off(n, e) / NETWORK_BENT);
	for (e = 0; e < n->links; e++) {
		struct network_fit *fit = &n->fit[n->link[e]];
		double off = network_off(n, e);

		fit->residual_ns = n->residual[e];
		fit->fate = off > ROBUST_HUBER * scale ? NETWORK_LOWERED :
							 NETWORK_USED;
		if (off > most && !last) {
			fit->fate = NETWORK_OUTLIER;
			out++;
		}
	}
	return out;
}

/* Returns how many edges proved bad. */
static uint32_t network_offsets(struct network *n, int64_t *at_ns, bool last,
				uint32_t *iterations)
{
	uint32_t e;

	for (e = 0; e < n->links; e++)
		n->wanted[e] = n->edge[n->link[e]].theta_ns;
	estimate_initial(&n->estimate, n->base);
	*at_ns = network_instant(n);
	network_offset_values(n, *at_ns);
	*iterations += network_squares(n, n->weight, &n->unit, &n->sigma);
	return network_judge(n, last);
}

/* Passes until no edge proves bad; returns the common instant. */
static int64_t network_passes(struct network *n, const struct datum *datum,
			      uint32_t dense, struct network_result *r)
{
	int64_t at_ns = 0;
	uint32_t pass;

	for (pass = 1; pass <= NETWORK_PASSES; pass++) {
		r->components = network_gather(n, datum);
		if (n->rows < 2)
			break;
		network_ready(n, datum, dense);
		r->iterations += network_rates(n, datum);
		if (!network_offsets(n, &at_ns, pass == NETWORK_PASSES, &r->iterations))
			break;
	}
	return at_ns;
}

/* Alone, a host has nothing to compare with. */
static void network_alone(struct network *n)
{
	if (n->hosts != 1)
		return;
	n->rows = 1;
	n->host[0] = 0;
	n->reached[0] = true;
	n->base[0] = 0;
	n->x[0] = 0;
	n->rate[0] = 0;
}

struct network_result network_solve(uint32_t hosts,
				    const struct network_edge *edge,
				    uint32_t edges, const struct datum *datum,
				    uint32_t dense, void *memory,
				    struct network_fit *fit,
				    struct network_host *host)
{
	struct network n = {
		.hosts = hosts,
		.edges = edges,
		.edge = edge,
		.datum = datum,
		.fit = fit,
		.out = host,
		.sigma = 1,
	};
	struct network_result r = { 0 };
	uint32_t k;

	network_carve(&n, hosts, edges, dense, memory);
	for (k = 0; k < hosts; k++)
		host[k] = (struct network_host){ 0 };
	for (k = 0; k < edges; k++)
		fit[k] = (struct network_fit){
			.fate = network_is_sane(&edge[k], hosts) ? NETWORK_USED :
								   NETWORK_ABSURD,
		};
	r.at_ns = network_passes(&n, datum, dense, &r);
	if (n.rows < 2)
		network_alone(&n);
	network_lines(&n, r.at_ns);
	network_outliers(&n);
	if (n.rows > 1) {
		network_errors(&n);
		network_biases(&n);
		network_asymmetries(&n);
	}
	network_bounds(&n);
	r.at_ns = network_limited(r.at_ns + network_to_datum(&n, datum, &r));
	network_count(&n, &r);
	r.referenced = datum->kind != DATUM_MEAN && datum->host < hosts &&
		       n.reached[datum->host];
	return r;
}
