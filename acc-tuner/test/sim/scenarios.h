/* SPDX-License-Identifier: GPL-2.0 */
/* Scenarios of the tests. */
#ifndef ACC_TEST_SCENARIOS_H
#define ACC_TEST_SCENARIOS_H

#include "sim.h"

/* Web search in large; the tests need no file for it. */
static struct cdf_point scenarios_point[] = {
	{ 10000, 150000000 }, { 80000, 530000000 }, { 1000000, 700000000 },
	{ 10000000, 970000000 }, { 30000000, CDF_ONE },
};

static const struct cdf scenarios_sizes = { scenarios_point, 5 };

/**
 * scenario_base() - senders and a port without flows
 * @cc: congestion control
 *
 * Return: the scenario.
 */
static inline struct scenario scenario_base(enum scenario_cc cc)
{
	struct scenario x = {
		.cc = cc,
		.rate_bps = 10000000000ULL,
		.buffer = cc == SCENARIO_DCQCN ? 40000 : 2000,
		.duration_ns = 100000000,
		.seed = 1,
		.senders = 7,
		.pool = true,
		.sizes = &scenarios_sizes,
	};

	scenario_range(&x, 70000, 210000);
	return x;
}

#endif /* ACC_TEST_SCENARIOS_H */
