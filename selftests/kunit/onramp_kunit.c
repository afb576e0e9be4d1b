// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp's algorithms inside a kernel: the vectors of the unit tests once more, now
 * with the kernel's own division, types and compiler flags; what multiplies or
 * divides at its largest, SipHash against the kernel's, and the settings.  All
 * else is tested in user space only, where oracles and sanitizers are.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/unaligned.h>

#include "onramp_delay.h"
#include "onramp_mac_vectors.h"
#include "onramp_params.h"
#include "onramp_phc.h"
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
	/* Reported before it left, by another CPU's time: no hold is in flight. */
	x = (struct onramp_sample){ .owd_ns = 100, .total_ns = 1 };
	KUNIT_EXPECT_EQ(test, onramp_judge(&p, &v, &x).hold_ns, 100);
}

/* A path starts with nothing to start a flow from; a new epoch forgets it. */
static void onramp_path_is_fresh_test(struct kunit *test)
{
	const struct onramp_path_params p = { .max_error_ns = 1000 };
	struct onramp_report r = {
		.now_ns = 5000, .tx_ns = 1000, .owd_ns = 3000, .epoch = 1, .clock_ok = true,
	};
	struct onramp_path_vars v = {};

	KUNIT_EXPECT_FALSE(test, onramp_path_is_fresh(&v, 5000, S64_MAX));
	KUNIT_EXPECT_EQ(test, onramp_path_judge(&p, &v, &r), ONRAMP_VALID);
	KUNIT_EXPECT_TRUE(test, onramp_path_is_fresh(&v, 6000, 1000));
	KUNIT_EXPECT_FALSE(test, onramp_path_is_fresh(&v, 6001, 1000));
	KUNIT_EXPECT_TRUE(test, onramp_path_is_fresh(&v, 5000, 0));
	KUNIT_EXPECT_TRUE(test, onramp_path_is_fresh(&v, 4999, 0));
	KUNIT_EXPECT_TRUE(test, onramp_path_is_fresh(&v, 0, 0));
	KUNIT_EXPECT_EQ(test, v.owd_ns, 3000);
}

/* A(t) of holds that shorten each other, and how long a flow may be kept waiting. */
static void onramp_hold_test(struct kunit *test)
{
	struct onramp_hold p = {};

	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, 1000, 300, 500), 1300);
	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, 1000, 500, 500), 1500);
	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, 1000, 501, 500), 1500);
	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, 1000, 0, 500), 1000);
	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, S64_MAX, 2, 1), 1ULL << 63);
	onramp_hold_set(&p, 1000, 1300);
	KUNIT_EXPECT_EQ(test, onramp_hold_total(&p, 1200), 200);
	/* In place of what is left of the first; kept waiting since 1000 all the same. */
	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, 1200, 50, 500), 1250);
	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, 1200, 400, 500), 1500);
	onramp_hold_set(&p, 1200, 1250);
	KUNIT_EXPECT_EQ(test, onramp_hold_total(&p, 1100), 200);
	KUNIT_EXPECT_EQ(test, onramp_hold_total(&p, 1249), 249);
	KUNIT_EXPECT_EQ(test, onramp_hold_total(&p, 9000), 250);
	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, 2000, 1, 500), 1500);
	onramp_hold_on_packet(&p);
	KUNIT_EXPECT_EQ(test, onramp_hold_until(&p, 2000, 600, 500), 2500);
	/* One that ends at once: nothing lies ahead, and nothing is counted twice. */
	onramp_hold_set(&p, 2000, 2500);
	onramp_hold_set(&p, 1990, 1990);
	KUNIT_EXPECT_EQ(test, onramp_hold_total(&p, 9000), 250);
}

/* By the kernel's division, of 64 bits by 64: 1538 bytes at 8 Gbit/s take as many ns. */
static void onramp_delay_of_test(struct kunit *test)
{
	const struct onramp_record x = {
		.common_ns = 1ULL << 60, .seq = U32_MAX - 99, .len = 3 * 1448,
		.backlog_bytes = 8000, .segment_bytes = 1448, .header_bytes = 90,
	};
	const u64 rx_ns = x.common_ns + 50000;
	struct onramp_delay d;

	d = onramp_delay_of(&x, x.seq, rx_ns, 0, true);
	KUNIT_EXPECT_EQ(test, d.owd_ns, 50000);
	KUNIT_EXPECT_FALSE(test, d.no_rate);
	d = onramp_delay_of(&x, x.seq + 1448, rx_ns, 0, true);
	KUNIT_EXPECT_EQ(test, d.margin_ns, 1230);
	KUNIT_EXPECT_TRUE(test, d.no_rate);
	d = onramp_delay_of(&x, x.seq + 2 * 1448, rx_ns, 8000000000ULL, false);
	KUNIT_EXPECT_EQ(test, d.later_ns, 2 * 1538);
	KUNIT_EXPECT_EQ(test, d.owd_ns, 50000 - 2 * 1538);
	d = onramp_delay_of(&x, x.seq + 1448, x.common_ns, 8000000000ULL, true);
	KUNIT_EXPECT_EQ(test, d.owd_ns, -1538 - 8000);
	KUNIT_EXPECT_EQ(test, onramp_link_ns(U64_MAX, 1), (1ULL << 33) * 1000000000ULL);
	KUNIT_EXPECT_EQ(test, onramp_link_ns(1, 8000000001ULL), 0);
}

/* SipHash, by its own vectors and by the kernel's function. */
static void onramp_mac_siphash_test(struct kunit *test)
{
	u8 key[ONRAMP_MAC_KEY_BYTES], data[256];
	siphash_key_t same;
	u32 len;

	for (len = 0; len < ONRAMP_MAC_VECTORS; len++)
		KUNIT_EXPECT_TRUE_MSG(test, onramp_mac_vector_run(len), "vector of %u bytes", len);
	for (len = 0; len <= sizeof(data); len++) {
		get_random_bytes(key, sizeof(key));
		get_random_bytes(data, len);
		same.key[0] = get_unaligned_le64(key);
		same.key[1] = get_unaligned_le64(key + 8);
		KUNIT_EXPECT_EQ_MSG(test, onramp_mac_siphash(key, data, len / 16 * 8, data + len / 16 * 8,
							     len - len / 16 * 8),
				    siphash(data, len, &same), "%u bytes", len);
	}
}

/* A line at its largest product, both ways, and a NIC that was stepped. */
static void onramp_phc_read_test(struct kunit *test)
{
	struct onramp_phc phc = {
		.line = { .ref_ns = 0, .offset_ns = 5, .drift = ONRAMP_LINE_DRIFT - 1 },
		.until_ns = 10, .window_ns = 1000, .error_ns = 50,
	};
	const s64 one_ns = ONRAMP_LINE_SPAN_NS - 1, more_ns = (1 << 30) - 257;
	u64 wall_ns;
	s64 ns;

	KUNIT_EXPECT_TRUE(test, onramp_line_map(&phc.line, one_ns, &ns));
	KUNIT_EXPECT_EQ(test, ns, one_ns + more_ns + 5);
	KUNIT_EXPECT_FALSE(test, onramp_line_map(&phc.line, one_ns + 1, &ns));
	phc.line.drift = -phc.line.drift;
	KUNIT_EXPECT_TRUE(test, onramp_line_map(&phc.line, one_ns, &ns));
	KUNIT_EXPECT_EQ(test, ns, one_ns - more_ns - 1 + 5);
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 9, ns + 50, &wall_ns), ONRAMP_PHC_GOOD);
	KUNIT_EXPECT_EQ(test, wall_ns, ns);
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 9, ns - 51, &wall_ns), ONRAMP_PHC_IMPLAUSIBLE);
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 9, ns + 1051, &wall_ns), ONRAMP_PHC_IMPLAUSIBLE);
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 10, ns, &wall_ns), ONRAMP_PHC_STALE);
}

/* Effect of a device's MTU on the quanta, and of a virtual machine on the margin. */
static void onramp_settings_default_test(struct kunit *test)
{
	static const struct {
		u32 mtu;
		u32 quantum;
		u32 initial;
	} sizes[] = {
		{ 0, 256, 10 }, { 127, 256, 1270 }, { 129, 258, 1290 }, { 1514, 3028, 15140 },
		{ 1 << 19, 1 << 20, 1 << 20 }, { U32_MAX, 1 << 20, 1 << 20 },
	};
	static const u32 bands[ONRAMP_PRIORITIES] = { 1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct onramp_settings s;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		onramp_settings_default(&s, sizes[i].mtu, i % 2);
		KUNIT_EXPECT_EQ(test, s.value[ONRAMP_P_QUANTUM], sizes[i].quantum);
		KUNIT_EXPECT_EQ(test, s.value[ONRAMP_P_INITIAL_QUANTUM], sizes[i].initial);
		KUNIT_EXPECT_EQ(test, s.value[ONRAMP_P_MARGIN_NS], i % 2 ? 50000 : 10000);
		KUNIT_EXPECT_EQ(test, onramp_settings_check(&s), ONRAMP_ACCEPTED);
	}
	KUNIT_EXPECT_FALSE(test, s.given & (ONRAMP_BIT(MAXRATE_BPS) | ONRAMP_BIT(CE_THRESHOLD_NS) | ONRAMP_BIT(ERROR_NS)));
	for (i = 0; i < ONRAMP_PRIORITIES; i++)
		KUNIT_EXPECT_EQ(test, onramp_priomap_band(s.value[ONRAMP_P_PRIOMAP], i), bands[i]);
}

/* A value out of its range changes nothing. */
static void onramp_set_test(struct kunit *test)
{
	struct onramp_settings s = {};

	KUNIT_EXPECT_NOT_NULL(test, onramp_set(&s, ONRAMP_P_MAX_HOLD_NS, 999));
	KUNIT_EXPECT_NOT_NULL(test, onramp_set(&s, ONRAMP_P_MAX_HOLD_NS, NSEC_PER_SEC + 1));
	KUNIT_EXPECT_EQ(test, s.given, 0);
	KUNIT_EXPECT_EQ(test, s.value[ONRAMP_P_MAX_HOLD_NS], 0);
	KUNIT_EXPECT_NULL(test, onramp_set(&s, ONRAMP_P_MAX_HOLD_NS, 1000));
	KUNIT_EXPECT_NULL(test, onramp_set(&s, ONRAMP_P_MAX_HOLD_NS, NSEC_PER_SEC));
	KUNIT_EXPECT_EQ(test, s.given, ONRAMP_BIT(MAX_HOLD_NS));
	KUNIT_EXPECT_EQ(test, s.value[ONRAMP_P_MAX_HOLD_NS], NSEC_PER_SEC);
	KUNIT_EXPECT_NULL(test, onramp_param_info(ONRAMP_NR_PARAMS));
}

/* Nor do values that do not go together. */
static void onramp_settings_refused_test(struct kunit *test)
{
	static const struct {
		enum onramp_param id;
		u64 value;
		enum onramp_refusal why;
	} requests[] = {
		{ ONRAMP_P_BUCKETS, 3, ONRAMP_REFUSE_BUCKETS },
		{ ONRAMP_P_PRIOMAP, 3, ONRAMP_REFUSE_PRIOMAP },
		{ ONRAMP_P_CLOCK, 1, ONRAMP_REFUSE_ERROR_MISSING },
		{ ONRAMP_P_ERROR_NS, 1, ONRAMP_REFUSE_ERROR_EXTRA },
	};
	struct onramp_settings s, req;
	u32 i;

	onramp_settings_default(&s, 1514, false);
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		memset(&req, 0, sizeof(req));
		KUNIT_EXPECT_NULL(test, onramp_set(&req, requests[i].id, requests[i].value));
		KUNIT_EXPECT_EQ(test, onramp_settings_apply(&s, &req), requests[i].why);
		KUNIT_EXPECT_NOT_NULL(test, onramp_refusal_text(requests[i].why));
		onramp_settings_default(&req, 1514, false);
		KUNIT_EXPECT_EQ(test, memcmp(&s, &req, sizeof(s)), 0);
	}
	KUNIT_EXPECT_NULL(test, onramp_refusal_text(ONRAMP_ACCEPTED));
	KUNIT_EXPECT_NULL(test, onramp_refusal_text(ONRAMP_NR_REFUSALS));
}

/* The bound of the system's clock comes with it, and goes. */
static void onramp_settings_clock_test(struct kunit *test)
{
	struct onramp_settings s, req = {};

	onramp_settings_default(&s, 1514, false);
	KUNIT_EXPECT_NULL(test, onramp_set(&req, ONRAMP_P_CLOCK, 1));
	KUNIT_EXPECT_NULL(test, onramp_set(&req, ONRAMP_P_ERROR_NS, 700));
	KUNIT_EXPECT_EQ(test, onramp_settings_apply(&s, &req), ONRAMP_ACCEPTED);
	KUNIT_EXPECT_EQ(test, s.value[ONRAMP_P_ERROR_NS], 700);
	memset(&req, 0, sizeof(req));
	KUNIT_EXPECT_NULL(test, onramp_set(&req, ONRAMP_P_CLOCK, 2));
	KUNIT_EXPECT_EQ(test, onramp_settings_apply(&s, &req), ONRAMP_ACCEPTED);
	KUNIT_EXPECT_EQ(test, s.value[ONRAMP_P_ERROR_NS], 0);
	KUNIT_EXPECT_FALSE(test, s.given & ONRAMP_BIT(ERROR_NS));
	KUNIT_EXPECT_EQ(test, s.value[ONRAMP_P_GAIN], 16);
}

static struct kunit_case onramp_test_cases[] = {
	KUNIT_CASE(onramp_phc_read_test),
	KUNIT_CASE(onramp_settings_default_test),
	KUNIT_CASE(onramp_set_test),
	KUNIT_CASE(onramp_settings_refused_test),
	KUNIT_CASE(onramp_settings_clock_test),
	KUNIT_CASE(onramp_mac_siphash_test),
	KUNIT_CASE_PARAM(onramp_on_sample_test, onramp_case_gen_params),
	KUNIT_CASE_PARAM(onramp_path_judge_test, onramp_path_case_gen_params),
	KUNIT_CASE(onramp_largest_test),
	KUNIT_CASE(onramp_path_is_fresh_test),
	KUNIT_CASE(onramp_hold_test),
	KUNIT_CASE(onramp_delay_of_test),
	{}
};

static struct kunit_suite onramp_test_suite = {
	.name = "onramp",
	.test_cases = onramp_test_cases,
};

kunit_test_suite(onramp_test_suite);

MODULE_DESCRIPTION("KUnit tests of the On-Ramp algorithms");
MODULE_LICENSE("GPL");
