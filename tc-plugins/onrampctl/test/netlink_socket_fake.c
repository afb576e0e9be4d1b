// SPDX-License-Identifier: GPL-2.0
/*
 * A socket without a kernel: answers come from the file $NL_ANSWERS, requests
 * go to the file $NL_REQUESTS.
 *
 * Both are in the byte order of the machine.  A request is its length, 32 bits,
 * and its bytes.  What answers a request, or joining a group, is the number of
 * datagrams, and for each its length and its bytes; a negative length is an
 * error number instead.  When there are no more, the socket is dead: ENODATA.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../lib/netlink_socket.h"

static FILE *socket_answers;
static FILE *socket_requests;
static int32_t socket_left;

static int32_t socket_number(void)
{
	int32_t number;

	if (fread(&number, sizeof(number), 1, socket_answers) != 1)
		return 0;
	return number;
}

int nl_socket_open(int bus)
{
	if (socket_answers)
		return 0;
	socket_answers = fopen(getenv("NL_ANSWERS"), "rb");
	socket_requests = fopen(getenv("NL_REQUESTS"), "wb");
	if (!socket_answers || !socket_requests) {
		perror("netlink_socket_fake");
		abort();
	}
	return 0;
}

int nl_socket_join(uint32_t group)
{
	fprintf(stderr, "joined %u\n", group);
	socket_left = socket_number();
	return 0;
}

int nl_socket_send(const void *request, size_t len)
{
	uint32_t size = len;

	fwrite(&size, sizeof(size), 1, socket_requests);
	fwrite(request, 1, len, socket_requests);
	fflush(socket_requests);
	socket_left = socket_number();
	return 0;
}

ssize_t nl_socket_receive(void *buffer)
{
	int32_t len;

	if (socket_left-- <= 0) {
		errno = ENODATA;
		return -1;
	}
	len = socket_number();
	if (len < 0 || len > NL_SOCKET_BYTES) {
		errno = -len;
		return -1;
	}
	return fread(buffer, 1, len, socket_answers);
}

uint32_t nl_socket_port(void)
{
	return 0;
}

/* A file that is opened again continues where it was. */
void nl_socket_close(void)
{
	if (socket_requests)
		fflush(socket_requests);
}
