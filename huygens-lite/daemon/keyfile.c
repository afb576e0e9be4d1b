// SPDX-License-Identifier: GPL-2.0
/*
 * The file of keys.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../lib/conf_text.h"
#include "../../lib/fail.h"
#include "keyfile.h"

#define KEYFILE_BYTES	4096
#define KEYFILE_BLANKS	" \t\r"

static int keyfile_refuse(char *why, size_t size, const char *path, int line,
			  const char *what)
{
	return line ? fail(why, size, "%s:%d: %s", path, line, what) :
		      fail(why, size, "%s: %s", path, what);
}

static int keyfile_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return found ? found - digits : -1;
}

/* Bytes of a key; 0 if it is none. */
static size_t keyfile_bytes(const char *key, uint8_t bytes[AUTH_KEY_MOST])
{
	size_t len = strlen(key), i;

	if (strncasecmp(key, "HEX:", 4)) {
		if (len > AUTH_KEY_MOST)
			return 0;
		memcpy(bytes, key, len);
		return len;
	}
	key += 4;
	len -= 4;
	if (len % 2 || len / 2 > AUTH_KEY_MOST)
		return 0;
	for (i = 0; i < len; i += 2) {
		int high = keyfile_digit(key[i]);
		int low = keyfile_digit(key[i + 1]);

		if (high < 0 || low < 0)
			return 0;
		bytes[i / 2] = high << 4 | low;
	}
	return len / 2;
}

static const char *keyfile_line(struct auth_keys *keys, char *line)
{
	char *rest, *number = strtok_r(line, KEYFILE_BLANKS, &rest);
	char *kind, *key, *end;
	uint8_t bytes[AUTH_KEY_MOST];
	unsigned long id;
	size_t len;

	if (!number || *number == '#' || *number == ';' || *number == '!')
		return NULL;
	kind = strtok_r(NULL, KEYFILE_BLANKS, &rest);
	key = strtok_r(NULL, KEYFILE_BLANKS, &rest);
	if (!kind || !key || strtok_r(NULL, KEYFILE_BLANKS, &rest))
		return "the line is not NUMBER SHA256 KEY";
	errno = 0;
	id = strtoul(number, &end, 10);
	if (*end || errno || !isdigit((unsigned char)*number) || !id ||
	    id > UINT32_MAX)
		return "the number of the key is out of range: 1 to 4294967295";
	if (strcasecmp(kind, "SHA256"))
		return "the type of the key is not SHA256";
	len = keyfile_bytes(key, bytes);
	if (len < AUTH_KEY_LEAST)
		return "the key does not have 16 to 64 bytes: HEX: and two digits a byte, or ASCII";
	if (keys->count == AUTH_KEYS_MAX)
		return "there are more than 8 keys";
	if (!auth_add_key(keys, id, bytes, len))
		return "the number of the key is used twice";
	return NULL;
}

int keyfile_parse(struct auth_keys *keys, const char *path, char *text,
		  char *why, size_t size)
{
	int number, mark = conf_text_mark(text, strlen(text));
	const char *wrong;
	char *line;

	memset(keys, 0, sizeof(*keys));
	text += mark > 0 ? mark : 0;
	for (number = 1; (line = strsep(&text, "\n")); number++) {
		wrong = keyfile_line(keys, line);
		if (wrong)
			return keyfile_refuse(why, size, path, number, wrong);
	}
	if (!keys->count)
		return keyfile_refuse(why, size, path, 1, "the file contains no key");
	return 0;
}

/* Not read, for @error. */
static int keyfile_closed(char *why, size_t size, const char *path,
			  const char *user, int error)
{
	const struct passwd *pw;
	const struct group *gr;
	struct stat status;

	if (error != EACCES || !*user) {
		snprintf(why, size, "%s: %s", path, strerror(error));
		return -1;
	}
	pw = getpwuid(geteuid());
	gr = getgrgid(getegid());
	if (!pw || !gr || strcmp(pw->pw_name, user))
		snprintf(why, size, "%s: %s: only root can check whether user %s can read it",
			 path, strerror(error), user);
	else if (stat(path, &status))
		snprintf(why, size,
			 "%s: user %s cannot search a directory above it: run chmod o+x on that directory",
			 path, user);
	else
		snprintf(why, size,
			 "%s: user %s cannot read it: run chown root:%s %s; chmod 640 %s",
			 path, user, gr->gr_name, path, path);
	return -1;
}

/* The owner of the file has the keys, and can give them away. */
static int keyfile_is_ours(const struct stat *status, const char *user)
{
	const struct passwd *pw = *user ? getpwnam(user) : NULL;

	return !status->st_uid || status->st_uid == geteuid() ||
	       (pw && status->st_uid == pw->pw_uid);
}

int keyfile_read(struct auth_keys *keys, const char *path, const char *user,
		 char *why, size_t size)
{
	char text[KEYFILE_BYTES];
	struct stat status;
	ssize_t len;
	int fd, ret;

	memset(keys, 0, sizeof(*keys));
	if (!*path)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &status)) {
		int error = errno;

		if (fd >= 0)
			close(fd);
		return keyfile_closed(why, size, path, user, error);
	}
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (!S_ISREG(status.st_mode))
		return keyfile_refuse(why, size, path, 0,
				      strerror(S_ISDIR(status.st_mode) ? EISDIR : EINVAL));
	if (!keyfile_is_ours(&status, user))
		return keyfile_refuse(why, size, path, 0,
				      "its owner must be root or the daemon's user: run chown root on it");
	if (status.st_mode & 0007)
		return keyfile_refuse(why, size, path, 0,
				      "other users must not have access to it: run chmod o= on it");
	if (len < 0 || len == sizeof(text) - 1)
		return keyfile_refuse(why, size, path, 0,
				      "it has 4095 bytes or more");
	text[len] = 0;
	if (conf_text_mark(text, len) < 0)
		return keyfile_refuse(why, size, path, 1, CONF_TEXT_WIDE);
	if (strlen(text) != (size_t)len)
		return keyfile_refuse(why, size, path, 0, "it contains a zero byte");
	ret = keyfile_parse(keys, path, text, why, size);
	explicit_bzero(text, sizeof(text));
	return ret;
}
