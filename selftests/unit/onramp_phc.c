// SPDX-License-Identifier: GPL-2.0
/*
 * Lines between clocks, by hand and compared with 128 bits, and which stamps of
 * a NIC are plausible.
 */
#include "onramp_phc.h"
#include "options.h"
#include "oracle_line.h"
#include "random.h"
#include "../lib/tap.h"

#define S	1000000000LL
#define SPAN	ONRAMP_LINE_SPAN_NS
#define DRIFT	(ONRAMP_LINE_DRIFT - 1)
#define S64_MIN	(-S64_MAX - 1)

/**
 * struct point - a line and what it says
 * @name: of the test
 * @line: the line
 * @one_ns: to convert
 * @good: must it answer?
 * @other_ns: what
 */
struct point {
	const char *name;
	struct onramp_line line;
	s64 one_ns;
	bool good;
	s64 other_ns;
};

static const struct point points[] = {
	{ "the same clock", { 0, 0, 0 }, 12345, true, 12345 },
	{ "at its reference", { 1000, 70, DRIFT }, 1000, true, 1070 },
	{ "a drift of 2^-12 after 2^24 ns", { 1000, 70, 1 << 20 }, 1000 + (1 << 24), true, 1070 + (1 << 24) + 4096 },
	{ "and before", { 1 << 24, 1 << 20, 1 << 20 }, 0, true, (1 << 20) - 4096 },
	{ "a part of a ns is dropped", { 0, 0, 1 }, SPAN - 1, true, SPAN - 1 + 255 },
	{ "downwards", { 0, 1, -1 }, 1, true, 1 },
	{ "as far as it goes", { 0, 0, DRIFT }, SPAN - 1, true, SPAN - 1 + (1 << 30) - 257 },
	{ "as far as it goes, slow", { 0, 0, -DRIFT }, SPAN - 1, true, SPAN - 1 - (1 << 30) + 256 },
	{ "too far", { 0, 0, 0 }, SPAN, false, 0 },
	{ "too far back", { SPAN, 0, 0 }, 0, false, 0 },
	{ "as far back as it goes", { SPAN, 1, 0 }, 1, true, 2 },
	{ "too far for 64 bits", { S64_MIN, 0, 0 }, S64_MAX, false, 0 },
	{ "before the beginning", { 0, 5, 0 }, -1, false, 0 },
	{ "a result before the beginning", { 0, -6, 0 }, 5, false, 0 },
	{ "a result at the beginning", { 0, -5, 0 }, 5, true, 0 },
	{ "the end of time", { S64_MAX, 0, 0 }, S64_MAX, true, S64_MAX },
	{ "beyond the end of time", { S64_MAX, 1, 0 }, S64_MAX, false, 0 },
	{ "beyond it by the drift", { S64_MAX - S, 0, DRIFT }, S64_MAX, false, 0 },
	{ "the largest offset", { 0, S64_MAX, 0 }, 0, true, S64_MAX },
	{ "the largest offset, and a drift", { 0, S64_MAX, DRIFT }, S, false, 0 },
	{ "the least offset", { S64_MAX, S64_MIN, 0 }, S64_MAX, false, 0 },
	{ "the least offset, and a drift", { S64_MAX, S64_MIN, DRIFT }, S64_MAX - S, false, 0 },
};

static void points_test(void)
{
	u32 i;

	for (i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		const struct point *x = &points[i];
		s64 other_ns = -7;
		bool good = onramp_line_map(&x->line, x->one_ns, &other_ns);

		if (!tap_ok(good == x->good && other_ns == (x->good ? x->other_ns : -7), "line__%s", x->name))
			tap_remark("%d, %" PRId64, good, other_ns);
	}
}

#ifdef __SIZEOF_INT128__
static s64 any(u64 *seed)
{
	return random_u64(seed) & 1 ? (s64)random_scale(seed) : -(s64)random_scale(seed);
}

/* Most conversions are near their line's reference. */
static void oracle_test(u64 seed, unsigned long n)
{
	unsigned long answered = 0, wrong = 0, i;

	for (i = 0; i < n; i++) {
		const struct onramp_line line = {
			.ref_ns = any(&seed),
			.offset_ns = any(&seed),
			.drift = (s64)random_below(&seed, 2 * DRIFT + 1) - DRIFT,
		};
		u64 near = random_u64(&seed) & 1 ? random_scale(&seed) >> 23 : -(random_scale(&seed) >> 23);
		s64 one_ns = random_below(&seed, 8) ? (s64)(line.ref_ns + near) : any(&seed);
		s64 own = -7, theirs = -7;
		bool good = onramp_line_map(&line, one_ns, &own);

		answered += good;
		if (good != oracle_line_map(&line, one_ns, &theirs) || own != theirs)
			wrong++;
	}
	tap_ok(!wrong, "line__as_in_128_bits");
	tap_ok(answered > n / 10 && answered < n - n / 10, "line__some_are_answered_and_some_are_not");
	tap_remark("%lu of %lu answered, %lu wrong", answered, n, wrong);
}
#else
/* No oracle where there are no 128 bits; the same numbers are checked where there are. */
static void oracle_test(u64 seed, unsigned long n)
{
	(void)seed;
	(void)n;
}
#endif

/* A NIC's clock that is 100 s behind, known to 50 ns until 1000 s. */
static const struct onramp_phc good = {
	.line = { .ref_ns = 900 * S, .offset_ns = 100 * S },
	.until_ns = 1000 * S,
	.window_ns = 1000000,
	.error_ns = 50,
	.epoch = 1,
};

/**
 * struct reading - a stamp and what must become of it
 * @name: of the test
 * @stamp_ns: by the NIC's clock
 * @now_ns: clock of schedules
 * @seen_ns: wall clock
 * @verdict: expected
 * @wall_ns: and when it was
 */
struct reading {
	const char *name;
	s64 stamp_ns;
	u64 now_ns;
	u64 seen_ns;
	enum onramp_phc_verdict verdict;
	u64 wall_ns;
};

static const struct reading readings[] = {
	{ "just now", 950 * S, 0, 1050 * S + 3000, ONRAMP_PHC_GOOD, 1050 * S },
	{ "no stamp", 0, 0, 1050 * S, ONRAMP_PHC_MISSING, 0 },
	{ "the last ns of a line", 950 * S, 1000 * S - 1, 1050 * S, ONRAMP_PHC_GOOD, 1050 * S },
	{ "a stale line", 950 * S, 1000 * S, 1050 * S, ONRAMP_PHC_STALE, 0 },
	{ "as late as the error allows", 950 * S + 50, 0, 1050 * S, ONRAMP_PHC_GOOD, 1050 * S + 50 },
	{ "later", 950 * S + 51, 0, 1050 * S, ONRAMP_PHC_IMPLAUSIBLE, 0 },
	{ "as early as window and error allow", 950 * S - 1000050, 0, 1050 * S, ONRAMP_PHC_GOOD, 1050 * S - 1000050 },
	{ "earlier", 950 * S - 1000051, 0, 1050 * S, ONRAMP_PHC_IMPLAUSIBLE, 0 },
	{ "a clock that began again", 5, 0, 1050 * S, ONRAMP_PHC_IMPLAUSIBLE, 0 },
	{ "a clock that counts from 1970", 1700000000LL * S, 0, 1050 * S, ONRAMP_PHC_IMPLAUSIBLE, 0 },
	{ "the end of time", S64_MAX, 0, 1050 * S, ONRAMP_PHC_IMPLAUSIBLE, 0 },
	{ "before the beginning", -1, 0, 1050 * S, ONRAMP_PHC_IMPLAUSIBLE, 0 },
	{ "the wall clock went back", 950 * S, 0, 1049 * S, ONRAMP_PHC_IMPLAUSIBLE, 0 },
	{ "the wall clock went on", 950 * S, 0, 1051 * S, ONRAMP_PHC_IMPLAUSIBLE, 0 },
};

static void readings_test(void)
{
	u64 wall_ns = 7;
	u32 i;

	for (i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		const struct reading *x = &readings[i];
		enum onramp_phc_verdict verdict;

		wall_ns = 7;
		verdict = onramp_phc_read(&good, x->stamp_ns, x->now_ns, x->seen_ns, &wall_ns);
		if (!tap_ok(verdict == x->verdict && wall_ns == (verdict == ONRAMP_PHC_GOOD ? x->wall_ns : 7),
			    "phc__%s", x->name))
			tap_remark("verdict %u, %" PRIu64, verdict, wall_ns);
	}
	tap_ok(onramp_phc_read(NULL, 950 * S, 0, 1050 * S, &wall_ns) == ONRAMP_PHC_STALE, "phc__no_line");
	tap_ok(onramp_phc_read(NULL, 0, 0, 1050 * S, &wall_ns) == ONRAMP_PHC_MISSING, "phc__no_line_and_no_stamp");
}

/* However the clock was stepped, what is valid is off by no more than it says. */
static void steps_test(u64 seed, unsigned long n)
{
	unsigned long valid = 0, beyond = 0, lost = 0, i;

	for (i = 0; i < n; i++) {
		s64 waited_ns = random_below(&seed, 1000001);
		s64 step_ns = (s64)random_below(&seed, 4000001) - 2000000;
		u64 wall_ns, truth_ns = 1050 * S;
		s64 off_ns;

		if (random_below(&seed, 2))
			step_ns = (s64)random_below(&seed, 101) - 50;
		if (onramp_phc_read(&good, 950 * S + step_ns, 0, truth_ns + waited_ns, &wall_ns) != ONRAMP_PHC_GOOD) {
			lost += step_ns >= -50 && step_ns <= 50;
			continue;
		}
		off_ns = (s64)(wall_ns - truth_ns);
		valid++;
		if (off_ns > waited_ns + 50 || off_ns < -1000050)
			beyond++;
	}
	tap_ok(!beyond, "phc__a_stepped_clock_is_not_valid_beyond_its_bound");
	tap_ok(!lost, "phc__a_clock_within_its_error_is_valid");
	tap_ok(valid > n / 4, "phc__some_of_both");
}

static void follows_test(void)
{
	struct onramp_phc next = good;

	next.error_ns = 30;
	next.line.ref_ns += 10 * S;
	tap_ok(onramp_phc_follows(NULL, &next, 0), "follows__nothing");
	tap_ok(onramp_phc_follows(&good, &next, 0), "follows__the_same_line");
	next.line.offset_ns = 100 * S + 80;
	tap_ok(onramp_phc_follows(&good, &next, 0), "follows__as_far_off_as_both_errors");
	next.line.offset_ns = 100 * S + 81;
	tap_ok(!onramp_phc_follows(&good, &next, 0), "follows__further_off");
	tap_ok(onramp_phc_follows(&good, &next, 1000 * S), "follows__further_off_a_stale_one");
	next.epoch = 2;
	tap_ok(onramp_phc_follows(&good, &next, 0), "follows__further_off_in_another_epoch");
	next.epoch = 1;
	next.line.offset_ns = 100 * S - 81;
	tap_ok(!onramp_phc_follows(&good, &next, 0), "follows__further_off_the_other_way");
	/* 1 us/s for 10 s. */
	next = good;
	next.line.ref_ns += 10 * S;
	next.line.drift = DRIFT;
	next.line.offset_ns += 10000;
	tap_ok(!onramp_phc_follows(&good, &next, 0), "follows__an_unpublished_drift");
	next = good;
	next.line.ref_ns += 2000 * S;
	tap_ok(!onramp_phc_follows(&good, &next, 0), "follows__a_reference_of_which_the_other_says_nothing");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100000, "lines and stamps");

	points_test();
	oracle_test(o.seed, o.n);
	readings_test();
	steps_test(o.seed, o.n);
	follows_test();
	return tap_done();
}
