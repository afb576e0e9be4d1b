/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an edge's gap tells of its bias.
 *
 * The gap is the sum of the least delays of both directions.  If a queue never
 * empties in a window, one of them grows, the gap with it, and theta is wrong
 * by half of what it grew.  So the gap is compared with its minimum over 8
 * minutes, and what is above it counts as a bias that may be.
 */
#ifndef HUYGENS_GAP_H
#define HUYGENS_GAP_H

#include <stdbool.h>
#include <stdint.h>

#define GAP_BUCKETS	8
#define GAP_BUCKET_NS	60000000000LL

/* Standard deviations that are added to an edge's own: stamps' resolution. */
#define GAP_SIGMA_SOFTWARE_NS	50.0
#define GAP_SIGMA_HARDWARE_NS	4.0

/**
 * struct gap - running minimum of an edge's gap; zero it to begin
 * @known: a gap was seen
 * @minute: number of the newest bucket
 * @least_ns: minimum of each of the last GAP_BUCKETS minutes, by number modulo
 *	GAP_BUCKETS
 */
struct gap {
	bool known;
	int64_t minute;
	double least_ns[GAP_BUCKETS];
};

/**
 * struct gap_weight - what an edge's theta is worth
 * @sigma_ns: its standard deviation, above 0; the weight is
 *	1 / (sigma_ns^2 + bias_ns^2)
 * @sigma_ppb: that of its drift
 * @bias_ns: (gap - its minimum) / 2, 0 or more
 */
struct gap_weight {
	double sigma_ns;
	double sigma_ppb;
	double bias_ns;
};

/**
 * gap_note() - take a window's gap, and weigh the window by it
 * @gap: the memory
 * @now_ns: local time, within +-LINE_MOST_NS; if it falls back by more than a
 *	minute the memory begins anew
 * @gap_ns: gap of the fit
 * @noise_ns: noise of the fit
 * @window_ns: length of the window, above 0
 * @hardware: stamps are a NIC's
 *
 * Return: what the edge is worth in this window.
 */
struct gap_weight gap_note(struct gap *gap, int64_t now_ns, double gap_ns,
			   double noise_ns, int64_t window_ns, bool hardware);

/**
 * gap_least_ns() - the minimum that is remembered
 * @gap: the memory
 *
 * Return: ns, or 0 if nothing was seen.
 */
double gap_least_ns(const struct gap *gap);

#endif /* HUYGENS_GAP_H */
