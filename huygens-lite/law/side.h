/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of an edge, in doubles: times relative to the middle of the
 * window, delays to a base that both directions share.
 *
 * For a slope beta the residual of a sample is delay - beta t forward and
 * delay + beta t backward.  The lowest residuals are where the truth may be; a
 * few may lie beyond it if stamps are a NIC's.
 */
#ifndef HUYGENS_SIDE_H
#define HUYGENS_SIDE_H

#include "cloud.h"

/**
 * struct side - one direction
 * @points: how many
 * @low: how many of the lowest make the margin, at least 1
 * @sign: of theta in the delays: 1 forward, -1 backward
 * @t: times, s
 * @d: delays, ns
 */
struct side {
	uint32_t points;
	uint32_t low;
	double sign;
	double t[CLOUD_POINTS];
	double d[CLOUD_POINTS];
};

/**
 * side_make() - a direction of a cloud
 * @side: gets it
 * @cloud: its samples, at least one point
 * @nu_ppm: part of the samples that may lie beyond the truth
 * @sign: 1 forward, -1 backward
 * @at_ns: middle of the window
 * @base_ns: of delays, with the sign of this direction
 *
 * Return: false if a time or a delay is further than a day from its base.
 */
bool side_make(struct side *side, const struct cloud *cloud, uint32_t nu_ppm,
	       double sign, int64_t at_ns, int64_t base_ns);

/**
 * side_mean() - mean of the lowest residuals for a slope
 * @side: the direction
 * @slope_ppb: the slope
 * @rises: gets its derivative by the slope, ns a ppb; or NULL
 *
 * It is concave in the slope.
 *
 * Return: ns.
 */
double side_mean(const struct side *side, double slope_ppb, double *rises);

/**
 * side_floor() - the residual that the margin ends at
 * @side: the direction
 * @slope_ppb: the slope
 * @spacing: gets how far apart the lowest are, ns
 *
 * Return: ns.
 */
double side_floor(const struct side *side, double slope_ppb, double *spacing);

/**
 * side_top() - the slope at which a sum of means is greatest
 * @side: directions; their means are added
 * @sides: how many, 1 or 2
 * @least_ppb: of the slopes that are searched
 * @most_ppb: same
 *
 * Return: the slope; of several the first that a bisection meets.
 */
double side_top(const struct side *side, uint32_t sides, double least_ppb,
		double most_ppb);

#endif /* HUYGENS_SIDE_H */
