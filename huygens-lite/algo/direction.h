/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of an edge, in doubles: times relative to the middle of the
 * window, delays to a base that both directions share.
 *
 * For a slope beta the residual of a sample is delay - beta t forward and
 * delay + beta t backward.  The lowest residuals are where the truth may be; a
 * few may lie beyond it if stamps are a NIC's.
 */
#ifndef HUYGENS_DIRECTION_H
#define HUYGENS_DIRECTION_H

#include "envelope.h"

/* A floor is dense: of so many samples, so many times as dense as so many widths above it. */
#define DIRECTION_CROWD	4
#define DIRECTION_DENSER	3
#define DIRECTION_ABOVE	9

/**
 * struct direction - one direction
 * @points: how many
 * @low: how many of the lowest make the margin, at least 1
 * @sign: of theta in the delays: 1 forward, -1 backward
 * @t: times, s
 * @d: delays, ns
 */
struct direction {
	uint32_t points;
	uint32_t low;
	double sign;
	double t[ENVELOPE_POINTS];
	double d[ENVELOPE_POINTS];
};

/**
 * direction_make() - a direction of an envelope
 * @direction: gets it
 * @envelope: its samples, at least one point
 * @nu_ppm: part of the samples that may lie beyond the truth
 * @sign: 1 forward, -1 backward
 * @at_ns: middle of the window
 * @base_ns: of delays, with the sign of this direction
 *
 * Return: false if a time or a delay is further than a day from its base.
 */
bool direction_make(struct direction *direction, const struct envelope *envelope, uint32_t nu_ppm,
		    double sign, int64_t at_ns, int64_t base_ns);

/**
 * direction_mean() - mean of the lowest residuals for a slope
 * @direction: the direction
 * @slope_ppb: the slope
 * @rises: gets its derivative by the slope, ns a ppb; or NULL
 *
 * It is concave in the slope.
 *
 * Return: ns.
 */
double direction_mean(const struct direction *direction, double slope_ppb, double *rises);

/**
 * direction_floor() - the residual that the margin ends at
 * @direction: the direction
 * @slope_ppb: the slope
 * @spacing: gets how far apart the lowest are, ns
 *
 * Return: ns.
 */
double direction_floor(const struct direction *direction, double slope_ppb, double *spacing);

/**
 * direction_is_dense() - do samples crowd at the floor, as those do that found no queue?
 * @direction: the direction
 * @slope_ppb: the slope
 * @near_ns: width of the floor, above 0
 *
 * Samples that found no queue differ by their stamps alone.  Samples of a queue that
 * stands are spread over it, as densely above the floor as at it, however
 * many they are and however short the queue is.  So the density at the floor is
 * compared with that of the DIRECTION_ABOVE widths above it.
 *
 * Return: true if DIRECTION_CROWD or more lie within @near_ns of the lowest that counts,
 * and they are DIRECTION_DENSER times as dense as those above.
 */
bool direction_is_dense(const struct direction *direction, double slope_ppb, double near_ns);

/**
 * direction_top() - the slope at which a sum of means is greatest
 * @direction: directions; their means are added
 * @directions: how many, 1 or 2
 * @least_ppb: of the slopes that are searched
 * @most_ppb: same
 *
 * Return: the slope; of several the first that a bisection meets.
 */
double direction_top(const struct direction *direction, uint32_t directions, double least_ppb,
		     double most_ppb);

#endif /* HUYGENS_DIRECTION_H */
