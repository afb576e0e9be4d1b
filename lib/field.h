/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fields of a daemon's snapshot, as text and as JSON: one field, and tables of structs that
 * have them.
 *
 * A number that is not known is FIELD_UNKNOWN, or NAN: "-", and null.
 */
#ifndef SHARPRAMP_LIB_FIELD_H
#define SHARPRAMP_LIB_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include "json_write.h"

#define FIELD_MAX	96
#define FIELD_COLUMNS_MAX	24
#define FIELD_UNKNOWN	INT64_MIN

/** enum field_kind - type of a field */
enum field_kind {
	FIELD_COUNT,	/* uint32_t */
	FIELD_LONG,	/* uint64_t */
	FIELD_TIME,	/* int64_t, ns, or FIELD_UNKNOWN */
	FIELD_SIGNED,	/* the same, with its sign */
	FIELD_PPB,	/* double, or NAN */
	FIELD_REAL,	/* same, without a unit */
	FIELD_TEXT,	/* char[] */
	FIELD_STRING,	/* const char *, or NULL */
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

/**
 * field_object() - write a struct as a JSON object
 * @w: the writer
 * @field: its fields, up to one without a key
 * @row: the struct
 */
void field_object(struct json_writer *w, const struct field *field, const void *row);

/**
 * field_list() - write structs as a JSON list, an object a line
 * @out: where
 * @fields: their fields
 * @rows: the structs
 * @n: how many
 * @size: bytes of one
 */
void field_list(FILE *out, const struct field *fields, const void *rows, size_t n, size_t size);

/**
 * field_table() - write structs as a table, columns as wide as what is in them
 * @out: where
 * @fields: their fields, at most FIELD_COLUMNS_MAX; those without a title are left out
 * @rows: the structs
 * @n: how many
 * @size: bytes of one
 */
void field_table(FILE *out, const struct field *fields, const void *rows, size_t n, size_t size);

#endif /* SHARPRAMP_LIB_FIELD_H */
