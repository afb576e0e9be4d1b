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
#include "least_squares.h"
#include "network.h"
#include "components.h"
#include "robust.h"
#include "sort.h"
#include "estimate.h"

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

/**
 * struct network - what is worked with; arrays lie in the caller's memory
 * @hosts: how many
 * @edges: how many
 * @edge: of the caller
 * @fit: of the caller
 * @out: of the caller
 * @rows: hosts of the component
 * @links: its edges that count
 * @row: of each host
 * @host: of each row
 * @link: index in @edge of each link
 * @i: row of each link
 * @j: same
 * @reached: hosts of the component
 * @component: of each host
 * @size: of each component
 * @wanted: of each link: an integer for the estimate
 * @value: of each link: what is left of it for least squares
 * @std: of each link, of the value
 * @residual: of each link
 * @weight: of each link
 * @weight_ppb: same, of drifts
 * @unit: standard deviation that weights are relative to
 * @unit_ppb: same, of drifts
 * @sigma: residuals against promises
 * @sigma_ppb: same, of drifts
 * @base: of each row: the estimate
 * @x: of each row: the rest
 * @rate: of each row, ppb of the reference's time
 * @line: of each host
 * @known: a host of the component has a prior
 * @worth: of each host: what it counts as the reference
 * @share_of: of each row: same
 * @ns: scratch
 * @number: scratch
 * @samples: scratch
 * @estimate: with @wanted
 * @least_squares: with @weight or @weight_ppb
 * @datum: of the caller
 */
struct network {
	uint32_t hosts;
	uint32_t edges;
	const struct network_edge *edge;
	struct network_fit *fit;
	struct network_host *out;
	uint32_t rows;
	uint32_t links;
	uint32_t *row;
	uint32_t *host;
	uint32_t *link;
	uint32_t *i;
	uint32_t *j;
	bool *reached;
	uint32_t *component;
	uint32_t *size;
	int64_t *wanted;
	double *value;
	double *std;
	double *residual;
	double *weight;
	double *weight_ppb;
	double unit;
	double unit_ppb;
	double sigma;
	double sigma_ppb;
	int64_t *base;
	double *x;
	double *rate;
	struct line *line;
	bool known;
	double *worth;
	double *share_of;
	int64_t *ns;
	double *number;
	struct datum_sample *samples;
	struct estimate estimate;
	struct least_squares least_squares;
	const struct datum *datum;
};

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
	       network_within(e->bias_ns, 0, NETWORK_STD_MOST);
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

/* Variance of a host's prior; none has a host without. */
static double network_prior(const struct network *n, uint32_t row, bool drifts)
{
	const struct datum *datum = n->datum;
	uint32_t h = n->host[row];
	double std;

	if (!datum_is_known(datum, n->reached, h))
		return INFINITY;
	std = drifts ? datum->prior[h].std_ppb : datum->prior[h].std_ns;
	return std >= 0 ? std * std : INFINITY;
}

/*
 * Weights of the component's hosts in the reference: the better a host was known
 * before and the more its edges are worth now, the more it weighs.  Without priors all
 * weigh the same.
 */
static void network_worth(struct network *n, bool drifts)
{
	const double *weight = drifts ? n->weight_ppb : n->weight;
	double unit = drifts ? n->unit_ppb : n->unit;
	double *share = n->share_of;
	double all = 0;
	uint32_t row, e;

	if (!n->rows)
		return;
	for (row = 0; row < n->rows; row++)
		share[row] = 0;
	for (e = 0; e < n->links; e++) {
		share[n->i[e]] += weight[e];
		share[n->j[e]] += weight[e];
	}
	for (row = 0; row < n->rows; row++)
		share[row] = n->known && n->links ? 1 / (unit * unit / share[row] +
			    network_prior(n, row, drifts)) : 1;
	for (row = 0; row < n->rows; row++)
		all += share[row];
	for (row = 0; row < n->rows; row++) {
		n->worth[n->host[row]] = share[row];
		share[row] = all > 0 ? share[row] / all : 1.0 / n->rows;
	}
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

static int64_t network_limited(int64_t x)
{
	return x > LINE_MOST_NS ? LINE_MOST_NS :
	       x < -LINE_MOST_NS ? -LINE_MOST_NS : x;
}

/* Lines with any datum; their local times do not depend on it. */
static void network_lines(struct network *n, int64_t at_ns)
{
	uint32_t row;

	for (row = 0; row < n->rows; row++) {
		struct line *line = &n->line[n->host[row]];

		line->offset_ns = network_limited(n->base[row] + line_round(n->x[row]));
		line->at_ns = network_limited(at_ns - line->offset_ns);
		line->drift_ppb = n->rate[row];
	}
}

/*
 * By how much the constant may have left that of the priors.  Hosts that are
 * worth something now put it where their own priors were, which were off by what
 * these did not know; @moved comes on top.  But the common time goes there only as
 * far as they follow: an edge that tells little more than the prior changes little.
 *
 * After network_worth().
 */
static double network_frame(const struct network *n, bool drifts, double moved)
{
	double sum = 0, followed = 0, far = moved / DATUM_SIGMAS;
	uint32_t row;

	for (row = 0; row < n->rows; row++) {
		double worth = n->worth[n->host[row]];
		double prior = network_prior(n, row, drifts);

		if (!isfinite(prior))
			continue;
		sum += worth;
		followed += worth * worth * prior;
	}
	return sum > 0 ? followed / sum * sqrt(1 / sum + far * far) : 0;
}

/* Lines in the datum; returns by what the instant moves. */
static int64_t network_gauge(struct network *n, const struct datum *datum,
			     struct network_result *r)
{
	double shift_ppb, moved;
	int64_t shift_ns;
	uint32_t row;

	network_worth(n, false);
	shift_ns = datum_offset_ns(datum, n->hosts, n->reached, n->worth, n->line,
				   n->samples, &moved);
	r->frame_ns = network_frame(n, false, moved);
	network_worth(n, true);
	shift_ppb = datum_drift_ppb(datum, n->hosts, n->reached, n->worth, n->line,
				    n->samples, &moved);
	r->frame_ppb = network_frame(n, true, moved);
	for (row = 0; row < n->rows; row++) {
		struct line *line = &n->line[n->host[row]];

		line->offset_ns = network_limited(line->offset_ns + shift_ns);
		line->drift_ppb += shift_ppb;
		line->drift_ppb /= 1 - line->drift_ppb / 1e9;
		n->out[n->host[row]].reached = true;
		n->out[n->host[row]].line = *line;
	}
	return shift_ns;
}

/* Standard deviations: weights are 1 / variance in units. */
static void network_errors(struct network *n)
{
	double sigma = fmax(n->sigma, 1) * n->unit;
	double sigma_ppb = fmax(n->sigma_ppb, 1) * n->unit_ppb;
	uint32_t row;

	network_worth(n, false);
	least_squares_variance(&n->least_squares, n->share_of, n->x);
	for (row = 0; row < n->rows; row++)
		n->out[n->host[row]].std_ns = sqrt(fmax(n->x[row], 0)) * sigma;
	n->least_squares.weight = n->weight_ppb;
	least_squares_prepare(&n->least_squares);
	network_worth(n, true);
	least_squares_variance(&n->least_squares, n->share_of, n->x);
	for (row = 0; row < n->rows; row++)
		n->out[n->host[row]].std_ppb = sqrt(fmax(n->x[row], 0)) * sigma_ppb;
}

/* The mean over a host's edges, by weight. */
static void network_biases(struct network *n)
{
	double *sum = n->number;
	uint32_t row, e;

	for (row = 0; row < n->rows; row++)
		sum[row] = 0;
	for (e = 0; e < n->links; e++) {
		struct network_host *i = &n->out[n->host[n->i[e]]];
		struct network_host *j = &n->out[n->host[n->j[e]]];
		double bias = n->edge[n->link[e]].bias_ns;

		i->edges++;
		j->edges++;
		i->bias_ns += n->weight[e] * bias;
		j->bias_ns += n->weight[e] * bias;
		sum[n->i[e]] += n->weight[e];
		sum[n->j[e]] += n->weight[e];
	}
	for (row = 0; row < n->rows; row++)
		n->out[n->host[row]].bias_ns /= sum[row];
}

/* An outlier is as far off as the final solution says. */
static void network_outliers(struct network *n)
{
	uint32_t e;

	for (e = 0; e < n->edges; e++) {
		const struct network_edge *edge = &n->edge[e];
		const struct line *i, *j;
		int64_t away_ns;

		if (n->fit[e].fate != NETWORK_OUTLIER)
			continue;
		if (!n->reached[edge->i] || !n->reached[edge->j])
			continue;
		i = &n->line[edge->i];
		j = &n->line[edge->j];
		away_ns = i->at_ns - edge->at_ns;
		n->fit[e].residual_ns = edge->theta_ns - (i->offset_ns - j->offset_ns) +
					edge->drift_ppb * away_ns / 1e9;
	}
}

static void network_count(const struct network *n, struct network_result *r)
{
	uint32_t e;

	for (e = 0; e < n->edges; e++) {
		r->outliers += n->fit[e].fate == NETWORK_OUTLIER;
		r->absurd += n->fit[e].fate == NETWORK_ABSURD;
	}
	r->used = n->links;
	r->reached = n->rows;
	r->sigma = n->sigma;
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
	r.at_ns = network_limited(r.at_ns + network_gauge(&n, datum, &r));
	if (n.rows > 1) {
		network_errors(&n);
		network_biases(&n);
	}
	network_count(&n, &r);
	r.referenced = datum->kind != DATUM_MEAN && datum->host < hosts &&
		       n.reached[datum->host];
	return r;
}
