// SPDX-License-Identifier: GPL-2.0
/*
 * A file of --flows, read again
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "result.h"

/* More columns than a file of any version has. */
#define COLUMNS_MAX	64

enum column { COLUMN_ID, COLUMN_SIZE, COLUMN_FCT, COLUMN_END, COLUMNS };

static const char *const column_names[COLUMNS] = { "id", "size_bytes", "fct_ns", "end" };

/**
 * struct table - a file that is read
 * @at: file and line
 * @place: place of each column, from 0
 * @line: the present line
 * @space: bytes that @line has
 */
struct table {
	struct place at;
	u32 place[COLUMNS];
	char *line;
	size_t space;
};

/* Divides a line at its commas; returns the number of fields, COLUMNS_MAX at most. */
static u32 split(char *line, char *field[COLUMNS_MAX])
{
	u32 n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (line && n < COLUMNS_MAX)
		field[n++] = strsep(&line, ",");
	return n;
}

static int find_columns(struct table *t, char *const *field, u32 n)
{
	u32 column, i;

	for (column = 0; column < COLUMNS; column++) {
		for (i = 0; i < n && strcmp(field[i], column_names[column]); i++)
			;
		if (i == n)
			return complain(&t->at, "there is no column '%s': not a file of --flows",
					column_names[column]);
		t->place[column] = i;
	}
	return 0;
}

static int read_number(const struct table *t, char *const *field, enum column column, u64 *value)
{
	static const struct range any = { QUANTITY_COUNT, 0, INT64_MAX };

	return parse_number(&t->at, column_names[column], field[t->place[column]], &any, value);
}

/* Adds the flow of a line, unless it is endless. */
static int read_flow(struct table *t, char *const *field, u32 n, struct result *r)
{
	u64 id, size, fct = 0;
	bool ended;
	u32 i;

	for (i = 0; i < COLUMNS; i++)
		if (t->place[i] >= n)
			return complain(&t->at, "the line has %" PRIu32 " fields", n);
	if (read_number(t, field, COLUMN_ID, &id) || read_number(t, field, COLUMN_SIZE, &size))
		return -1;
	ended = !strcmp(field[t->place[COLUMN_END]], "done");
	if (!size)
		return 0;
	if (ended && read_number(t, field, COLUMN_FCT, &fct))
		return -1;
	if (r->n == FLOWS_MAX)
		return complain(&t->at, "more than %u flows", FLOWS_MAX);
	/* Space grows by doubling. */
	if (!(r->n & (r->n - 1))) {
		size_t space = r->n ? 2 * (size_t)r->n : 1;
		struct outcome *list = realloc(r->list, space * sizeof(*list));
		u64 *ids;

		if (list)
			r->list = list;
		ids = realloc(r->id, space * sizeof(*ids));
		if (ids)
			r->id = ids;
		if (!list || !ids)
			return complain(NULL, "out of memory");
	}
	r->list[r->n] = (struct outcome){ .size = size, .fct_ns = ended ? (s64)fct : -1 };
	r->id[r->n++] = id;
	return 0;
}

static int read_lines(struct table *t, FILE *f, struct result *r)
{
	char *field[COLUMNS_MAX], *start;
	u32 n;

	while (getline(&t->line, &t->space, f) >= 0) {
		t->at.line++;
		start = parse_text_start(&t->at, t->line);
		if (!start)
			return -1;
		n = split(start, field);
		if (t->at.line == 1 ? find_columns(t, field, n) : read_flow(t, field, n, r))
			return -1;
	}
	if (ferror(f))
		return complain(&t->at, "cannot read: %s", strerror(errno));
	if (!r->n)
		return complain(&t->at, "no flow in the file");
	return 0;
}

int result_read(struct result *r, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct table t = { .at.file = is_stdin ? "standard input" : path };
	FILE *f = is_stdin ? stdin : fopen(path, "re");
	int ret;

	*r = (struct result){ 0 };
	if (!f)
		return complain(NULL, "%s: %s", path, strerror(errno));
	ret = read_lines(&t, f, r);
	free(t.line);
	if (!is_stdin)
		fclose(f);
	if (ret)
		result_free(r);
	return ret;
}

bool result_is_paired(const struct result *a, const struct result *b)
{
	u32 i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++)
		if (a->id[i] != b->id[i] || a->list[i].size != b->list[i].size)
			return false;
	return true;
}

void result_free(struct result *r)
{
	free(r->list);
	free(r->id);
	*r = (struct result){ 0 };
}
