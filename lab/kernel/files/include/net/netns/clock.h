/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of a network namespace, see net/net_clock.h. */
#ifndef __NETNS_CLOCK_H__
#define __NETNS_CLOCK_H__

#include <linux/spinlock_types.h>
#include <net/osc.h>

/**
 * struct netns_clock - CLOCK_REALTIME of a namespace and its discipline
 * @lock: covers all below
 * @on: somebody has touched it; until then it is true time, and the rest is
 *	not filled in.  Never goes back to false.
 * @dial: the clock
 * @status: STA_* of clock_adjtime()
 * @tai: TAI - UTC, s
 * @tick: us for each 1/USER_HZ s, 10000 is right
 * @constant: of the phase-locked loop
 * @freq: ns/s, 2^-32, of ADJ_FREQUENCY and the phase-locked loop
 * @offset: ns, 2^-32, that the phase-locked loop has still to slew
 * @adjust: us that adjtime() has still to slew
 * @chunk: ns/s, 2^-32, that is slewed in this second
 * @next_ns: true time at which the next second of slewing begins
 * @slewing: a second of slewing has begun
 * @reftime_ns: true time of the last offset given to the loop
 * @maxerror: us, at @error_ns
 * @esterror: us
 * @error_ns: true time from which on the maximal error grows
 */
struct netns_clock {
	raw_spinlock_t lock;
	bool on;
	struct osc_dial dial;
	int status;
	s32 tai;
	long tick;
	long constant;
	s64 freq;
	s64 offset;
	s64 adjust;
	s64 chunk;
	s64 next_ns;
	bool slewing;
	s64 reftime_ns;
	s64 maxerror;
	s64 esterror;
	s64 error_ns;
};

#endif /* __NETNS_CLOCK_H__ */
