// SPDX-License-Identifier: GPL-2.0
/*
 * Running minimum of a gap, and who came near it.
 */
#include <math.h>

#include "gap.h"

static const struct gap_bucket gap_empty = {
	.least_ns = INFINITY,
	.witness_ns = { INFINITY, INFINITY },
};

static struct gap_bucket *gap_bucket(struct gap *gap, int64_t minute)
{
	return &gap->bucket[(uint64_t)minute % GAP_BUCKETS];
}

static void gap_begin(struct gap *gap, int64_t minute)
{
	uint32_t n;

	gap->known = true;
	gap->minute = minute;
	for (n = 0; n < GAP_BUCKETS; n++)
		gap->bucket[n] = gap_empty;
}

static void gap_advance(struct gap *gap, int64_t minute)
{
	if (!gap->known || minute < gap->minute - 1 ||
	    minute - gap->minute >= GAP_BUCKETS)
		gap_begin(gap, minute);
	for (; gap->minute < minute; gap->minute++)
		*gap_bucket(gap, gap->minute + 1) = gap_empty;
}

static double gap_lowest(const struct gap *gap)
{
	double least = INFINITY;
	uint32_t n;

	for (n = 0; gap->known && n < GAP_BUCKETS; n++)
		least = fmin(least, gap->bucket[n].least_ns);
	return least;
}

static double gap_near_ns(bool hardware)
{
	return hardware ? GAP_NEAR_HARDWARE_NS : GAP_NEAR_SOFTWARE_NS;
}

static void gap_take(struct gap_bucket *bucket, double gap_ns, bool clean)
{
	double *witness = bucket->witness_ns;
	uint32_t n;

	bucket->least_ns = fmin(bucket->least_ns, gap_ns);
	if (!clean || gap_ns >= witness[GAP_WITNESSES - 1])
		return;
	for (n = GAP_WITNESSES - 1; n && witness[n - 1] > gap_ns; n--)
		witness[n] = witness[n - 1];
	witness[n] = gap_ns;
}

/* Did windows that bear witness, of whatever minutes, come near the minimum? */
static bool gap_is_believed(const struct gap *gap, double least_ns, bool hardware)
{
	double most = least_ns + gap_near_ns(hardware);
	uint32_t near = 0;
	uint32_t b, n;

	for (b = 0; b < GAP_BUCKETS; b++) {
		for (n = 0; n < GAP_WITNESSES; n++)
			near += gap->bucket[b].witness_ns[n] <= most;
	}
	return near >= GAP_WITNESSES;
}

void gap_note(struct gap *gap, int64_t now_ns, double gap_ns, bool clean)
{
	gap_advance(gap, now_ns / GAP_BUCKET_NS);
	gap_take(gap_bucket(gap, gap->minute), gap_ns, clean);
}

double gap_room_ns(const struct gap *gap, double gap_ns, bool hardware)
{
	double least = gap_lowest(gap);

	return gap->known && gap_is_believed(gap, least, hardware) ?
	       fmax(gap_ns - least, 0) : gap_ns;
}
