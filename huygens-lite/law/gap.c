// SPDX-License-Identifier: GPL-2.0
/*
 * Running minimum of a gap, and the weight that follows from it.
 */
#include <math.h>

#include "gap.h"

/* An offset that is off by s at random makes a drift off by s sqrt(12) / W. */
#define GAP_SQRT12	3.4641016151377544

static void gap_begin(struct gap *gap, int64_t minute)
{
	uint32_t n;

	gap->known = true;
	gap->minute = minute;
	for (n = 0; n < GAP_BUCKETS; n++)
		gap->least_ns[n] = INFINITY;
}

static void gap_advance(struct gap *gap, int64_t minute)
{
	if (!gap->known || minute < gap->minute - 1 ||
	    minute - gap->minute >= GAP_BUCKETS)
		gap_begin(gap, minute);
	for (; gap->minute < minute; gap->minute++)
		gap->least_ns[(uint64_t)(gap->minute + 1) % GAP_BUCKETS] = INFINITY;
}

double gap_least_ns(const struct gap *gap)
{
	double least = INFINITY;
	uint32_t n;

	for (n = 0; gap->known && n < GAP_BUCKETS; n++) {
		if (gap->least_ns[n] < least)
			least = gap->least_ns[n];
	}
	return isfinite(least) ? least : 0;
}

struct gap_weight gap_note(struct gap *gap, int64_t now_ns, double gap_ns,
			   double noise_ns, int64_t window_ns, bool hardware)
{
	double own = hardware ? GAP_SIGMA_HARDWARE_NS : GAP_SIGMA_SOFTWARE_NS;
	struct gap_weight w;
	double *bucket;

	gap_advance(gap, now_ns / GAP_BUCKET_NS);
	bucket = &gap->least_ns[(uint64_t)gap->minute % GAP_BUCKETS];
	if (gap_ns < *bucket)
		*bucket = gap_ns;
	w.bias_ns = (gap_ns - gap_least_ns(gap)) / 2;
	w.sigma_ns = sqrt(own * own + noise_ns * noise_ns);
	w.sigma_ppb = w.sigma_ns * GAP_SQRT12 / ((double)window_ns / 1e9);
	return w;
}
