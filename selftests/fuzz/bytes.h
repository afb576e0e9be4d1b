/* SPDX-License-Identifier: GPL-2.0 */
/* A fuzzer's input, taken byte by byte. */
#ifndef SHARPRAMP_BYTES_H
#define SHARPRAMP_BYTES_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct bytes - what is left of the input
 * @at: next byte
 * @end: behind the last one
 */
struct bytes {
	const uint8_t *at;
	const uint8_t *end;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * take() - the next number
 * @b: the input
 * @bytes: of how many bytes, at most 8
 *
 * Return: the number, the lowest byte first; what is missing is 0.
 */
static inline uint64_t take(struct bytes *b, unsigned int bytes)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < bytes && b->at < b->end; i++)
		value |= (uint64_t)*b->at++ << 8 * i;
	return value;
}

/**
 * around() - a number equal or adjacent to another
 * @value: the other
 * @form: which
 *
 * Return: one below, equal or one above; 0 has nothing below it.
 */
static inline uint64_t around(uint64_t value, unsigned int form)
{
	if (form % 3 == 0)
		return value ? value - 1 : 0;
	return value + form % 3 - 1;
}

#endif /* SHARPRAMP_BYTES_H */
