/* SPDX-License-Identifier: GPL-2.0 */
/* All that a namespace was told, as its dumps have it. */
#ifndef FUZZ_SNAPSHOT_H
#define FUZZ_SNAPSHOT_H

#include "world.h"

/* Bytes: 256 prefixes of each kind, 12 qdiscs, and more. */
#define SNAPSHOT_BYTES		(1 << 18)

/**
 * struct snapshot - dumps, one after the other
 * @bytes: of @data
 * @data: messages without what changes by itself
 */
struct snapshot {
	size_t bytes;
	uint8_t data[SNAPSHOT_BYTES];
};

void snapshot_take(const struct world *world, struct snapshot *snapshot);
bool snapshot_is(const struct snapshot *one, const struct snapshot *other);

#endif /* FUZZ_SNAPSHOT_H */
