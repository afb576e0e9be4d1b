/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Intervals of the ratio of two samples' means and percentiles
 */
#ifndef FLOWGEN_BOOTSTRAP_H
#define FLOWGEN_BOOTSTRAP_H

#include "types.h"

/* With fewer values there is no interval. */
#define BOOTSTRAP_LEAST		10

/**
 * enum statistic - what is compared
 * @STATISTIC_MEAN: the mean
 * @STATISTIC_P99: the 99th percentile, by nearest rank
 * @STATISTICS: number of them
 */
enum statistic { STATISTIC_MEAN, STATISTIC_P99, STATISTICS };

/**
 * struct sample - values of one run
 * @value: values, ns
 * @n: how many
 */
struct sample {
	const u64 *value;
	u32 n;
};

/**
 * struct interval - a ratio
 * @ratio: of the second sample's statistic over the first one's; 0: unknown
 * @low: lower end of its 95 % interval; 0: unknown, there are too few values
 * @high: upper end
 */
struct interval {
	double ratio;
	double low;
	double high;
};

/**
 * bootstrap_ratio() - compare two samples
 * @sample: both
 * @paired: value i of one and value i of the other belong to the same flow
 * @name: whose random stream it is
 * @intervals: receives a ratio a statistic
 *
 * A percentile bootstrap (Efron, Bootstrap methods: another look at the jackknife, 1979).
 * If @paired, a draw (with replacement) takes the same flow from both runs; otherwise each
 * run is drawn from independently. Equal arguments give equal intervals.
 *
 * Return: 0, or -1 after a message.
 */
int bootstrap_ratio(const struct sample sample[2], bool paired, const char *name,
		    struct interval intervals[STATISTICS]);

#endif
