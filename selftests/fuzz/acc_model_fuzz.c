// SPDX-License-Identifier: GPL-2.0
/*
 * The model file of acc-tuner: a file that is read is written again as the same bytes.
 *
 * A model is longer than what a fuzzer finds by itself, so the input is a list of changes
 * to one: a byte that says whether its sum is to be right and whether it is cut, then an
 * offset (two bytes) and a value (one) each.
 */
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "../../acc-tuner/model/model.h"
#include "bytes.h"
#include "file.h"

#define SUM_AT		(MODEL_BYTES - SHA256_DIGEST_SIZE)
#define WHY		400

/* Bits of the first byte. */
#define DAMAGED		1
#define CUT		2

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void base(uint8_t *data)
{
	static struct model m;
	struct prng prng;

	if (!m.interval_ns) {
		m.interval_ns = 1000000;
		template_fill(TEMPLATE_RAMP20, m.template);
		snprintf(m.provenance, sizeof(m.provenance), "a model");
		prng_seed(&prng, 1);
		net_init(&m.net, &prng);
	}
	model_format(&m, data);
}

/* Return: how many bytes the file has. */
static size_t make(uint8_t *data, struct bytes *b)
{
	uint8_t how = take(b, 1);
	struct sha256_ctx sha;

	base(data);
	while (b->at < b->end) {
		uint32_t at = take(b, 2) % MODEL_BYTES;

		data[at] = take(b, 1);
		if (how & CUT)
			return at;
	}
	if (how & DAMAGED)
		return MODEL_BYTES;
	sha256_init(&sha);
	sha256_update(&sha, SUM_AT, data);
	sha256_digest(&sha, SHA256_DIGEST_SIZE, data + SUM_AT);
	return MODEL_BYTES;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	struct bytes b = { input, input + size };
	static uint8_t data[MODEL_BYTES], again[MODEL_BYTES];
	static struct model m, was;
	char why[WHY] = "";
	struct file file;
	size_t bytes = make(data, &b);

	memset(&m, 0x5a, sizeof(m));
	was = m;
	file = file_of(data, bytes);
	if (model_read(&m, file.path, why, sizeof(why))) {
		require(!memcmp(&m, &was, sizeof(m)));
		require(!strncmp(why, file.path, strlen(file.path)) && strchr(why, ':'));
	} else {
		require(!model_check(&m, why, sizeof(why)));
		model_format(&m, again);
		require(bytes == MODEL_BYTES && !memcmp(data, again, sizeof(data)));
	}
	file_close(&file);
	return 0;
}
