/* SPDX-License-Identifier: GPL-2.0 */
/* What makes a good request a bad one, or one at the limit. */
#ifndef FUZZ_MUTATION_H
#define FUZZ_MUTATION_H

#include "draft.h"

/**
 * enum mutation - what is done to a request
 * @MUTATION_NONE: nothing
 * @MUTATION_EDGE: a value is the least or the most
 * @MUTATION_OUTSIDE: a value is out of its range
 * @MUTATION_WIDTH: a value has another length
 * @MUTATION_LIE: an attribute claims another length than it has
 * @MUTATION_MISSING: an attribute that must be there is not
 * @MUTATION_DOUBLED: an attribute is there twice
 * @MUTATION_UNKNOWN: a type that nobody knows
 * @MUTATION_STRAY: an attribute that the request does not take
 * @MUTATION_DEEP: nests in nests in place of a value
 * @MUTATION_TRUNCATED: the message ends too early
 * @MUTATION_HEADER: a header is wrong
 * @MUTATION_NOISE: random bytes behind the headers
 */
enum mutation {
	MUTATION_NONE,
	MUTATION_EDGE,
	MUTATION_OUTSIDE,
	MUTATION_WIDTH,
	MUTATION_LIE,
	MUTATION_MISSING,
	MUTATION_DOUBLED,
	MUTATION_UNKNOWN,
	MUTATION_STRAY,
	MUTATION_DEEP,
	MUTATION_TRUNCATED,
	MUTATION_HEADER,
	MUTATION_NOISE,
	MUTATIONS,
};

extern const char *const mutation_names[MUTATIONS];

enum mutation mutation_choose(uint64_t *seed, const struct grammar_command *command);
bool mutation_apply(uint64_t *seed, enum mutation mutation, struct draft *draft,
		    const struct grammar_attribute *attribute);
void mutation_noise(uint64_t *seed, size_t header, uint8_t *message, size_t bytes);

#endif /* FUZZ_MUTATION_H */
