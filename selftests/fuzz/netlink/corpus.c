// SPDX-License-Identifier: GPL-2.0
/* Inputs that were the first to end as they did. */
#include <err.h>
#include <inttypes.h>
#include <string.h>

#include "corpus.h"

static const char *corpus_attribute(const struct input *input)
{
	return input->attribute ? input->attribute->name : "-";
}

/**
 * corpus_read() - the next line
 * @file: a corpus; lines that begin with # are left out
 * @line: written
 *
 * Return: false at the end.
 */
bool corpus_read(FILE *file, struct corpus_line *line)
{
	char text[256];

	while (fgets(text, sizeof(text), file)) {
		if (*text == '#')
			continue;
		if (sscanf(text, "%" SCNu64 " %" SCNu64 " %31s %31s", &line->seed, &line->number,
			   line->command, line->attribute) != 4)
			errx(2, "the corpus: not SEED NUMBER COMMAND ATTRIBUTE: %s", text);
		return true;
	}
	return false;
}

/**
 * corpus_is_of() - is it still the input that it was?
 * @line: of a corpus
 * @input: what its seed and number make now
 *
 * Return: false if the grammar has changed since, and the corpus must be grown
 * anew.
 */
bool corpus_is_of(const struct corpus_line *line, const struct input *input)
{
	return !strcmp(line->command, input->command->name) &&
	       !strcmp(line->attribute, corpus_attribute(input));
}

/**
 * corpus_write() - one more line
 * @file: a corpus
 * @seed: of the input
 * @number: same
 * @input: same
 * @said: how it ended
 */
void corpus_write(FILE *file, uint64_t seed, uint64_t number, const struct input *input,
		  const struct talk *said)
{
	fprintf(file, "%" PRIu64 " %" PRIu64 " %s %s %s\n", seed, number, input->command->name,
		corpus_attribute(input), said->error ? strerrorname_np(said->error) : "taken");
}
