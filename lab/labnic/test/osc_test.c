// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the lab's clocks, in user space: a clock is a function of seed,
 * settings and true time, and the right one; what a line of settings may say; and
 * random text, which must only ever be read or refused.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../../../selftests/unit/random.h"
#include "../../../selftests/lib/tap.h"
#include "../../kernel/files/include/net/osc.h"

#define S OSC_NS_PER_S
#define REAL 1735689600000000000LL	/* what the time is at true time 0 */

/* A clock that is right at @true_ns and then does what @line says. */
static struct osc_dial made(s64 true_ns, const char *line)
{
	struct osc_setting setting;
	struct osc_dial dial;
	int err;

	osc_dial_init(&dial, true_ns, REAL + true_ns);
	err = osc_parse(line, &setting);
	if (!err)
		err = osc_dial_apply(&dial, true_ns, REAL + true_ns, &setting);
	if (err)
		tap_ok(false, "'%s' is accepted", line);
	return dial;
}

/* By how much a clock is ahead, ns. */
static s64 ahead(struct osc_dial *dial, s64 true_ns)
{
	return osc_round(osc_dial_read(dial, true_ns)) - REAL - true_ns;
}

static void expect(struct osc_dial *dial, s64 true_ns, s64 want, const char *what)
{
	s64 got = ahead(dial, true_ns);

	if (!tap_ok(got == want, "%s", what))
		tap_remark("%" PRId64 " instead of %" PRId64 " ns", got, want);
}

static void rates(void)
{
	struct osc_dial dial = made(5 * S, "offset -250");

	expect(&dial, 5 * S, -250, "an offset holds from its own ns on");
	expect(&dial, 86400 * S, -250, "and a day later");
	dial = made(5 * S, "rate 1000");
	expect(&dial, 5 * S + 499999, 0, "1000 ppb are no ns before half a ms");
	expect(&dial, 5 * S + 500001, 1, "and are one after it");
	expect(&dial, 86405 * S, 86400000, "and exactly 86400 us after a day");
	dial = made(5 * S, "rate -10000000");
	expect(&dial, 86405 * S, -864000000000, "the slowest oscillator");
	dial = made(0, "ramp 10");
	expect(&dial, 4 * S, 80, "a ramp is the square of the time");
	expect(&dial, 86400 * S, 37324800000, "also after a day");
	dial = made(0, "ramp -10000 rate 10000000 offset 7");
	expect(&dial, 1000 * S, 7 + 10000000000 - 5000000000, "everything adds up");
}

static void discipline(void)
{
	struct osc_dial dial = made(0, "rate 20000");

	osc_dial_adjust(&dial, 10 * S, osc_rate_ppm16(-20 * 65536));
	expect(&dial, 10 * S, 200000, "an adjustment does not move the clock");
	/* (1 + 20 ppm) * (1 - 20 ppm) */
	expect(&dial, 1010 * S, 200000 - 400, "and acts on the oscillator's time");
	expect(&dial, 5 * S, 100000, "what was before it stays as it was");
	osc_dial_shift(&dial, 1010 * S, -199600);
	expect(&dial, 1010 * S, 0, "a shift");
	osc_dial_set(&dial, 1020 * S, REAL + 1020 * S + 5);
	expect(&dial, 1020 * S, 5, "a time that is set");
	expect(&dial, 1020 * S - 1, -4, "and the ns before it");
	tap_ok(osc_round(osc_error(&dial.osc, 1020 * S)) == 20400000,
	       "the oscillator knows of none of them");
	dial = made(0, "step 1000000 at 3000000000");
	expect(&dial, 3 * S - 1, 0, "a step waits");
	expect(&dial, 3 * S, 1000000, "and comes at its very ns");
	osc_dial_adjust(&dial, 4 * S, osc_rate_ppm16(100 << 16));
	expect(&dial, 5 * S, 1100000, "and stays when the clock is adjusted");
	osc_dial_set(&dial, 6 * S, REAL + 6 * S);
	expect(&dial, 7 * S, 100000, "and is gone when it is set");
}

static const char walk[] = "wander 100 rate -300 ramp 2 seed 9";

/* Read once in a second, in any order, or every microsecond: the same. */
static void purity(u64 seed)
{
	struct osc_dial rare = made(123456789, walk), often = rare, fresh;
	u64 random = seed;
	s64 at = 123456789;
	bool same = true;
	int i;

	for (i = 0; i < 200000; i++) {
		at += random_below(&random, 30000);
		ahead(&often, at);
	}
	tap_ok(ahead(&often, at) == ahead(&rare, at), "reading does not change it");
	for (i = 0; same && i < 2000; i++) {
		s64 when = 123456789 + random_below(&random, 40 * S);

		fresh = made(123456789, walk);
		same = ahead(&often, when) == ahead(&fresh, when);
	}
	tap_ok(same, "nor does the order of reading, %d times", i);
	rare = made(0, "wander 100 seed 1");
	often = made(0, "wander 100 seed 2");
	tap_ok(ahead(&rare, 100 * S) != ahead(&often, 100 * S), "another seed walks elsewhere");
}

/* It walks on from where it is, and two reads a ns apart are in order. */
static void continuity(void)
{
	struct osc_dial dial = made(0, "wander 100000 rate -10000000 seed 3");
	s64 last = ahead(&dial, 0), now, ns;
	bool even = true;

	for (ns = 1; even && ns < 3000000; ns++) {
		now = ahead(&dial, 9 * OSC_GRID_NS - 1500000 + ns);
		even = ns == 1 || llabs(now - last) <= 1;
		last = now;
	}
	tap_ok(even, "no jump at a step of the walk, and never backwards");
}

/* After t seconds the rate has a deviation of W * sqrt(t), its mean is 0. */
static void deviation(void)
{
	enum { N = 4000 };
	struct osc_setting setting;
	s64 sum = 0, squares = 0, rate;
	struct osc_dial dial;
	char line[64];
	int i;

	for (i = 0; i < N; i++) {
		snprintf(line, sizeof(line), "wander 1000 seed %d", i);
		if (osc_parse(line, &setting))
			return;
		dial = made(0, line);
		rate = osc_round((s128)osc_rate(&dial.osc, 4 * S) * S);
		sum += rate;
		squares += rate * rate;
	}
	/* 2000 ppb; over 4000 seeds the variance is right to 2.2 %, 1 sigma. */
	if (!tap_ok(squares / N > 3600000 && squares / N < 4400000 &&
		    llabs(sum / N) < 130, "the walk has the configured spread"))
		tap_remark("variance %" PRId64 ", mean %" PRId64, squares / N, sum / N);
}

static const struct {
	const char *line;
	int err;
} lines[] = {
	{ "offset 0", 0 }, { "offset 0\n", 0 }, { "  rate  -3   seed 5 \x0a", 0 },
	{ "step -5 at 1", 0 }, { "seed 9223372036854775807", 0 },
	{ "rate 10000000 wander 100000 ramp -10000 offset -1000000000000000", 0 },
	{ "", -EINVAL }, { "\n", -EINVAL }, { "   ", -EINVAL }, { "rate", -EINVAL },
	{ "rate \x0a", -EINVAL }, { "rate x", -EINVAL }, { "rate 1x", -EINVAL },
	{ "rate 1.5", -EINVAL }, { "rate +1", -EINVAL }, { "rate -", -EINVAL },
	{ "rate 1 rate 1", -EINVAL }, { "rate 1 colour 2", -EINVAL },
	{ "rat 1", -EINVAL }, { "rates 1", -EINVAL }, { "rate 1\nseed 2", -EINVAL },
	{ "rate 1\n\n", -EINVAL }, { "rate\t1", -EINVAL }, { "rate 1,seed 2", -EINVAL },
	{ "step 5", -EINVAL }, { "at 5", -EINVAL }, { "step 5 at", -EINVAL },
	{ "rate 10000001", -ERANGE }, { "rate -10000001", -ERANGE },
	{ "wander -1", -ERANGE }, { "wander 100001", -ERANGE },
	{ "ramp 10001", -ERANGE }, { "ramp -10001", -ERANGE },
	{ "seed -1", -ERANGE }, { "seed 9223372036854775808", -ERANGE },
	{ "seed 99999999999999999999999999", -ERANGE },
	{ "offset 1000000000000001", -ERANGE }, { "step 1 at 0", -ERANGE },
	{ "step 1 at 864000000000001", -ERANGE },
};

static void sayings(u64 seed)
{
	static const char part[] = "rate wander ramp seed step at offset -0123456789\n \tx";
	struct osc_setting setting;
	u64 random = seed;
	char line[40];
	size_t i, n;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		int err = osc_parse(lines[i].line, &setting);

		if (!tap_ok(err == lines[i].err, "%s line %zu", err ? "refused:" : "read:", i))
			tap_remark("'%s': %d", lines[i].line, err);
	}
	for (i = 0; i < 300000; i++) {
		n = random_below(&random, sizeof(line));
		line[n] = 0;
		while (n--)
			line[n] = part[random_below(&random, sizeof(part) - 1)];
		if (!osc_parse(line, &setting) &&
		    (setting.value[OSC_RATE] > 10000000 || !setting.given))
			break;
	}
	tap_ok(i == 300000, "random text is read or refused");
}

static void limits(void)
{
	struct osc_dial dial = made(S, "step 1 at 2000000000");
	struct osc_setting setting;
	struct osc_dial before;
	char buf[OSC_TEXT_MAX];
	int i;

	osc_parse("step 1 at 1500000000 rate 5", &setting);
	before = dial;
	tap_ok(osc_dial_apply(&dial, 1500000000, REAL, &setting) == -ERANGE &&
	       !memcmp(&dial, &before, sizeof(dial)),
	       "a step of the past is refused and changes nothing");
	osc_parse("step -1000000000000000 at 863999999999999", &setting);
	for (i = 1; i < OSC_STEPS; i++)
		osc_dial_apply(&dial, S, REAL, &setting);
	tap_ok(osc_dial_apply(&dial, S, REAL, &setting) == -ENOSPC, "so is one too many");
	dial.osc.value[OSC_SEED] = S64_MAX;
	i = osc_show(buf, sizeof(buf), &dial, 863999999999998, S64_MAX - 1);
	tap_ok(i < (int)sizeof(buf) - 1 &&
	       strstr(buf, "step -1000000000000000 at 863999999999999\n") &&
	       strstr(buf, "clock_ns "),
	       "there is space to describe a clock with all steps");
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;

	tap_remark("seed %" PRIu64, (uint64_t)seed);
	rates();
	discipline();
	purity(seed);
	continuity();
	deviation();
	sayings(seed);
	limits();
	return tap_done();
}
