// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp's laws inside a kernel: the vectors of the unit tests once more, now
 * with the kernel's own division, types and compiler flags.
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "onramp_vectors.h"

static void onramp_case_name(const struct onramp_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(onramp_case, onramp_cases, onramp_case_name);

static void onramp_on_sample_test(struct kunit *test)
{
	const struct onramp_case *c = test->param_value;
	const struct onramp_vector *failed = NULL;
	const char *what;

	what = onramp_case_run(c, &failed);
	if (what)
		KUNIT_FAIL(test, "vector %u: %s differs", failed->nr, what);
}

static void onramp_path_case_name(const struct onramp_path_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(onramp_path_case, onramp_path_cases, onramp_path_case_name);

static void onramp_path_judge_test(struct kunit *test)
{
	const struct onramp_path_case *c = test->param_value;
	const struct onramp_path_vector *failed = NULL;
	const char *what;

	what = onramp_path_case_run(c, &failed);
	if (what)
		KUNIT_FAIL(test, "vector %u: %s differs", failed->nr, what);
}

/* The products of beta and P at their largest. */
static void onramp_largest_test(struct kunit *test)
{
	const struct onramp_params p = { ONRAMP_FINAL, 16, U64_MAX };
	struct onramp_sample x = { .owd_ns = S64_MAX, .total_now_ns = S64_MAX };
	struct onramp_vars v;

	onramp_vars_init(&v, ONRAMP_BETA_ONE);
	KUNIT_EXPECT_EQ(test, onramp_judge(&p, &v, &x).hold_ns, 0);
	onramp_vars_init(&v, ONRAMP_BETA_ONE / 2);
	KUNIT_EXPECT_EQ(test, onramp_judge(&p, &v, &x).hold_ns, 1ULL << 62);
	KUNIT_EXPECT_EQ(test, onramp_measure(S64_MAX / 2, S64_MAX), ONRAMP_BETA_ONE / 2);
	KUNIT_EXPECT_EQ(test, onramp_measure(S64_MAX, S64_MAX), ONRAMP_BETA_ONE);
}

/* A path starts with nothing to start a flow from; a new epoch forgets it. */
static void onramp_path_is_fresh_test(struct kunit *test)
{
	const struct onramp_path_params p = { .max_error_ns = 1000 };
	struct onramp_report r = {
		.now_ns = 5000, .tx_ns = 1000, .owd_ns = 3000, .epoch = 1, .clock_ok = true,
	};
	struct onramp_path_vars v = {};

	KUNIT_EXPECT_FALSE(test, onramp_path_is_fresh(&v, 5000, U64_MAX));
	KUNIT_EXPECT_EQ(test, onramp_path_judge(&p, &v, &r), ONRAMP_BELIEVED);
	KUNIT_EXPECT_TRUE(test, onramp_path_is_fresh(&v, 6000, 1000));
	KUNIT_EXPECT_FALSE(test, onramp_path_is_fresh(&v, 6001, 1000));
	KUNIT_EXPECT_EQ(test, v.owd_ns, 3000);
}

static struct kunit_case onramp_test_cases[] = {
	KUNIT_CASE_PARAM(onramp_on_sample_test, onramp_case_gen_params),
	KUNIT_CASE_PARAM(onramp_path_judge_test, onramp_path_case_gen_params),
	KUNIT_CASE(onramp_largest_test),
	KUNIT_CASE(onramp_path_is_fresh_test),
	{}
};

static struct kunit_suite onramp_test_suite = {
	.name = "onramp",
	.test_cases = onramp_test_cases,
};

kunit_test_suite(onramp_test_suite);

MODULE_DESCRIPTION("KUnit tests of the On-Ramp laws");
MODULE_LICENSE("GPL");
