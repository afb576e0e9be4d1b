/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Seeded random numbers, the same on every machine: PCG32 (O'Neill, "PCG: A
 * Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
 * Number Generation", HMC-CS-2014-0905, section 6.3, XSH RR 64/32).
 */
#ifndef ACC_PRNG_H
#define ACC_PRNG_H

#include <stdint.h>

#define PRNG_MULTIPLIER	6364136223846793005ULL
#define PRNG_INCREMENT	1442695040888963407ULL

/**
 * struct prng - a sequence of random numbers
 * @state: of the generator
 */
struct prng {
	uint64_t state;
};

/**
 * prng_next() - the next random number
 * @p: the sequence
 *
 * Return: 32 uniform bits.
 */
static inline uint32_t prng_next(struct prng *p)
{
	uint64_t old = p->state;
	uint32_t shifted = (old >> 18 ^ old) >> 27;
	uint32_t turn = old >> 59;

	p->state = old * PRNG_MULTIPLIER + PRNG_INCREMENT;
	return shifted >> turn | shifted << (-turn & 31);
}

/**
 * prng_seed() - begin a sequence
 * @p: the sequence
 * @seed: any number; each begins another part of the period of 2^64
 */
static inline void prng_seed(struct prng *p, uint64_t seed)
{
	p->state = seed + PRNG_INCREMENT;
	prng_next(p);
}

/**
 * prng_below() - a random number below a limit
 * @p: the sequence
 * @limit: 1 to 2^32 - 1; the bias is below @limit / 2^32
 *
 * Return: 0 to @limit - 1.
 */
static inline uint32_t prng_below(struct prng *p, uint32_t limit)
{
	return (uint64_t)prng_next(p) * limit >> 32;
}

/**
 * prng_uniform() - a random number of [0, 1)
 * @p: the sequence
 *
 * Return: a multiple of 2^-24, so that it is exact.
 */
static inline float prng_uniform(struct prng *p)
{
	return (float)(prng_next(p) >> 8) / 16777216.0f;
}

/**
 * prng_normal() - a random number that is nearly of the standard normal distribution
 * @p: the sequence
 *
 * The sum of twelve uniform numbers has the variance 1.  It is summed in integers, so
 * that it needs no order.
 *
 * Return: from -6 to 6, mean 0.
 */
static inline float prng_normal(struct prng *p)
{
	int64_t sum = -6 * 16777216LL;
	int i;

	for (i = 0; i < 12; i++)
		sum += prng_next(p) >> 8;
	return (float)sum / 16777216.0f;
}

#endif /* ACC_PRNG_H */
