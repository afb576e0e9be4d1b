// SPDX-License-Identifier: GPL-2.0
/*
 * A file of keys of any bytes: what is accepted can sign and keeps the ranges,
 * what is refused says why with file and line, and never tells a key.  Anything
 * else aborts.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "../../lib/conf_text.h"
#include "../../huygens-lite/daemon/keyfile.h"

#define WHY_BYTES	256
#define PEER		7

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

/* Every key checks what it signed, for one receiver only. */
static void look(struct auth_keys *keys)
{
	struct auth_stamp stamp = { .session = 1, .counter = 1 }, found;
	uint8_t message[4 + AUTH_BYTES] = "sent";
	struct auth_keys one = { .count = 1 };
	unsigned int i, j;

	require(keys->count >= 1 && keys->count <= AUTH_KEYS_MAX);
	for (i = 0; i < keys->count; i++) {
		require(keys->id[i] > 0);
		for (j = 0; j < i; j++)
			require(keys->id[i] != keys->id[j]);
		one.id[0] = keys->id[i];
		one.hmac[0] = keys->hmac[i];
		require(auth_sign(&one, PEER, &stamp, message, 4) == sizeof(message));
		require(auth_check(keys, PEER, message, sizeof(message), &found) == AUTH_GOOD);
		require(found.session == 1 && found.counter == 1);
		require(auth_check(keys, PEER + 1, message, sizeof(message), &found) == AUTH_FORGED);
	}
}

/* "path:line: message", or "path: message" on all of the file. The message is the reader's, without text of the file. */
static void look_refusal(const char *path, const char *why)
{
	static const char *const messages[] = {
		"the line is not NUMBER SHA256 KEY",
		"the number of the key is out of range: 1 to 4294967295",
		"the type of the key is not SHA256",
		"the key does not have 16 to 64 bytes: HEX: and two digits a byte, or ASCII",
		"there are more than 8 keys",
		"the number of the key is used twice",
		"the file contains no key",
		CONF_TEXT_WIDE,
	};
	static const char *const of_all[] = { "it has 4095 bytes or more", "it contains a zero byte" };
	size_t length = strlen(path), i;

	require(!strncmp(why, path, length) && why[length] == ':');
	why += length + 1;
	for (i = 0; i < sizeof(of_all) / sizeof(*of_all); i++)
		if (*why == ' ' && !strcmp(why + 1, of_all[i]))
			return;
	require(isdigit((unsigned char)*why));
	why += strspn(why, "0123456789");
	require(!strncmp(why, ": ", 2));
	for (i = 0; i < sizeof(messages) / sizeof(*messages); i++)
		if (!strcmp(why + 2, messages[i]))
			return;
	abort();
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
	struct file file = file_of(data, size);
	struct auth_keys keys;
	char why[WHY_BYTES] = "";

	if (keyfile_read(&keys, file.path, "", why, sizeof(why)))
		look_refusal(file.path, why);
	else
		look(&keys);
	file_close(&file);
	return 0;
}
