/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an edge's gap tells of its bias.
 *
 * The gap is the sum of the least delays of both directions.  If a queue never
 * empties in a window, one of them grows, the gap with it, and theta is wrong
 * by half of what it grew.  So the gap is compared with its minimum over 8
 * minutes, and what is above it may be bias.
 *
 * A minimum is believed when windows came near it that were clean: samples of both
 * directions crowd at their floors (edge_is_clean()), which those of a queue that
 * stands do not.  Until then all of the gap may be bias.
 */
#ifndef HUYGENS_GAP_H
#define HUYGENS_GAP_H

#include <stdbool.h>
#include <stdint.h>

#define GAP_BUCKETS	8
#define GAP_BUCKET_NS	60000000000LL

/* Near the minimum: by what stamps make the least of many delays differ. */
#define GAP_NEAR_SOFTWARE_NS	2000.0
#define GAP_NEAR_HARDWARE_NS	100.0

/* Such windows for a minimum to be believed. */
#define GAP_WITNESSES		2

/**
 * struct gap_bucket - a minute's gaps
 * @least_ns: the least; INFINITY if there is none
 * @witness_ns: the least of windows that bear witness, growing; likewise
 */
struct gap_bucket {
	double least_ns;
	double witness_ns[GAP_WITNESSES];
};

/**
 * struct gap - running minimum of an edge's gap; zero it to begin
 * @known: a gap was seen
 * @minute: number of the newest bucket
 * @bucket: the last GAP_BUCKETS minutes, by number modulo GAP_BUCKETS
 */
struct gap {
	bool known;
	int64_t minute;
	struct gap_bucket bucket[GAP_BUCKETS];
};

/**
 * gap_note() - take a window's gap
 * @gap: the memory
 * @now_ns: local time, within +-LINE_MOST_NS; if it falls back by more than a
 *	minute the memory begins anew
 * @gap_ns: gap of the fit, 0 or more
 * @clean: its window bears witness
 */
void gap_note(struct gap *gap, int64_t now_ns, double gap_ns, bool clean);

/**
 * gap_room_ns() - by how much a gap may be above the least that can be
 * @gap: the memory
 * @gap_ns: the gap, 0 or more
 * @hardware: stamps are a NIC's
 *
 * Return: ns: what it is above the minimum, 0 or more, or all of it if that is
 * not believed.
 */
double gap_room_ns(const struct gap *gap, double gap_ns, bool hardware);

#endif /* HUYGENS_GAP_H */
