/* SPDX-License-Identifier: GPL-2.0 */
/* Seeded random numbers: splitmix64, the same on every machine. */
#ifndef HUYGENS_PRNG_H
#define HUYGENS_PRNG_H

#include <stdint.h>

/**
 * prng_next() - the next random number
 * @state: the seed, then whatever this leaves in it
 *
 * Return: 64 uniform bits.
 */
static inline uint64_t prng_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/**
 * prng_below() - a random number below a limit
 * @state: as in prng_next()
 * @limit: 1 to 2^31; the bias is below 2^-32
 *
 * Return: 0 to @limit - 1.
 */
static inline uint32_t prng_below(uint64_t *state, uint32_t limit)
{
	return (prng_next(state) >> 32) * limit >> 32;
}

#endif /* HUYGENS_PRNG_H */
