// SPDX-License-Identifier: GPL-2.0
/*
 * A file that is mapped by others.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../lib/fail.h"
#include "segment.h"

/* Readers of a file that shrinks would be killed, so it only grows. */
static int segment_size(int fd, size_t size)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	return (size_t)st.st_size < size ? ftruncate(fd, (off_t)size) : 0;
}

int segment_open(struct segment *segment, const char *path, size_t size, char *why,
		 size_t why_size)
{
	*segment = (struct segment){ .size = size };
	segment->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
	if (segment->fd < 0)
		return fail(why, why_size, "%s: %s", path, strerror(errno));
	if (flock(segment->fd, LOCK_EX | LOCK_NB))
		fail(why, why_size, "%s: another daemon writes this file", path);
	/* Whatever the umask of a daemon is. */
	else if (segment_size(segment->fd, size) || fchmod(segment->fd, 0644))
		fail(why, why_size, "%s: %s", path,
		     errno == EINVAL ? "not a regular file" : strerror(errno));
	else
		segment->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, segment->fd, 0);
	if (segment->map && segment->map != MAP_FAILED)
		return 0;
	if (segment->map)
		fail(why, why_size, "%s: %s", path, strerror(errno));
	segment->map = NULL;
	segment_close(segment);
	return -1;
}

void segment_close(struct segment *segment)
{
	if (segment->map)
		munmap(segment->map, segment->size);
	if (segment->fd >= 0)
		close(segment->fd);
	*segment = SEGMENT_CLOSED;
}
