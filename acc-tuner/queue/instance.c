// SPDX-License-Identifier: GPL-2.0
/*
 * One program at a time changes the queues of a network namespace.
 *
 * The claim is a socket's name that is not in the file system: such names belong to the
 * network namespace, and go with the program, however it ends.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../lib/fail.h"
#include "instance.h"

#define INSTANCE_NAME	"\0acc-tuner"

int instance_claim(char *why, size_t size)
{
	const struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = INSTANCE_NAME };
	const socklen_t len = offsetof(struct sockaddr_un, sun_path) + sizeof(INSTANCE_NAME) - 1;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), error;

	if (fd >= 0 && !bind(fd, (const struct sockaddr *)&name, len))
		return fd;
	error = errno;
	if (fd >= 0)
		close(fd);
	if (error == EADDRINUSE)
		return fail(why, size, "an acc-tuner runs in this network namespace already");
	return fail(why, size, "cannot bind a socket: %s", strerror(error));
}
