/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A configuration from a table that names every key once, with its kind, range,
 * default and description.  Parser, list of keys and the tests of man pages read
 * the table.  A value goes into a field of the program's own struct.
 */
#ifndef SHARPRAMP_LIB_CONF_TABLE_H
#define SHARPRAMP_LIB_CONF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "conf_text.h"

#define CONF_RANGE_MAX	160
/* Characters that a column, a file name and a shell accept. */
#define CONF_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz" \
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

struct conf_key;
struct conf_table;

/**
 * struct conf_value - a value that is being read
 * @conf: the program's struct
 * @key: its key
 * @path: of the file
 * @tokens: the value
 * @line: where it begins
 * @error: filled if it fails
 */
struct conf_value {
	void			*conf;
	const struct conf_key	*key;
	const char		*path;
	struct conf_tokens	tokens;
	int			line;
	struct conf_error	*error;
};

/**
 * struct conf_form - a kind of value of the program's own, such as a list
 * @items: description of an item, for messages, after the range of their number
 * @read: reads the value; 0, or -1 after conf_value_refuse()
 * @same: two of the program's structs have the same value
 */
struct conf_form {
	const char	*items;
	int		(*read)(struct conf_value *value);
	bool		(*same)(const void *a, const void *b);
};

/** enum conf_kind - how a value is read, and the type of its field */
enum conf_kind {
	CONF_KEY_COUNT,	/* int64_t; these three as enum unit_kind */
	CONF_KEY_TIME,
	CONF_KEY_PPB,
	CONF_KEY_CHOICE,	/* int64_t, the index in @choices */
	CONF_KEY_NAME,	/* char[], of CONF_NAME_CHARACTERS */
	CONF_KEY_PATH,	/* char[], absolute */
	CONF_KEY_FORM,	/* @form reads it */
};

/**
 * struct conf_key - one key
 * @section: its section
 * @name: its name in that section
 * @kind: how it is read
 * @offset: of the field
 * @least: minimum of a number, or of the number of items
 * @most: maximum of a number, of the characters of a text or of the number of
 *	items; 0: @form has no items
 * @zero: text that stands for 0, or for an empty field
 * @choices: of CONF_KEY_CHOICE, separated by blanks
 * @form: of CONF_KEY_FORM
 * @fallback: the default, as it would be written; NULL: the key must be given
 * @live: a running daemon accepts another value
 * @what: description, one line
 */
struct conf_key {
	const char		*section;
	const char		*name;
	enum conf_kind		kind;
	size_t			offset;
	int64_t			least;
	int64_t			most;
	const char		*zero;
	const char		*choices;
	const struct conf_form	*form;
	const char		*fallback;
	int			live;
	const char		*what;
};

/**
 * struct conf_table - all keys of a program
 * @program: its name, whose option --help-keys lists them
 * @keys: the keys, those of a section together
 * @n: how many
 */
struct conf_table {
	const char		*program;
	const struct conf_key	*keys;
	size_t			n;
};

/**
 * conf_key_find() - find a key by its name
 * @table: the table
 * @section: its section; NULL: any
 * @name: its name
 *
 * Return: the key, or NULL.
 */
const struct conf_key *conf_key_find(const struct conf_table *table,
				     const char *section, const char *name);

/**
 * conf_key_range() - describe the values that a key accepts
 * @key: the key
 * @text: filled
 *
 * Return: @text.
 */
const char *conf_key_range(const struct conf_key *key,
			   char text[CONF_RANGE_MAX]);

/**
 * conf_key_same() - compare the values of a key
 * @key: the key
 * @a: the program's struct
 * @b: another one
 *
 * Return: true if they are the same.
 */
bool conf_key_same(const struct conf_key *key, const void *a, const void *b);

/**
 * conf_value_refuse() - refuse a token of a value, with the key's range
 * @value: the value
 * @line: of the token
 * @token: the token
 * @why: the fault, after its name
 *
 * Return: -1.
 */
int conf_value_refuse(const struct conf_value *value, int line,
		      const char *token, const char *why);

/**
 * conf_value_grow() - append an item to an array
 * @array: address of the pointer to it
 * @n: number of items, incremented
 * @size: bytes of an item
 * @most: maximum number of items
 *
 * Return: the item; NULL if there are too many, or no memory.
 */
void *conf_value_grow(void *array, size_t *n, size_t size, int64_t most);

/**
 * conf_table_parse() - read a text
 * @table: the table
 * @conf: the program's struct, zero; filled
 * @path: name for messages
 * @text: the text, not changed; it may contain zeros
 * @len: its length
 * @lines: filled: the line of each key of the table, 0 if it was not given
 * @error: filled if it fails
 *
 * Return: 0 or -1.
 */
int conf_table_parse(const struct conf_table *table, void *conf,
		     const char *path, const char *text, size_t len, int *lines,
		     struct conf_error *error);

/**
 * conf_table_read() - read a file
 * @table: the table
 * @conf: the program's struct, zero; filled
 * @path: the file, which must be regular
 * @lines: filled: the line of each key of the table, 0 if it was not given
 * @error: filled if it fails
 *
 * Return: 0 or -1.
 */
int conf_table_read(const struct conf_table *table, void *conf, const char *path, int *lines,
		    struct conf_error *error);

/**
 * conf_table_line() - line at which a key was given
 * @table: the table
 * @lines: as conf_table_read() filled them
 * @section: the key's section
 * @name: its name in that section; it is in the table
 *
 * Return: the line; 0: it was not given.
 */
int conf_table_line(const struct conf_table *table, const int *lines, const char *section,
		    const char *name);

/**
 * conf_table_restart() - find a key whose change needs a restart
 * @table: the table
 * @was: the program's struct
 * @next: another one
 *
 * Return: the first key that is not live and differs; NULL if there is none.
 */
const struct conf_key *conf_table_restart(const struct conf_table *table,
					  const void *was, const void *next);

/**
 * conf_table_print() - print every key with range, default and description
 * @table: the table
 * @out: where
 *
 * One line a key, columns separated by tabs, section.key first.
 */
void conf_table_print(const struct conf_table *table, FILE *out);

#endif /* SHARPRAMP_LIB_CONF_TABLE_H */
