// SPDX-License-Identifier: GPL-2.0
/*
 * How fast the bound of an error grows.
 */
#include <math.h>

#include "growth.h"

struct growth growth_of(double std_ppb, double least_ppb, double most_ppb)
{
	double ppb = GROWTH_SIGMAS * std_ppb;

	if (!(ppb <= most_ppb))
		ppb = most_ppb;
	return (struct growth){
		.ppb = fmax(ppb, least_ppb),
		.turn_ppb = GROWTH_TURN_PPB,
		.most_ppb = most_ppb,
	};
}

/* Seconds for which it gets faster. */
static double growth_turns(const struct growth *growth, double age_s)
{
	double left_ppb = growth->most_ppb - growth->ppb;

	if (!(growth->turn_ppb > 0 && left_ppb > 0))
		return 0;
	return fmin(age_s, left_ppb / growth->turn_ppb);
}

double growth_ns(const struct growth *growth, int64_t age_ns)
{
	double age_s = fmax((double)age_ns / 1e9, 0);
	double turns_s = growth_turns(growth, age_s);

	return growth->ppb * age_s +
	       growth->turn_ppb * turns_s * (age_s - turns_s / 2);
}

double growth_ppb(const struct growth *growth, int64_t age_ns)
{
	double age_s = fmax((double)age_ns / 1e9, 0);

	return growth->ppb + growth->turn_ppb * growth_turns(growth, age_s);
}
