/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One field of a snapshot, as text and as JSON.
 */
#ifndef HUYGENS_FIELD_H
#define HUYGENS_FIELD_H

#include <stddef.h>

#include "../../lib/json_write.h"

#define FIELD_MAX	96

/** enum field_kind - type of a field */
enum field_kind {
	FIELD_COUNT,	/* uint32_t */
	FIELD_LONG,	/* uint64_t */
	FIELD_TIME,	/* int64_t, ns, or STATUS_UNKNOWN */
	FIELD_SIGNED,	/* the same, with its sign */
	FIELD_PPB,	/* double, or NAN */
	FIELD_REAL,	/* same, without a unit */
	FIELD_TEXT,	/* char[] */
	FIELD_WORD,	/* const char *, or NULL */
	FIELD_YESNO,	/* int */
};

/**
 * struct field - a field
 * @key: in JSON; NULL ends a table
 * @title: head of its column, or name of its line; NULL: only in JSON
 * @kind: its type
 * @at: its offset in the struct
 */
struct field {
	const char	*key;
	const char	*title;
	enum field_kind	kind;
	size_t		at;
};

/**
 * field_text() - write a field as text
 * @field: the field
 * @row: the struct that has it
 * @text: filled; "-" if it is not known
 *
 * Return: @text.
 */
const char *field_text(const struct field *field, const void *row,
		       char text[FIELD_MAX]);

/**
 * field_json() - write a field as JSON
 * @w: the writer, in an object
 * @field: the field
 * @row: the struct that has it
 */
void field_json(struct json_writer *w, const struct field *field, const void *row);

#endif /* HUYGENS_FIELD_H */
