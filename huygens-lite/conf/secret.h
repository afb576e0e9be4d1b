/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The key file: a line a key, its number and its bytes in hexadecimal.
 *
 *	# the first one signs, all are believed
 *	2 8d3e4c...
 *	1 00f1a2...
 */
#ifndef HUYGENS_SECRET_H
#define HUYGENS_SECRET_H

#include "conf.h"

#define SECRETS_MAX	8
#define SECRET_LEAST	16
#define SECRET_MOST	64

/**
 * struct secret - a key
 * @id: its number, at least 1
 * @len: bytes of @key, SECRET_LEAST to SECRET_MOST
 * @key: the bytes
 */
struct secret {
	uint32_t	id;
	size_t		len;
	uint8_t		key[SECRET_MOST];
};

/**
 * secret_read() - read a key file
 * @path: the file; whoever is not its owner nor of its group must not read it
 * @secrets: SECRETS_MAX of them, filled in the order of the file
 * @error: filled if it fails; it never has a key
 *
 * Return: how many, at least 1; or -1, and then @secrets are zero.
 */
int secret_read(const char *path, struct secret *secrets,
		struct conf_error *error);

/**
 * secret_parse() - the same, of text
 * @path: name for messages
 * @text: the text, not changed
 * @len: its length
 * @secrets: as above
 * @error: same
 *
 * Return: same.
 */
int secret_parse(const char *path, const char *text, size_t len,
		 struct secret *secrets, struct conf_error *error);

#endif /* HUYGENS_SECRET_H */
