// SPDX-License-Identifier: GPL-2.0
/*
 * The thread that writes files while the daemon runs.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "writer.h"

/**
 * struct writer - the thread
 * @lock: of all that follows, and of what users share with their jobs
 * @changed: a job waits, the thread began, or it is to end
 * @thread: the thread, if @runs
 * @jobs: all that were ever woken, the first one first
 * @end: where the next is added
 * @runs: the thread began
 * @ends: it is to end when no job waits
 */
static struct writer {
	pthread_mutex_t		lock;
	pthread_cond_t		changed;
	pthread_t		thread;
	struct writer_job	*jobs;
	struct writer_job	**end;
	bool			runs;
	bool			ends;
} writer = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.changed = PTHREAD_COND_INITIALIZER,
	.end = &writer.jobs,
};

void writer_lock(void)
{
	pthread_mutex_lock(&writer.lock);
}

void writer_unlock(void)
{
	pthread_mutex_unlock(&writer.lock);
}

static struct writer_job *writer_next(void)
{
	struct writer_job *job;

	for (job = writer.jobs; job && !job->waits; job = job->next)
		;
	return job;
}

static void *writer_run(void *data)
{
	struct writer_job *job;

	writer_lock();
	writer.runs = true;
	pthread_cond_broadcast(&writer.changed);
	while ((job = writer_next()) || !writer.ends) {
		if (!job) {
			pthread_cond_wait(&writer.changed, &writer.lock);
			continue;
		}
		job->waits = false;
		writer_unlock();
		job->run();
		writer_lock();
	}
	writer_unlock();
	return data;
}

int writer_begin(char *why, size_t size)
{
	int err;

	writer.ends = false;
	err = pthread_create(&writer.thread, NULL, writer_run, NULL);
	if (err) {
		snprintf(why, size, "cannot create a thread that writes files: %s", strerror(err));
		return -1;
	}
	/* It makes system calls at its beginning that none may make later. */
	writer_lock();
	while (!writer.runs)
		pthread_cond_wait(&writer.changed, &writer.lock);
	writer_unlock();
	return 0;
}

bool writer_runs(void)
{
	return writer.runs;
}

void writer_wake(struct writer_job *job)
{
	if (!writer.runs) {
		job->run();
		return;
	}
	writer_lock();
	if (!job->known) {
		*writer.end = job;
		writer.end = &job->next;
		job->known = true;
	}
	job->waits = true;
	pthread_cond_broadcast(&writer.changed);
	writer_unlock();
}

void writer_end(void)
{
	if (!writer.runs)
		return;
	writer_lock();
	writer.ends = true;
	pthread_cond_broadcast(&writer.changed);
	writer_unlock();
	pthread_join(writer.thread, NULL);
	writer.runs = false;
}
