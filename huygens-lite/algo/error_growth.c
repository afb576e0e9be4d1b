// SPDX-License-Identifier: GPL-2.0
/*
 * How fast the bound of an error grows.
 */
#include <math.h>

#include "error_growth.h"

struct error_growth error_growth_of(double std_ppb, double least_ppb, double most_ppb)
{
	double ppb = ERROR_GROWTH_SIGMAS * std_ppb;

	if (!(ppb <= most_ppb))
		ppb = most_ppb;
	return (struct error_growth){
		.ppb = fmax(ppb, least_ppb),
		.turn_ppb = ERROR_GROWTH_TURN_PPB,
		.most_ppb = most_ppb,
	};
}

/* Seconds for which it gets faster. */
static double error_growth_turns(const struct error_growth *growth, double age_s)
{
	double left_ppb = growth->most_ppb - growth->ppb;

	if (!(growth->turn_ppb > 0 && left_ppb > 0))
		return 0;
	return fmin(age_s, left_ppb / growth->turn_ppb);
}

double error_growth_ns(const struct error_growth *growth, int64_t age_ns)
{
	double age_s = fmax((double)age_ns / 1e9, 0);
	double turns_s = error_growth_turns(growth, age_s);

	return growth->ppb * age_s +
	       growth->turn_ppb * turns_s * (age_s - turns_s / 2);
}

double error_growth_ppb(const struct error_growth *growth, int64_t age_ns)
{
	double age_s = fmax((double)age_ns / 1e9, 0);

	return growth->ppb + growth->turn_ppb * error_growth_turns(growth, age_s);
}
