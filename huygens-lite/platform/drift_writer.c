// SPDX-License-Identifier: GPL-2.0
/*
 * The drift file, written by the thread of writer.h while the daemon runs.
 */
#include "../../lib/log.h"
#include "drift.h"
#include "drift_writer.h"
#include "writer.h"

static void drift_writer_write(void);

/* All but the path has the writer's lock. */
static const char *drift_writer_path = "";
static double drift_writer_ppm, drift_writer_skew_ppm;
static struct writer_job drift_writer_job = { .run = drift_writer_write };

static void drift_writer_write(void)
{
	double drift_ppm, skew_ppm;
	char why[256];

	writer_lock();
	drift_ppm = drift_writer_ppm;
	skew_ppm = drift_writer_skew_ppm;
	writer_unlock();
	if (drift_write(drift_writer_path, drift_ppm, skew_ppm, why, sizeof(why)))
		log_message(LOG_LEVEL_WARNING, "%s", why);
}

void drift_writer_open(const char *path)
{
	drift_writer_path = path;
}

void drift_writer_put(double drift_ppm, double skew_ppm)
{
	if (!writer_runs())
		return;
	writer_lock();
	drift_writer_ppm = drift_ppm;
	drift_writer_skew_ppm = skew_ppm;
	writer_unlock();
	writer_wake(&drift_writer_job);
}
