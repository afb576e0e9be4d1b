/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shared memory of ClockBound, from which its clients read how far CLOCK_REALTIME may be
 * from UTC.  Layout and rules: docs/PROTOCOL.md of github.com/aws/clock-bound, version 2 of
 * the shared-memory protocol; the magic number is as its client 2.0 compares it, as two
 * numbers of the machine.
 */
#ifndef HUYGENS_CLOCKBOUND_H
#define HUYGENS_CLOCKBOUND_H

#include <stdbool.h>

#include "output.h"
#include "segment.h"

#define CLOCKBOUND_MAGIC_0	0x414d5a4e
#define CLOCKBOUND_MAGIC_1	0x43420200
#define CLOCKBOUND_VERSION	2

/** enum clockbound_status - what clients may build on */
enum clockbound_status {
	CLOCKBOUND_UNKNOWN,
	CLOCKBOUND_SYNCHRONIZED,
	CLOCKBOUND_FREE_RUNNING,
	CLOCKBOUND_DISRUPTED,
};

/**
 * struct clockbound_time - CLOCK_MONOTONIC_COARSE
 * @s: seconds
 * @ns: nanoseconds
 */
struct clockbound_time {
	int64_t	s;
	int64_t	ns;
};

/**
 * struct clockbound_shm - the file
 * @magic: CLOCKBOUND_MAGIC_0 and 1
 * @size: bytes of this struct
 * @version: CLOCKBOUND_VERSION
 * @generation: odd while it is written; 0: not written yet
 * @as_of: when @bound_ns held
 * @void_after: until when it may be used
 * @bound_ns: CLOCK_REALTIME is within this of UTC
 * @marker: the last disruption that the daemon saw
 * @drift_ppb: growth of the bound
 * @status: enum clockbound_status
 * @has_marker: @marker counts
 * @padding: 0
 */
struct clockbound_shm {
	uint32_t		magic[2];
	uint32_t		size;
	uint16_t		version;
	uint16_t		generation;
	struct clockbound_time	as_of;
	struct clockbound_time	void_after;
	int64_t			bound_ns;
	uint64_t		marker;
	uint32_t		drift_ppb;
	int32_t			status;
	uint8_t			has_marker;
	uint8_t			padding[7];
};

/**
 * struct clockbound - a file that is written
 * @segment: the file
 * @has_marker: disruptions of the virtual machine are seen
 * @marker: of the last one
 */
struct clockbound {
	struct segment	segment;
	bool		has_marker;
	uint64_t	marker;
};

/**
 * clockbound_open() - begin, with a status that is unknown
 * @clockbound: filled
 * @path: [output] clockbound
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int clockbound_open(struct clockbound *clockbound, const char *path, char *why, size_t size);

/**
 * clockbound_write() - another bound, of now
 * @clockbound: open
 * @line: the line that holds now; NULL: there is none any more
 * @rate_ppb: by how much the rate of CLOCK_REALTIME may differ from the line's, 0 or more
 *
 * The bound has how far CLOCK_REALTIME is from UTC by the line, the line's error, asymmetry,
 * and the line's error against UTC.  Without UTC the status is unknown.
 */
void clockbound_write(struct clockbound *clockbound, const struct output_line *line,
		      int64_t rate_ppb);

#endif /* HUYGENS_CLOCKBOUND_H */
