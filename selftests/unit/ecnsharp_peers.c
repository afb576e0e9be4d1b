// SPDX-License-Identifier: GPL-2.0
/*
 * How the algorithm's neighbours mark the same queue.  Five open-loop traces of
 * 100 ms at 10 Gbit/s, a packet every 1.23 us, senders that do not react;
 * ins_target 220 us, pst_target 10 us, pst_interval 240 us.  Prints a table,
 * and holds the algorithm to the oracle and the neighbours to what is known of them.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "ecnsharp.h"
#include "oracle.h"
#include "../lib/tap.h"

#define PACKETS		81300
#define GAP_NS		1230
#define TARGET_NS	10000
#define INTERVAL_NS	240000
#define INS_NS		220000

enum { INS, ALGO, ORACLE, SIMULATOR, SQUARE_ROOT, CODEL, NR_COLUMNS };

/**
 * struct trace - a queue as its packets see it
 * @name: for people
 * @sojourn_ns: of a packet at a time
 * @want: marks, by column: instantaneous; persistent ones by the algorithm, the
 *	oracle, the authors' simulator (1/sqrt n from now), 1/sqrt n from the
 *	last due time, and codel
 */
struct trace {
	const char *name;
	u64 (*sojourn_ns)(u64 t);
	u64 want[NR_COLUMNS];
};

static u64 constant(u64 t)
{
	(void)t;
	return 50000;
}

static u64 square_short(u64 t)
{
	return t % 1500000 < 1000000 ? 50000 : 2000;
}

static u64 square_long(u64 t)
{
	return t % 4000000 < 3000000 ? 50000 : 2000;
}

static u64 bursts(u64 t)
{
	return t % 1000000 < 60000 ? 300000 : 2000;
}

static u64 sawtooth(u64 t)
{
	return t % 480000 * 100000 / 480000;
}

/*
 * The columns of the neighbours were counted by others, with other programs.
 * Those of the algorithm follow from the harmonic sum H, with 195 packets an
 * interval.  Constant: nothing is marked in the first interval, 195 packets in
 * the H(195) = 5.85 that follow, every one thereafter: 81300 - 6.85 x 195 + 195.
 * Short waves: of 4.17 intervals 3.17 are left to mark in, 13 marks as
 * H(12) < 3.17 < H(13), 67 times.  Long ones: 12.5 intervals, saturated for the
 * last 5.65, 1297 marks, 25 times.  Sawtooth: 1.8 intervals, one mark.
 */
static const struct trace traces[] = {
	{ "constant 50 us", constant, { 0, 80157, 80157, 28424, 43331, 54277 } },
	{ "square wave 1 ms at 50 us, 0.5 ms at 2 us", square_short,
	  { 0, 871, 871, 335, 335, 921 } },
	{ "square wave 3 ms at 50 us, 1 ms at 2 us", square_long,
	  { 0, 32401, 32401, 1025, 1050, 4851 } },
	{ "bursts of 60 us at 300 us every 1 ms", bursts, { 4873, 0, 0, 0, 0, 0 } },
	{ "sawtooth 0 to 100 us every 480 us", sawtooth,
	  { 0, 208, 208, 208, 208, 208 } },
};

#define NR_TRACES	(sizeof(traces) / sizeof(traces[0]))

static void count(const struct trace *trace, u64 *marks)
{
	static const struct oracle_variant simulator = { true, true };
	static const struct oracle_variant square_root = { false, true };
	const struct ecnsharp_params p = {
		.ins_target_ns = INS_NS, .pst_target_ns = TARGET_NS,
		.pst_interval_ns = INTERVAL_NS, .ins = ECNSHARP_INS_STEP,
		.persistent = true,
	};
	const struct oracle_config config = {
		.pst_target = TARGET_NS, .pst_interval = INTERVAL_NS,
		.persistent = true,
	};
	struct oracle_state paper = { 0 }, sim = { 0 }, root = { 0 };
	struct ecnsharp_stats stats = { 0 };
	struct ecnsharp_vars vars = { 0 };
	struct oracle_codel codel = { 0 };
	struct ecnsharp_sample x = { .backlog_bytes = 1500 };
	u32 i, verdict;

	for (i = 0; i < PACKETS; i++) {
		u64 soj = trace->sojourn_ns((u64)i * GAP_NS);
		u64 now = 1000000 + (u64)i * GAP_NS;
		const struct oracle_packet pkt = {
			.now = now, .sojourn = soj, .backlog = 1500,
		};

		x.now_ns = now;
		x.sojourn_ns = soj;
		verdict = ecnsharp_on_dequeue(&p, &vars, &stats, &x);
		marks[INS] += !!(verdict & ECNSHARP_MARK_INS);
		marks[ALGO] += !!(verdict & ECNSHARP_MARK_PST);
		marks[ORACLE] += horrible_ecnsharp(&config, &paper, &pkt).persistent;
		marks[SIMULATOR] += horrible_variant(&simulator, TARGET_NS,
						     INTERVAL_NS, &sim, now, soj);
		marks[SQUARE_ROOT] += horrible_variant(&square_root, TARGET_NS,
						       INTERVAL_NS, &root, now, soj);
		marks[CODEL] += horrible_codel(&codel, TARGET_NS, INTERVAL_NS, now,
					       soj);
	}
}

/* Within 3 %. */
static bool near_enough(u64 got, u64 want)
{
	u64 off = got > want ? got - want : want - got;

	return off * 100 <= want * 3;
}

static void trace_test(const struct trace *t)
{
	u64 marks[NR_COLUMNS] = { 0 };
	bool near = true;
	u32 i;

	count(t, marks);
	tap_remark("%-42s %6" PRIu64 " %6" PRIu64 " %10" PRIu64 " %10" PRIu64
		   " %6" PRIu64, t->name, marks[INS], marks[ALGO], marks[SIMULATOR],
		   marks[SQUARE_ROOT], marks[CODEL]);
	tap_ok(marks[ALGO] == marks[ORACLE], "peers__algorithm_is_the_paper: %s", t->name);
	for (i = 0; i < NR_COLUMNS; i++)
		near = near && near_enough(marks[i], t->want[i]);
	tap_ok(near, "peers__within_3_percent: %s", t->name);
}

int main(void)
{
	u32 i;

	tap_remark("%-42s %6s %6s %10s %10s %6s", "marks of 81300 packets", "ins.",
		   "ecn#", "simulator", "1/sqrt(n)", "codel");
	for (i = 0; i < NR_TRACES; i++)
		trace_test(&traces[i]);
	return tap_done();
}
