// SPDX-License-Identifier: GPL-2.0
/*
 * The host.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

#define HOST_SECOND	1000000000ULL

FILE *host_file(const char *path)
{
	return fopen(path, "re");
}

bool host_has(const char *path)
{
	return !access(path, F_OK);
}

void host_sleep(uint64_t ns)
{
	struct timespec left = {
		.tv_sec = ns / HOST_SECOND,
		.tv_nsec = ns % HOST_SECOND,
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

uint64_t host_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * HOST_SECOND + now.tv_nsec;
}

unsigned int host_rows(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_row ? size.ws_row : 24;
}
