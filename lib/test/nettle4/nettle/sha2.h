/* SPDX-License-Identifier: GPL-2.0 */
#include <stdint.h>

#define SHA256_DIGEST_SIZE 32

struct sha256_ctx {
	int unused;
};

void sha256_digest(struct sha256_ctx *ctx, uint8_t *digest);
