/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys of OR-ACKs.
 */
#ifndef SHARPRAMP_ONRAMPCTL_KEY_H
#define SHARPRAMP_ONRAMPCTL_KEY_H

#include <stdint.h>

#define KEY_BYTES	16

/**
 * key_from_file() - read a key
 * @path: a file that only its owner may use, with 32 hexadecimal digits and
 *	white space; "-": standard input
 * @bytes: KEY_BYTES, filled; 0 if it fails
 *
 * Return: NULL, or what is wrong with it.
 */
const char *key_from_file(const char *path, uint8_t *bytes);

#endif /* SHARPRAMP_ONRAMPCTL_KEY_H */
