// SPDX-License-Identifier: GPL-2.0
/*
 * Writer of JSON.
 */
#include "json_write.h"

/* Keys are ours, and need no escapes. */
static void json_key(struct json_writer *w, const char *key)
{
	if (w->more)
		putc(',', w->to);
	if (key)
		fprintf(w->to, "\"%s\":", key);
}

void json_open(struct json_writer *w, const char *key, char bracket)
{
	json_key(w, key);
	putc(bracket, w->to);
	w->more = false;
}

void json_close(struct json_writer *w, char bracket)
{
	putc(bracket, w->to);
	w->more = true;
}

void json_value(struct json_writer *w, const char *key, const char *json)
{
	json_key(w, key);
	fputs(json ? json : "null", w->to);
	w->more = true;
}

void json_quote(const char *text, char *out, size_t size)
{
	size_t len = 0;

	out[len++] = '"';
	for (; *text && len < size - 8; text++) {
		if (*text == '"' || *text == '\\')
			out[len++] = '\\';
		if ((unsigned char)*text < ' ')
			len += snprintf(out + len, 7, "\\u%04x", *text);
		else
			out[len++] = *text;
	}
	out[len++] = '"';
	out[len] = 0;
}
