/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The network effect: round a loop the differences of clocks add up to 0, so
 * many edges that are each a little wrong tell which are (On-Ramp 3.3; Geng et
 * al. 2018; finding outliers is not from the papers).
 *
 * Least squares on the graph, sum of w (x_i - x_j - theta_ij)^2, is the same
 * as the paper's smallest change that closes all loops, and needs no loops.
 * Weights are the edges' own, lowered by Huber's rule where an edge disagrees;
 * an edge beyond 6 median deviations is left out and named.  Drifts likewise.
 *
 * Clocks may be seconds apart, and a drift of 50 ppm makes 50 us of a second.
 * So all edges are brought to one instant of the reference's time first, the
 * median of their own; offsets are solved as differences from integers that
 * a spanning tree gives.
 */
#ifndef HUYGENS_NETWORK_H
#define HUYGENS_NETWORK_H

#include <stddef.h>

#include "datum.h"
#include "kalman.h"
#include "line.h"

/* Up to so many hosts of a component the factor is dense and errors are exact. */
#define NETWORK_DENSE	200

/**
 * struct network_edge - a measured edge
 * @i: its owner's index
 * @j: the other's, above @i
 * @at_ns: when, in the owner's local time
 * @theta_ns: clock j - clock i, then
 * @drift_ppb: growth of theta
 * @sigma_ns: standard deviation of theta, above 0
 * @sigma_ppb: standard deviation of the drift, above 0
 * @bias_ns: limit of an error of theta beyond that, 0 or more
 * @asymmetry_ns: limit of what directions that differ may add to that error, 0 or more;
 *	the solution does not depend on it
 */
struct network_edge {
	uint32_t i;
	uint32_t j;
	int64_t at_ns;
	int64_t theta_ns;
	double drift_ppb;
	double sigma_ns;
	double sigma_ppb;
	double bias_ns;
	double asymmetry_ns;
};

/**
 * enum network_fate - what became of an edge
 * @NETWORK_USED: it counts
 * @NETWORK_LOWERED: it counts less: Huber's rule
 * @NETWORK_OUTLIER: it disagrees too much and was left out
 * @NETWORK_ABSURD: numbers out of range
 */
enum network_fate {
	NETWORK_USED,
	NETWORK_LOWERED,
	NETWORK_OUTLIER,
	NETWORK_ABSURD,
};

/**
 * struct network_fit - an edge, as the network sees it
 * @fate: what became of it
 * @residual_ns: measured theta - that of the solution, at the common instant;
 *	0 if absurd
 * @residual_ppb: same of the drift
 */
struct network_fit {
	enum network_fate fate;
	double residual_ns;
	double residual_ppb;
};

/**
 * struct network_host - a host's solution
 * @reached: it hangs together with the component that is solved; the rest is 0 if
 *	not
 * @edges: of its edges, how many count
 * @line: its correction; @line.at_ns is the common instant in its local time
 * @std_ns: standard deviation of the offset against the common time: what the
 *	hosts that have priors say of it together, each by what it knows; at
 *	first the reference
 * @std_ppb: that of the drift
 * @bias_ns: error that the delay sums of its edges allow for, which averaging does
 *	not remove as a queue before a host is in all its edges
 * @asymmetry_ns: limit of what directions that differ may add to the error of the offset
 *	against the datum's host, or against the first host if the datum has none
 */
struct network_host {
	bool reached;
	uint32_t edges;
	struct line line;
	double std_ns;
	double std_ppb;
	double bias_ns;
	double asymmetry_ns;
};

/**
 * struct network_result - the whole
 * @at_ns: the common instant, in the reference's time
 * @reached: hosts solved
 * @components: components with two hosts or more
 * @used: edges that count, lowered ones too
 * @outliers: edges left out
 * @absurd: edges not accepted
 * @sigma: residuals against what the edges' own standard deviations promise,
 *	1 if they keep it; standard deviations of hosts contain it if above 1
 * @frame_ns: by how much the common time may have left the one before, a
 *	standard deviation; a host that goes on as before is off by so much more
 * @frame_ppb: and its rate
 * @referenced: the datum's host is reached
 * @iterations: of the sparse solver, 0 with the dense
 */
struct network_result {
	int64_t at_ns;
	uint32_t reached;
	uint32_t components;
	uint32_t used;
	uint32_t outliers;
	uint32_t absurd;
	double sigma;
	double frame_ns;
	double frame_ppb;
	bool referenced;
	uint32_t iterations;
};

/**
 * network_bound_ns() - bound of the error of a host's solution against the datum's host
 * @host: solved
 *
 * Return: ns, with all that directions that differ may add.
 */
static inline double network_bound_ns(const struct network_host *host)
{
	return kalman_window_ns(host->std_ns, host->bias_ns) + host->asymmetry_ns;
}

/**
 * network_bytes() - memory that network_solve() needs
 * @hosts: at most GRAPH_HOSTS_MOST
 * @edges: at most GRAPH_HOSTS_MOST x GRAPH_K_MOST
 * @dense: as in network_solve()
 *
 * Return: bytes.
 */
size_t network_bytes(uint32_t hosts, uint32_t edges, uint32_t dense);

/**
 * network_solve() - corrections of all hosts from the edges of a window
 * @hosts: how many; 1 is its own reference
 * @edge: the edges, any numbers
 * @edges: how many
 * @datum: what the reference is, and what was before
 * @dense: NETWORK_DENSE; tests take another
 * @memory: network_bytes() bytes, aligned for double
 * @fit: gets each edge's fate
 * @host: gets each host's solution
 *
 * If there are several components, the one with the datum's host is solved, else
 * the greatest; among equals the one with the smallest index.
 *
 * Return: the whole.
 */
struct network_result network_solve(uint32_t hosts,
				    const struct network_edge *edge,
				    uint32_t edges, const struct datum *datum,
				    uint32_t dense, void *memory,
				    struct network_fit *fit,
				    struct network_host *host);

#endif /* HUYGENS_NETWORK_H */
