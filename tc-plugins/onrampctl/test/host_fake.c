// SPDX-License-Identifier: GPL-2.0
/*
 * A host without /proc, /sys and time: files are those below $HOST_ROOT, if
 * there is such a thing, a wait is over at once, and the terminal has
 * $HOST_ROWS lines.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "../host.h"

static uint64_t host_time;

static const char *host_path(const char *path, char *buffer, size_t size)
{
	const char *root = getenv("HOST_ROOT");

	snprintf(buffer, size, "%s%s", root ? root : "/nowhere", path);
	return buffer;
}

FILE *host_file(const char *path)
{
	char buffer[4096];

	return fopen(host_path(path, buffer, sizeof(buffer)), "re");
}

bool host_has(const char *path)
{
	char buffer[4096];

	return !access(host_path(path, buffer, sizeof(buffer)), F_OK);
}

void host_sleep(uint64_t ns)
{
	host_time += ns;
}

uint64_t host_now(void)
{
	return host_time;
}

unsigned int host_rows(void)
{
	const char *rows = getenv("HOST_ROWS");

	return rows ? atoi(rows) : 0;
}
