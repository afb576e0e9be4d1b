// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters and counters to tc's output.
 */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "delay_hist.h"
#include "print.h"
#include "tc_plugin.h"
#include "../lib/units.h"

void print_text(const char *text)
{
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s", text);
}

static void print_named(const char *name, const char *text)
{
	if (name)
		print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ", name);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ", text);
}

/* @name is NULL for the second and further values of a name. */
static void print_param(const struct param *p, const char *name, uint64_t value)
{
	char text[PARAM_NAME_MAX], key[PARAM_NAME_MAX];

	param_key(p, key);
	switch (param_write(p, value, text)) {
	case PARAM_NUMBER:
		print_color_u64(PRINT_JSON, COLOR_NONE, key, NULL, value);
		break;
	case PARAM_SIGNED:
		print_color_s64(PRINT_JSON, COLOR_NONE, key, NULL, value);
		break;
	case PARAM_SWITCH:
		print_color_bool(PRINT_JSON, COLOR_NONE, key, NULL, value);
		break;
	case PARAM_CHOICE:
		print_color_string(PRINT_JSON, COLOR_NONE, key, NULL, text);
		break;
	}
	print_named(param_stands_alone(p) ? NULL : name, text);
}

/* One argument in text, in JSON a string a row that is used.  Return: number of the last row. */
static int print_addresses(const struct param_kind *k, int id, struct param_values v)
{
	const char *name = k->param[id].name;
	char list[PARAM_ADDRESSES_MAX], text[PARAM_NAME_MAX], key[PARAM_NAME_MAX];
	int end = param_addresses(k, id, v, list);
	bool any = !strcmp(list, "any");

	for (; id < end; id++) {
		if (!any && (!(*v.given >> id & 1) || !v.value[id]))
			continue;
		param_key(&k->param[id], key);
		param_write(&k->param[id], v.value[id], text);
		print_color_string(PRINT_JSON, COLOR_NONE, key, NULL, text);
		if (any)
			break;
	}
	print_named(name, list);
	return end - 1;
}

void print_params(const struct param_kind *k, struct param_values v)
{
	const char *last = "";
	int id;

	for (id = 0; id < k->count; id++) {
		const struct param *p = &k->param[id];

		if (!(*v.given >> id & 1))
			continue;
		if (param_is_address(p)) {
			id = print_addresses(k, id, v);
			continue;
		}
		print_param(p, strcmp(last, p->name) ? p->name : NULL,
			    v.value[id]);
		last = p->name;
	}
}

static void print_counter(const struct param_counter *c, uint64_t value)
{
	const char *name = c->name ? c->name : c->key;
	bool negative = c->is_signed && (int64_t)value < 0;
	uint64_t size = negative ? -value : value;
	struct unit_text text;

	text = c->is_time ? unit_format_time(size) : unit_format_number(size);
	if (negative)
		print_color_s64(PRINT_JSON, COLOR_NONE, c->key, NULL,
				(int64_t)value);
	else
		print_color_u64(PRINT_JSON, COLOR_NONE, c->key, NULL, value);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ", name);
	print_color_string(PRINT_FP, COLOR_NONE, NULL,
			   negative ? "-%s " : "%s ", text.text);
}

/* In text each bucket that is not empty, by its bound. */
static void print_bucket(const struct param_counter *c, size_t i, uint64_t value)
{
	struct unit_text bound = { "inf" };

	print_color_u64(PRINT_JSON, COLOR_NONE, NULL, NULL, value);
	if (!value)
		return;
	if (i + 1 < c->buckets)
		bound = unit_format_time(delay_hist_bound_ns(i));
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s:", bound.text);
	print_color_u64(PRINT_FP, COLOR_NONE, NULL, "%" PRIu64 " ", value);
}

static void print_buckets(const struct param_counter *c, const uint64_t *value)
{
	bool empty = true;
	size_t i;

	open_json_array(PRINT_JSON, c->key);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ", c->key);
	for (i = 0; i < c->buckets; i++) {
		print_bucket(c, i, value[i]);
		empty &= !value[i];
	}
	if (empty)
		print_text("empty ");
	close_json_array(PRINT_JSON, NULL);
}

void print_counters(const struct param_kind *k, struct rtattr *xstats)
{
	uint64_t value[DELAY_HIST_BUCKETS];
	bool line_begins = true;
	size_t i;

	if (!xstats)
		return;
	for (i = 0; i < k->counters; i++) {
		const struct param_counter *c = &k->counter[i];

		if (!param_counter_read(c, RTA_DATA(xstats),
					RTA_PAYLOAD(xstats), value)) {
			line_begins |= c->ends_line;
			continue;
		}
		if (line_begins) {
			if (i)
				print_nl();
			print_text("  ");
		}
		if (c->buckets)
			print_buckets(c, value);
		else
			print_counter(c, *value);
		line_begins = c->ends_line;
	}
}
