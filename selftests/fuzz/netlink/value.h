/* SPDX-License-Identifier: GPL-2.0 */
/* Values of an attribute: good ones, those at an end of the range, bad ones. */
#ifndef FUZZ_VALUE_H
#define FUZZ_VALUE_H

#include "draft.h"

void value_good(uint64_t *seed, const struct grammar_attribute *attribute,
		struct draft_piece *piece);
void value_edge(uint64_t *seed, const struct grammar_attribute *attribute,
		struct draft_piece *piece);
bool value_outside(uint64_t *seed, const struct grammar_attribute *attribute,
		   struct draft_piece *piece);
void value_width(uint64_t *seed, const struct grammar_attribute *attribute,
		 struct draft_piece *piece);
void value_deep(uint64_t *seed, struct draft_piece *piece);

#endif /* FUZZ_VALUE_H */
