// SPDX-License-Identifier: GPL-2.0
/*
 * Leap seconds.  libc's gmtime_r() may open the file of the time zone, which the
 * daemon may not any more.
 */
#include "leap.h"

#define LEAP_NS		1000000000LL
#define LEAP_DAY_S	86400
/* From 0000-03-01, at which years begin here so that the 29th of February ends one, to 1970. */
#define LEAP_TO_1970	719468
/* Days of 400 years, of 4 after a century's first, and of the 5 months that repeat. */
#define LEAP_400_YEARS	146097
#define LEAP_100_YEARS	36524
#define LEAP_4_YEARS	1461
#define LEAP_YEAR	365
#define LEAP_5_MONTHS	153

static int64_t leap_floor(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Day of the month, from 1, of a day since 1970. */
static int leap_day(int64_t day)
{
	int64_t of_400, year, of_year, month;

	day += LEAP_TO_1970;
	of_400 = day - leap_floor(day, LEAP_400_YEARS) * LEAP_400_YEARS;
	/* Without the 29ths of February there would be so many. */
	year = (of_400 - of_400 / (LEAP_4_YEARS - 1) + of_400 / LEAP_100_YEARS -
		of_400 / (LEAP_400_YEARS - 1)) / LEAP_YEAR;
	of_year = of_400 - (LEAP_YEAR * year + year / 4 - year / 100);
	/* Months of 31, 30, 31, 30, 31 days from March, repeated. */
	month = (5 * of_year + 2) / LEAP_5_MONTHS;
	return (int)(of_year - (LEAP_5_MONTHS * month + 2) / 5) + 1;
}

bool leap_is(int64_t utc_ns, int64_t off_ns)
{
	int64_t utc_s = leap_floor(utc_ns, LEAP_NS);
	int64_t day, begun_s;

	if ((off_ns < LEAP_NS - LEAP_NEAR_NS || off_ns > LEAP_NS + LEAP_NEAR_NS) &&
	    (off_ns > -LEAP_NS + LEAP_NEAR_NS || off_ns < -LEAP_NS - LEAP_NEAR_NS))
		return false;
	day = leap_floor(utc_s + LEAP_EARLY_S, LEAP_DAY_S);
	begun_s = utc_s - day * LEAP_DAY_S;
	return leap_day(day) == 1 && begun_s < LEAP_LATE_S;
}

/* UTC, by the seconds before it, at which it steps: a deleted second is the last of the day. */
static int64_t leap_instant_ns(const struct leap *leap)
{
	return ((int64_t)leap->day * LEAP_DAY_S - (leap->step < 0)) * LEAP_NS;
}

static int64_t leap_size(int64_t ns)
{
	return ns < 0 ? -ns : ns;
}

/* By how much it is past, or to come: below 0. */
static int64_t leap_past_ns(const struct leap *leap, int64_t common_ns)
{
	return common_ns - leap->seconds * LEAP_NS - leap_instant_ns(leap);
}

int64_t leap_ahead_ns(const struct leap *leap, int64_t common_ns)
{
	bool done = leap->step && leap_past_ns(leap, common_ns) >= 0;

	return (leap->seconds + (done ? leap->step : 0)) * LEAP_NS;
}

bool leap_is_close(const struct leap *leap, int64_t common_ns, int64_t close_ns)
{
	return leap->step && leap_size(leap_past_ns(leap, common_ns)) <= close_ns;
}

int64_t leap_nearest_ns(const struct leap *leap, int64_t common_ns, int64_t shown_ns)
{
	int64_t before_ns = leap->seconds * LEAP_NS;
	int64_t after_ns = before_ns + leap->step * LEAP_NS;

	if (!leap_is_close(leap, common_ns, LEAP_CLOSE_NS))
		return leap_ahead_ns(leap, common_ns);
	if (leap_size(shown_ns - before_ns) <= leap_size(shown_ns - after_ns))
		return before_ns;
	return after_ns;
}

int leap_today(const struct leap *leap, int64_t utc_ns)
{
	int64_t day = leap_floor(leap_floor(utc_ns, LEAP_NS), LEAP_DAY_S);

	return day + 1 == leap->day ? leap->step : 0;
}

void leap_announce(struct leap *leap, int64_t common_ns, int step)
{
	int64_t utc_ns = common_ns - leap_ahead_ns(leap, common_ns);
	int64_t day = leap_floor(leap_floor(utc_ns, LEAP_NS), LEAP_DAY_S) + 1;

	if (leap->step && (leap_is_close(leap, common_ns, LEAP_CLOSE_NS) ||
			   leap_past_ns(leap, common_ns) > 0))
		return;
	leap->step = leap_day(day) == 1 && day <= LEAP_DAY_MOST &&
		     leap_size(leap->seconds + step) <= LEAP_SECONDS_MOST ? step : 0;
	leap->day = leap->step ? (uint32_t)day : 0;
}

void leap_settle(struct leap *leap, int64_t common_ns)
{
	if (!leap->step || leap_past_ns(leap, common_ns) <= LEAP_CLOSE_NS)
		return;
	leap->seconds += leap->step;
	leap->step = 0;
	leap->day = 0;
}

bool leap_is_same(const struct leap *a, const struct leap *b)
{
	return a->seconds == b->seconds && a->tai == b->tai && a->step == b->step &&
	       a->day == b->day;
}

int leap_utc_tai(const struct leap *leap, int64_t common_ns)
{
	return leap->tai ? leap->tai + (int)(leap_ahead_ns(leap, common_ns) / LEAP_NS) : 0;
}
