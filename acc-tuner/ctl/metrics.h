/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of the daemon and of its queues, and all numbers in Prometheus' text format.
 */
#ifndef ACC_METRICS_H
#define ACC_METRICS_H

#include "status.h"

/**
 * struct metrics_counter - a counter
 * @name: in accctl stats; metrics have acc_ or acc_queue_ before it and _total behind it
 * @what: description
 * @at: its offset in struct status_queue, or in struct status_daemon
 * @of_queue: it is of a queue
 */
struct metrics_counter {
	const char *name;
	const char *what;
	size_t at;
	bool of_queue;
};

/**
 * metrics_counter() - a counter
 * @place: its place in the table
 *
 * Return: the counter; NULL behind the last one.
 */
const struct metrics_counter *metrics_counter(size_t place);

/**
 * metrics_sum() - value of a counter
 * @c: the counter
 * @s: the snapshot
 *
 * Return: the value, of all queues together.
 */
uint64_t metrics_sum(const struct metrics_counter *c, const struct status *s);

/**
 * metrics_print() - write all numbers
 * @out: where
 * @s: the snapshot
 */
void metrics_print(FILE *out, const struct status *s);

#endif /* ACC_METRICS_H */
