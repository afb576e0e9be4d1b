// SPDX-License-Identifier: GPL-2.0
/*
 * A file with a key, of any bytes: what is accepted are its 32 digits, what is
 * refused is refused for what is wrong first, and leaves no byte of a key
 * behind.  Anything else aborts.
 */
#include <stdbool.h>
#include <string.h>

#include "file.h"
#include "../../tc-plugins/onrampctl/key.h"

#define DIGITS	(2 * KEY_BYTES)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int good)
{
	if (!good)
		abort();
}

/* A digit's value; -1: white space; -2: neither. */
static int value_of(uint8_t byte)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *at;

	if (byte == ' ' || (byte >= '\t' && byte <= '\r'))
		return -1;
	at = byte ? strchr(digits, byte) : NULL;
	if (!at)
		return -2;
	return at - digits < 16 ? at - digits : at - digits - 6;
}

/* An editor's byte order mark, of UTF-8. */
static bool has_mark(const uint8_t *data, size_t size)
{
	return size >= 3 && data[0] == 0xef && data[1] == 0xbb && data[2] == 0xbf;
}

/* The expected message on a file; the key if there is none. */
static const char *expect(const uint8_t *data, size_t size, uint8_t *key)
{
	uint8_t digits[DIGITS];
	size_t i, n = 0;
	int value;

	for (i = has_mark(data, size) ? 3 : 0; i < size; i++) {
		value = value_of(data[i]);
		if (value == -2)
			return "contains a character that is not a hexadecimal digit";
		if (value == -1)
			continue;
		if (n == DIGITS)
			return "has more than 32 hexadecimal digits";
		digits[n++] = value;
	}
	if (n < DIGITS)
		return "has fewer than 32 hexadecimal digits";
	for (i = 0; i < KEY_BYTES; i++)
		key[i] = digits[2 * i] * 16 + digits[2 * i + 1];
	return NULL;
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: what is in the file
 * @size: its length
 *
 * Return: 0; does not return if something is wrong with the reader.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t key[KEY_BYTES] = "", found[KEY_BYTES];
	const char *wrong = expect(data, size, key);
	struct file file = file_of(data, size);
	const char *why;

	memset(found, 0x5a, sizeof(found));
	why = key_from_file(file.path, found);
	require(!wrong == !why && (!wrong || !strcmp(wrong, why)));
	require(!memcmp(key, found, sizeof(key)));

	/* Others may read it: not even looked at. */
	require(!fchmod(file.fd, 0640));
	memset(found, 0x5a, sizeof(found));
	memset(key, 0, sizeof(key));
	why = key_from_file(file.path, found);
	require(why && !strcmp(why, "users other than its owner can access it: chmod 600"));
	require(!memcmp(key, found, sizeof(key)));
	file_close(&file);
	return 0;
}
