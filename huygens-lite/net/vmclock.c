// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the virtual machine was paused, migrated or restored.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vmclock.h"

#define VMCLOCK_MAGIC	0x4b4c4356
#define VMCLOCK_VERSION	1
/* Flag: there is a generation. */
#define VMCLOCK_HAS_GENERATION	(1ULL << 8)
/* A page that is written while it is read is read again, so often. */
#define VMCLOCK_TRIES	8

/**
 * struct vmclock_page - begin of the page, little endian
 * @magic: VMCLOCK_MAGIC
 * @size: bytes of the region that has the page
 * @version: VMCLOCK_VERSION
 * @counter: which of the CPU's it is about
 * @kind: of the time that it tells
 * @seq: odd while it is written; what follows may change
 * @marker: another after each disruption of the counter
 * @flags: what else there is
 * @time: the counter's rate and the time by it
 * @generation: another after each snapshot that was restored, by the flags
 */
struct vmclock_page {
	uint32_t	magic;
	uint32_t	size;
	uint16_t	version;
	uint8_t		counter;
	uint8_t		kind;
	uint32_t	seq;
	uint64_t	marker;
	uint64_t	flags;
	uint64_t	time[9];
	uint64_t	generation;
};

_Static_assert(offsetof(struct vmclock_page, generation) == VMCLOCK_LEAST,
	       "the page of version 1");

/* Return: bytes, or -1 with errno. */
static ssize_t vmclock_read(const struct vmclock *vmclock,
			    struct vmclock_page *page)
{
	uint32_t seq;
	int i;

	for (i = 0; i < VMCLOCK_TRIES; i++) {
		ssize_t len;

		memset(page, 0, sizeof(*page));
		len = pread(vmclock->fd, page, sizeof(*page), 0);
		if (len < VMCLOCK_LEAST)
			return len < 0 ? -1 : len;
		if (pread(vmclock->fd, &seq, sizeof(seq),
			  offsetof(struct vmclock_page, seq)) != sizeof(seq))
			return -1;
		if (!(le32toh(page->seq) & 1) && page->seq == seq)
			return len;
	}
	errno = EBUSY;
	return -1;
}

/* Return: 0, or -1 and @why: it is not as this reads it. */
static int vmclock_judge(const struct vmclock_page *page, ssize_t len,
			 const char *path, char *why, size_t size)
{
	uint32_t bytes = le32toh(page->size);

	if (len < VMCLOCK_LEAST)
		snprintf(why, size, "%s: has %zd bytes and not %d at least",
			 path, len, VMCLOCK_LEAST);
	else if (le32toh(page->magic) != VMCLOCK_MAGIC)
		snprintf(why, size, "%s: magic is %#x and not %#x", path,
			 le32toh(page->magic), VMCLOCK_MAGIC);
	else if (le16toh(page->version) != VMCLOCK_VERSION)
		snprintf(why, size, "%s: version is %u and not %d", path,
			 le16toh(page->version), VMCLOCK_VERSION);
	else if (bytes < VMCLOCK_LEAST || bytes > VMCLOCK_MOST)
		snprintf(why, size, "%s: size is %u and not %d to %d", path,
			 bytes, VMCLOCK_LEAST, VMCLOCK_MOST);
	else
		return 0;
	errno = EINVAL;
	return -1;
}

static uint64_t vmclock_generation(const struct vmclock_page *page, ssize_t len)
{
	bool has = le64toh(page->flags) & VMCLOCK_HAS_GENERATION &&
		   len >= (ssize_t)sizeof(*page) &&
		   le32toh(page->size) >= sizeof(*page);

	return has ? le64toh(page->generation) : 0;
}

int vmclock_open(struct vmclock *vmclock, const char *path, char *why,
		 size_t size)
{
	struct vmclock_page page;
	ssize_t len = -1;
	int error;

	vmclock->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (vmclock->fd >= 0)
		len = vmclock_read(vmclock, &page);
	if (len < 0)
		snprintf(why, size, "%s: %s", path, strerror(errno));
	if (len < 0 || vmclock_judge(&page, len, path, why, size)) {
		error = errno;
		vmclock_close(vmclock);
		errno = error;
		return -1;
	}
	vmclock->marker = le64toh(page.marker);
	vmclock->generation = vmclock_generation(&page, len);
	return 0;
}

bool vmclock_sample(struct vmclock *vmclock)
{
	struct vmclock before = *vmclock;
	struct vmclock_page page;
	ssize_t len;

	if (vmclock->fd < 0)
		return false;
	len = vmclock_read(vmclock, &page);
	if (len < VMCLOCK_LEAST)
		return false;
	vmclock->marker = le64toh(page.marker);
	vmclock->generation = vmclock_generation(&page, len);
	return vmclock->marker != before.marker ||
	       vmclock->generation != before.generation;
}

void vmclock_close(struct vmclock *vmclock)
{
	if (vmclock->fd >= 0)
		close(vmclock->fd);
	vmclock->fd = -1;
}
