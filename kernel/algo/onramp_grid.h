/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: the grid, multiples of a power of two among sequence numbers.
 *
 * A sender remembers few of many packets, and a receiver reports few: both choose those
 * with a byte on the grid, and so the same.  Nothing of it is in the wire format, and it
 * depends on no packet before, so that it holds after losses, too.  A receiver's grid may
 * be a multiple of the sender's.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_GRID_H
#define SHARPRAMP_ALGO_ONRAMP_GRID_H

#include "port.h"

/**
 * onramp_grid_has() - is there a multiple of the grid among sequence numbers?
 * @seq: the first
 * @len: how many, at least 1
 * @grid: a power of two
 *
 * Return: true if there is.
 */
static inline bool onramp_grid_has(u32 seq, u32 len, u32 grid)
{
	return ((seq - 1) ^ (seq + len - 1)) & ~(grid - 1);
}

/**
 * onramp_grid_of() - the grid that is nearest to a number of bytes
 * @bytes: at least 1
 *
 * Return: a power of two, at most 2^31; of two that are as near the larger.
 */
static inline u32 onramp_grid_of(u64 bytes)
{
	u32 log;

	if (bytes >> 31)
		return 1U << 31;
	log = 31 - __builtin_clz(bytes);
	return 1U << (log + (log && bytes >> (log - 1) & 1));
}

#endif /* SHARPRAMP_ALGO_ONRAMP_GRID_H */
