// SPDX-License-Identifier: GPL-2.0
/*
 * What comes from a neighbour: stamps of both ends of a pair, met again.
 */
#include <stdlib.h>
#include <string.h>

#include "collector.h"

int collector_make(struct collector *collector, uint32_t room)
{
	int i;

	collector->room = room;
	for (i = 0; i < 2; i++) {
		collector->window[i].pair =
			calloc(room, sizeof(*collector->window[i].pair));
		if (!collector->window[i].pair)
			return -1;
	}
	return 0;
}

int collector_grow(struct collector *collector, uint32_t room)
{
	struct guard_pair *pair;
	int i;

	for (i = 0; i < 2; i++) {
		pair = reallocarray(collector->window[i].pair, room, sizeof(*pair));
		if (!pair)
			return -1;
		collector->window[i].pair = pair;
	}
	collector->room = room;
	return 0;
}

struct collector_window *collector_window(struct collector *collector,
					  uint64_t window)
{
	struct collector_window *w = &collector->window[window % 2];

	return w->number == window ? w : NULL;
}

/* The window of this number, which replaces the one two before it. */
static struct collector_window *collector_open(struct collector *collector,
					       uint64_t window)
{
	struct collector_window *w = &collector->window[window % 2];

	if (w->number != window) {
		w->number = window;
		w->count = 0;
		w->arrived = 0;
		w->full = 0;
	}
	return w;
}

static struct collector_arrival *collector_find(struct collector *collector,
						uint32_t number)
{
	struct collector_arrival *arrival =
		&collector->arrival[number % COLLECTOR_WAITING];

	return number && arrival->number == number ? arrival : NULL;
}

/* Its place among those that wait, which the oldest leaves. */
static struct collector_arrival *collector_place(struct collector *collector,
						 const struct wire_probe *probe)
{
	struct collector_arrival *arrival =
		collector_find(collector, probe->pair);

	/* A neighbour that began anew begins at 1 again. */
	if (arrival && arrival->window == probe->window)
		return arrival;
	arrival = &collector->arrival[probe->pair % COLLECTOR_WAITING];
	*arrival = (struct collector_arrival){
		.number = probe->pair, .window = probe->window,
		.rx = { WIRE_NO_TIME, WIRE_NO_TIME },
	};
	collector_open(collector, probe->window)->arrived++;
	return arrival;
}

static void collector_keep(struct collector *collector,
			   const struct collector_arrival *arrival,
			   const int64_t tx[2])
{
	struct collector_window *w = collector_window(collector,
						      arrival->window);
	struct guard_pair *pair;

	if (!w)
		return;
	if (w->count == collector->room) {
		w->full++;
		return;
	}
	pair = &w->pair[w->count++];
	memcpy(pair->tx_ns, tx, sizeof(pair->tx_ns));
	memcpy(pair->rx_ns, arrival->rx, sizeof(pair->rx_ns));
}

static bool collector_is_half(const struct collector_arrival *arrival,
			      const int64_t tx[2], int i)
{
	return arrival->rx[i] != WIRE_NO_TIME && tx[i] != WIRE_NO_TIME;
}

static void collector_meet(struct collector *collector,
			   const struct wire_echo *echo, bool coded)
{
	struct collector_arrival *arrival =
		collector_find(collector, echo->pair);
	int64_t tx[2];

	if (!arrival || arrival->met)
		return;
	memcpy(tx, echo->tx, sizeof(tx));
	if (!collector_is_half(arrival, tx, 0))
		return;
	if (!collector_is_half(arrival, tx, 1)) {
		if (coded)
			return;
		/* It stands for both. */
		tx[1] = tx[0];
		arrival->rx[1] = arrival->rx[0];
	}
	arrival->met = true;
	collector_keep(collector, arrival, tx);
}

bool collector_take(struct collector *collector, const struct wire_probe *probe,
		    int64_t rx_ns, uint64_t window, bool coded)
{
	struct collector_arrival *arrival;
	int i;

	if (probe->window + 1 < window || probe->window > window + 1)
		return false;
	/* A window that is no longer open. */
	if (collector->window[probe->window % 2].number > probe->window)
		return false;
	arrival = collector_place(collector, probe);
	if (arrival->rx[probe->index] == WIRE_NO_TIME)
		arrival->rx[probe->index] = rx_ns;
	for (i = 0; i < WIRE_ECHOES; i++)
		collector_meet(collector, &probe->echo[i], coded);
	return true;
}

void collector_forget(struct collector *collector)
{
	int i;

	memset(collector->arrival, 0, sizeof(collector->arrival));
	for (i = 0; i < 2; i++) {
		collector->window[i].number = 0;
		collector->window[i].count = 0;
		collector->window[i].arrived = 0;
	}
}

void collector_free(struct collector *collector)
{
	free(collector->window[0].pair);
	free(collector->window[1].pair);
	memset(collector, 0, sizeof(*collector));
}
