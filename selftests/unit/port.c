// SPDX-License-Identifier: GPL-2.0
/*
 * port.h's divisions, against the compiler's own.  port_narrow is this file
 * again with port.h compiled as for 32 bit, so that its shift and subtract
 * is tested, under sanitizers too, wherever the tests run.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "random.h"
#include "../lib/tap.h"

#ifdef PORT_NARROW
#undef __SIZEOF_POINTER__
#define __SIZEOF_POINTER__ 4
#endif
#include "port.h"

static const u64 edges[] = {
	1, 2, 3, 5, 7, 10, 1000, 1000000, 1000000000, 0x7fffffff, 0x80000000,
	0xfffffffe, 0xffffffff, 0x100000000, 0x100000001, 0x1fffffffe,
	8000000000ULL, 100000000000000ULL, 0x7fffffffffffffff,
	0x8000000000000000, 0x8000000000000001, 0xfffffffffffffffe,
	0xffffffffffffffff,
};

#define NR_EDGES	(sizeof(edges) / sizeof(edges[0]))

/* Right if dividing is; and, so that this is not taken on trust, if it undoes. */
static bool divides(u64 dividend, u64 divisor)
{
	u64 quotient = div64_u64(dividend, divisor);
	u64 rest = dividend - quotient * divisor;

	return quotient == dividend / divisor && rest < divisor &&
	       quotient <= dividend;
}

static bool divides_u32(u64 dividend, u32 divisor)
{
	return div_u64(dividend, divisor) == dividend / divisor;
}

static void edges_test(void)
{
	bool good = true, good_u32 = true;
	u32 i, j;

	for (i = 0; i < NR_EDGES; i++) {
		good = good && divides(0, edges[i]);
		for (j = 0; j < NR_EDGES; j++) {
			good = good && divides(edges[j], edges[i]);
			if (edges[i] <= U32_MAX)
				good_u32 = good_u32 && divides_u32(edges[j], edges[i]);
		}
	}
	tap_ok(good, "div64_u64__edges");
	tap_ok(good_u32, "div_u64__edges");
}

static void random_test(u64 seed, unsigned long n)
{
	u64 dividend = 0, divisor = 1;
	bool good = true;

	while (n-- && good) {
		dividend = random_scale(&seed);
		divisor = random_scale(&seed);
		if (random_below(&seed, 4) == 0)	/* exact, or one off */
			dividend = (dividend >> 32) * (divisor >> 32) +
				   random_below(&seed, 3) - 1;
		if (!divisor)
			continue;
		good = divides(dividend, divisor) &&
		       (!(u32)divisor || divides_u32(dividend, divisor));
	}
	if (!tap_ok(good, "div64_u64__random"))
		tap_remark("%" PRIu64 " / %" PRIu64, dividend, divisor);
}

static void helpers_test(void)
{
	tap_ok(min(1, 2) == 1 && min(2, 1) == 1 && max(1, 2) == 2 &&
	       max(2, 1) == 2, "min_max");
	tap_ok(sizeof(u8) == 1 && sizeof(u16) == 2 && sizeof(u32) == 4 &&
	       sizeof(u64) == 8 && (s32)-1 < 0 && (s64)-1 < 0 && sizeof(s32) == 4 &&
	       sizeof(s64) == 8, "types__sizes");
	tap_ok(U32_MAX == 0xffffffff && U64_MAX == 0xffffffffffffffff,
	       "limits");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 1000000, "divisions");

	edges_test();
	random_test(o.seed, o.n);
	helpers_test();
	return tap_done();
}
