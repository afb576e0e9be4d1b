/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generator of all that is drawn in a port: seeded, the same on any machine,
 * never reseeded.  Pure; what is drawn for one purpose has a state of its own,
 * so that no purpose moves another's numbers.
 */
#ifndef LABNIC_RANDOM_H
#define LABNIC_RANDOM_H

#include "../../kernel/algo/port.h"

/**
 * enum labnic_purpose - what is drawn for
 * @LABNIC_DRAW_JITTER: the extra time of a wakeup
 * @LABNIC_DRAW_TX: how late software is on the way to the wire
 * @LABNIC_DRAW_RX: how late it is on the way from the wire
 * @LABNIC_DRAW_CROSS: bursts of cross traffic
 */
enum labnic_purpose {
	LABNIC_DRAW_JITTER,
	LABNIC_DRAW_TX,
	LABNIC_DRAW_RX,
	LABNIC_DRAW_CROSS,
};

/**
 * labnic_random() - the next number
 * @state: of the generator, not 0
 *
 * xorshift64*, Vigna 2014 (arXiv:1402.6390): period 2^64 - 1, passes the tests
 * that matter at this use; the upper half of the product is the good one.
 *
 * Return: 32 uniform bits.
 */
static inline u32 labnic_random(u64 *state)
{
	u64 x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return (x * 0x2545f4914f6cdd1dULL) >> 32;
}

/**
 * labnic_random_seed() - the generator's start
 * @seed: the port's
 * @number: the port's
 * @purpose: what is to be drawn
 *
 * Both are scattered by the finalizer of splitmix64 (public domain, Vigna 2015),
 * which maps only one value to 0, the one state that xorshift cannot leave.
 *
 * Return: a state.
 */
static inline u64 labnic_random_seed(u64 seed, u32 number,
				     enum labnic_purpose purpose)
{
	u64 z = seed + (number + 1ULL + ((u64)purpose << 32)) *
			       0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31)) ?: 1;
}

#endif /* LABNIC_RANDOM_H */
