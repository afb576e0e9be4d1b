// SPDX-License-Identifier: GPL-2.0
/*
 * Stamps of both ends of a pair, matched.
 */
#include <stdlib.h>
#include <string.h>

#include "collector.h"

int collector_make(struct collector *collector, uint32_t capacity)
{
	int i;

	collector->capacity = capacity;
	for (i = 0; i < 2; i++) {
		collector->window[i].pair =
			calloc(capacity, sizeof(*collector->window[i].pair));
		if (!collector->window[i].pair)
			return -1;
	}
	return 0;
}

int collector_grow(struct collector *collector, uint32_t capacity)
{
	struct pair_filter_pair *pair;
	int i;

	for (i = 0; i < 2; i++) {
		pair = reallocarray(collector->window[i].pair, capacity, sizeof(*pair));
		if (!pair)
			return -1;
		collector->window[i].pair = pair;
	}
	collector->capacity = capacity;
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

static struct collector_sample *collector_find(struct collector *collector,
					       uint32_t number)
{
	struct collector_sample *sample =
		&collector->sample[number % COLLECTOR_WAITING];

	return number && sample->number == number ? sample : NULL;
}

/* Its place among those that wait, which the oldest leaves. */
static struct collector_sample *collector_place(struct collector *collector,
						const struct wire_probe *probe)
{
	struct collector_sample *sample =
		collector_find(collector, probe->pair);

	/* A neighbour that began anew begins at 1 again. */
	if (sample && sample->window == probe->window)
		return sample;
	sample = &collector->sample[probe->pair % COLLECTOR_WAITING];
	*sample = (struct collector_sample){
		.number = probe->pair, .window = probe->window,
		.rx = { WIRE_NO_TIME, WIRE_NO_TIME },
	};
	collector_open(collector, probe->window)->arrived++;
	return sample;
}

static void collector_keep(struct collector *collector,
			   const struct collector_sample *sample,
			   const int64_t tx[2])
{
	struct collector_window *w = collector_window(collector,
						      sample->window);
	struct pair_filter_pair *pair;

	if (!w)
		return;
	if (w->count == collector->capacity) {
		w->full++;
		return;
	}
	pair = &w->pair[w->count++];
	memcpy(pair->tx_ns, tx, sizeof(pair->tx_ns));
	memcpy(pair->rx_ns, sample->rx, sizeof(pair->rx_ns));
}

static bool collector_is_half(const struct collector_sample *sample,
			      const int64_t tx[2], int i)
{
	return sample->rx[i] != WIRE_NO_TIME && tx[i] != WIRE_NO_TIME;
}

static void collector_meet(struct collector *collector,
			   const struct wire_echo *echo, bool coded)
{
	struct collector_sample *sample =
		collector_find(collector, echo->pair);
	int64_t tx[2];

	if (!sample || sample->met)
		return;
	memcpy(tx, echo->tx, sizeof(tx));
	if (!collector_is_half(sample, tx, 0))
		return;
	if (!collector_is_half(sample, tx, 1)) {
		if (coded)
			return;
		/* It stands for both. */
		tx[1] = tx[0];
		sample->rx[1] = sample->rx[0];
	}
	sample->met = true;
	collector_keep(collector, sample, tx);
}

bool collector_take(struct collector *collector, const struct wire_probe *probe,
		    int64_t rx_ns, uint64_t window, bool coded)
{
	struct collector_sample *sample;
	int i;

	if (probe->window + 1 < window || probe->window > window + 1)
		return false;
	/* A window that is no longer open. */
	if (collector->window[probe->window % 2].number > probe->window)
		return false;
	sample = collector_place(collector, probe);
	if (sample->rx[probe->index] == WIRE_NO_TIME)
		sample->rx[probe->index] = rx_ns;
	for (i = 0; i < WIRE_ECHOES; i++)
		collector_meet(collector, &probe->echo[i], coded);
	return true;
}

void collector_forget(struct collector *collector)
{
	int i;

	memset(collector->sample, 0, sizeof(collector->sample));
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
