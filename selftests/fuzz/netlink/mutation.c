// SPDX-License-Identifier: GPL-2.0
/* What makes a good request a bad one. */
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdio.h>

#include "mutation.h"
#include "random.h"
#include "value.h"

const char *const mutation_names[MUTATIONS] = {
	"none",	   "edge",  "outside", "width",	    "lie",    "missing", "doubled",
	"unknown", "stray", "deep",    "truncated", "header", "noise",
};

/**
 * mutation_choose() - which mutation is next
 * @seed: random numbers
 * @command: of which request
 *
 * Return: one that can be done to it; a third of all are none.
 */
enum mutation mutation_choose(uint64_t *seed, const struct grammar_command *command)
{
	static const uint8_t bare[] = {
		MUTATION_UNKNOWN,   MUTATION_STRAY,  MUTATION_DEEP,
		MUTATION_TRUNCATED, MUTATION_HEADER, MUTATION_NOISE,
	};

	if (!random_below(seed, 3))
		return MUTATION_NONE;
	if (!command->takes[0])
		return bare[random_below(seed, sizeof(bare))];
	return 1 + random_below(seed, MUTATIONS - 1);
}

/* The piece that has an attribute; it is added if there is none. */
static struct draft_piece *mutation_piece(struct draft *draft,
					  const struct grammar_attribute *attribute)
{
	size_t i;

	draft->options = true;
	for (i = 0; i < draft->count; i++)
		if (draft->pieces[i].type == attribute->type)
			return &draft->pieces[i];
	return draft_add(draft, attribute->type);
}

static bool mutation_missing(uint64_t *seed, struct draft *draft)
{
	size_t needed = draft->command->needed, i;
	uint16_t type;

	if (!needed) {
		draft->options = false;
		draft->count = 0;
		return false;
	}
	type = draft->command->takes[random_below(seed, needed)];
	for (i = draft->count; i--;)
		if (draft->pieces[i].type == type)
			draft_remove(draft, i);
	return true;
}

static bool mutation_is_taken(const struct grammar_command *command, uint16_t type)
{
	size_t n;

	for (n = 0; n < grammar_takes(command); n++)
		if (command->takes[n] == type)
			return true;
	return false;
}

/* Of the same language, good for something else, or for dumps only. */
static void mutation_stray(uint64_t *seed, struct draft *draft)
{
	const struct grammar *g = &grammars[draft->command->language];
	const struct grammar_attribute *attribute = &g->attributes[random_below(seed, g->count)];

	if (mutation_is_taken(draft->command, attribute->type)) {
		/* Padding, which nobody takes. */
		draft_add(draft, 1);
		return;
	}
	value_good(seed, attribute, draft_add(draft, attribute->type));
}

static void mutation_unknown(uint64_t *seed, struct draft *draft)
{
	const struct grammar *g = &grammars[draft->command->language];
	uint16_t last = 0, type;
	struct draft_piece *piece;
	size_t i;

	for (i = 0; i < g->count; i++)
		if (g->attributes[i].type > last)
			last = g->attributes[i].type;
	type = last + 1;
	if (random_below(seed, 2))
		type += random_below(seed, GRAMMAR_TYPES - last - 1);
	piece = draft_add(draft, random_below(seed, 8) ? type : 0);
	piece->bytes = random_below(seed, 40);
}

static void mutation_truncated(uint64_t *seed, struct draft *draft)
{
	draft->cut = 1 + random_below(seed, random_below(seed, 2) ? 16 : 200);
	/* What was sent is what is claimed, or less. */
	if (random_below(seed, 4))
		draft->lie = -(int32_t)draft->cut;
}

static void mutation_genl_header(uint64_t *seed, struct draft *draft)
{
	switch (random_below(seed, 3)) {
	case 0:
		draft->reserved = 1 + random_below(seed, UINT16_MAX);
		break;
	case 1:
		draft->version = random_u64(seed);
		break;
	default:
		draft->cmd = random_below(seed, 2) ? random_below(seed, 40) : random_u64(seed);
	}
}

static void mutation_tc_header(uint64_t *seed, struct draft *draft)
{
	static const char *const kinds[] = {"", "pfifo", "no-such-qdisc"};

	switch (random_below(seed, 6)) {
	case 0:
		draft->ifindex =
			random_below(seed, 2) ? GRAMMAR_IFINDEX_NONE : (int32_t)random_u64(seed);
		break;
	case 1:
		draft->handle = random_u64(seed) >> random_below(seed, 32);
		break;
	case 2:
		draft->parent = random_below(seed, 2) ? TC_H_INGRESS : (uint32_t)random_u64(seed);
		break;
	case 3:
		draft->family = random_u64(seed);
		break;
	case 4:
		snprintf(draft->kind, sizeof(draft->kind), "%s", kinds[random_below(seed, 3)]);
		break;
	default:
		draft->nested = false;
	}
}

static void mutation_header(uint64_t *seed, struct draft *draft)
{
	switch (random_below(seed, 4)) {
	case 0:
		draft->flags ^= 1 << random_below(seed, 12);
		break;
	case 1:
		/* Neither rtnetlink nor a family has such numbers. */
		draft->type = random_below(seed, 2) ? 0x7f00 : random_below(seed, NLMSG_MIN_TYPE);
		break;
	default:
		if (draft->command->language == LANGUAGE_GENL)
			mutation_genl_header(seed, draft);
		else
			mutation_tc_header(seed, draft);
	}
}

/**
 * mutation_apply() - change a request
 * @seed: random numbers
 * @mutation: how
 * @draft: the request
 * @attribute: which attribute of it, where there is one to be changed
 *
 * Return: true if it must now be refused.
 */
bool mutation_apply(uint64_t *seed, enum mutation mutation, struct draft *draft,
		    const struct grammar_attribute *attribute)
{
	bool takes = draft->command->takes[0];
	struct draft_piece *piece;

	switch (mutation) {
	case MUTATION_EDGE:
		value_edge(seed, attribute, mutation_piece(draft, attribute));
		return false;
	case MUTATION_OUTSIDE:
		return value_outside(seed, attribute, mutation_piece(draft, attribute));
	case MUTATION_WIDTH:
		value_width(seed, attribute, mutation_piece(draft, attribute));
		return true;
	case MUTATION_LIE:
		piece = mutation_piece(draft, attribute);
		value_good(seed, attribute, piece);
		piece->lie =
			1 + random_below(seed, random_below(seed, 2) ? NLA_HDRLEN : UINT16_MAX);
		return false;
	case MUTATION_MISSING:
		return mutation_missing(seed, draft);
	case MUTATION_DOUBLED:
		value_good(seed, attribute, mutation_piece(draft, attribute));
		value_good(seed, attribute, draft_add(draft, attribute->type));
		return false;
	case MUTATION_UNKNOWN:
		draft->options = true;
		mutation_unknown(seed, draft);
		return takes;
	case MUTATION_STRAY:
		draft->options = true;
		mutation_stray(seed, draft);
		return takes;
	case MUTATION_DEEP:
		draft->options = true;
		value_deep(seed, takes ? mutation_piece(draft, attribute) : draft_add(draft, 2));
		return takes;
	case MUTATION_TRUNCATED:
		mutation_truncated(seed, draft);
		return false;
	case MUTATION_HEADER:
		mutation_header(seed, draft);
		return false;
	default:
		return false;
	}
}

/**
 * mutation_noise() - random bytes
 * @seed: random numbers
 * @header: bytes that stay as they are
 * @message: the message
 * @bytes: its length
 */
void mutation_noise(uint64_t *seed, size_t header, uint8_t *message, size_t bytes)
{
	size_t changes = 1 + random_below(seed, 8);

	while (bytes > header && changes--)
		message[header + random_below(seed, bytes - header)] = random_u64(seed);
}
