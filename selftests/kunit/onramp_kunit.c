// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp's laws inside a kernel: the vectors of the unit tests once more, now
 * with the kernel's own division, types and compiler flags.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/unaligned.h>

#include "onramp_mac_vectors.h"
#include "onramp_phc.h"
#include "onramp_replay.h"
#include "onramp_silence.h"
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

static void onramp_mac_sign_test(struct kunit *test)
{
	static const u8 key[ONRAMP_MAC_KEY_BYTES] = { 1 };
	static const u8 other[ONRAMP_MAC_KEY_BYTES] = { 2 };
	u8 addresses[ONRAMP_MAC_ADDRESS_BYTES] = { 3 };
	u8 data[ONRAMP_WIRE_HEADER_BYTES + ONRAMP_WIRE_ENTRY_BYTES + ONRAMP_WIRE_MAC_BYTES];
	const struct onramp_wire_head head = { .count = 1, .clock_id = ONRAMP_WIRE_SYSTEM, .has_mac = true };
	const struct onramp_wire_item item = { .len = 1, .stamp = 1 };
	struct onramp_wire_view view;

	onramp_wire_put_head(data, &head);
	onramp_wire_put_entry(data, 0, &item);
	KUNIT_EXPECT_EQ(test, onramp_mac_sign(key, 7, addresses, data, 1), sizeof(data));
	KUNIT_ASSERT_EQ(test, onramp_wire_parse(data, sizeof(data), &view), ONRAMP_WIRE_OK);
	KUNIT_EXPECT_EQ(test, view.mac_key, 7);
	KUNIT_EXPECT_TRUE(test, onramp_mac_is_good(key, addresses, &view));
	KUNIT_EXPECT_FALSE(test, onramp_mac_is_good(other, addresses, &view));
	addresses[31] ^= 1;
	KUNIT_EXPECT_FALSE(test, onramp_mac_is_good(key, addresses, &view));
	addresses[31] ^= 1;
	data[ONRAMP_WIRE_HEADER_BYTES + ONRAMP_WIRE_ENTRY_BYTES - 1] ^= 1;
	KUNIT_EXPECT_FALSE(test, onramp_mac_is_good(key, addresses, &view));
}

/* Once; late; begun anew; never what was taken before. */
static void onramp_replay_check_test(struct kunit *test)
{
	const u64 now = 1700000000ULL * NSEC_PER_SEC;
	struct onramp_replay_mark m = { .stamp_ns = now, .serial = U32_MAX };
	struct onramp_replay w = {};

	KUNIT_EXPECT_EQ(test, onramp_replay_check(&w, &m, now), ONRAMP_REPLAY_NEW);
	KUNIT_EXPECT_EQ(test, onramp_replay_check(&w, &m, now), ONRAMP_REPLAY_SEEN);
	m.serial += 63;
	KUNIT_EXPECT_EQ(test, onramp_replay_check(&w, &m, now), ONRAMP_REPLAY_NEW);
	m.serial -= 62;
	KUNIT_EXPECT_EQ(test, onramp_replay_check(&w, &m, now), ONRAMP_REPLAY_NEW);
	m.serial += 1000;
	KUNIT_EXPECT_EQ(test, onramp_replay_check(&w, &m, now), ONRAMP_REPLAY_OLD);
	m.stamp_ns += 2 * NSEC_PER_SEC;
	KUNIT_EXPECT_EQ(test, onramp_replay_check(&w, &m, now), ONRAMP_REPLAY_STALE);
	KUNIT_EXPECT_EQ(test, onramp_replay_check(&w, &m, m.stamp_ns), ONRAMP_REPLAY_NEW);
	m = (struct onramp_replay_mark){ .stamp_ns = now, .serial = m.serial + 1 };
	KUNIT_EXPECT_EQ(test, onramp_replay_check(&w, &m, now), ONRAMP_REPLAY_OLD);
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
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 9, ns - 51, &wall_ns), ONRAMP_PHC_DOUBTED);
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 9, ns + 1051, &wall_ns), ONRAMP_PHC_DOUBTED);
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 10, ns, &wall_ns), ONRAMP_PHC_STALE);
}

/* Ten packets, half a second, one more; at the end of time as at its beginning. */
static void onramp_silence_test(struct kunit *test)
{
	const u64 at[] = { 0, S64_MAX - 4 * ONRAMP_SILENCE_NS };
	struct onramp_silence v;
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(at); i++) {
		v = (struct onramp_silence){};
		for (n = 0; n < ONRAMP_SILENCE_PACKETS; n++)
			KUNIT_EXPECT_FALSE(test, onramp_silence_on_packet(&v, at[i]));
		KUNIT_EXPECT_FALSE(test, onramp_silence_on_packet(&v, at[i] + ONRAMP_SILENCE_NS - 1));
		KUNIT_EXPECT_TRUE(test, onramp_silence_on_packet(&v, at[i] + ONRAMP_SILENCE_NS));
		KUNIT_EXPECT_FALSE(test, onramp_silence_on_packet(&v, at[i] + 2 * ONRAMP_SILENCE_NS));
		KUNIT_EXPECT_TRUE(test, v.silent);
		KUNIT_EXPECT_TRUE(test, onramp_silence_on_ack(&v, at[i] + 2 * ONRAMP_SILENCE_NS));
		KUNIT_EXPECT_FALSE(test, onramp_silence_on_ack(&v, at[i] + 2 * ONRAMP_SILENCE_NS));
		KUNIT_EXPECT_FALSE(test, onramp_silence_is_quiet(v.heard_ns, at[i] + 3 * ONRAMP_SILENCE_NS - 1));
		KUNIT_EXPECT_TRUE(test, onramp_silence_is_quiet(v.heard_ns, at[i] + 3 * ONRAMP_SILENCE_NS));
	}
}

static struct kunit_case onramp_test_cases[] = {
	KUNIT_CASE(onramp_silence_test),
	KUNIT_CASE(onramp_phc_read_test),
	KUNIT_CASE(onramp_mac_siphash_test),
	KUNIT_CASE(onramp_mac_sign_test),
	KUNIT_CASE(onramp_replay_check_test),
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
