// SPDX-License-Identifier: GPL-2.0
/*
 * The line of greatest margin.  Times are relative to the middle of the
 * window and delays to the first one, so that doubles hold them.
 */
#include <math.h>

#include "edge.h"

#define EDGE_FAR_NS	86400000000000LL

/* Halvings of the search: from 2e6 ppb to 2e-12 ppb. */
#define EDGE_HALVINGS	60

/* Noise is told from so many of the lowest samples. */
#define EDGE_LOWEST	5

/**
 * struct edge_side - one direction, relative to a base
 * @points: how many
 * @low: how many of the lowest make the margin, at least 1
 * @sign: of theta in the delays: 1 forward, -1 backward
 * @t: times, s
 * @d: delays, ns
 */
struct edge_side {
	uint32_t points;
	uint32_t low;
	double sign;
	double t[CLOUD_POINTS];
	double d[CLOUD_POINTS];
};

/**
 * struct edge_low - the lowest residuals for a slope
 * @n: how many
 * @r: residuals, growing
 * @t: their times
 */
struct edge_low {
	uint32_t n;
	double r[CLOUD_POINTS];
	double t[CLOUD_POINTS];
};

static bool edge_near(int64_t a, int64_t b)
{
	int64_t d;

	return !__builtin_sub_overflow(a, b, &d) && d <= EDGE_FAR_NS &&
	       d >= -EDGE_FAR_NS;
}

static bool edge_side(struct edge_side *side, const struct edge_params *p,
		      const struct cloud *cloud, double sign, int64_t at_ns,
		      int64_t base_ns)
{
	uint64_t low = ((uint64_t)cloud->samples * p->nu_ppm + 999999) / 1000000;
	uint32_t n;

	side->points = cloud->points;
	side->low = low < 1 ? 1 : low > side->points ? side->points : low;
	side->sign = sign;
	for (n = 0; n < cloud->points; n++) {
		const struct sample *s = &cloud->point[n];

		if (!edge_near(s->at_ns, at_ns) || !edge_near(s->delay_ns, base_ns))
			return false;
		side->t[n] = (double)(s->at_ns - at_ns) / 1e9;
		side->d[n] = (double)(s->delay_ns - base_ns);
	}
	return true;
}

/* The @most lowest residuals for a slope, by insertion. */
static void edge_lowest(const struct edge_side *side, double slope_ppb,
			uint32_t most, struct edge_low *low)
{
	uint32_t n, at;

	low->n = 0;
	for (n = 0; n < side->points; n++) {
		double r = side->d[n] - side->sign * slope_ppb * side->t[n];

		if (low->n == most && r >= low->r[most - 1])
			continue;
		if (low->n < most)
			low->n++;
		for (at = low->n - 1; at && low->r[at - 1] > r; at--) {
			low->r[at] = low->r[at - 1];
			low->t[at] = low->t[at - 1];
		}
		low->r[at] = r;
		low->t[at] = side->t[n];
	}
}

/* Derivative of the mean over the lowest. */
static double edge_side_rises(const struct edge_side *side, double slope_ppb)
{
	struct edge_low low;
	double sum = 0;
	uint32_t n;

	edge_lowest(side, slope_ppb, side->low, &low);
	for (n = 0; n < low.n; n++)
		sum += low.t[n];
	return -side->sign * sum / low.n;
}

/* Derivative of twice the margin; it falls as the slope grows. */
static double edge_rises(const struct edge_side *forward,
			 const struct edge_side *backward, double slope_ppb)
{
	return edge_side_rises(forward, slope_ppb) +
	       edge_side_rises(backward, slope_ppb);
}

static double edge_slope(const struct edge_side *forward,
			 const struct edge_side *backward)
{
	double least = -EDGE_SEARCH_PPB;
	double most = EDGE_SEARCH_PPB;
	double middle = 0;
	uint32_t n;

	for (n = 0; n < EDGE_HALVINGS; n++) {
		double rises;

		middle = (least + most) / 2;
		rises = edge_rises(forward, backward, middle);
		if (rises > 0)
			least = middle;
		else if (rises < 0)
			most = middle;
		else
			break;
	}
	return middle;
}

/* The quantile that the margin ends at, and the spacing below the next few. */
static double edge_floor(const struct edge_side *side, double slope_ppb,
			 double *spacing)
{
	uint32_t most = side->low > EDGE_LOWEST ? side->low : EDGE_LOWEST;
	struct edge_low low;

	if (most > side->points)
		most = side->points;
	edge_lowest(side, slope_ppb, most, &low);
	most = low.n < EDGE_LOWEST ? low.n : EDGE_LOWEST;
	*spacing = most > 1 ? (low.r[most - 1] - low.r[0]) / (most - 1) : 0;
	return low.r[side->low - 1];
}

static enum edge_verdict edge_sides(const struct edge_params *p,
				    const struct cloud *forward,
				    const struct cloud *backward, int64_t at_ns,
				    int64_t base_ns, struct edge_side *side)
{
	if (forward->samples < EDGE_SAMPLES_LEAST || !forward->points ||
	    forward->points > CLOUD_POINTS)
		return EDGE_FEW_FORWARD;
	if (backward->samples < EDGE_SAMPLES_LEAST || !backward->points ||
	    backward->points > CLOUD_POINTS)
		return EDGE_FEW_BACKWARD;
	if (base_ns > LINE_MOST_NS || base_ns < -LINE_MOST_NS)
		return EDGE_FAR;
	if (!edge_side(&side[0], p, forward, 1, at_ns, base_ns) ||
	    !edge_side(&side[1], p, backward, -1, at_ns, -base_ns))
		return EDGE_FAR;
	return EDGE_VALID;
}

struct edge_fit edge_solve(const struct edge_params *p,
			   const struct cloud *forward,
			   const struct cloud *backward, int64_t at_ns)
{
	int64_t base_ns = forward->point[0].delay_ns;
	double slope, ahead, behind, spacing[2];
	struct edge_side side[2];
	struct edge_fit fit = { 0 };

	fit.verdict = edge_sides(p, forward, backward, at_ns, base_ns, side);
	if (fit.verdict != EDGE_VALID)
		return fit;
	slope = edge_slope(&side[0], &side[1]);
	if (fabs(slope) > EDGE_DRIFT_MOST_PPB) {
		fit.verdict = EDGE_DRIFT;
		return fit;
	}
	ahead = edge_floor(&side[0], slope, &spacing[0]);
	behind = edge_floor(&side[1], slope, &spacing[1]);
	if (ahead + behind < 0) {
		fit.verdict = EDGE_CROSSED;
		return fit;
	}
	fit.at_ns = at_ns;
	fit.theta_ns = base_ns + line_round((ahead - behind - p->asymmetry_ns) / 2);
	fit.drift_ppb = slope;
	fit.gap_ns = ahead + behind;
	fit.noise_ns = sqrt(spacing[0] * spacing[0] + spacing[1] * spacing[1]) / 2;
	fit.forward = forward->samples;
	fit.backward = backward->samples;
	return fit;
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
