/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Leap seconds: UTC is put back by one second at the end of a month, or, which has
 * never been, ahead.
 *
 * The common time does not follow.  It counts all seconds, as TAI does, so it is TAI less a
 * constant, and what follows says which second of UTC it is.  UTC is as CLOCK_REALTIME
 * counts it, which repeats the second before midnight.
 */
#ifndef HUYGENS_LEAP_H
#define HUYGENS_LEAP_H

#include <stdbool.h>
#include <stdint.h>

/* A clock that has taken a leap second is so near to a second from where it was. */
#define LEAP_NEAR_NS	10000000LL
/* Its window ends so long before the month at most. */
#define LEAP_EARLY_S	10
/* So long before and after it hosts may differ in whether it has been. */
#define LEAP_CLOSE_NS		60000000000LL
/* More leap seconds, either way, than while a mesh runs. */
#define LEAP_SECONDS_MOST	100
/* The last day, since 1970, that a time of 2^61 ns reaches. */
#define LEAP_DAY_MOST		26687
/* TAI is at least so far ahead of UTC, since 1972; less is a kernel that was not told. */
#define LEAP_TAI_LEAST		10
#define LEAP_TAI_MOST		1000
/* So long after a month's end it is taken for one, as it may arrive late. */
#define LEAP_LATE_S	86400

/**
 * struct leap - UTC in a common time
 * @seconds: by how much the common time is ahead of UTC, s, until @step is done; within
 *	+-LEAP_SECONDS_MOST
 * @tai: TAI less the common time, s, up to LEAP_TAI_MOST; 0: not known
 * @step: at the end of the day before @day a second is inserted: 1; deleted: -1; 0: none
 *	is announced, and @day is 0
 * @day: since 1970
 */
struct leap {
	int16_t		seconds;
	uint16_t	tai;
	int8_t		step;
	uint32_t	day;
};

/**
 * leap_ahead_ns() - by how much the common time is ahead of UTC
 * @leap: what is known
 * @common_ns: the common time, ns since 1970
 *
 * Return: ns, whole seconds.
 */
int64_t leap_ahead_ns(const struct leap *leap, int64_t common_ns);

/**
 * leap_nearest_ns() - the same for a clock that may step an instant earlier or later
 * @leap: what is known
 * @common_ns: the common time, ns since 1970
 * @shown_ns: by how much it is ahead of what the clock shows
 *
 * Return: while the leap second is close, of both values the one that is nearer to @shown_ns.
 */
int64_t leap_nearest_ns(const struct leap *leap, int64_t common_ns, int64_t shown_ns);

/**
 * leap_is_close() - may hosts differ in whether a leap second has been?
 * @leap: what is known
 * @common_ns: the common time, ns since 1970
 * @close_ns: how near it is at most
 *
 * Return: true if it is so near, before or after it.
 */
bool leap_is_close(const struct leap *leap, int64_t common_ns, int64_t close_ns);

/**
 * leap_today() - is one at the end of this day of UTC?
 * @leap: what is known
 * @utc_ns: UTC as a clock shows it
 *
 * Return: @leap->step, or 0.
 */
int leap_today(const struct leap *leap, int64_t utc_ns);

/**
 * leap_announce() - what most clocks with UTC say of the end of this day
 * @leap: what is known
 * @common_ns: the common time, ns since 1970
 * @step: 1, -1, or 0: no leap second
 *
 * A leap second is at the end of a month.  One that is close is not withdrawn.  Beyond
 * LEAP_SECONDS_MOST or LEAP_DAY_MOST none is taken, as messages cannot have it.
 */
void leap_announce(struct leap *leap, int64_t common_ns, int step);

/**
 * leap_settle() - a leap second that is over, and not close, is one of @leap->seconds
 * @leap: what is known
 * @common_ns: the common time, ns since 1970
 */
void leap_settle(struct leap *leap, int64_t common_ns);

/**
 * leap_is_same() - is the same known?
 * @a: one
 * @b: other
 *
 * Return: true if it is.
 */
bool leap_is_same(const struct leap *a, const struct leap *b);

/**
 * leap_utc_tai() - TAI less UTC
 * @leap: what is known
 * @common_ns: the common time, ns since 1970
 *
 * Return: s; 0: not known.
 */
int leap_utc_tai(const struct leap *leap, int64_t common_ns);

/**
 * leap_is() - is a step of UTC a leap second?
 * @utc_ns: UTC after it, ns since 1970, any
 * @off_ns: by how much UTC is further, any
 *
 * Return: true if it is a second, and a month has just ended.
 */
bool leap_is(int64_t utc_ns, int64_t off_ns);

#endif /* HUYGENS_LEAP_H */
