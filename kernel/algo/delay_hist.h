/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Distribution of delays: how many were in each of 20 buckets, whose upper bounds are
 * powers of two from 1.024 us on.
 */
#ifndef SHARPRAMP_ALGO_DELAY_HIST_H
#define SHARPRAMP_ALGO_DELAY_HIST_H

#include "port.h"

#define DELAY_HIST_BUCKETS	20
#define DELAY_HIST_FIRST	10	/* log2 of the first bound in ns */

/**
 * struct delay_hist - distribution of delays
 * @sum_ns: sum of them, modulo 2^64
 * @bucket: how many were above the bound of the bucket before, and not above its own;
 *	the last has no bound
 */
struct delay_hist {
	u64 sum_ns;
	u64 bucket[DELAY_HIST_BUCKETS];
};

/**
 * delay_hist_bound_ns() - the largest delay of a bucket
 * @i: its number, below DELAY_HIST_BUCKETS - 1
 *
 * Return: ns, from 1024 to 2^28, which is 268 ms.
 */
static inline u64 delay_hist_bound_ns(u32 i)
{
	return 1ULL << (DELAY_HIST_FIRST + i);
}

/**
 * delay_hist_bucket() - the bucket of a delay
 * @ns: any value
 *
 * Return: its number.
 */
static inline u32 delay_hist_bucket(u64 ns)
{
	u64 units = (ns - !!ns) >> DELAY_HIST_FIRST;

	if (unlikely(units >> (DELAY_HIST_BUCKETS - 2)))
		return DELAY_HIST_BUCKETS - 1;
	/* Twice as many and one, so that 0 has a highest bit as well. */
	return 31 - __builtin_clz((u32)units << 1 | 1);
}

/**
 * delay_hist_add() - count a delay
 * @h: the distribution
 * @ns: any value
 */
static inline void delay_hist_add(struct delay_hist *h, u64 ns)
{
	h->sum_ns += ns;
	h->bucket[delay_hist_bucket(ns)]++;
}

#endif /* SHARPRAMP_ALGO_DELAY_HIST_H */
