// SPDX-License-Identifier: GPL-2.0
/*
 * One direction of an edge.
 */
#include <math.h>

#include "direction.h"

#define DIRECTION_FAR_NS	86400000000000LL

/* Noise is estimated from so many of the lowest samples. */
#define DIRECTION_LOWEST	5

/* A search ends there: the lines of two slopes are 1e-5 ns apart in ten seconds. */
#define DIRECTION_FINE_PPB	0.000001

/**
 * struct direction_low - the lowest residuals for a slope
 * @n: how many
 * @r: residuals, growing
 * @t: their times
 */
struct direction_low {
	uint32_t n;
	double r[ENVELOPE_POINTS];
	double t[ENVELOPE_POINTS];
};

static bool direction_near(int64_t a, int64_t b)
{
	int64_t d;

	return !__builtin_sub_overflow(a, b, &d) && d <= DIRECTION_FAR_NS &&
	       d >= -DIRECTION_FAR_NS;
}

bool direction_make(struct direction *direction, const struct envelope *envelope, uint32_t nu_ppm,
		    double sign, int64_t at_ns, int64_t base_ns)
{
	uint64_t low = ((uint64_t)envelope->samples * nu_ppm + 999999) / 1000000;
	uint32_t n;

	direction->points = envelope->points;
	direction->low = low < 1 ? 1 : low > direction->points ? direction->points : low;
	direction->sign = sign;
	for (n = 0; n < envelope->points; n++) {
		const struct sample *s = &envelope->point[n];

		if (!direction_near(s->at_ns, at_ns) || !direction_near(s->delay_ns, base_ns))
			return false;
		direction->t[n] = (double)(s->at_ns - at_ns) / 1e9;
		direction->d[n] = (double)(s->delay_ns - base_ns);
	}
	return true;
}

/* The @most lowest residuals for a slope, by insertion. */
static void direction_lowest(const struct direction *direction, double slope_ppb,
			     uint32_t most, struct direction_low *low)
{
	uint32_t n, at;

	low->n = 0;
	for (n = 0; n < direction->points; n++) {
		double r = direction->d[n] - direction->sign * slope_ppb * direction->t[n];

		if (low->n == most && r >= low->r[most - 1])
			continue;
		if (low->n < most)
			low->n++;
		for (at = low->n - 1; at && low->r[at - 1] > r; at--) {
			low->r[at] = low->r[at - 1];
			low->t[at] = low->t[at - 1];
		}
		low->r[at] = r;
		low->t[at] = direction->t[n];
	}
}

/* The lowest alone, which is all that a hard margin needs. */
static double direction_least(const struct direction *direction, double slope_ppb, double *t)
{
	double slope = direction->sign * slope_ppb;
	double least = INFINITY;
	uint32_t n, at = 0;

	for (n = 0; n < direction->points; n++) {
		double r = direction->d[n] - slope * direction->t[n];

		if (r < least) {
			least = r;
			at = n;
		}
	}
	*t = direction->t[at];
	return least;
}

double direction_mean(const struct direction *direction, double slope_ppb, double *rises)
{
	double residuals = 0, times = 0;
	struct direction_low low;
	uint32_t n;

	if (direction->low == 1) {
		residuals = direction_least(direction, slope_ppb, &times);
		if (rises)
			*rises = -direction->sign * times;
		return residuals;
	}
	direction_lowest(direction, slope_ppb, direction->low, &low);
	for (n = 0; n < low.n; n++) {
		residuals += low.r[n];
		times += low.t[n];
	}
	if (rises)
		*rises = -direction->sign * times / low.n;
	return residuals / low.n;
}

double direction_floor(const struct direction *direction, double slope_ppb, double *spacing)
{
	uint32_t most = direction->low > DIRECTION_LOWEST ? direction->low : DIRECTION_LOWEST;
	struct direction_low low;

	if (most > direction->points)
		most = direction->points;
	direction_lowest(direction, slope_ppb, most, &low);
	most = low.n < DIRECTION_LOWEST ? low.n : DIRECTION_LOWEST;
	*spacing = most > 1 ? (low.r[most - 1] - low.r[0]) / (most - 1) : 0;
	return low.r[direction->low - 1];
}

bool direction_is_dense(const struct direction *direction, double slope_ppb, double near_ns)
{
	uint32_t at = 0, above = 0, n;
	double spacing, floor_ns = direction_floor(direction, slope_ppb, &spacing);

	for (n = 0; n < direction->points; n++) {
		double r = direction->d[n] - direction->sign * slope_ppb * direction->t[n] -
			   floor_ns;

		at += r <= near_ns;
		above += r > near_ns && r <= (DIRECTION_ABOVE + 1) * near_ns;
	}
	return at >= DIRECTION_CROWD &&
	       at * DIRECTION_ABOVE >= DIRECTION_DENSER * (above + DIRECTION_ABOVE);
}

/* Derivative of the sum of means; it falls as the slope grows. */
static double direction_rises(const struct direction *direction, uint32_t directions,
			      double slope_ppb)
{
	double sum = 0, rises;
	uint32_t n;

	for (n = 0; n < directions; n++) {
		direction_mean(&direction[n], slope_ppb, &rises);
		sum += rises;
	}
	return sum;
}

double direction_top(const struct direction *direction, uint32_t directions, double least_ppb,
		     double most_ppb)
{
	double middle = (least_ppb + most_ppb) / 2;

	while (most_ppb - least_ppb > DIRECTION_FINE_PPB) {
		double rises;

		middle = (least_ppb + most_ppb) / 2;
		rises = direction_rises(direction, directions, middle);
		if (rises > 0)
			least_ppb = middle;
		else if (rises < 0)
			most_ppb = middle;
		else
			break;
	}
	return middle;
}
