// SPDX-License-Identifier: GPL-2.0
/*
 * The clock device from which the daemon takes UTC.
 */
#include <errno.h>
#include <string.h>

#include "../../lib/log.h"
#include "engine_private.h"

static bool engine_has_phc(const struct engine *engine)
{
	return *engine->conf.phc && conf_has_utc(&engine->conf);
}

/* Return: 0, or -1 with a message. */
static int engine_try_phc(struct engine *engine, char *why, size_t size)
{
	engine->phc_ns = reading_now(CLOCK_MONOTONIC_RAW) + ENGINE_PHC_NS;
	if (utc_clock_open(&engine->utc_clock, engine->conf.phc, why, size))
		return -1;
	log_message(LOG_LEVEL_INFO, "UTC is taken from %s, by %s readings", engine->conf.phc,
		    phc_method_name(engine->utc_clock.phc.method));
	return 0;
}

void engine_open_phc(struct engine *engine)
{
	char why[256];

	if (!engine_has_phc(engine) || !engine_try_phc(engine, why, sizeof(why)))
		return;
	log_message(LOG_LEVEL_WARNING, "[node] phc: %s: this host reports no UTC%s", why,
		    errno == EACCES || errno == EPERM ?
		    "; the user of [security] user needs the group of the device" : "");
}

/* A driver that was reset makes a new device. */
static void engine_seek_phc(struct engine *engine)
{
	char why[256];

	if (engine->utc_clock.lost && engine->phc_ns <= reading_now(CLOCK_MONOTONIC_RAW))
		engine_try_phc(engine, why, sizeof(why));
}

void engine_sample_phc(struct engine *engine)
{
	struct utc_clock *utc = &engine->utc_clock;

	if (!engine_has_phc(engine))
		return;
	engine_seek_phc(engine);
	switch (utc_clock_sample(utc, &engine->clock)) {
	case UTC_CLOCK_STEPPED:
		log_message(LOG_LEVEL_WARNING,
			    "the clock of %s was stepped by %.6f s: UTC is unknown until its readings make a line",
			    engine->conf.phc, (double)utc->step_ns / ENGINE_NS);
		break;
	case UTC_CLOCK_LOST:
		log_message(LOG_LEVEL_WARNING, "%s: %s: this host reports no UTC",
			    engine->conf.phc, strerror(utc->error));
		break;
	case UTC_CLOCK_BACK:
		log_message(LOG_LEVEL_INFO, "%s can be read", engine->conf.phc);
		break;
	case UTC_CLOCK_QUIET:
		break;
	}
}
