// SPDX-License-Identifier: GPL-2.0
/* How late a host's software is, see late.h. */
#include "late.h"
#include "random.h"

/* 2^16 / (1000 ln 2) in 2^-16: from thousandths of e's exponent to 2^-16 of 2's. */
#define LABNIC_LOG2_E 6196328LL

/*
 * Twelve uniform numbers of width 1 have variance 1; their sum is nearly normal:
 * its 99th percentile is 2.30 instead of 2.33, and none is beyond 6.
 *
 * Return: z in 2^-32, -6 to 6.
 */
static s64 labnic_late_normal(u64 *random)
{
	s64 sum = 0;
	int i;

	for (i = 0; i < 12; i++)
		sum += labnic_random(random);
	return sum - (6LL << 32);
}

/*
 * value x 2^(power / 2^16) for value below 2^21 and powers of a size below 2^21,
 * bit by bit of the power's fraction.
 */
static u64 labnic_late_scale(u64 value, s64 power)
{
	/* 2^(2^-k) in 2^-32 */
	static const u64 root[16] = {
		0x16a09e668, 0x1306fe0a3, 0x1172b83c8, 0x10b5586d0,
		0x1059b0d31, 0x102c9a3e7, 0x10163daa0, 0x100b1afa6,
		0x10058c86e, 0x1002c605e, 0x100162f39, 0x1000b175f,
		0x100058ba0, 0x10002c5cc, 0x1000162e5, 0x10000b172,
	};
	s64 whole = power >> 16;
	int k;

	/* Eight more bits: what is shifted up in the end was not cut before. */
	value <<= 8;
	for (k = 0; k < 16; k++)
		if (power >> (15 - k) & 1)
			value = value * root[k] >> 32;
	return (whole < 0 ? value >> -whole : value << whole) >> 8;
}

static u64 labnic_late_spread(const struct labnic_late *late, u64 *random)
{
	s64 z;

	if (!late->median_ns)
		return 0;
	z = labnic_late_normal(random);
	/* z x sigma in 2^-16 thousandths is below 2^30, its product with the next below 2^53 */
	return labnic_late_scale(late->median_ns,
				 (z >> 16) * late->sigma * LABNIC_LOG2_E >> 32);
}

static u64 labnic_late_odd(const struct labnic_late *late, u64 *random)
{
	if (!late->odd || labnic_random(random) * 1000ULL >> 32 >= late->odd)
		return 0;
	return labnic_random(random) * (late->odd_ns + 1ULL) >> 32;
}

/**
 * labnic_late_draw() - how late software is this time
 * @late: the model
 * @random: state of a generator, see random.h; left alone if all of @late is 0
 *
 * Return: ns.
 */
u64 labnic_late_draw(const struct labnic_late *late, u64 *random)
{
	u64 spread_ns = labnic_late_spread(late, random);

	return late->least_ns + spread_ns + labnic_late_odd(late, random);
}
