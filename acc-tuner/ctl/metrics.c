// SPDX-License-Identifier: GPL-2.0
/*
 * Counters, and Prometheus' text format.
 */
#include <inttypes.h>
#include <math.h>

#include "metrics.h"

#define METRICS_N(a)	(sizeof(a) / sizeof((a)[0]))
#define METRICS_NS	1e9

#define D(f)	offsetof(struct status_daemon, f), false
#define Q(f)	offsetof(struct status_queue, f), true
static const struct metrics_counter metrics_counters[] = {
	{ "ticks", "Intervals of the daemon", D(ticks) },
	{ "overruns", "Intervals of the daemon that were not in time", D(overruns) },
	{ "interrupted", "Dumps during which the kernel's tables changed", D(interrupted) },
	{ "failed_dumps", "Dumps that the kernel refused", D(failed_dumps) },
	{ "looks", "Searches for queues", D(looks) },
	{ "updates", "Updates of the network that learns", D(updates) },
	{ "intervals", "Intervals that were observed", Q(intervals) },
	{ "decisions", "Choices of the policy", Q(decisions) },
	{ "changes", "Changes of thresholds", Q(changes) },
	{ "clamped", "Choices of the rule outside of the limits", Q(clamped) },
	{ "masked", "Choices of the network outside of the limits", Q(masked) },
	{ "late", "Intervals that were too long to choose in", Q(late) },
	{ "idle_skipped", "Intervals without a choice, as the queue was idle", Q(idle_skipped) },
	{ "fallback_drops", "Fallbacks to static thresholds: drops", Q(fallback[0]) },
	{ "fallback_marks", "Fallbacks: all marked, and the link not used", Q(fallback[1]) },
	{ "fallback_delay", "Fallbacks: a multiple of the static delay", Q(fallback[2]) },
	{ "fallback_comparison", "Fallbacks: static thresholds proved better", Q(fallback[3]) },
	{ "foreign", "Changes by others", Q(foreign) },
	{ "failed", "Changes that the kernel refused", Q(failed) },
	{ "compare_tuned", "Intervals of tuned blocks that were compared", Q(tuned_intervals) },
	{ "compare_static", "Intervals of static blocks that were compared", Q(static_intervals) },
};

#undef Q
#define Q(f)	offsetof(struct status_queue, f)

/**
 * struct metrics_gauge - a number that may fall
 * @name: behind acc_queue_
 * @what: description
 * @at: its offset in struct status_queue
 * @is_time: it is int64_t in ns, else double
 */
static const struct metrics_gauge {
	const char *name;
	const char *what;
	size_t at;
	bool is_time;
} metrics_gauges[] = {
	{ "delay_seconds", "Mean delay in the last interval", Q(delay_ns), true },
	{ "kmin_seconds", "Level up to which nothing is marked", Q(kmin_ns), true },
	{ "kmax_seconds", "Level above which everything is marked", Q(kmax_ns), true },
	{ "pmax", "Marking probability at kmax", Q(pmax), false },
	{ "utilisation", "Utilisation in the last interval", Q(utilisation), false },
	{ "marked_fraction", "Marked part of the bytes in the last interval", Q(marked), false },
	{ "reward", "Reward of the last interval", Q(reward), false },
	{ "compare_tuned_reward", "Mean reward of tuned blocks", Q(tuned_reward), false },
	{ "compare_static_reward", "Mean reward of static blocks", Q(static_reward), false },
};

const struct metrics_counter *metrics_counter(size_t place)
{
	return place < METRICS_N(metrics_counters) ? &metrics_counters[place] : NULL;
}

static uint64_t metrics_number(const void *row, size_t at)
{
	return *(const uint64_t *)((const char *)row + at);
}

uint64_t metrics_sum(const struct metrics_counter *c, const struct status *s)
{
	uint64_t sum = 0;
	size_t i;

	if (!c->of_queue)
		return metrics_number(&s->daemon, c->at);
	for (i = 0; i < s->queues; i++)
		sum += metrics_number(&s->queue[i], c->at);
	return sum;
}

static void metrics_head(FILE *out, const char *name, const char *type, const char *what)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, what, name, type);
}

/* A device's name may have quotes and backslashes in it. */
static void metrics_label(FILE *out, const char *name, const char *text)
{
	fprintf(out, "%s=\"", name);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void metrics_sample(FILE *out, const char *name, const struct status_queue *q)
{
	fprintf(out, "%s{", name);
	metrics_label(out, "queue", q->name);
}

static void metrics_print_counter(FILE *out, const struct metrics_counter *c,
				  const struct status *s)
{
	char name[64];
	size_t i;

	snprintf(name, sizeof(name), "acc_%s%s_total", c->of_queue ? "queue_" : "", c->name);
	metrics_head(out, name, "counter", c->what);
	if (!c->of_queue)
		fprintf(out, "%s %" PRIu64 "\n", name, metrics_number(&s->daemon, c->at));
	for (i = 0; c->of_queue && i < s->queues; i++) {
		if (*s->queue[i].why)
			continue;
		metrics_sample(out, name, &s->queue[i]);
		fprintf(out, "} %" PRIu64 "\n", metrics_number(&s->queue[i], c->at));
	}
}

static double metrics_value(const struct metrics_gauge *g, const struct status_queue *q)
{
	const char *at = (const char *)q + g->at;

	return g->is_time ? (double)*(const int64_t *)at / METRICS_NS : *(const double *)at;
}

static void metrics_print_gauge(FILE *out, const struct metrics_gauge *g, const struct status *s)
{
	char name[64];
	size_t i;

	snprintf(name, sizeof(name), "acc_queue_%s", g->name);
	metrics_head(out, name, "gauge", g->what);
	for (i = 0; i < s->queues; i++) {
		double value = metrics_value(g, &s->queue[i]);

		if (*s->queue[i].why || !isfinite(value))
			continue;
		metrics_sample(out, name, &s->queue[i]);
		fprintf(out, "} %.9g\n", value);
	}
}

static void metrics_print_states(FILE *out, const struct status *s)
{
	size_t i;

	metrics_head(out, "acc_info", "gauge", "Mode, policy and model of acc-tuner");
	fprintf(out, "acc_info{mode=\"%s\",policy=\"%s\",", s->daemon.mode, s->daemon.policy);
	metrics_label(out, "model", s->daemon.model);
	fputs("} 1\n", out);
	metrics_head(out, "acc_queue_state", "gauge", "State of a queue, or why it is not tuned");
	for (i = 0; i < s->queues; i++) {
		metrics_sample(out, "acc_queue_state", &s->queue[i]);
		fprintf(out, ",state=\"%s\"} 1\n", s->queue[i].state);
	}
}

void metrics_print(FILE *out, const struct status *s)
{
	size_t i;

	metrics_print_states(out, s);
	for (i = 0; i < METRICS_N(metrics_counters); i++)
		metrics_print_counter(out, &metrics_counters[i], s);
	for (i = 0; i < METRICS_N(metrics_gauges); i++)
		metrics_print_gauge(out, &metrics_gauges[i], s);
}
