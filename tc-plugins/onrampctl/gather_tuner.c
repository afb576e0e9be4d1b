// SPDX-License-Identifier: GPL-2.0
/*
 * Facts about acc-tuner: its files, its name in the namespace, and what accctl(1) prints.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/json_read.h"
#include "gather.h"
#include "host.h"
#include "program.h"

/* acc-tuner is where the PATH of users does not always lead. */
#define TUNER_TEST	"PATH=$PATH:/usr/local/sbin:/usr/sbin acc-tuner --test 2>&1 >/dev/null"
#define TUNER_ABSENT	127

/* The name that one acc-tuner in a namespace has, as /proc/net/unix prints it. */
#define TUNER_NAME	" @acc-tuner\n"

static bool tuner_is_claimed(void)
{
	FILE *file = host_file("/proc/net/unix");
	char line[512];
	bool found = false;

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = strlen(line) >= strlen(TUNER_NAME) &&
			!strcmp(line + strlen(line) - strlen(TUNER_NAME), TUNER_NAME);
	fclose(file);
	return found;
}

static void tuner_on_stats(const char *key, enum json_type type, const char *text, void *data)
{
	struct facts_tuner *t = data;

	if (type != JSON_NUMBER)
		return;
	if (!strcmp(key, "ticks"))
		t->n.ticks = strtoull(text, NULL, 10);
	else if (!strcmp(key, "overruns"))
		t->n.overruns = strtoull(text, NULL, 10);
}

static void tuner_on_stats_end(void *data)
{
	(void)data;
}

static void tuner_text(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
}

/* The last of the list is the one that is being read. */
static void tuner_on_queue(const char *key, enum json_type type, const char *text, void *data)
{
	struct facts_tuner *t = data;
	struct facts_tuner_queue *q;

	if (!t->nr_queues || t->queues[t->nr_queues - 1].whole)
		t->queues = facts_grow(t->queues, &t->nr_queues, sizeof(*q));
	q = &t->queues[t->nr_queues - 1];
	if (!strcmp(key, "queue"))
		tuner_text(q->name, sizeof(q->name), text);
	else if (!strcmp(key, "state"))
		tuner_text(q->state, sizeof(q->state), text);
	else if (!strcmp(key, "why"))
		tuner_text(q->why, sizeof(q->why), text);
	else if (type == JSON_NUMBER && !strcmp(key, "own_kmax_ns"))
		q->own_kmax_ns = strtoull(text, NULL, 10);
	else if (type == JSON_NUMBER && !strcmp(key, "wanted_kmax_ns"))
		q->wanted_kmax_ns = strtoull(text, NULL, 10);
}

static void tuner_on_queue_end(void *data)
{
	struct facts_tuner *t = data;

	if (t->nr_queues)
		t->queues[t->nr_queues - 1].whole = true;
}

/* Return: false if it does not answer. */
static bool tuner_ask(const char *shell, const struct json_reader *reader)
{
	int status;
	char *text = program_output(shell, &status);
	bool good = text && !status && json_read(text, reader);

	free(text);
	return good;
}

static void tuner_gather_state(struct facts *f)
{
	struct facts_tuner *t = &f->tuner;
	const struct json_reader stats = { tuner_on_stats, tuner_on_stats_end, t };
	const struct json_reader queues = { tuner_on_queue, tuner_on_queue_end, t };
	char *text;
	int status;

	if (tuner_ask("accctl -j stats 2>/dev/null", &stats)) {
		tuner_ask("accctl -j queues 2>/dev/null", &queues);
		return;
	}
	text = program_output("accctl stats 2>&1", &status);
	if (status == TUNER_ABSENT)
		facts_miss(f, "acc-tuner", ENOENT);
	else if (text && strstr(text, strerror(EACCES)))
		facts_miss(f, "acc-tuner", EACCES);
	else
		t->deaf = true;
	free(text);
}

/* The reason without the program's name, in one line. */
static void tuner_gather_refusal(struct facts_tuner *t)
{
	int status;
	char *text = program_output(TUNER_TEST, &status), *reason = text;

	if (status == TUNER_ABSENT)
		t->configured = false;
	if (text && status > 0 && status != TUNER_ABSENT) {
		text[strcspn(text, "\n")] = '\0';
		if (!strncmp(reason, "acc-tuner: ", 11))
			reason += 11;
		tuner_text(t->refused, sizeof(t->refused), *reason ? reason : "no reason is given");
	}
	free(text);
}

void gather_tuner(struct facts *f)
{
	struct facts_tuner *t = &f->tuner;

	t->configured = host_has("/etc/acc-tuner.conf");
	t->saved = host_has("/run/acc-tuner/saved");
	t->claimed = tuner_is_claimed();
	if (t->claimed)
		tuner_gather_state(f);
	else if (t->configured)
		tuner_gather_refusal(t);
}
