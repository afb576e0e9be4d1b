// SPDX-License-Identifier: GPL-2.0
/*
 * The drift file: a line of two numbers in ppm, as chrony's.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/fail.h"
#include "../../lib/save.h"
#include "drift.h"

#define DRIFT_LINE	128

/* Two numbers and the end of the line, nothing else. */
static int drift_parse(const char *text, double *drift_ppm, double *skew_ppm)
{
	char *end;

	*drift_ppm = strtod(text, &end);
	if (end == text)
		return -1;
	text = end;
	*skew_ppm = strtod(text, &end);
	if (end == text || strcmp(end, "\n"))
		return -1;
	/* Written so that NaN fails, too. */
	return fabs(*drift_ppm) <= DRIFT_MAX_PPM && *skew_ppm >= 0 &&
	       *skew_ppm <= DRIFT_MAX_PPM ? 0 : -1;
}

int drift_read(const char *path, double *drift_ppm, double *skew_ppm, char *why,
	       size_t size)
{
	char text[DRIFT_LINE];
	double drift, skew;
	ssize_t n;
	int fd;

	*why = '\0';
	if (!*path)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		if (errno != ENOENT)
			fail(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n < 0)
		return fail(why, size, "%s: %s", path, strerror(errno));
	text[n] = '\0';
	if ((size_t)n != strlen(text) || drift_parse(text, &drift, &skew))
		return fail(why, size,
				  "%s: not two numbers, a drift within %.0f ppm and its skew: ignored",
				  path, DRIFT_MAX_PPM);
	*drift_ppm = drift;
	*skew_ppm = skew;
	return 0;
}

int drift_write(const char *path, double drift_ppm, double skew_ppm, char *why,
		size_t size)
{
	char text[DRIFT_LINE];
	double drift, skew;

	if (!*path)
		return 0;
	snprintf(text, sizeof(text), "%20.6f %20.6f\n", drift_ppm, skew_ppm);
	/* A line that drift_read() would refuse must not replace a good one. */
	if (drift_parse(text, &drift, &skew))
		return fail(why, size,
				  "%s: a drift of %g ppm with a skew of %g ppm is implausible: not written",
				  path, drift_ppm, skew_ppm);
	return save_file(path, text, strlen(text), why, size);
}
