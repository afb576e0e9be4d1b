// SPDX-License-Identifier: GPL-2.0
/*
 * The form of a configuration.  The text is cut where it lies.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#define BLANK		" \t\r"
#define BETWEEN		" \t\r\n,"

int text_refuse(struct conf_error *error, const char *path, int line,
		const char *format, ...)
{
	size_t n;
	va_list args;

	if (line)
		n = snprintf(error->text, sizeof(error->text), "%s:%d: ", path, line);
	else
		n = snprintf(error->text, sizeof(error->text), "%s: ", path);
	if (n >= sizeof(error->text))
		return -1;
	va_start(args, format);
	vsnprintf(error->text + n, sizeof(error->text) - n, format, args);
	va_end(args);
	return -1;
}

int text_mark(const char *text, size_t len)
{
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		return 3;
	if (len >= 2 && (!memcmp(text, "\xff\xfe", 2) ||
			 !memcmp(text, "\xfe\xff", 2)))
		return -1;
	return len >= 4 && !memcmp(text, "\0\0\xfe\xff", 4) ? -1 : 0;
}

static int text_is_blank(char c)
{
	return c && strchr(BLANK, c);
}

int text_clean(struct text *text, size_t len, struct conf_error *error)
{
	int line = text->line, comment = 0;
	char before = '\n', *at;

	for (at = text->at; at < text->at + len; before = *at++) {
		unsigned char c = *at;

		if (c == 0x7f || (c < ' ' && !strchr("\t\r\n", c)) || !c)
			return text_refuse(error, text->path, line,
					   "character 0x%02x is not text", c);
		if (c == '\n') {
			line++;
			comment = 0;
		} else if ((c == '#' || c == ';') &&
			   (before == '\n' || text_is_blank(before))) {
			comment = 1;
		}
		if (comment)
			*at = ' ';
	}
	return 0;
}

/* Cut blanks off both ends. */
static char *text_trim(char *at)
{
	char *end;

	at += strspn(at, BLANK "\n");
	end = at + strlen(at);
	while (end > at && strchr(BLANK "\n", end[-1]))
		end--;
	*end = '\0';
	return at;
}

/*
 * Cut off the current line and those that continue it.  A comment at the
 * beginning of a line was blanked out, so that it continues, with nothing.
 */
static char *text_cut(struct text *text)
{
	char *from = text->at, *end = from;

	for (;;) {
		end += strcspn(end, "\n");
		if (!*end)
			break;
		text->line++;
		if (!text_is_blank(end[1]) && end[1] != '\n')
			break;
		end++;
	}
	text->at = end + (*end != '\0');
	*end = '\0';
	return from;
}

static int text_section(struct text *text, char *head, int line,
			struct conf_error *error)
{
	size_t len;

	head = text_trim(head);
	len = strlen(head);
	if (head[len - 1] != ']' || strcspn(head, "]\n") != len - 1 || len < 3)
		return text_refuse(error, text->path, line,
				   "a section must be [name] on a line of its own");
	head[len - 1] = '\0';
	text->section = head + 1;
	return 1;
}

int text_next(struct text *text, struct text_entry *entry,
	      struct conf_error *error)
{
	char *at, *equals, *skipped;

	/* Lines with nothing in them, before the first entry. */
	at = text->at;
	for (;;) {
		at += strspn(at, BLANK);
		if (*at != '\n')
			break;
		text->line++;
		text->at = ++at;
	}
	if (!*at)
		return 0;
	*entry = (struct text_entry){ .line = text->line };
	if (at != text->at)
		return text_refuse(error, text->path, text->line,
				   "a line that begins with a blank continues a value, but there is no value before it");
	at = text_cut(text);
	if (*at == '[')
		return text_section(text, at, entry->line, error);
	equals = strchr(at, '=');
	if (!equals || equals == at || (strchr(at, '\n') && strchr(at, '\n') < equals))
		return text_refuse(error, text->path, entry->line,
				   "neither \"key = value\" nor [section]");
	*equals = '\0';
	entry->key = text_trim(at);
	entry->value = text_trim(equals + 1);
	entry->value_line = entry->line;
	for (skipped = equals + 1; skipped < entry->value; skipped++)
		entry->value_line += *skipped == '\n';
	return 1;
}

char *text_token(struct text_tokens *words)
{
	char *word = words->at, *end;

	for (; *word && strchr(BETWEEN, *word); word++)
		words->next += *word == '\n';
	words->line = words->next;
	end = word + strcspn(word, BETWEEN);
	words->next += *end == '\n';
	words->at = end + (*end != '\0');
	*end = '\0';
	return end == word ? NULL : word;
}
