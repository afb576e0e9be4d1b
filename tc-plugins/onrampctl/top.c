// SPDX-License-Identifier: GPL-2.0
/*
 * onrampctl top: live paths, those that were held longest first.
 *
 * An interval is the difference of two snapshots, so nothing is
 * printed until the first is over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/onramp.h>

#include "facts.h"
#include "request.h"
#include "host.h"
#include "out.h"
#include "run.h"
#include "show.h"

#define TOP_INTERVAL_NS	1000000000ULL
#define TOP_SECOND	1000000000.0

/* Paths to read at most, in the kernel's order. */
#define TOP_PATHS	65536
/* Rows without a terminal. */
#define TOP_ROWS	20
/* Lines for the heading and for the cursor. */
#define TOP_MARGIN	2

/* To the first column of the first line, and everything behind it goes. */
#define TOP_HOME	"\033[H\033[J"

/**
 * enum top_value - what is kept of a path
 * @TOP_SADDR: first member of the key
 * @TOP_DADDR: destination
 * @TOP_DSCP: class
 * @TOP_SCOPE: last of those
 * @TOP_HELD: first of those that only grow: ns
 * @TOP_HOLDS: pauses
 * @TOP_SAMPLES: delays, last of those
 * @TOP_OWD: from here on only shown
 * @TOP_AGE: of that
 * @TOP_BASE: lowest delay
 * @TOP_THRESHOLD: T
 * @TOP_ERROR: bound of both clocks
 * @TOP_BETA: of the last equation
 * @TOP_STATE: enum onramp_state
 * @TOP_VALUES: how many there are
 */
enum top_value {
	TOP_SADDR,
	TOP_DADDR,
	TOP_DSCP,
	TOP_SCOPE,
	TOP_HELD,
	TOP_HOLDS,
	TOP_SAMPLES,
	TOP_OWD,
	TOP_AGE,
	TOP_BASE,
	TOP_THRESHOLD,
	TOP_ERROR,
	TOP_BETA,
	TOP_STATE,
	TOP_VALUES
};

static const uint16_t top_attr[TOP_VALUES] = {
	[TOP_SADDR] = ONRAMP_A_SADDR,
	[TOP_DADDR] = ONRAMP_A_DADDR,
	[TOP_DSCP] = ONRAMP_A_DSCP,
	[TOP_SCOPE] = ONRAMP_A_SCOPE,
	[TOP_HELD] = ONRAMP_A_HOLD_TOTAL,
	[TOP_HOLDS] = ONRAMP_A_HOLDS,
	[TOP_SAMPLES] = ONRAMP_A_SAMPLES,
	[TOP_OWD] = ONRAMP_A_OWD,
	[TOP_AGE] = ONRAMP_A_OWD_AGE,
	[TOP_BASE] = ONRAMP_A_BASE,
	[TOP_THRESHOLD] = ONRAMP_A_THRESHOLD,
	[TOP_ERROR] = ONRAMP_A_ERROR,
	[TOP_BETA] = ONRAMP_A_BETA,
	[TOP_STATE] = ONRAMP_A_STATE,
};

/**
 * struct top_path - a path
 * @v: what is known of it; zero where nothing is
 * @since: of those that only grow, what they grew by in the interval
 */
struct top_path {
	struct value	v[TOP_VALUES];
	uint64_t	since[TOP_SAMPLES + 1];
};

/**
 * struct top_snapshot - all paths at one time
 * @paths: sorted by key, and later by holds
 * @n: how many
 * @at_ns: when
 */
struct top_snapshot {
	struct top_path	*paths;
	size_t		n;
	uint64_t	at_ns;
};

static const struct show_field *top_field(enum top_value what)
{
	const struct show_field *field = show_path;

	while (field->attr != top_attr[what])
		field++;
	return field;
}

static void top_on_path(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	const struct nlattr *path[ONRAMP_A_MAX + 1];
	struct top_snapshot *now = data;
	struct top_path *p;
	int i;

	if (!attrs[ONRAMP_A_PATH] || now->n == TOP_PATHS)
		return;
	onramp_parse_nest(attrs[ONRAMP_A_PATH], path);
	now->paths = facts_grow(now->paths, &now->n, sizeof(*now->paths));
	p = &now->paths[now->n - 1];
	for (i = 0; i < TOP_VALUES; i++)
		p->v[i].given = show_read(path, top_field(i), &p->v[i]);
}

static int top_compare_key(const void *a, const void *b)
{
	const struct top_path *x = a, *y = b;
	int i, differs = 0;

	for (i = TOP_SADDR; !differs && i <= TOP_DADDR; i++)
		differs = x->v[i].address_len != y->v[i].address_len ?
			  x->v[i].address_len - y->v[i].address_len :
			  memcmp(x->v[i].address, y->v[i].address,
				 x->v[i].address_len);
	for (i = TOP_DSCP; !differs && i <= TOP_SCOPE; i++)
		differs = (x->v[i].number > y->v[i].number) -
			  (x->v[i].number < y->v[i].number);
	return differs;
}

static int top_compare_u64(uint64_t x, uint64_t y)
{
	return (x < y) - (x > y);
}

/* The longest first; of those alike the one that was held longer before. */
static int top_compare_held(const void *a, const void *b)
{
	const struct top_path *x = a, *y = b;
	int order = top_compare_u64(x->since[TOP_HELD], y->since[TOP_HELD]);

	if (!order)
		order = top_compare_u64(x->v[TOP_HELD].number,
					y->v[TOP_HELD].number);
	if (!order)
		order = top_compare_u64(x->since[TOP_SAMPLES],
					y->since[TOP_SAMPLES]);
	return order ? order : top_compare_key(x, y);
}

static int top_take(struct top_snapshot *now, struct nl_refusal *why)
{
	struct nl_request request;

	onramp_begin(&request, ONRAMP_CMD_PATH_GET, 1);
	now->at_ns = host_now();
	if (request_send(&request, top_on_path, now, why))
		return -1;
	if (now->n)
		qsort(now->paths, now->n, sizeof(*now->paths),
		      top_compare_key);
	return 0;
}

/* A path that was forgotten meanwhile, and came again, began at 0. */
static void top_since(struct top_snapshot *now, const struct top_snapshot *before)
{
	const struct top_path *was;
	struct top_path *p;
	int i;

	for (p = now->paths; p < now->paths + now->n; p++) {
		was = before->n ? bsearch(p, before->paths, before->n,
					  sizeof(*p), top_compare_key) : NULL;
		if (was && was->v[TOP_SAMPLES].number >
			   p->v[TOP_SAMPLES].number)
			was = NULL;
		for (i = TOP_HELD; i <= TOP_SAMPLES; i++)
			p->since[i] = p->v[i].number -
				      (was ? was->v[i].number : 0);
	}
}

static void top_cell(const struct top_path *p, enum top_value what)
{
	const struct show_field *field = top_field(what);
	const struct value *v = &p->v[what];

	if (v->given)
		out_cell(field->key, field->name,
			 value_for_people(&field->range, v).text,
			 value_for_json(&field->range, v).text);
	else
		out_cell(field->key, field->name, NULL, NULL);
}

static void top_number(const char *key, const char *name, enum value_kind kind,
		       double number)
{
	const struct value_range range = { .kind = kind };
	const struct value v = { .given = true, .number = number + 0.5 };

	out_cell(key, name, value_for_people(&range, &v).text,
		 value_for_json(&range, &v).text);
}

static void top_row(const struct top_path *p, double seconds)
{
	double held_ns = p->since[TOP_HELD] / seconds;

	out_row();
	top_cell(p, TOP_SADDR);
	top_cell(p, TOP_DADDR);
	top_cell(p, TOP_DSCP);
	top_cell(p, TOP_SCOPE);
	top_cell(p, TOP_OWD);
	top_cell(p, TOP_AGE);
	top_cell(p, TOP_BASE);
	top_cell(p, TOP_THRESHOLD);
	top_cell(p, TOP_ERROR);
	top_number("held_ns_per_s", "held/s", VALUE_TIME,
		   held_ns > TOP_SECOND ? TOP_SECOND : held_ns);
	top_number("holds_per_s", "holds/s", VALUE_COUNT,
		   p->since[TOP_HOLDS] / seconds);
	top_number("samples_per_s", "samples/s", VALUE_COUNT,
		   p->since[TOP_SAMPLES] / seconds);
	top_cell(p, TOP_HELD);
	top_cell(p, TOP_BETA);
	top_cell(p, TOP_STATE);
}

static size_t top_bound(unsigned int rows)
{
	if (!rows)
		return TOP_ROWS;
	return rows > TOP_MARGIN ? rows - TOP_MARGIN : 1;
}

static int top_print(struct top_snapshot *now, const struct top_snapshot *before,
		     bool json, bool more)
{
	double seconds = (now->at_ns - before->at_ns) / TOP_SECOND;
	unsigned int rows = json ? 0 : host_rows();
	size_t i, bound = top_bound(rows);

	top_since(now, before);
	if (now->n)
		qsort(now->paths, now->n, sizeof(*now->paths),
		      top_compare_held);
	if (rows)
		printf(TOP_HOME);
	out_begin(json, OUT_TABLE);
	for (i = 0; i < now->n && i < bound; i++)
		top_row(&now->paths[i], seconds > 0 ? seconds : 1);
	/* A blank line separates blocks in a file. */
	if (out_end() || (!json && !rows && more && puts("") == EOF))
		return -1;
	return 0;
}

static void top_forget(struct top_snapshot *now)
{
	free(now->paths);
	memset(now, 0, sizeof(*now));
}

/* One interval.  Return: 0, or the exit status. */
static int top_interval(const struct command *command, struct top_snapshot *before,
			uint64_t ns, bool json, bool more)
{
	struct top_snapshot now = { 0 };
	struct nl_refusal why = { 0 };
	int status = RUN_OK;

	host_sleep(ns);
	if (top_take(&now, &why))
		status = run_refused(command, &why, true);
	else if (top_print(&now, before, json, more))
		status = RUN_FAILED;
	top_forget(before);
	*before = now;
	/* It was sorted for people. */
	if (now.n)
		qsort(now.paths, now.n, sizeof(*now.paths), top_compare_key);
	return status;
}

int run_top(const struct command *command, const struct value *values,
	    bool json)
{
	uint64_t ns = values[1].given ? values[1].number : TOP_INTERVAL_NS;
	uint64_t left = values[0].given ? values[0].number : UINT64_MAX;
	struct top_snapshot before = { 0 };
	struct nl_refusal why = { 0 };
	int status = run_open(command);

	if (!status && top_take(&before, &why))
		status = run_refused(command, &why, true);
	while (!status && left--)
		status = top_interval(command, &before, ns, json, left);
	top_forget(&before);
	return status;
}
