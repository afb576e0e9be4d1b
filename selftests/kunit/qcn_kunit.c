// SPDX-License-Identifier: GPL-2.0
/*
 * QCN's algorithms inside a kernel: the vectors of the unit tests with the kernel's own division,
 * types and compiler flags, EtherTypes and lengths against the kernel's, and the largest products.
 * All else is tested in user space only, where the oracle is.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <linux/unaligned.h>

#include "cp_occupancy.h"
#include "cp_params.h"
#include "cp_pause.h"
#include "l2_flow.h"
#include "l2_flow_vectors.h"
#include "l2_wire.h"
#include "qcn_rp_params.h"
#include "qcn_vectors.h"

static void qcn_cp_test(struct kunit *test)
{
	const char *wrong;
	u32 i;

	for (i = 0; i < QCN_CP_VECTORS; i++) {
		wrong = qcn_cp_vector_run(&qcn_cp_vectors[i]);
		if (wrong)
			KUNIT_FAIL(test, "vector %u: %s", i, wrong);
	}
}

static void qcn_rp_test(struct kunit *test)
{
	const char *wrong;
	u32 failed = 0;

	wrong = qcn_rp_vectors_run(&failed);
	if (wrong)
		KUNIT_FAIL(test, "vector %u: %s", failed, wrong);
}

/* Each product at its largest: UBSAN sees an overflow of those with a sign. */
static void qcn_largest_test(struct kunit *test)
{
	const struct qcn_cp_params cp = { QCN_CP_BYTES_MAX, QCN_CP_BYTES_MAX, 1 << 20, true };
	const struct qcn_cp_frame x = { QCN_CP_BYTES_MAX, QCN_CP_BYTES_MAX, U32_MAX };
	struct qcn_cp_vars v = {};
	struct qcn_rp_settings s;
	struct qcn_rp_stats stats = {};
	struct qcn_rp_vars rp = {};
	struct qcn_rp_params p;

	KUNIT_EXPECT_EQ(test, qcn_cp_on_arrival(&cp, &v, &x).qntz_fb, 31);
	KUNIT_EXPECT_EQ(test, v.sample_bytes, 617401546);
	qcn_rp_settings_default(&s);
	KUNIT_EXPECT_NULL(test, qcn_rp_set(&s, QCN_RP_MAX_RATE_BPS, QCN_RP_RATE_MAX));
	KUNIT_EXPECT_NULL(test, qcn_rp_set(&s, QCN_RP_GD, 16));
	KUNIT_EXPECT_NULL(test, qcn_rp_params_make(&s, &p));
	KUNIT_EXPECT_TRUE(test, qcn_rp_on_cnm(&p, &rp, &stats, 63, 1));
	KUNIT_EXPECT_EQ(test, rp.cur_bps, 399615478515);
	qcn_rp_on_send(&p, &rp, &stats, 1 << 24, 1 << 16, 1);
	KUNIT_EXPECT_EQ(test, qcn_rp_next_ns(&rp), 1 + 18350080ULL * 8000000000ULL / rp.cur_bps);
	KUNIT_EXPECT_EQ(test, pause_quanta_ns(PAUSE_QUANTA_MAX, 1000), 33553920000000ULL);
}

static void l2_wire_test(struct kunit *test)
{
	static const u8 port[ETH_ALEN] = { 2 }, cpid[L2_CPID_BYTES] = { 2 };
	const struct l2_cnm cnm = { .cpid = cpid, .qntz_fb = 1 };
	const struct l2_pause xoff = { .quanta = { 0xffff } };
	u8 frame[64] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8 }, out[L2_CNM_MAX_BYTES];
	struct l2_pause pause;

	BUILD_BUG_ON(L2_TYPE_VLAN != ETH_P_8021Q || L2_TYPE_SERVICE_VLAN != ETH_P_8021AD);
	BUILD_BUG_ON(L2_TYPE_MAC_CONTROL != ETH_P_PAUSE || L2_TAG_BYTES != VLAN_HLEN);
	BUILD_BUG_ON(L2_ADDRESS_BYTES != ETH_ALEN || L2_MIN_BYTES != ETH_ZLEN);
	KUNIT_EXPECT_EQ(test, l2_cnm_put(out, port, frame, sizeof(frame), &cnm, 64), 90);
	KUNIT_EXPECT_TRUE(test, ether_addr_equal_unaligned(out, frame + ETH_ALEN));
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(out + 2 * ETH_ALEN), L2_TYPE_CNM);
	l2_pause_put(out, port, &xoff);
	KUNIT_EXPECT_TRUE(test, is_link_local_ether_addr(out));
	KUNIT_EXPECT_EQ(test, l2_pause_parse(out, L2_MIN_BYTES, &pause), L2_OK);
	KUNIT_EXPECT_EQ(test, pause.quanta[7], 0xffff);
}

static void cp_occupancy_test(struct kunit *test)
{
	struct cp_occupancy o = { .size = 3 };
	u32 i;

	o.slots = kunit_kcalloc(test, o.size, sizeof(*o.slots), GFP_KERNEL);
	o.links = kunit_kcalloc(test, o.size, sizeof(*o.links), GFP_KERNEL);
	o.flows = kunit_kzalloc(test, sizeof(*o.flows), GFP_KERNEL);
	o.sums = kunit_kzalloc(test, struct_size(o.sums, block, cp_blocks(o.size)), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, o.slots);
	KUNIT_ASSERT_NOT_NULL(test, o.links);
	KUNIT_ASSERT_NOT_NULL(test, o.flows);
	KUNIT_ASSERT_NOT_NULL(test, o.sums);
	cp_flows_init(o.flows);
	for (i = 0; i < o.size; i++)
		KUNIT_EXPECT_EQ(test, cp_occupancy_add(&o, &o.slots[i], 1522 << i, i), i);
	KUNIT_EXPECT_EQ(test, cp_occupancy_largest(&o), 2);
	KUNIT_EXPECT_LT(test, cp_occupancy_random(&o, U32_MAX), 3);
	KUNIT_EXPECT_PTR_EQ(test, cp_occupancy_remove(&o, 0), (void *)&o.slots[2]);
}

/* Each at each length, in memory of that length: KASAN sees what is read beyond. */
static void l2_flow_test(struct kunit *test)
{
	const struct l2_flow_vector *v;
	u8 frame[L2_FLOW_FRAME_MAX] = {};
	struct l2_flow flow;
	size_t len, cut;
	bool known;
	u8 *copy;

	for (v = l2_flow_vectors; v < l2_flow_vectors + L2_FLOW_VECTORS; v++) {
		len = l2_flow_bytes(v->frame, frame);
		for (cut = 1; cut <= len; cut++) {
			copy = kunit_kmalloc(test, cut, GFP_KERNEL);
			KUNIT_ASSERT_NOT_NULL(test, copy);
			memcpy(copy, frame, cut);
			known = l2_flow_of_frame(copy, cut, &flow);
			kunit_kfree(test, copy);
			if (known ? !v->known || memcmp(&flow, &v->flow, sizeof(flow)) :
			    v->known && cut == len)
				KUNIT_FAIL(test, "%s of %zu bytes", v->name, cut);
		}
	}
}

/* The refusals that a user sees. */
static void cp_settings_test(struct kunit *test)
{
	struct cp_settings s, req = {};

	cp_settings_default(&s);
	KUNIT_EXPECT_EQ(test, cp_settings_apply(&s, &req), CP_REFUSE_LAW_MISSING);
	KUNIT_EXPECT_STREQ(test, cp_set(&req, CP_P_W, -11),
			   "w is out of range: -10 to 10 (exponent of 2)");
	KUNIT_EXPECT_NULL(test, cp_set(&req, CP_P_LAW, CP_LAW_QCN));
	KUNIT_EXPECT_EQ(test, cp_settings_apply(&s, &req), CP_ACCEPTED);
}

static struct kunit_case qcn_test_cases[] = {
	KUNIT_CASE(qcn_cp_test),
	KUNIT_CASE(qcn_rp_test),
	KUNIT_CASE(qcn_largest_test),
	KUNIT_CASE(l2_wire_test),
	KUNIT_CASE(l2_flow_test),
	KUNIT_CASE(cp_occupancy_test),
	KUNIT_CASE(cp_settings_test),
	{}
};

static struct kunit_suite qcn_test_suite = {
	.name = "qcn",
	.test_cases = qcn_test_cases,
};

kunit_test_suite(qcn_test_suite);

MODULE_DESCRIPTION("KUnit tests of QCN's algorithms");
MODULE_LICENSE("GPL");
