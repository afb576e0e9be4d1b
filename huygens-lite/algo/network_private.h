/* SPDX-License-Identifier: GPL-2.0 */
/*
 * network_private.h - a solution in the making, for the files network*.c
 */
#ifndef HUYGENS_NETWORK_PRIVATE_H
#define HUYGENS_NETWORK_PRIVATE_H

#include "estimate.h"
#include "least_squares.h"
#include "network.h"

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
 * @bound_ns: of each host: bound of the error of its solution
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
	double *bound_ns;
	int64_t *ns;
	double *number;
	struct datum_sample *samples;
	struct estimate estimate;
	struct least_squares least_squares;
	const struct datum *datum;
};

/**
 * network_worth() - weights of the component's hosts in the reference
 * @n: with weights of its links; written: @worth and @share_of
 * @drifts: of drifts, else of offsets
 *
 * The better a host was known before and the more its edges are worth now, the more it
 * weighs.  Without priors all weigh the same.
 */
void network_worth(struct network *n, bool drifts);

/**
 * network_limited() - an offset or time within LINE_MOST_NS
 * @x: in ns
 *
 * Return: @x, or the limit that is nearest to it.
 */
int64_t network_limited(int64_t x);

/**
 * network_lines() - lines with any datum; their local times do not depend on it
 * @n: solved
 * @at_ns: the common instant
 */
void network_lines(struct network *n, int64_t at_ns);

/**
 * network_to_datum() - move the lines into the datum, and give them to the caller
 * @n: with lines
 * @datum: of the caller
 * @r: written: by how much the common time may have left that of the priors
 *
 * Return: by what the instant moves, ns.
 */
int64_t network_to_datum(struct network *n, const struct datum *datum,
			 struct network_result *r);

/**
 * network_errors() - standard deviations of the lines
 * @n: with weights, which are 1 / variance in units
 */
void network_errors(struct network *n);

/**
 * network_biases() - the mean bias over each host's edges, by weight
 * @n: with weights
 */
void network_biases(struct network *n);

/**
 * network_asymmetries() - limits of errors that directions that differ make
 * @n: with the final residuals
 */
void network_asymmetries(struct network *n);

/**
 * network_bounds() - bounds of the errors of hosts, of all kinds
 * @n: after network_errors(), network_biases() and network_asymmetries()
 */
void network_bounds(struct network *n);

/**
 * network_outliers() - residuals of outliers, by the final lines
 * @n: with lines
 */
void network_outliers(struct network *n);

/**
 * network_count() - what became of edges and hosts
 * @n: solved
 * @r: written
 */
void network_count(const struct network *n, struct network_result *r);

#endif /* HUYGENS_NETWORK_PRIVATE_H */
