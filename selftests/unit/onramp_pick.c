// SPDX-License-Identifier: GPL-2.0
/*
 * Which packets are remembered: the grid, the rate and what was sent before by hand, and
 * then compared with an oracle.
 */
#include <string.h>

#include "onramp_pick.h"
#include "options.h"
#include "oracle_pick.h"
#include "random.h"
#include "../lib/tap.h"

#define GRID	16384U
#define GAP_NS	20000ULL
#define BURST	64

/**
 * struct grid - a packet and whether it has a byte on the grid
 * @name: of the test
 * @seq: its first byte
 * @len: bytes
 * @has: it has one
 */
struct grid {
	const char *name;
	u32 seq;
	u32 len;
	bool has;
};

static const struct grid grids[] = {
	{ "first byte", GRID, 1, true },
	{ "the byte before", GRID - 1, 1, false },
	{ "the byte behind", GRID + 1, 1, false },
	{ "last byte", GRID - 1447, 1448, true },
	{ "one byte short of it", GRID - 1448, 1448, false },
	{ "from behind one to before the next", GRID + 1, GRID - 1, false },
	{ "a byte more", GRID + 1, GRID, true },
	{ "sequence number 0", 0, 1, true },
	{ "over the wrap", 0xffffff00U, 512, true },
	{ "up to the wrap", 0xffffff00U, 256, false },
	{ "a byte over the wrap", 0xffffff00U, 257, true },
};

static void grid_test(void)
{
	u32 i;

	for (i = 0; i < sizeof(grids) / sizeof(grids[0]); i++)
		tap_ok(onramp_grid_has(grids[i].seq, grids[i].len, GRID) == grids[i].has,
		       "pick__grid_%s", grids[i].name);
}

static void nearest_test(void)
{
	tap_ok(onramp_grid_of(1) == 1 && onramp_grid_of(2) == 2 && onramp_grid_of(3) == 4, "grid__of_few_bytes");
	tap_ok(onramp_grid_of(1500) == 1024 && onramp_grid_of(1536) == 2048 && onramp_grid_of(1535) == 1024, "grid__of_an_MTU");
	tap_ok(onramp_grid_of(15000) == 16384, "grid__of_ten_MTU");
	tap_ok(onramp_grid_of(90000) == 65536 && onramp_grid_of(98304) == 131072, "grid__of_ten_large_ones");
	tap_ok(onramp_grid_of(0x7fffffff) == 1U << 31 && onramp_grid_of(U64_MAX) == 1U << 31, "grid__at_most_2_31");
}

static u32 take_many(struct onramp_pick *p, u32 count, u64 now_ns)
{
	u32 n = 0;

	while (n < 1000 && onramp_pick_take(p, count, now_ns, false))
		n++;
	return n;
}

static void rate_test(void)
{
	struct onramp_pick p = {};
	u64 now_ns = 1;

	tap_ok(take_many(&p, 1, now_ns) == BURST, "pick__64_at_once");
	tap_ok(!take_many(&p, 1, now_ns + GAP_NS - 1), "pick__none_before_20_us");
	tap_ok(take_many(&p, 1, now_ns + GAP_NS) == 1, "pick__one_each_20_us");
	tap_ok(take_many(&p, 1, now_ns + 11 * GAP_NS) == 10, "pick__ten_after_200_us");
	now_ns += 10 * BURST * GAP_NS;
	tap_ok(take_many(&p, 4, now_ns) == BURST / 4, "pick__a_new_flow_counts_four");
	now_ns += 10 * BURST * GAP_NS;
	for (int i = 0; i < 1000; i++)
		onramp_pick_take(&p, 1, now_ns, true);
	tap_ok(!take_many(&p, 1, now_ns) && take_many(&p, 1, now_ns + GAP_NS) == 1,
	       "pick__those_in_any_case_leave_no_debt");
}

static void again_test(void)
{
	u32 end = 5000;

	tap_ok(!onramp_pick_again(&end, 5000, 100) && end == 5100, "pick__what_follows_is_new");
	tap_ok(onramp_pick_again(&end, 5000, 100) && end == 5100, "pick__the_same_is_not");
	tap_ok(onramp_pick_again(&end, 5050, 100) && end == 5150, "pick__nor_is_half_of_it, and_the_end_moves");
	tap_ok(onramp_pick_again(&end, 5149, 1) && end == 5150, "pick__the_last_byte_of_it");
	tap_ok(!onramp_pick_again(&end, 6000, 100) && end == 6100, "pick__a_gap_is_new");
	end = 0xfffffff0U;
	tap_ok(!onramp_pick_again(&end, 0xfffffff0U, 100) && end == 84, "pick__over_the_wrap");
	tap_ok(onramp_pick_again(&end, 0xfffffff0U, 16) && end == 84, "pick__again_from_before_it");
	tap_ok(onramp_pick_again(&end, 84 - 0x40000000U, 1) && end == 84, "pick__as_far_back_as_a_window_reaches");
	tap_ok(!onramp_pick_again(&end, 83 - 0x40000000U, 1) && end == 84 - 0x40000000U,
	       "pick__farther_is_another_connection");
}

static void reasons_test(void)
{
	struct onramp_pick p = {};

	take_many(&p, 1, 1);
	tap_ok(!onramp_pick_packet(&p, GRID, 1, 1448, false, false, 1), "pick__not_beyond_the_rate");
	tap_ok(onramp_pick_packet(&p, 4 * GRID, 1, 16384, false, false, 1), "pick__large");
	tap_ok(!onramp_pick_packet(&p, 4 * GRID, 1, 16383, false, false, 1), "pick__not_quite_large");
	tap_ok(!onramp_pick_packet(&p, GRID, 1, 8192, false, false, 1), "pick__nor_half_of_it");
	tap_ok(onramp_pick_packet(&p, GRID, GRID, 1, false, false, 1), "pick__on_the_grid");
	tap_ok(onramp_pick_packet(&p, GRID, 1, 1, false, true, 1), "pick__in_any_case");
	tap_ok(onramp_pick_packet(&p, 0, 1, 1, false, false, 1), "pick__all_without_a_grid");
}

/**
 * struct report - an OR-ACK's entry, and whether the flow heals with it
 * @name: of the test
 * @seq: of its first byte
 * @len: bytes
 * @matched: it is remembered
 * @heals: all packets are remembered from now on
 */
struct report {
	const char *name;
	u32 seq;
	u32 len;
	bool matched;
	bool heals;
};

static const struct report reports[] = {
	{ "first", 1, 1000, false, false },
	{ "two grids behind", 1 + 2 * GRID, 1000, false, false },
	{ "a byte more ends a stretch", 2 + 2 * GRID, 1000, false, false },
	{ "one on the grid begins anew", 3 * GRID - 500, 1000, false, false },
	{ "first again", 3 * GRID + 1, 1000, false, false },
	{ "far", 3 * GRID + 2 + 2 * GRID, 1000, false, false },
	{ "a match ends nothing and begins nothing", 3 * GRID + 3 + 6 * GRID, 1000, true, false },
	{ "not far enough", 3 * GRID + 2 + 4 * GRID, 1000, false, false },
	{ "a second stretch", 3 * GRID + 3 + 4 * GRID, 1000, false, true },
	{ "for good", 3 * GRID + 3 + 4 * GRID, 1000, false, true },
};

static void reports_test(void)
{
	struct onramp_pick_reports r = {};
	u32 i;

	for (i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
		tap_ok(onramp_pick_on_report(&r, GRID, reports[i].seq, reports[i].len, reports[i].matched) == reports[i].heals,
		       "pick__report_%s", reports[i].name);
}

/* Return: how many packets were remembered; -1 if the algorithm and the oracle disagree. */
static int flow_run(u64 *seed)
{
	u64 at = random_u64(seed) >> 1, now_ns = 1;
	u32 grid = random_below(seed, 10) ? 1U << (8 + random_below(seed, 13)) : 0;
	struct oracle_pick o = {};
	struct onramp_pick p = {};
	u32 end = at, i;
	int picked = 0;

	o.end = at;
	o.any = true;
	for (i = 0; i < 200; i++) {
		u64 back = random_below(seed, 8) ? 0 : random_below(seed, 100000);
		u32 len = 1 + random_below(seed, random_below(seed, 10) ? 1500 : 65536);
		bool is_new = !random_below(seed, 20), again, mine;

		now_ns += random_below(seed, 3) ? 0 : random_below(seed, random_below(seed, 20) ? 10000 : 1000000);
		at = o.end - min(back, o.end);
		again = onramp_pick_again(&end, at, len);
		if (again != oracle_pick_again(&o, at, len) || end != (u32)o.end)
			return -1;
		mine = onramp_pick_packet(&p, grid, at, len, is_new, again, now_ns);
		if (mine != oracle_pick_packet(&o, grid, at, len, is_new, again, now_ns))
			return -1;
		picked += mine;
	}
	return picked;
}

static void flows_test(u64 seed, unsigned long n)
{
	unsigned long i, wrong = 0, some = 0;

	for (i = 0; i < n; i++) {
		int picked = flow_run(&seed);

		wrong += picked < 0;
		some += picked > 20 && picked < 180;
	}
	tap_ok(!wrong, "pick__as_the_oracle");
	tap_ok(some > n / 4, "pick__of_many_flows_some_packets_and_not_all");
	tap_remark("%lu wrong, %lu with some, of %lu", wrong, some, n);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 2000, "flows");

	grid_test();
	nearest_test();
	rate_test();
	again_test();
	reasons_test();
	reports_test();
	flows_test(o.seed, o.n);
	return tap_done();
}
