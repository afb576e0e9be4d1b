// SPDX-License-Identifier: GPL-2.0
/*
 * Seeded random integers, one stream per purpose
 *
 * The generator is xoshiro256** (Blackman and Vigna, "Scrambled Linear
 * Pseudorandom Number Generators", ACM TOMS 47(4), 2021), its state filled by
 * splitmix64 (Steele, Lea and Flood, OOPSLA 2014) as its authors advise. A
 * stream's name enters the seed through FNV-1a.
 *
 * The logarithm finds one binary digit at a time by squaring (Knuth, TAOCP
 * 1.2.2, exercise 25): for x in [1, 2), log2(x^2) = 2 log2(x), so the next
 * digit is 1 exactly when x^2 >= 2.
 */
#include "rng.h"

/* 40 digits: the last one weighs 2^-40, far below the Q32 result. */
#define LN_DIGITS	40

/* ln(2) * 2^64 */
#define LN2_Q64		0xb17217f7d1cf79abULL

static u64 rol64(u64 x, int n)
{
	return x << n | x >> (64 - n);
}

static u64 splitmix64(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static u64 fnv1a(u64 hash, const char *text)
{
	/* The terminating zero too, so that "ab","c" differs from "a","bc". */
	do {
		hash ^= (u8)*text;
		hash *= 0x100000001b3ULL;
	} while (*text++);
	return hash;
}

void rng_seed(struct rng *r, u64 seed, const char *owner, const char *purpose)
{
	u64 state = splitmix64(&seed);
	int i;

	state ^= fnv1a(fnv1a(0xcbf29ce484222325ULL, owner), purpose);
	for (i = 0; i < 4; i++)
		r->s[i] = splitmix64(&state);
	/* splitmix64 gives each output once: four zeros cannot happen. */
}

u64 rng_next(struct rng *r)
{
	u64 result = rol64(r->s[1] * 5, 7) * 9;
	u64 t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = rol64(r->s[3], 45);
	return result;
}

u64 rng_below(struct rng *r, u64 n)
{
	u64 reject = -n % n;	/* 2^64 mod n values would be drawn once too often */
	u128 product;

	do {
		product = (u128)rng_next(r) * n;
	} while ((u64)product < reject);
	return product >> 64;
}

u64 neg_ln_q32(u64 r)
{
	u64 neg_log2, digits = 0;
	int zeros, i;
	u64 x;

	if (r == UINT64_MAX)
		return 0;

	zeros = __builtin_clzll(r + 1);
	x = (r + 1) << zeros;	/* Q63, in [1, 2) */
	for (i = 0; i < LN_DIGITS; i++) {
		u128 square = (u128)x * x;	/* Q126, in [1, 4) */
		bool two = square >> 127;

		digits = digits << 1 | two;
		x = square >> (63 + two);
	}
	/* (r + 1) / 2^64 = x / 2 * 2^-zeros */
	neg_log2 = ((u64)(zeros + 1) << LN_DIGITS) - digits;
	return (u128)neg_log2 * LN2_Q64 >> (64 + LN_DIGITS - 32);
}

u64 rng_exp_q32(struct rng *r)
{
	return neg_ln_q32(rng_next(r));
}
