// SPDX-License-Identifier: GPL-2.0
/*
 * Output of accctl for a snapshot, and requests that are refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/json_read.h"
#include "../../../selftests/lib/tap.h"
#include "status.h"

static struct status_queue rows[3];
static struct status_daemon daemon_now = {
	.mode = "tune", .policy = "follow", .model = "say \"x\"", .model_sha256 = "cafe", .queues = 2, .refused = 1, .count.ticks = 9,
};
static char *text;
static size_t size;
static char acted[100];

static void fill(struct status *s, void *data)
{
	(void)data;
	s->daemon = daemon_now;
	s->queue = rows;
	s->queues = 3;
}

static int explain(const char *queue, struct status_explain *e, void *data)
{
	size_t i;

	(void)data;
	if (strcmp(queue, "eth1/10:"))
		return -1;
	snprintf(e->queue, sizeof(e->queue), "%s", queue);
	e->state = "tuned";
	for (i = 0; i < FEATURE_STATE; i++)
		e->feature[i] = (double)i / FEATURE_STATE;
	for (i = 0; i < TEMPLATE_NR; i++)
		e->choice[i] = (struct status_choice){ .place = i, .kmin_ns = 1000, .kmax_ns = 2000 * i, .pmax = 1,
						       .value = i ? (double)i : NAN, .allowed = 1, .best = i == 3 };
	return 0;
}

static int act(const char *verb, const char *queue, char *why, size_t length, void *data)
{
	(void)data;
	snprintf(acted, sizeof(acted), "%s %s", verb, queue);
	snprintf(why, length, "not now");
	return strcmp(queue, "eth1/10:") ? -1 : 0;
}

static const struct status_source source = { fill, explain, act, NULL };

/* The answer is in @text. */
static bool says(const char *request, const char *expected)
{
	char line[100];
	FILE *out;

	free(text);
	text = NULL;
	out = open_memstream(&text, &size);
	snprintf(line, sizeof(line), "%s", request);
	status_answer(out, line, (void *)&source);
	fclose(out);
	return strstr(text, expected);
}

static int members, objects;

static void on_member(const char *key, enum json_type type, const char *value, void *data)
{
	(void)key;
	(void)type;
	(void)value;
	(void)data;
	members++;
}

static void on_end(void *data)
{
	(void)data;
	objects++;
}

static bool is_json(const char *request, int want)
{
	const struct json_reader reader = { on_member, on_end, NULL };

	members = 0;
	objects = 0;
	return says(request, "ok\n") && json_read(text + 3, &reader) && objects == want && members > 4;
}

static void test_tables(void)
{
	tap_ok(says("queues", "ok\nQueue") && strstr(text, "eth1/10:   tuned  10Gbit  6500ns") &&
	       strstr(text, "eth3/20: red: each change of red empties its queue\n"), "queues: a table, then what is refused");
	tap_ok(!strstr(text, "eth3/20:  "), "what is refused is not in the table");
	tap_ok(says("compare", "Difference") && strstr(text, "-0.1") && !strstr(text, "eth3"), "compare");
	tap_ok(says("stats", "ok\nmode tune, policy follow, 2 queues, 1 refused\n") && strstr(text, "changes                        12  Changes"),
	       "stats: sums of all queues");
	tap_ok(says("stats", "model: say \"x\"\nSHA-256 of its file: cafe\n"), "stats: the model and its file");
	tap_ok(says("explain eth1/10:", "ok\neth1/10: is tuned.\n") && strstr(text, "ecn 0.9167\nPlace"), "explain");
	tap_ok(says("explain eth9", "error there is no queue eth9"), "explain: an unknown queue");
}

static void test_json(void)
{
	tap_ok(is_json("queues json", 3), "queues: JSON of three objects");
	tap_ok(is_json("compare json", 2), "compare: JSON of two");
	tap_ok(is_json("stats json", 1) && strstr(text, "\"model\": \"say \\\"x\\\"\", \"model_sha256\": \"cafe\""), "stats: JSON of one");
	daemon_now.model[0] = daemon_now.model_sha256[0] = '\0';
	tap_ok(is_json("stats json", 1) && strstr(text, "\"model\": null, \"model_sha256\": null") && says("stats", "ok\n") &&
	       !strstr(text, "SHA-256"), "stats: no model");
	tap_ok(says("explain eth1/10: json", "\"features\": [") && strstr(text, "\"value\": null"), "explain: JSON");
}

static void test_requests(void)
{
	static const char *const bad[] = {
		"", " ", "queue", "queues xml", "queues json json", "explain", "hold", "hold json", "explain a b", "explain a json x",
		"queues a", "restore", "QUEUES", "hold a b", "metrics",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		tap_ok(says(bad[i], "error ") && !strncmp(text, "error ", 6), "refused: \"%s\" (%.*s)", bad[i],
		       (int)strcspn(text, "\n"), text);
	tap_ok(says("hold eth1/10:", "ok\n") && !strcmp(acted, "hold eth1/10:"), "hold");
	tap_ok(says("resume eth1", "error not now\n") && !strcmp(acted, "resume eth1"), "resume, which fails");
}

int main(void)
{
	rows[0] = (struct status_queue){ .name = "eth1/10:", .state = "tuned", .rate = "10Gbit", .rate_bps = 10000000000, .kmin_ns = 6500,
					 .kmax_ns = 210000, .delay_ns = 50000, .count.changes = 5, .difference = -0.1, .tuned_reward = NAN };
	rows[1] = (struct status_queue){ .name = "e\\\"h/1:", .state = "static", .rate = "1Gbit", .count.changes = 7 };
	rows[2] = (struct status_queue){ .name = "eth3/20:", .state = "red", .why = "each change of red empties its queue",
					 .delay_ns = FIELD_UNKNOWN, .pmax = NAN };
	test_tables();
	test_json();
	test_requests();
	free(text);
	return tap_done();
}
