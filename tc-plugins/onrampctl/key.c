// SPDX-License-Identifier: GPL-2.0
/*
 * Keys, from files: a command line can be read by everybody.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "key.h"

static int key_digit(int c)
{
	return isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
}

/* The first character after the byte order mark that an editor may have put there. */
static int key_first(FILE *file)
{
	static const int mark[] = { 0xef, 0xbb, 0xbf };
	int c = getc(file);
	size_t i;

	if (c != mark[0])
		return c;
	/* A mark that is cut short is not a digit. */
	for (i = 1; i < sizeof(mark) / sizeof(*mark); i++)
		if (getc(file) != mark[i])
			return c;
	return getc(file);
}

/* Return: NULL, or what is wrong. */
static const char *key_read(FILE *file, uint8_t *bytes)
{
	int c, n = 0;

	for (c = key_first(file); c != EOF; c = getc(file)) {
		if (isspace(c))
			continue;
		if (!isxdigit(c))
			return "contains a character that is not a hexadecimal digit";
		if (n == 2 * KEY_BYTES)
			return "has more than 32 hexadecimal digits";
		bytes[n / 2] = bytes[n / 2] << 4 | key_digit(c);
		n++;
	}
	if (ferror(file))
		return strerror(errno);
	return n < 2 * KEY_BYTES ? "has fewer than 32 hexadecimal digits" :
				   NULL;
}

static const char *key_open(const char *path, FILE **file)
{
	struct stat st;

	*file = fopen(path, "re");
	if (!*file || fstat(fileno(*file), &st))
		return strerror(errno);
	if (S_ISREG(st.st_mode) && st.st_mode & 0077)
		return "users other than its owner can access it: chmod 600";
	return NULL;
}

const char *key_from_file(const char *path, uint8_t *bytes)
{
	const char *why = NULL;
	FILE *file = stdin;

	memset(bytes, 0, KEY_BYTES);
	if (strcmp(path, "-"))
		why = key_open(path, &file);
	if (!why) {
		setvbuf(file, NULL, _IONBF, 0);
		why = key_read(file, bytes);
	}
	if (why)
		explicit_bzero(bytes, KEY_BYTES);
	if (file && file != stdin)
		fclose(file);
	return why;
}
