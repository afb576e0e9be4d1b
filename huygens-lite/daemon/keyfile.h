/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of keys: chrony's form, "NUMBER SHA256 KEY", one a line, where KEY is
 * HEX: and hexadecimal digits, or ASCII.  The first key signs.
 */
#ifndef HUYGENS_KEYFILE_H
#define HUYGENS_KEYFILE_H

#include <stddef.h>

#include "../net/auth.h"

/**
 * keyfile_parse() - keys of a text
 * @keys: filled
 * @path: name for messages
 * @text: the text; changed
 * @why: filled if it fails: file, line and what is wrong, but no key
 * @size: bytes of @why
 *
 * Return: 0, or -1.
 */
int keyfile_parse(struct auth_keys *keys, const char *path, char *text,
		  char *why, size_t size);

/**
 * keyfile_read() - keys of a file
 * @keys: filled
 * @path: the file; empty: no keys
 * @user: [security] user, may be its owner; empty: nobody more, and no user is looked up
 * @why: filled if it fails: what is wrong and, if it is so for @user, what mends it
 * @size: bytes of @why
 *
 * A file that is neither root's, nor the process's user's, nor @user's is refused, and so
 * is one that others than its owner and group may read.
 *
 * Return: 0 or -1.
 */
int keyfile_read(struct auth_keys *keys, const char *path, const char *user,
		 char *why, size_t size);

#endif /* HUYGENS_KEYFILE_H */
