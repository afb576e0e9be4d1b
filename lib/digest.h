/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of nettle's SHA-256: since nettle 4 the caller gives no length, and
 * gets all of it.
 */
#ifndef SHARPRAMP_LIB_DIGEST_H
#define SHARPRAMP_LIB_DIGEST_H

#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * digest_sha256() - the digest of all that was added
 * @sha: ready for other data afterwards
 * @sum: written
 */
static inline void digest_sha256(struct sha256_ctx *sha,
				 uint8_t sum[SHA256_DIGEST_SIZE])
{
#if NETTLE_VERSION_MAJOR >= 4
	sha256_digest(sha, sum);
#else
	sha256_digest(sha, SHA256_DIGEST_SIZE, sum);
#endif
}

/**
 * digest_hmac_sha256() - the beginning of the HMAC of all that was added
 * @hmac: ready for other data with the same key afterwards
 * @len: bytes wanted, at most SHA256_DIGEST_SIZE
 * @tag: written, @len bytes
 */
static inline void digest_hmac_sha256(struct hmac_sha256_ctx *hmac, size_t len,
				      uint8_t *tag)
{
#if NETTLE_VERSION_MAJOR >= 4
	uint8_t whole[SHA256_DIGEST_SIZE];

	hmac_sha256_digest(hmac, whole);
	memcpy(tag, whole, len);
#else
	hmac_sha256_digest(hmac, len, tag);
#endif
}

#endif /* SHARPRAMP_LIB_DIGEST_H */
