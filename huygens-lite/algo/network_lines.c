// SPDX-License-Identifier: GPL-2.0
/*
 * From a solution to the hosts' lines in the datum, with their errors and biases.
 */
#include <math.h>

#include "network_private.h"
#include "shortest.h"

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
void network_worth(struct network *n, bool drifts)
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

int64_t network_limited(int64_t x)
{
	return x > LINE_MOST_NS ? LINE_MOST_NS :
	       x < -LINE_MOST_NS ? -LINE_MOST_NS : x;
}

/* Lines with any datum; their local times do not depend on it. */
void network_lines(struct network *n, int64_t at_ns)
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
int64_t network_to_datum(struct network *n, const struct datum *datum,
			 struct network_result *r)
{
	double shift_ppb, moved;
	int64_t shift_ns;
	uint32_t row;

	network_worth(n, false);
	shift_ns = datum_offset_ns(datum, n->hosts, n->reached, n->worth, n->bound_ns,
				   n->line, n->samples, &moved);
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
void network_errors(struct network *n)
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
void network_biases(struct network *n)
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

/* The row from which errors are counted. */
static uint32_t network_root(const struct network *n)
{
	const struct datum *datum = n->datum;

	return datum->kind != DATUM_MEAN && datum->host < n->hosts &&
	       n->reached[datum->host] ? n->row[datum->host] : 0;
}

/*
 * An edge's theta is wrong by its asymmetry at most, and the solution is off theta by the
 * residual.  So along any path from the root the solution is wrong by their sum at most,
 * whatever the weights; the shortest path gives the least such limit.
 */
void network_asymmetries(struct network *n)
{
	double *length = n->value, *limit = n->number;
	uint32_t row, e;

	for (e = 0; e < n->links; e++) {
		double asymmetry = n->edge[n->link[e]].asymmetry_ns;

		length[e] = asymmetry > 0 ? asymmetry + fabs(n->residual[e]) : 0;
	}
	shortest_paths(&(struct shortest_graph){ n->rows, n->links, n->i, n->j, length },
		       network_root(n), limit);
	for (row = 0; row < n->rows; row++)
		n->out[n->host[row]].asymmetry_ns = limit[row];
}

void network_bounds(struct network *n)
{
	uint32_t row;

	for (row = 0; row < n->rows; row++)
		n->bound_ns[n->host[row]] = network_bound_ns(&n->out[n->host[row]]);
}

/* An outlier is as far off as the final solution says. */
void network_outliers(struct network *n)
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

void network_count(const struct network *n, struct network_result *r)
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
