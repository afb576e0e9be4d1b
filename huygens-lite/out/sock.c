// SPDX-License-Identifier: GPL-2.0
/*
 * To chronyd: a sample a line for its driver "refclock SOCK", which then steers
 * the clock.  The form is that of chrony.conf(5): a datagram with this struct,
 * as the machine lays it out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "system.h"
#include "driver.h"

#define SOCK_MAGIC	0x534f434b	/* "SOCK" */

/**
 * struct sock_sample - what chronyd takes
 * @tv: CLOCK_REALTIME of the sample
 * @offset: true time less @tv, seconds
 * @pulse: 0: the sample has the whole offset
 * @leap: at the end of this day of UTC: 1: a second is inserted; 2: deleted; 0: neither
 * @pad: 0
 * @magic: SOCK_MAGIC
 */
struct sock_sample {
	struct timeval	tv;
	double		offset;
	int		pulse;
	int		leap;
	int		pad;
	int		magic;
};

static int sock_open(struct output *out, char *why, size_t size)
{
	out->fd = -1;
	out->state = malloc(sizeof(int));
	if (!out->state)
		return fail(why, size, "sock: no memory");
	*(int *)out->state = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*(int *)out->state < 0)
		return fail(why, size, "sock: cannot create a socket: %s", strerror(errno));
	return 0;
}

/* As chrony numbers them. */
static int sock_leap(const struct output_line *line, int64_t real_ns)
{
	int step = leap_today(&line->leap, real_ns);

	return step < 0 ? 2 : step;
}

/* chronyd may start after us, and again: each sample finds it anew. */
static int sock_line(struct output *out, const struct output_line *line,
		     char *why, size_t size)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct sock_sample sample = { .magic = SOCK_MAGIC };
	int64_t raw_ns, real_ns, offset_ns;

	snprintf(to.sun_path, sizeof(to.sun_path), "%.*s",
		 (int)sizeof(to.sun_path) - 1, out->limits.sock);
	system_pair(&raw_ns, &real_ns);
	/* A timeval has whole microseconds: the sample is of the last one. */
	raw_ns -= real_ns % 1000;
	real_ns -= real_ns % 1000;
	offset_ns = driver_missing_ns(line, raw_ns, real_ns);
	sample.leap = sock_leap(line, real_ns);
	sample.tv.tv_sec = real_ns / 1000000000;
	sample.tv.tv_usec = real_ns % 1000000000 / 1000;
	sample.offset = (double)offset_ns / 1e9;
	out->stats.remaining_ns = offset_ns;
	if (sendto(*(int *)out->state, &sample, sizeof(sample), MSG_NOSIGNAL,
		   (struct sockaddr *)&to, sizeof(to)) >= 0)
		return 0;
	if (errno == EACCES)
		return fail(why, size,
				   "sock: %s belongs to root, and CAP_DAC_OVERRIDE is missing",
				   out->limits.sock);
	return fail(why, size, "sock: %s: %s: add refclock SOCK %s to chrony.conf",
			   out->limits.sock, strerror(errno), out->limits.sock);
}

static void sock_close(struct output *out)
{
	if (out->state && *(int *)out->state >= 0)
		close(*(int *)out->state);
	free(out->state);
}

const struct output_driver output_sock = {
	.open = sock_open,
	.line = sock_line,
	.close = sock_close,
	.blind = true,
};
