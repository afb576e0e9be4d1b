// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp's algorithms inside a kernel: the vectors of the unit tests once more, now
 * with the kernel's own division, types and compiler flags.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/unaligned.h>

#include "onramp_delay.h"
#include "onramp_due.h"
#include "onramp_mac_vectors.h"
#include "onramp_params.h"
#include "onramp_phc.h"
#include "onramp_replay.h"
#include "onramp_ring.h"
#include "onramp_unacked.h"
#include "onramp_vectors.h"
#include "onramp_wire.h"

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

/* Of packets of 1000 bytes on an MTU of 1500: the first, every third, the last. */
static void onramp_due_test(struct kunit *test)
{
	const struct onramp_due_params p = { .every = 2, .delay_ns = 50, .idle_ns = 500 };
	struct onramp_due_vars v = {};

	KUNIT_EXPECT_EQ(test, onramp_due_on_packet(&p, &v, 1000, 1000, 1500), ONRAMP_DUE_FIRST);
	KUNIT_EXPECT_EQ(test, onramp_due_on_time(&p, &v, 1050), ONRAMP_DUE_NOT);
	KUNIT_EXPECT_EQ(test, onramp_due_on_packet(&p, &v, 1010, 1000, 1500), ONRAMP_DUE_NOT);
	KUNIT_EXPECT_EQ(test, onramp_due_on_packet(&p, &v, 1020, 1000, 1500), ONRAMP_DUE_NOT);
	KUNIT_EXPECT_EQ(test, onramp_due_on_packet(&p, &v, 1030, 1000, 1500), ONRAMP_DUE_EVERY);
	KUNIT_EXPECT_EQ(test, onramp_due_on_packet(&p, &v, 1529, 1000, 1500), ONRAMP_DUE_NOT);
	KUNIT_EXPECT_EQ(test, onramp_due_at(&p, &v), 1579);
	KUNIT_EXPECT_EQ(test, onramp_due_on_time(&p, &v, 1578), ONRAMP_DUE_NOT);
	KUNIT_EXPECT_EQ(test, onramp_due_on_time(&p, &v, 1579), ONRAMP_DUE_LAST);
	KUNIT_EXPECT_EQ(test, onramp_due_on_time(&p, &v, 1580), ONRAMP_DUE_NOT);
	KUNIT_EXPECT_EQ(test, onramp_due_on_packet(&p, &v, 2029, 1, 1500), ONRAMP_DUE_FIRST);
}

/* What keeps an acker from doing harm: a rate, a budget, back-off. */
static void onramp_due_bounds_test(struct kunit *test)
{
	const u64 now_ns = 1ULL << 62;
	struct onramp_backoff b = {};
	struct onramp_rate r = {};
	u64 budget = 0;
	int i;

	for (i = 0; i < 11; i++)
		KUNIT_EXPECT_TRUE(test, onramp_rate_take(&r, now_ns, 1000));
	KUNIT_EXPECT_FALSE(test, onramp_rate_take(&r, now_ns, 1000));
	KUNIT_EXPECT_TRUE(test, onramp_rate_take(&r, now_ns + 1000000, 1000));

	onramp_budget_earn(&budget, 63);
	KUNIT_EXPECT_FALSE(test, onramp_budget_spend(&budget, 64));
	onramp_budget_earn(&budget, U32_MAX);
	KUNIT_EXPECT_EQ(test, budget, ONRAMP_BUDGET_BYTES);
	KUNIT_EXPECT_TRUE(test, onramp_budget_spend(&budget, 64));
	KUNIT_EXPECT_EQ(test, budget, ONRAMP_BUDGET_BYTES - 64);

	KUNIT_EXPECT_TRUE(test, onramp_backoff_on_refusal(&b, now_ns));
	KUNIT_EXPECT_FALSE(test, onramp_backoff_on_refusal(&b, b.until_ns - 1));
	KUNIT_EXPECT_FALSE(test, onramp_backoff_is_on(&b, b.until_ns));
	KUNIT_EXPECT_TRUE(test, onramp_backoff_on_refusal(&b, b.until_ns));
	KUNIT_EXPECT_EQ(test, b.length_ns, 2 * ONRAMP_BACKOFF_MIN_NS);
	KUNIT_EXPECT_TRUE(test, onramp_backoff_on_refusal(&b, b.until_ns + b.length_ns));
	KUNIT_EXPECT_EQ(test, b.length_ns, ONRAMP_BACKOFF_MIN_NS);
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
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 9, ns - 51, &wall_ns), ONRAMP_PHC_IMPLAUSIBLE);
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 9, ns + 1051, &wall_ns), ONRAMP_PHC_IMPLAUSIBLE);
	KUNIT_EXPECT_EQ(test, onramp_phc_read(&phc, one_ns, 10, ns, &wall_ns), ONRAMP_PHC_STALE);
}

/* A line takes the place of one that says the same, or that says nothing any more. */
static void onramp_phc_follows_test(struct kunit *test)
{
	const struct onramp_phc was = { .until_ns = 10, .error_ns = 50, .epoch = 1 };
	struct onramp_phc next = { .line.offset_ns = 80, .until_ns = 20, .error_ns = 30, .epoch = 1 };

	KUNIT_EXPECT_TRUE(test, onramp_phc_follows(&was, &next, 9));
	next.line.offset_ns = 81;
	KUNIT_EXPECT_FALSE(test, onramp_phc_follows(&was, &next, 9));
	KUNIT_EXPECT_TRUE(test, onramp_phc_follows(&was, &next, 10));
	KUNIT_EXPECT_TRUE(test, onramp_phc_follows(NULL, &next, 9));
	next.epoch = 2;
	KUNIT_EXPECT_TRUE(test, onramp_phc_follows(&was, &next, 9));
	/* One of them says nothing there. */
	next.line.ref_ns = ONRAMP_LINE_SPAN_NS;
	next.epoch = 1;
	KUNIT_EXPECT_FALSE(test, onramp_phc_follows(&was, &next, 9));
}

/* What a device's MTU makes of the quanta, and a virtual machine of the margin. */
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

/* Ten packets, half a second, one more; at the end of time as at its beginning. */
static void onramp_unacked_test(struct kunit *test)
{
	const u64 at[] = { 0, S64_MAX - 4 * ONRAMP_UNACKED_NS };
	struct onramp_unacked v;
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(at); i++) {
		v = (struct onramp_unacked){};
		for (n = 0; n < ONRAMP_UNACKED_PACKETS; n++)
			KUNIT_EXPECT_FALSE(test, onramp_unacked_on_packet(&v, at[i]));
		KUNIT_EXPECT_FALSE(test, onramp_unacked_on_packet(&v, at[i] + ONRAMP_UNACKED_NS - 1));
		KUNIT_EXPECT_TRUE(test, onramp_unacked_on_packet(&v, at[i] + ONRAMP_UNACKED_NS));
		KUNIT_EXPECT_FALSE(test, onramp_unacked_on_packet(&v, at[i] + 2 * ONRAMP_UNACKED_NS));
		KUNIT_EXPECT_TRUE(test, v.unacked);
		KUNIT_EXPECT_TRUE(test, onramp_unacked_on_ack(&v, at[i] + 2 * ONRAMP_UNACKED_NS));
		KUNIT_EXPECT_FALSE(test, onramp_unacked_on_ack(&v, at[i] + 2 * ONRAMP_UNACKED_NS));
		KUNIT_EXPECT_FALSE(test, onramp_unacked_is_late(v.acked_ns, at[i] + 3 * ONRAMP_UNACKED_NS - 1));
		KUNIT_EXPECT_TRUE(test, onramp_unacked_is_late(v.acked_ns, at[i] + 3 * ONRAMP_UNACKED_NS));
	}
}

#define RING_IDLE_NS NSEC_PER_SEC

/* With the memory of a kernel, of just that size, so that KASAN sees what lies beyond. */
static void onramp_ring_resize(struct kunit *test, struct onramp_ring *r, u32 size)
{
	struct onramp_record *records = kunit_kmalloc(test, size * sizeof(*records), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, records);
	kunit_kfree(test, onramp_ring_move(r, records, size));
}

static enum onramp_pushed onramp_ring_send(struct onramp_ring *r, u32 seq, u64 tx_ns)
{
	const struct onramp_record x = { .seq = seq, .len = 100, .tx_ns = tx_ns };

	return onramp_ring_push(r, &x, RING_IDLE_NS);
}

/* Sequence numbers come round in the middle of the third packet. */
static void onramp_ring_order_test(struct kunit *test)
{
	const u32 first = -250;
	const struct onramp_record *x;
	struct onramp_ring r = {};
	u32 i;

	onramp_ring_resize(test, &r, ONRAMP_RING_MIN);
	for (i = 0; i < 8; i++)
		KUNIT_EXPECT_EQ(test, onramp_ring_send(&r, first + i * 100, i), ONRAMP_PUSHED);
	KUNIT_EXPECT_EQ(test, r.count, 8);
	for (i = 8; i--;) {
		x = NULL;
		KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, first + i * 100 + 49, 51, &x),
				ONRAMP_FOUND);
		KUNIT_ASSERT_NOT_NULL(test, x);
		KUNIT_EXPECT_EQ(test, x->tx_ns, i);
	}
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, first + 250, 100, &x), ONRAMP_FOUND_NOT);
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, first - 1, 1, &x), ONRAMP_FOUND_NOT);
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, first + 800, 1, &x), ONRAMP_FOUND_NOT);
}

/* A report does not say which copy came. */
static void onramp_ring_again_test(struct kunit *test)
{
	const struct onramp_record *x;
	struct onramp_ring r = {};
	u32 i;

	onramp_ring_resize(test, &r, ONRAMP_RING_MIN);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, onramp_ring_send(&r, i * 100, i), ONRAMP_PUSHED);
	KUNIT_EXPECT_EQ(test, onramp_ring_send(&r, 150, 4), ONRAMP_PUSHED_AGAIN);
	KUNIT_EXPECT_EQ(test, r.count, 4);
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, 0, 100, &x), ONRAMP_FOUND);
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, 100, 50, &x), ONRAMP_FOUND_AMBIGUOUS);
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, 250, 50, &x), ONRAMP_FOUND_AMBIGUOUS);
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, 50, 100, &x), ONRAMP_FOUND_AMBIGUOUS);
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, 300, 100, &x), ONRAMP_FOUND);
	KUNIT_EXPECT_EQ(test, onramp_ring_send(&r, 400 - ONRAMP_RING_REACH, 5),
			ONRAMP_PUSHED_AGAIN);
	KUNIT_EXPECT_EQ(test, onramp_ring_send(&r, 399 - ONRAMP_RING_REACH, 6), ONRAMP_PUSHED);
	KUNIT_EXPECT_EQ(test, r.count, 1);
}

/* A larger array whenever one is wanted; when there is none, the oldest goes. */
static void onramp_ring_room_test(struct kunit *test)
{
	const struct onramp_record *x;
	struct onramp_ring r = {};
	u32 size, i;

	KUNIT_EXPECT_EQ(test, onramp_ring_send(&r, -100, 0), ONRAMP_PUSHED_NOT);
	for (size = ONRAMP_RING_MIN, i = 0; size <= ONRAMP_RING_MAX; size *= 2) {
		KUNIT_EXPECT_EQ(test, onramp_ring_wanted(&r), size);
		onramp_ring_resize(test, &r, size);
		for (; r.count < size; i++)
			KUNIT_ASSERT_EQ(test, onramp_ring_send(&r, i * 100, i), ONRAMP_PUSHED);
		/* So that the next array gets them from the middle of this one. */
		KUNIT_EXPECT_EQ(test, onramp_ring_send(&r, i * 100, i), ONRAMP_PUSHED_EVICTED);
		i++;
		KUNIT_EXPECT_EQ(test, r.count, size);
	}
	KUNIT_EXPECT_EQ(test, onramp_ring_wanted(&r), 0);
	for (i -= ONRAMP_RING_MAX, size = i; i < size + ONRAMP_RING_MAX; i++) {
		x = NULL;
		KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, i * 100, 100, &x), ONRAMP_FOUND);
		KUNIT_ASSERT_NOT_NULL(test, x);
		KUNIT_EXPECT_EQ(test, x->tx_ns, i);
	}
	KUNIT_EXPECT_EQ(test, onramp_ring_find(&r, (size - 1) * 100, 100, &x), ONRAMP_FOUND_NOT);
	/* What is idle is not missed. */
	KUNIT_EXPECT_EQ(test, onramp_ring_send(&r, i * 100, i + RING_IDLE_NS), ONRAMP_PUSHED);
	KUNIT_EXPECT_EQ(test, r.count, 1);
	kunit_kfree(test, onramp_ring_move(&r, NULL, 0));
	KUNIT_EXPECT_EQ(test, r.count, 0);
}

/* A datagram of one entry is 36 bytes long; with a trailer, 48. */
#define WIRE_BYTES (ONRAMP_WIRE_HEADER_BYTES + ONRAMP_WIRE_ENTRY_BYTES)
#define WIRE_SIGNED_BYTES (WIRE_BYTES + ONRAMP_WIRE_MAC_BYTES)

/**
 * struct onramp_wire_case - a datagram of one entry, good but for a byte
 * @name: what it is
 * @len: cut, or filled with zeroes, to so many bytes
 * @has_mac: with a trailer
 * @at: which byte, if it is there
 * @to: what it is changed into
 * @fault: of the datagram
 * @entry: of its entry
 */
struct onramp_wire_case {
	const char *name;
	size_t len;
	bool has_mac;
	u8 at;
	u8 to;
	enum onramp_wire_fault fault;
	enum onramp_wire_fault entry;
};

static const struct onramp_wire_case onramp_wire_cases[] = {
	{ "smallest", WIRE_BYTES, false, 0, 1 },
	{ "not to be believed", WIRE_BYTES, false, 1, ONRAMP_WIRE_FLAG_NO_CLOCK },
	{ "signed", WIRE_SIGNED_BYTES, true, 36, 7 },
	{ "empty", 0, false, 0, 1, ONRAMP_WIRE_SHORT },
	{ "a header less one byte", 15, false, 0, 1, ONRAMP_WIRE_SHORT },
	{ "version 0", WIRE_BYTES, false, 0, 0, ONRAMP_WIRE_BAD_VERSION },
	{ "version 2", WIRE_BYTES, false, 0, 2, ONRAMP_WIRE_BAD_VERSION },
	{ "a flag of the future", WIRE_BYTES, false, 1, 4, ONRAMP_WIRE_BAD_FLAGS },
	{ "no entries", 16, false, 2, 0, ONRAMP_WIRE_BAD_COUNT },
	{ "65 entries", 16 + 65 * 20, false, 2, 65, ONRAMP_WIRE_BAD_COUNT },
	{ "clock 0", WIRE_BYTES, false, 3, 0, ONRAMP_WIRE_BAD_CLOCK },
	{ "clock 3", WIRE_BYTES, false, 3, 3, ONRAMP_WIRE_BAD_CLOCK },
	{ "no epoch of a published clock", WIRE_BYTES, false, 3, 2, ONRAMP_WIRE_BAD_EPOCH },
	{ "an epoch of the system's clock", WIRE_BYTES, false, 7, 1, ONRAMP_WIRE_BAD_EPOCH },
	{ "only a header", 16, false, 0, 1, ONRAMP_WIRE_BAD_LENGTH },
	{ "a byte is missing", WIRE_BYTES - 1, false, 0, 1, ONRAMP_WIRE_BAD_LENGTH },
	{ "a byte too many", WIRE_BYTES + 1, false, 0, 1, ONRAMP_WIRE_BAD_LENGTH },
	{ "an entry that is missing", WIRE_BYTES, false, 2, 2, ONRAMP_WIRE_BAD_LENGTH },
	{ "a trailer that is missing", WIRE_BYTES, false, 1, 1, ONRAMP_WIRE_BAD_LENGTH },
	{ "a trailer not announced", WIRE_SIGNED_BYTES, true, 1, 0, ONRAMP_WIRE_BAD_LENGTH },
	{ "first reserved byte", WIRE_SIGNED_BYTES, true, 37, 1, ONRAMP_WIRE_BAD_RESERVED },
	{ "last reserved byte", WIRE_SIGNED_BYTES, true, 39, 1, ONRAMP_WIRE_BAD_RESERVED },
	{ "no payload", WIRE_BYTES, false, 25, 0, ONRAMP_WIRE_OK, ONRAMP_WIRE_BAD_LEN },
	{ "not TCP", WIRE_BYTES, false, 26, 17, ONRAMP_WIRE_OK, ONRAMP_WIRE_BAD_PROTO },
	{ "stamp 0", WIRE_BYTES, false, 27, 0, ONRAMP_WIRE_OK, ONRAMP_WIRE_BAD_STAMP },
	{ "stamp 4", WIRE_BYTES, false, 27, 4, ONRAMP_WIRE_OK, ONRAMP_WIRE_BAD_STAMP },
	{ "a negative time", WIRE_BYTES, false, 28, 0x80, ONRAMP_WIRE_OK, ONRAMP_WIRE_BAD_TIME },
};

static void onramp_wire_case_name(const struct onramp_wire_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(onramp_wire_case, onramp_wire_cases, onramp_wire_case_name);

static const struct onramp_wire_item onramp_wire_good = {
	.rx_ns = S64_MAX, .seq = 0xfedcba98, .sport = 40000, .dport = 80, .len = 200, .stamp = 3,
};

/* In memory of just its size, so that KASAN sees who reads more. */
static u8 *onramp_wire_write(struct kunit *test, const struct onramp_wire_case *c)
{
	const struct onramp_wire_head head = {
		.clock_error_ns = 500, .serial = U32_MAX, .count = 1,
		.clock_id = ONRAMP_WIRE_SYSTEM, .has_mac = c->has_mac,
	};
	u8 whole[WIRE_SIGNED_BYTES] = {};
	u8 *data = kunit_kzalloc(test, c->len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, data);
	onramp_wire_put_head(whole, &head);
	onramp_wire_put_entry(whole, 0, &onramp_wire_good);
	if (c->has_mac)
		onramp_wire_put64(onramp_wire_put_mac(whole, 1, 7), U64_MAX - 1);
	whole[c->at] = c->to;
	memcpy(data, whole, min(c->len, sizeof(whole)));
	return data;
}

static void onramp_wire_view_test(struct kunit *test, const struct onramp_wire_case *c,
				  const struct onramp_wire_view *view)
{
	struct onramp_wire_item item = {};

	KUNIT_EXPECT_EQ(test, view->head.count, 1);
	KUNIT_EXPECT_EQ(test, view->head.clock_id, ONRAMP_WIRE_SYSTEM);
	KUNIT_EXPECT_EQ(test, view->head.clock_error_ns, 500);
	KUNIT_EXPECT_EQ(test, view->head.serial, U32_MAX);
	KUNIT_EXPECT_EQ(test, view->head.no_clock, c->at == 1);
	KUNIT_EXPECT_EQ(test, view->head.has_mac, c->has_mac);
	KUNIT_EXPECT_EQ(test, view->mac_key, c->has_mac ? 7 : 0);
	KUNIT_EXPECT_EQ(test, view->mac_tag, c->has_mac ? U64_MAX - 1 : 0);
	KUNIT_EXPECT_EQ(test, onramp_wire_entry(view, 1, &item), ONRAMP_WIRE_NO_ENTRY);
	KUNIT_EXPECT_EQ(test, onramp_wire_entry(view, 0, &item), c->entry);
	if (c->entry) {
		KUNIT_EXPECT_EQ(test, item.seq, 0);
		return;
	}
	KUNIT_EXPECT_EQ(test, item.rx_ns, onramp_wire_good.rx_ns);
	KUNIT_EXPECT_EQ(test, item.seq, onramp_wire_good.seq);
	KUNIT_EXPECT_EQ(test, item.sport, onramp_wire_good.sport);
	KUNIT_EXPECT_EQ(test, item.dport, onramp_wire_good.dport);
	KUNIT_EXPECT_EQ(test, item.len, onramp_wire_good.len);
	KUNIT_EXPECT_EQ(test, item.stamp, onramp_wire_good.stamp);
}

/* What is refused leaves nothing behind. */
static void onramp_wire_parse_test(struct kunit *test)
{
	const struct onramp_wire_case *c = test->param_value;
	struct onramp_wire_view view = {};
	u8 *data = onramp_wire_write(test, c);

	KUNIT_EXPECT_EQ(test, onramp_wire_parse(data, c->len, &view), c->fault);
	if (c->fault)
		KUNIT_EXPECT_NULL(test, view.entries);
	else
		onramp_wire_view_test(test, c, &view);
}

static struct kunit_case onramp_test_cases[] = {
	KUNIT_CASE(onramp_unacked_test),
	KUNIT_CASE(onramp_phc_read_test),
	KUNIT_CASE(onramp_phc_follows_test),
	KUNIT_CASE(onramp_settings_default_test),
	KUNIT_CASE(onramp_set_test),
	KUNIT_CASE(onramp_settings_refused_test),
	KUNIT_CASE(onramp_settings_clock_test),
	KUNIT_CASE(onramp_mac_siphash_test),
	KUNIT_CASE(onramp_mac_sign_test),
	KUNIT_CASE(onramp_replay_check_test),
	KUNIT_CASE(onramp_ring_order_test),
	KUNIT_CASE(onramp_ring_again_test),
	KUNIT_CASE(onramp_ring_room_test),
	KUNIT_CASE_PARAM(onramp_wire_parse_test, onramp_wire_case_gen_params),
	KUNIT_CASE_PARAM(onramp_on_sample_test, onramp_case_gen_params),
	KUNIT_CASE_PARAM(onramp_path_judge_test, onramp_path_case_gen_params),
	KUNIT_CASE(onramp_largest_test),
	KUNIT_CASE(onramp_path_is_fresh_test),
	KUNIT_CASE(onramp_hold_test),
	KUNIT_CASE(onramp_delay_of_test),
	KUNIT_CASE(onramp_due_test),
	KUNIT_CASE(onramp_due_bounds_test),
	{}
};

static struct kunit_suite onramp_test_suite = {
	.name = "onramp",
	.test_cases = onramp_test_cases,
};

kunit_test_suite(onramp_test_suite);

MODULE_DESCRIPTION("KUnit tests of the On-Ramp algorithms");
MODULE_LICENSE("GPL");
