/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that are lists, and those that name a host.
 */
#ifndef HUYGENS_LIST_H
#define HUYGENS_LIST_H

#include "key.h"
#include "text.h"

/**
 * struct list - a value that is being read
 * @conf: where it goes
 * @key: whose value
 * @path: of the file
 * @words: the value
 * @line: where it begins
 * @error: filled if it fails
 */
struct list {
	struct huygens_conf	*conf;
	const struct key	*key;
	const char		*path;
	struct text_tokens	words;
	int			line;
	struct conf_error	*error;
};

/**
 * list_refuse() - say what is wrong with a word, and what the key takes
 * @list: the value
 * @line: of the word
 * @word: the word
 * @why: what is wrong with it, after its name
 *
 * Return: -1.
 */
int list_refuse(const struct list *list, int line, const char *word,
		const char *why);

/**
 * list_read() - read a value of the kinds from KEY_PEERS on
 * @list: the value
 *
 * Return: 0 or -1.
 */
int list_read(struct list *list);

#endif /* HUYGENS_LIST_H */
