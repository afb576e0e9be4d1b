// SPDX-License-Identifier: GPL-2.0
/*
 * A binary heap of events.
 */
#include "event.h"
#include "memory.h"

static inline bool event_before(const struct event *a, const struct event *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

void events_add(struct events *e, uint64_t at_ns, enum event_kind kind, uint32_t index)
{
	const struct event new = { at_ns, e->added++, kind, index };
	uint32_t place, above;

	e->heap = memory_grow(e->heap, e->count, &e->room, sizeof(*e->heap));
	for (place = e->count++; place; place = above) {
		above = (place - 1) / 2;
		if (!event_before(&new, &e->heap[above]))
			break;
		e->heap[place] = e->heap[above];
	}
	e->heap[place] = new;
}

bool events_take(struct events *e, uint64_t until_ns, struct event *next)
{
	struct event last;
	uint32_t place, below;

	if (!e->count || e->heap[0].at_ns > until_ns)
		return false;
	*next = e->heap[0];
	last = e->heap[--e->count];
	for (place = 0; (below = 2 * place + 1) < e->count; place = below) {
		if (below + 1 < e->count && event_before(&e->heap[below + 1], &e->heap[below]))
			below++;
		if (!event_before(&e->heap[below], &last))
			break;
		e->heap[place] = e->heap[below];
	}
	e->heap[place] = last;
	return true;
}

void events_free(struct events *e)
{
	free(e->heap);
	*e = (struct events){};
}
