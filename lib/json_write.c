// SPDX-License-Identifier: GPL-2.0
/*
 * Writer of JSON.
 */
#include <inttypes.h>
#include <math.h>

#include "json_write.h"

/* The longest escape is \\u001f. */
#define JSON_ESCAPE_MAX	6

/* Keys are the program's, and need no escapes. */
static void json_key(struct json_writer *w, const char *key)
{
	if (w->more)
		putc(',', w->to);
	if (w->spaced && key)
		fprintf(w->to, " \"%s\": ", key);
	else if (key)
		fprintf(w->to, "\"%s\":", key);
	else if (w->spaced && w->depth)
		fputs("\n  ", w->to);
	w->more = true;
}

void json_open(struct json_writer *w, const char *key, char bracket)
{
	json_key(w, key);
	putc(bracket, w->to);
	w->more = false;
	w->depth++;
}

void json_close(struct json_writer *w, char bracket)
{
	if (w->spaced && bracket == '}')
		putc(' ', w->to);
	else if (w->spaced && w->more)
		putc('\n', w->to);
	putc(bracket, w->to);
	w->more = true;
	w->depth--;
}

void json_value(struct json_writer *w, const char *key, const char *json)
{
	json_key(w, key);
	fputs(json ? json : "null", w->to);
}

void json_unsigned(struct json_writer *w, const char *key, uint64_t value)
{
	json_key(w, key);
	fprintf(w->to, "%" PRIu64, value);
}

void json_signed(struct json_writer *w, const char *key, int64_t value)
{
	json_key(w, key);
	fprintf(w->to, "%" PRId64, value);
}

void json_real(struct json_writer *w, const char *key, double value)
{
	json_key(w, key);
	if (isfinite(value))
		fprintf(w->to, "%.17g", value);
	else
		fputs("null", w->to);
}

/* A character inside of a string: @out gets at most JSON_ESCAPE_MAX bytes and a 0. */
static size_t json_escape(char c, char *out)
{
	if ((unsigned char)c < ' ')
		return (size_t)sprintf(out, "\\u%04x", (unsigned int)c);
	return (size_t)sprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
}

void json_string(struct json_writer *w, const char *key, const char *text)
{
	char escaped[JSON_ESCAPE_MAX + 1];

	if (!text) {
		json_value(w, key, NULL);
		return;
	}
	json_key(w, key);
	putc('"', w->to);
	for (; *text; text++) {
		json_escape(*text, escaped);
		fputs(escaped, w->to);
	}
	putc('"', w->to);
}

void json_quote(const char *text, char *out, size_t size)
{
	size_t len = 0;

	out[len++] = '"';
	for (; *text && len < size - JSON_ESCAPE_MAX - 2; text++)
		len += json_escape(*text, out + len);
	out[len++] = '"';
	out[len] = 0;
}
