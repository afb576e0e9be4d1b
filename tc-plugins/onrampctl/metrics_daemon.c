// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics of huygens-lite and acc-tuner, from the JSON that huygensctl(1) and
 * accctl(1) print.
 *
 * The numbers of stats are counters; those of the others are states.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/json_read.h"
#include "metrics.h"
#include "program.h"
#include "prometheus.h"

/**
 * struct daemon_query - a command of huygensctl or accctl
 * @source: its name in sharpramp_up
 * @prefix: beginning of its metrics' names
 * @command: shown in HELP
 * @shell: the command, for a shell
 * @label: key of the member that tells rows apart; NULL: there is one row
 * @kind: of its numbers
 */
struct daemon_query {
	const char		*source;
	const char		*prefix;
	const char		*command;
	const char		*shell;
	const char		*label;
	enum metric_kind	kind;
};

#define DAEMON_QUERY(program, what) \
	.command = program " " what, \
	.shell = program " -j " what " 2>/dev/null"

static const struct daemon_query daemon_queries[] = {
	{
		.source = "huygens",
		.prefix = "huygens",
		DAEMON_QUERY("huygensctl", "stats"),
		.kind = METRIC_COUNTER,
	}, {
		.source = "huygens_tracking",
		.prefix = "huygens_tracking",
		DAEMON_QUERY("huygensctl", "tracking"),
		.kind = METRIC_GAUGE,
	}, {
		.source = "huygens_peer",
		.prefix = "huygens_peer",
		DAEMON_QUERY("huygensctl", "peers"),
		.label = "id",
		.kind = METRIC_GAUGE,
	}, {
		.source = "acc",
		.prefix = "acc",
		DAEMON_QUERY("accctl", "stats"),
		.kind = METRIC_COUNTER,
	}, {
		.source = "acc_queue",
		.prefix = "acc_queue",
		DAEMON_QUERY("accctl", "queues"),
		.label = "queue",
		.kind = METRIC_GAUGE,
	}, {
		.source = "acc_compare",
		.prefix = "acc_compare",
		DAEMON_QUERY("accctl", "compare"),
		.label = "queue",
		.kind = METRIC_GAUGE,
	},
};

/**
 * struct daemon_member - a member of an object
 * @key: its name
 * @type: its type
 * @text: its value
 */
struct daemon_member {
	char		key[JSON_READ_MAX];
	enum json_type	type;
	char		text[JSON_READ_MAX];
};

/**
 * struct daemon_row - the object that is being read
 * @query: of which command
 * @members: its members
 * @n: number of them
 */
struct daemon_row {
	const struct daemon_query	*query;
	struct daemon_member		*members;
	size_t				n;
};

/* A metric's name has letters, digits and underscores. */
static void daemon_key(const char *key, char out[JSON_READ_MAX])
{
	size_t i;

	for (i = 0; key[i]; i++)
		out[i] = isascii(key[i]) && isalnum(key[i]) ? key[i] : '_';
	out[i] = 0;
}

static void daemon_on_member(const char *key, enum json_type type,
			     const char *text, void *data)
{
	struct daemon_row *row = data;
	struct daemon_member *m;

	if (row->query->label && !strcmp(key, row->query->label)) {
		prometheus_label(key, text);
		return;
	}
	m = realloc(row->members, sizeof(*m) * (row->n + 1));
	if (!m) {
		fprintf(stderr, "onrampctl: no memory\n");
		exit(2);
	}
	row->members = m;
	m = &row->members[row->n++];
	daemon_key(key, m->key);
	m->type = type;
	snprintf(m->text, sizeof(m->text), "%s", text);
}

static void daemon_sample(const struct daemon_row *row,
			  const struct daemon_member *m)
{
	switch (m->type) {
	case JSON_STRING:
		if (*m->text)
			prometheus_info(m->key, m->key, m->text);
		break;
	case JSON_NUMBER:
		prometheus_number(m->key, m->text, row->query->kind);
		break;
	case JSON_BOOL:
		prometheus_number(m->key, *m->text == 't' ? "1" : "0",
				  row->query->kind);
		break;
	case JSON_NULL:
		break;
	}
}

static void daemon_on_end(void *data)
{
	struct daemon_row *row = data;
	size_t i;

	if (prometheus_row_is_new())
		for (i = 0; i < row->n; i++)
			daemon_sample(row, &row->members[i]);
	row->n = 0;
	prometheus_row();
}

void metrics_daemons(void)
{
	size_t i;

	for (i = 0; i < sizeof(daemon_queries) / sizeof(*daemon_queries); i++) {
		const struct daemon_query *query = &daemon_queries[i];
		struct daemon_row row = { .query = query };
		const struct json_reader reader = {
			.member = daemon_on_member,
			.end = daemon_on_end,
			.data = &row,
		};
		int status;
		char *text = program_output(query->shell, &status);

		prometheus_source(query->source, query->prefix, query->command);
		prometheus_source_end(text && !status && json_read(text, &reader));
		free(row.members);
		free(text);
	}
}
