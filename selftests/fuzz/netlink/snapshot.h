/* SPDX-License-Identifier: GPL-2.0 */
/* All that a namespace was told, as its dumps have it. */
#ifndef FUZZ_SNAPSHOT_H
#define FUZZ_SNAPSHOT_H

#include "world.h"

/* Bytes: 256 prefixes of each kind, 12 qdiscs, and more. */
#define SNAPSHOT_BYTES		(1 << 18)

/**
 * struct snapshot - dumps, one after the other
 * @asked: the command that is being asked
 * @clock: which clock was told
 * @until_ns: if the published one, when it is stale by itself, CLOCK_MONOTONIC
 * @bytes: of @data
 * @data: messages without what changes by itself, in pieces that say what they are of
 */
struct snapshot {
	uint16_t asked;
	uint8_t clock;
	uint64_t until_ns;
	size_t bytes;
	uint8_t data[SNAPSHOT_BYTES];
};

void snapshot_add(struct snapshot *snapshot, uint16_t type, const void *data, size_t bytes);
void snapshot_take(const struct world *world, struct snapshot *snapshot);
bool snapshot_clock_ended(const struct snapshot *before, const struct snapshot *after);
const char *snapshot_differs(const struct snapshot *one, const struct snapshot *other);

#endif /* FUZZ_SNAPSHOT_H */
