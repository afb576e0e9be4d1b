// SPDX-License-Identifier: GPL-2.0
/* Complaints of the kernel. */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "grammar.h"
#include "klog.h"

static int klog_fd;

/* What lab/host/boot.py takes for one, too. */
static const char *const klog_words[] = {
	"BUG:",
	"BUG ",
	"WARNING: ",
	"KASAN:",
	"UBSAN:",
	"INFO: ",
	"ODEBUG:",
	"Oops",
	"refcount_t: ",
	"corruption",
	"suspicious RCU",
	"inconsistent lock state",
	"unregister_netdevice: waiting",
	"kmemleak: Cannot allocate a kmemleak_object",
	"kmemleak: Kernel memory leak detector disabled",
};

/**
 * klog_is_complaint() - does a line say that something is wrong?
 * @line: of the kernel's log
 */
bool klog_is_complaint(const char *line)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(klog_words); i++)
		if (strstr(line, klog_words[i]))
			return true;
	return false;
}

/**
 * klog_open() - hear what the kernel says from now on
 */
void klog_open(void)
{
	klog_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (klog_fd < 0 || lseek(klog_fd, 0, SEEK_END) < 0)
		err(2, "/dev/kmsg");
}

/**
 * klog_complains() - read what it said since
 * @line: room for the first complaint
 * @bytes: of @line
 *
 * Return: true if there was one.
 */
bool klog_complains(char *line, size_t bytes)
{
	char record[8192];
	bool found = false;
	ssize_t got;

	while ((got = read(klog_fd, record, sizeof(record) - 1)) > 0) {
		record[got] = 0;
		record[strcspn(record, "\n")] = 0;
		if (!found && klog_is_complaint(record)) {
			found = true;
			snprintf(line, bytes, "%s", record);
		}
	}
	return found;
}
