// SPDX-License-Identifier: GPL-2.0
/*
 * The line of an upper mesh: what is reported of it, whether the instant is now or some
 * seconds ago, and which lines are not used.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "../../../selftests/lib/tap.h"
#include "../../net/upper_clock.h"

#define MS	1000000LL
#define S	1000000000LL
#define BEGIN_NS	(500 * S)

/* It is 3 s ahead of raw time, and 20 ppm faster. */
static struct huygens_line line_at_raw(int64_t raw_ns)
{
	return (struct huygens_line){
		.flags = HUYGENS_LINE_VALID,
		.raw_ns = raw_ns,
		.until_ns = raw_ns + 5 * S,
		.common_ns = raw_ns + 3 * S + (raw_ns - BEGIN_NS) / 50000,
		.drift = 0.000020,
		.error_ns = 800,
		.asymmetry_ns = 5000,
		.epoch = 77,
		.tai_s = 35,
		.utc_s = 1,
		.leap = 1,
		.leap_day = 20000,
	};
}

/* Local time is 7 s behind raw time, and 30 ppm slower. */
static struct clock_line local_at(int64_t raw_ns)
{
	return (struct clock_line){
		.raw_ns = raw_ns,
		.local_ns = raw_ns - 7 * S - llround(0.000030 * (double)(raw_ns - BEGIN_NS)),
		.drift = -0.000030,
		.error_ns = 40,
	};
}

/* So many readings, one each 100 ms; returns raw time of the last. */
static int64_t read_for(struct upper_clock *upper, int64_t raw_ns, int count)
{
	for (; count--; raw_ns += 100 * MS) {
		struct huygens_line line = line_at_raw(raw_ns);

		upper_clock_take(upper, &line, raw_ns, 0);
	}
	return raw_ns - 100 * MS;
}

static bool knows(const struct upper_clock *upper, int64_t raw_ns, struct mesh_utc *utc)
{
	struct clock_line local = local_at(raw_ns);

	return upper_clock_read(upper, &local, utc);
}

/* Reported time of an instant, less the upper mesh's time then. */
static int64_t off_ns(const struct mesh_utc *utc, int64_t raw_ns)
{
	struct huygens_line line = line_at_raw(raw_ns);
	int64_t local_ns = local_at(raw_ns).local_ns;

	return local_ns + line_at(&utc->line, local_ns) - line.common_ns;
}

static void reports(void)
{
	struct upper_clock upper = { 0 };
	struct huygens_line line;
	struct mesh_utc utc;
	int64_t raw_ns = read_for(&upper, BEGIN_NS, 29);

	tap_ok(!knows(&upper, raw_ns, &utc), "readings over 2.8 s do not suffice");
	raw_ns = read_for(&upper, raw_ns + 100 * MS, 40);
	tap_ok(knows(&upper, raw_ns, &utc) && utc.upper == 77 && utc.leap.tai == 35 &&
	       utc.leap.seconds == 1 && utc.leap.step == 1 && utc.leap.day == 20000,
	       "the upper mesh, and UTC in its time");
	tap_ok(llabs(off_ns(&utc, raw_ns)) < 3 && llabs(off_ns(&utc, raw_ns - 2 * S)) < 3,
	       "its time is reported for now, and for the middle of a window");
	tap_ok(utc.error_ns >= 5800 && utc.error_ns < 5810, "with error and asymmetry");
	tap_ok(utc.read_ns >= 40 && utc.read_ns < 50, "and the error of local time");
	tap_ok(isinf(utc.upper_utc_ns), "without UTC its distance is not known");
	line = line_at_raw(raw_ns + 100 * MS);
	line.flags |= HUYGENS_LINE_UTC;
	line.utc_error_ns = 9000;
	line.error_ns = 100;
	tap_ok(!upper_clock_take(&upper, &line, raw_ns + 100 * MS, 0) &&
	       knows(&upper, raw_ns + 100 * MS, &utc) && utc.upper_utc_ns >= 9000 &&
	       utc.upper_utc_ns < 9010, "with UTC it is");
	tap_ok(utc.error_ns >= 5800,
	       "a bound that has fallen does not count for the seconds before");
	read_for(&upper, raw_ns + 200 * MS, PHC_LINE_READINGS);
	line.error_ns = 70000;
	line.raw_ns += PHC_LINE_READINGS * 100 * MS;
	line.until_ns = line.raw_ns + 5 * S;
	line.common_ns = line_at_raw(line.raw_ns).common_ns;
	upper_clock_take(&upper, &line, line.raw_ns, 0);
	tap_ok(knows(&upper, line.raw_ns, &utc) && utc.error_ns >= 75000,
	       "one that has grown counts at once");
	upper_clock_forget(&upper);
	tap_ok(!knows(&upper, line.raw_ns, &utc), "what was read before is forgotten");
}

/* The daemon slews: its line turns in the middle of the readings. */
static void slewed(void)
{
	struct upper_clock upper = { 0 };
	int64_t raw_ns = read_for(&upper, BEGIN_NS, 40), worst_ns = 0, off, i;
	struct mesh_utc utc;

	for (i = 1; i <= 16; i++) {
		struct huygens_line line = line_at_raw(raw_ns + i * 100 * MS);

		line.common_ns += i * 1000;
		upper_clock_take(&upper, &line, raw_ns + i * 100 * MS, 0);
	}
	raw_ns += 16 * 100 * MS;
	knows(&upper, raw_ns, &utc);
	for (i = 0; i < 31; i++) {
		int64_t turned_ns = i < 16 ? (16 - i) * 1000 : 0;

		off = llabs(off_ns(&utc, raw_ns - i * 100 * MS) - turned_ns);
		worst_ns = off > worst_ns ? off : worst_ns;
	}
	tap_ok(worst_ns > 500 && (double)worst_ns <= utc.read_ns,
	       "a line that turns by 10 ppm: %lld ns off, within %.0f", (long long)worst_ns,
	       utc.read_ns);
}

static void begins_anew(void)
{
	struct upper_clock upper = { 0 };
	int64_t raw_ns = read_for(&upper, BEGIN_NS, 40);
	struct huygens_line line = line_at_raw(raw_ns + 100 * MS);
	struct mesh_utc utc;

	line.epoch = 78;
	tap_ok(!upper_clock_take(&upper, &line, raw_ns + 100 * MS, 0) &&
	       !knows(&upper, raw_ns + 100 * MS, &utc),
	       "another epoch: readings before do not count");
	upper = (struct upper_clock){ 0 };
	read_for(&upper, BEGIN_NS, 40);
	line = line_at_raw(raw_ns + 100 * MS);
	line.common_ns += S;
	tap_ok(!upper_clock_take(&upper, &line, raw_ns + 100 * MS, 0) &&
	       !knows(&upper, raw_ns + 100 * MS, &utc),
	       "nor before a step");
}

#define REFUSED(change, code, what) do {					\
		struct upper_clock upper = { 0 };				\
		int64_t raw_ns = read_for(&upper, BEGIN_NS, 40) + 100 * MS;	\
		struct huygens_line line = line_at_raw(raw_ns);			\
		struct mesh_utc utc;						\
		int64_t asleep_ns = 0;						\
										\
		change;								\
		tap_ok(upper_clock_take(&upper, &line, raw_ns, asleep_ns) == (code) &&	\
		       !knows(&upper, raw_ns, &utc), "refused: " what);		\
	} while (0)

static void refused(void)
{
	REFUSED(line.flags = 0, -ENODATA, "a host that is not synchronised");
	REFUSED(line.until_ns = raw_ns - 1, -ESTALE, "a line that has expired");
	REFUSED(asleep_ns = HUYGENS_LINE_ASLEEP_NS + 1, -ESTALE, "one from before a suspension");
	REFUSED(line.epoch = 0, -ERANGE, "no epoch");
	REFUSED(line.error_ns = 0, -ERANGE, "no error");
	REFUSED(line.error_ns = -1, -ERANGE, "an error below 0");
	REFUSED(line.error_ns = INT64_MAX, -ERANGE, "an error of 292 years");
	REFUSED(line.asymmetry_ns = 200 * S, -ERANGE, "an asymmetry of 200 s");
	REFUSED(line.asymmetry_ns = -1, -ERANGE, "an asymmetry below 0");
	REFUSED(line.drift = NAN, -ERANGE, "a drift that is no number");
	REFUSED(line.drift = 1.0 / 1024, -ERANGE, "a drift of a thousandth");
	REFUSED(line.leap = 2, -ERANGE, "two leap seconds");
	REFUSED(line.leap = 0, -ERANGE, "the day of no leap second");
	REFUSED(line.leap_day = 0, -ERANGE, "a leap second on no day");
	REFUSED(line.leap_day = LEAP_DAY_MOST + 1, -ERANGE, "a day beyond all times");
	REFUSED(line.tai_s = -1, -ERANGE, "TAI behind");
	REFUSED(line.tai_s = LEAP_TAI_MOST + 1, -ERANGE, "TAI 1001 s ahead");
	REFUSED(line.utc_s = LEAP_SECONDS_MOST + 1, -ERANGE, "101 leap seconds");
	REFUSED(line.utc_s = -LEAP_SECONDS_MOST - 1, -ERANGE, "101 that were deleted");
	REFUSED(line.common_ns = WIRE_TIME_MAX + 1, -ERANGE, "a time that messages cannot have");
	REFUSED(line.common_ns = INT64_MIN, -ERANGE, "a time of 292 years before 1970");
}

static void refused_clocks(void)
{
	REFUSED(line.raw_ns = INT64_MIN, -ERANGE, "raw time at its lower end");
	REFUSED(line.raw_ns = -1, -ERANGE, "raw time below 0");
	REFUSED(line.raw_ns = INT64_MAX, -ERANGE, "raw time at its upper end");
	REFUSED(line.raw_ns = raw_ns + 1001 * S, -ERANGE, "raw time 1001 s from now");
	REFUSED((line.raw_ns = 0, line.until_ns = INT64_MAX, raw_ns = 1001 * S), -ERANGE,
		"a line that is 1001 s old and does not expire");
	REFUSED(line.asleep_ns = INT64_MAX, -ERANGE, "a suspension of 292 years");
	REFUSED(line.asleep_ns = INT64_MIN, -ERANGE, "a suspension before the start");
}

static void refused_errors(void)
{
	REFUSED((line.raw_ns -= 30 * S, line.growth_ppb = UINT32_MAX), -ERANGE,
		"an error that has grown to 129 s");
	REFUSED((line.flags |= HUYGENS_LINE_UTC, line.utc_error_ns = -1), -ERANGE,
		"an error of UTC below 0");
	REFUSED((line.flags |= HUYGENS_LINE_UTC, line.utc_error_ns = INT64_MAX), -ERANGE,
		"an error of UTC of 292 years");
	REFUSED((line.upper_epoch = 1, line.upper_error_ns = INT64_MAX), -ERANGE,
		"one to another upper mesh of 292 years");
}

/* The time is still good: how far a line with this error of UTC may be from it. */
static double utc_of(int64_t error_ns, uint32_t growth_ppb, int64_t age_ns)
{
	struct upper_clock upper = { 0 };
	int64_t raw_ns = read_for(&upper, BEGIN_NS, 40) + 100 * MS;
	struct huygens_line line = line_at_raw(raw_ns);
	struct mesh_utc utc;

	line.flags |= HUYGENS_LINE_UTC;
	line.raw_ns -= age_ns;
	line.common_ns = line_at_raw(line.raw_ns).common_ns;
	line.utc_error_ns = error_ns;
	line.utc_growth_ppb = growth_ppb;
	return !upper_clock_take(&upper, &line, raw_ns, 0) && knows(&upper, raw_ns, &utc) ?
		utc.upper_utc_ns : NAN;
}

static void utc_too_far(void)
{
	double near_ns = utc_of(100 * S - 2, 0, 0);

	tap_ok(near_ns > 99e9 && near_ns <= 100e9, "an error of UTC of 100 s is reported");
	tap_ok(isinf(utc_of(100 * S + 1, 0, 0)), "with a greater one UTC is not known");
	tap_ok(isinf(utc_of(1000, UINT32_MAX, 30 * S)), "nor with one that has grown to 129 s");
}

int main(void)
{
	reports();
	slewed();
	begins_anew();
	refused();
	refused_clocks();
	refused_errors();
	utc_too_far();
	return tap_done();
}
