/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one file that knows both worlds: the algorithms in this directory compile in
 * the kernel and in user space (unit tests, fuzzers, tc plugins, models) from
 * the same text, and they use nothing but what is named here.
 */
#ifndef SHARPRAMP_ALGO_PORT_H
#define SHARPRAMP_ALGO_PORT_H

#ifdef __KERNEL__

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/stringify.h>
#include <linux/types.h>

#else /* user space */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#ifndef U32_MAX
#define U32_MAX UINT32_MAX
#define U64_MAX UINT64_MAX
#define S64_MAX INT64_MAX
#endif

#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

#ifndef __stringify
#define __stringify_1(x...) #x
#define __stringify(x...) __stringify_1(x)
#endif

#ifndef min
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif

#ifndef min_t
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#endif

#ifndef static_assert
#define static_assert _Static_assert
#endif

/**
 * div64_u64() - unsigned 64 by 64 bit division
 * @dividend: any value
 * @divisor: not 0
 *
 * Shift and subtract where the machine has no such instruction, so that the
 * algorithms need no run-time library on 32 bit. The rest is below 2^k after k steps
 * and never loses a bit.
 *
 * Return: the quotient, rounded down.
 */
static inline u64 div64_u64(u64 dividend, u64 divisor)
{
#if __SIZEOF_POINTER__ == 8
	return dividend / divisor;
#else
	u64 quotient = 0, rest = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		rest = rest << 1 | (dividend >> bit & 1);
		if (rest >= divisor) {
			rest -= divisor;
			quotient |= 1ULL << bit;
		}
	}
	return quotient;
#endif
}

/**
 * div_u64() - unsigned 64 by 32 bit division
 * @dividend: any value
 * @divisor: not 0
 *
 * Return: the quotient, rounded down.
 */
static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return div64_u64(dividend, divisor);
}

#endif /* __KERNEL__ */

#endif /* SHARPRAMP_ALGO_PORT_H */
