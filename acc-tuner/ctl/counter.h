/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of a queue and of the daemon, and the names under which they are shown.
 */
#ifndef ACC_COUNTER_H
#define ACC_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guard.h"

/**
 * struct queue_counters - counters of a queue
 * @intervals: that were observed
 * @decisions: choices of the policy
 * @changes: of the thresholds, by the tuner
 * @clamped: choices of the rule outside of the limits
 * @masked: choices of the network outside of the limits
 * @late: intervals that were too long, in which nothing was chosen
 * @idle_skipped: intervals in which the network did not decide, as the queue was idle
 * @fallback: back to static thresholds, by enum guard_verdict
 * @foreign: changes by another
 * @failed: changes that the kernel refused
 * @tuned_intervals: of tuned blocks, that count in the comparison
 * @static_intervals: of static blocks, same
 */
struct queue_counters {
	uint64_t intervals;
	uint64_t decisions;
	uint64_t changes;
	uint64_t clamped;
	uint64_t masked;
	uint64_t late;
	uint64_t idle_skipped;
	uint64_t fallback[GUARD_NR];
	uint64_t foreign;
	uint64_t failed;
	uint64_t tuned_intervals;
	uint64_t static_intervals;
};

/**
 * struct daemon_counters - counters of the daemon
 * @ticks: intervals
 * @overruns: intervals that were not in time
 * @interrupted: dumps during which the kernel's tables changed
 * @failed_dumps: dumps that the kernel refused
 * @searches: searches for queues
 * @updates: of the network that learns
 */
struct daemon_counters {
	uint64_t ticks;
	uint64_t overruns;
	uint64_t interrupted;
	uint64_t failed_dumps;
	uint64_t searches;
	uint64_t updates;
};

/**
 * struct counter - a counter
 * @name: in accctl stats
 * @what: description
 * @at: its offset in struct queue_counters, or in struct daemon_counters
 * @of_queue: it is of a queue
 */
struct counter {
	const char *name;
	const char *what;
	size_t at;
	bool of_queue;
};

/**
 * counter_at() - a counter
 * @place: its place in the table
 *
 * Return: the counter; NULL behind the last one.
 */
const struct counter *counter_at(size_t place);

/**
 * counter_value() - its value
 * @c: the counter
 * @values: struct queue_counters or struct daemon_counters
 *
 * Return: the value.
 */
uint64_t counter_value(const struct counter *c, const void *values);

#endif /* ACC_COUNTER_H */
