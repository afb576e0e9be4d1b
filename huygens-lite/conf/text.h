/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The form of a configuration: sections, keys, values, and where they stand.
 *
 *	# A comment is a line, or follows a blank.
 *	[section]
 *	key = value
 *	      which goes on where a line begins with a blank
 */
#ifndef HUYGENS_TEXT_H
#define HUYGENS_TEXT_H

#include <stddef.h>

#include "conf.h"

/* No fleet's list of peers comes near it. */
#define TEXT_MAX	(1 << 20)

/**
 * struct text - a configuration that is being read
 * @path: name for messages
 * @at: what comes next; what was read is cut into strings
 * @line: number of the line at @at
 * @section: the current one; NULL: none yet
 */
struct text {
	const char	*path;
	char		*at;
	int		line;
	const char	*section;
};

/**
 * struct text_entry - a section's head, or a key with its value
 * @key: the key; NULL: a section begins, @text->section
 * @value: what follows "=", without blanks around it; of several lines if it
 *	was continued
 * @line: where it begins
 * @value_line: where @value begins
 */
struct text_entry {
	char	*key;
	char	*value;
	int	line;
	int	value_line;
};

/**
 * text_mark() - the byte order mark that some editors put at a file's beginning
 * @text: the file
 * @len: its length
 *
 * Return: bytes to leave out, 3 if it is UTF-8's, else 0; -1: it is UTF-16's, or
 * UTF-32's, and what follows is not read.
 */
int text_mark(const char *text, size_t len);

/* What to say of a file for which text_mark() is below 0. */
#define TEXT_WIDE	"it is UTF-16 or UTF-32, by its byte order mark: save it as UTF-8"

/**
 * text_clean() - check characters, blank out comments
 * @text: begins at a string of @len characters
 * @len: its length
 * @error: filled if it fails
 *
 * Return: 0, or -1 if it has characters that are no text.
 */
int text_clean(struct text *text, size_t len, struct conf_error *error);

/**
 * text_next() - the next entry
 * @text: the configuration, clean
 * @entry: filled
 * @error: filled if it fails
 *
 * Return: 1, 0 at the end, or -1.
 */
int text_next(struct text *text, struct text_entry *entry,
	      struct conf_error *error);

/**
 * struct text_tokens - the words of a value; blanks and commas are between them
 * @at: what comes next; what was read is cut into strings
 * @line: of the latest word
 * @next: of @at
 */
struct text_tokens {
	char	*at;
	int	line;
	int	next;
};

/**
 * text_token() - the next word
 * @words: the value
 *
 * Return: the word, or NULL at the end.
 */
char *text_token(struct text_tokens *words);

/**
 * text_refuse() - say what is wrong, and where
 * @error: filled
 * @path: the file
 * @line: the line; 0: none
 * @format: as printf's
 *
 * Return: -1.
 */
int text_refuse(struct conf_error *error, const char *path, int line,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif /* HUYGENS_TEXT_H */
