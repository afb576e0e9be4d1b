// SPDX-License-Identifier: GPL-2.0
/*
 * A text that should be JSON, of any bytes: what is read of an accepted text,
 * printed as JSON and read again, is the same; and an accepted text with
 * another character behind it is refused.  Anything else aborts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "../../lib/json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * struct printed - what was read, as a list of objects
 * @to: the text
 * @members: of the object that is open
 */
struct printed {
	FILE	*to;
	int	members;
};

static void require(int good)
{
	if (!good)
		abort();
}

static void print_string(FILE *to, const char *text)
{
	putc('"', to);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', to);
		if ((unsigned char)*text < ' ')
			fprintf(to, "\\u%04x", *text);
		else
			putc(*text, to);
	}
	putc('"', to);
}

static void on_member(const char *key, enum json_type type, const char *text,
		      void *data)
{
	struct printed *p = data;

	require(strlen(key) < JSON_READ_MAX && strlen(text) < JSON_READ_MAX);
	fputs(p->members++ ? "," : "{", p->to);
	print_string(p->to, key);
	putc(':', p->to);
	if (type == JSON_STRING)
		print_string(p->to, text);
	else
		fputs(text, p->to);
}

static void on_end(void *data)
{
	struct printed *p = data;

	fputs(p->members ? "}" : "{}", p->to);
	/* A comma between two objects is put in by the caller. */
	putc('\n', p->to);
	p->members = 0;
}

/* Return: what was read, one object a line; NULL if the text is refused. */
static char *read_all(const char *text)
{
	struct printed p = { 0 };
	const struct json_reader reader = { on_member, on_end, &p };
	char *out = NULL;
	size_t size;
	bool good;

	p.to = open_memstream(&out, &size);
	require(p.to != NULL);
	good = json_read(text, &reader);
	fclose(p.to);
	if (good)
		return out;
	free(out);
	return NULL;
}

/* Lines to a list. */
static char *as_list(const char *lines)
{
	size_t len = strlen(lines), i;
	char *list = malloc(len + 3);

	require(list != NULL);
	snprintf(list, len + 3, "[%s", lines);
	for (i = 1; i < len; i++)
		if (list[i] == '\n')
			list[i] = ',';
	strcat(list, "]");
	return list;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 2), *once, *list, *twice;

	require(text != NULL);
	memcpy(text, data, size);
	text[size] = 0;
	once = read_all(text);
	if (once) {
		list = as_list(once);
		twice = read_all(list);
		require(twice && !strcmp(once, twice));
		size = strlen(text);
		text[size] = ']';
		text[size + 1] = 0;
		require(!read_all(text));
		free(twice);
		free(list);
	}
	free(once);
	free(text);
	return 0;
}
