// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics in Prometheus' text format.
 */
#include <inttypes.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "delay_hist.h"
#include "prometheus.h"

#define PROMETHEUS_NAME_MAX	128
#define PROMETHEUS_LABELS_MAX	2048

/**
 * struct prometheus_text - a text that grows
 * @text: its bytes, or NULL
 * @len: number of them
 * @size: space for them
 */
struct prometheus_text {
	char	*text;
	size_t	len;
	size_t	size;
};

/**
 * struct prometheus_metric - a metric
 * @name: its name
 * @head: HELP and TYPE
 * @samples: a line for each
 * @kept: bytes of @samples that are of sources that answered
 */
struct prometheus_metric {
	char			*name;
	struct prometheus_text	head;
	struct prometheus_text	samples;
	size_t			kept;
};

static struct {
	struct prometheus_metric **metrics;	/* in the order of printing */
	size_t			nr_metrics;
	void			*by_name;	/* tree of the same */
	void			*rows;		/* tree of prefix and labels */
	const char		*source;
	const char		*prefix;
	const char		*command;
	char			labels[PROMETHEUS_LABELS_MAX];
	size_t			labels_len;
} prometheus;

static void *prometheus_need(void *memory)
{
	if (!memory) {
		fprintf(stderr, "onrampctl: no memory\n");
		exit(2);
	}
	return memory;
}

__attribute__((format(printf, 2, 3)))
static void prometheus_append(struct prometheus_text *t, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (t->len + len + 1 > t->size) {
		t->size = 2 * (t->len + len + 1);
		t->text = prometheus_need(realloc(t->text, t->size));
	}
	va_start(args, format);
	t->len += vsnprintf(t->text + t->len, len + 1, format, args);
	va_end(args);
}

static int prometheus_compare(const void *a, const void *b)
{
	return strcmp(((const struct prometheus_metric *)a)->name,
		      ((const struct prometheus_metric *)b)->name);
}

static int prometheus_compare_rows(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct prometheus_metric *prometheus_metric(const char *name,
						   const char *type,
						   const char *help)
{
	struct prometheus_metric wanted = { .name = (char *)name }, *m;
	struct prometheus_metric **found;

	found = tfind(&wanted, &prometheus.by_name, prometheus_compare);
	if (found)
		return *found;
	m = prometheus_need(calloc(1, sizeof(*m)));
	m->name = prometheus_need(strdup(name));
	prometheus_append(&m->head, "# HELP %s %s\n# TYPE %s %s\n", name, help,
			  name, type);
	prometheus_need(tsearch(m, &prometheus.by_name, prometheus_compare));
	prometheus.metrics = prometheus_need(realloc(prometheus.metrics,
						     sizeof(m) * (prometheus.nr_metrics + 1)));
	prometheus.metrics[prometheus.nr_metrics++] = m;
	return m;
}

/* Control characters become question marks: the format has only the line feed. */
static void prometheus_quote(const char *text, char *out, size_t size)
{
	size_t len = 0;

	for (; *text && len + 3 < size; text++) {
		if (*text == '"' || *text == '\\')
			out[len++] = '\\';
		out[len++] = (unsigned char)*text < ' ' ? '?' : *text;
	}
	out[len] = 0;
}

/* @part is what a histogram's samples have behind their metric's name, else empty. */
static void prometheus_sample(const char *name, const char *part, const char *type,
			      const char *key, const char *labels, const char *value)
{
	char help[PROMETHEUS_NAME_MAX];
	struct prometheus_metric *m;

	snprintf(help, sizeof(help), "%s of %s", key, prometheus.command);
	m = prometheus_metric(name, type, help);
	prometheus_append(&m->samples, "%s%s%s%s%s %s\n", name, part,
			  *labels ? "{" : "", labels, *labels ? "}" : "",
			  value);
}

void prometheus_source(const char *source, const char *prefix,
		       const char *command)
{
	prometheus.source = source;
	prometheus.prefix = prefix;
	prometheus.command = command;
	/* The first metric, though the samples of this source are not yet complete. */
	prometheus_metric("sharpramp_up", "gauge",
			  "1 if the source answered");
	prometheus_row();
}

void prometheus_prefix(const char *prefix)
{
	prometheus.prefix = prefix;
}

void prometheus_source_end(bool up)
{
	struct prometheus_metric *m;
	size_t i;

	for (i = 0; i < prometheus.nr_metrics; i++) {
		m = prometheus.metrics[i];
		if (up)
			m->kept = m->samples.len;
		else
			m->samples.len = m->kept;
	}
	m = prometheus.metrics[0];
	prometheus_append(&m->samples, "%s{source=\"%s\"} %d\n", m->name,
			  prometheus.source, up);
	m->kept = m->samples.len;
}

void prometheus_row(void)
{
	prometheus.labels[0] = 0;
	prometheus.labels_len = 0;
}

void prometheus_label(const char *name, const char *text)
{
	size_t len = prometheus.labels_len;
	char quoted[2 * VALUE_TEXT_MAX];

	prometheus_quote(text, quoted, sizeof(quoted));
	len += snprintf(prometheus.labels + len,
			sizeof(prometheus.labels) - len, "%s%s=\"%s\"",
			len ? "," : "", name, quoted);
	prometheus.labels_len = len < sizeof(prometheus.labels) ?
				len : sizeof(prometheus.labels) - 1;
}

bool prometheus_row_is_new(void)
{
	char row[PROMETHEUS_NAME_MAX + PROMETHEUS_LABELS_MAX], *copy;

	snprintf(row, sizeof(row), "%s %s", prometheus.prefix,
		 prometheus.labels);
	if (tfind(row, &prometheus.rows, prometheus_compare_rows))
		return false;
	copy = prometheus_need(strdup(row));
	prometheus_need(tsearch(copy, &prometheus.rows,
				prometheus_compare_rows));
	return true;
}

/* Take an ending off a name.  Return: whether it had it. */
static bool prometheus_cut(char *name, const char *ending)
{
	size_t len = strlen(name), cut = strlen(ending);

	if (len <= cut || strcmp(name + len - cut, ending))
		return false;
	name[len - cut] = 0;
	return true;
}

/* The decimal point @digits to the left, exactly. */
static void prometheus_shift(const char *number, int digits, char *out,
			     size_t size)
{
	const char *minus = *number == '-' ? "-" : "";
	char padded[64];
	int len;

	number += *number == '-';
	len = strlen(number);
	snprintf(padded, sizeof(padded), "%.*s%s",
		 len > digits ? 0 : digits + 1 - len, "0000000000", number);
	len = strlen(padded) - digits;
	snprintf(out, size, "%s%.*s.%s", minus, len, padded, padded + len);
}

static bool prometheus_is_whole(const char *number)
{
	number += *number == '-';
	return *number && strspn(number, "0123456789") == strlen(number) &&
	       strlen(number) < 40;
}

void prometheus_number(const char *key, const char *number,
		       enum metric_kind kind)
{
	char base[PROMETHEUS_NAME_MAX], name[2 * PROMETHEUS_NAME_MAX];
	const char *unit = "";
	char shifted[64];
	int digits = 0;

	snprintf(base, sizeof(base), "%s", key);
	if (prometheus_cut(base, "_ns"))
		digits = 9;
	else if (prometheus_cut(base, "_us"))
		digits = 6;
	else if (!strcmp(base, "backlog"))
		unit = "_bytes";
	if (digits) {
		unit = "_seconds";
		if (prometheus_is_whole(number)) {
			prometheus_shift(number, digits, shifted,
					 sizeof(shifted));
			number = shifted;
		}
	}
	if (kind == METRIC_COUNTER)
		prometheus_cut(base, "_total");
	snprintf(name, sizeof(name), "%s_%s%s%s", prometheus.prefix, base, unit,
		 kind == METRIC_COUNTER ? "_total" : "");
	prometheus_sample(name, "", kind == METRIC_COUNTER ? "counter" : "gauge",
			  key, prometheus.labels, number);
}

/* The labels of the row and one more, whose text is quoted already. */
static const char *prometheus_labels_and(const char *label, const char *text)
{
	static char labels[PROMETHEUS_LABELS_MAX + PROMETHEUS_NAME_MAX +
			   2 * VALUE_TEXT_MAX];

	snprintf(labels, sizeof(labels), "%s%s%s=\"%s\"", prometheus.labels,
		 *prometheus.labels ? "," : "", label, text);
	return labels;
}

void prometheus_histogram(const char *key, const uint64_t *bucket, uint64_t sum_ns)
{
	char name[2 * PROMETHEUS_NAME_MAX], number[24], seconds[64];
	uint64_t count = 0;
	uint32_t i;

	snprintf(name, sizeof(name), "%s_%s_seconds", prometheus.prefix, key);
	for (i = 0; i < DELAY_HIST_BUCKETS; i++) {
		const char *le = "+Inf";

		if (i + 1 < DELAY_HIST_BUCKETS) {
			snprintf(number, sizeof(number), "%" PRIu64, delay_hist_bound_ns(i));
			prometheus_shift(number, 9, seconds, sizeof(seconds));
			le = seconds;
		}
		count += bucket[i];
		snprintf(number, sizeof(number), "%" PRIu64, count);
		prometheus_sample(name, "_bucket", "histogram", key,
				  prometheus_labels_and("le", le), number);
	}
	prometheus_sample(name, "_count", "histogram", key, prometheus.labels, number);
	snprintf(number, sizeof(number), "%" PRIu64, sum_ns);
	prometheus_shift(number, 9, seconds, sizeof(seconds));
	prometheus_sample(name, "_sum", "histogram", key, prometheus.labels, seconds);
}

void prometheus_info(const char *key, const char *label, const char *text)
{
	char name[2 * PROMETHEUS_NAME_MAX];
	char quoted[2 * VALUE_TEXT_MAX];

	prometheus_quote(text, quoted, sizeof(quoted));
	snprintf(name, sizeof(name), "%s_%s", prometheus.prefix, key);
	prometheus_sample(name, "", "gauge", key, prometheus_labels_and(label, quoted), "1");
}

void prometheus_value(const char *key, enum metric_kind kind,
		      const struct value_range *range, const struct value *v)
{
	if (kind == METRIC_NONE)
		return;
	if (kind == METRIC_LABEL) {
		prometheus_label(key, value_for_people(range, v).text);
		return;
	}
	switch (range->kind) {
	case VALUE_NAME:
	case VALUE_DEVICE:
	case VALUE_ADDRESS:
	case VALUE_TEXT:
		prometheus_info(key, key, value_for_people(range, v).text);
		break;
	case VALUE_FLAG:
		prometheus_number(key, v->number ? "1" : "0", kind);
		break;
	default:
		prometheus_number(key, value_for_json(range, v).text, kind);
	}
}

static void prometheus_forget(struct prometheus_metric *m)
{
	tdelete(m, &prometheus.by_name, prometheus_compare);
	free(m->name);
	free(m->head.text);
	free(m->samples.text);
	free(m);
}

void prometheus_print(FILE *to)
{
	size_t i;

	for (i = 0; i < prometheus.nr_metrics; i++) {
		struct prometheus_metric *m = prometheus.metrics[i];

		if (m->kept)
			fprintf(to, "%s%s", m->head.text, m->samples.text);
		prometheus_forget(m);
	}
	free(prometheus.metrics);
	while (prometheus.rows) {
		char *row = *(char **)prometheus.rows;

		tdelete(row, &prometheus.rows, prometheus_compare_rows);
		free(row);
	}
	memset(&prometheus, 0, sizeof(prometheus));
}
