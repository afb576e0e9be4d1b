/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Seeded random numbers for tests: splitmix64, the same on every machine. Compilers choose in which order they evaluate arguments and
 * operands, so an expression has one of these calls, or their order is given: by ?:, &&, || or one inside another.
 */
#ifndef SHARPRAMP_RANDOM_H
#define SHARPRAMP_RANDOM_H

#include <stdint.h>

/**
 * random_u64() - the next random number
 * @state: the seed, then whatever this leaves in it
 *
 * Return: 64 uniform bits.
 */
static inline uint64_t random_u64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/**
 * random_below() - a random number below a limit
 * @state: as in random_u64()
 * @limit: not 0; small against 2^64, or the result is not quite uniform
 *
 * Return: 0 to @limit - 1.
 */
static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return random_u64(state) % limit;
}

/**
 * random_scale() - a random number of random size
 * @state: as in random_u64()
 *
 * Return: 1 to 64 uniform bits, every length as likely as any other.
 */
static inline uint64_t random_scale(uint64_t *state)
{
	uint64_t bits = random_u64(state);

	return bits >> random_below(state, 64);
}

#endif /* SHARPRAMP_RANDOM_H */
