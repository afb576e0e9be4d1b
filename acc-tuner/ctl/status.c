// SPDX-License-Identifier: GPL-2.0
/*
 * The output formats of a snapshot.
 */
#include <inttypes.h>
#include <string.h>

#include "status.h"

#define STATUS_N(a)	(sizeof(a) / sizeof((a)[0]))

#define Q(f)	offsetof(struct status_queue, f)
static const struct field status_queue_fields[] = {
	{ "queue", "Queue", FIELD_TEXT, Q(name) },
	{ "state", "State", FIELD_STRING, Q(state) },
	{ "why", NULL, FIELD_TEXT, Q(why) },
	{ "rate", "Rate", FIELD_TEXT, Q(rate) },
	{ "rate_bps", NULL, FIELD_LONG, Q(rate_bps) },
	{ "members", NULL, FIELD_COUNT, Q(members) },
	{ "kmin_ns", "Kmin", FIELD_TIME, Q(kmin_ns) },
	{ "kmax_ns", "Kmax", FIELD_TIME, Q(kmax_ns) },
	{ "pmax", "Pmax", FIELD_REAL, Q(pmax) },
	{ "own_kmin_ns", NULL, FIELD_TIME, Q(own_kmin_ns) },
	{ "own_kmax_ns", "OwnKmax", FIELD_TIME, Q(own_kmax_ns) },
	{ "own_pmax", NULL, FIELD_REAL, Q(own_pmax) },
	{ "wanted_kmin_ns", NULL, FIELD_TIME, Q(wanted_kmin_ns) },
	{ "wanted_kmax_ns", "Wanted", FIELD_TIME, Q(wanted_kmax_ns) },
	{ "wanted_pmax", NULL, FIELD_REAL, Q(wanted_pmax) },
	{ "place", NULL, FIELD_COUNT, Q(place) },
	{ "utilisation", "Util", FIELD_REAL, Q(utilisation) },
	{ "delay_ns", "Delay", FIELD_TIME, Q(delay_ns) },
	{ "marked", "Marked", FIELD_REAL, Q(marked) },
	{ "reward", "Reward", FIELD_REAL, Q(reward) },
	{ "changes", "Changes", FIELD_LONG, Q(count.changes) },
	{ .key = NULL },
};

static const struct field status_compare_fields[] = {
	{ "queue", "Queue", FIELD_TEXT, Q(name) },
	{ "state", "State", FIELD_STRING, Q(state) },
	{ "tuned_intervals", "Tuned", FIELD_LONG, Q(count.tuned_intervals) },
	{ "tuned_reward", "Reward", FIELD_REAL, Q(tuned_reward) },
	{ "static_intervals", "Static", FIELD_LONG, Q(count.static_intervals) },
	{ "static_reward", "Reward", FIELD_REAL, Q(static_reward) },
	{ "difference", "Difference", FIELD_REAL, Q(difference) },
	{ "pairs", "Pairs", FIELD_COUNT, Q(pairs) },
	{ .key = NULL },
};

#define C(f)	offsetof(struct status_choice, f)
static const struct field status_choice_fields[] = {
	{ "place", "Place", FIELD_COUNT, C(place) },
	{ "kmin_ns", "Kmin", FIELD_TIME, C(kmin_ns) },
	{ "kmax_ns", "Kmax", FIELD_TIME, C(kmax_ns) },
	{ "pmax", "Pmax", FIELD_REAL, C(pmax) },
	{ "value", "Value", FIELD_REAL, C(value) },
	{ "allowed", "Allowed", FIELD_YESNO, C(allowed) },
	{ "best", "Best", FIELD_YESNO, C(best) },
	{ "in_force", "InForce", FIELD_YESNO, C(in_force) },
	{ .key = NULL },
};

static bool status_is_refused(const struct status_queue *q)
{
	return *q->why;
}

/* Those that are not refused come first. */
static size_t status_count(const struct status *s)
{
	size_t n = 0;

	while (n < s->queues && !status_is_refused(&s->queue[n]))
		n++;
	return n;
}

static void status_print_queues(FILE *out, const struct status *s, bool json)
{
	size_t n = status_count(s), i;

	if (json) {
		field_list(out, status_queue_fields, s->queue, s->queues, sizeof(*s->queue));
		return;
	}
	field_table(out, status_queue_fields, s->queue, n, sizeof(*s->queue));
	for (i = n; i < s->queues; i++)
		fprintf(out, "%s %s: %s\n", s->queue[i].name, s->queue[i].state, s->queue[i].why);
}

static void status_print_compare(FILE *out, const struct status *s, bool json)
{
	(json ? field_list : field_table)(out, status_compare_fields, s->queue, status_count(s),
					  sizeof(*s->queue));
}

/* All queues together. */
static uint64_t status_sum(const struct status *s, const struct counter *c)
{
	uint64_t sum = 0;
	size_t i;

	if (!c->of_queue)
		return counter_value(c, &s->daemon.count);
	for (i = 0; i < s->queues; i++)
		sum += counter_value(c, &s->queue[i].count);
	return sum;
}

static void status_print_stats(FILE *out, const struct status *s, bool json)
{
	struct json_writer w = { .to = out, .spaced = true };
	const struct counter *c;
	size_t i;

	if (json) {
		json_open(&w, NULL, '{');
		json_string(&w, "mode", s->daemon.mode);
		json_string(&w, "policy", s->daemon.policy);
		json_string(&w, "model", *s->daemon.model ? s->daemon.model : NULL);
		json_string(&w, "model_sha256",
			    *s->daemon.model_sha256 ? s->daemon.model_sha256 : NULL);
	} else {
		fprintf(out, "mode %s, policy %s, %" PRIu64 " queues, %" PRIu64 " refused\n",
			s->daemon.mode, s->daemon.policy, s->daemon.queues, s->daemon.refused);
		if (*s->daemon.model)
			fprintf(out, "model: %s\nSHA-256 of its file: %s\n", s->daemon.model,
				s->daemon.model_sha256);
	}
	for (i = 0; (c = counter_at(i)); i++) {
		if (json)
			json_unsigned(&w, c->name, status_sum(s, c));
		else
			fprintf(out, "%-20s %12" PRIu64 "  %s\n", c->name, status_sum(s, c),
				c->what);
	}
	if (!json)
		return;
	json_close(&w, '}');
	fputc('\n', out);
}

static void status_explain_json(FILE *out, const struct status_explain *e)
{
	struct json_writer w = { .to = out, .spaced = true };
	size_t i;

	json_open(&w, NULL, '{');
	json_string(&w, "queue", e->queue);
	json_string(&w, "state", e->state);
	json_open(&w, "features", '[');
	for (i = 0; i < FEATURE_STATE; i++)
		json_real(&w, NULL, e->feature[i]);
	json_close(&w, ']');
	json_open(&w, "templates", '[');
	for (i = 0; i < TEMPLATE_NR; i++)
		field_object(&w, status_choice_fields, &e->choice[i]);
	json_close(&w, ']');
	json_close(&w, '}');
	fputc('\n', out);
}

static void status_explain(FILE *out, const struct status_explain *e)
{
	static const char *const names[FEATURE_NR] = { "qlen", "tx", "marked", "ecn" };
	size_t i;

	fprintf(out, "%s is %s.\nFeatures of the last %d intervals, the oldest first:\n", e->queue,
		e->state, FEATURE_INTERVALS);
	for (i = 0; i < FEATURE_STATE; i++)
		fprintf(out, "%s %.4f%s", names[i % FEATURE_NR], e->feature[i],
			i % FEATURE_NR == FEATURE_NR - 1 ? "\n" : "  ");
	field_table(out, status_choice_fields, e->choice, TEMPLATE_NR, sizeof(*e->choice));
}

/* Return: true if it was a request of this kind. */
static bool status_show(FILE *out, const struct status_source *source, const char *what, bool json)
{
	static const struct {
		const char *what;
		void (*print)(FILE *out, const struct status *s, bool json);
	} things[] = {
		{ "queues", status_print_queues },
		{ "compare", status_print_compare },
		{ "stats", status_print_stats },
	};
	struct status s = { .queues = 0 };
	size_t i;

	for (i = 0; i < STATUS_N(things); i++) {
		if (strcmp(what, things[i].what))
			continue;
		source->fill(&s, source->data);
		fputs("ok\n", out);
		things[i].print(out, &s, json);
		return true;
	}
	return false;
}

static void status_answer_explain(FILE *out, const struct status_source *source,
				  const char *queue, bool json)
{
	struct status_explain e = { .state = "" };

	if (source->explain(queue, &e, source->data)) {
		fprintf(out, "error there is no queue %s: accctl queues lists them\n", queue);
		return;
	}
	fputs("ok\n", out);
	(json ? status_explain_json : status_explain)(out, &e);
}

static void status_answer_act(FILE *out, const struct status_source *source, const char *verb,
			      const char *queue)
{
	char why[128];

	if (source->act(verb, queue, why, sizeof(why), source->data))
		fprintf(out, "error %s\n", why);
	else
		fputs("ok\n", out);
}

void status_answer(FILE *out, char *line, void *data)
{
	const struct status_source *source = data;
	const char *verb = strsep(&line, " "), *queue = strsep(&line, " "), *last;
	bool json;

	/* VERB [QUEUE] [json] */
	last = strsep(&line, " ");
	if (queue && !last && !strcmp(queue, "json")) {
		last = queue;
		queue = NULL;
	}
	json = last && !strcmp(last, "json");
	if (line || (last && !json))
		fprintf(out, "error too many arguments\n");
	else if (queue && !strcmp(verb, "explain"))
		status_answer_explain(out, source, queue, json);
	else if (queue && (!strcmp(verb, "hold") || !strcmp(verb, "resume")))
		status_answer_act(out, source, verb, queue);
	else if (queue || !status_show(out, source, verb, json))
		fprintf(out, "error unknown request \"%s\"\n", verb);
}
