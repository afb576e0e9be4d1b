/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metrics in Prometheus' text format.  Samples are kept until all of them are
 * there, because the format wants those of one metric together.
 */
#ifndef SHARPRAMP_ONRAMPCTL_PROMETHEUS_H
#define SHARPRAMP_ONRAMPCTL_PROMETHEUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "value.h"

/**
 * enum metric_kind - how a value is exported
 * @METRIC_NONE: not at all
 * @METRIC_LABEL: as a label of the other values of its row
 * @METRIC_GAUGE: as a number that may fall; text is a label of a metric that is 1
 * @METRIC_COUNTER: as a number that never falls
 */
enum metric_kind {
	METRIC_NONE,
	METRIC_LABEL,
	METRIC_GAUGE,
	METRIC_COUNTER,
};

/**
 * prometheus_source() - begin a source
 * @source: its name in sharpramp_up
 * @prefix: beginning of its metrics' names
 * @command: the command that shows the same values, for HELP
 */
void prometheus_source(const char *source, const char *prefix,
		       const char *command);

/**
 * prometheus_prefix() - change the beginning of the metrics' names
 * @prefix: the beginning
 */
void prometheus_prefix(const char *prefix);

/**
 * prometheus_source_end() - end a source
 * @up: it answered; if not, none of its samples is printed
 */
void prometheus_source_end(bool up);

/** prometheus_row() - begin a row, without labels */
void prometheus_row(void);

/**
 * prometheus_label() - add a label to the row
 * @name: its name
 * @text: its value
 */
void prometheus_label(const char *name, const char *text);

/**
 * prometheus_row_is_new() - is it the first row with its labels?
 *
 * A table that grows while it is dumped may contain a row twice.
 * Return: false if its samples would be duplicates.
 */
bool prometheus_row_is_new(void);

/**
 * prometheus_number() - add a sample
 * @key: as in JSON; _ns and _us become seconds
 * @number: a JSON number
 * @kind: METRIC_GAUGE or METRIC_COUNTER
 */
void prometheus_number(const char *key, const char *number,
		       enum metric_kind kind);

/**
 * prometheus_histogram() - add the samples of a distribution of delays
 * @key: as in JSON
 * @bucket: DELAY_HIST_BUCKETS numbers, as in struct delay_hist
 * @sum_ns: sum of the delays
 */
void prometheus_histogram(const char *key, const uint64_t *bucket, uint64_t sum_ns);

/**
 * prometheus_info() - add a sample that is 1 and has text for a label
 * @key: as in JSON
 * @label: name of the label
 * @text: the label's value
 */
void prometheus_info(const char *key, const char *label, const char *text);

/**
 * prometheus_value() - add a value to the row: a label or a sample
 * @key: as in JSON
 * @kind: which; METRIC_NONE adds nothing
 * @range: the value's kind and names
 * @v: the value
 */
void prometheus_value(const char *key, enum metric_kind kind,
		      const struct value_range *range, const struct value *v);

/**
 * prometheus_print() - print all samples, and forget them
 * @to: where
 */
void prometheus_print(FILE *to);

#endif /* SHARPRAMP_ONRAMPCTL_PROMETHEUS_H */
