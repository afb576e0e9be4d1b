/* SPDX-License-Identifier: GPL-2.0 */
/* A request before it is bytes: what mutations change. */
#ifndef FUZZ_DRAFT_H
#define FUZZ_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grammar.h"

/* Bytes of a value at most: the deepest nest. */
#define DRAFT_VALUE		512
/* Attributes at most. */
#define DRAFT_PIECES		64
/* Bytes of a message at most. */
#define DRAFT_MESSAGE		16384

/**
 * struct draft_piece - an attribute
 * @type: with its flags, NLA_F_*
 * @bytes: of its value
 * @lie: the length that it claims, with its header; 0: the true one
 * @value: its value
 */
struct draft_piece {
	uint16_t type;
	uint16_t bytes;
	uint16_t lie;
	uint8_t value[DRAFT_VALUE];
};

/**
 * struct draft - a request
 * @command: which
 * @type: of the message
 * @flags: NLM_F_*
 * @version: of struct genlmsghdr
 * @reserved: same
 * @cmd: same
 * @family: of struct tcmsg
 * @ifindex: same
 * @handle: same
 * @parent: same
 * @kind: TCA_KIND; "": none
 * @options: it has TCA_OPTIONS
 * @nested: and they say that they are a nest
 * @cut: bytes that are missing at its end
 * @lie: added to the length that it claims
 * @count: of @pieces
 * @pieces: its attributes
 */
struct draft {
	const struct grammar_command *command;
	uint16_t type;
	uint16_t flags;
	uint8_t version;
	uint16_t reserved;
	uint8_t cmd;
	uint8_t family;
	int32_t ifindex;
	uint32_t handle;
	uint32_t parent;
	char kind[24];
	bool options;
	bool nested;
	size_t cut;
	int32_t lie;
	size_t count;
	struct draft_piece pieces[DRAFT_PIECES];
};

struct draft_piece *draft_add(struct draft *draft, uint16_t type);
void draft_remove(struct draft *draft, size_t at);
size_t draft_write(const struct draft *draft, uint32_t seq, void *out);

#endif /* FUZZ_DRAFT_H */
