/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Progress of what takes long, on standard error.
 */
#ifndef ACC_TRAIN_PROGRESS_H
#define ACC_TRAIN_PROGRESS_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* Seconds without a line. */
#define PROGRESS_EVERY_S	5

/**
 * struct progress - what was reported
 * @what: of what
 * @begin_s: when it began
 * @last_s: when the last line was written
 */
struct progress {
	const char *what;
	int64_t begin_s;
	int64_t last_s;
};

static inline int64_t progress_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/**
 * progress_begin() - it begins
 * @what: of what
 *
 * Return: the progress.
 */
static inline struct progress progress_begin(const char *what)
{
	int64_t now = progress_now();

	return (struct progress){ what, now, now };
}

/**
 * progress_tell() - write a line if the last one is long ago
 * @p: the progress
 * @done: how much is done
 * @all: of how much, above 0
 */
static inline void progress_tell(struct progress *p, uint64_t done, uint64_t all)
{
	int64_t now = progress_now();

	if (now - p->last_s < PROGRESS_EVERY_S)
		return;
	p->last_s = now;
	fprintf(stderr, "%s: %llu of %llu after %lld s\n", p->what, (unsigned long long)done,
		(unsigned long long)all, (long long)(now - p->begin_s));
}

#endif /* ACC_TRAIN_PROGRESS_H */
