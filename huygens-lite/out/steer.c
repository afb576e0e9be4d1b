// SPDX-License-Identifier: GPL-2.0
/*
 * CLOCK_REALTIME, turned towards the common time by its frequency alone, but
 * for the first steps.  algo/servo.h says how; this carries it out.
 *
 * Before each change the clock is looked at: if its frequency is not what was
 * set last, somebody else turns it, and it is left alone until nobody does.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../algo/servo.h"
#include "system.h"
#include "driver.h"
#include "competitor.h"

#define STEER_S_NS		1000000000LL
#define STEER_FREQ_UNIT		65.536		/* of timex, in 1 ppb: 2^16 / 1000 */
#define STEER_FREQ_DOUBT	66		/* 1 ppb: the kernel rounds */
/* Microseconds in a tick at USER_HZ 100. */
#define STEER_TICK		10000
/* So many lines are refused after another turned the clock. */
#define STEER_MEDDLED_LINES	10

/**
 * struct steer - a clock that is steered
 * @servo: its state
 * @updates: windows that had counted when a line was taken last
 * @freq: of timex, as it was set or found last
 * @meddled: lines that are still refused since somebody else turned the clock
 * @after_ppb: frequency when the slew has ended
 */
struct steer {
	struct servo	servo;
	uint32_t	updates;
	long		freq;
	int		meddled;
	double		after_ppb;
};

static int steer_denied(char *why, size_t size)
{
	if (errno == EPERM)
		return fail(why, size, "steer: CAP_SYS_TIME is missing");
	return fail(why, size, "steer: clock_adjtime: %s", strerror(errno));
}

static int steer_rivalled(char *why, size_t size)
{
	char competitor[64];

	if (!competitor_find("/proc", competitor, sizeof(competitor)))
		return 0;
	fail(why, size,
	     "steer: %s also steers the clock: stop it, use mode sock, or set force = yes",
		    competitor);
	return 1;
}

static int steer_open(struct output *out, char *why, size_t size)
{
	struct timex timex = { .modes = 0 };
	struct steer *steer;

	if (!out->limits.force && steer_rivalled(why, size))
		return -1;
	if (system_discipline(&timex))
		return steer_denied(why, size);
	/* The kernel's own loops off, as ntpd would have them on. */
	timex.modes = ADJ_STATUS | ADJ_TICK;
	timex.status = STA_UNSYNC;
	timex.tick = STEER_TICK;
	if (system_discipline(&timex))
		return steer_denied(why, size);
	steer = calloc(1, sizeof(*steer));
	if (!steer)
		return fail(why, size, "steer: no memory");
	out->state = steer;
	steer->freq = timex.freq;
	steer->after_ppb = (double)timex.freq / STEER_FREQ_UNIT;
	out->fd = system_timer();
	if (out->fd < 0)
		return fail(why, size, "steer: cannot create a timer: %s", strerror(errno));
	return 0;
}

/* Is the clock as it was left?  If not, from now on it is watched from there. */
static int steer_look(struct output *out)
{
	struct steer *steer = out->state;
	struct timex timex = { .modes = 0 };

	if (system_discipline(&timex))
		return -1;
	if (labs(timex.freq - steer->freq) > STEER_FREQ_DOUBT ||
	    timex.tick != STEER_TICK) {
		steer->freq = timex.freq;
		steer->meddled = STEER_MEDDLED_LINES;
	}
	if (out->limits.force)
		steer->meddled = 0;
	return 0;
}

/* Return: 1 if the clock is somebody else's, or was a few lines ago. */
static int steer_meddled(struct output *out, char *why, size_t size)
{
	struct steer *steer = out->state;

	if (steer_look(out)) {
		steer_denied(why, size);
		return 1;
	}
	if (!steer->meddled)
		return 0;
	if (!steer_rivalled(why, size)) {
		fail(why, size,
		     "steer: another program changed the clock's frequency: stop it, or set force = yes");
		steer->meddled--;
	}
	return 1;
}

static int steer_frequency(struct output *out, double ppb, struct timex *timex)
{
	struct steer *steer = out->state;

	timex->modes |= ADJ_FREQUENCY;
	timex->freq = lround(ppb * STEER_FREQ_UNIT);
	if (system_discipline(timex))
		return -1;
	steer->freq = timex->freq;
	out->stats.frequency_ppb = llround(ppb);
	return 0;
}

static int steer_step(struct output *out, int64_t ns)
{
	struct timex timex = { .modes = ADJ_SETOFFSET | ADJ_NANO };
	int64_t below = ns % STEER_S_NS;

	/* timex has nanoseconds in tv_usec, and not below 0. */
	timex.time.tv_sec = ns / STEER_S_NS - (below < 0);
	timex.time.tv_usec = below + (below < 0 ? STEER_S_NS : 0);
	if (system_discipline(&timex))
		return -1;
	out->stats.steps++;
	return 0;
}

/* Microseconds in timex, rounded up; what it takes is 16 s at most. */
static long steer_us(int64_t ns)
{
	return ns > 16 * STEER_S_NS ? 16000000 : (ns + 999) / 1000;
}

/*
 * The kernel takes a leap second at the midnight of its own clock, and with it another offset
 * of TAI; so neither is changed while one is close.
 */
static void steer_tell(const struct output_line *line, int64_t raw_ns, struct timex *timex)
{
	int64_t common_ns = driver_common_ns(line, raw_ns);
	int tai = leap_utc_tai(&line->leap, common_ns), step;
	int64_t now_ns, real_ns;

	system_pair(&now_ns, &real_ns);
	step = leap_today(&line->leap, real_ns);
	if (step)
		timex->status |= step > 0 ? STA_INS : STA_DEL;
	if (!tai || leap_is_close(&line->leap, common_ns, LEAP_CLOSE_NS))
		return;
	timex->modes |= ADJ_TAI;
	timex->constant = tai;
}

/* Applications that read the kernel's maximum error build on it: it has asymmetry, too. */
static int steer_obey(struct output *out, const struct servo_command *command,
		      int64_t missing_ns, const struct output_line *line, int64_t raw_ns)
{
	struct steer *steer = out->state;
	struct timex timex = { .modes = ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR };
	int64_t left_ns;

	steer_tell(line, raw_ns, &timex);
	if (command->step && steer_step(out, command->step_ns))
		return -1;
	left_ns = missing_ns - (command->step ? command->step_ns : 0);
	timex.esterror = steer_us(driver_error_ns(line, raw_ns));
	timex.maxerror = steer_us(driver_max_error_ns(line, raw_ns) + llabs(left_ns));
	if (steer_frequency(out, command->frequency_ppb, &timex))
		return -1;
	steer->after_ppb = command->after_ppb;
	out->stats.remaining_ns = left_ns;
	return 0;
}

static double steer_near(double x, double middle, double most)
{
	return fmin(fmax(x, middle - most), middle + most);
}

/* The servo's slew and the common time's own are one in the clock's view. */
static void steer_limit(struct servo_command *command, double drift_ppb,
			double max_slew_ppb)
{
	double middle = steer_near(drift_ppb, 0, SERVO_FREQUENCY_MOST_PPB);

	command->frequency_ppb = steer_near(command->frequency_ppb, middle,
					    max_slew_ppb);
	command->after_ppb = steer_near(command->after_ppb, middle,
					max_slew_ppb);
}

static int steer_line(struct output *out, const struct output_line *line,
		      char *why, size_t size)
{
	const struct servo_params params = {
		.step_ns = out->limits.step_ns,
		.step_updates = out->limits.step_updates,
		.max_slew_ppb = (double)out->limits.max_slew_ppb,
		.window_ns = out->limits.window_ns,
	};
	struct steer *steer = out->state;
	struct servo servo = steer->servo;
	struct servo_command command;
	int64_t raw_ns, real_ns, missing_ns;

	if (steer_meddled(out, why, size))
		return -1;
	system_pair(&raw_ns, &real_ns);
	missing_ns = driver_missing_ns(line, raw_ns, real_ns);
	command = servo_update(&servo, &params, raw_ns, missing_ns,
			       line->drift * 1e9);
	steer_limit(&command, (line->drift - line->slew) * 1e9,
		    params.max_slew_ppb);
	/* The first windows may step, in however many lines they arrive. */
	if (!line->updates || line->updates == steer->updates)
		servo.updates = steer->servo.updates;
	if (steer_obey(out, &command, missing_ns, line, raw_ns))
		return steer_denied(why, size);
	/* Only now: a line that was refused is published again, and uses up no step. */
	steer->servo = servo;
	steer->updates = line->updates;
	system_set_timer(out->fd, command.until_ns > raw_ns ?
				 command.until_ns - raw_ns : 0);
	return 0;
}

/* No line came before the slew was over. */
static void steer_work(struct output *out)
{
	struct steer *steer = out->state;
	struct timex timex = { .modes = 0 };

	system_set_timer(out->fd, 0);
	if (steer_look(out) || steer->meddled ||
	    steer_frequency(out, steer->after_ppb, &timex))
		return;
	steer->servo.slewing = 0;
	out->stats.remaining_ns = 0;
}

static void steer_lost(struct output *out)
{
	struct timex timex = { .modes = ADJ_STATUS, .status = STA_UNSYNC };
	struct steer *steer = out->state;

	steer_work(out);
	if (!steer->meddled)
		system_discipline(&timex);
}

/* By how much the clock is turned, and stays turned if nobody ends it. */
static int64_t steer_rate_ppb(const struct output *out, const struct output_line *line)
{
	return llabs(out->stats.frequency_ppb - llround(line->drift * 1e9)) + 1;
}

static void steer_close(struct output *out)
{
	if (out->fd >= 0)
		close(out->fd);
	free(out->state);
}

const struct output_driver output_steer = {
	.open = steer_open,
	.line = steer_line,
	.work = steer_work,
	.lost = steer_lost,
	.close = steer_close,
	.rate_ppb = steer_rate_ppb,
};
