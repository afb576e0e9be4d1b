/* SPDX-License-Identifier: GPL-2.0 */
/* A parser's output on standard error, for checks of its refusals. */
#ifndef SHARPRAMP_STDERR_TEXT_H
#define SHARPRAMP_STDERR_TEXT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than twice the longest input, which a refusal may cite. */
#define STDERR_BYTES	16384

static char stderr_printed[STDERR_BYTES];

/**
 * stderr_listen() - what is written to stderr is kept from now on
 *
 * Messages of the sanitizers and libFuzzer do not go through stderr and are seen.
 */
static inline void stderr_listen(void)
{
	static FILE *ear;

	if (!ear) {
		ear = fmemopen(stderr_printed, sizeof(stderr_printed), "w");
		if (!ear)
			abort();
		setvbuf(ear, NULL, _IONBF, 0);
		stderr = ear;
	}
	rewind(ear);
	memset(stderr_printed, 0, strlen(stderr_printed));
}

/**
 * stderr_is_a_refusal() - was one line printed, and does it begin so?
 * @from: whose it is, "PROGRAM: "
 */
static inline bool stderr_is_a_refusal(const char *from)
{
	const char *end = strchr(stderr_printed, '\n');

	return !strncmp(stderr_printed, from, strlen(from)) && end && !end[1];
}

#endif /* SHARPRAMP_STDERR_TEXT_H */
