// SPDX-License-Identifier: GPL-2.0
/*
 * onrampctl metrics: all counters and parameters in Prometheus' text format.
 *
 * A source that does not answer is reported by sharpramp_up, and never ends
 * the command: the numbers of the others are worth having.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/onramp.h>

#include "../../lib/onramp_genl.h"
#include "metrics.h"
#include "prometheus.h"
#include "run.h"
#include "show.h"

#define METRICS_PATHS	100

/**
 * struct metrics_query - a request to the family "onramp"
 * @source: its name in sharpramp_up, and the beginning of its metrics' names
 * @command: the command that shows the same
 * @cmd: enum onramp_cmd
 * @dump: there may be many rows
 * @nest: attribute that a row is in; 0: none
 * @fields: attributes of a row
 * @stats: attribute with counters; 0: none
 * @counters: its members
 * @row: receives each answer; data is struct metrics_rows
 * @before: a request of the same source that is sent first; NULL: none
 */
struct metrics_query {
	const char			*source;
	const char			*command;
	uint8_t				cmd;
	bool				dump;
	uint16_t			nest;
	const struct show_field		*fields;
	uint16_t			stats;
	const struct show_counter	*counters;
	onramp_reply_fn			row;
	const struct metrics_query	*before;
};

/**
 * struct metrics_rows - rows that answer a query
 * @query: the query
 * @left: further rows to take
 */
struct metrics_rows {
	const struct metrics_query	*query;
	uint64_t			left;
};

/* Labels come before the samples that carry them. */
static void metrics_fields(const struct nlattr **attrs,
			   const struct show_field *fields, bool labels)
{
	struct value v;

	for (; fields->key; fields++) {
		bool label = fields->metric == METRIC_LABEL;

		if (label == labels && show_read(attrs, fields, &v))
			prometheus_value(fields->key, fields->metric,
					 &fields->range, &v);
	}
}

static void metrics_counters(const struct nlattr *attr,
			     const struct show_counter *counter)
{
	struct value v;

	for (; counter->key; counter++)
		if (show_counter_read(attr, counter, &v))
			prometheus_value(counter->key, counter->metric,
					 &counter->range, &v);
}

static void metrics_on_row(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	const struct nlattr *inner[ONRAMP_A_MAX + 1];
	struct metrics_rows *rows = data;
	const struct metrics_query *query = rows->query;

	if (query->nest) {
		if (!attrs[query->nest])
			return;
		onramp_parse_nest(attrs[query->nest], inner);
		attrs = inner;
	}
	prometheus_row();
	metrics_fields(attrs, query->fields, true);
	if (!rows->left || !prometheus_row_is_new())
		return;
	rows->left--;
	metrics_fields(attrs, query->fields, false);
	if (query->stats)
		metrics_counters(attrs[query->stats], query->counters);
}

static void metrics_on_device(uint8_t cmd, const struct nlattr **attrs,
			      void *data)
{
	struct value v;

	prometheus_row();
	if (show_read(attrs, show_device, &v))
		prometheus_info("devices", "dev",
				value_for_people(&show_device->range, &v).text);
}

static const struct metrics_query metrics_onramp = {
	.source = "onramp",
	.command = "onrampctl stats",
	.cmd = ONRAMP_CMD_STATS_GET,
	.fields = show_core,
	.stats = ONRAMP_A_STATS,
	.counters = show_core_counters,
	.row = metrics_on_row,
};

/* The devices are a list of names in the one row. */
static const struct metrics_query metrics_acker_devices = {
	.cmd = ONRAMP_CMD_ACKER_DEV_GET,
	.dump = true,
	.row = metrics_on_device,
};

static const struct metrics_query metrics_acker = {
	.before = &metrics_acker_devices,
	.source = "onramp_acker",
	.command = "onrampctl acker",
	.cmd = ONRAMP_CMD_ACKER_GET,
	.fields = show_acker,
	.stats = ONRAMP_A_ACKER_STATS,
	.counters = show_acker_counters,
	.row = metrics_on_row,
};

static const struct metrics_query metrics_clock = {
	.source = "onramp_clock",
	.command = "onrampctl clock",
	.cmd = ONRAMP_CMD_CLOCK_GET,
	.fields = show_clock,
	.row = metrics_on_row,
};

static const struct metrics_query metrics_path = {
	.source = "onramp_path",
	.command = "onrampctl paths",
	.cmd = ONRAMP_CMD_PATH_GET,
	.dump = true,
	.nest = ONRAMP_A_PATH,
	.fields = show_path,
	.row = metrics_on_row,
};

static const struct metrics_query metrics_phc = {
	.source = "onramp_phc",
	.command = "onrampctl phc",
	.cmd = ONRAMP_CMD_DEV_GET,
	.dump = true,
	.fields = show_phc,
	.row = metrics_on_row,
};

/* Return: false if the family does not answer. */
static bool metrics_request(const struct metrics_query *query, uint64_t most)
{
	struct metrics_rows rows = { .query = query, .left = most };
	struct nl_refusal why = { 0 };
	struct nl_request request;

	if (query->before && !metrics_request(query->before, most))
		return false;
	onramp_begin(&request, query->cmd, query->dump);
	return onramp_exchange(&request, query->row, &rows, &why) >= 0;
}

static void metrics_source(const struct metrics_query *query, bool family,
			   uint64_t most)
{
	prometheus_source(query->source, query->source, query->command);
	prometheus_source_end(family && metrics_request(query, most));
}

static void metrics_collect(uint64_t paths)
{
	struct nl_refusal why = { 0 };
	bool family = !onramp_open(&why);

	metrics_source(&metrics_onramp, family, 1);
	metrics_source(&metrics_acker, family, 1);
	metrics_source(&metrics_clock, family, 1);
	metrics_source(&metrics_path, family, paths);
	metrics_source(&metrics_phc, family, UINT64_MAX);
	metrics_qdisc();
	metrics_daemons();
}

static int metrics_refuse(const char *file, const char *why, int error)
{
	fprintf(stderr, "onrampctl: metrics: file \"%s\": %s%s%s\n", file, why,
		error ? ": " : "", error ? strerror(error) : "");
	return RUN_FAILED;
}

/* Return: 0, or errno. */
static int metrics_write(int fd)
{
	FILE *to = fdopen(fd, "w");
	int error = 0;

	if (!to) {
		error = errno;
		close(fd);
		return error;
	}
	errno = 0;
	prometheus_print(to);
	if (fflush(to) || ferror(to) || fchmod(fd, 0644))
		error = errno ? errno : EIO;
	if (fclose(to) && !error)
		error = errno;
	return error;
}

/* A reader has the old file or the new one, and never a part. */
static int metrics_replace(const char *file)
{
	char new[4096];
	struct stat st;
	int fd, error;

	if (!stat(file, &st) && S_ISDIR(st.st_mode))
		return metrics_refuse(file, "it is a directory", 0);
	if (snprintf(new, sizeof(new), "%s.XXXXXX", file) >= (int)sizeof(new))
		return metrics_refuse(file, "its name is too long", 0);
	fd = mkstemp(new);
	if (fd < 0)
		return metrics_refuse(file, "cannot write a file next to it", errno);
	error = metrics_write(fd);
	if (!error && rename(new, file))
		error = errno;
	if (!error)
		return RUN_OK;
	unlink(new);
	return metrics_refuse(file, "it cannot be replaced and stays as it was",
			      error);
}

/* A signal that ends the program must not leave the new file next to the old one. */
static int metrics_replace_whole(const char *file)
{
	sigset_t ends, before;
	int status;

	sigemptyset(&ends);
	sigaddset(&ends, SIGHUP);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, &before);
	status = metrics_replace(file);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

int run_metrics(const struct command *command, const struct value *values,
		bool json)
{
	if (json) {
		fprintf(stderr, "onrampctl: metrics: -j: metrics have one format, Prometheus'\n");
		return RUN_USAGE;
	}
	metrics_collect(values[1].given ? values[1].number : METRICS_PATHS);
	if (values[0].given)
		return metrics_replace_whole(values[0].text);
	prometheus_print(stdout);
	return RUN_OK;
}
