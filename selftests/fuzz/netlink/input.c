// SPDX-License-Identifier: GPL-2.0
/* What is done at a number of a seed. */
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/onramp.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "input.h"
#include "random.h"
#include "value.h"

static const struct {
	uint8_t ifindex;
	uint32_t parent;
} input_places[] = {
	{GRAMMAR_IFINDEX_DUMMY, TC_H_ROOT},
	{GRAMMAR_IFINDEX_PRIO, TC_H_MAKE(0x10000, 1)},
	{GRAMMAR_IFINDEX_PRIO, TC_H_MAKE(0x10000, 2)},
	{GRAMMAR_IFINDEX_SLOW, TC_H_ROOT},
	{GRAMMAR_IFINDEX_SLOW, TC_H_ROOT},
};

/* One place has one handle, mostly, so that requests meet each other's qdiscs. */
static void input_place(uint64_t *seed, struct draft *draft)
{
	size_t place = random_below(seed, ARRAY_SIZE(input_places));

	draft->ifindex = input_places[place].ifindex;
	draft->parent = input_places[place].parent;
	draft->handle = random_below(seed, 8) ? 0 : (place + 2) << 16;
}

/* Optional attributes: none, one, some, half or all. */
static void input_attributes(uint64_t *seed, struct draft *draft)
{
	const struct grammar_command *command = draft->command;
	size_t takes = grammar_takes(command), share, n;

	static const uint8_t shares[] = {0, 8, 32, 128, 255};

	share = shares[random_below(seed, sizeof(shares))];
	for (n = 0; n < takes; n++) {
		const struct grammar_attribute *attribute =
			grammar_find(command->language, command->takes[n]);

		if (n < command->needed || random_below(seed, 255) < share)
			value_good(seed, attribute, draft_add(draft, attribute->type));
	}
	/* None at all would say nothing, where none is needed. */
	if (!draft->count && takes && random_below(seed, 8)) {
		n = random_below(seed, takes);
		value_good(seed, grammar_find(command->language, command->takes[n]),
			   draft_add(draft, command->takes[n]));
	}
}

static void input_draft(uint64_t *seed, const struct grammar_command *command, uint16_t genl,
			struct draft *draft)
{
	memset(draft, 0, offsetof(struct draft, pieces));
	draft->command = command;
	draft->flags = NLM_F_REQUEST | NLM_F_ACK | command->flags;
	draft->nested = true;
	if (command->language == LANGUAGE_GENL) {
		draft->type = genl;
		draft->cmd = command->type;
		draft->version = ONRAMP_GENL_VERSION;
	} else {
		draft->type = command->type;
		snprintf(draft->kind, sizeof(draft->kind), "%s", grammars[command->language].name);
		input_place(seed, draft);
	}
	input_attributes(seed, draft);
	draft->options = draft->count;
}

static uint8_t input_deed(uint64_t *seed)
{
	uint64_t die = random_below(seed, 8192);

	if (!die)
		return DEED_END;
	if (die < 16)
		return DEED_UNPLUG;
	if (die < 128)
		return DEED_PAUSE;
	return die < 1024 ? DEED_PACKET : DEED_NONE;
}

static size_t input_header(const struct grammar_command *command)
{
	return NLMSG_HDRLEN +
	       (command->language == LANGUAGE_GENL ? GENL_HDRLEN : sizeof(struct tcmsg));
}

/**
 * input_make() - what is done at a number of a seed
 * @seed: the seed
 * @number: the number
 * @genl: the family's number, which is the kernel's choice
 * @input: written
 */
void input_make(uint64_t seed, uint64_t number, uint16_t genl, struct input *input)
{
	static struct draft draft;
	uint64_t state = seed * 0x2545f4914f6cdd1dULL ^ number;
	size_t takes;

	/* Two numbers that are near give states that are far. */
	state = random_u64(&state);
	input->command = &grammar_commands[random_below(&state, grammar_commands_count)];
	input->attribute = NULL;
	input->mutation = mutation_choose(&state, input->command);
	input->world = random_below(&state, INPUT_WORLDS);
	input->speaker = random_below(&state, 16) ? random_below(&state, 2) : SPEAKER_POWERLESS;
	input->deed = input_deed(&state);
	input->device = GRAMMAR_IFINDEX_DUMMY + random_below(&state, 3);
	input->hangs_up = !random_below(&state, 128);
	input->compared = !random_below(&state, 32);
	input_draft(&state, input->command, genl, &draft);
	takes = grammar_takes(input->command);
	if (takes)
		input->attribute = grammar_find(input->command->language,
						input->command->takes[random_below(&state, takes)]);
	input->must_refuse = mutation_apply(&state, input->mutation, &draft, input->attribute);
	if (input->mutation >= MUTATION_UNKNOWN || input->mutation == MUTATION_MISSING)
		input->attribute = NULL;
	input->bytes = draft_write(&draft, number, input->message);
	if (input->mutation == MUTATION_NOISE)
		mutation_noise(&state, input_header(input->command), input->message, input->bytes);
}
