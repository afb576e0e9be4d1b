// SPDX-License-Identifier: GPL-2.0
/*
 * The local time of this host, in which all stamps are expressed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>

#include "../algo/sort.h"
#include "clock.h"

/* Fewer readings do not tell how a NIC's clock is read. */
#define CLOCK_NOISE_SHOTS	8

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

static bool clock_is_off(double off_ns, int64_t after_ns, int64_t unsure_ns)
{
	double most = CLOCK_STEP_NS + unsure_ns +
		      CLOCK_TURN_PPB / 1e9 * (double)after_ns;

	return off_ns > most || off_ns < -most;
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
		       clock_is_off(off, after,
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

/* The reading so many before the latest. */
static const struct reading *clock_back(const struct clock_nic *nic,
					uint64_t back)
{
	return &nic->reading[(nic->readings - 1 - back) % CLOCK_READINGS];
}

/* How far a reading is off the line from the one before it, at a slope. */
static int64_t clock_off(const struct reading *reading, const struct reading *before,
			 double slope)
{
	return llabs(reading->off_ns - before->off_ns -
		     line_round(slope * (double)(reading->at_ns - before->at_ns)));
}

/*
 * By how much two readings in a row may differ because of how they are read: three
 * times the median of what each is off the line of the two before it.  A clock that
 * is turned is off once, so that this does not hide it.
 */
static int64_t clock_noise(const struct clock_nic *nic)
{
	uint64_t count = nic->readings < CLOCK_READINGS ? nic->readings : CLOCK_READINGS;
	int64_t off[CLOCK_READINGS];
	uint64_t i;

	if (count < CLOCK_NOISE_SHOTS)
		return clock_back(nic, 0)->half_ns + clock_back(nic, 1)->half_ns;
	for (i = 0; i + 2 < count; i++) {
		const struct reading *before = clock_back(nic, i + 1);
		const struct reading *first = clock_back(nic, i + 2);
		double slope = (double)(before->off_ns - first->off_ns) /
			       fmax((double)(before->at_ns - first->at_ns), 1);

		off[i] = clock_off(clock_back(nic, i), before, slope);
	}
	sort_ns(off, i);
	return 3 * off[i / 2];
}

/*
 * By how much more than how they are read the last two readings are off the line's
 * slope: another program turned the clock, and the line, of the last 3.2 s, follows
 * later.
 */
static int64_t clock_turn(struct clock_nic *nic)
{
	const struct reading *last, *before;
	int64_t turned_ns, after_ns;

	nic->skew = 0;
	if (nic->readings < 2)
		return 0;
	last = clock_back(nic, 0);
	before = clock_back(nic, 1);
	turned_ns = clock_off(last, before, nic->slope) - clock_noise(nic);
	if (turned_ns <= 0)
		return 0;
	after_ns = last->at_ns - before->at_ns;
	if (after_ns > 0)
		nic->skew = (double)turned_ns / (double)after_ns;
	return turned_ns;
}

/* Least squares over the readings that there are; ends at the latest. */
static void clock_fit(struct clock_nic *nic)
{
	const struct reading *last = &nic->reading[(nic->readings - 1) % CLOCK_READINGS];
	uint64_t count = nic->readings < CLOCK_READINGS ? nic->readings : CLOCK_READINGS;
	double mt = 0, mo = 0, tt = 0, to = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		mt += (double)(nic->reading[i].at_ns - last->at_ns) / count;
		mo += (double)(nic->reading[i].off_ns - last->off_ns) / count;
	}
	for (i = 0; i < count; i++) {
		double t = (double)(nic->reading[i].at_ns - last->at_ns) - mt;

		tt += t * t;
		to += t * ((double)(nic->reading[i].off_ns - last->off_ns) - mo);
	}
	/* A clock that was just stepped has the rate that it had. */
	if (tt > 0)
		nic->slope = to / tt;
	nic->at_ns = last->at_ns;
	nic->off_ns = last->off_ns + line_round(mo - nic->slope * mt);
	nic->error_ns = last->half_ns + 1 +
			llabs(last->off_ns - nic->off_ns) + clock_turn(nic);
}

static void clock_take_nic(struct clock_nic *nic, const struct reading *reading)
{
	nic->reading[nic->readings++ % CLOCK_READINGS] = *reading;
	clock_fit(nic);
}

int clock_sample_nic(struct local_clock *clock)
{
	struct clock_nic *nic = &clock->phc;
	int64_t real_ns, phc_ns, half_ns, after;
	struct reading reading;
	double off;

	half_ns = nic_sample(&clock->nic, &phc_ns, &real_ns);
	if (half_ns < 0)
		return -1;
	clock_sample(clock);
	reading.at_ns = real_ns + clock_real_step(clock, clock->real.last.at_ns) -
			clock->real.last.off_ns;
	reading.off_ns = phc_ns - reading.at_ns;
	reading.half_ns = half_ns + clock->real.last.half_ns;
	after = reading.at_ns - nic->at_ns;
	off = (double)(reading.off_ns - nic->off_ns) - nic->slope * (double)after;
	if (nic->readings && clock_is_off(off, after, reading.half_ns)) {
		clock->steps++;
		nic->readings = 0;
		clock_take_nic(nic, &reading);
		return 1;
	}
	clock_take_nic(nic, &reading);
	return 0;
}

void clock_begin(struct local_clock *clock, const struct nic *nic,
		 const struct clock_debug *debug)
{
	memset(clock, 0, sizeof(*clock));
	clock->debug = *debug;
	clock->began_ns = reading_now(CLOCK_MONOTONIC_RAW);
	clock->nic.fd = -1;
	clock_sample(clock);
	clock_begin_utc(clock);
	clock->base_ns = clock->real.last.off_ns;
	if (nic) {
		clock->nic = *nic;
		clock->hardware = true;
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
	const struct clock_nic *nic = &clock->phc;
	int64_t local_ns = raw_ns + clock->base_ns;

	if (clock->hardware)
		local_ns = raw_ns + nic->off_ns +
			   line_round(nic->slope *
				      (double)(raw_ns - nic->at_ns));
	return clock_worse(clock, local_ns, raw_ns);
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
	if (clock->hardware) {
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

int64_t clock_of_hard(const struct local_clock *clock, int64_t nic_ns)
{
	const struct clock_nic *nic = &clock->phc;

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

void clock_fall_back(struct local_clock *clock)
{
	int64_t raw_ns = reading_now(CLOCK_MONOTONIC_RAW);
	int64_t local_ns = clock_local(clock, raw_ns);

	clock->hardware = false;
	clock->base_ns += local_ns - clock_local(clock, raw_ns);
}
