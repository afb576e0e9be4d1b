/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of a configuration: sections, keys and values with their lines.
 *
 *	# A comment is a line, or follows a blank.
 *	[section]
 *	key = value
 *	      which goes on where a line begins with a blank
 */
#ifndef SHARPRAMP_LIB_CONF_TEXT_H
#define SHARPRAMP_LIB_CONF_TEXT_H

#include <stddef.h>

/**
 * struct conf_error - why a configuration is refused
 * @text: "file:line: key and range", one line
 */
struct conf_error {
	char	text[512];
};

/* Far more than a list of the hosts of a large fleet needs. */
#define CONF_TEXT_MAX	(1 << 20)

/**
 * struct conf_text - a configuration that is being read
 * @path: name for messages
 * @at: the part that is not read yet; the part before it is cut into strings
 * @line: number of the line at @at
 * @section: the current one; NULL: none yet
 */
struct conf_text {
	const char	*path;
	char		*at;
	int		line;
	const char	*section;
};

/**
 * struct conf_entry - a section's head, or a key with its value
 * @key: the key; NULL: a section begins, @text->section
 * @value: what follows "=", without blanks around it; of several lines if it
 *	was continued
 * @line: where it begins
 * @value_line: where @value begins
 */
struct conf_entry {
	char	*key;
	char	*value;
	int	line;
	int	value_line;
};

/**
 * conf_text_mark() - find the byte order mark that some editors put at a file's beginning
 * @text: the file
 * @len: its length
 *
 * Return: bytes to leave out, 3 if it is UTF-8's, else 0; -1: it is UTF-16's, or
 * UTF-32's, and what follows is not read.
 */
int conf_text_mark(const char *text, size_t len);

/* The message for a file for which conf_text_mark() is below 0. */
#define CONF_TEXT_WIDE	"it is UTF-16 or UTF-32, by its byte order mark: save it as UTF-8"

/**
 * conf_text_clean() - check characters, blank out comments
 * @text: begins at a string of @len characters
 * @len: its length
 * @error: filled if it fails
 *
 * Return: 0, or -1 if it has characters that are not text.
 */
int conf_text_clean(struct conf_text *text, size_t len, struct conf_error *error);

/**
 * conf_text_next() - read the next entry
 * @text: the configuration, clean
 * @entry: filled
 * @error: filled if it fails
 *
 * Return: 1, 0 at the end, or -1.
 */
int conf_text_next(struct conf_text *text, struct conf_entry *entry,
		   struct conf_error *error);

/**
 * struct conf_tokens - the tokens of a value; blanks and commas separate them
 * @at: the part that is not read yet; the part before it is cut into strings
 * @line: of the latest token
 * @next: of @at
 */
struct conf_tokens {
	char	*at;
	int	line;
	int	next;
};

/**
 * conf_token() - read the next token
 * @tokens: the value
 *
 * Return: the token, or NULL at the end.
 */
char *conf_token(struct conf_tokens *tokens);

/**
 * conf_text_load() - read a file
 * @path: the file, which must be regular
 * @len: filled: its length; above CONF_TEXT_MAX if it is too long
 *
 * Return: its text, without a zero at the end, for free(); or NULL and errno.
 */
char *conf_text_load(const char *path, size_t *len);

/**
 * conf_refuse() - explain an error, with its place
 * @error: filled
 * @path: the file
 * @line: the line; 0: none
 * @format: as printf's
 *
 * Return: -1.
 */
int conf_refuse(struct conf_error *error, const char *path, int line,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif /* SHARPRAMP_LIB_CONF_TEXT_H */
