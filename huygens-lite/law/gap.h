/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an edge's gap tells of its bias.
 *
 * The gap is the sum of the least delays of both directions.  If a queue never
 * empties in a window, one of them grows, the gap with it, and theta is wrong
 * by half of what it grew.  So the gap is compared with its minimum over 8
 * minutes, and what is above it may be bias.
 *
 * A minimum is believed when windows came near it whose lowest samples lie close
 * together: many find an empty queue at the same length, few one that stands.
 * Until then all of the gap may be bias.
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

/* How far apart the lowest samples of a window may lie that bears witness. */
#define GAP_CLOSE_SOFTWARE_NS	1000.0
#define GAP_CLOSE_HARDWARE_NS	50.0

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
 * @noise_ns: noise of the fit, by how far apart its lowest samples lie
 * @hardware: stamps are a NIC's
 */
void gap_note(struct gap *gap, int64_t now_ns, double gap_ns, double noise_ns,
	      bool hardware);

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
