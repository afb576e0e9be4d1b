// SPDX-License-Identifier: GPL-2.0
/*
 * A value goes into its field, as its key in the table says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

static int64_t *store_number(const struct list *list)
{
	return (int64_t *)((char *)list->conf + list->key->offset);
}

static char *store_string(const struct list *list)
{
	return (char *)list->conf + list->key->offset;
}

static int store_refuse(const struct list *list)
{
	char range[KEY_RANGE_MAX];

	return text_refuse(list->error, list->path, list->line,
			   "[%s] %s: \"%.100s\" is not %s", list->key->section,
			   list->key->name, list->words.at,
			   key_range(list->key, range));
}

static int store_value(const struct list *list)
{
	const struct key *key = list->key;
	int64_t value;

	if (value_parse((enum value_unit)key->kind, list->words.at, &value) ||
	    value < key->least || value > key->most)
		return store_refuse(list);
	*store_number(list) = value;
	return 0;
}

static int store_word(const struct list *list)
{
	const char *word = list->key->words, *text = list->words.at;
	size_t len = strlen(text);
	int64_t n;

	for (n = 0; *word; n++) {
		size_t size = strcspn(word, " ");

		if (size == len && !memcmp(word, text, len)) {
			*store_number(list) = n;
			return 0;
		}
		word += size + (word[size] != '\0');
	}
	return store_refuse(list);
}

static int store_text(const struct list *list)
{
	const char *text = list->words.at;
	size_t len = strlen(text);
	int good;

	if (list->key->kind == KEY_PATH)
		good = *text == '/' && !strpbrk(text, " \t\r\n");
	else
		good = *text != '-' && strspn(text, KEY_NAME_CHARACTERS) == len;
	if (!good || !len || (int64_t)len > list->key->most)
		return store_refuse(list);
	memcpy(store_string(list), text, len + 1);
	return 0;
}

/* The word for none: a field that is zero already. */
static int store_is_zero(const struct list *list)
{
	return list->key->zero && !strcmp(list->words.at, list->key->zero);
}

int store(struct list *list)
{
	if (!*list->words.at)
		return store_refuse(list);
	if (store_is_zero(list))
		return 0;
	switch (list->key->kind) {
	case KEY_COUNT:
	case KEY_TIME:
	case KEY_RATE:
		return store_value(list);
	case KEY_WORD:
		return store_word(list);
	case KEY_NAME:
	case KEY_PATH:
		return store_text(list);
	default:
		return list_read(list);
	}
}

void store_default(struct huygens_conf *conf, const struct key *key)
{
	struct conf_error error;
	char value[CONF_PATH_MAX];
	struct list list = {
		.conf = conf,
		.key = key,
		.path = "default",
		.words = { .at = value },
		.error = &error,
	};

	snprintf(value, sizeof(value), "%s", key->fallback);
	/* A table that is wrong shall not start a daemon; a test looks at all. */
	if (store(&list))
		abort();
}
