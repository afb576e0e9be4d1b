/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Integer types by their kernel names
 *
 * Products of a 64-bit count and a 64-bit fixed-point factor go through u128,
 * so flowgen builds for 64-bit machines only.
 */
#ifndef FLOWGEN_TYPES_H
#define FLOWGEN_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
typedef unsigned __int128 u128;

#define NSEC_PER_USEC	1000ULL
#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Obtain the struct that holds member @m from a pointer to that member. */
#define container_of(p, type, m) ((type *)((char *)(p) - offsetof(type, m)))

#endif
