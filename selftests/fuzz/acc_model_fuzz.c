// SPDX-License-Identifier: GPL-2.0
/*
 * The model file of acc-tuner: a file that is read is written again as the same bytes.
 *
 * A model is longer than what a fuzzer finds by itself, so the input is a list of changes
 * to one: a byte that says whether its sum is to be right and whether it is cut, then an
 * offset (two bytes) and a value (one) each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../acc-tuner/model/model.h"
#include "../../lib/digest.h"
#include "bytes.h"

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

/* Return: the model that is changed, made once. */
static const uint8_t *base(void)
{
	static uint8_t data[MODEL_BYTES];
	static struct model m;
	struct prng prng;

	if (m.interval_ns)
		return data;
	m.interval_ns = 1000000;
	template_fill(TEMPLATE_RAMP20, m.template);
	snprintf(m.provenance, sizeof(m.provenance), "a model");
	prng_seed(&prng, 1);
	net_init(&m.net, &prng);
	model_format(&m, data);
	return data;
}

/* Return: how many bytes the file has. */
static size_t make(uint8_t *data, struct bytes *b)
{
	uint8_t how = take(b, 1);
	struct sha256_ctx sha;

	memcpy(data, base(), MODEL_BYTES);
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
	digest_sha256(&sha, data + SUM_AT);
	return MODEL_BYTES;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	struct bytes b = { input, input + size };
	static uint8_t data[MODEL_BYTES], again[MODEL_BYTES];
	static struct model m, was;
	char why[WHY] = "";
	size_t bytes = make(data, &b);

	memset(&m, 0x5a, sizeof(m));
	was = m;
	if (model_parse(&m, data, bytes, why, sizeof(why))) {
		require(*why && !memcmp(&m, &was, sizeof(m)));
	} else {
		require(!model_check(&m, why, sizeof(why)));
		model_format(&m, again);
		require(bytes == MODEL_BYTES && !memcmp(data, again, sizeof(data)));
	}
	return 0;
}
