// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the times of cc=cbr: means, distributions, and that they are reproducible.
 * The oracle is libm, which the program itself does not use.
 */
#include <math.h>
#include <stdlib.h>

#include "../pattern.h"
#include "tap.h"

#define LINE	10000000000ULL
#define BYTES	1538
#define SLOT_NS	(BYTES * 8e9 / LINE)
#define DRAWS	400000

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static double median(u64 *values, size_t n)
{
	qsort(values, n, sizeof(*values), by_value);
	return values[n / 2];
}

static bool near(double value, double wanted, double share)
{
	if (fabs(value - wanted) <= share * wanted)
		return true;
	tap_remark("%g instead of %g", value, wanted);
	return false;
}

static void cbr__rounds_once(void)
{
	static const u64 rates[] = { 1000, 999999937, 7000000000, 10000000000, 10000000000000 };
	bool ok = true;
	size_t i;
	int n;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		struct pattern p;
		u64 sum = pattern_init(&p, PATTERN_CBR, rates[i], 0, 1, 0);

		for (n = 0; n < 1000; n++)
			sum += pattern_next(&p, BYTES);
		ok &= sum == (u64)((u128)1000 * BYTES * 8 * NSEC_PER_SEC / rates[i]);
	}
	tap_ok(ok, "cbr: 1000 packets take 1000 times their time, rounded once");
}

static void bernoulli__is_geometric(void)
{
	static const u64 rates[] = { LINE / 1000, LINE / 10, LINE / 2, 9 * LINE / 10 };
	size_t i;
	int n;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		double load = (double)rates[i] / LINE, sum = 0, ones = 0;
		struct pattern p;

		pattern_init(&p, PATTERN_BERNOULLI, rates[i], LINE, 1, i);
		for (n = 0; n < DRAWS; n++) {
			u64 ns = pattern_next(&p, BYTES);

			sum += ns;
			ones += ns < 1.5 * SLOT_NS;
		}
		/* The deviation of the mean is 1 / sqrt(n) of it at most; 4 of these. */
		tap_ok(near(sum / DRAWS, SLOT_NS / load, 4 / sqrt(DRAWS)),
		       "bernoulli: mean time at a load of %g", load);
		tap_ok(fabs(ones / DRAWS - load) < 4 * sqrt(load * (1 - load) / DRAWS),
		       "bernoulli: as many packets follow at once");
	}
}

static void bernoulli__full_line(void)
{
	struct pattern p;
	u64 sum = 0;
	int n;

	pattern_init(&p, PATTERN_BERNOULLI, LINE, LINE, 1, 0);
	for (n = 0; n < 1000; n++)
		sum += pattern_next(&p, BYTES);
	tap_ok(sum == 1000 * BYTES * 8 / 10, "bernoulli: the line's rate leaves no gap");
}

static void pareto__is_as_libm_has_it(void)
{
	static const u32 uniform[] = {
		0, 1, 2, 99, 65535, 1 << 20, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
	};
	bool ok = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(uniform); i++) {
		double u = (uniform[i] + 1.) / 4294967296.;

		ok &= near(pattern_pareto_ns(10000000, uniform[i]), 1e7 / 3 * pow(u, -2 / 3.),
			   0.00002);
	}
	tap_ok(ok, "pareto: as libm has it");
	tap_ok(pattern_pareto_ns(3000, ~0U) == 1000, "pareto: the least is a third of the mean");
}

static void onoff__has_its_distributions(void)
{
	enum { PERIODS = 4000 };
	static u64 on[PERIODS], off[PERIODS];
	struct pattern p;
	size_t n = 0;
	u64 run = 0;

	pattern_init(&p, PATTERN_ONOFF, LINE / 4, LINE, 7, 0);
	while (n < PERIODS) {
		u64 ns = pattern_next(&p, BYTES);

		if (ns <= SLOT_NS + 1) {
			run += ns;
			continue;
		}
		on[n] = run;
		off[n++] = ns - SLOT_NS;
		run = 0;
	}
	/* The median is the least times 2^(2/3); the deviation of a sample's is 1.7 %. */
	tap_ok(near(median(on, PERIODS), 1e7 / 3 * pow(2, 2 / 3.), 0.07),
	       "onoff: median of the times with packets");
	tap_ok(near(median(off, PERIODS), 3e7 / 3 * pow(2, 2 / 3.), 0.07),
	       "onoff: median of those without");
	tap_ok(on[0] >= 1e7 / 3 - 2 * SLOT_NS && off[0] >= 3e7 / 3 - 2 * SLOT_NS,
	       "onoff: none is below a third of its mean");
}

static u64 sum_of(enum pattern_kind kind, u64 seed, u64 flow)
{
	struct pattern p;
	u64 sum = pattern_init(&p, kind, LINE / 4, LINE, seed, flow);
	int n;

	for (n = 0; n < 20000; n++)
		sum = sum * 31 + pattern_next(&p, BYTES);
	return sum;
}

static void all__are_reproducible(void)
{
	enum pattern_kind kind;

	for (kind = PATTERN_BERNOULLI; kind <= PATTERN_ONOFF; kind++) {
		u64 times = sum_of(kind, 1, 2);

		tap_ok(times == sum_of(kind, 1, 2), "the same seed and flow: the same times");
		tap_ok(times != sum_of(kind, 2, 2) && times != sum_of(kind, 1, 3),
		       "another seed, another flow: others");
	}
}

int main(void)
{
	cbr__rounds_once();
	bernoulli__is_geometric();
	bernoulli__full_line();
	pareto__is_as_libm_has_it();
	onoff__has_its_distributions();
	all__are_reproducible();
	return tap_done();
}
