/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The thread that writes files while the daemon runs.  A disk may block for seconds;
 * probes, the coordinator and the published line must not wait for it.
 */
#ifndef HUYGENS_WRITER_H
#define HUYGENS_WRITER_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct writer_job - what is written for one user of the thread
 * @run: writes it; called by the thread, without the lock
 * @next: the writer's own, as what follows
 * @known: it is in the writer's list
 * @waits: @run is to be called
 */
struct writer_job {
	void (*run)(void);
	struct writer_job *next;
	bool known;
	bool waits;
};

/**
 * writer_begin() - begin
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Call before system calls are filtered, by which no thread begins any more, and
 * with the rights and blocked signals that are the thread's from then on.
 *
 * Return: 0 or -1.
 */
int writer_begin(char *why, size_t size);

/**
 * writer_runs() - has it begun, and not ended?
 *
 * Context: the thread that called writer_begin().
 * Return: true if so.
 */
bool writer_runs(void);

/**
 * writer_wake() - have a job run, some time; does not wait
 * @job: the job, which must live until writer_end()
 *
 * A job that waits already runs once for both calls.  Without a thread it runs now.
 */
void writer_wake(struct writer_job *job);

/** writer_lock() - lock the data that users and their jobs share; held briefly */
void writer_lock(void);

/** writer_unlock() - unlock them */
void writer_unlock(void);

/**
 * writer_end() - wait until all jobs that wait have run, and end
 */
void writer_end(void);

#endif /* HUYGENS_WRITER_H */
