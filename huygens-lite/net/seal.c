// SPDX-License-Identifier: GPL-2.0
/*
 * Signed messages: a trailer of 32 bytes with HMAC-SHA256, and what was taken
 * before.
 */
#include <nettle/memops.h>
#include <string.h>

#include "seal.h"

#define SEAL_TAG_BYTES	16

static void seal_put(uint8_t *at, uint64_t value, int bytes)
{
	while (bytes--) {
		at[bytes] = value;
		value >>= 8;
	}
}

static uint64_t seal_get(const uint8_t *at, int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | *at++;
	return value;
}

bool seal_add_key(struct seal_keys *keys, uint32_t id, const void *key,
		  size_t len)
{
	unsigned int i;

	if (len < SEAL_KEY_LEAST || len > SEAL_KEY_MOST ||
	    keys->count == SEAL_KEYS_MAX)
		return false;
	for (i = 0; i < keys->count; i++)
		if (keys->id[i] == id)
			return false;
	keys->id[i] = id;
	hmac_sha256_set_key(&keys->hmac[i], len, key);
	keys->count++;
	return true;
}

/* The tag over @len bytes, which end where the tag begins. */
static void seal_tag(struct hmac_sha256_ctx *hmac, uint32_t to,
		     const uint8_t *bytes, size_t len,
		     uint8_t tag[SEAL_TAG_BYTES])
{
	uint8_t id[4];

	seal_put(id, to, sizeof(id));
	hmac_sha256_update(hmac, len, bytes);
	hmac_sha256_update(hmac, sizeof(id), id);
	hmac_sha256_digest(hmac, SEAL_TAG_BYTES, tag);
}

size_t seal_sign(struct seal_keys *keys, uint32_t to,
		 const struct seal_stamp *stamp, uint8_t *message, size_t len)
{
	uint8_t *at = message + len;

	seal_put(at, keys->id[0], 4);
	seal_put(at + 4, stamp->session, 4);
	seal_put(at + 8, stamp->counter, 8);
	seal_tag(&keys->hmac[0], to, message, len + 16, at + 16);
	return len + SEAL_BYTES;
}

enum seal_fault seal_check(struct seal_keys *keys, uint32_t to,
			   const uint8_t *message, size_t len,
			   struct seal_stamp *stamp)
{
	uint8_t tag[SEAL_TAG_BYTES];
	const uint8_t *at;
	unsigned int i;

	if (len < SEAL_BYTES)
		return SEAL_MISSING;
	at = message + len - SEAL_BYTES;
	for (i = 0; i < keys->count; i++)
		if (keys->id[i] == seal_get(at, 4))
			break;
	if (i == keys->count)
		return SEAL_UNKNOWN_KEY;
	seal_tag(&keys->hmac[i], to, message, len - SEAL_TAG_BYTES, tag);
	if (!memeql_sec(tag, at + 16, SEAL_TAG_BYTES))
		return SEAL_FORGED;
	stamp->session = seal_get(at + 4, 4);
	stamp->counter = seal_get(at + 8, 8);
	return SEAL_GOOD;
}

enum seal_fault seal_admit(struct seal_memory *memory,
			   const struct seal_stamp *stamp, bool silent)
{
	uint64_t behind;

	if (!memory->known || stamp->session > memory->session ||
	    (silent && stamp->session < memory->session)) {
		memory->known = true;
		memory->session = stamp->session;
		memory->top = stamp->counter;
		/* What came before is not known, so it is not new. */
		memory->taken = UINT64_MAX;
		return SEAL_GOOD;
	}
	if (stamp->session < memory->session)
		return SEAL_REPLAYED;
	if (stamp->counter > memory->top) {
		behind = stamp->counter - memory->top;
		memory->taken = behind < SEAL_WINDOW ?
			memory->taken << behind | 1 : 1;
		memory->top = stamp->counter;
		return SEAL_GOOD;
	}
	behind = memory->top - stamp->counter;
	if (behind >= SEAL_WINDOW || memory->taken >> behind & 1)
		return SEAL_REPLAYED;
	memory->taken |= 1ULL << behind;
	return SEAL_GOOD;
}
