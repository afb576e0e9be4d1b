// SPDX-License-Identifier: GPL-2.0
/*
 * What is to be done when: many times, one timer
 *
 * A binary heap by time. Tasks of the same time are done in an order that
 * depends on nothing but the calls made, so that runs repeat.
 */
#include <stdlib.h>

#include "agenda.h"
#include "loop.h"
#include "parse.h"

/* What is due so soon is done now: a return to user space is dear in the lab. */
#define EARLY_NS	2000

static struct {
	struct task **heap;	/* from 1 */
	size_t n;
	u64 armed;		/* what the timer is set to */
	bool running;
	struct watch timer;
} agenda;

static void put(size_t place, struct task *t)
{
	agenda.heap[place] = t;
	t->place = place;
}

/* Let a task rise or sink from a place to where it belongs. */
static void settle(size_t place, struct task *t)
{
	size_t child;

	for (; place > 1 && agenda.heap[place / 2]->at > t->at; place /= 2)
		put(place, agenda.heap[place / 2]);
	while ((child = 2 * place) <= agenda.n) {
		if (child < agenda.n && agenda.heap[child + 1]->at < agenda.heap[child]->at)
			child++;
		if (agenda.heap[child]->at >= t->at)
			break;
		put(place, agenda.heap[child]);
		place = child;
	}
	put(place, t);
}

static void arm(void)
{
	u64 next = agenda.n ? agenda.heap[1]->at : UINT64_MAX;

	/* A timer that fires too early finds nothing to do, which costs less. */
	if (agenda.running || next >= agenda.armed)
		return;
	agenda.armed = next;
	timer_at(&agenda.timer, next);
}

static void timer_ready(struct watch *w, u32 events)
{
	u64 now = clock_now();
	struct task *t;

	(void)w;
	(void)events;
	agenda.running = true;
	while (agenda.n && agenda.heap[1]->at <= now + EARLY_NS) {
		t = agenda.heap[1];
		agenda_drop(t);
		t->due(t, t->at > now ? t->at : now);
	}
	agenda.running = false;
	agenda.armed = UINT64_MAX;
	arm();
}

int agenda_open(size_t room)
{
	agenda.heap = calloc(room + 1, sizeof(struct task *));
	if (!agenda.heap)
		return complain(NULL, "out of memory");
	agenda.armed = UINT64_MAX;
	agenda.timer.ready = timer_ready;
	return timer_open(&agenda.timer);
}

void agenda_set(struct task *t, u64 at)
{
	t->at = at;
	settle(t->place ? t->place : ++agenda.n, t);
	arm();
}

void agenda_drop(struct task *t)
{
	size_t place = t->place;
	struct task *last;

	if (!place)
		return;
	t->place = 0;
	last = agenda.heap[agenda.n--];
	if (last != t)
		settle(place, last);
}
