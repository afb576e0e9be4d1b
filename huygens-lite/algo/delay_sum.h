/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bias of an edge from its minimum-delay sum.
 *
 * The delay sum is the sum of the least delays of both directions.  If a queue never
 * empties in a window, one of them grows, the delay sum with it, and theta is wrong
 * by half of what it grew.  So the delay sum is compared with its minimum over 8
 * minutes, and what is above it may be bias.
 *
 * A minimum is valid once windows came near it that were clean: samples of both
 * directions crowd at their floors (edge_floor()), which those of a queue that
 * stands do not.  Until then all of the delay sum may be bias.
 */
#ifndef HUYGENS_DELAY_SUM_H
#define HUYGENS_DELAY_SUM_H

#include <stdbool.h>
#include <stdint.h>

#define DELAY_SUM_BUCKETS	8
#define DELAY_SUM_BUCKET_NS	60000000000LL

/* Near the minimum: by what stamps make the least of many delays differ. */
#define DELAY_SUM_NEAR_SOFTWARE_NS	2000.0
#define DELAY_SUM_NEAR_HARDWARE_NS	100.0

/* Such windows for a minimum to be valid. */
#define DELAY_SUM_CLEAN		2

/**
 * struct delay_sum_bucket - a minute's delay sums
 * @least_ns: the least; INFINITY if there is none
 * @clean_ns: the least of clean windows, growing; likewise
 */
struct delay_sum_bucket {
	double least_ns;
	double clean_ns[DELAY_SUM_CLEAN];
};

/**
 * struct delay_sum - running minimum of an edge's delay sum; zero it to begin
 * @known: a delay sum was seen
 * @minute: number of the newest bucket
 * @bucket: the last DELAY_SUM_BUCKETS minutes, by number modulo DELAY_SUM_BUCKETS
 */
struct delay_sum {
	bool known;
	int64_t minute;
	struct delay_sum_bucket bucket[DELAY_SUM_BUCKETS];
};

/**
 * delay_sum_note() - take a window's delay sum
 * @delay_sum: the memory
 * @now_ns: local time, within +-LINE_MOST_NS; if it falls back by more than a
 *	minute the memory begins anew
 * @delay_sum_ns: delay sum of the fit, 0 or more
 * @clean: its window was clean
 */
void delay_sum_note(struct delay_sum *delay_sum, int64_t now_ns, double delay_sum_ns, bool clean);

/**
 * delay_sum_excess_ns() - by how much a delay sum may be above the least that can be
 * @delay_sum: the memory
 * @delay_sum_ns: the delay sum, 0 or more
 * @hardware: stamps are a NIC's
 *
 * Return: ns: what it is above the minimum, 0 or more, or all of it if that is
 * not valid.
 */
double delay_sum_excess_ns(const struct delay_sum *delay_sum, double delay_sum_ns, bool hardware);

#endif /* HUYGENS_DELAY_SUM_H */
