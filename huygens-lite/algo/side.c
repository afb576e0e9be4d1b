// SPDX-License-Identifier: GPL-2.0
/*
 * One direction of an edge.
 */
#include "side.h"

#define SIDE_FAR_NS	86400000000000LL

/* Noise is told from so many of the lowest samples. */
#define SIDE_LOWEST	5

/* Halvings of a search: from 2e6 ppb to 2e-12 ppb. */
#define SIDE_HALVINGS	60

/**
 * struct side_low - the lowest residuals for a slope
 * @n: how many
 * @r: residuals, growing
 * @t: their times
 */
struct side_low {
	uint32_t n;
	double r[CLOUD_POINTS];
	double t[CLOUD_POINTS];
};

static bool side_near(int64_t a, int64_t b)
{
	int64_t d;

	return !__builtin_sub_overflow(a, b, &d) && d <= SIDE_FAR_NS &&
	       d >= -SIDE_FAR_NS;
}

bool side_make(struct side *side, const struct cloud *cloud, uint32_t nu_ppm,
	       double sign, int64_t at_ns, int64_t base_ns)
{
	uint64_t low = ((uint64_t)cloud->samples * nu_ppm + 999999) / 1000000;
	uint32_t n;

	side->points = cloud->points;
	side->low = low < 1 ? 1 : low > side->points ? side->points : low;
	side->sign = sign;
	for (n = 0; n < cloud->points; n++) {
		const struct sample *s = &cloud->point[n];

		if (!side_near(s->at_ns, at_ns) || !side_near(s->delay_ns, base_ns))
			return false;
		side->t[n] = (double)(s->at_ns - at_ns) / 1e9;
		side->d[n] = (double)(s->delay_ns - base_ns);
	}
	return true;
}

/* The @most lowest residuals for a slope, by insertion. */
static void side_lowest(const struct side *side, double slope_ppb,
			uint32_t most, struct side_low *low)
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

double side_mean(const struct side *side, double slope_ppb, double *rises)
{
	double residuals = 0, times = 0;
	struct side_low low;
	uint32_t n;

	side_lowest(side, slope_ppb, side->low, &low);
	for (n = 0; n < low.n; n++) {
		residuals += low.r[n];
		times += low.t[n];
	}
	if (rises)
		*rises = -side->sign * times / low.n;
	return residuals / low.n;
}

double side_floor(const struct side *side, double slope_ppb, double *spacing)
{
	uint32_t most = side->low > SIDE_LOWEST ? side->low : SIDE_LOWEST;
	struct side_low low;

	if (most > side->points)
		most = side->points;
	side_lowest(side, slope_ppb, most, &low);
	most = low.n < SIDE_LOWEST ? low.n : SIDE_LOWEST;
	*spacing = most > 1 ? (low.r[most - 1] - low.r[0]) / (most - 1) : 0;
	return low.r[side->low - 1];
}

bool side_is_dense(const struct side *side, double slope_ppb, double near_ns)
{
	uint32_t at = 0, above = 0, n;
	double spacing, floor_ns = side_floor(side, slope_ppb, &spacing);

	for (n = 0; n < side->points; n++) {
		double r = side->d[n] - side->sign * slope_ppb * side->t[n] - floor_ns;

		at += r <= near_ns;
		above += r > near_ns && r <= (SIDE_ABOVE + 1) * near_ns;
	}
	return at >= SIDE_CROWD &&
	       at * SIDE_ABOVE >= SIDE_DENSER * (above + SIDE_ABOVE);
}

/* Derivative of the sum of means; it falls as the slope grows. */
static double side_rises(const struct side *side, uint32_t sides, double slope_ppb)
{
	double sum = 0, rises;
	uint32_t n;

	for (n = 0; n < sides; n++) {
		side_mean(&side[n], slope_ppb, &rises);
		sum += rises;
	}
	return sum;
}

double side_top(const struct side *side, uint32_t sides, double least_ppb,
		double most_ppb)
{
	double middle = least_ppb;
	uint32_t n;

	for (n = 0; n < SIDE_HALVINGS; n++) {
		double rises;

		middle = (least_ppb + most_ppb) / 2;
		rises = side_rises(side, sides, middle);
		if (rises > 0)
			least_ppb = middle;
		else if (rises < 0)
			most_ppb = middle;
		else
			break;
	}
	return middle;
}
