// SPDX-License-Identifier: GPL-2.0
/*
 * Who writes the drift file while the daemon runs.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "drift.h"
#include "keeper.h"
#include "log.h"

/**
 * struct keeper - the thread, and what it is told
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
static struct keeper {
	pthread_mutex_t	lock;
	pthread_cond_t	turn;
	pthread_t	thread;
	const char	*path;
	double		drift_ppm;
	double		skew_ppm;
	bool		waits;
	bool		runs;
	bool		ends;
} keeper = { .lock = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_COND_INITIALIZER };

/* Called and returns with the lock; not held while the disk is waited for. */
static void keeper_write(void)
{
	double drift_ppm = keeper.drift_ppm, skew_ppm = keeper.skew_ppm;
	char why[256];

	keeper.waits = false;
	pthread_mutex_unlock(&keeper.lock);
	if (drift_write(keeper.path, drift_ppm, skew_ppm, why, sizeof(why)))
		say(CONF_LEVEL_WARNING, "%s", why);
	pthread_mutex_lock(&keeper.lock);
}

static void *keeper_run(void *data)
{
	pthread_mutex_lock(&keeper.lock);
	keeper.runs = true;
	pthread_cond_broadcast(&keeper.turn);
	while (keeper.waits || !keeper.ends) {
		if (keeper.waits)
			keeper_write();
		else
			pthread_cond_wait(&keeper.turn, &keeper.lock);
	}
	pthread_mutex_unlock(&keeper.lock);
	return data;
}

int keeper_begin(const char *path, char *why, size_t size)
{
	int err;

	if (!*path)
		return 0;
	keeper.path = path;
	keeper.ends = false;
	keeper.waits = false;
	err = pthread_create(&keeper.thread, NULL, keeper_run, NULL);
	if (err) {
		snprintf(why, size, "cannot create a thread to write %s: %s", path,
			 strerror(err));
		return -1;
	}
	/* It makes system calls at its beginning that none may make later. */
	pthread_mutex_lock(&keeper.lock);
	while (!keeper.runs)
		pthread_cond_wait(&keeper.turn, &keeper.lock);
	pthread_mutex_unlock(&keeper.lock);
	return 0;
}

void keeper_keep(double drift_ppm, double skew_ppm)
{
	if (!keeper.runs)
		return;
	pthread_mutex_lock(&keeper.lock);
	keeper.drift_ppm = drift_ppm;
	keeper.skew_ppm = skew_ppm;
	keeper.waits = true;
	pthread_cond_broadcast(&keeper.turn);
	pthread_mutex_unlock(&keeper.lock);
}

void keeper_end(void)
{
	if (!keeper.runs)
		return;
	pthread_mutex_lock(&keeper.lock);
	keeper.ends = true;
	pthread_cond_broadcast(&keeper.turn);
	pthread_mutex_unlock(&keeper.lock);
	pthread_join(keeper.thread, NULL);
	keeper.runs = false;
}
