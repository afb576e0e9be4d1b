/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words that may be shortened to unique beginnings, as those of iproute2.
 */
#ifndef SHARPRAMP_LIB_WORD_H
#define SHARPRAMP_LIB_WORD_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct word_match - the word that a text stands for
 * @text: the text; the rest is zero at first
 * @word: the last word that begins with it, without an end
 * @len: bytes of @word
 * @n: number of words that begin with it; 1 if it is one of them
 * @exact: it is one of them
 */
struct word_match {
	const char	*text;
	const char	*word;
	size_t		len;
	unsigned int	n;
	bool		exact;
};

/**
 * word_match() - compare the text with one more word
 * @match: the text, and the words so far
 * @word: the word; it must stay as long as @match is used
 * @len: its bytes
 */
void word_match(struct word_match *match, const char *word, size_t len);

#endif /* SHARPRAMP_LIB_WORD_H */
