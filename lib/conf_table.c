// SPDX-License-Identifier: GPL-2.0
/*
 * A configuration from a table of keys.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conf_table.h"
#include "units.h"

/* The longest default. */
#define CONF_DEFAULT_MAX	256

/**
 * struct conf_reading - a configuration that is being read
 * @table: the table
 * @conf: the program's struct
 * @text: the text
 * @lines: where each key was given, 0: not yet
 * @error: filled if it fails
 */
struct conf_reading {
	const struct conf_table	*table;
	void			*conf;
	struct conf_text	text;
	int			*lines;
	struct conf_error	*error;
};

const struct conf_key *conf_key_find(const struct conf_table *table,
				     const char *section, const char *name)
{
	const struct conf_key *key;

	for (key = table->keys; key < table->keys + table->n; key++)
		if ((!section || !strcmp(key->section, section)) &&
		    !strcmp(key->name, name))
			return key;
	return NULL;
}

static void conf_range_numbers(const struct conf_key *key, char *text)
{
	enum unit_kind kind = (enum unit_kind)key->kind;

	snprintf(text, CONF_RANGE_MAX, "%s%s%s to %s", key->zero ? key->zero : "",
		 key->zero ? " or " : "",
		 unit_format_signed(kind, key->least).text,
		 unit_format_signed(kind, key->most).text);
}

/* "publish, steer, sock or none" from "publish steer sock none" */
static void conf_range_choices(const struct conf_key *key, char *text)
{
	const char *choice = key->choices, *end;
	size_t n = 0;

	for (; *choice; choice = end + (*end != '\0')) {
		end = choice + strcspn(choice, " ");
		n += snprintf(text + n, CONF_RANGE_MAX - n, "%s%.*s",
			      choice == key->choices ? "" : *end ? ", " : " or ",
			      (int)(end - choice), choice);
	}
}

static void conf_range_form(const struct conf_key *key, char *text, size_t size)
{
	if (key->most)
		snprintf(text, size, "%" PRId64 " to %" PRId64 " %s",
			 key->least ? key->least : 1, key->most,
			 key->form->items);
	else
		snprintf(text, size, "%s", key->form->items);
}

const char *conf_key_range(const struct conf_key *key, char text[CONF_RANGE_MAX])
{
	int n;

	if (key->kind <= CONF_KEY_PPB) {
		conf_range_numbers(key, text);
		return text;
	}
	if (key->kind == CONF_KEY_CHOICE) {
		conf_range_choices(key, text);
		return text;
	}
	n = snprintf(text, CONF_RANGE_MAX, "%s%s", key->zero ? key->zero : "",
		     key->zero ? " or " : "");
	if (key->kind == CONF_KEY_NAME)
		snprintf(text + n, CONF_RANGE_MAX - n,
			 "a name of 1 to %" PRId64 " letters, digits, \".\", \"_\" or \"-\"",
			 key->most);
	else if (key->kind == CONF_KEY_PATH)
		snprintf(text + n, CONF_RANGE_MAX - n,
			 "an absolute path of up to %" PRId64 " characters",
			 key->most);
	else
		conf_range_form(key, text + n, CONF_RANGE_MAX - n);
	return text;
}

bool conf_key_same(const struct conf_key *key, const void *a, const void *b)
{
	const char *x = (const char *)a + key->offset;
	const char *y = (const char *)b + key->offset;

	if (key->kind == CONF_KEY_FORM)
		return key->form->same(a, b);
	if (key->kind == CONF_KEY_NAME || key->kind == CONF_KEY_PATH)
		return !strcmp(x, y);
	return *(const int64_t *)x == *(const int64_t *)y;
}

int conf_value_refuse(const struct conf_value *value, int line,
		      const char *token, const char *why)
{
	char range[CONF_RANGE_MAX];

	return conf_refuse(value->error, value->path, line,
			   "[%s] %s: \"%.100s\" %s: it takes %s",
			   value->key->section, value->key->name, token, why,
			   conf_key_range(value->key, range));
}

void *conf_value_grow(void *array, size_t *n, size_t size, int64_t most)
{
	void **items = array, *more;

	if ((int64_t)*n == most)
		return NULL;
	more = reallocarray(*items, *n + 1, size);
	if (!more)
		return NULL;
	*items = more;
	return (char *)more + (*n)++ * size;
}

static int64_t *conf_store_number(const struct conf_value *value)
{
	return (int64_t *)((char *)value->conf + value->key->offset);
}

static int conf_store_refuse(const struct conf_value *value)
{
	char range[CONF_RANGE_MAX];

	return conf_refuse(value->error, value->path, value->line,
			   "[%s] %s: \"%.100s\" is not %s", value->key->section,
			   value->key->name, value->tokens.at,
			   conf_key_range(value->key, range));
}

static int conf_store_quantity(const struct conf_value *value)
{
	const struct conf_key *key = value->key;
	int64_t number;

	if (unit_parse_signed((enum unit_kind)key->kind, value->tokens.at,
			      &number) ||
	    number < key->least || number > key->most)
		return conf_store_refuse(value);
	*conf_store_number(value) = number;
	return 0;
}

static int conf_store_choice(const struct conf_value *value)
{
	const char *choice = value->key->choices, *text = value->tokens.at;
	size_t len = strlen(text);
	int64_t n;

	for (n = 0; *choice; n++) {
		size_t size = strcspn(choice, " ");

		if (size == len && !memcmp(choice, text, len)) {
			*conf_store_number(value) = n;
			return 0;
		}
		choice += size + (choice[size] != '\0');
	}
	return conf_store_refuse(value);
}

static int conf_store_text(const struct conf_value *value)
{
	const char *text = value->tokens.at;
	size_t len = strlen(text);
	bool good;

	if (value->key->kind == CONF_KEY_PATH)
		good = *text == '/' && !strpbrk(text, " \t\r\n");
	else
		good = *text != '-' && strspn(text, CONF_NAME_CHARACTERS) == len;
	if (!good || !len || (int64_t)len > value->key->most)
		return conf_store_refuse(value);
	memcpy((char *)value->conf + value->key->offset, text, len + 1);
	return 0;
}

static int conf_store(struct conf_value *value)
{
	if (!*value->tokens.at)
		return conf_store_refuse(value);
	/* The text for none: the field is zero already. */
	if (value->key->zero && !strcmp(value->tokens.at, value->key->zero))
		return 0;
	switch (value->key->kind) {
	case CONF_KEY_COUNT:
	case CONF_KEY_TIME:
	case CONF_KEY_PPB:
		return conf_store_quantity(value);
	case CONF_KEY_CHOICE:
		return conf_store_choice(value);
	case CONF_KEY_NAME:
	case CONF_KEY_PATH:
		return conf_store_text(value);
	default:
		return value->key->form->read(value);
	}
}

static void conf_store_default(void *conf, const struct conf_key *key)
{
	struct conf_error error;
	char text[CONF_DEFAULT_MAX];
	struct conf_value value = {
		.conf = conf,
		.key = key,
		.path = "default",
		.tokens = { .at = text },
		.error = &error,
	};

	snprintf(text, sizeof(text), "%s", key->fallback);
	/* A wrong table must not start a daemon; a test reads all of it. */
	if (conf_store(&value))
		abort();
}

static int conf_unknown_key(struct conf_reading *r, const struct conf_entry *entry)
{
	const struct conf_key *key = conf_key_find(r->table, NULL, entry->key);

	if (key)
		return conf_refuse(r->error, r->text.path, entry->line,
				   "[%s] %s: unknown key; it belongs to section [%s]",
				   r->text.section, entry->key, key->section);
	return conf_refuse(r->error, r->text.path, entry->line,
			   "[%s] %.60s: unknown key; %s --help-keys lists the keys",
			   r->text.section, entry->key, r->table->program);
}

static int conf_set(struct conf_reading *r, const struct conf_entry *entry)
{
	const struct conf_key *key = conf_key_find(r->table, r->text.section,
						   entry->key);
	struct conf_value value = {
		.conf = r->conf,
		.key = key,
		.path = r->text.path,
		.tokens = { .at = entry->value, .next = entry->value_line },
		.line = entry->line,
		.error = r->error,
	};
	int *line;

	if (!key)
		return conf_unknown_key(r, entry);
	line = &r->lines[key - r->table->keys];
	if (*line)
		return conf_refuse(r->error, r->text.path, entry->line,
				   "[%s] %s: given twice, first in line %d",
				   key->section, key->name, *line);
	*line = entry->line;
	return conf_store(&value);
}

/* The keys of a section lie together. */
static bool conf_key_begins_section(const struct conf_table *table, size_t i)
{
	return !i || strcmp(table->keys[i].section, table->keys[i - 1].section);
}

/* "[node], [mesh] and [log]" */
static void conf_list_sections(const struct conf_table *table, char *text, size_t size)
{
	const char *last = table->keys[table->n - 1].section;
	size_t i, n = 0;

	*text = '\0';
	for (i = 0; i < table->n && n < size; i++)
		if (conf_key_begins_section(table, i))
			n += snprintf(text + n, size - n, "%s[%s]",
				      !i ? "" :
				      strcmp(table->keys[i].section, last) ? ", " : " and ",
				      table->keys[i].section);
}

static int conf_section(struct conf_reading *r, const struct conf_entry *entry)
{
	const struct conf_table *table = r->table;
	char sections[256];
	size_t i;

	for (i = 0; i < table->n; i++)
		if (!strcmp(table->keys[i].section, r->text.section))
			return 0;
	conf_list_sections(table, sections, sizeof(sections));
	return conf_refuse(r->error, r->text.path, entry->line,
			   "[%.60s]: unknown section; the sections are %s",
			   r->text.section, sections);
}

static int conf_entry(struct conf_reading *r, const struct conf_entry *entry)
{
	if (!entry->key)
		return conf_section(r, entry);
	if (r->text.section)
		return conf_set(r, entry);
	return conf_refuse(r->error, r->text.path, entry->line,
			   "%.60s: a section such as [%s] must come first",
			   entry->key, r->table->keys[0].section);
}

static int conf_complete(struct conf_reading *r)
{
	const struct conf_key *key = r->table->keys;
	char range[CONF_RANGE_MAX];
	size_t i;

	for (i = 0; i < r->table->n; i++, key++) {
		if (r->lines[i])
			continue;
		if (!key->fallback)
			return conf_refuse(r->error, r->text.path, 0,
					   "[%s] %s: must be given: %s",
					   key->section, key->name,
					   conf_key_range(key, range));
		conf_store_default(r->conf, key);
	}
	return 0;
}

static int conf_read_entries(struct conf_reading *r, size_t len)
{
	struct conf_entry entry;
	int more;

	if (conf_text_clean(&r->text, len, r->error))
		return -1;
	while ((more = conf_text_next(&r->text, &entry, r->error)) > 0)
		if (conf_entry(r, &entry))
			return -1;
	return more < 0 ? -1 : conf_complete(r);
}

int conf_table_parse(const struct conf_table *table, void *conf,
		     const char *path, const char *text, size_t len, int *lines,
		     struct conf_error *error)
{
	struct conf_reading r = {
		.table = table,
		.conf = conf,
		.text = { .path = path, .line = 1 },
		.lines = lines,
		.error = error,
	};
	int mark = conf_text_mark(text, len);
	char *copy;
	int result;

	memset(lines, 0, table->n * sizeof(*lines));
	if (len > CONF_TEXT_MAX)
		return conf_refuse(error, path, 0, "more than %d characters",
				   CONF_TEXT_MAX);
	if (mark < 0)
		return conf_refuse(error, path, 1, CONF_TEXT_WIDE);
	text += mark;
	len -= mark;
	copy = calloc(1, len + 1);
	if (!copy)
		return conf_refuse(error, path, 0, "no memory");
	memcpy(copy, text, len);
	r.text.at = copy;
	result = conf_read_entries(&r, len);
	free(copy);
	return result;
}

int conf_table_read(const struct conf_table *table, void *conf, const char *path, int *lines,
		    struct conf_error *error)
{
	size_t len;
	char *text = conf_text_load(path, &len);
	int result;

	if (!text)
		return conf_refuse(error, path, 0, "cannot read it: %s", strerror(errno));
	result = conf_table_parse(table, conf, path, text, len, lines, error);
	free(text);
	return result;
}

int conf_table_line(const struct conf_table *table, const int *lines, const char *section,
		    const char *name)
{
	return lines[conf_key_find(table, section, name) - table->keys];
}

const struct conf_key *conf_table_restart(const struct conf_table *table,
					  const void *was, const void *next)
{
	const struct conf_key *key;

	for (key = table->keys; key < table->keys + table->n; key++)
		if (!key->live && !conf_key_same(key, was, next))
			return key;
	return NULL;
}

void conf_table_print(const struct conf_table *table, FILE *out)
{
	const struct conf_key *key;
	char range[CONF_RANGE_MAX];

	for (key = table->keys; key < table->keys + table->n; key++)
		fprintf(out, "%s.%s\t%s\t%s\t%s\t%s\n", key->section, key->name,
			conf_key_range(key, range),
			key->fallback ? key->fallback : "none",
			key->live ? "live" : "at start", key->what);
}
