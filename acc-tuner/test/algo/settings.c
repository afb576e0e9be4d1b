// SPDX-License-Identifier: GPL-2.0
/*
 * Templates, the rule that follows, idle queues.
 */
#include <string.h>

#include "follow.h"
#include "idle.h"
#include "template.h"
#include "../../../selftests/lib/tap.h"

static bool is_sorted(const struct template *t)
{
	int i;

	for (i = 1; i < TEMPLATE_NR; i++)
		if (!template_before(&t[i - 1], &t[i]) || template_before(&t[i], &t[i - 1]))
			return false;
	return true;
}

static bool has(const struct template *t, uint64_t kmin_ns, uint64_t kmax_ns, uint32_t pmax_ppm)
{
	int i;

	for (i = 0; i < TEMPLATE_NR; i++)
		if (t[i].kmin_ns == kmin_ns && t[i].kmax_ns == kmax_ns &&
		    t[i].pmax_ppm == pmax_ppm)
			return true;
	return false;
}

/* Golden vectors: the place of each template, by the level at which it marks half. */
static void test_ramps(void)
{
	static const struct template want[TEMPLATE_NR] = {
		{ 6500, 6500, 1000000 }, { 6500, 13000, 1000000 }, { 13000, 13000, 1000000 },
		{ 6500, 26000, 1000000 }, { 6500, 52000, 1000000 }, { 6500, 75000, 1000000 },
		{ 6500, 52000, 300000 }, { 6500, 105000, 1000000 }, { 6500, 150000, 1000000 },
		{ 6500, 105000, 300000 }, { 6500, 210000, 1000000 }, { 26000, 210000, 1000000 },
		{ 6500, 300000, 1000000 }, { 6500, 210000, 300000 }, { 6500, 420000, 1000000 },
		{ 26000, 420000, 1000000 }, { 6500, 600000, 1000000 }, { 6500, 420000, 300000 },
		{ 6500, 840000, 1000000 }, { 26000, 840000, 1000000 },
	};
	struct template t[TEMPLATE_NR];
	int i;

	template_fill(TEMPLATE_RAMP20, t);
	for (i = 0; i < TEMPLATE_NR; i++)
		if (!tap_ok(t[i].kmin_ns == want[i].kmin_ns && t[i].kmax_ns == want[i].kmax_ns &&
			    t[i].pmax_ppm == want[i].pmax_ppm, "ramp20: template %d", i))
			tap_remark("%llu %llu %u", (unsigned long long)t[i].kmin_ns,
				   (unsigned long long)t[i].kmax_ns, t[i].pmax_ppm);
	tap_ok(is_sorted(t), "ramp20 is sorted");
}

static void test_paper(void)
{
	struct template t[TEMPLATE_NR];
	bool all = true;
	int n;

	template_fill(TEMPLATE_PAPER20, t);
	for (n = 0; n < TEMPLATE_LEVELS; n++)
		all = all && has(t, 6400ULL << n, 6400ULL << n, 1000000) &&
		      has(t, 6400ULL << n, 25600ULL << n, 100000);
	tap_ok(all, "paper20: a step and a ramp at each level");
	tap_ok(is_sorted(t), "paper20 is sorted");
	tap_ok(template_level_ns(9) == 3276800, "E(9) is 10.24 MB at 25 Gbit/s");
}

static void test_ranges(void)
{
	static const struct {
		struct template t;
		bool valid;
	} vector[] = {
		{ { 100, 100, 1 }, true }, { { 99, 100, 1 }, false }, { { 100, 99, 1 }, false },
		{ { 100, 100, 0 }, false }, { { 100, 100000000, 1000000 }, true },
		{ { 100, 100000001, 1000000 }, false }, { { 100, 200, 1000001 }, false },
	};
	size_t i;

	for (i = 0; i < sizeof(vector) / sizeof(*vector); i++)
		tap_ok(template_is_valid(&vector[i].t) == vector[i].valid, "range, vector %zu", i);
	tap_ok(template_half_ns(&(struct template){ 1000, 2000, 499999 }) == 2000 &&
	       template_half_ns(&(struct template){ 1000, 2000, 500000 }) == 2000 &&
	       template_half_ns(&(struct template){ 1000, 2000, 1000000 }) == 1500,
	       "half of the packets");
}

static struct feature_interval load(uint32_t percent, uint64_t marked)
{
	return (struct feature_interval) {
		.length_ns = 1000000, .rate_bps = 10000000000ULL, .tx_bytes = 12500 * percent,
		.marked_bytes = marked,
	};
}

/* Return: kmax after @times intervals of that kind. */
static uint64_t followed(struct follow *f, uint32_t percent, uint64_t marked, int times)
{
	struct feature_interval x = load(percent, marked);
	struct template t = { 0 };

	while (times--)
		t = follow_on_interval(f, &x);
	return t.kmin_ns == 6500 && t.pmax_ppm == 1000000 && template_is_valid(&t) ? t.kmax_ns : 0;
}

static void test_follow(void)
{
	struct follow f;

	follow_begin(&f);
	tap_ok(followed(&f, 50, 0, 1) == 210000, "follow: no marks, no change");
	tap_ok(followed(&f, 50, 1500, 1) == 231000, "follow: marks while the link is not full");
	tap_ok(followed(&f, 96, 1500, 1) == 254100, "follow: 0.96 is not full");
	tap_ok(followed(&f, 97, 1500, 1) == 249018, "follow: 0.97 is");
	tap_ok(followed(&f, 98, 0, 1) == 244037, "follow: full without marks, too");
	tap_ok(followed(&f, 50, 1, 100) == 840000, "follow: no higher than 840 us");
	tap_ok(followed(&f, 100, 1, 1000) == 13000, "follow: no lower than 13 us");
}

static void test_idle(void)
{
	struct idle p = { 0 };

	tap_ok(!idle_on_interval(&p, 7000, 6500, 0.5f), "longer than kmin: busy");
	tap_ok(idle_on_interval(&p, 6499, 6500, 0.6f), "shorter than kmin: idle");
	tap_ok(!idle_on_interval(&p, 6500, 6500, 0.7f), "kmin is not shorter");
	tap_ok(!idle_on_interval(&p, 7000, 6500, 0.7f) && !idle_on_interval(&p, 7000, 6500, 0.7f),
	       "the same reward twice more: busy");
	tap_ok(idle_on_interval(&p, 7000, 6500, 0.7f) && idle_on_interval(&p, 7000, 6500, 0.7f),
	       "three times more: idle, and stays so");
	tap_ok(!idle_on_interval(&p, 7000, 6500, 0.71f), "another reward: busy");
}

int main(void)
{
	test_ramps();
	test_paper();
	test_ranges();
	test_follow();
	test_idle();
	return tap_done();
}
