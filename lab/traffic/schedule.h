/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks ordered by time, with one timer
 */
#ifndef FLOWGEN_SCHEDULE_H
#define FLOWGEN_SCHEDULE_H

#include "types.h"

/**
 * struct task - something to do at a time; embed it, zeroed
 * @at: when, ns of CLOCK_MONOTONIC
 * @due: called once then, with the time; it may set the task again
 * @place: used by the schedule; 0: not on it
 */
struct task {
	u64 at;
	void (*due)(struct task *t, u64 now);
	size_t place;
};

/**
 * schedule_open() - make the schedule
 * @size: tasks that may be on it at a time
 *
 * Return: 0, or -1 after a message.
 */
int schedule_open(size_t size);

/**
 * schedule_set() - put a task on the schedule, or move it
 * @t: task
 * @at: when; a time gone by is at once
 *
 * A task may be done up to 2 us early, together with others; it receives its
 * own time then, so that what it reckons does not depend on that.
 */
void schedule_set(struct task *t, u64 at);

/**
 * schedule_drop() - take a task off the schedule, if it is on it
 * @t: task
 */
void schedule_drop(struct task *t);

#endif
