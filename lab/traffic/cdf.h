/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flow-size distributions
 */
#ifndef FLOWGEN_CDF_H
#define FLOWGEN_CDF_H

#include "rng.h"
#include "types.h"

/* Probabilities are kept in units of 10^-9. */
#define CDF_ONE		1000000000ULL

/* No flow is larger than this many bytes (1 TB). */
#define FLOW_SIZE_MAX	1000000000000ULL

/* More points than any published table has. */
#define CDF_POINTS_MAX	4096

/**
 * struct cdf_point - one point of a cumulative distribution
 * @size: bytes, 0 to FLOW_SIZE_MAX
 * @p: probability of a flow of at most @size bytes, 0 to CDF_ONE
 */
struct cdf_point {
	u64 size;
	u64 p;
};

/**
 * struct cdf - a distribution, linear between its points
 * @point: points, neither size nor probability ever falling, the last at 1
 * @n: number of points, at least 1
 *
 * Two points of the same size are a step: that size has their difference as
 * its probability. So has the first point, if its probability is not 0.
 */
struct cdf {
	struct cdf_point *point;
	size_t n;
};

/**
 * cdf_load() - read a distribution from a file
 * @cdf: receives it
 * @path: file of lines "SIZE PROBABILITY"; '#' starts a comment
 *
 * Return: 0 (free with cdf_free()), or -1 after a message with the line.
 */
int cdf_load(struct cdf *cdf, const char *path);

/**
 * cdf_free() - release what cdf_load() filled
 * @cdf: distribution, may be zeroed
 */
void cdf_free(struct cdf *cdf);

/**
 * cdf_cap() - make every size above a limit the limit
 * @cdf: distribution
 * @largest: limit in bytes, at least 1
 */
void cdf_cap(struct cdf *cdf, u64 largest);

/**
 * cdf_sum2() - the distribution's mean, as an exact integer
 * @cdf: distribution
 *
 * Return: mean in bytes times 2 * CDF_ONE; below 2^71.
 */
u128 cdf_sum2(const struct cdf *cdf);

/**
 * cdf_draw() - draw the size of a flow
 * @cdf: distribution
 * @r: stream
 *
 * Return: bytes, at least 1, rounded to the nearest.
 */
u64 cdf_draw(const struct cdf *cdf, struct rng *r);

#endif
