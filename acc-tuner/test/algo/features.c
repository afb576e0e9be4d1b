// SPDX-License-Identifier: GPL-2.0
/*
 * Features and rewards: numbers that were computed by hand, and an oracle in floating
 * point on random input.  -s SEED repeats, -n is the number of random intervals.
 */
#include <math.h>
#include <string.h>

#include "options.h"
#include "random.h"
#include "reward.h"
#include "template.h"

#define GBIT	1000000000ULL

static struct feature_interval interval(uint64_t packets, uint64_t bytes, uint64_t marked,
					uint64_t byte_us)
{
	return (struct feature_interval) {
		.length_ns = 1000000, .rate_bps = 10 * GBIT, .tx_packets = packets,
		.tx_bytes = bytes, .marked_packets = marked, .marked_bytes = marked * 1500,
		.backlog_byte_us = byte_us,
	};
}

/* 1 ms at 10 Gbit/s are 1,250,000 bytes, 820.2 frames of 1500 and 24. */
static void test_golden(void)
{
	struct feature_interval x = interval(410, 615000, 41, 125000000);

	tap_ok(feature_utilisation(&x) == 32759, "half a load: 624840 of 1250000 bytes");
	tap_ok(feature_marked(&x) == 3275, "a tenth of it is marked");
	tap_ok(feature_marked_fraction(&x) == 6553, "the marked fraction has no overhead");
	tap_ok(feature_delay_ns(&x) == 100000, "a mean backlog of 125000 bytes is 100 us");

	x = interval(821, 1231500, 0, 0);
	tap_ok(feature_utilisation(&x) == FEATURE_ONE, "a full link is 1, and not more");
	x = interval(820, 1230000, 0, 0);
	tap_ok(feature_utilisation(&x) == 65519, "a frame less is not full");
	x = interval(0, 0, 0, 0);
	tap_ok(!feature_utilisation(&x) && !feature_marked(&x) && !feature_marked_fraction(&x) &&
	       !feature_delay_ns(&x), "nothing left: all 0");
	x.backlog_byte_us = 1ULL << 59;
	x.rate_bps = 1;
	x.length_ns = 1;
	tap_ok(feature_delay_ns(&x) == 1ULL << 62, "a delay has a limit");
}

/* log2(1 + delay / 1600) x 65536 / 11, linear between powers of two. */
static void test_qlen(void)
{
	static const struct {
		uint64_t delay_ns;
		uint32_t parts;
	} vector[] = {
		{ 0, 0 }, { 1600, 5957 }, { 4800, 11915 }, { 11200, 17873 }, { 800, 2978 },
		{ 3200, 8936 }, { 1600 * 1023, 59578 }, { 1600 * 2047, 65536 },
		{ 1600 * 2048, 65536 }, { 1ULL << 62, 65536 }, { 1599, 5954 }, { 3275199, 65535 },
	};
	size_t i;

	for (i = 0; i < sizeof(vector) / sizeof(*vector); i++) {
		uint32_t parts = feature_qlen(vector[i].delay_ns);

		if (!tap_ok(parts == vector[i].parts, "a delay of %" PRIu64 " ns",
			    vector[i].delay_ns))
			tap_remark("%u, not %u", parts, vector[i].parts);
	}
}

static void test_window(void)
{
	struct feature_interval x = interval(410, 615000, 41, 125000000);
	struct feature_window w = { 0 };
	uint32_t i;

	for (i = 0; i < 5; i++) {
		tap_ok(feature_is_full(&w) == (i >= FEATURE_INTERVALS),
		       "%u intervals: %s", i, feature_is_full(&w) ? "enough" : "too few");
		feature_push(&w, &x, i, 19);
	}
	tap_ok(w.value[FEATURE_ECN] == 2.0f / 19.0f &&
	       w.value[FEATURE_NR + FEATURE_ECN] == 3.0f / 19.0f &&
	       w.value[2 * FEATURE_NR + FEATURE_ECN] == 4.0f / 19.0f,
	       "the oldest comes first, and what is older is gone");
	tap_ok(w.value[FEATURE_QLEN] == (float)feature_qlen(100000) / 65536.0f &&
	       w.value[FEATURE_TX] == 32759.0f / 65536.0f &&
	       w.value[FEATURE_MARKED] == 3275.0f / 65536.0f,
	       "features of an interval in their order");
}

static void test_rewards(void)
{
	struct feature_interval x = interval(410, 615000, 41, 125000000);
	uint32_t n;

	for (n = 0; n < TEMPLATE_LEVELS; n++)
		tap_ok(reward_delay(6400ULL << n) == 10 - n &&
		       reward_delay((6400ULL << n) + 1) == 9 - n, "D falls behind E(%u)", n);
	tap_ok(reward_delay(0) == 10 && reward_delay(UINT64_MAX) == 0, "D is from 0 to 1");

	/* 0.7 x 0.49986 + 0.3 x 0.6: 100 us are above E(3), 51.2 us */
	tap_ok(fabs(reward(REWARD_PAPER, &x) - 0.529904) < 1e-6, "the paper's reward");
	/* less 4 x 0.09999 x 0.50014 */
	tap_ok(fabs(reward(REWARD_MARKS, &x) - 0.329868) < 1e-6,
	       "marks while the link is not full");
	/* 0.8 x 0.49986 + 0.2 x 0.6 */
	tap_ok(fabs(reward(REWARD_BUSY, &x) - 0.519890) < 1e-6, "the link's use with a queue");
	x.backlog_byte_us = 1250000;
	tap_ok(reward(REWARD_BUSY, &x) == 1.0f, "without a queue, up to 1 us, it is 1");
	x = interval(410, 615000, 41, 125000000);
	x.marked_bytes = 0;
	tap_ok(reward(REWARD_MARKS, &x) == reward(REWARD_PAPER, &x),
	       "without marks they are equal");
	x = interval(821, 1231500, 821, 0);
	tap_ok(reward(REWARD_MARKS, &x) == 1.0f && reward(REWARD_PAPER, &x) == 1.0f &&
	       reward(REWARD_BUSY, &x) == 1.0f,
	       "a full link and no queue: 1, whatever was marked");
}

static double oracle_ratio(double part, double whole)
{
	return part >= whole ? 1 : part / whole;
}

/* Rounding errors of integers are below these. */
static bool oracle_agrees(const struct feature_interval *x)
{
	double could = (double)x->rate_bps * (double)x->length_ns / 8e9;
	double t = oracle_ratio((double)x->tx_bytes + 24.0 * (double)x->tx_packets, could);
	double marked = oracle_ratio((double)x->marked_bytes + 24.0 * (double)x->marked_packets,
				     could);
	double delay = (double)x->backlog_byte_us * 1000 / (double)x->length_ns * 8e9 /
		       (double)x->rate_bps;
	double qlen = fmin(log2(1 + delay / 1600) / 11, 1);
	double fraction = x->tx_bytes ? oracle_ratio((double)x->marked_bytes,
						     (double)x->tx_bytes) : 0;
	double steps = fmax(ceil(log2(floor(delay) / 6400)), 0);
	double d = delay < 1 ? 1 : steps > 9 ? 0 : 1 - steps / 10;
	double value = 0.7 * t + 0.3 * d, busy = 0.8 * (delay < 1001 ? 1 : t) + 0.2 * d;

	delay = fmin(delay, 0x1p62);
	/* The straight line is at most 0.0861 of an octave below the logarithm. */
	return fabs(feature_utilisation(x) / 65536.0 - t) < 2e-5 &&
	       fabs(feature_marked(x) / 65536.0 - marked) < 2e-5 &&
	       fabs((double)feature_delay_ns(x) - delay) <= 1 + delay * 1e-12 &&
	       feature_qlen(feature_delay_ns(x)) / 65536.0 <= qlen + 1e-9 &&
	       feature_qlen(feature_delay_ns(x)) / 65536.0 > qlen - (0.0863 + 1e-3) / 11 &&
	       fabs((double)reward(REWARD_PAPER, x) - value) < 1e-4 &&
	       fabs((double)reward(REWARD_MARKS, x) - (value - 4 * fraction * (1 - t))) < 5e-4 &&
	       fabs((double)reward(REWARD_BUSY, x) - busy) < 1e-4;
}

static void test_random(struct options o)
{
	uint64_t state = o.seed;
	unsigned long i;

	for (i = 0; i < o.n; i++) {
		const struct feature_interval x = {
			.length_ns = (random_scale(&state) >> 25) + 1,
			.rate_bps = (random_scale(&state) >> 25) + 1,
			.tx_packets = random_scale(&state) >> 25,
			.tx_bytes = random_scale(&state) >> 25,
			.marked_packets = random_scale(&state) >> 25,
			.marked_bytes = random_scale(&state) >> 25,
			.backlog_byte_us = random_scale(&state) >> 5,
		};

		if (oracle_agrees(&x))
			continue;
		tap_ok(false, "round %lu agrees with the oracle", i);
		tap_remark("length %" PRIu64 " rate %" PRIu64 " packets %" PRIu64 " bytes %" PRIu64
			   " marked %" PRIu64 " %" PRIu64 " backlog %" PRIu64,
			   x.length_ns, x.rate_bps, x.tx_packets, x.tx_bytes, x.marked_packets,
			   x.marked_bytes, x.backlog_byte_us);
		return;
	}
	tap_ok(true, "random intervals agree with the oracle");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100000, "random intervals");

	test_golden();
	test_qlen();
	test_window();
	test_rewards();
	test_random(o);
	return tap_done();
}
