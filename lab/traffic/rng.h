/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Seeded random integers, one stream per purpose
 */
#ifndef FLOWGEN_RNG_H
#define FLOWGEN_RNG_H

#include "types.h"

/**
 * struct rng - one stream of random integers
 * @s: state of xoshiro256**, never all zero
 */
struct rng {
	u64 s[4];
};

/**
 * rng_seed() - start a stream
 * @r: stream
 * @seed: the run's seed
 * @owner: what the stream belongs to, such as a group's name
 * @purpose: what it is drawn for, such as "size"
 *
 * The stream is a function of the three values alone: groups and purposes do
 * not shift each other, whatever is added, removed or drawn elsewhere.
 */
void rng_seed(struct rng *r, u64 seed, const char *owner, const char *purpose);

/**
 * rng_next() - draw 64 random bits
 * @r: stream
 */
u64 rng_next(struct rng *r);

/**
 * rng_below() - draw uniformly from 0 to @n - 1, without bias
 * @r: stream
 * @n: number of values, at least 1
 */
u64 rng_below(struct rng *r, u64 n);

/**
 * rng_exp_q32() - draw from the exponential distribution of mean 1
 * @r: stream
 *
 * Return: the value in Q32, 0 to about 44.4.
 */
u64 rng_exp_q32(struct rng *r);

/**
 * neg_ln_q32() - minus the natural logarithm of (@r + 1) / 2^64
 * @r: any value
 *
 * Integers only: the result is the same on every CPU, which libm's is not.
 *
 * Return: the value in Q32, too small or too large by less than 2^-31.
 */
u64 neg_ln_q32(u64 r);

#endif
