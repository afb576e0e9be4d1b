// SPDX-License-Identifier: GPL-2.0
/*
 * Files that are replaced as a whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

int save_file(const char *path, const void *data, size_t bytes, char *why, size_t size)
{
	char part[SAVE_PATH];

	if (snprintf(part, sizeof(part), "%s.part", path) >= (int)sizeof(part))
		return fail(why, size, "%s: the path is too long", path);
	if (save_part(part, data, bytes) || rename(part, path)) {
		fail(why, size, "%s: %s", path, strerror(errno));
		unlink(part);
		return -1;
	}
	return 0;
}
