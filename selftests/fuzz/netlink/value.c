// SPDX-License-Identifier: GPL-2.0
/* Values of an attribute. */
#include <linux/netlink.h>
#include <string.h>

#include "random.h"
#include "value.h"

/* The lowest bytes come first: all machines of the lab are little endian. */
static void value_number(const struct grammar_attribute *attribute, struct draft_piece *piece,
			 uint64_t number)
{
	piece->bytes = grammar_width(attribute->form);
	memcpy(piece->value, &number, piece->bytes);
}

static void value_random(uint64_t *seed, struct draft_piece *piece, size_t bytes)
{
	size_t i;

	piece->bytes = bytes;
	for (i = 0; i < bytes; i++)
		piece->value[i] = random_u64(seed);
}

static uint64_t value_one_of(uint64_t *seed, const uint64_t *of, size_t count)
{
	return of[random_below(seed, count)];
}

#define ONE_OF(seed, ...)                                                                          \
	value_one_of(seed, (const uint64_t[]){__VA_ARGS__},                                        \
		     sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Anything in the range, small steps from its foot as likely as large ones. */
static uint64_t value_in_range(uint64_t *seed, const struct grammar_attribute *attribute)
{
	uint64_t span = attribute->most - attribute->least;
	uint64_t step = random_scale(seed);

	return attribute->least + (span == UINT64_MAX ? step : step % (span + 1));
}

static uint64_t value_crumbs(uint64_t *seed)
{
	uint64_t crumbs = 0;
	int i;

	for (i = 0; i < 16; i++)
		crumbs |= random_below(seed, 3) << 2 * i;
	return crumbs;
}

static uint64_t value_good_number(uint64_t *seed, const struct grammar_attribute *attribute)
{
	switch (attribute->pool) {
	case POOL_FEW:
		if (random_below(seed, 8))
			return attribute->least + random_below(seed, 3);
		break;
	case POOL_IFINDEX:
		return ONE_OF(seed, GRAMMAR_IFINDEX_DUMMY, GRAMMAR_IFINDEX_PRIO,
			      GRAMMAR_IFINDEX_SLOW, GRAMMAR_IFINDEX_PEER, GRAMMAR_IFINDEX_NONE, 1);
	case POOL_POWER:
		return 1ULL << (1 + random_below(seed, random_below(seed, 16) ? 8 : 18));
	case POOL_CRUMBS:
		return value_crumbs(seed);
	case POOL_WALL:
		return ONE_OF(seed, 0, GRAMMAR_WALL_NS, 0, GRAMMAR_WALL_NS, random_scale(seed));
	case POOL_BITS:
		return ONE_OF(seed, 16, 16, 16, 16, 16, 24, 32, 0, 64, 128);
	default:
		break;
	}
	return value_in_range(seed, attribute);
}

/* 10.n.0.0 or fd00:n::, of which there are more than any list has room for. */
static void value_prefix(uint64_t *seed, struct draft_piece *piece)
{
	bool v4 = random_below(seed, 4);

	piece->bytes = v4 ? 4 : 16;
	memset(piece->value, 0, piece->bytes);
	piece->value[0] = v4 ? 10 : 0xfd;
	piece->value[v4 ? 1 : 3] = random_below(seed, random_below(seed, 4) ? 2 : 256);
}

static void value_text(uint64_t *seed, struct draft_piece *piece, size_t length)
{
	size_t i;

	piece->bytes = length + 1;
	for (i = 0; i < length; i++)
		piece->value[i] = ' ' + random_below(seed, 95);
	piece->value[length] = 0;
}

/**
 * value_good() - a value in the range
 * @seed: random numbers
 * @attribute: whose
 * @piece: its value is written
 */
void value_good(uint64_t *seed, const struct grammar_attribute *attribute,
		struct draft_piece *piece)
{
	switch (attribute->form) {
	case FORM_BYTES:
		if (attribute->pool == POOL_PREFIX)
			value_prefix(seed, piece);
		else
			value_random(seed, piece, value_in_range(seed, attribute));
		break;
	case FORM_STRING:
		value_text(seed, piece, value_in_range(seed, attribute));
		break;
	case FORM_NEST:
		piece->bytes = 0;
		break;
	default:
		value_number(attribute, piece, value_good_number(seed, attribute));
	}
}

/**
 * value_edge() - the least or the most
 * @seed: random numbers
 * @attribute: whose
 * @piece: its value is written
 */
void value_edge(uint64_t *seed, const struct grammar_attribute *attribute,
		struct draft_piece *piece)
{
	uint64_t end = random_below(seed, 2) ? attribute->least : attribute->most;

	if (grammar_width(attribute->form))
		value_number(attribute, piece, end);
	else if (attribute->form == FORM_BYTES)
		value_random(seed, piece, end);
	else if (attribute->form == FORM_STRING)
		value_text(seed, piece, end);
}

/* Is there a number below the range, or above? */
static bool value_has_below(const struct grammar_attribute *attribute)
{
	return attribute->least != (attribute->form == FORM_S64 ? (uint64_t)INT64_MIN : 0);
}

static bool value_has_above(const struct grammar_attribute *attribute)
{
	size_t bits = 8 * grammar_width(attribute->form);

	if (attribute->form == FORM_S64)
		return attribute->most != INT64_MAX;
	return attribute->most != (bits == 64 ? UINT64_MAX : (1ULL << bits) - 1);
}

/**
 * value_outside() - a number next to the range, or far from it
 * @seed: random numbers
 * @attribute: whose
 * @piece: its value is written
 *
 * Return: false if all numbers are in the range, or it is no number; then an
 * end of the range was written.
 */
bool value_outside(uint64_t *seed, const struct grammar_attribute *attribute,
		   struct draft_piece *piece)
{
	bool below = random_below(seed, 2), far = !random_below(seed, 4);
	uint64_t number;

	if (!grammar_width(attribute->form) ||
	    !(value_has_below(attribute) || value_has_above(attribute))) {
		value_edge(seed, attribute, piece);
		return false;
	}
	if (below ? !value_has_below(attribute) : !value_has_above(attribute))
		below = !below;
	if (!far)
		number = below ? attribute->least - 1 : attribute->most + 1;
	else if (attribute->form == FORM_S64)
		number = below ? (uint64_t)INT64_MIN : INT64_MAX;
	else
		number = below ? 0 : UINT64_MAX;
	value_number(attribute, piece, number);
	return true;
}

/**
 * value_width() - a value of a length that its type does not have
 * @seed: random numbers
 * @attribute: whose
 * @piece: its value is written
 */
void value_width(uint64_t *seed, const struct grammar_attribute *attribute,
		 struct draft_piece *piece)
{
	size_t right = grammar_width(attribute->form), bytes;

	if (attribute->form == FORM_STRING) {
		value_text(seed, piece, attribute->most + 1 + random_below(seed, 99));
		return;
	}
	if (right) {
		do
			bytes = random_below(seed, 18);
		while (bytes == right);
	} else if (attribute->least && random_below(seed, 2)) {
		bytes = random_below(seed, attribute->least);
	} else {
		bytes = attribute->most + 1 + random_below(seed, 99);
	}
	value_random(seed, piece, bytes);
}

/**
 * value_deep() - nests in nests
 * @seed: random numbers
 * @piece: becomes the outermost
 */
void value_deep(uint64_t *seed, struct draft_piece *piece)
{
	size_t levels = 1 + random_below(seed, DRAFT_VALUE / NLA_HDRLEN), i;

	piece->type |= NLA_F_NESTED;
	piece->bytes = levels * NLA_HDRLEN;
	for (i = 0; i < levels; i++) {
		struct nlattr inner = {
			.nla_len = (levels - i) * NLA_HDRLEN,
			.nla_type = piece->type,
		};

		memcpy(piece->value + i * NLA_HDRLEN, &inner, sizeof(inner));
	}
}
