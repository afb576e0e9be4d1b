// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "stdout.h"

int stdout_flush(const char *program)
{
	static bool reported;
	int failed;

	/* An earlier write that failed has left no errno. */
	errno = 0;
	failed = fflush(stdout);
	if (!failed && !ferror(stdout))
		return 0;
	if (!reported)
		fprintf(stderr, "%s: standard output: %s\n", program,
			errno ? strerror(errno) : "not all of it was written");
	reported = true;
	return -1;
}
