// SPDX-License-Identifier: GPL-2.0
/*
 * Words that may be shortened to unique beginnings.
 */
#include <string.h>

#include "word.h"

void word_match(struct word_match *match, const char *word, size_t len)
{
	size_t given = strlen(match->text);

	if (match->exact || given > len || memcmp(word, match->text, given))
		return;
	match->exact = given == len;
	match->n = match->exact ? 1 : match->n + 1;
	match->word = word;
	match->len = len;
}
