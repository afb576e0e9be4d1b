// SPDX-License-Identifier: GPL-2.0
/*
 * The local time of this host, in which all stamps are expressed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>

#include "clock.h"
#include "../algo/leap.h"

/* Error that a test adds to REALTIME. */
static int64_t clock_real_step(const struct local_clock *clock, int64_t raw_ns)
{
	return raw_ns - clock->began_ns >= clock->debug.step_at_ns ?
		clock->debug.step_ns : 0;
}

/* Error that a test adds to local time. */
static int64_t clock_worse(const struct local_clock *clock, int64_t local_ns,
			   int64_t raw_ns)
{
	double grown = clock->debug.drift_ppb / 1e9 *
		       (double)(raw_ns - clock->began_ns);

	return local_ns + clock->debug.offset_ns + line_round(grown);
}

/* The look so many before the latest of those that were kept. */
static const struct reading *clock_kept(const struct clock_real *real,
					uint64_t back)
{
	return &real->sample[(real->kept - 1 - back) % CLOCK_KEPT];
}

static void clock_keep(struct clock_real *real, const struct reading *reading)
{
	if (real->kept &&
	    reading->at_ns - clock_kept(real, 0)->at_ns < CLOCK_KEPT_NS)
		return;
	real->sample[real->kept++ % CLOCK_KEPT] = *reading;
}

static bool clock_take_real(struct clock_real *real, const struct reading *reading)
{
	int64_t after = reading->at_ns - real->last.at_ns;
	int64_t span = reading->at_ns - real->anchor.at_ns;
	double off = (double)(reading->off_ns - real->last.off_ns) -
		     real->slope * (double)after;
	bool stepped = real->known &&
		       reading_is_off(off, after,
				      reading->half_ns + real->last.half_ns);

	if (!real->known || stepped) {
		real->known = true;
		real->anchor = *reading;
		real->slope = 0;
		real->kept = 0;
	} else if (span >= CLOCK_SLOPE_NS) {
		real->slope = (double)(reading->off_ns - real->anchor.off_ns) /
			      (double)span;
		real->anchor = *reading;
	}
	real->last = *reading;
	clock_keep(real, reading);
	return stepped;
}

static void clock_begin_utc(struct local_clock *clock)
{
	clock->utc = clock->real.last;
	clock->utc_slope = NAN;
}

bool clock_sample(struct local_clock *clock)
{
	struct reading reading = reading_take(CLOCK_MONOTONIC_RAW, CLOCK_REALTIME);
	bool stepped;

	reading.off_ns += clock_real_step(clock, reading.at_ns);
	stepped = clock_take_real(&clock->real, &reading);
	if (stepped) {
		clock->steps++;
		clock_begin_utc(clock);
	}
	return stepped;
}

struct reading clock_phc_reading(const struct local_clock *clock, int64_t phc_ns,
				 int64_t real_ns, int64_t half_ns)
{
	const struct reading *real = &clock->real.last;
	struct reading reading = {
		.at_ns = real_ns + clock_real_step(clock, real->at_ns) - real->off_ns,
		.half_ns = half_ns + real->half_ns,
	};

	reading.off_ns = phc_ns - reading.at_ns;
	return reading;
}

int clock_sample_nic(struct local_clock *clock)
{
	int64_t real_ns, phc_ns, half_ns;
	struct reading reading;

	half_ns = nic_sample(&clock->nic, &phc_ns, &real_ns);
	if (half_ns < 0)
		return -1;
	clock_sample(clock);
	reading = clock_phc_reading(clock, phc_ns, real_ns, half_ns);
	if (!phc_line_take(&clock->phc, &reading))
		return 0;
	clock->steps++;
	return 1;
}

void clock_begin(struct local_clock *clock, const struct nic *nic,
		 const struct clock_debug *debug)
{
	memset(clock, 0, sizeof(*clock));
	clock->debug = *debug;
	clock->began_ns = reading_now(CLOCK_MONOTONIC_RAW);
	clock->nic.phc.fd = -1;
	clock_sample(clock);
	clock_begin_utc(clock);
	clock->base_ns = clock->real.last.off_ns;
	if (nic) {
		clock->nic = *nic;
		clock->hardware = nic->use == NIC_BOTH;
		clock->receive = nic->use == NIC_RECEIVED;
		clock_sample_nic(clock);
	}
}

int64_t clock_real_ns(const struct local_clock *clock)
{
	return reading_now(CLOCK_REALTIME) +
	       clock_real_step(clock, reading_now(CLOCK_MONOTONIC_RAW));
}

static int64_t clock_local(const struct local_clock *clock, int64_t raw_ns)
{
	int64_t local_ns = clock->hardware ? phc_line_at(&clock->phc, raw_ns) :
					     raw_ns + clock->base_ns;

	return clock_worse(clock, local_ns, raw_ns);
}

int64_t clock_local_ns(const struct local_clock *clock, int64_t raw_ns)
{
	return clock_local(clock, raw_ns);
}

int clock_wake(struct local_clock *clock, int64_t asleep_ns, int64_t *shift_ns)
{
	int64_t raw_ns = reading_now(CLOCK_MONOTONIC_RAW);
	int64_t local_ns = clock_local(clock, raw_ns);
	int ret = 0;

	clock->steps++;
	/* The next reading begins another line. */
	clock->real.known = false;
	clock_sample(clock);
	clock_begin_utc(clock);
	clock->base_ns += asleep_ns;
	if (clock_has_nic(clock)) {
		clock->phc.readings = 0;
		ret = clock_sample_nic(clock);
	}
	*shift_ns = clock_local(clock, raw_ns) - local_ns - asleep_ns;
	return ret;
}

int64_t clock_now(const struct local_clock *clock)
{
	return clock_local(clock, reading_now(CLOCK_MONOTONIC_RAW));
}

/* By how much REALTIME has gone on, at a time that it showed, since a look. */
static int64_t clock_since(const struct reading *reading, int64_t real_ns)
{
	return real_ns - reading->at_ns - reading->off_ns;
}

/* By how much it was ahead then, as its line has it. */
static int64_t clock_beyond(const struct clock_real *real,
			    const struct reading *reading, int64_t real_ns)
{
	double after_ns = (double)clock_since(reading, real_ns) / (1 + real->slope);

	return reading->off_ns + line_round(real->slope * after_ns);
}

/* The same, from two samples with the time between them. */
static int64_t clock_between(const struct reading *before,
			     const struct reading *after, int64_t real_ns)
{
	double past_ns = (double)clock_since(before, real_ns);
	double left_ns = -(double)clock_since(after, real_ns);

	return before->off_ns +
	       line_round(past_ns / (past_ns + left_ns) *
			  (double)(after->off_ns - before->off_ns));
}

static int64_t clock_ahead(const struct clock_real *real, int64_t real_ns)
{
	const struct reading *after = &real->last, *before;
	uint64_t count = real->kept < CLOCK_KEPT ? real->kept : CLOCK_KEPT;
	uint64_t back;

	if (clock_since(after, real_ns) >= 0)
		return clock_beyond(real, after, real_ns);
	for (back = 0; back < count; back++, after = before) {
		before = clock_kept(real, back);
		if (clock_since(before, real_ns) >= 0)
			return clock_between(before, after, real_ns);
	}
	return clock_beyond(real, after, real_ns);
}

int64_t clock_of_soft(const struct local_clock *clock, int64_t real_ns)
{
	const struct clock_real *real = &clock->real;

	/* A stamp is of before the step, or of after it. */
	real_ns += clock_real_step(clock, real_ns - real->last.off_ns);
	return clock_local(clock, real_ns - clock_ahead(real, real_ns));
}

bool clock_knows_nic(const struct local_clock *clock)
{
	return clock->phc.readings > 1;
}

int64_t clock_of_hard(const struct local_clock *clock, int64_t nic_ns)
{
	const struct phc_line *nic = &clock->phc;

	if (clock->receive)
		return clock_local(clock, phc_line_raw(nic, nic_ns));
	return clock_worse(clock, nic_ns, nic_ns - nic->off_ns);
}

struct clock_line clock_line(const struct local_clock *clock)
{
	int64_t raw_ns = reading_now(CLOCK_MONOTONIC_RAW);
	struct clock_line line = {
		.raw_ns = raw_ns,
		.local_ns = clock_local(clock, raw_ns),
		.drift = clock->debug.drift_ppb / 1e9,
	};

	if (clock->hardware) {
		line.drift += clock->phc.slope;
		line.error_ns = clock->phc.error_ns;
		line.skew = clock->phc.skew;
	} else if (clock->receive) {
		line.error_ns = (phc_line_error_ns(&clock->phc) + 1) / 2;
	}
	return line;
}

/* Two readings close together say more of how they were read than of the rate. */
static void clock_take_utc(struct local_clock *clock)
{
	const struct reading *reading = &clock->real.last;
	int64_t span = reading->at_ns - clock->utc.at_ns;

	if (span < CLOCK_UTC_NS)
		return;
	clock->utc_slope = (double)(reading->off_ns - clock->utc.off_ns) /
			   (double)span;
	clock->utc = *reading;
}

bool clock_utc(struct local_clock *clock, struct line *line, double *error_ns)
{
	const struct reading *reading = &clock->real.last;
	struct timex status = { 0 };

	clock_take_utc(clock);
	if (isnan(clock->utc_slope) || adjtimex(&status) < 0 ||
	    status.status & STA_UNSYNC)
		return false;
	line->at_ns = clock_local(clock, reading->at_ns);
	line->offset_ns = reading->at_ns + reading->off_ns - line->at_ns;
	line->drift_ppb = (clock->utc_slope - clock_line(clock).drift) * 1e9;
	*error_ns = (double)status.maxerror * 1000;
	return true;
}

void clock_leap(int8_t *step, uint16_t *tai)
{
	struct timex status = { 0 };

	*step = 0;
	*tai = 0;
	if (adjtimex(&status) < 0 || status.status & STA_UNSYNC)
		return;
	if (status.status & (STA_INS | STA_DEL))
		*step = status.status & STA_INS ? 1 : -1;
	if (status.tai >= LEAP_TAI_LEAST && status.tai <= LEAP_TAI_MOST)
		*tai = status.tai;
}

void clock_fall_back(struct local_clock *clock)
{
	int64_t raw_ns = reading_now(CLOCK_MONOTONIC_RAW);
	int64_t local_ns = clock_local(clock, raw_ns);

	clock->hardware = false;
	clock->receive = false;
	clock->base_ns += local_ns - clock_local(clock, raw_ns);
}
