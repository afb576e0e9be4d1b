// SPDX-License-Identifier: GPL-2.0
/*
 * Reader of JSON that another program prints.
 */
#include <stddef.h>
#include <string.h>

#include "json_read.h"

/* Deeper ones would exhaust the stack. */
#define JSON_READ_DEPTH	16

/**
 * struct json_cursor - where the reader is
 * @at: the next character
 * @depth: objects and lists around it
 * @reader: receives members of the outermost object; NULL inside others
 */
struct json_cursor {
	const char			*at;
	int				depth;
	const struct json_reader	*reader;
};

/* Skip blanks; take the next character if it is @c. */
static bool json_take(struct json_cursor *cursor, char c)
{
	cursor->at += strspn(cursor->at, " \t\r\n");
	if (*cursor->at != c)
		return false;
	cursor->at++;
	return true;
}

static int json_hex(const char *digits)
{
	int i, value = 0;

	for (i = 0; i < 4; i++) {
		char c = digits[i];

		if (c >= '0' && c <= '9')
			value = 16 * value + c - '0';
		else if (c >= 'a' && c <= 'f')
			value = 16 * value + c - 'a' + 10;
		else if (c >= 'A' && c <= 'F')
			value = 16 * value + c - 'A' + 10;
		else
			return -1;
	}
	return value;
}

/* The character of an escape; ? for one beyond ASCII; -1 if it is malformed. */
static int json_escape(struct json_cursor *cursor)
{
	static const char names[] = "\"\\/bfnrt", chars[] = "\"\\/\b\f\n\r\t";
	const char *name;
	int value;

	if (*cursor->at == 'u') {
		value = json_hex(cursor->at + 1);
		cursor->at += value < 0 ? 0 : 5;
		return value > 0 && value < 0x80 ? value : value < 0 ? -1 : '?';
	}
	name = *cursor->at ? strchr(names, *cursor->at) : NULL;
	if (!name)
		return -1;
	cursor->at++;
	return chars[name - names];
}

/* A string, behind its first quote. */
static bool json_string(struct json_cursor *cursor, char text[JSON_READ_MAX])
{
	size_t len = 0;
	int c;

	while (*cursor->at != '"') {
		c = (unsigned char)*cursor->at;
		if (c < ' ' || len + 1 == JSON_READ_MAX)
			return false;
		cursor->at++;
		if (c == '\\')
			c = json_escape(cursor);
		if (c < 0)
			return false;
		text[len++] = c;
	}
	cursor->at++;
	text[len] = 0;
	return true;
}

static size_t json_digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Bytes of a number at the beginning of a text; 0 if there is none. */
static size_t json_number_len(const char *text)
{
	const char *end = text + (*text == '-');
	size_t n = json_digits(end);

	if (!n || (*end == '0' && n > 1))
		return 0;
	end += n;
	if (*end == '.') {
		n = json_digits(++end);
		if (!n)
			return 0;
		end += n;
	}
	if (*end == 'e' || *end == 'E') {
		end++;
		end += *end == '+' || *end == '-';
		n = json_digits(end);
		if (!n)
			return 0;
		end += n;
	}
	return end - text;
}

/* A number or a literal. */
static bool json_bare(struct json_cursor *cursor, enum json_type *type,
		      char text[JSON_READ_MAX])
{
	static const char *const literals[] = { "true", "false", "null" };
	size_t len = json_number_len(cursor->at), i;

	*type = JSON_NUMBER;
	for (i = 0; !len && i < 3; i++) {
		*type = i < 2 ? JSON_BOOL : JSON_NULL;
		len = strlen(literals[i]);
		if (strncmp(cursor->at, literals[i], len))
			len = 0;
	}
	if (!len || len >= JSON_READ_MAX)
		return false;
	memcpy(text, cursor->at, len);
	text[len] = 0;
	cursor->at += len;
	return true;
}

static bool json_object(struct json_cursor *cursor);

/* A list; that of the whole text has objects only. */
static bool json_list(struct json_cursor *cursor, bool of_objects);

/* A value that nobody receives. */
static bool json_inner(struct json_cursor *cursor)
{
	const struct json_reader *reader = cursor->reader;
	char text[JSON_READ_MAX];
	enum json_type type;
	bool good = false;

	cursor->reader = NULL;
	if (json_take(cursor, '{'))
		good = json_object(cursor);
	else if (json_take(cursor, '['))
		good = json_list(cursor, false);
	else if (json_take(cursor, '"'))
		good = json_string(cursor, text);
	else
		good = json_bare(cursor, &type, text);
	cursor->reader = reader;
	return good;
}

static bool json_member(struct json_cursor *cursor)
{
	char key[JSON_READ_MAX], text[JSON_READ_MAX];
	enum json_type type = JSON_STRING;

	if (!json_take(cursor, '"') || !json_string(cursor, key) ||
	    !json_take(cursor, ':'))
		return false;
	cursor->at += strspn(cursor->at, " \t\r\n");
	if (*cursor->at == '{' || *cursor->at == '[')
		return json_inner(cursor);
	if (json_take(cursor, '"') ? !json_string(cursor, text) :
				     !json_bare(cursor, &type, text))
		return false;
	if (cursor->reader)
		cursor->reader->member(key, type, text, cursor->reader->data);
	return true;
}

static bool json_object(struct json_cursor *cursor)
{
	bool good = true;

	if (++cursor->depth > JSON_READ_DEPTH)
		return false;
	if (!json_take(cursor, '}')) {
		do {
			good = json_member(cursor);
		} while (good && json_take(cursor, ','));
		good = good && json_take(cursor, '}');
	}
	cursor->depth--;
	if (good && cursor->reader)
		cursor->reader->end(cursor->reader->data);
	return good;
}

static bool json_list(struct json_cursor *cursor, bool of_objects)
{
	bool good = true;

	if (++cursor->depth > JSON_READ_DEPTH)
		return false;
	if (!json_take(cursor, ']')) {
		do {
			good = of_objects ? json_take(cursor, '{') &&
					    json_object(cursor) :
					    json_inner(cursor);
		} while (good && json_take(cursor, ','));
		good = good && json_take(cursor, ']');
	}
	cursor->depth--;
	return good;
}

bool json_read(const char *text, const struct json_reader *reader)
{
	struct json_cursor cursor = { .at = text, .reader = reader };
	bool good;

	if (json_take(&cursor, '['))
		good = json_list(&cursor, true);
	else
		good = json_take(&cursor, '{') && json_object(&cursor);
	/* Nothing but blanks may follow. */
	return good && json_take(&cursor, 0);
}
