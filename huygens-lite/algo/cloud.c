// SPDX-License-Identifier: GPL-2.0
/*
 * Convex layers from below, by Andrew's monotone chain.  Products of times are
 * 124 bits, so what lies below what is decided exactly.
 */
#include "cloud.h"
#include "sort.h"

/* By time, of equal times the lowest first. */
static bool cloud_before(const struct sample *a, const struct sample *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns :
				      a->delay_ns < b->delay_ns;
}

SORT_DEFINE(cloud_sort, struct sample, cloud_before)

/* Does @b lie below the line from @a to @c? */
static bool cloud_below(const struct sample *a, const struct sample *b,
			const struct sample *c)
{
	return (__int128)(b->delay_ns - a->delay_ns) * (c->at_ns - a->at_ns) <
	       (__int128)(c->delay_ns - a->delay_ns) * (b->at_ns - a->at_ns);
}

/* The lower hull of sorted samples, as indices; of equal times the lowest. */
static uint32_t cloud_hull(const struct sample *s, uint32_t n, uint16_t *hull)
{
	uint32_t points = 0;
	uint32_t at;

	for (at = 0; at < n; at++) {
		if (points && s[at].at_ns == s[hull[points - 1]].at_ns)
			continue;
		while (points > 1 && !cloud_below(&s[hull[points - 2]],
						  &s[hull[points - 1]], &s[at]))
			points--;
		hull[points++] = at;
	}
	return points;
}

/* Take the hull out, keep the order; returns how many are left. */
static uint32_t cloud_peel(struct sample *s, uint32_t n, const uint16_t *hull,
			   uint32_t points)
{
	uint32_t left = 0;
	uint32_t next = 0;
	uint32_t at;

	for (at = 0; at < n; at++) {
		if (next < points && hull[next] == at)
			next++;
		else
			s[left++] = s[at];
	}
	return left;
}

/* Both ends, and evenly between them. */
static void cloud_thin(const struct sample *s, const uint16_t *hull,
		       uint32_t points, struct cloud *cloud)
{
	uint32_t n;

	for (n = 0; n < CLOUD_POINTS; n++)
		cloud->point[n] = s[hull[n * (points - 1) / (CLOUD_POINTS - 1)]];
	cloud->points = CLOUD_POINTS;
}

/* Add a layer; false if it does not fit. */
static bool cloud_add(struct cloud *cloud, const struct sample *s,
		      const uint16_t *hull, uint32_t points)
{
	bool thin = !cloud->layers && points > CLOUD_POINTS;
	uint32_t n;

	if (!thin && cloud->points + points > CLOUD_POINTS)
		return false;
	if (thin)
		cloud_thin(s, hull, points, cloud);
	for (n = 0; !thin && n < points; n++)
		cloud->point[cloud->points++] = s[hull[n]];
	cloud->layers++;
	return true;
}

void cloud_make(struct sample *sample, uint32_t samples, struct cloud *cloud)
{
	uint16_t hull[CLOUD_SAMPLES];
	uint32_t left, points;

	if (samples > CLOUD_SAMPLES)
		samples = CLOUD_SAMPLES;
	*cloud = (struct cloud){ .samples = samples };
	cloud_sort(sample, samples);
	for (left = samples; left; left = cloud_peel(sample, left, hull, points)) {
		points = cloud_hull(sample, left, hull);
		if (!cloud_add(cloud, sample, hull, points) ||
		    cloud->layers * 20 >= samples)
			break;
	}
	cloud_sort(cloud->point, cloud->points);
}
