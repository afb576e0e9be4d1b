/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lower envelope of one direction's samples: what travels to the edge's
 * owner instead of hundreds of samples.
 *
 * The lower convex hull is all that a hard margin needs.  A soft one needs the
 * lowest few for whatever drift there is: with 50 ppm the lowest raw delays of
 * a window are all at one end of it.  So under the hull come further hulls,
 * each of what the ones before left (nested hulls): the first m hulls hold
 * the m lowest samples of every slope.
 */
#ifndef HUYGENS_ENVELOPE_H
#define HUYGENS_ENVELOPE_H

#include "sample.h"

#define ENVELOPE_POINTS	64

/* Samples of a direction and window that are looked at; more are left out. */
#define ENVELOPE_SAMPLES	8192

/**
 * struct envelope - the lowest samples of a direction in a window
 * @samples: how many it stands for
 * @hulls: whole hulls that it has, at least 1 if there are points
 * @points: how many follow, at most ENVELOPE_POINTS
 * @point: in the order of their times
 */
struct envelope {
	uint32_t samples;
	uint32_t hulls;
	uint32_t points;
	struct sample point[ENVELOPE_POINTS];
};

/**
 * envelope_make() - the envelope of samples
 * @sample: the samples; they come back in another order
 * @samples: how many; of more than ENVELOPE_SAMPLES the first are taken
 * @envelope: gets the envelope, empty if there are no samples
 *
 * Hulls are added while they fit whole, until they hold 5 % of the samples
 * for every slope.  A first hull of more than ENVELOPE_POINTS is thinned evenly
 * and keeps both ends.
 */
void envelope_make(struct sample *sample, uint32_t samples, struct envelope *envelope);

/**
 * envelope_join() - add the samples that another envelope stands for
 * @envelope: the envelope, which becomes that of both; at most ENVELOPE_POINTS
 * @other: of the same direction, likewise; perhaps of a message, with any numbers
 *
 * The first hull is that of all samples, unless one of the two was thinned.  Of @envelope->hulls
 * so many are right as both had.
 */
void envelope_join(struct envelope *envelope, const struct envelope *other);

#endif /* HUYGENS_ENVELOPE_H */
