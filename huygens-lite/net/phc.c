// SPDX-License-Identifier: GPL-2.0
/*
 * A clock device.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <linux/ptp_clock.h>

#include "../../lib/fail.h"
#include "phc.h"

#define PHC_NS		1000000000LL
/* Readings of which the shortest counts. */
#define PHC_LOOKS	5

/**
 * struct phc_look - a reading
 * @phc_ns: the device
 * @real_ns: CLOCK_REALTIME at that time
 * @half_ns: by how much that can be wrong; below 0: there is none
 */
struct phc_look {
	int64_t	phc_ns;
	int64_t	real_ns;
	int64_t	half_ns;
};

static int64_t phc_time(const struct ptp_clock_time *t)
{
	return t->sec * PHC_NS + t->nsec;
}

/* One that ends before it begins is of a clock that was stepped. */
static void phc_take(struct phc_look *best, const struct ptp_clock_time *before,
		     const struct ptp_clock_time *phc, const struct ptp_clock_time *after)
{
	int64_t half_ns = (phc_time(after) - phc_time(before) + 1) / 2;

	if (half_ns < 0 || (best->half_ns >= 0 && half_ns >= best->half_ns))
		return;
	*best = (struct phc_look){ phc_time(phc), phc_time(before) + half_ns, half_ns };
}

static int phc_look_precise(int fd, struct phc_look *best)
{
	struct ptp_sys_offset_precise look = { 0 };

	if (ioctl(fd, PTP_SYS_OFFSET_PRECISE, &look))
		return -1;
	*best = (struct phc_look){ phc_time(&look.device), phc_time(&look.sys_realtime), 0 };
	return 0;
}

static int phc_look_extended(int fd, struct phc_look *best)
{
	struct ptp_sys_offset_extended look = { .n_samples = PHC_LOOKS };
	unsigned int i;

	if (ioctl(fd, PTP_SYS_OFFSET_EXTENDED, &look))
		return -1;
	for (i = 0; i < PHC_LOOKS; i++)
		phc_take(best, &look.ts[i][0], &look.ts[i][1], &look.ts[i][2]);
	return 0;
}

static int phc_look_basic(int fd, struct phc_look *best)
{
	struct ptp_sys_offset look = { .n_samples = PHC_LOOKS };
	unsigned int i;

	if (ioctl(fd, PTP_SYS_OFFSET, &look))
		return -1;
	for (i = 0; i < 2 * PHC_LOOKS; i += 2)
		phc_take(best, &look.ts[i], &look.ts[i + 1], &look.ts[i + 2]);
	return 0;
}

/* Errors of a method that the driver, or the kernel, does not have. */
static bool phc_lacks(int error)
{
	return error == EOPNOTSUPP || error == ENOTTY || error == EINVAL;
}

int64_t phc_sample(struct phc *phc, int64_t *phc_ns, int64_t *real_ns)
{
	static int (*const looks[])(int fd, struct phc_look *best) = {
		[PHC_PRECISE] = phc_look_precise,
		[PHC_EXTENDED] = phc_look_extended,
		[PHC_BASIC] = phc_look_basic,
	};
	struct phc_look best = { .half_ns = -1 };

	while (looks[phc->method](phc->fd, &best)) {
		if (phc->method == phc->last || !phc_lacks(errno))
			return -1;
		phc->method++;
	}
	if (best.half_ns < 0)
		errno = ERANGE;
	*phc_ns = best.phc_ns;
	*real_ns = best.real_ns;
	return best.half_ns;
}

int phc_open(struct phc *phc, const char *path, enum phc_method first, enum phc_method last,
	     char *why, size_t size)
{
	int64_t phc_ns, real_ns;
	int error;

	*phc = (struct phc){ open(path, O_RDWR | O_CLOEXEC), first, last };
	if (phc->fd < 0)
		phc->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (phc->fd >= 0 && phc_sample(phc, &phc_ns, &real_ns) >= 0)
		return 0;
	error = errno;
	phc_close(phc);
	fail(why, size, "%s: %s", path, strerror(error));
	errno = error;
	return -1;
}

const char *phc_method_name(enum phc_method method)
{
	static const char *const names[] = { "precise", "extended", "basic" };

	return names[method];
}

void phc_close(struct phc *phc)
{
	if (phc->fd >= 0)
		close(phc->fd);
	phc->fd = -1;
}
