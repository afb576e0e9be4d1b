// SPDX-License-Identifier: GPL-2.0
/*
 * A clock device that shows UTC, on a machine of the test's own: how it is read, what is
 * known of it, and what follows when it is stepped, steered, gone or not for us.
 */
#include "clock_test.h"
#include "../../net/utc_clock.h"

#define PATH	"/dev/ptp3"

static char why[256];

/* The system's clock is wrong, and local time as well; the device alone is right. */
static void begin(struct local_clock *clock, struct utc_clock *utc)
{
	machine_begin();
	machine_turn(&machine.real, -150000);
	machine_turn(&machine.phc, 20000);
	machine.status = STA_UNSYNC;
	clock_begin(clock, NULL, &as_it_is);
	*utc = (struct utc_clock){ .phc.fd = -1 };
	utc_clock_open(utc, PATH, why, sizeof(why));
}

/* As the engine reads, every 100 ms; returns how many readings showed an event. */
static int reads(struct local_clock *clock, struct utc_clock *utc, int count,
		 enum utc_clock_event event)
{
	int seen = 0;

	while (count--) {
		machine.raw_ns += 100 * MS;
		clock_sample(clock);
		seen += utc_clock_sample(utc, clock) == event;
	}
	return seen;
}

/* UTC so long ago by the line, less what the device showed. */
static int64_t off_ns(const struct local_clock *clock, const struct line *line, int64_t back_ns)
{
	int64_t local_ns = clock_now(clock), phc_ns = machine_shows(&machine.phc);

	return local_ns - back_ns + line_at(line, local_ns - back_ns) -
	       (phc_ns - back_ns - llround(machine.phc.ppb / 1e9 * (double)back_ns));
}

static bool knows(const struct local_clock *clock, const struct utc_clock *utc)
{
	double error_ns;
	struct line line;

	return utc_clock_read(utc, clock, &line, &error_ns);
}

static bool opens(const char *path, const char *text)
{
	struct phc phc;
	int opened = phc_open(&phc, path, PHC_PRECISE, PHC_BASIC, why, sizeof(why));

	if (opened && strstr(why, text) && phc.fd == -1)
		return true;
	tap_remark("%s", why);
	phc_close(&phc);
	return false;
}

static void refusals(void)
{
	static const struct {
		int error;
		const char *text;
	} errors[] = {
		{ EACCES, "/dev/ptp3: Permission denied" },
		{ EPERM, "/dev/ptp3: Operation not permitted" },
		{ ENOENT, "/dev/ptp3: No such file or directory" },
		{ ENXIO, "/dev/ptp3: No such device or address" },
	};
	struct utc_clock utc = { .phc.fd = -1 };
	struct local_clock clock;
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		machine_begin();
		machine.open = errors[i].error;
		tap_ok(opens(PATH, errors[i].text) && errno == errors[i].error, "refused: %s",
		       errors[i].text);
	}
	machine_begin();
	tap_ok(opens("/dev/ptp9", "/dev/ptp9: "), "refused: another device");
	machine.lacks = MACHINE_PRECISE | MACHINE_EXTENDED | MACHINE_BASIC;
	tap_ok(opens(PATH, "/dev/ptp3: Operation not supported"),
	       "refused: a device that cannot be read in any way");
	machine.lacks = MACHINE_PRECISE;
	machine.sample = ENODEV;
	tap_ok(opens(PATH, "/dev/ptp3: No such device"), "refused: one that is gone already");
	machine.sample = 0;
	machine.late = 5;
	tap_ok(opens(PATH, "/dev/ptp3: Numerical result out of range"),
	       "refused: readings that end before they begin");
	machine.late = 0;
	machine.open = EACCES;
	clock_begin(&clock, NULL, &as_it_is);
	tap_ok(utc_clock_open(&utc, PATH, why, sizeof(why)) == -1 && utc.lost &&
	       !reads(&clock, &utc, 20, UTC_CLOCK_LOST) && !knows(&clock, &utc),
	       "what could not be opened shows nothing, and says so once");
	machine.open = 0;
	tap_ok(!utc_clock_open(&utc, PATH, why, sizeof(why)) && !utc.lost &&
	       reads(&clock, &utc, 6, UTC_CLOCK_QUIET) == 6 &&
	       knows(&clock, &utc), "and may be opened later");
	phc_close(&utc.phc);
}

/* How wrong a reading of two clocks of the same rate is. */
static int64_t apart_ns(int64_t phc_ns, int64_t real_ns)
{
	return llabs(phc_ns - real_ns - machine.phc.ahead_ns + machine.real.ahead_ns);
}

static void methods(void)
{
	static const struct {
		unsigned int lacks;
		enum phc_method method;
		const char *name;
		int64_t half_ns;
	} all[] = {
		{ 0, PHC_PRECISE, "precise", 0 },
		{ MACHINE_PRECISE, PHC_EXTENDED, "extended", 40 },
		{ MACHINE_PRECISE | MACHINE_EXTENDED, PHC_BASIC, "basic", 240 },
	};
	int64_t phc_ns, real_ns, half_ns, sum_ns = 0;
	int wrong = 0, i;
	struct phc phc;
	size_t k;

	for (k = 0; k < sizeof(all) / sizeof(*all); k++) {
		machine_begin();
		machine.lacks = all[k].lacks;
		phc_open(&phc, PATH, PHC_PRECISE, PHC_BASIC, why, sizeof(why));
		half_ns = phc_sample(&phc, &phc_ns, &real_ns);
		tap_ok(phc.method == all[k].method &&
		       !strcmp(phc_method_name(phc.method), all[k].name) &&
		       half_ns == all[k].half_ns &&
		       apart_ns(phc_ns, real_ns) <= half_ns,
		       "%s readings: both clocks at once, and how sure: %lld ns", all[k].name,
		       (long long)half_ns);
		machine.noise_ns = 1000;
		for (i = 0, sum_ns = 0; i < 100; i++) {
			half_ns = phc_sample(&phc, &phc_ns, &real_ns);
			sum_ns += half_ns;
			wrong += apart_ns(phc_ns, real_ns) > half_ns;
		}
		phc_close(&phc);
	}
	tap_ok(!wrong && sum_ns < 100 * (240 + 540),
	       "the shortest of some, wrong by no more than it says");
	machine_begin();
	phc_open(&phc, PATH, PHC_EXTENDED, PHC_EXTENDED, why, sizeof(why));
	machine.lacks = MACHINE_EXTENDED;
	tap_ok(phc_sample(&phc, &phc_ns, &real_ns) == -1 && errno == EOPNOTSUPP,
	       "a NIC's clock is not read in a way that is worse");
	phc_close(&phc);
	machine_begin();
	phc_open(&phc, PATH, PHC_PRECISE, PHC_BASIC, why, sizeof(why));
	machine.sample = EBUSY;
	tap_ok(phc_sample(&phc, &phc_ns, &real_ns) == -1 && errno == EBUSY &&
	       phc.method == PHC_PRECISE,
	       "one that is busy lacks nothing");
	phc_close(&phc);
}

static void is_known(void)
{
	static const unsigned int lacks[] = { 0, MACHINE_PRECISE,
		MACHINE_PRECISE | MACHINE_EXTENDED };
	struct local_clock clock;
	struct utc_clock utc;
	double error_ns = 0;
	struct line line;
	bool known;
	size_t i;

	begin(&clock, &utc);
	tap_ok(!knows(&clock, &utc), "UTC: not at first");
	reads(&clock, &utc, 5, UTC_CLOCK_QUIET);
	tap_ok(!knows(&clock, &utc), "UTC: nor 400 ms after the first reading");
	reads(&clock, &utc, 1, UTC_CLOCK_QUIET);
	tap_ok(knows(&clock, &utc),
	       "UTC: known after half a second, whatever the kernel says of its own clock");
	phc_close(&utc.phc);
	tap_ok(!knows(&clock, &utc), "UTC: not of a device that is closed");
	for (i = 0; i < sizeof(lacks) / sizeof(*lacks); i++) {
		begin(&clock, &utc);
		machine.lacks = lacks[i];
		machine.noise_ns = 200;
		reads(&clock, &utc, 40, UTC_CLOCK_QUIET);
		known = utc_clock_read(&utc, &clock, &line, &error_ns);
		tap_ok(known && fabs(line.drift_ppb - 20000) < 500 && error_ns < 1500 &&
		       llabs(off_ns(&clock, &line, 0)) <= error_ns + 100 &&
		       llabs(off_ns(&clock, &line, 2 * S)) <= error_ns + 100,
		       "UTC: now and two seconds ago, within %.0f ns, by %s readings", error_ns,
		       phc_method_name(utc.phc.method));
		phc_close(&utc.phc);
	}
}

/* Over local time of a NIC. */
static void over_nic(void)
{
	struct local_clock clock;
	struct utc_clock utc;
	double error_ns = 0;
	struct line line;
	struct nic nic;
	int i;

	begin(&clock, &utc);
	nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
	clock_begin(&clock, &nic, &as_it_is);
	for (i = 0; i < 40; i++) {
		machine.raw_ns += 100 * MS;
		clock_sample_nic(&clock);
		utc_clock_sample(&utc, &clock);
	}
	/* The same clock is both. */
	tap_ok(utc_clock_read(&utc, &clock, &line, &error_ns) && fabs(line.drift_ppb) < 20 &&
	       llabs(off_ns(&clock, &line, 0)) <= error_ns, "UTC: over a NIC's clock");
	nic_close(&nic);
	phc_close(&utc.phc);
}

static void is_stepped(void)
{
	static const int64_t by_ns[] = { 100 * US, -100 * US, S, -S, 37 * S };
	struct local_clock clock;
	struct utc_clock utc;
	double error_ns;
	struct line line;
	size_t i;

	begin(&clock, &utc);
	reads(&clock, &utc, 40, UTC_CLOCK_QUIET);
	for (i = 0; i < sizeof(by_ns) / sizeof(*by_ns); i++) {
		machine.phc.ahead_ns += by_ns[i];
		tap_ok(reads(&clock, &utc, 1, UTC_CLOCK_STEPPED) == 1 &&
		       is_near(utc.step_ns, by_ns[i], 500) &&
		       !knows(&clock, &utc), "stepped by %lld us: seen, and UTC is not known",
		       (long long)(by_ns[i] / US));
		tap_ok(!reads(&clock, &utc, 4, UTC_CLOCK_STEPPED) && !knows(&clock, &utc),
		       "nor 400 ms later");
		tap_ok(!reads(&clock, &utc, 30, UTC_CLOCK_STEPPED) &&
		       utc_clock_read(&utc, &clock, &line, &error_ns) &&
		       llabs(off_ns(&clock, &line, 0)) <= error_ns + 100,
		       "then as it is after the step");
	}
	machine.real.ahead_ns += S;
	tap_ok(!reads(&clock, &utc, 5, UTC_CLOCK_STEPPED) && knows(&clock, &utc) &&
	       clock.steps == 1,
	       "a step of the system's clock is none of the device");
	machine_turn(&machine.real, 400000);
	tap_ok(!reads(&clock, &utc, 20, UTC_CLOCK_STEPPED) &&
	       utc_clock_read(&utc, &clock, &line, &error_ns) &&
	       llabs(off_ns(&clock, &line, 0)) <= error_ns + 100, "nor is a slew of it by 400 ppm");
	phc_close(&utc.phc);
}

/* The hypervisor's own clock is disciplined: the device is behind a bound while it is turned. */
static void is_steered(void)
{
	static const double ppm[] = { 1, -5, 20, -50 };
	struct local_clock clock;
	struct utc_clock utc;
	size_t i;
	int k;

	for (i = 0; i < sizeof(ppm) / sizeof(*ppm); i++) {
		double worst_ns = 0, bound_ns = 0, error_ns;
		int outside = 0, unknown = 0;
		struct line line;

		begin(&clock, &utc);
		reads(&clock, &utc, 40, UTC_CLOCK_QUIET);
		machine_turn(&machine.phc, 20000 + 1000 * ppm[i]);
		for (k = 0; k < 40; k++) {
			double off;

			reads(&clock, &utc, 1, UTC_CLOCK_QUIET);
			unknown += !utc_clock_read(&utc, &clock, &line, &error_ns);
			off = fabs((double)off_ns(&clock, &line, 0));
			outside += off > error_ns + 50;
			worst_ns = fmax(worst_ns, off);
			bound_ns = fmax(bound_ns, error_ns);
		}
		tap_ok(!outside && !unknown && bound_ns < 4 * worst_ns + 500,
		       "turned by %+.0f ppm: off by up to %.0f ns, within %.0f ns", ppm[i],
		       worst_ns, bound_ns);
		phc_close(&utc.phc);
	}
}

/* Less than a step, at once. */
static void is_moved(void)
{
	struct local_clock clock;
	struct utc_clock utc;
	double error_ns = 0;
	struct line line;
	bool known;

	begin(&clock, &utc);
	reads(&clock, &utc, 40, UTC_CLOCK_QUIET);
	machine.phc.ahead_ns += 20 * US;
	tap_ok(!reads(&clock, &utc, 2, UTC_CLOCK_STEPPED), "20 us in 100 ms are no step");
	known = utc_clock_read(&utc, &clock, &line, &error_ns);
	tap_ok(known && error_ns > 10000, "but are in the bound: %.0f ns", error_ns);
	reads(&clock, &utc, 40, UTC_CLOCK_QUIET);
	known = utc_clock_read(&utc, &clock, &line, &error_ns);
	tap_ok(known && error_ns < 500, "and after some seconds are not any more: %.0f ns",
	       error_ns);
	phc_close(&utc.phc);
}

static void is_lost(void)
{
	static const int errors[] = { ENODEV, EIO, EBUSY, EOPNOTSUPP };
	struct local_clock clock;
	struct utc_clock utc;
	int64_t shift;
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		begin(&clock, &utc);
		reads(&clock, &utc, 40, UTC_CLOCK_QUIET);
		machine.sample = errors[i];
		tap_ok(reads(&clock, &utc, 1, UTC_CLOCK_LOST) == 1 && utc.error == errors[i] &&
		       !knows(&clock, &utc),
		       "lost by error %d: UTC is not known at once", errors[i]);
		tap_ok(!reads(&clock, &utc, 20, UTC_CLOCK_LOST) && !knows(&clock, &utc),
		       "which is said once");
		machine.sample = 0;
		tap_ok(reads(&clock, &utc, 1, UTC_CLOCK_BACK) == 1 && !knows(&clock, &utc),
		       "back: not known at once");
		tap_ok(!reads(&clock, &utc, 5, UTC_CLOCK_BACK) && knows(&clock, &utc),
		       "but after half a second");
		phc_close(&utc.phc);
	}
	begin(&clock, &utc);
	reads(&clock, &utc, 40, UTC_CLOCK_QUIET);
	machine_sleep(3 * S);
	clock_wake(&clock, 3 * S, &shift);
	utc_clock_forget(&utc);
	tap_ok(!knows(&clock, &utc) && !reads(&clock, &utc, 6, UTC_CLOCK_STEPPED) &&
	       knows(&clock, &utc),
	       "a suspend is no step of the device, and readings before it do not count");
	phc_close(&utc.phc);
}

int main(void)
{
	refusals();
	methods();
	is_known();
	over_nic();
	is_stepped();
	is_steered();
	is_moved();
	is_lost();
	return tap_done();
}
