// SPDX-License-Identifier: GPL-2.0
/*
 * Distribution of delays: bounds by hand, and random delays against a search for the bound.
 */
#include "delay_hist.h"
#include "options.h"
#include "random.h"
#include "../lib/tap.h"

/**
 * struct known - a delay and its bucket
 * @ns: the delay
 * @bucket: its bucket
 * @name: of the test
 */
struct known {
	u64 ns;
	u32 bucket;
	const char *name;
};

static const struct known known[] = {
	{ 0, 0, "none" },
	{ 1, 0, "1_ns" },
	{ 1024, 0, "the_first_bound" },
	{ 1025, 1, "above_the_first_bound" },
	{ 2048, 1, "the_second_bound" },
	{ 2049, 2, "above_the_second_bound" },
	{ 1000000, 10, "1_ms" },
	{ 1ULL << 28, 18, "the_last_bound" },
	{ (1ULL << 28) + 1, 19, "above_the_last_bound" },
	{ 1ULL << 32, 19, "more_than_32_bits" },
	{ (1ULL << 42) + 5, 19, "more_than_32_bits_of_units" },
	{ U64_MAX, 19, "the_longest" },
};

static void known_test(void)
{
	u32 i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		tap_ok(delay_hist_bucket(known[i].ns) == known[i].bucket, "delay_hist__%s", known[i].name);
}

static u32 searched(u64 ns)
{
	u32 i;

	for (i = 0; i < DELAY_HIST_BUCKETS - 1; i++)
		if (ns <= delay_hist_bound_ns(i))
			break;
	return i;
}

static void random_test(u64 seed, unsigned long n)
{
	struct delay_hist h = { 0 };
	unsigned long i, wrong = 0;
	u64 sum = 0, in_all = 0;

	for (i = 0; i < n; i++) {
		u64 ns = random_scale(&seed), before = h.bucket[searched(ns)];

		delay_hist_add(&h, ns);
		sum += ns;
		wrong += h.bucket[searched(ns)] != before + 1 || h.sum_ns != sum;
	}
	for (i = 0; i < DELAY_HIST_BUCKETS; i++)
		in_all += h.bucket[i];
	tap_ok(!wrong && in_all == n, "delay_hist__random_as_by_a_search");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 200000, "delays");

	known_test();
	random_test(o.seed, o.n);
	return tap_done();
}
