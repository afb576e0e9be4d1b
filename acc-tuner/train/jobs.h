/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many runs that do not depend on each other, by some processes.
 */
#ifndef ACC_TRAIN_JOBS_H
#define ACC_TRAIN_JOBS_H

#include <stddef.h>
#include <stdint.h>

#define JOBS_MOST	64

/**
 * struct jobs - what is to be done
 * @what: for progress, such as "gate"
 * @count: how many runs
 * @processes: how many at a time, 1 to JOBS_MOST
 * @size: bytes of a result
 * @run: does one: its number, where its result is to be written, @context
 * @context: for @run
 */
struct jobs {
	const char *what;
	uint32_t count;
	uint32_t processes;
	size_t size;
	void (*run)(uint32_t i, void *result, const void *context);
	const void *context;
};

/**
 * jobs_run() - do all of them
 * @j: what; progress goes to standard error once it takes longer than 5 s
 *
 * Return: results, by number, whichever process they are from; jobs_free() frees them.  NULL
 * after a message.
 */
void *jobs_run(const struct jobs *j);

/**
 * jobs_free() - free results
 * @j: what was done
 * @results: of jobs_run()
 */
void jobs_free(const struct jobs *j, void *results);

#endif /* ACC_TRAIN_JOBS_H */
