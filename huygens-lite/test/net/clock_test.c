// SPDX-License-Identifier: GPL-2.0
/*
 * Local time of the system's clocks, and UTC, on a machine of the test's own; a NIC's
 * clock is in nic_test.c.
 */
#include "clock_test.h"

/* --- the system's clock --- */

static void system_time(void)
{
	struct local_clock clock;
	struct clock_line line;
	int64_t began, base;

	machine_begin();
	clock_begin(&clock, NULL, &as_it_is);
	base = machine_shows(&machine.real) - machine.raw_ns;
	began = clock_now(&clock);
	tap_ok(is_near(began, machine_shows(&machine.real), 100), "local time begins as REALTIME");
	machine_turn(&machine.real, 400000);
	tap_ok(!looks(&clock, 20), "REALTIME turned by 400 ppm is no step");
	tap_ok(is_near(clock_now(&clock), machine.raw_ns + base, 100),
	       "and does not turn local time");
	line = clock_line(&clock);
	tap_ok(line.local_ns == line.raw_ns + clock.base_ns && !line.drift && !line.error_ns,
	       "whose line over raw is without drift or error");
	machine.real.ahead_ns += S;
	tap_ok(looks(&clock, 1) == 1 && is_near(clock_now(&clock), machine.raw_ns + base, 100),
	       "nor does a step of REALTIME");
	tap_ok(is_near(clock_real_ns(&clock), machine_shows(&machine.real), 100),
	       "REALTIME is what it is");
}

static void soft_stamps(void)
{
	static const double ppb[] = { 0, 500000, -500000, 123456 };
	struct local_clock clock;
	size_t i;

	for (i = 0; i < sizeof(ppb) / sizeof(*ppb); i++) {
		int64_t stamp, true_ns;

		machine_begin();
		machine_turn(&machine.real, ppb[i]);
		clock_begin(&clock, NULL, &as_it_is);
		looks(&clock, 10);
		stamp = machine_shows(&machine.real);
		true_ns = machine.raw_ns + clock.base_ns;
		machine.raw_ns += 8 * MS;
		tap_ok(is_near(clock_of_soft(&clock, stamp), true_ns, 10),
		       "a stamp after the look, REALTIME %+.0f ppb", ppb[i]);
		clock_sample(&clock);
		tap_ok(is_near(clock_of_soft(&clock, stamp), true_ns, 10),
		       "and looked at 8 ms later");
	}
}

/* A stamp so long after the last look, and the next look after it; returns its local time. */
static int64_t between(struct local_clock *clock, int64_t before_ns, int64_t after_ns,
		       int64_t *stamp)
{
	int64_t true_ns;

	machine.raw_ns += before_ns;
	*stamp = machine_shows(&machine.real);
	true_ns = machine.raw_ns + clock->base_ns;
	machine.raw_ns += after_ns;
	clock_sample(clock);
	return true_ns;
}

/* A turn of REALTIME does not turn stamps that are mapped while the slope is unknown. */
static void slewed_stamps(void)
{
	static const double ppb[] = { 500000, -500000, 100000 };
	struct local_clock clock;
	int64_t stamp, true_ns;
	size_t i;
	int k;

	for (i = 0; i < sizeof(ppb) / sizeof(*ppb); i++) {
		machine_begin();
		clock_begin(&clock, NULL, &as_it_is);
		for (k = 0; k < 20; k++)
			between(&clock, 5 * MS, 5 * MS, &stamp);
		machine_turn(&machine.real, ppb[i]);
		true_ns = between(&clock, MS, 9 * MS, &stamp);
		tap_ok(is_near(clock_of_soft(&clock, stamp), true_ns, 50),
		       "a slew by %+.0f ppb begins: a stamp between two looks", ppb[i]);
		for (k = 0; k < 100; k++) {
			machine.raw_ns += 50 * US;
			clock_sample(&clock);
		}
		tap_ok(is_near(clock_of_soft(&clock, stamp), true_ns, 50),
		       "and after many looks more");
		machine_turn(&machine.real, 0);
		true_ns = between(&clock, 9 * MS, MS, &stamp);
		tap_ok(is_near(clock_of_soft(&clock, stamp), true_ns, 50), "and it ends");
		machine.raw_ns += 5 * MS;
		machine_turn(&machine.real, ppb[i]);
		true_ns = between(&clock, 0, 5 * MS, &stamp);
		/* The line between two looks leaves the clock by a quarter of what that gains. */
		tap_ok(is_near(clock_of_soft(&clock, stamp), true_ns,
			       50 + (int64_t)(fabs(ppb[i]) / 1e9 * 10 * MS / 4)),
		       "begun between two looks, by no more than a quarter of it");
	}
	machine.real.ahead_ns += S;
	true_ns = between(&clock, MS, 9 * MS, &stamp);
	between(&clock, 5 * MS, 5 * MS, &stamp);
	true_ns = between(&clock, 5 * MS, 5 * MS, &stamp);
	tap_ok(clock.steps == 1 && is_near(clock_of_soft(&clock, stamp), true_ns, 50),
	       "after a step: by the looks since");
	tap_ok(clock_of_soft(&clock, stamp - S) < true_ns - S + MS,
	       "none of before it is used for what is older than they are");
}

static void system_steps(void)
{
	static const struct {
		int64_t by_ns;
		bool step;
	} steps[] = { { 9 * US, false }, { -9 * US, false }, { 61 * US, true }, { -61 * US, true },
	{ S, true }, { -S, true } };
	struct local_clock clock;
	uint64_t seen = 0;
	size_t i;

	machine_begin();
	clock_begin(&clock, NULL, &as_it_is);
	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		looks(&clock, 5);
		machine.real.ahead_ns += steps[i].by_ns;
		seen += steps[i].step;
		tap_ok(looks(&clock, 1) == steps[i].step && clock.steps == seen &&
		       !looks(&clock, 5),
		       "%+lld ns are %s, once", (long long)steps[i].by_ns,
		       steps[i].step ? "a step" : "none");
	}
	machine_turn(&machine.real, 500000);
	tap_ok(!looks(&clock, 5), "the most that is a frequency to adjtimex(): no step");
	machine_turn(&machine.real, -500000);
	looks(&clock, 5);
	tap_ok(clock.steps == seen + 1, "from one end to the other is more than that");
	/* chronyd's maxslewrate. */
	machine_turn(&machine.real, 83333333);
	for (i = 0; i < 10; i++) {
		machine.raw_ns += 10 * MS;
		clock_sample(&clock);
	}
	tap_ok(clock.steps == seen + 11, "a slew by ticks is one at each look, 10 ms apart");
	machine_turn(&machine.real, 0);
	looks(&clock, 1);
	tap_ok(!looks(&clock, 5), "and none when it is over");
}

static void short_looks(void)
{
	struct local_clock clock;
	int64_t sum_ns = 0;
	int i;

	machine_begin();
	machine.noise_ns = 1000;
	clock_begin(&clock, NULL, &as_it_is);
	for (i = 0; i < 100; i++) {
		looks(&clock, 1);
		sum_ns += clock.real.last.half_ns;
	}
	tap_ok(sum_ns < 400 * 100, "a look is the shortest of some, 540 ns is the mean: %lld ns",
	       (long long)sum_ns / 100);
}

static void worse(void)
{
	const struct clock_debug debug = { .offset_ns = 5 * MS, .drift_ppb = 20000, .step_ns = S,
	.step_at_ns = 10 * S };
	struct local_clock clock;
	int64_t began;

	machine_begin();
	began = machine.raw_ns;
	clock_begin(&clock, NULL, &debug);
	machine.raw_ns = began + 5 * S;
	tap_ok(is_near(clock_now(&clock), machine.raw_ns + clock.base_ns + 5 * MS + 100 * US, 200),
	       "a debug clock is ahead, and faster");
	tap_ok(!clock_sample(&clock) &&
	       is_near(clock_real_ns(&clock), machine_shows(&machine.real), 100),
		       "not yet stepped");
	machine.raw_ns = began + 10 * S;
	tap_ok(clock_sample(&clock) &&
	       is_near(clock_real_ns(&clock), machine_shows(&machine.real) + S, 100),
		       "stepped when it is time");
	machine.raw_ns += 2 * S;
	tap_ok(!clock_sample(&clock) &&
	       is_near(clock_of_soft(&clock, machine_shows(&machine.real)), clock_now(&clock), 200),
		       "which stamps are not");
}

static void sleeps(void)
{
	static const int64_t by_ns[] = { 100 * US, MS, 3 * S, 86400 * S };
	struct suspend suspend = { 0 };
	struct local_clock clock;
	int64_t before, asleep, shift;
	int seen = 0, i;
	size_t k;

	machine_begin();
	machine.noise_ns = 1000;
	machine.asleep_ns = 77 * S;
	clock_begin(&clock, NULL, &as_it_is);
	tap_ok(!suspend_sample(&suspend), "suspended before it began: nothing to it");
	for (i = 0; i < 1000; i++) {
		machine.raw_ns += 10 * MS;
		seen += suspend_sample(&suspend) != 0;
	}
	tap_ok(!seen, "clocks that are read one after the other are no suspend");
	machine.real.ahead_ns += S;
	tap_ok(!suspend_sample(&suspend) && looks(&clock, 1) == 1, "nor is a step of REALTIME");
	for (k = 0; k < sizeof(by_ns) / sizeof(*by_ns); k++) {
		before = clock_now(&clock);
		machine_sleep(by_ns[k]);
		asleep = suspend_sample(&suspend);
		tap_ok(is_near(asleep, by_ns[k], 2 * US) && !suspend_sample(&suspend),
		       "suspended for %lld us: seen once", (long long)(by_ns[k] / US));
		tap_ok(!clock_wake(&clock, asleep, &shift) && is_near(shift, 0, 0) &&
		       is_near(clock_now(&clock), before + asleep, 100 * US) &&
		       !looks(&clock, 3),
		       "local time goes on as if it had not stopped, without a step");
	}
	tap_ok(is_near(clock_of_soft(&clock, machine_shows(&machine.real)), clock_now(&clock),
		       2 * US), "as stamps do");
	machine_sleep(5 * US);
	tap_ok(!suspend_sample(&suspend), "a suspend of 5 us cannot be detected");
	for (i = seen = 0; i < 100; i++) {
		machine_sleep(5 * US);
		seen += suspend_sample(&suspend) != 0;
	}
	tap_ok(seen > 20, "but do not add up unseen");
}

/* --- UTC --- */

static void utc_is_known(void)
{
	struct local_clock clock;
	struct line line;
	double error_ns;

	machine_begin();
	clock_begin(&clock, NULL, &as_it_is);
	tap_ok(!utc(&clock, &line), "UTC: not at first");
	looks(&clock, 4);
	tap_ok(!utc(&clock, &line), "UTC: nor 400 ms later");
	looks(&clock, 1);
	tap_ok(utc(&clock, &line), "UTC: known after half a second");
	looks(&clock, 1);
	tap_ok(utc(&clock, &line), "UTC: and soon again");
	machine.maxerror = 1500;
	tap_ok(utc_bounded(&clock, &line, &error_ns) && fabs(error_ns - 1.5e6) < 1,
	       "UTC: its error is the kernel's maximum error");
	machine.status = STA_UNSYNC;
	tap_ok(!utc(&clock, &line), "UTC: refused if the kernel says unsynchronised");
	machine.status = STA_PLL | STA_NANO;
	tap_ok(utc(&clock, &line), "UTC: not by other bits");
	machine.adjtimex = EPERM;
	tap_ok(!utc(&clock, &line), "UTC: refused if the kernel does not say");
	machine.adjtimex = 0;
	machine.real.ahead_ns += MS;
	tap_ok(!utc(&clock, &line), "UTC: refused when REALTIME was stepped");
	looks(&clock, 4);
	tap_ok(!utc(&clock, &line), "UTC: and 400 ms later");
	looks(&clock, 1);
	tap_ok(utc(&clock, &line) && is_near(utc_error(&clock, &line, 0), 0, 200),
	       "UTC: then as it is after the step");
	machine.real.ahead_ns -= MS;
	looks(&clock, 1);
	tap_ok(!utc(&clock, &line), "UTC: refused if a look between two calls saw the step");
	looks(&clock, 10);
	machine.real.ahead_ns += 20 * MS;
	clock_utc(&clock, &line, &error_ns);
	tap_ok(clock_sample(&clock), "UTC: asking for it hides no step from the next look");
}

/* As mesh_report() asks: at a window's end, again 20 ms later, and back to its middle. */
static void utc_slope(void)
{
	struct local_clock clock;
	double worst_ppb = 0;
	int64_t worst_ns = 0;
	struct line line;
	int i, taken = 0;

	machine_begin();
	machine.noise_ns = 200;
	machine_turn(&machine.real, 30000);
	clock_begin(&clock, NULL, &as_it_is);
	utc(&clock, &line);
	for (i = 0; i < 200; i++) {
		int again;

		looks(&clock, 19);
		machine.raw_ns += 80 * MS;
		for (again = 0; again < 2; again++) {
			int64_t error_ns;

			taken += utc(&clock, &line);
			worst_ppb = fmax(worst_ppb, fabs(line.drift_ppb - 30000));
			error_ns = llabs(utc_error(&clock, &line, 1200 * MS));
			worst_ns = error_ns > worst_ns ? error_ns : worst_ns;
			machine.raw_ns += 20 * MS;
		}
	}
	/* Two readings, each off by up to 200 ns, two seconds apart. */
	tap_ok(taken == 400 && worst_ppb <= 200,
	       "UTC: the slope is not of two readings 20 ms apart: %.0f ppb", worst_ppb);
	tap_ok(worst_ns <= 600, "UTC: so that a window's middle is right: %lld ns",
	       (long long)worst_ns);
	machine_turn(&machine.real, -30000);
	for (i = 0; i < 2; i++) {
		looks(&clock, 5);
		utc(&clock, &line);
	}
	tap_ok(fabs(line.drift_ppb + 30000) <= 800,
	       "UTC: its discipliner is followed after a second: %.0f ppb", line.drift_ppb);
	machine_turn(&machine.real, 1000000);
	for (i = 0, taken = 0; i < 20; i++) {
		looks(&clock, 1);
		taken += utc(&clock, &line);
	}
	tap_ok(!taken, "UTC: refused while it is slewed faster than a clock can be");
	machine_turn(&machine.real, 30000);
	looks(&clock, 1);
	utc(&clock, &line);
	looks(&clock, 5);
	tap_ok(utc(&clock, &line) && fabs(line.drift_ppb - 30000) <= 800,
	       "UTC: known half a second later");
}

int main(void)
{
	system_time();
	soft_stamps();
	slewed_stamps();
	system_steps();
	short_looks();
	worse();
	sleeps();
	utc_is_known();
	utc_slope();
	return tap_done();
}
