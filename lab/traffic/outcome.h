/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Completion times by size class
 */
#ifndef FLOWGEN_OUTCOME_H
#define FLOWGEN_OUTCOME_H

#include <stdio.h>

#include "flows.h"

/* Payload of a full frame, and what each frame takes on the link in addition to it. */
#define OUTCOME_PAYLOAD		1448
#define OUTCOME_OVERHEAD	90

/**
 * enum outcome_class - flows of similar size, as the papers divide them
 * @OUTCOME_SHORT: up to 100 kB
 * @OUTCOME_MIDDLE: between
 * @OUTCOME_LARGE: 10 MB and more
 * @OUTCOME_ALL: any size
 * @OUTCOME_CLASSES: number of classes
 */
enum outcome_class {
	OUTCOME_SHORT,
	OUTCOME_MIDDLE,
	OUTCOME_LARGE,
	OUTCOME_ALL,
	OUTCOME_CLASSES,
};

/* As tables name them. */
extern const char *const outcome_names[OUTCOME_CLASSES];

/**
 * struct outcome - a flow that was to end by itself
 * @size: bytes, at least 1
 * @fct_ns: completion time; below 0: it did not end
 * @ideal_ns: completion time in an empty network; 0: unknown
 */
struct outcome {
	u64 size;
	s64 fct_ns;
	u64 ideal_ns;
};

/**
 * struct outcome_figures - figures of a class
 * @n: flows that ended
 * @lost: flows that did not
 * @mean_ns: mean completion time
 * @p50_ns: median, by nearest rank as the others
 * @p99_ns: 99th percentile
 * @slowdown_p50: median of completion times over ideal ones; 0: unknown
 * @slowdown_p99: 99th percentile of these
 */
struct outcome_figures {
	u32 n;
	u32 lost;
	double mean_ns;
	u64 p50_ns;
	u64 p99_ns;
	double slowdown_p50;
	double slowdown_p99;
};

/**
 * outcome_is_in() - whether a flow belongs to a class
 * @size: its size, bytes
 * @class: the class
 */
bool outcome_is_in(u64 size, enum outcome_class class);

/**
 * outcome_rank() - nearest rank of a percentile
 * @n: number of values, at least 1
 * @percent: 1 to 100
 *
 * Return: its place in ascending order, from 0.
 */
u32 outcome_rank(u32 n, u32 percent);

/**
 * outcome_compare() - order two doubles, for qsort()
 * @a: a double
 * @b: another
 */
int outcome_compare(const void *a, const void *b);

/**
 * outcome_figures() - figures of a class
 * @list: flows
 * @n: how many
 * @class: the class
 * @figures: receives them
 *
 * Return: 0, or -1 after a message.
 */
int outcome_figures(const struct outcome *list, u32 n, enum outcome_class class,
		    struct outcome_figures *figures);

/**
 * outcome_print() - print the table of a run
 * @f: where to
 * @flows: flows that have ended, or never will
 * @t: their traffic
 *
 * The ideal time of a flow is one round trip, on a new connection two, and the time that
 * its frames take at the rate of the link.  The round trip is the least that any flow of
 * the same two hosts saw; the rate is the largest that a group names, for one receiver.
 *
 * Return: 0, or -1 after a message.
 */
int outcome_print(FILE *f, const struct flows *flows, const struct traffic *t);

#endif
