/* SPDX-License-Identifier: GPL-2.0 */
/* Seeded chance: splitmix64 (Steele, Lea, Flood 2014). */
#ifndef HUYGENS_CHANCE_H
#define HUYGENS_CHANCE_H

#include <stdint.h>

/**
 * chance_draw() - 64 uniform bits
 * @state: the seed, then what this leaves in it
 *
 * Return: the bits.
 */
static inline uint64_t chance_draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

#endif /* HUYGENS_CHANCE_H */
