/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inputs that were the first to end as they did: a line each, "SEED NUMBER
 * COMMAND ATTRIBUTE OUTCOME", of which the last three say why it is there.
 */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include <stdio.h>

#include "input.h"
#include "talk.h"

/**
 * struct corpus_line - an input
 * @seed: its seed
 * @number: its number
 * @command: of which command it is
 * @attribute: and which attribute; "-": none
 */
struct corpus_line {
	uint64_t seed;
	uint64_t number;
	char command[32];
	char attribute[32];
};

bool corpus_read(FILE *file, struct corpus_line *line);
bool corpus_is_of(const struct corpus_line *line, const struct input *input);
void corpus_write(FILE *file, uint64_t seed, uint64_t number, const struct input *input,
		  const struct talk *said);

#endif /* FUZZ_CORPUS_H */
