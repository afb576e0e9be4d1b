// SPDX-License-Identifier: GPL-2.0
/*
 * A socket without a kernel: answers come from the file $LINK_ANSWERS, requests
 * go to the file $LINK_REQUESTS.
 *
 * Both are in the byte order of the machine.  A request is its length, 32 bits,
 * and its bytes.  What answers a request, or joining a group, is the number of
 * datagrams, and for each its length and its bytes; a negative length is an
 * error number instead.  When there are no more, the socket is dead: ENODATA.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../link.h"

static FILE *link_answers;
static FILE *link_requests;
static int32_t link_left;

static int32_t link_number(void)
{
	int32_t number;

	if (fread(&number, sizeof(number), 1, link_answers) != 1)
		return 0;
	return number;
}

int link_open(int bus)
{
	if (link_answers)
		return 0;
	link_answers = fopen(getenv("LINK_ANSWERS"), "rb");
	link_requests = fopen(getenv("LINK_REQUESTS"), "wb");
	if (!link_answers || !link_requests) {
		perror("link_fake");
		abort();
	}
	return 0;
}

int link_join(uint32_t group)
{
	fprintf(stderr, "joined %u\n", group);
	link_left = link_number();
	return 0;
}

int link_send(const void *request, size_t len)
{
	uint32_t size = len;

	fwrite(&size, sizeof(size), 1, link_requests);
	fwrite(request, 1, len, link_requests);
	fflush(link_requests);
	link_left = link_number();
	return 0;
}

ssize_t link_receive(void *room)
{
	int32_t len;

	if (link_left-- <= 0) {
		errno = ENODATA;
		return -1;
	}
	len = link_number();
	if (len < 0 || len > LINK_ROOM) {
		errno = -len;
		return -1;
	}
	return fread(room, 1, len, link_answers);
}

uint32_t link_port(void)
{
	return 0;
}

/* What is opened again goes on where it was. */
void link_close(void)
{
	if (link_requests)
		fflush(link_requests);
}
