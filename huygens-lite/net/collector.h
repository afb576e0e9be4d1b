/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stamps of both ends of a pair, matched, window by window.
 *
 * The Rx stamps of a pair wait until one of the next two pairs brings its Tx
 * stamps.  The window is that which the sender was in.  Two windows are open:
 * when one has ended, stamps of its last pairs are still to come.
 *
 * Pure.  A hostile neighbour can fill the memory for its own pairs, and no other.
 */
#ifndef HUYGENS_COLLECTOR_H
#define HUYGENS_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "../algo/pair_filter.h"
#include "wire.h"

/* Pairs that wait for their Tx stamps; a power of two. */
#define COLLECTOR_WAITING	16

/**
 * struct collector_sample - a pair that came
 * @number: of the pair; 0: none
 * @window: of the sender
 * @rx: local time, or WIRE_NO_TIME
 * @met: its Tx stamps came
 */
struct collector_sample {
	uint32_t	number;
	uint64_t	window;
	int64_t		rx[2];
	bool		met;
};

/**
 * struct collector_window - pairs of a window
 * @number: of the window
 * @count: pairs
 * @pair: they
 * @arrived: pairs of which anything came
 * @full: pairs for which there was no space
 */
struct collector_window {
	uint64_t		number;
	uint32_t		count;
	struct pair_filter_pair	*pair;
	uint32_t		arrived;
	uint32_t		full;
};

/**
 * struct collector - a neighbour's
 * @capacity: pairs that a window holds
 * @sample: by number modulo COLLECTOR_WAITING
 * @window: by number modulo 2
 */
struct collector {
	uint32_t		capacity;
	struct collector_sample	sample[COLLECTOR_WAITING];
	struct collector_window	window[2];
};

/**
 * collector_make() - space for two windows
 * @collector: zero; collector_free() it
 * @capacity: pairs of a window
 *
 * Return: 0, or -1 without memory.
 */
int collector_make(struct collector *collector, uint32_t capacity);

/**
 * collector_take() - a probe came
 * @collector: its sender's
 * @probe: the probe
 * @rx_ns: local time when it came, or WIRE_NO_TIME
 * @window: in which this host is
 * @coded: pairs count that have both probes; else the first alone will do
 *
 * Return: false if it is of no open window.
 */
bool collector_take(struct collector *collector, const struct wire_probe *probe,
		    int64_t rx_ns, uint64_t window, bool coded);

/**
 * collector_grow() - make space for more pairs; those that are there stay
 * @collector: the collector
 * @capacity: pairs of a window, at least as many as it has space for
 *
 * Return: 0, or -1 without memory: it is as it was.
 */
int collector_grow(struct collector *collector, uint32_t capacity);

/**
 * collector_window() - find the pairs of a window
 * @collector: a neighbour's
 * @window: number
 *
 * Return: it, or NULL if nothing came.
 */
struct collector_window *collector_window(struct collector *collector,
					  uint64_t window);

/**
 * collector_forget() - begin anew: one of the clocks is another
 * @collector: a neighbour's
 */
void collector_forget(struct collector *collector);

/**
 * collector_free() - return its memory
 * @collector: a neighbour's
 */
void collector_free(struct collector *collector);

#endif /* HUYGENS_COLLECTOR_H */
