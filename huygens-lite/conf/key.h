/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every key of the configuration, once.
 */
#ifndef HUYGENS_KEY_H
#define HUYGENS_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "conf.h"
#include "value.h"

#define KEY_RANGE_MAX	160
/* A name is what a column, a file and a shell can have. */
#define KEY_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz" \
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

/** enum key_kind - how a value is read, and what the field is */
enum key_kind {
	KEY_COUNT,	/* int64_t, these three as enum value_unit */
	KEY_TIME,
	KEY_RATE,
	KEY_WORD,	/* int64_t, the place of the word in @words */
	KEY_NAME,	/* char[], letters, digits, ".", "_" and "-" */
	KEY_PATH,	/* char[], absolute */
	KEY_PEERS,	/* lists: see list.h */
	KEY_IDS,
	KEY_LINKS,
	KEY_ASYMMETRIES,
	KEY_REFERENCE,
};

/**
 * struct key - one key
 * @section: where it is
 * @name: what it is called there
 * @kind: how it is read
 * @offset: of the field
 * @least: of numbers
 * @most: of numbers; of text, characters; of lists, items
 * @zero: a word that stands for 0, or for none
 * @words: of KEY_WORD, separated by blanks
 * @fallback: the default, as it would be written; NULL: must be given
 * @live: a daemon that runs takes another value
 * @what: one line for people
 */
struct key {
	const char	*section;
	const char	*name;
	enum key_kind	kind;
	size_t		offset;
	int64_t		least;
	int64_t		most;
	const char	*zero;
	const char	*words;
	const char	*fallback;
	int		live;
	const char	*what;
};

/* The most keys that the table may have. */
#define KEYS_MAX	128

extern const struct key keys[];
extern const size_t n_keys;

/**
 * key_find() - a key by name
 * @section: where it should be; NULL: any
 * @name: what it is called
 *
 * Return: the key, or NULL.
 */
const struct key *key_find(const char *section, const char *name);

/**
 * key_is_section() - is there such a section?
 * @section: its name
 *
 * Return: 1 or 0.
 */
int key_is_section(const char *section);

/**
 * key_range() - what a key takes
 * @key: the key
 * @text: filled
 *
 * Return: @text.
 */
const char *key_range(const struct key *key, char text[KEY_RANGE_MAX]);

#endif /* HUYGENS_KEY_H */
