// SPDX-License-Identifier: GPL-2.0
/*
 * Files that are replaced as a whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "save.h"

#define SAVE_PATH	512

/* A write that is cut short has no errno: the one of the rest has. */
static int save_bytes(int fd, const char *data, size_t bytes)
{
	ssize_t written;

	for (; bytes; data += written, bytes -= written) {
		written = write(fd, data, bytes);
		if (written < 0 && errno == EINTR)
			written = 0;
		if (written < 0)
			return -1;
	}
	return fsync(fd);
}

static int save_part(const char *path, const void *data, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	int error;

	if (fd < 0)
		return -1;
	if (!save_bytes(fd, data, bytes))
		return close(fd);
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

static int save_name(char part[SAVE_PATH], const char *path, char *why, size_t size)
{
	if (snprintf(part, SAVE_PATH, "%s.part", path) >= SAVE_PATH)
		return fail(why, size, "%s: the path is too long", path);
	return 0;
}

int save_file(const char *path, const void *data, size_t bytes, char *why, size_t size)
{
	char part[SAVE_PATH];

	if (save_name(part, path, why, size))
		return -1;
	if (save_part(part, data, bytes) || rename(part, path)) {
		fail(why, size, "%s: %s", path, strerror(errno));
		unlink(part);
		return -1;
	}
	return 0;
}

int save_check(const char *path, char *why, size_t size)
{
	char part[SAVE_PATH];
	struct stat st;

	if (save_name(part, path, why, size))
		return -1;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return fail(why, size, "%s: %s", path, strerror(EISDIR));
	if (save_part(part, "", 0))
		return fail(why, size, "%s: %s", path, strerror(errno));
	unlink(part);
	return 0;
}
