// SPDX-License-Identifier: GPL-2.0
/*
 * Why acc-tuner does not run, or does not tune a queue.
 */
#include <string.h>

#include "finding.h"

#define COUNT(n)	(finding_count(n).text)
#define TIME(ns)	(unit_format_time(ns).text)

/* The reason of a refusal ends with a command. */
#define TUNER_COMMAND	": tc "

/* Tuning to less than this multiple of a queue's own kmax is not worth a word. */
#define TUNER_FAR	2

/* With fewer intervals none is a tenth. */
#define TUNER_TICKS	100

static void tuner_refused(const struct finding_check *at)
{
	const struct facts_tuner *t = &at->f->tuner;
	struct finding *x;

	if (!t->configured || t->claimed || !*t->refused)
		return;
	x = finding_add(at, NULL, "acc-tuner does not start: %s.", t->refused);
	finding_command(x, "acc-tuner --test");
}

static void tuner_stopped(const struct finding_check *at)
{
	const struct facts_tuner *t = &at->f->tuner;
	struct finding *x;

	if (!t->configured || t->claimed || *t->refused)
		return;
	x = finding_add(at, NULL,
			"acc-tuner is configured, and does not run in this network namespace.");
	finding_command(x, "systemctl enable --now acc-tuner");
}

static void tuner_left(const struct finding_check *at)
{
	struct finding *x;

	if (!at->f->tuner.saved || at->f->tuner.claimed)
		return;
	x = finding_add(at, NULL,
			"Queues have the last thresholds of an acc-tuner that was killed, not their own.");
	finding_command(x, "accctl restore");
}

static void tuner_deaf(const struct finding_check *at)
{
	struct finding *x;

	if (!at->f->tuner.deaf)
		return;
	x = finding_add(at, NULL,
			"An acc-tuner runs in this network namespace that is not the unit's: a second one cannot start, and accctl does not reach it.");
	finding_command(x, "pgrep -a acc-tuner");
}

static void tuner_late(const struct finding_check *at)
{
	const struct facts_tuner_counts *n = &at->f->tuner.n;
	struct finding *x;

	if (n->ticks < TUNER_TICKS || n->overruns * 10 <= n->ticks)
		return;
	x = finding_add(at, NULL,
			"acc-tuner skipped %s of %s intervals: [tuner] interval is too short for its queues.",
			COUNT(n->overruns), COUNT(n->ticks));
	finding_command(x, "accctl stats");
}

/* The device of a queue's name, DEVICE/HANDLE:, or NULL. */
static const struct facts_dev *tuner_dev(const struct facts *f, const struct facts_tuner_queue *q)
{
	const char *slash = strrchr(q->name, '/');
	const struct facts_dev *dev;

	for (dev = f->devs; dev < f->devs + f->nr_devs; dev++)
		if (slash && strlen(dev->name) == (size_t)(slash - q->name) &&
		    !strncmp(dev->name, q->name, slash - q->name))
			return dev;
	return NULL;
}

typedef void (*tuner_check_fn)(const struct finding_check *at, const struct facts_tuner_queue *q);

/* Each queue in scope. */
static void tuner_queues(const struct finding_check *at, tuner_check_fn check)
{
	const struct facts_tuner *t = &at->f->tuner;
	const struct facts_tuner_queue *q;

	for (q = t->queues; q < t->queues + t->nr_queues; q++) {
		struct finding_check one = *at;

		one.dev = tuner_dev(at->f, q);
		if (one.dev ? finding_in_scope(at->f, one.dev->ifindex) : !at->f->scope)
			check(&one, q);
	}
}

static void tuner_resume(struct finding *x, const struct facts_tuner_queue *q)
{
	finding_command(x, "accctl resume ");
	finding_argument(x, q->name);
}

static void tuner_foreign_queue(const struct finding_check *at, const struct facts_tuner_queue *q)
{
	struct finding *x;

	if (strcmp(q->state, "foreign"))
		return;
	x = finding_add(at, NULL, "Another program changed %s, which acc-tuner leaves alone.",
			q->name);
	tuner_resume(x, q);
}

static void tuner_foreign(const struct finding_check *at)
{
	tuner_queues(at, tuner_foreign_queue);
}

static void tuner_held_queue(const struct finding_check *at, const struct facts_tuner_queue *q)
{
	struct finding *x;

	if (strcmp(q->state, "held"))
		return;
	x = finding_add(at, NULL, "%s is held at its own thresholds.", q->name);
	tuner_resume(x, q);
}

static void tuner_held(const struct finding_check *at)
{
	tuner_queues(at, tuner_held_queue);
}

static void tuner_harm_queue(const struct finding_check *at, const struct facts_tuner_queue *q)
{
	struct finding *x;

	if (strcmp(q->state, "holdoff"))
		return;
	x = finding_add(at, NULL, "%s has its own thresholds for a time, because tuning did harm.",
			q->name);
	finding_command(x, "accctl compare");
}

static void tuner_harm(const struct finding_check *at)
{
	tuner_queues(at, tuner_harm_queue);
}

/* A device that is down has another remedy, or needs none. */
static void tuner_unfit_queue(const struct finding_check *at, const struct facts_tuner_queue *q)
{
	const char *command = strstr(q->why, TUNER_COMMAND);
	size_t len = command ? (size_t)(command - q->why) : strlen(q->why);
	struct finding *x;

	if (!len || !strcmp(q->state, "down"))
		return;
	x = finding_add(at, NULL, "acc-tuner does not tune %s, because %.*s.", q->name, (int)len,
			q->why);
	finding_command(x, "%s", command ? command + 2 : "accctl queues");
}

static void tuner_unfit(const struct finding_check *at)
{
	tuner_queues(at, tuner_unfit_queue);
}

static bool tuner_is_far(const struct facts_tuner_queue *q)
{
	return q->wanted_kmax_ns >= TUNER_FAR * q->own_kmax_ns ||
	       q->own_kmax_ns >= TUNER_FAR * q->wanted_kmax_ns;
}

static void tuner_observes_queue(const struct finding_check *at, const struct facts_tuner_queue *q)
{
	struct finding *x;

	if (strcmp(q->state, "observed") || !q->wanted_kmax_ns || !q->own_kmax_ns ||
	    !tuner_is_far(q))
		return;
	x = finding_add(at, NULL,
			"acc-tuner only observes: it would set the kmax of %s to %s, which has %s; [tuner] mode = tune lets it.",
			q->name, TIME(q->wanted_kmax_ns), TIME(q->own_kmax_ns));
	finding_command(x, "accctl queues");
}

static void tuner_observes(const struct finding_check *at)
{
	tuner_queues(at, tuner_observes_queue);
}

#define RULE(id, severity, check) \
	{ id, FINDING_##severity, FINDING_HOST, tuner_##check }

const struct finding_rule finding_tuner[] = {
	RULE("acc-left", ERROR, left),
	RULE("acc-refused", WARNING, refused),
	RULE("acc-stopped", WARNING, stopped),
	RULE("acc-deaf", WARNING, deaf),
	RULE("acc-late", WARNING, late),
	RULE("acc-foreign", WARNING, foreign),
	RULE("acc-harm", WARNING, harm),
	RULE("acc-unfit", WARNING, unfit),
	RULE("acc-held", NOTE, held),
	RULE("acc-observes", NOTE, observes),
	{ 0 }
};
