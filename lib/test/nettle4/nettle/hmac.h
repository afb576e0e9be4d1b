/* SPDX-License-Identifier: GPL-2.0 */
#include <stdint.h>

struct hmac_sha256_ctx {
	int unused;
};

void hmac_sha256_digest(struct hmac_sha256_ctx *ctx, uint8_t *digest);
