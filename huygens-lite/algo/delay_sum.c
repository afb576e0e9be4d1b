// SPDX-License-Identifier: GPL-2.0
/*
 * Running minimum of a delay sum, and the clean windows near it.
 */
#include <math.h>

#include "delay_sum.h"

static const struct delay_sum_bucket delay_sum_empty = {
	.least_ns = INFINITY,
	.clean_ns = { INFINITY, INFINITY },
};

static struct delay_sum_bucket *delay_sum_bucket(struct delay_sum *delay_sum, int64_t minute)
{
	return &delay_sum->bucket[(uint64_t)minute % DELAY_SUM_BUCKETS];
}

static void delay_sum_begin(struct delay_sum *delay_sum, int64_t minute)
{
	uint32_t n;

	delay_sum->known = true;
	delay_sum->minute = minute;
	for (n = 0; n < DELAY_SUM_BUCKETS; n++)
		delay_sum->bucket[n] = delay_sum_empty;
}

static void delay_sum_advance(struct delay_sum *delay_sum, int64_t minute)
{
	if (!delay_sum->known || minute < delay_sum->minute - 1 ||
	    minute - delay_sum->minute >= DELAY_SUM_BUCKETS)
		delay_sum_begin(delay_sum, minute);
	for (; delay_sum->minute < minute; delay_sum->minute++)
		*delay_sum_bucket(delay_sum, delay_sum->minute + 1) = delay_sum_empty;
}

static double delay_sum_least(const struct delay_sum *delay_sum)
{
	double least = INFINITY;
	uint32_t n;

	for (n = 0; delay_sum->known && n < DELAY_SUM_BUCKETS; n++)
		least = fmin(least, delay_sum->bucket[n].least_ns);
	return least;
}

static double delay_sum_near_ns(bool hardware)
{
	return hardware ? DELAY_SUM_NEAR_HARDWARE_NS : DELAY_SUM_NEAR_SOFTWARE_NS;
}

static void delay_sum_add(struct delay_sum_bucket *bucket, double delay_sum_ns, bool clean)
{
	double *clean_ns = bucket->clean_ns;
	uint32_t n;

	bucket->least_ns = fmin(bucket->least_ns, delay_sum_ns);
	if (!clean || delay_sum_ns >= clean_ns[DELAY_SUM_CLEAN - 1])
		return;
	for (n = DELAY_SUM_CLEAN - 1; n && clean_ns[n - 1] > delay_sum_ns; n--)
		clean_ns[n] = clean_ns[n - 1];
	clean_ns[n] = delay_sum_ns;
}

/* Did windows that were clean, of whatever minutes, come near the minimum? */
static bool delay_sum_is_valid(const struct delay_sum *delay_sum, double least_ns, bool hardware)
{
	double most = least_ns + delay_sum_near_ns(hardware);
	uint32_t near = 0;
	uint32_t b, n;

	for (b = 0; b < DELAY_SUM_BUCKETS; b++) {
		for (n = 0; n < DELAY_SUM_CLEAN; n++)
			near += delay_sum->bucket[b].clean_ns[n] <= most;
	}
	return near >= DELAY_SUM_CLEAN;
}

void delay_sum_note(struct delay_sum *delay_sum, int64_t now_ns, double delay_sum_ns, bool clean)
{
	delay_sum_advance(delay_sum, now_ns / DELAY_SUM_BUCKET_NS);
	delay_sum_add(delay_sum_bucket(delay_sum, delay_sum->minute), delay_sum_ns, clean);
}

double delay_sum_excess_ns(const struct delay_sum *delay_sum, double delay_sum_ns, bool hardware)
{
	double least = delay_sum_least(delay_sum);

	return delay_sum->known && delay_sum_is_valid(delay_sum, least, hardware) ?
	       fmax(delay_sum_ns - least, 0) : delay_sum_ns;
}
