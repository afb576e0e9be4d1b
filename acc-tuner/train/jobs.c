// SPDX-License-Identifier: GPL-2.0
/*
 * Many runs, by some processes, which take one after the other.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jobs.h"
#include "progress.h"

/**
 * struct jobs_shared - what the processes share
 * @next: the next run that nobody has taken
 * @done: runs that are done
 * @results: of all runs
 */
struct jobs_shared {
	_Atomic uint32_t next;
	_Atomic uint32_t done;
	char results[] __attribute__((aligned(64)));
};

static size_t jobs_bytes(const struct jobs *j)
{
	return sizeof(struct jobs_shared) + j->count * j->size;
}

static void jobs_work(const struct jobs *j, struct jobs_shared *shared, struct progress *progress)
{
	uint32_t i;

	while ((i = atomic_fetch_add(&shared->next, 1)) < j->count) {
		j->run(i, shared->results + i * j->size, j->context);
		atomic_fetch_add(&shared->done, 1);
		if (progress)
			progress_tell(progress, shared->done, j->count);
	}
}

/* Return: 0, or -1 if one of the others ended badly. */
static int jobs_wait(const pid_t *process, uint32_t count)
{
	int status, ret = 0;
	uint32_t i;

	for (i = 0; i < count; i++)
		if (waitpid(process[i], &status, 0) < 0 || status)
			ret = -1;
	return ret;
}

static int jobs_all(const struct jobs *j, struct jobs_shared *shared)
{
	struct progress progress = progress_begin(j->what);
	pid_t process[JOBS_MOST];
	uint32_t n;

	fflush(NULL);
	for (n = 0; n + 1 < j->processes; n++) {
		process[n] = fork();
		if (process[n] < 0)
			break;
		if (!process[n]) {
			jobs_work(j, shared, NULL);
			_exit(0);
		}
	}
	jobs_work(j, shared, &progress);
	return jobs_wait(process, n);
}

void *jobs_run(const struct jobs *j)
{
	struct jobs_shared *shared = mmap(NULL, jobs_bytes(j), PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED) {
		fputs("acc-train: out of memory\n", stderr);
		return NULL;
	}
	if (!jobs_all(j, shared))
		return shared->results;
	fprintf(stderr, "acc-train: %s: a process ended before its runs did\n", j->what);
	munmap(shared, jobs_bytes(j));
	return NULL;
}

void jobs_free(const struct jobs *j, void *results)
{
	munmap((char *)results - offsetof(struct jobs_shared, results), jobs_bytes(j));
}
