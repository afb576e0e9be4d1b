// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a configuration.  It is cut into strings in place.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf_text.h"

#define CONF_BLANK	" \t\r"
#define CONF_BETWEEN	" \t\r\n,"

int conf_refuse(struct conf_error *error, const char *path, int line,
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

int conf_text_mark(const char *text, size_t len)
{
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		return 3;
	if (len >= 2 && (!memcmp(text, "\xff\xfe", 2) ||
			 !memcmp(text, "\xfe\xff", 2)))
		return -1;
	return len >= 4 && !memcmp(text, "\0\0\xfe\xff", 4) ? -1 : 0;
}

static int conf_text_is_blank(char c)
{
	return c && strchr(CONF_BLANK, c);
}

int conf_text_clean(struct conf_text *text, size_t len, struct conf_error *error)
{
	int line = text->line, comment = 0;
	char before = '\n', *at;

	for (at = text->at; at < text->at + len; before = *at++) {
		unsigned char c = *at;

		if (c == 0x7f || (c < ' ' && !strchr("\t\r\n", c)) || !c)
			return conf_refuse(error, text->path, line,
					   "character 0x%02x is not text", c);
		if (c == '\n') {
			line++;
			comment = 0;
		} else if ((c == '#' || c == ';') &&
			   (before == '\n' || conf_text_is_blank(before))) {
			comment = 1;
		}
		if (comment)
			*at = ' ';
	}
	return 0;
}

/* Cut blanks off both ends. */
static char *conf_text_trim(char *at)
{
	char *end;

	at += strspn(at, CONF_BLANK "\n");
	end = at + strlen(at);
	while (end > at && strchr(CONF_BLANK "\n", end[-1]))
		end--;
	*end = '\0';
	return at;
}

/*
 * Cut off the current line and those that continue it.  A comment at the
 * beginning of a line was blanked out, so that it continues, with nothing.
 */
static char *conf_text_cut(struct conf_text *text)
{
	char *from = text->at, *end = from;

	for (;;) {
		end += strcspn(end, "\n");
		if (!*end)
			break;
		text->line++;
		if (!conf_text_is_blank(end[1]) && end[1] != '\n')
			break;
		end++;
	}
	text->at = end + (*end != '\0');
	*end = '\0';
	return from;
}

static int conf_text_section(struct conf_text *text, char *head, int line,
			     struct conf_error *error)
{
	size_t len;

	head = conf_text_trim(head);
	len = strlen(head);
	if (head[len - 1] != ']' || strcspn(head, "]\n") != len - 1 || len < 3)
		return conf_refuse(error, text->path, line,
				   "a section must be [name] on a line of its own");
	head[len - 1] = '\0';
	text->section = head + 1;
	return 1;
}

int conf_text_next(struct conf_text *text, struct conf_entry *entry,
		   struct conf_error *error)
{
	char *at, *equals, *skipped;

	/* Lines with nothing in them, before the first entry. */
	at = text->at;
	for (;;) {
		at += strspn(at, CONF_BLANK);
		if (*at != '\n')
			break;
		text->line++;
		text->at = ++at;
	}
	if (!*at)
		return 0;
	*entry = (struct conf_entry){ .line = text->line };
	if (at != text->at)
		return conf_refuse(error, text->path, text->line,
				   "a line that begins with a blank continues a value, but there is no value before it");
	at = conf_text_cut(text);
	if (*at == '[')
		return conf_text_section(text, at, entry->line, error);
	equals = strchr(at, '=');
	if (!equals || equals == at || (strchr(at, '\n') && strchr(at, '\n') < equals))
		return conf_refuse(error, text->path, entry->line,
				   "neither \"key = value\" nor [section]");
	*equals = '\0';
	entry->key = conf_text_trim(at);
	entry->value = conf_text_trim(equals + 1);
	entry->value_line = entry->line;
	for (skipped = equals + 1; skipped < entry->value; skipped++)
		entry->value_line += *skipped == '\n';
	return 1;
}

char *conf_token(struct conf_tokens *tokens)
{
	char *token = tokens->at, *end;

	for (; *token && strchr(CONF_BETWEEN, *token); token++)
		tokens->next += *token == '\n';
	tokens->line = tokens->next;
	end = token + strcspn(token, CONF_BETWEEN);
	tokens->next += *end == '\n';
	tokens->at = end + (*end != '\0');
	*end = '\0';
	return end == token ? NULL : token;
}

/* One byte too many shows that it is too long. */
char *conf_text_load(const char *path, size_t *len)
{
	char *text = malloc(CONF_TEXT_MAX + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	*len = 0;
	if (text && fd >= 0 && !fstat(fd, &st)) {
		if (S_ISREG(st.st_mode))
			while (*len <= CONF_TEXT_MAX &&
			       (n = read(fd, text + *len, CONF_TEXT_MAX + 1 - *len)) > 0)
				*len += n;
		else
			errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	}
	if (fd >= 0)
		close(fd);
	if (n >= 0)
		return text;
	free(text);
	return NULL;
}
