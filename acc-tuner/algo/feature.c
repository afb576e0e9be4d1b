// SPDX-License-Identifier: GPL-2.0
/*
 * Features of a queue, in integers up to the last step.
 */
#include "feature.h"

#define FEATURE_BITS_NS	8000000000ULL

/* @part of @whole in parts of FEATURE_ONE, at most that. */
static uint32_t feature_ratio(__uint128_t part, __uint128_t whole)
{
	if (part >= whole)
		return FEATURE_ONE;
	return part * FEATURE_ONE / whole;
}

/* 2^40 x 2^40 bits: what the link could have sent, times 8 x 10^9. */
static uint32_t feature_load(const struct feature_interval *x, uint64_t packets, uint64_t bytes)
{
	uint64_t wire = bytes + packets * FEATURE_OVERHEAD_BYTES;

	return feature_ratio((__uint128_t)wire * FEATURE_BITS_NS,
			     (__uint128_t)x->rate_bps * x->length_ns);
}

uint64_t feature_delay_ns(const struct feature_interval *x)
{
	__uint128_t bits = (__uint128_t)x->backlog_byte_us * 1000 * FEATURE_BITS_NS;
	__uint128_t delay = bits / ((__uint128_t)x->rate_bps * x->length_ns);

	return delay >> 62 ? 1ULL << 62 : (uint64_t)delay;
}

uint32_t feature_utilisation(const struct feature_interval *x)
{
	return feature_load(x, x->tx_packets, x->tx_bytes);
}

uint32_t feature_marked(const struct feature_interval *x)
{
	return feature_load(x, x->marked_packets, x->marked_bytes);
}

uint32_t feature_marked_fraction(const struct feature_interval *x)
{
	return x->tx_bytes ? feature_ratio(x->marked_bytes, x->tx_bytes) : 0;
}

/* log2(1 + delay / unit), parts of FEATURE_ONE: linear from each power of two to the next. */
static uint32_t feature_log2(uint64_t delay_ns)
{
	uint64_t value = FEATURE_ONE + delay_ns * FEATURE_ONE / FEATURE_DELAY_UNIT_NS;
	uint32_t octave = 63 - __builtin_clzll(value) - 16;

	return octave * FEATURE_ONE + (value >> octave) - FEATURE_ONE;
}

uint32_t feature_qlen(uint64_t delay_ns)
{
	/* From here on it is clipped, so that no product above is too large. */
	if (delay_ns >= (uint64_t)FEATURE_DELAY_UNIT_NS << FEATURE_DELAY_OCTAVES)
		return FEATURE_ONE;
	return feature_ratio(feature_log2(delay_ns), FEATURE_DELAY_OCTAVES * FEATURE_ONE);
}

static float feature_float(uint32_t parts)
{
	return (float)parts / (float)FEATURE_ONE;
}

void feature_push(struct feature_window *w, const struct feature_interval *x, uint32_t template,
		  uint32_t last)
{
	float *newest = &w->value[FEATURE_STATE - FEATURE_NR];
	uint32_t i;

	for (i = 0; i < FEATURE_STATE - FEATURE_NR; i++)
		w->value[i] = w->value[i + FEATURE_NR];
	newest[FEATURE_QLEN] = feature_float(feature_qlen(feature_delay_ns(x)));
	newest[FEATURE_TX] = feature_float(feature_utilisation(x));
	newest[FEATURE_MARKED] = feature_float(feature_marked(x));
	newest[FEATURE_ECN] = (float)template / (float)last;
	if (w->intervals < FEATURE_INTERVALS)
		w->intervals++;
}
