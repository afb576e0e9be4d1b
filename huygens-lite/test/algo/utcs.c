// SPDX-License-Identifier: GPL-2.0
/*
 * Several clocks that claim to show UTC: which count, against an oracle, and what a
 * minority that is wrong can do.  -s SEED repeats, -n is the number of rounds.
 */
#include <math.h>

#include "options.h"
#include "prng.h"
#include "utc.h"

#define S	1000000000LL

static bool is(const struct utc_view *view, uint32_t views, int64_t miss_ns, double error_ns)
{
	struct utc_view agreed = { 0 };
	bool known = utc_agree(view, views, &agreed);

	if (known && agreed.miss_ns == miss_ns && agreed.error_ns == error_ns)
		return true;
	tap_remark("%d: %lld +- %.0f", known, (long long)agreed.miss_ns, agreed.error_ns);
	return false;
}

static bool disagree(const struct utc_view *view, uint32_t views)
{
	struct utc_view agreed;

	return !utc_agree(view, views, &agreed);
}

static void few(void)
{
	const struct utc_view one[] = { { 1700000000 * S + 1, 250 } };
	const struct utc_view exact[] = { { 5, 0 }, { 5, 0 } };
	const struct utc_view equal[] = { { 100, 100 }, { 200, 100 } };
	const struct utc_view better[] = { { 0, 100 }, { 100, 200 } }, narrow[] = { { 0, 10 }, { 100, 100 } };
	const struct utc_view apart[] = { { 0, 100 }, { 201, 100 } };
	const struct utc_view touch[] = { { 0, 100 }, { 200, 100 } };
	const struct utc_view unsure[] = { { 7, 5 }, { 3 * S, INFINITY } };

	tap_ok(disagree(NULL, 0), "utc_agree__nobody_says");
	tap_ok(is(one, 1, 1700000000 * S + 1, 250), "utc_agree__one_is_believed");
	tap_ok(is(exact, 2, 5, 0), "utc_agree__bounds_of_nothing");
	tap_ok(is(equal, 2, 150, 50), "utc_agree__of_equals_the_mean_within_what_they_share");
	tap_ok(is(better, 2, 20, 120), "utc_agree__the_better_weighs_more");
	tap_ok(is(narrow, 2, 0, 10), "utc_agree__one_that_shows_a_value_beyond_the_range_does_not_count");
	tap_ok(is(touch, 2, 100, 0), "utc_agree__ranges_that_touch_and_the_middle");
	tap_ok(disagree(apart, 2), "utc_agree__of_two_that_disagree_neither");
	tap_ok(is(unsure, 2, 7, 5), "utc_agree__bounds_without_end");
}

static void minorities(void)
{
	const struct utc_view three[] = { { 0, 100 }, { 9000, 1 }, { 50, 100 } };
	const struct utc_view half[] = { { 0, 10 }, { 1, 10 }, { 500, 10 }, { 501, 10 } };
	const struct utc_view chain[] = { { 0, 100 }, { 150, 100 }, { 300, 100 }, { 450, 100 }, { 600, 100 } };
	const struct utc_view five[] = { { 0, 10 }, { 1, 10 }, { 2, 10 }, { S, 1e-9 }, { -S, 1e-9 } };

	tap_ok(is(three, 3, 25, 75), "utc_agree__one_of_three_is_left_out_however_sure_it_is");
	tap_ok(disagree(half, 4), "utc_agree__half_is_not_most");
	tap_ok(disagree(chain, 5), "utc_agree__neighbours_that_agree_are_no_majority");
	tap_ok(is(five, 5, 1, 9), "utc_agree__two_of_five_that_lie");
}

/* How many ranges contain a value, at each value where one begins. */
static uint32_t horrible_most(const struct utc_view *view, uint32_t views)
{
	uint32_t most = 0, i, k;

	for (i = 0; i < views; i++) {
		double at = (double)view[i].miss_ns - view[i].error_ns;
		uint32_t count = 0;

		for (k = 0; k < views; k++)
			count += fabs((double)view[k].miss_ns - at) <= view[k].error_ns;
		most = count > most ? count : most;
	}
	return most;
}

/* Most bounds hold, any number of the others do not: UTC is within the bound. */
static void many(struct options o)
{
	uint32_t round, wrong = 0, other = 0, k;

	for (round = 0; round < 100 * o.n; round++) {
		uint32_t views = 1 + prng_below(&o.seed, UTC_MOST), liars = prng_below(&o.seed, (views + 1) / 2);
		struct utc_view view[UTC_MOST], agreed;

		for (k = 0; k < views; k++) {
			view[k].error_ns = 1 + prng_below(&o.seed, 1000);
			view[k].miss_ns = (int64_t)prng_below(&o.seed, 2 * (uint32_t)view[k].error_ns + 1) -
					  (int64_t)view[k].error_ns;
			if (k < liars)
				view[k].miss_ns += (int64_t)prng_below(&o.seed, 4000) - 2000;
		}
		wrong += !utc_agree(view, views, &agreed) || fabs((double)agreed.miss_ns) > agreed.error_ns;
		for (k = 0; k < views; k++)
			view[k].miss_ns += (int64_t)prng_below(&o.seed, 3000);
		other += utc_agree(view, views, &agreed) != (2 * horrible_most(view, views) > views);
	}
	tap_ok(!wrong, "utc_agree__covers_utc_while_most_bounds_hold: %u of %u", wrong, round);
	tap_ok(!other, "utc_agree__as_the_oracle_counts: %u of %u", other, round);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 20, "random sets of clocks");

	few();
	minorities();
	many(o);
	return tap_done();
}
