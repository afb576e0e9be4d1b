// SPDX-License-Identifier: GPL-2.0
/*
 * ECN#'s algorithm inside a kernel: the vectors of the unit tests once more, now
 * with the kernel's own division, types and compiler flags.
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "ecnsharp_vectors.h"

static void ecnsharp_case_name(const struct ecnsharp_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(ecnsharp_case, ecnsharp_cases, ecnsharp_case_name);

static void ecnsharp_on_dequeue_test(struct kunit *test)
{
	const struct ecnsharp_case *c = test->param_value;
	const struct ecnsharp_vector *failed = NULL;
	const char *what;

	what = ecnsharp_case_run(c, &failed);
	if (what)
		KUNIT_FAIL(test, "vector %u: %s differs", failed->nr, what);
}

static void ecnsharp_settings_default_test(struct kunit *test)
{
	struct ecnsharp_settings s;
	struct ecnsharp_params p;

	ecnsharp_settings_default(&s);
	ecnsharp_params_make(&s, &p);
	KUNIT_EXPECT_EQ(test, p.ins_target_ns, 200000);
	KUNIT_EXPECT_EQ(test, p.pst_target_ns, 85000);
	KUNIT_EXPECT_EQ(test, p.pst_interval_ns, 200000);
	KUNIT_EXPECT_EQ(test, p.ins, ECNSHARP_INS_STEP);
	KUNIT_EXPECT_TRUE(test, p.persistent);
	KUNIT_EXPECT_FALSE(test, p.length);
	KUNIT_EXPECT_FALSE(test, ecnsharp_wants_random(&p));
}

/* Products and quotients of the rule of thumb, by the kernel. */
static void ecnsharp_rule_test(struct kunit *test)
{
	struct ecnsharp_settings s, req = {};
	struct ecnsharp_params p;

	ecnsharp_settings_default(&s);
	KUNIT_EXPECT_NULL(test, ecnsharp_set(&req, ECNSHARP_RTT_AVG_NS, 137000));
	KUNIT_EXPECT_NULL(test, ecnsharp_set(&req, ECNSHARP_RTT_TAIL_NS, 220000));
	KUNIT_EXPECT_NULL(test, ecnsharp_set(&req, ECNSHARP_TRANSPORT,
					     ECNSHARP_DCTCP));
	KUNIT_EXPECT_EQ(test, ecnsharp_settings_apply(&s, &req), ECNSHARP_ACCEPTED);
	ecnsharp_params_make(&s, &p);
	KUNIT_EXPECT_EQ(test, p.ins_target_ns, 37400);
	KUNIT_EXPECT_EQ(test, p.pst_target_ns, 23290);
	KUNIT_EXPECT_EQ(test, p.pst_interval_ns, 220000);
}

/* The shift of pmax and the length signal at their largest. */
static void ecnsharp_largest_test(struct kunit *test)
{
	const struct ecnsharp_params p = { .length = true, .rate_bps = 1000 };
	const struct ecnsharp_sample x = { .backlog_bytes = U32_MAX };
	struct ecnsharp_settings s;
	struct ecnsharp_params made;

	KUNIT_EXPECT_EQ(test, ecnsharp_level_ns(&p, &x), 17179869176000000ULL);
	ecnsharp_settings_default(&s);
	KUNIT_EXPECT_NULL(test, ecnsharp_set(&s, ECNSHARP_PMAX_PPM, 1000000));
	ecnsharp_params_make(&s, &made);
	KUNIT_EXPECT_EQ(test, made.pmax_q32, 1ULL << 32);
}

static void ecnsharp_refused_test(struct kunit *test)
{
	struct ecnsharp_settings s, before, req = {};

	ecnsharp_settings_default(&s);
	before = s;
	KUNIT_EXPECT_NOT_NULL(test, ecnsharp_set(&req, ECNSHARP_PST_INTERVAL_NS, 999));
	KUNIT_EXPECT_EQ(test, req.given, 0);
	KUNIT_EXPECT_NULL(test, ecnsharp_set(&req, ECNSHARP_INSTANTANEOUS, 0));
	KUNIT_EXPECT_NULL(test, ecnsharp_set(&req, ECNSHARP_PERSISTENT, 0));
	KUNIT_EXPECT_EQ(test, ecnsharp_settings_apply(&s, &req),
			ECNSHARP_REFUSE_BOTH_OFF);
	KUNIT_EXPECT_EQ(test, memcmp(&s, &before, sizeof(s)), 0);
}

static struct kunit_case ecnsharp_test_cases[] = {
	KUNIT_CASE_PARAM(ecnsharp_on_dequeue_test, ecnsharp_case_gen_params),
	KUNIT_CASE(ecnsharp_settings_default_test),
	KUNIT_CASE(ecnsharp_rule_test),
	KUNIT_CASE(ecnsharp_largest_test),
	KUNIT_CASE(ecnsharp_refused_test),
	{}
};

static struct kunit_suite ecnsharp_test_suite = {
	.name = "ecnsharp",
	.test_cases = ecnsharp_test_cases,
};

kunit_test_suite(ecnsharp_test_suite);

MODULE_DESCRIPTION("KUnit tests of the ECN# algorithm");
MODULE_LICENSE("GPL");
