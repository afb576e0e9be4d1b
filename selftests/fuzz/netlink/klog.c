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
};

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
	size_t i;

	while ((got = read(klog_fd, record, sizeof(record) - 1)) > 0) {
		record[got] = 0;
		record[strcspn(record, "\n")] = 0;
		for (i = 0; i < ARRAY_SIZE(klog_words) && !found; i++) {
			found = strstr(record, klog_words[i]);
			if (found)
				snprintf(line, bytes, "%s", record);
		}
	}
	return found;
}
