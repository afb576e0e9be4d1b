// SPDX-License-Identifier: GPL-2.0
/*
 * Signed messages: a trailer of 32 bytes with HMAC-SHA256, and what was taken
 * before.
 */
#include <nettle/memops.h>
#include <string.h>

#include "auth.h"
#include "../../lib/digest.h"

#define AUTH_TAG_BYTES	16

static void auth_put(uint8_t *at, uint64_t value, int bytes)
{
	while (bytes--) {
		at[bytes] = value;
		value >>= 8;
	}
}

static uint64_t auth_get(const uint8_t *at, int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | *at++;
	return value;
}

static unsigned int auth_find(const struct auth_keys *keys, uint32_t id)
{
	unsigned int i;

	for (i = 0; i < keys->count; i++)
		if (keys->id[i] == id)
			break;
	return i;
}

bool auth_add_key(struct auth_keys *keys, uint32_t id, const void *key,
		  size_t len)
{
	unsigned int i;

	if (len < AUTH_KEY_LEAST || len > AUTH_KEY_MOST ||
	    keys->count == AUTH_KEYS_MAX)
		return false;
	i = auth_find(keys, id);
	if (i < keys->count)
		return false;
	keys->id[i] = id;
	hmac_sha256_set_key(&keys->hmac[i], len, key);
	keys->count++;
	return true;
}

/* The tag over @len bytes, which end where the tag begins. */
static void auth_tag(struct hmac_sha256_ctx *hmac, uint32_t to,
		     const uint8_t *bytes, size_t len,
		     uint8_t tag[AUTH_TAG_BYTES])
{
	uint8_t id[4];

	auth_put(id, to, sizeof(id));
	hmac_sha256_update(hmac, len, bytes);
	hmac_sha256_update(hmac, sizeof(id), id);
	digest_hmac_sha256(hmac, AUTH_TAG_BYTES, tag);
}

/* A schedule tells no key, but equal keys make equal tags. */
static bool auth_is_same(const struct hmac_sha256_ctx *a, const struct hmac_sha256_ctx *b)
{
	struct hmac_sha256_ctx one = *a, other = *b;
	uint8_t x[AUTH_TAG_BYTES] = { 0 }, y[AUTH_TAG_BYTES] = { 0 };

	auth_tag(&one, 0, x, 0, x);
	auth_tag(&other, 0, y, 0, y);
	return memeql_sec(x, y, sizeof(x));
}

int64_t auth_join(struct auth_keys *keys, const struct auth_keys *first,
		  const struct auth_keys *more)
{
	unsigned int i, at;

	*keys = *first;
	for (i = 0; i < more->count; i++) {
		at = auth_find(keys, more->id[i]);
		if (at < keys->count && !auth_is_same(&keys->hmac[at], &more->hmac[i]))
			return more->id[i];
		if (at < keys->count)
			continue;
		if (at == AUTH_KEYS_MAX)
			return -1;
		keys->id[at] = more->id[i];
		keys->hmac[at] = more->hmac[i];
		keys->count++;
	}
	return 0;
}

size_t auth_sign(struct auth_keys *keys, uint32_t to,
		 const struct auth_stamp *stamp, uint8_t *message, size_t len)
{
	unsigned int key = auth_find(keys, stamp->key);
	uint8_t *at = message + len;

	key = key < keys->count ? key : 0;
	auth_put(at, keys->id[key], 4);
	auth_put(at + 4, stamp->session, 4);
	auth_put(at + 8, stamp->counter, 8);
	auth_tag(&keys->hmac[key], to, message, len + 16, at + 16);
	return len + AUTH_BYTES;
}

enum auth_fault auth_check(struct auth_keys *keys, uint32_t to,
			   const uint8_t *message, size_t len,
			   struct auth_stamp *stamp)
{
	uint8_t tag[AUTH_TAG_BYTES];
	const uint8_t *at;
	unsigned int i;

	if (len < AUTH_BYTES)
		return AUTH_MISSING;
	at = message + len - AUTH_BYTES;
	i = auth_find(keys, auth_get(at, 4));
	if (i == keys->count)
		return AUTH_UNKNOWN_KEY;
	auth_tag(&keys->hmac[i], to, message, len - AUTH_TAG_BYTES, tag);
	if (!memeql_sec(tag, at + 16, AUTH_TAG_BYTES))
		return AUTH_FORGED;
	stamp->key = keys->id[i];
	stamp->session = auth_get(at + 4, 4);
	stamp->counter = auth_get(at + 8, 8);
	return AUTH_GOOD;
}

enum auth_fault auth_admit(struct auth_memory *memory,
			   const struct auth_stamp *stamp, bool silent)
{
	uint64_t behind;

	if (!memory->known || stamp->session > memory->session ||
	    (silent && stamp->session < memory->session)) {
		memory->known = true;
		memory->session = stamp->session;
		memory->top = stamp->counter;
		/* Earlier messages are unknown, so this one does not count as new. */
		memory->taken = UINT64_MAX;
		return AUTH_GOOD;
	}
	if (stamp->session < memory->session)
		return AUTH_REPLAYED;
	if (stamp->counter > memory->top) {
		behind = stamp->counter - memory->top;
		memory->taken = behind < AUTH_WINDOW ?
			memory->taken << behind | 1 : 1;
		memory->top = stamp->counter;
		return AUTH_GOOD;
	}
	behind = memory->top - stamp->counter;
	if (behind >= AUTH_WINDOW || memory->taken >> behind & 1)
		return AUTH_REPLAYED;
	memory->taken |= 1ULL << behind;
	return AUTH_GOOD;
}
