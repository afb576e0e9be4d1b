// SPDX-License-Identifier: GPL-2.0
/*
 * The key file.  Nothing of a key is ever in a message, and what was read of
 * the file is overwritten.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "secret.h"
#include "text.h"
#include "value.h"

#define SECRET_FILE_MAX	16384
#define SECRET_BLANK	" \t\r"

static int secret_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static int secret_bytes(const char *hex, struct secret *secret)
{
	size_t digits = strlen(hex), i;

	if (digits % 2 || digits < 2 * SECRET_LEAST || digits > 2 * SECRET_MOST)
		return -1;
	for (i = 0; i < digits; i += 2) {
		int high = secret_digit(hex[i]), low = secret_digit(hex[i + 1]);

		if (high < 0 || low < 0)
			return -1;
		secret->key[i / 2] = high << 4 | low;
	}
	secret->len = digits / 2;
	return 0;
}

/* "ID HEX", cut in two.  Return: what is wrong, or NULL. */
static const char *secret_line(char *line, struct secret *secret)
{
	char *hex = line + strcspn(line, SECRET_BLANK), *end;
	int64_t id;

	if (*hex)
		*hex++ = '\0';
	hex += strspn(hex, SECRET_BLANK);
	end = hex + strcspn(hex, SECRET_BLANK);
	if (end[strspn(end, SECRET_BLANK)])
		return "more than a number and a key";
	*end = '\0';
	if (value_parse(VALUE_COUNT, line, &id) || id < 1 || id > UINT32_MAX)
		return "a key begins with its number, 1 to 4294967295";
	secret->id = id;
	if (secret_bytes(hex, secret))
		return "a key is 32 to 128 hexadecimal digits, two a byte";
	return NULL;
}

static const char *secret_take(char *line, struct secret *secrets, int n)
{
	const char *bad;
	int i;

	if (n == SECRETS_MAX)
		return "one key too many: 8 at most";
	bad = secret_line(line, &secrets[n]);
	for (i = 0; !bad && i < n; i++)
		if (secrets[i].id == secrets[n].id)
			bad = "a number that was there before";
	return bad;
}

static int secret_lines(const char *path, char *at, struct secret *secrets,
			struct conf_error *error)
{
	const char *bad = NULL;
	int n = 0, line;
	char *end;

	for (line = 1; *at; line++, at = end) {
		end = at + strcspn(at, "\n");
		if (*end)
			*end++ = '\0';
		at += strspn(at, SECRET_BLANK);
		if (!*at || *at == '#')
			continue;
		bad = secret_take(at, secrets, n);
		if (bad)
			return text_refuse(error, path, line, "%s", bad);
		n++;
	}
	return n ? n : text_refuse(error, path, 0, "there is no key in it");
}

int secret_parse(const char *path, const char *text, size_t len,
		 struct secret *secrets, struct conf_error *error)
{
	char copy[SECRET_FILE_MAX + 1];
	int n;

	memset(secrets, 0, sizeof(*secrets) * SECRETS_MAX);
	if (len > SECRET_FILE_MAX || memchr(text, '\0', len))
		return text_refuse(error, path, 0, "no text of up to %d characters",
				   SECRET_FILE_MAX);
	memcpy(copy, text, len);
	copy[len] = '\0';
	n = secret_lines(path, copy, secrets, error);
	explicit_bzero(copy, sizeof(copy));
	if (n < 0)
		explicit_bzero(secrets, sizeof(*secrets) * SECRETS_MAX);
	return n;
}

int secret_read(const char *path, struct secret *secrets,
		struct conf_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char text[SECRET_FILE_MAX + 1];
	struct stat st;
	ssize_t n;
	int count;

	memset(secrets, 0, sizeof(*secrets) * SECRETS_MAX);
	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return text_refuse(error, path, 0, "cannot read it: %s",
				   strerror(errno));
	}
	if (!S_ISREG(st.st_mode) || st.st_mode & 0007) {
		close(fd);
		return text_refuse(error, path, 0, S_ISREG(st.st_mode) ?
				   "others may read or write it: chmod o= it, and make new keys" :
				   "it is no file");
	}
	n = read(fd, text, sizeof(text));
	close(fd);
	if (n < 0)
		return text_refuse(error, path, 0, "cannot read it: %s",
				   strerror(errno));
	count = secret_parse(path, text, n, secrets, error);
	explicit_bzero(text, sizeof(text));
	return count;
}
