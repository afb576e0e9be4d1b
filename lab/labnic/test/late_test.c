// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of labnic's late software: quantiles and means of a hundred thousand
 * draws against those of the lognormal distribution by libm.
 */
#include <math.h>
#include <stdlib.h>

#include "../../../selftests/lib/tap.h"
#include "../late.h"
#include "../random.h"

#define N 100000

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static u64 drawn[N];

static void draw(const struct labnic_late *late, u64 seed)
{
	u64 random = labnic_random_seed(seed, 0, LABNIC_DRAW_TX);
	int i;

	for (i = 0; i < N; i++)
		drawn[i] = labnic_late_draw(late, &random);
	qsort(drawn, N, sizeof(*drawn), compare);
}

/* Standard normal quantiles: any table has them. */
static const struct {
	double share, z;
} normal[] = {
	{ 0.001, -3.0902 }, { 0.01, -2.3263 }, { 0.1, -1.2816 }, { 0.5, 0 },
	{ 0.9, 1.2816 }, { 0.99, 2.3263 }, { 0.999, 3.0902 },
};

static void late__lognormal(void)
{
	static const struct labnic_late models[] = {
		{ .least_ns = 500, .median_ns = 300, .sigma = 600 },
		{ .least_ns = 3000, .median_ns = 1000, .sigma = 600 },
		{ .median_ns = 20, .sigma = 1000 },
		{ .median_ns = LABNIC_LATE_MAX_NS, .sigma = 100 },
	};
	size_t m, q;

	for (m = 0; m < sizeof(models) / sizeof(*models); m++) {
		const struct labnic_late *late = &models[m];

		draw(late, m);
		for (q = 0; q < sizeof(normal) / sizeof(*normal); q++) {
			double got = drawn[(int)(N * normal[q].share)] - (double)late->least_ns;
			double z = normal[q].z, sigma = late->sigma / 1000.0;
			double want = late->median_ns * exp(sigma * z);
			/* z itself is short by 0.03 at 2.3 and 0.1 at 3.1; a draw is a whole ns */
			double by = fabs(z) > 3 ? 0.15 : fabs(z) > 2 ? 0.06 : 0.02;

			if (!tap_ok(fabs(got - want) <= want * sigma * by + 1,
				    "late: median %u, sigma %u: quantile %g", late->median_ns,
				    late->sigma, normal[q].share))
				tap_remark("%g instead of %g", got, want);
		}
	}
}

static void late__odd(void)
{
	struct labnic_late late = { .least_ns = 100, .odd = 10, .odd_ns = 50000 };
	double sum = 0;
	int n = 0, i;

	draw(&late, 9);
	for (i = 0; i < N; i++)
		if (drawn[i] > 100) {
			sum += drawn[i] - 100;
			n++;
		}
	tap_ok(abs(n - N / 100) < 100, "late: one in a hundred is odd (%d of %d)", n, N);
	tap_ok(fabs(sum / n - 25000) < 2000, "late: by half of the most on average");
	tap_ok(drawn[0] == 100 && drawn[N - 1] <= 50100 && drawn[N - 1] > 49000,
	       "late: never less than the least, nor more than the most");
	late = (struct labnic_late){ .odd = 1000, .odd_ns = 0 };
	draw(&late, 9);
	tap_ok(!drawn[N - 1], "late: all odd, by nothing");
}

static void late__edges(void)
{
	struct labnic_late none = { .sigma = 600, .odd_ns = 50000 };
	struct labnic_late most = { LABNIC_LATE_MAX_NS, LABNIC_LATE_MAX_NS,
				    LABNIC_LATE_SIGMA_MAX, 1000, LABNIC_LATE_ODD_MAX_NS };
	struct labnic_late flat = { .median_ns = 777 };
	u64 random = 1;

	tap_ok(!labnic_late_draw(&none, &random) && random == 1,
	       "late: no model draws nothing");
	draw(&most, 3);
	/* e^12 is 162755 */
	tap_ok(drawn[0] >= LABNIC_LATE_MAX_NS &&
	       drawn[N - 1] < 162756ULL * LABNIC_LATE_MAX_NS + 11000000,
	       "late: the largest model does not overflow");
	draw(&flat, 3);
	tap_ok(drawn[0] == 777 && drawn[N - 1] == 777, "late: no deviation is the median");
}

static void random__streams(void)
{
	u64 a = labnic_random_seed(1, 2, LABNIC_DRAW_TX);
	u64 b = labnic_random_seed(1, 2, LABNIC_DRAW_RX);

	tap_ok(a != b && labnic_random(&a) != labnic_random(&b),
	       "random: purposes have numbers of their own");
	tap_ok(labnic_random_seed(0, 0, LABNIC_DRAW_JITTER) == 0xe220a8397b1dcdafULL,
	       "random: splitmix64's first number of 0");
}

int main(void)
{
	late__lognormal();
	late__odd();
	late__edges();
	random__streams();
	return tap_done();
}
