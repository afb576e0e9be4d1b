// SPDX-License-Identifier: GPL-2.0
/*
 * A binary heap of events.
 */
#include "event.h"
#include "memory.h"

static inline __uint128_t event_key(const struct event *e)
{
	return (__uint128_t)e->at_ns << 64 | e->order;
}

/* By one subtraction: which of two events comes first is as good as chance to a predictor. */
static inline bool event_before(const struct event *a, const struct event *b)
{
	return event_key(a) < event_key(b);
}

static void events_push(struct events *e, const struct event *new)
{
	uint32_t place, above;

	e->heap = memory_grow(e->heap, e->count, &e->capacity, sizeof(*e->heap));
	for (place = e->count++; place; place = above) {
		above = (place - 1) / 2;
		if (!event_before(new, &e->heap[above]))
			break;
		e->heap[place] = e->heap[above];
	}
	e->heap[place] = *new;
}

void events_add(struct events *e, uint64_t at_ns, enum event_kind kind, uint32_t index)
{
	const struct event new = { at_ns, e->added++, kind, EVENT_FIFOS, index };

	events_push(e, &new);
}

/* Twice the space: what lay before the begin of the full ring moves behind its old end. */
static void events_grow_fifo(struct event_fifo *f)
{
	uint32_t old = f->capacity, i;

	f->ring = memory_grow(f->ring, old, &f->capacity, sizeof(*f->ring));
	f->begin = old ? f->begin & (old - 1) : 0;
	f->end = f->begin + old;
	for (i = 0; i < f->begin; i++)
		f->ring[old + i] = f->ring[i];
}

void events_add_fifo(struct events *e, uint32_t fifo, uint64_t at_ns, enum event_kind kind,
		     uint32_t index)
{
	const struct event new = { at_ns, e->added++, kind, fifo, index };
	struct event_fifo *f = &e->fifo[fifo];

	if (!f->active) {
		f->active = true;
		events_push(e, &new);
		return;
	}
	if (f->end - f->begin == f->capacity)
		events_grow_fifo(f);
	f->ring[f->end++ & (f->capacity - 1)] = new;
}

/* The successor of the event that was taken: the next of its FIFO, or the heap's last. */
static struct event events_replace(struct events *e, uint32_t fifo)
{
	struct event_fifo *f = &e->fifo[fifo % EVENT_FIFOS];

	if (fifo < EVENT_FIFOS && f->begin != f->end)
		return f->ring[f->begin++ & (f->capacity - 1)];
	if (fifo < EVENT_FIFOS)
		f->active = false;
	return e->heap[--e->count];
}

bool events_take(struct events *e, uint64_t until_ns, struct event *next)
{
	struct event last;
	uint32_t place, below;

	if (!e->count || e->heap[0].at_ns > until_ns)
		return false;
	*next = e->heap[0];
	last = events_replace(e, next->fifo);
	for (place = 0; (below = 2 * place + 1) < e->count; place = below) {
		if (below + 1 < e->count)
			below += event_before(&e->heap[below + 1], &e->heap[below]);
		if (!event_before(&e->heap[below], &last))
			break;
		e->heap[place] = e->heap[below];
	}
	e->heap[place] = last;
	return true;
}

void events_free(struct events *e)
{
	uint32_t i;

	for (i = 0; i < EVENT_FIFOS; i++)
		free(e->fifo[i].ring);
	free(e->heap);
	*e = (struct events){};
}
