// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks ordered by time, with one timer
 *
 * A binary heap. The order of tasks with equal times depends on nothing but
 * the calls made, so runs are reproducible.
 */
#include <stdlib.h>

#include "schedule.h"
#include "loop.h"
#include "parse.h"

/* A task due this soon runs now: a return to user space is expensive in the lab. */
#define EARLY_NS	2000

static struct {
	struct task **heap;	/* from 1 */
	size_t n;
	u64 armed;		/* what the timer is set to */
	bool running;
	struct watch timer;
} schedule;

static void put(size_t place, struct task *t)
{
	schedule.heap[place] = t;
	t->place = place;
}

/* Let a task rise or sink from a place to where it belongs. */
static void settle(size_t place, struct task *t)
{
	size_t child;

	for (; place > 1 && schedule.heap[place / 2]->at > t->at; place /= 2)
		put(place, schedule.heap[place / 2]);
	while ((child = 2 * place) <= schedule.n) {
		if (child < schedule.n && schedule.heap[child + 1]->at < schedule.heap[child]->at)
			child++;
		if (schedule.heap[child]->at >= t->at)
			break;
		put(place, schedule.heap[child]);
		place = child;
	}
	put(place, t);
}

static void arm(void)
{
	u64 next = schedule.n ? schedule.heap[1]->at : UINT64_MAX;

	/* A timer that fires too early finds nothing to do, which costs less. */
	if (schedule.running || next >= schedule.armed)
		return;
	schedule.armed = next;
	timer_at(&schedule.timer, next);
}

static void timer_ready(struct watch *w, u32 events)
{
	u64 now = clock_now();
	struct task *t;

	(void)w;
	(void)events;
	schedule.running = true;
	while (schedule.n && schedule.heap[1]->at <= now + EARLY_NS) {
		t = schedule.heap[1];
		schedule_drop(t);
		t->due(t, t->at > now ? t->at : now);
	}
	schedule.running = false;
	schedule.armed = UINT64_MAX;
	arm();
}

int schedule_open(size_t size)
{
	schedule.heap = calloc(size + 1, sizeof(struct task *));
	if (!schedule.heap)
		return complain(NULL, "out of memory");
	schedule.armed = UINT64_MAX;
	schedule.timer.ready = timer_ready;
	return timer_open(&schedule.timer);
}

void schedule_set(struct task *t, u64 at)
{
	t->at = at;
	settle(t->place ? t->place : ++schedule.n, t);
	arm();
}

void schedule_drop(struct task *t)
{
	size_t place = t->place;
	struct task *last;

	if (!place)
		return;
	t->place = 0;
	last = schedule.heap[schedule.n--];
	if (last != t)
		settle(place, last);
}
