// SPDX-License-Identifier: GPL-2.0
/*
 * FECN's algorithms inside a kernel: the vectors of the unit tests with the kernel's own division
 * and types, the EtherType, and the largest products.  All else is tested in user space only.
 */
#include <kunit/test.h>
#include <linux/if_ether.h>
#include <linux/module.h>

#include "fecn_vectors.h"
#include "fecn_wire.h"

static void fecn_cp_test(struct kunit *test)
{
	const char *wrong;
	u32 failed = 0;

	wrong = fecn_vectors_run(&failed);
	if (wrong)
		KUNIT_FAIL(test, "vector %u: %s", failed, wrong);
}

static void fecn_largest_test(struct kunit *test)
{
	const struct fecn_cp_params p = {
		.interval_ns = 100000,
		.capacity_kbps = FECN_KBPS_MAX,
		.qeq_bytes = FECN_BYTES_MAX / 2,
		.a_milli = 2000,
		.b_milli = 2000,
		.c_milli = 1,
		.gamma_milli = 1000,
		.stages = FECN_STAGES_MAX,
		.k_ppm = 400000,
		.weight = FECN_WEIGHT_ONE,
		.flows = 1,
	};
	struct fecn_cp_vars v;

	fecn_cp_start(&p, &v, 1ULL << 61);
	KUNIT_EXPECT_EQ(test, v.rate_kbps, FECN_KBPS_MAX);
	/* A set point and a byte above, of slope 0.4: in 65536ths, rounded down. */
	KUNIT_EXPECT_EQ(test, fecn_cp_control(&p, FECN_BYTES_MAX), 39321);
	v.bytes = U64_MAX;
	KUNIT_EXPECT_EQ(test, fecn_cp_advance(&p, &v, 0, U64_MAX / 4 * 3), 11);
	KUNIT_EXPECT_GE(test, v.rate_kbps, FECN_KBPS_MAX / FECN_FLOOR);
	KUNIT_EXPECT_LE(test, v.rate_kbps, FECN_KBPS_MAX);
}

static void fecn_wire_test(struct kunit *test)
{
	static const u8 frame[] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0 };
	const struct fecn_rd rd = { .kbps = FECN_RP_KBPS_NONE, .nonce = 1 };
	u8 out[FECN_RD_MAX_BYTES];
	struct fecn_rd got;
	u32 body;

	BUILD_BUG_ON(FECN_RD_TYPE == ETH_P_8021Q || FECN_RD_TYPE < ETH_P_802_3_MIN);
	KUNIT_EXPECT_EQ(test, fecn_rd_put(out, frame, sizeof(frame), &rd), ETH_ZLEN);
	KUNIT_EXPECT_EQ(test, fecn_rd_parse(out, ETH_ZLEN, &got, &body), L2_OK);
	KUNIT_EXPECT_EQ(test, body, ETH_HLEN);
	KUNIT_EXPECT_EQ(test, got.kbps, FECN_RP_KBPS_NONE);
}

static struct kunit_case fecn_test_cases[] = {
	KUNIT_CASE(fecn_cp_test),
	KUNIT_CASE(fecn_largest_test),
	KUNIT_CASE(fecn_wire_test),
	{}
};

static struct kunit_suite fecn_test_suite = {
	.name = "fecn",
	.test_cases = fecn_test_cases,
};

kunit_test_suite(fecn_test_suite);

MODULE_DESCRIPTION("KUnit tests of FECN's algorithms");
MODULE_LICENSE("GPL");
