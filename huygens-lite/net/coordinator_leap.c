// SPDX-License-Identifier: GPL-2.0
/*
 * Leap seconds of the coordinator.  The common time counts all seconds; which of them are of
 * UTC is known to all hosts, and each reports it, so that another coordinator goes on with it.
 */
#include <math.h>

#include "coordinator_private.h"

#define COORDINATOR_NS		1000000000LL
/* A solution so many windows ago is the last. */
#define COORDINATOR_LATE	3

/* The common time in the middle of the window, as a host has it. */
static int64_t coordinator_common(const struct coordinator *c, uint32_t host)
{
	const struct line *line = &c->report[host].line;

	return line->at_ns + line->offset_ns;
}

bool coordinator_keeps_leap(const struct coordinator *c, uint64_t window, uint32_t timeline)
{
	return c->solved && c->window <= window && window - c->window <= COORDINATOR_LATE &&
	       wire_timeline(c->timeline) == wire_timeline(timeline);
}

/* Boyer and Moore's majority, as of common times. */
static void coordinator_vote_leap(struct coordinator *c)
{
	uint32_t lead = 0, i;

	c->leap = (struct leap){ 0 };
	for (i = 0; i < c->membership->hosts; i++) {
		struct leap leap = c->report[i].leap;

		if (!c->prior[i].known)
			continue;
		leap_settle(&leap, coordinator_common(c, i));
		if (!lead)
			c->leap = leap;
		if (leap_is_same(&leap, &c->leap))
			lead++;
		else
			lead--;
	}
}

void coordinator_find_leap(struct coordinator *c, bool goes_on)
{
	uint32_t i;

	if (!goes_on)
		coordinator_vote_leap(c);
	for (i = 0; i < c->membership->hosts; i++)
		if (c->prior[i].known) {
			leap_settle(&c->leap, coordinator_common(c, i));
			return;
		}
}

bool coordinator_tells_utc(const struct coordinator *c, uint32_t host)
{
	const struct line *utc = &c->report[host].utc;
	int64_t near_ns = utc->at_ns + utc->offset_ns + c->leap.seconds * COORDINATOR_NS;

	return c->upper || c->prior[host].known ||
	       !leap_is_close(&c->leap, near_ns, LEAP_CLOSE_NS + COORDINATOR_NS);
}

struct line coordinator_utc(const struct coordinator *c, uint32_t host)
{
	struct line utc = c->report[host].utc;
	int64_t shows_ns = utc.at_ns + utc.offset_ns;
	int64_t common_ns = c->prior[host].known ? coordinator_common(c, host) :
			    shows_ns + c->leap.seconds * COORDINATOR_NS;

	/* The upper mesh's time counts all seconds. */
	if (c->upper)
		return utc;
	utc.offset_ns += leap_nearest_ns(&c->leap, common_ns, common_ns - shows_ns);
	return utc;
}

static void coordinator_hear_step(struct coordinator *c, int64_t common_ns)
{
	uint32_t inserts = 0, deletes = 0, i;

	for (i = 0; i < c->utcs; i++) {
		inserts += c->report[c->utc[i].host].utc_step > 0;
		deletes += c->report[c->utc[i].host].utc_step < 0;
	}
	leap_announce(&c->leap, common_ns,
		      (2 * inserts > c->utcs) - (2 * deletes > c->utcs));
}

/* TAI less the common time by a host, whose kernel steps both alike; 0: it does not know. */
static int64_t coordinator_tai(const struct coordinator *c, const struct datum_utc *utc)
{
	const struct coordinator_report *report = &c->report[utc->host];
	int64_t ahead_ns = utc->line.offset_ns - report->utc.offset_ns;

	return report->utc_tai ? report->utc_tai - ahead_ns / COORDINATOR_NS : 0;
}

/* The same by most that know (Boyer and Moore): a host that lies is one of them. */
static void coordinator_hear_tai(struct coordinator *c)
{
	uint32_t lead = 0, told = 0, same = 0, i;
	int64_t most = 0;

	for (i = 0; i < c->utcs; i++) {
		int64_t tai = coordinator_tai(c, &c->utc[i]);

		if (!tai)
			continue;
		told++;
		if (!lead)
			most = tai;
		lead += tai == most ? 1 : -1;
	}
	for (i = 0; i < c->utcs; i++)
		same += coordinator_tai(c, &c->utc[i]) == most;
	if (2 * same > told && most > 0 && most <= LEAP_TAI_MOST)
		c->leap.tai = most;
}

/*
 * The same common time, so the same UTC in it, as more than half of the hosts have it (Boyer and
 * Moore, then counted).
 */
static void coordinator_hear_upper(struct coordinator *c)
{
	struct leap most = { 0 };
	uint32_t lead = 0, same = 0, i;

	for (i = 0; i < c->utcs; i++) {
		const struct leap *leap = &c->report[c->utc[i].host].leap;

		if (!lead)
			most = *leap;
		lead += leap_is_same(leap, &most) ? 1 : -1;
	}
	for (i = 0; i < c->utcs; i++)
		same += leap_is_same(&c->report[c->utc[i].host].leap, &most);
	if (2 * same > c->utcs)
		c->leap = most;
}

void coordinator_hear_leap(struct coordinator *c)
{
	if (!c->utcs)
		return;
	if (c->upper) {
		coordinator_hear_upper(c);
		return;
	}
	coordinator_hear_tai(c);
	coordinator_hear_step(c, c->utc[0].line.at_ns + c->utc[0].line.offset_ns);
}

/*
 * One a day: hosts that lie about UTC are not to take it away one second after the other.
 */
bool coordinator_leap_second(struct coordinator *c, uint32_t reference, uint64_t window)
{
	const struct line *line = &c->host[reference].line;
	uint64_t day = LEAP_LATE_S * COORDINATOR_NS / (uint64_t)c->conf->window_ns;
	int64_t common_ns = line->at_ns + line->offset_ns;
	int64_t utc_ns = common_ns + c->utc_miss_ns - leap_ahead_ns(&c->leap, common_ns);
	int step = c->utc_miss_ns < 0 ? 1 : -1;

	if (c->upper || !leap_is(utc_ns, c->utc_miss_ns) ||
	    (c->has_leapt && window - c->leapt < day) ||
	    c->leap.seconds + step > LEAP_SECONDS_MOST ||
	    c->leap.seconds + step < -LEAP_SECONDS_MOST)
		return false;
	c->has_leapt = true;
	c->leapt = window;
	c->leap.seconds += step;
	return true;
}
