// SPDX-License-Identifier: GPL-2.0
/*
 * The local time of this host, in which all stamps are told.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>

#include "../algo/sort.h"
#include "clock.h"

/* Fewer readings do not tell how a card's clock is read. */
#define CLOCK_NOISE_SHOTS	8

/* What a test adds to REALTIME. */
static int64_t clock_real_step(const struct local_clock *clock, int64_t raw_ns)
{
	return raw_ns - clock->began_ns >= clock->debug.step_at_ns ?
		clock->debug.step_ns : 0;
}

/* What a test adds to local time. */
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
static const struct shot *clock_kept(const struct clock_real *real,
				     uint64_t back)
{
	return &real->look[(real->kept - 1 - back) % CLOCK_KEPT];
}

static void clock_keep(struct clock_real *real, const struct shot *shot)
{
	if (real->kept &&
	    shot->at_ns - clock_kept(real, 0)->at_ns < CLOCK_KEPT_NS)
		return;
	real->look[real->kept++ % CLOCK_KEPT] = *shot;
}

static bool clock_take_real(struct clock_real *real, const struct shot *shot)
{
	int64_t after = shot->at_ns - real->last.at_ns;
	int64_t span = shot->at_ns - real->anchor.at_ns;
	double off = (double)(shot->off_ns - real->last.off_ns) -
		     real->slope * (double)after;
	bool stepped = real->known &&
		       clock_is_off(off, after,
				    shot->half_ns + real->last.half_ns);

	if (!real->known || stepped) {
		real->known = true;
		real->anchor = *shot;
		real->slope = 0;
		real->kept = 0;
	} else if (span >= CLOCK_SLOPE_NS) {
		real->slope = (double)(shot->off_ns - real->anchor.off_ns) /
			      (double)span;
		real->anchor = *shot;
	}
	real->last = *shot;
	clock_keep(real, shot);
	return stepped;
}

static void clock_begin_utc(struct local_clock *clock)
{
	clock->utc = clock->real.last;
	clock->utc_slope = NAN;
}

bool clock_look(struct local_clock *clock)
{
	struct shot shot = shot_take(CLOCK_MONOTONIC_RAW, CLOCK_REALTIME);
	bool stepped;

	shot.off_ns += clock_real_step(clock, shot.at_ns);
	stepped = clock_take_real(&clock->real, &shot);
	if (stepped) {
		clock->steps++;
		clock_begin_utc(clock);
	}
	return stepped;
}

/* The reading so many before the latest. */
static const struct shot *clock_back(const struct clock_card *card,
				     uint64_t back)
{
	return &card->shot[(card->shots - 1 - back) % CLOCK_SHOTS];
}

/* How far a reading is off the line from the one before it, at a slope. */
static int64_t clock_off(const struct shot *shot, const struct shot *before,
			 double slope)
{
	return llabs(shot->off_ns - before->off_ns -
		     line_round(slope * (double)(shot->at_ns - before->at_ns)));
}

/*
 * By how much two readings in a row may differ because of how they are read: three
 * times the median of what each is off the line of the two before it.  A clock that
 * is turned is off once, so that this does not hide it.
 */
static int64_t clock_noise(const struct clock_card *card)
{
	uint64_t count = card->shots < CLOCK_SHOTS ? card->shots : CLOCK_SHOTS;
	int64_t off[CLOCK_SHOTS];
	uint64_t i;

	if (count < CLOCK_NOISE_SHOTS)
		return clock_back(card, 0)->half_ns + clock_back(card, 1)->half_ns;
	for (i = 0; i + 2 < count; i++) {
		const struct shot *before = clock_back(card, i + 1);
		const struct shot *first = clock_back(card, i + 2);
		double slope = (double)(before->off_ns - first->off_ns) /
			       fmax((double)(before->at_ns - first->at_ns), 1);

		off[i] = clock_off(clock_back(card, i), before, slope);
	}
	sort_ns(off, i);
	return 3 * off[i / 2];
}

/*
 * By how much more than how they are read the last two readings are off the line's
 * slope: another program turned the clock, and the line, of the last 3.2 s, follows
 * later.
 */
static int64_t clock_turn(struct clock_card *card)
{
	const struct shot *last, *before;
	int64_t turned_ns, after_ns;

	card->skew = 0;
	if (card->shots < 2)
		return 0;
	last = clock_back(card, 0);
	before = clock_back(card, 1);
	turned_ns = clock_off(last, before, card->slope) - clock_noise(card);
	if (turned_ns <= 0)
		return 0;
	after_ns = last->at_ns - before->at_ns;
	if (after_ns > 0)
		card->skew = (double)turned_ns / (double)after_ns;
	return turned_ns;
}

/* Least squares over the readings that there are; ends at the latest. */
static void clock_fit(struct clock_card *card)
{
	const struct shot *last = &card->shot[(card->shots - 1) % CLOCK_SHOTS];
	uint64_t count = card->shots < CLOCK_SHOTS ? card->shots : CLOCK_SHOTS;
	double mt = 0, mo = 0, tt = 0, to = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		mt += (double)(card->shot[i].at_ns - last->at_ns) / count;
		mo += (double)(card->shot[i].off_ns - last->off_ns) / count;
	}
	for (i = 0; i < count; i++) {
		double t = (double)(card->shot[i].at_ns - last->at_ns) - mt;

		tt += t * t;
		to += t * ((double)(card->shot[i].off_ns - last->off_ns) - mo);
	}
	/* A clock that was just stepped has the rate that it had. */
	if (tt > 0)
		card->slope = to / tt;
	card->at_ns = last->at_ns;
	card->off_ns = last->off_ns + line_round(mo - card->slope * mt);
	card->error_ns = last->half_ns + 1 +
			 llabs(last->off_ns - card->off_ns) + clock_turn(card);
}

static void clock_take_card(struct clock_card *card, const struct shot *shot)
{
	card->shot[card->shots++ % CLOCK_SHOTS] = *shot;
	clock_fit(card);
}

int clock_look_card(struct local_clock *clock)
{
	struct clock_card *card = &clock->phc;
	int64_t real_ns, phc_ns, half_ns, after;
	struct shot shot;
	double off;

	half_ns = card_look(&clock->card, &phc_ns, &real_ns);
	if (half_ns < 0)
		return -1;
	clock_look(clock);
	shot.at_ns = real_ns + clock_real_step(clock, clock->real.last.at_ns) -
		     clock->real.last.off_ns;
	shot.off_ns = phc_ns - shot.at_ns;
	shot.half_ns = half_ns + clock->real.last.half_ns;
	after = shot.at_ns - card->at_ns;
	off = (double)(shot.off_ns - card->off_ns) - card->slope * (double)after;
	if (card->shots && clock_is_off(off, after, shot.half_ns)) {
		clock->steps++;
		card->shots = 0;
		clock_take_card(card, &shot);
		return 1;
	}
	clock_take_card(card, &shot);
	return 0;
}

void clock_begin(struct local_clock *clock, const struct card *card,
		 const struct clock_debug *debug)
{
	memset(clock, 0, sizeof(*clock));
	clock->debug = *debug;
	clock->began_ns = shot_read(CLOCK_MONOTONIC_RAW);
	clock->card.fd = -1;
	clock_look(clock);
	clock_begin_utc(clock);
	clock->base_ns = clock->real.last.off_ns;
	if (card) {
		clock->card = *card;
		clock->hardware = true;
		clock_look_card(clock);
	}
}

int64_t clock_real_ns(const struct local_clock *clock)
{
	return shot_read(CLOCK_REALTIME) +
	       clock_real_step(clock, shot_read(CLOCK_MONOTONIC_RAW));
}

static int64_t clock_local(const struct local_clock *clock, int64_t raw_ns)
{
	const struct clock_card *card = &clock->phc;
	int64_t local_ns = raw_ns + clock->base_ns;

	if (clock->hardware)
		local_ns = raw_ns + card->off_ns +
			   line_round(card->slope *
				      (double)(raw_ns - card->at_ns));
	return clock_worse(clock, local_ns, raw_ns);
}

int clock_wake(struct local_clock *clock, int64_t asleep_ns, int64_t *shift_ns)
{
	int64_t raw_ns = shot_read(CLOCK_MONOTONIC_RAW);
	int64_t local_ns = clock_local(clock, raw_ns);
	int ret = 0;

	clock->steps++;
	/* What is read next begins another line. */
	clock->real.known = false;
	clock_look(clock);
	clock_begin_utc(clock);
	clock->base_ns += asleep_ns;
	if (clock->hardware) {
		clock->phc.shots = 0;
		ret = clock_look_card(clock);
	}
	*shift_ns = clock_local(clock, raw_ns) - local_ns - asleep_ns;
	return ret;
}

int64_t clock_now(const struct local_clock *clock)
{
	return clock_local(clock, shot_read(CLOCK_MONOTONIC_RAW));
}

/* By how much REALTIME has gone on, at a time that it showed, since a look. */
static int64_t clock_since(const struct shot *shot, int64_t real_ns)
{
	return real_ns - shot->at_ns - shot->off_ns;
}

/* By how much it was ahead then, as its line has it. */
static int64_t clock_beyond(const struct clock_real *real,
			    const struct shot *shot, int64_t real_ns)
{
	double after_ns = (double)clock_since(shot, real_ns) / (1 + real->slope);

	return shot->off_ns + line_round(real->slope * after_ns);
}

/* The same, from two looks with the time between them. */
static int64_t clock_between(const struct shot *before,
			     const struct shot *after, int64_t real_ns)
{
	double past_ns = (double)clock_since(before, real_ns);
	double left_ns = -(double)clock_since(after, real_ns);

	return before->off_ns +
	       line_round(past_ns / (past_ns + left_ns) *
			  (double)(after->off_ns - before->off_ns));
}

static int64_t clock_ahead(const struct clock_real *real, int64_t real_ns)
{
	const struct shot *after = &real->last, *before;
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

int64_t clock_of_hard(const struct local_clock *clock, int64_t card_ns)
{
	const struct clock_card *card = &clock->phc;

	return clock_worse(clock, card_ns, card_ns - card->off_ns);
}

struct clock_line clock_line(const struct local_clock *clock)
{
	int64_t raw_ns = shot_read(CLOCK_MONOTONIC_RAW);
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
	const struct shot *shot = &clock->real.last;
	int64_t span = shot->at_ns - clock->utc.at_ns;

	if (span < CLOCK_UTC_NS)
		return;
	clock->utc_slope = (double)(shot->off_ns - clock->utc.off_ns) /
			   (double)span;
	clock->utc = *shot;
}

bool clock_utc(struct local_clock *clock, struct line *line)
{
	const struct shot *shot = &clock->real.last;
	struct timex status = { 0 };

	clock_take_utc(clock);
	if (isnan(clock->utc_slope) || adjtimex(&status) < 0 ||
	    status.status & STA_UNSYNC)
		return false;
	line->at_ns = clock_local(clock, shot->at_ns);
	line->offset_ns = shot->at_ns + shot->off_ns - line->at_ns;
	line->drift_ppb = (clock->utc_slope - clock_line(clock).drift) * 1e9;
	return true;
}

void clock_fall_back(struct local_clock *clock)
{
	int64_t raw_ns = shot_read(CLOCK_MONOTONIC_RAW);
	int64_t local_ns = clock_local(clock, raw_ns);

	clock->hardware = false;
	clock->base_ns += local_ns - clock_local(clock, raw_ns);
}
