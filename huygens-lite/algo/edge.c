// SPDX-License-Identifier: GPL-2.0
/*
 * The line of greatest margin.  Times are relative to the middle of the
 * window and delays to the first one, so that doubles hold them.
 */
#include <math.h>
#include <stddef.h>

#include "edge.h"

/* Halvings of a search for an end: to 2e-6 of where it may be. */
#define EDGE_HALVINGS	20

static enum edge_verdict edge_sides(const struct edge_params *p,
				    const struct envelope *forward,
				    const struct envelope *backward, int64_t at_ns,
				    int64_t base_ns, struct direction *direction)
{
	if (forward->samples < EDGE_SAMPLES_LEAST || !forward->points ||
	    forward->points > ENVELOPE_POINTS)
		return EDGE_FEW_FORWARD;
	if (backward->samples < EDGE_SAMPLES_LEAST || !backward->points ||
	    backward->points > ENVELOPE_POINTS)
		return EDGE_FEW_BACKWARD;
	if (base_ns > LINE_MOST_NS || base_ns < -LINE_MOST_NS)
		return EDGE_FAR;
	if (!direction_make(&direction[0], forward, p->nu_ppm, 1, at_ns, base_ns) ||
	    !direction_make(&direction[1], backward, p->nu_ppm, -1, at_ns, -base_ns))
		return EDGE_FAR;
	return EDGE_VALID;
}

static double edge_least_ppb(const struct edge_params *p)
{
	return p->within_ppb > 0 ? p->slope_ppb - p->within_ppb : -EDGE_SEARCH_PPB;
}

static double edge_most_ppb(const struct edge_params *p)
{
	return p->within_ppb > 0 ? p->slope_ppb + p->within_ppb : EDGE_SEARCH_PPB;
}

/* Twice the margin. */
static double edge_margin(const struct direction *direction, double slope_ppb)
{
	return direction_mean(&direction[0], slope_ppb, NULL) +
	       direction_mean(&direction[1], slope_ppb, NULL);
}

/* The furthest slope towards @far_ppb with a margin of @least_ns. */
static double edge_end(const struct direction *direction, double slope_ppb, double far_ppb,
		       double least_ns)
{
	double near = slope_ppb;
	uint32_t n;

	if (edge_margin(direction, far_ppb) >= least_ns)
		return far_ppb;
	for (n = 0; n < EDGE_HALVINGS; n++) {
		double middle = (near + far_ppb) / 2;

		if (edge_margin(direction, middle) >= least_ns)
			near = middle;
		else
			far_ppb = middle;
	}
	return near;
}

/* The slope nearest to the known one among those as good as the best. */
static double edge_slope(const struct edge_params *p, const struct direction *direction,
			 double best_ppb)
{
	if (!(p->within_ppb > 0))
		return best_ppb;
	return edge_end(direction, best_ppb, p->slope_ppb,
			edge_margin(direction, best_ppb) - p->noise_ns);
}

struct edge_fit edge_solve(const struct edge_params *p,
			   const struct envelope *forward,
			   const struct envelope *backward, int64_t at_ns)
{
	int64_t base_ns = forward->point[0].delay_ns;
	double best, slope, ahead, behind, spacing[2];
	struct direction direction[2];
	struct edge_fit fit = { 0 };

	fit.verdict = edge_sides(p, forward, backward, at_ns, base_ns, direction);
	if (fit.verdict != EDGE_VALID)
		return fit;
	best = direction_top(direction, 2, edge_least_ppb(p), edge_most_ppb(p));
	slope = edge_slope(p, direction, best);
	if (fabs(best) > EDGE_DRIFT_MOST_PPB || fabs(slope) > EDGE_DRIFT_MOST_PPB) {
		fit.verdict = EDGE_DRIFT;
		return fit;
	}
	ahead = direction_floor(&direction[0], slope, &spacing[0]);
	behind = direction_floor(&direction[1], slope, &spacing[1]);
	if (ahead + behind < 0) {
		fit.verdict = EDGE_CROSSED;
		return fit;
	}
	fit.at_ns = at_ns;
	fit.theta_ns = base_ns + line_round((ahead - behind - p->asymmetry_ns) / 2);
	fit.drift_ppb = best;
	fit.slope_ppb = slope;
	fit.delay_sum_ns = ahead + behind;
	fit.noise_ns = sqrt(spacing[0] * spacing[0] + spacing[1] * spacing[1]) / 2;
	fit.forward = forward->samples;
	fit.backward = backward->samples;
	return fit;
}

/* By how much a direction's floor is higher at the best slope of a range. */
static double edge_rise(const struct direction *direction, double slope_ppb,
			double least_ppb, double most_ppb)
{
	double top = direction_top(direction, 1, least_ppb, most_ppb);

	return fmax(direction_mean(direction, top, NULL) -
		    direction_mean(direction, slope_ppb, NULL), 0);
}

struct edge_reach edge_reach(const struct edge_params *p,
			     const struct envelope *forward,
			     const struct envelope *backward,
			     const struct edge_fit *fit, double excess_ns,
			     double noise_ns)
{
	int64_t base_ns = forward->point[0].delay_ns;
	double slope = fit->slope_ppb;
	double least, most, least_ns;
	struct direction direction[2];

	if (edge_sides(p, forward, backward, fit->at_ns, base_ns, direction) != EDGE_VALID)
		return (struct edge_reach){ 0 };
	least_ns = edge_margin(direction, slope) - excess_ns - noise_ns;
	least = edge_end(direction, slope, edge_least_ppb(p), least_ns);
	most = edge_end(direction, slope, edge_most_ppb(p), least_ns);
	return (struct edge_reach){
		.offset_ns = excess_ns / 2 +
			     fmax(edge_rise(&direction[0], slope, least, most),
				  edge_rise(&direction[1], slope, least, most)),
		.slope_ppb = fmax(most - slope, slope - least),
	};
}

struct edge_floor edge_floor(const struct edge_params *p, const struct envelope *envelope,
			     bool backward, const struct edge_fit *fit, double near_ns)
{
	int64_t base_ns = backward ? -fit->theta_ns : fit->theta_ns;
	struct direction direction;
	double spacing;

	if (!direction_make(&direction, envelope, p->nu_ppm, backward ? -1 : 1, fit->at_ns,
			    base_ns))
		return (struct edge_floor){ .ns = INFINITY };
	return (struct edge_floor){
		.ns = direction_floor(&direction, fit->slope_ppb, &spacing),
		.dense = direction_is_dense(&direction, fit->slope_ppb, near_ns),
	};
}

const char *edge_verdict_name(enum edge_verdict verdict)
{
	switch (verdict) {
	case EDGE_VALID:
		return "valid";
	case EDGE_FEW_FORWARD:
		return "few-forward";
	case EDGE_FEW_BACKWARD:
		return "few-backward";
	case EDGE_FAR:
		return "far";
	case EDGE_CROSSED:
		return "crossed";
	case EDGE_DRIFT:
		return "drift";
	}
	return "unknown";
}
