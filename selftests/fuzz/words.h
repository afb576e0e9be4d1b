/* SPDX-License-Identifier: GPL-2.0 */
/* A parser's output on standard error, for checks of its refusals. */
#ifndef SHARPRAMP_WORDS_H
#define SHARPRAMP_WORDS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than twice the longest input, of which a refusal may cite words. */
#define WORDS_BYTES	16384

static char words_printed[WORDS_BYTES];

/**
 * words_listen() - what is written to stderr is kept from now on
 *
 * What the sanitizers and libFuzzer say does not go through stderr and is seen.
 */
static inline void words_listen(void)
{
	static FILE *ear;

	if (!ear) {
		ear = fmemopen(words_printed, sizeof(words_printed), "w");
		if (!ear)
			abort();
		setvbuf(ear, NULL, _IONBF, 0);
		stderr = ear;
	}
	rewind(ear);
	memset(words_printed, 0, strlen(words_printed));
}

/**
 * words_are_a_refusal() - was one line printed, and does it begin so?
 * @from: whose it is, "PROGRAM: "
 */
static inline bool words_are_a_refusal(const char *from)
{
	const char *end = strchr(words_printed, '\n');

	return !strncmp(words_printed, from, strlen(from)) && end && !end[1];
}

#endif /* SHARPRAMP_WORDS_H */
