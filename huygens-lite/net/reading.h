/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two of the kernel's clocks, read together.
 */
#ifndef HUYGENS_READING_H
#define HUYGENS_READING_H

#include <stdint.h>
#include <time.h>

/**
 * struct reading - a clock less another, which local time is derived from
 * @at_ns: when, by that other
 * @off_ns: by how much the clock is ahead
 * @half_ns: by how much that can be wrong
 */
struct reading {
	int64_t	at_ns;
	int64_t	off_ns;
	int64_t	half_ns;
};

/**
 * reading_now() - read a clock
 * @id: the clock
 *
 * Return: ns.
 */
int64_t reading_now(clockid_t id);

/**
 * reading_take() - read a clock between two readings of another
 * @by: the other
 * @of: the clock
 *
 * The shortest of some counts, so none that something is in the middle of.
 *
 * Return: both.
 */
struct reading reading_take(clockid_t by, clockid_t of);

#endif /* HUYGENS_READING_H */
