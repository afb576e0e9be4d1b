// SPDX-License-Identifier: GPL-2.0
/*
 * SHA-256 and its HMAC by the vectors of FIPS 180 and of RFC 4231.
 */
#include <stdio.h>

#include "../digest.h"
#include "../../selftests/lib/tap.h"

#define ABC	"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define CASE_1	"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
#define CASE_1_SHORT	"b0344c61d8db38535ca8afceaf0bf12b00"

/* Is a digest what its text in hexadecimal says? */
static bool is(const uint8_t *bytes, size_t len, const char *text)
{
	char hex[2 * SHA256_DIGEST_SIZE + 1] = "";
	size_t i;

	for (i = 0; i < len; i++)
		sprintf(hex + 2 * i, "%02x", bytes[i]);
	return !strcmp(hex, text);
}

static void plain(void)
{
	uint8_t sum[SHA256_DIGEST_SIZE];
	struct sha256_ctx sha;
	int n;

	sha256_init(&sha);
	for (n = 0; n < 2; n++) {
		sha256_update(&sha, 3, (const uint8_t *)"abc");
		digest_sha256(&sha, sum);
		tap_ok(is(sum, sizeof(sum), ABC),
		       n ? "and again, from the start" : "SHA-256 of abc");
	}
}

static void keyed(void)
{
	uint8_t key[20], tag[SHA256_DIGEST_SIZE] = { 0 };
	struct hmac_sha256_ctx hmac;

	memset(key, 0x0b, sizeof(key));
	hmac_sha256_set_key(&hmac, sizeof(key), key);
	hmac_sha256_update(&hmac, 8, (const uint8_t *)"Hi There");
	digest_hmac_sha256(&hmac, sizeof(tag), tag);
	tap_ok(is(tag, sizeof(tag), CASE_1), "HMAC, RFC 4231's case 1");
	memset(tag, 0, sizeof(tag));
	hmac_sha256_update(&hmac, 8, (const uint8_t *)"Hi There");
	digest_hmac_sha256(&hmac, 16, tag);
	tap_ok(is(tag, 17, CASE_1_SHORT), "and its first 16 bytes alone, with the same key");
}

int main(void)
{
	plain();
	keyed();
	return tap_done();
}
