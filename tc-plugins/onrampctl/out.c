// SPDX-License-Identifier: GPL-2.0
/*
 * Output as text and as JSON.
 *
 * A table is kept until it is complete, for its columns to be as wide as they
 * must; one of very many rows is printed in blocks, each as wide as needed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/json_write.h"
#include "../../lib/stdout.h"
#include "out.h"

#define OUT_COLUMNS	24
#define OUT_BLOCK	4096	/* rows */

/**
 * struct out_column - a column of a table, or a value of a thing
 * @name: what people call it
 * @width: characters of its widest cell, or 0
 */
struct out_column {
	const char	*name;
	size_t		width;
};

static struct {
	bool			json;
	enum out_shape		shape;
	struct out_column	columns[OUT_COLUMNS];
	size_t			nr_columns;
	char			**cells;	/* of a block, row by row */
	size_t			nr_rows;	/* in the block */
	size_t			column;		/* of the row */
	bool			row;		/* one is open */
	bool			first;		/* no text is before it in its line */
	struct json_writer	writer;		/* of JSON */
	bool			headed;		/* headings are printed */
	const char		*group;
} out;

static char *out_copy(const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy) {
		fprintf(stderr, "onrampctl: no memory\n");
		exit(2);
	}
	return copy;
}

void out_begin(bool json, enum out_shape shape)
{
	memset(&out, 0, sizeof(out));
	out.json = json;
	out.shape = shape;
	out.writer.to = stdout;
	if (json && shape == OUT_TABLE)
		json_open(&out.writer, NULL, '[');
}

static const char *out_at(size_t row, size_t column)
{
	return out.cells[row * OUT_COLUMNS + column];
}

/* Columns that no row has are left out; the last one is not padded. */
static void out_print_row(const char *(*cell)(size_t row, size_t column),
			  size_t row)
{
	size_t i, last = 0, gap = 0;

	for (i = 0; i < out.nr_columns; i++)
		if (out.columns[i].width)
			last = i;
	for (i = 0; i < out.nr_columns; i++) {
		const char *text = cell(row, i);

		if (!out.columns[i].width)
			continue;
		text = text ? text : "-";
		if (i == last)
			printf("%*s%s\n", (int)gap, "", text);
		else
			printf("%*s%-*s", (int)gap, "",
			       (int)out.columns[i].width, text);
		gap = 2;
	}
}

static const char *out_heading(size_t row, size_t column)
{
	return row ? NULL : out.columns[column].name;
}

static void out_flush_table(void)
{
	size_t i;

	if (!out.nr_rows)
		return;
	if (!out.headed)
		out_print_row(out_heading, 0);
	out.headed = true;
	for (i = 0; i < out.nr_rows; i++)
		out_print_row(out_at, i);
	for (i = 0; i < out.nr_rows * OUT_COLUMNS; i++)
		free(out.cells[i]);
	free(out.cells);
	out.cells = NULL;
	out.nr_rows = 0;
}

static void out_row_end(void)
{
	if (!out.row)
		return;
	out.row = false;
	if (out.json)
		json_close(&out.writer, '}');
	else if (out.shape == OUT_TABLE)
		out.nr_rows++;
	if (out.shape == OUT_LINE) {
		putchar('\n');
		out.writer.more = false;
		/* Events go on for ever. */
		if (stdout_flush("onrampctl"))
			exit(EXIT_FAILURE);
	}
}

static void out_row_cells(void)
{
	if (out.nr_rows == OUT_BLOCK)
		out_flush_table();
	if (!out.cells)
		out.cells = calloc(OUT_BLOCK * OUT_COLUMNS, sizeof(char *));
	if (!out.cells) {
		fprintf(stderr, "onrampctl: no memory\n");
		exit(2);
	}
}

void out_row(void)
{
	out_row_end();
	out.row = true;
	out.first = true;
	out.column = 0;
	if (out.json)
		json_open(&out.writer, NULL, '{');
	else if (out.shape == OUT_TABLE)
		out_row_cells();
}

void out_group(const char *key)
{
	if (out.json)
		json_open(&out.writer, key, '{');
	else
		printf("%s:\n", key);
	out.group = key;
	out.first = true;
}

void out_group_end(void)
{
	if (out.json)
		json_close(&out.writer, '}');
	out.group = NULL;
	out.first = false;
}

static void out_table_cell(const char *name, const char *text)
{
	struct out_column *column = &out.columns[out.column];
	size_t width = text ? strlen(text) : 0;

	if (out.column == OUT_COLUMNS)
		return;
	if (text && width < strlen(name))
		width = strlen(name);
	column->name = name;
	if (width > column->width)
		column->width = width;
	out.cells[out.nr_rows * OUT_COLUMNS + out.column++] = out_copy(text);
	if (out.column > out.nr_columns)
		out.nr_columns = out.column;
}

void out_cell(const char *key, const char *name, const char *text,
	      const char *json)
{
	if (out.json)
		json_value(&out.writer, key, json);
	else if (out.shape == OUT_TABLE)
		out_table_cell(name, text);
	else if (out.shape == OUT_PAIRS && text)
		printf("%s%-16s %s\n", out.group ? "  " : "", name, text);
	else if (text)
		printf("%s%s %s", out.first ? "" : " ", name, text);
	if (text)
		out.first = false;
}

int out_end(void)
{
	out_row_end();
	if (!out.json)
		out_flush_table();
	else if (out.shape == OUT_TABLE)
		puts("]");
	else if (out.shape == OUT_PAIRS)
		putchar('\n');
	return stdout_flush("onrampctl");
}
