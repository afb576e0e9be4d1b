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

/* Return: NULL, or what is wrong. */
static const char *key_read(FILE *file, uint8_t *bytes)
{
	int c, n = 0;

	while ((c = getc(file)) != EOF) {
		if (isspace(c))
			continue;
		if (!isxdigit(c))
			return "has what is no hexadecimal digit";
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
		return "others than its owner may use it: chmod 600";
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
