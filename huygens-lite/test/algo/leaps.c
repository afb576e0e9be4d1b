// SPDX-License-Identifier: GPL-2.0
/*
 * Leap seconds: which steps of UTC are one, and UTC in a common time that counts all seconds,
 * against CLOCK_REALTIME as Linux steps it.
 */
#include <stdlib.h>
#include <time.h>

#include "options.h"
#include "leap.h"

#define S	1000000000LL
#define MS	1000000LL
#define DAY_S	86400LL

/* 2017-01-01, before which a second was inserted. */
#define MONTH	17167

static void steps_that_are(void)
{
	static const int64_t off_ns[] = { 0, 1, S - 11 * MS, S + 11 * MS, -S + 11 * MS,
					-S - 11 * MS, 2 * S, -2 * S, INT64_MAX, INT64_MIN };
	int64_t first = 1483228800; /* 2017-01-01, as a leap second had ended */
	int wrong = 0;
	int64_t day;
	size_t i;

	for (day = -100000; day < 100000; day++) {
		time_t t = day * 86400;
		struct tm tm;

		gmtime_r(&t, &tm);
		wrong += leap_is(t * S, -S) != (tm.tm_mday == 1);
	}
	tap_ok(!wrong, "leap_is__at_the_end_of_a_month_of_1697_to_2243: %d wrong", wrong);
	for (i = 0; i < sizeof(off_ns) / sizeof(*off_ns); i++)
		tap_ok(!leap_is(first * S, off_ns[i]), "leap_is__a_step_by_%lld_ns_is_none",
		       (long long)off_ns[i]);
	tap_ok(leap_is(first * S, S) && leap_is(first * S, -S + 9 * MS) &&
	       leap_is(first * S, S - 9 * MS), "leap_is__a_second_ahead_or_back_or_nearly");
	tap_ok(leap_is((first - 1) * S, -S) && leap_is((first - 10) * S, -S) &&
	       !leap_is((first - 11) * S, -S), "leap_is__10_s_before_the_month_and_not_sooner");
	tap_ok(leap_is((first + 86389) * S, -S) && !leap_is((first + 86400) * S, -S),
	       "leap_is__to_the_end_of_its_first_day");
	tap_ok(!leap_is(INT64_MAX, INT64_MIN) && !leap_is(INT64_MIN, INT64_MAX),
	       "leap_is__nor_at_any_end_of_time");
}

/* UTC by the common time, and by a clock that Linux steps at the end of day MONTH - 1. */
static void utc(void)
{
	int64_t begin_ns = MONTH * DAY_S * S, common_ns;
	int step, wrong, seconds;

	for (step = -1; step <= 1; step += 2) {
		for (seconds = -3; seconds <= 5; seconds += 4) {
			struct leap leap = { seconds, 37, step, MONTH };

			wrong = 0;
			for (common_ns = begin_ns - 5 * S; common_ns < begin_ns + 5 * S;
			     common_ns += 250 * MS) {
				int64_t real_ns = common_ns;

				/* 23:59:60 is 23:59:59 once more; or 23:59:59 is left out. */
				if (step > 0 && real_ns >= begin_ns)
					real_ns -= S;
				if (step < 0 && real_ns >= begin_ns - S)
					real_ns += S;
				wrong += common_ns + seconds * S -
					 leap_ahead_ns(&leap, common_ns + seconds * S) != real_ns;
			}
			tap_ok(!wrong, "leap_ahead_ns__as_linux_steps_by_%d_after_%d: %d wrong",
			       step, seconds, wrong);
		}
	}
}

static void near(void)
{
	struct leap leap = { 2, 37, 1, MONTH }, none = { 2, 0, 0, 0 };
	int64_t at_ns = (MONTH * DAY_S + 2) * S;

	tap_ok(leap_nearest_ns(&leap, at_ns - 60 * S, 3 * S + 7) == 3 * S &&
	       leap_nearest_ns(&leap, at_ns + 60 * S, 2 * S - 7) == 2 * S,
	       "leap_nearest_ns__a_minute_before_and_after_what_a_clock_shows");
	tap_ok(leap_nearest_ns(&leap, at_ns - 60 * S - 1, 3 * S) == 2 * S &&
	       leap_nearest_ns(&leap, at_ns + 60 * S + 1, 2 * S) == 3 * S,
	       "leap_nearest_ns__else_what_is");
	tap_ok(leap_nearest_ns(&none, at_ns, 3 * S) == 2 * S,
	       "leap_nearest_ns__without_one_what_is");
	tap_ok(leap_is_close(&leap, at_ns - S, S) && !leap_is_close(&leap, at_ns - S - 1, S) &&
	       leap_is_close(&leap, at_ns + S, S) && !leap_is_close(&leap, at_ns + S + 1, S) &&
	       !leap_is_close(&none, at_ns, S), "leap_is_close__before_and_after");
	tap_ok(leap_today(&leap, (MONTH - 1) * DAY_S * S) == 1 &&
	       leap_today(&leap, MONTH * DAY_S * S - 1) == 1 &&
	       !leap_today(&leap, MONTH * DAY_S * S) &&
	       !leap_today(&leap, (MONTH - 1) * DAY_S * S - 1) && !leap_today(&none, 0),
	       "leap_today__all_of_the_day_before_and_no_other");
	tap_ok(leap_utc_tai(&leap, at_ns - 1) == 39 && leap_utc_tai(&leap, at_ns) == 40 &&
	       !leap_utc_tai(&none, at_ns), "leap_utc_tai__one_more_and_unknown_stays_so");
}

static void announcements(void)
{
	int64_t eve_ns = (MONTH * DAY_S - 3600) * S, day;
	struct leap leap = { 0 }, was;
	int wrong = 0;

	for (day = 0; day < 400; day++) {
		struct leap any = { 0 };
		time_t t = day * DAY_S;
		struct tm tm;

		leap_announce(&any, day * DAY_S * S - S, 1);
		gmtime_r(&t, &tm);
		wrong += any.step != (tm.tm_mday == 1) || any.day != (any.step ? (uint32_t)day : 0);
	}
	tap_ok(!wrong, "leap_announce__at_the_end_of_a_month_alone: %d wrong", wrong);
	leap_announce(&leap, eve_ns, 1);
	tap_ok(leap.step == 1 && leap.day == MONTH && !leap.seconds,
	       "leap_announce__for_the_end_of_the_day");
	leap_announce(&leap, eve_ns + S, 0);
	tap_ok(!leap.step && !leap.day, "leap_announce__withdrawn");
	leap_announce(&leap, eve_ns, -1);
	leap_announce(&leap, eve_ns, 1);
	tap_ok(leap.step == 1, "leap_announce__another");
	was = leap;
	leap_announce(&leap, (MONTH * DAY_S - 59) * S, 0);
	leap_announce(&leap, (MONTH * DAY_S + 59) * S, -1);
	leap_announce(&leap, (MONTH * DAY_S + 7200) * S, 0);
	tap_ok(leap_is_same(&leap, &was), "leap_announce__not_withdrawn_when_it_is_close_or_over");
	leap_settle(&leap, (MONTH * DAY_S + 60) * S);
	tap_ok(leap_is_same(&leap, &was), "leap_settle__not_while_it_is_close");
	leap_settle(&leap, (MONTH * DAY_S + 60) * S + 1);
	tap_ok(leap.seconds == 1 && !leap.step && !leap.day && !leap_is_same(&leap, &was),
	       "leap_settle__then_it_is_counted");
	leap_settle(&leap, (MONTH * DAY_S + 99) * S);
	tap_ok(leap.seconds == 1, "leap_settle__once");
	leap.seconds = 30000;
	leap_settle(&leap, eve_ns);
	tap_ok(leap.seconds == 30000, "leap_settle__nothing_without_one");
}

/* What messages cannot have is not taken. */
static void limits(void)
{
	struct leap leap = { .seconds = LEAP_SECONDS_MOST - 1 };
	int64_t day, eve_ns = ((MONTH * DAY_S - 3600) + LEAP_SECONDS_MOST) * S;
	int taken = 0;

	leap_announce(&leap, eve_ns, 1);
	tap_ok(leap.step == 1, "leap_announce__up_to_the_most_seconds");
	leap.seconds = LEAP_SECONDS_MOST;
	leap_announce(&leap, eve_ns, 1);
	tap_ok(!leap.step && !leap.day, "leap_announce__not_one_more");
	leap_announce(&leap, eve_ns, -1);
	tap_ok(leap.step == -1, "leap_announce__but_one_less");
	leap = (struct leap){ .seconds = -LEAP_SECONDS_MOST };
	leap_announce(&leap, eve_ns, -1);
	tap_ok(!leap.step && !leap.day, "leap_announce__nor_one_more_the_other_way");
	for (day = LEAP_DAY_MOST + 1; day < LEAP_DAY_MOST + 400; day++) {
		leap = (struct leap){ 0 };
		leap_announce(&leap, day * DAY_S * S - S, 1);
		taken += leap.step || leap.day;
	}
	tap_ok(!taken, "leap_announce__nor_beyond_the_last_day");
}

int main(void)
{
	steps_that_are();
	utc();
	near();
	announcements();
	limits();
	return tap_done();
}
