/* SPDX-License-Identifier: GPL-2.0 */
/* What is done at a number of a seed: the same whenever it is asked for. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include "mutation.h"

/* Namespaces. */
#define INPUT_WORLDS		3

/**
 * enum input_speaker - who sends it
 * @SPEAKER_PLAIN: a socket as tools have it
 * @SPEAKER_STRICT: one that asked for strict checks and short answers
 * @SPEAKER_POWERLESS: one that was opened without CAP_NET_ADMIN
 */
enum input_speaker {
	SPEAKER_PLAIN,
	SPEAKER_STRICT,
	SPEAKER_POWERLESS,
	SPEAKERS,
};

/**
 * enum input_deed - what happens before it is sent
 * @DEED_NONE: nothing
 * @DEED_PACKET: a packet is sent
 * @DEED_UNPLUG: a device goes, with its qdiscs, and comes again
 * @DEED_END: the namespace ends in the midst of dumps, and another comes
 * @DEED_PAUSE: time passes
 */
enum input_deed {
	DEED_NONE,
	DEED_PACKET,
	DEED_UNPLUG,
	DEED_END,
	DEED_PAUSE,
};

/**
 * struct input - what is done
 * @command: which request
 * @attribute: which attribute of it the mutation concerns, or NULL
 * @mutation: enum mutation
 * @world: in which namespace
 * @speaker: enum input_speaker
 * @deed: enum input_deed
 * @device: an ifindex for @deed
 * @hangs_up: the answer is not waited for: the socket is closed
 * @compared: if it is refused nothing may have changed, and it is looked after
 * @must_refuse: it must be refused
 * @bytes: of @message
 * @message: what is sent
 */
struct input {
	const struct grammar_command *command;
	const struct grammar_attribute *attribute;
	uint8_t mutation;
	uint8_t world;
	uint8_t speaker;
	uint8_t deed;
	uint8_t device;
	bool hangs_up;
	bool compared;
	bool must_refuse;
	size_t bytes;
	uint8_t message[DRAFT_MESSAGE] __attribute__((aligned(8)));
};

void input_make(uint64_t seed, uint64_t number, uint16_t genl, struct input *input);

#endif /* FUZZ_INPUT_H */
