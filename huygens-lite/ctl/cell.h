/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One field of a snapshot, for people and for programs.
 */
#ifndef HUYGENS_CELL_H
#define HUYGENS_CELL_H

#include <stddef.h>
#include <stdio.h>

#define CELL_MAX	96

/** enum cell_kind - what a field is */
enum cell_kind {
	CELL_COUNT,	/* uint32_t */
	CELL_LONG,	/* uint64_t */
	CELL_TIME,	/* int64_t, ns, or STATUS_UNKNOWN */
	CELL_SIGNED,	/* the same, with its sign */
	CELL_PPB,	/* double, or NAN */
	CELL_REAL,	/* same, without a unit */
	CELL_TEXT,	/* char[] */
	CELL_WORD,	/* const char *, or NULL */
	CELL_YESNO,	/* int */
};

/**
 * struct cell - a field
 * @key: in JSON; NULL ends a table
 * @title: head of its column, or name of its line; NULL: only in JSON
 * @kind: what it is
 * @at: where in its struct
 */
struct cell {
	const char	*key;
	const char	*title;
	enum cell_kind	kind;
	size_t		at;
};

/**
 * cell_text() - for people
 * @cell: the field
 * @row: the struct that has it
 * @text: filled; "-" if it is not known
 *
 * Return: @text.
 */
const char *cell_text(const struct cell *cell, const void *row,
		      char text[CELL_MAX]);

/**
 * cell_json() - for programs: "key": value
 * @out: where to
 * @cell: the field
 * @row: the struct that has it
 */
void cell_json(FILE *out, const struct cell *cell, const void *row);

/**
 * cell_quote() - a string of JSON
 * @out: where to
 * @text: the string
 */
void cell_quote(FILE *out, const char *text);

#endif /* HUYGENS_CELL_H */
