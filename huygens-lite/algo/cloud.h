/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lower envelope of one direction's samples: what travels to the edge's
 * owner instead of hundreds of samples.
 *
 * The lower convex hull is all that a hard margin needs.  A soft one needs the
 * lowest few for whatever drift there is: with 50 ppm the lowest raw delays of
 * a window are all at one end of it.  So under the hull come further hulls,
 * each of what the ones before left (convex layers): the first m layers hold
 * the m lowest samples of every slope.
 */
#ifndef HUYGENS_CLOUD_H
#define HUYGENS_CLOUD_H

#include "sample.h"

#define CLOUD_POINTS	64

/* Samples of a direction and window that are looked at; more are left out. */
#define CLOUD_SAMPLES	8192

/**
 * struct cloud - the lowest samples of a direction in a window
 * @samples: how many it stands for
 * @layers: whole layers that it has, at least 1 if there are points
 * @points: how many follow, at most CLOUD_POINTS
 * @point: in the order of their times
 */
struct cloud {
	uint32_t samples;
	uint32_t layers;
	uint32_t points;
	struct sample point[CLOUD_POINTS];
};

/**
 * cloud_make() - the envelope of samples
 * @sample: the samples; they come back in another order
 * @samples: how many; of more than CLOUD_SAMPLES the first are taken
 * @cloud: gets the envelope, empty if there are no samples
 *
 * Layers are added while they fit whole, until they hold 5 % of the samples
 * for every slope.  A first layer of more than CLOUD_POINTS is thinned evenly
 * and keeps both ends.
 */
void cloud_make(struct sample *sample, uint32_t samples, struct cloud *cloud);

#endif /* HUYGENS_CLOUD_H */
