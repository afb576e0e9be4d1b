/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How fast the bound of an error grows while no sample arrives (error
 * growth without updates: Graham, NSDI 2022).
 *
 * At first by what is not known of the drift: not below one limit, for what no
 * filter knows, and not above another, for a filter without knowledge.  Then faster,
 * since a drift that was known turns with the temperature, up to the second
 * limit.
 */
#ifndef HUYGENS_ERROR_GROWTH_H
#define HUYGENS_ERROR_GROWTH_H

#include <stdint.h>

/* By how much a clock's drift may turn in a second: ramps of temperature. */
#define ERROR_GROWTH_TURN_PPB		5.0

/* Standard deviations of the drift. */
#define ERROR_GROWTH_SIGMAS		4.0

/**
 * struct error_growth - how fast a bound grows, over its age
 * @ppb: at first, ns a second, 0 or more
 * @turn_ppb: how much faster each second, 0 or more
 * @most_ppb: never faster than that, @ppb at least
 */
struct error_growth {
	double ppb;
	double turn_ppb;
	double most_ppb;
};

/**
 * error_growth_of() - the growth for a drift
 * @std_ppb: standard deviation of the drift, 0 or more; NaN is
 *	not known
 * @least_ppb: the drift is never taken for better known, 0 or more
 * @most_ppb: nor for worse, @least_ppb at least
 *
 * Return: the growth.
 */
struct error_growth error_growth_of(double std_ppb, double least_ppb, double most_ppb);

/**
 * error_growth_ns() - by how much the bound has grown
 * @growth: how fast
 * @age_ns: since when
 *
 * Return: ns, 0 if @age_ns is not above 0.
 */
double error_growth_ns(const struct error_growth *growth, int64_t age_ns);

/**
 * error_growth_ppb() - how fast it grows then
 * @growth: how fast
 * @age_ns: since when
 *
 * Return: ns a second.
 */
double error_growth_ppb(const struct error_growth *growth, int64_t age_ns);

#endif /* HUYGENS_ERROR_GROWTH_H */
