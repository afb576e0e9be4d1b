// SPDX-License-Identifier: GPL-2.0
/*
 * The thread that writes the drift file while the daemon runs.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/log.h"
#include "drift.h"
#include "drift_writer.h"

/**
 * struct drift_writer - the thread, and its arguments
 * @lock: of all that follows
 * @turn: of the condition that anything changed
 * @thread: the thread, if @runs
 * @path: of the file
 * @drift_ppm: to be written, if @waits
 * @skew_ppm: same
 * @waits: there is something to be written
 * @runs: the thread began
 * @ends: it is to end when nothing waits
 */
static struct drift_writer {
	pthread_mutex_t	lock;
	pthread_cond_t	turn;
	pthread_t	thread;
	const char	*path;
	double		drift_ppm;
	double		skew_ppm;
	bool		waits;
	bool		runs;
	bool		ends;
} drift_writer = { .lock = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_COND_INITIALIZER };

/* Called and returns with the lock; not held while the disk is waited for. */
static void drift_writer_write(void)
{
	double drift_ppm = drift_writer.drift_ppm, skew_ppm = drift_writer.skew_ppm;
	char why[256];

	drift_writer.waits = false;
	pthread_mutex_unlock(&drift_writer.lock);
	if (drift_write(drift_writer.path, drift_ppm, skew_ppm, why, sizeof(why)))
		log_message(LOG_LEVEL_WARNING, "%s", why);
	pthread_mutex_lock(&drift_writer.lock);
}

static void *drift_writer_run(void *data)
{
	pthread_mutex_lock(&drift_writer.lock);
	drift_writer.runs = true;
	pthread_cond_broadcast(&drift_writer.turn);
	while (drift_writer.waits || !drift_writer.ends) {
		if (drift_writer.waits)
			drift_writer_write();
		else
			pthread_cond_wait(&drift_writer.turn, &drift_writer.lock);
	}
	pthread_mutex_unlock(&drift_writer.lock);
	return data;
}

int drift_writer_begin(const char *path, char *why, size_t size)
{
	int err;

	if (!*path)
		return 0;
	drift_writer.path = path;
	drift_writer.ends = false;
	drift_writer.waits = false;
	err = pthread_create(&drift_writer.thread, NULL, drift_writer_run, NULL);
	if (err) {
		snprintf(why, size, "cannot create a thread to write %s: %s", path,
			 strerror(err));
		return -1;
	}
	/* It makes system calls at its beginning that none may make later. */
	pthread_mutex_lock(&drift_writer.lock);
	while (!drift_writer.runs)
		pthread_cond_wait(&drift_writer.turn, &drift_writer.lock);
	pthread_mutex_unlock(&drift_writer.lock);
	return 0;
}

void drift_writer_put(double drift_ppm, double skew_ppm)
{
	if (!drift_writer.runs)
		return;
	pthread_mutex_lock(&drift_writer.lock);
	drift_writer.drift_ppm = drift_ppm;
	drift_writer.skew_ppm = skew_ppm;
	drift_writer.waits = true;
	pthread_cond_broadcast(&drift_writer.turn);
	pthread_mutex_unlock(&drift_writer.lock);
}

void drift_writer_end(void)
{
	if (!drift_writer.runs)
		return;
	pthread_mutex_lock(&drift_writer.lock);
	drift_writer.ends = true;
	pthread_cond_broadcast(&drift_writer.turn);
	pthread_mutex_unlock(&drift_writer.lock);
	pthread_join(drift_writer.thread, NULL);
	drift_writer.runs = false;
}
