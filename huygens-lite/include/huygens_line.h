/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The common time with its error, for programs on the same host.
 *
 * huygens-lite writes a line over CLOCK_MONOTONIC_RAW to the file of [output] line_file, and
 * a program that has mapped it computes the time without a system call:
 *
 *	struct huygens_reader reader;
 *	struct huygens_time now;
 *
 *	if (!huygens_open(&reader, "/run/huygens-lite/line") && !huygens_now(&reader, &now))
 *		printf("%lld +- %lld ns\n", (long long)now.ns, (long long)now.error_ns);
 *
 * Nothing but this header is needed, in C from C99 and in C++.  A reader may be shared by
 * threads.  The program must be in the daemon's time namespace.
 */
#ifndef HUYGENS_LINE_READER_H
#define HUYGENS_LINE_READER_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define HUYGENS_LINE_MAGIC	0x48474c4eu	/* "HGLN" */
#define HUYGENS_LINE_VERSION	1u

/* struct huygens_line, flags */
#define HUYGENS_LINE_VALID	1u	/* the host is synchronised; without it nothing counts */
#define HUYGENS_LINE_UTC	2u	/* utc_error_ns counts */
#define HUYGENS_LINE_HOLDOVER	4u	/* no solution arrives, or none with UTC or the upper mesh: errors grow */

/* A suspension is longer than this; the time between two readings is not. */
#define HUYGENS_LINE_ASLEEP_NS	10000000
/* So often a reader looks while the daemon writes. */
#define HUYGENS_LINE_TRIES	1000

/**
 * struct huygens_line - the file; numbers are as the machine has them
 * @magic: HUYGENS_LINE_MAGIC
 * @version: HUYGENS_LINE_VERSION
 * @size: bytes of this struct
 * @sequence: odd while the daemon writes
 * @flags: HUYGENS_LINE_*
 * @raw_ns: CLOCK_MONOTONIC_RAW at the reference
 * @until_ns: CLOCK_MONOTONIC_RAW when the line expires
 * @asleep_ns: CLOCK_BOOTTIME less CLOCK_MONOTONIC; the line is void if it grows
 * @common_ns: the common time at the reference, ns since 1970
 * @drift: by how much the common time is faster than CLOCK_MONOTONIC_RAW, a ratio
 * @error_ns: bound of the error at the reference, if directions of paths do not differ
 * @asymmetry_ns: what directions that differ may add to it
 * @utc_error_ns: how far the common time may be from UTC at the reference
 * @growth_ppb: growth of @error_ns
 * @utc_growth_ppb: growth of @utc_error_ns, and of @upper_error_ns
 * @epoch: times of different epochs cannot be compared
 * @utc_s: by how much the common time is ahead of UTC, s, before a leap second
 * @leap: 1: a second is inserted before @leap_day; -1: one is deleted; 0: none is known
 * @leap_day: days since 1970; 0: none
 * @tai_s: TAI less the common time, s; 0: not known
 * @upper_epoch: of the common time of the upper mesh; 0: there is none, or it is not known
 * @upper_error_ns: how far the common time may be from that at the reference; grows by
 *	@utc_growth_ppb
 */
struct huygens_line {
	uint32_t	magic;
	uint16_t	version;
	uint16_t	size;
	uint32_t	sequence;
	uint32_t	flags;
	int64_t		raw_ns;
	int64_t		until_ns;
	int64_t		asleep_ns;
	int64_t		common_ns;
	double		drift;
	int64_t		error_ns;
	int64_t		asymmetry_ns;
	int64_t		utc_error_ns;
	uint32_t	growth_ppb;
	uint32_t	utc_growth_ppb;
	uint32_t	epoch;
	int32_t		utc_s;
	int32_t		leap;
	uint32_t	leap_day;
	int32_t		tai_s;
	uint32_t	upper_epoch;
	int64_t		upper_error_ns;
};

/**
 * struct huygens_time - now
 * @ns: the common time, ns since 1970: UTC when it began, with each second counted since
 * @error_ns: bound of its error, asymmetry of paths included; what two hosts say of one instant
 *	differs by the sum of theirs at most
 * @utc_ns: UTC as CLOCK_REALTIME counts it, which repeats a second where one is inserted; not to be
 *	used while @utc_error_ns is -1
 * @utc_error_ns: UTC is within this of @utc_ns, which @error_ns is part of; -1: UTC is not known
 * @tai_ns: TAI, ns since 1970; 0: not known
 * @epoch: times of different epochs cannot be compared
 * @holdover: the host receives no solutions, or none with UTC or the upper mesh
 * @upper_epoch: of the upper mesh; 0: there is none, or it is not known
 * @upper_error_ns: what two hosts with the same @upper_epoch say in @ns of one instant differs by
 *	the sum of theirs at most, also if their @epoch is not the same; -1: not known
 */
struct huygens_time {
	int64_t		ns;
	int64_t		error_ns;
	int64_t		utc_ns;
	int64_t		utc_error_ns;
	int64_t		tai_ns;
	uint32_t	epoch;
	int		holdover;
	uint32_t	upper_epoch;
	int64_t		upper_error_ns;
};

/**
 * struct huygens_reader - a file that is mapped
 * @line: the file
 */
struct huygens_reader {
	const struct huygens_line	*line;
};

/**
 * huygens_open() - map the file
 * @reader: filled; huygens_close() it if this succeeds
 * @path: [output] line_file of the daemon
 *
 * Return: 0, or a negative errno: -EPROTO if it is another kind of file, or another version.
 */
static inline int huygens_open(struct huygens_reader *reader, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	struct huygens_line head;
	ssize_t bytes;
	void *map;

	reader->line = NULL;
	if (fd < 0)
		return -errno;
	bytes = read(fd, &head, sizeof(head));
	if (bytes < 0)
		error = -errno;
	else if (bytes != (ssize_t)sizeof(head) || head.magic != HUYGENS_LINE_MAGIC ||
		 head.version != HUYGENS_LINE_VERSION || head.size < sizeof(head))
		error = -EPROTO;
	map = error ? MAP_FAILED : mmap(NULL, sizeof(head), PROT_READ, MAP_SHARED, fd, 0);
	if (!error && map == MAP_FAILED)
		error = -errno;
	close(fd);
	if (!error)
		reader->line = (const struct huygens_line *)map;
	return error;
}

/**
 * huygens_copy() - copy the line, all of one update
 * @reader: mapped
 * @line: filled
 *
 * Return: 0, or -EAGAIN if the daemon did not finish to write it.
 */
static inline int huygens_copy(const struct huygens_reader *reader, struct huygens_line *line)
{
	uint32_t before, after;
	int tries;

	for (tries = 0; tries < HUYGENS_LINE_TRIES; tries++) {
		before = __atomic_load_n(&reader->line->sequence, __ATOMIC_ACQUIRE);
		memcpy(line, reader->line, sizeof(*line));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		after = __atomic_load_n(&reader->line->sequence, __ATOMIC_RELAXED);
		if (before == after && !(before & 1))
			return 0;
	}
	return -EAGAIN;
}

/** huygens_clock() - read a clock; ns */
static inline int64_t huygens_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/** huygens_grown() - an error after a time, rounded up; ns */
static inline int64_t huygens_grown(int64_t error_ns, uint32_t growth_ppb, int64_t span_ns)
{
	double grown = (double)(span_ns < 0 ? -span_ns : span_ns) * growth_ppb / 1e9;

	return error_ns + (int64_t)grown + 1;
}

/** huygens_utc() - UTC at a common time; ns */
static inline int64_t huygens_utc(const struct huygens_line *line, int64_t common_ns)
{
	int64_t s = INT64_C(1000000000), utc_ns = common_ns - line->utc_s * s;
	/* A deleted second is the last of the day before. */
	int64_t step_ns = (line->leap_day * INT64_C(86400) - (line->leap < 0)) * s;

	return line->leap && utc_ns >= step_ns ? utc_ns - line->leap * s : utc_ns;
}

/**
 * huygens_at() - the common time at an instant
 * @line: a copy
 * @raw_ns: the instant, CLOCK_MONOTONIC_RAW
 * @asleep_ns: CLOCK_BOOTTIME less CLOCK_MONOTONIC then
 * @now: filled
 *
 * Return: 0; -ENODATA if the host is not synchronised; -ESTALE if the line has expired: the
 * daemon does not run, or the machine was suspended.
 */
static inline int huygens_at(const struct huygens_line *line, int64_t raw_ns,
			     int64_t asleep_ns, struct huygens_time *now)
{
	int64_t span_ns = raw_ns - line->raw_ns;

	if (!(line->flags & HUYGENS_LINE_VALID))
		return -ENODATA;
	if (raw_ns > line->until_ns || asleep_ns > line->asleep_ns + HUYGENS_LINE_ASLEEP_NS)
		return -ESTALE;
	now->ns = line->common_ns + span_ns + (int64_t)(line->drift * (double)span_ns);
	now->error_ns = huygens_grown(line->error_ns, line->growth_ppb, span_ns) +
			line->asymmetry_ns;
	now->utc_ns = huygens_utc(line, now->ns);
	now->tai_ns = line->tai_s ? now->ns + line->tai_s * INT64_C(1000000000) : 0;
	now->utc_error_ns = -1;
	if (line->flags & HUYGENS_LINE_UTC)
		now->utc_error_ns = huygens_grown(line->utc_error_ns, line->utc_growth_ppb,
						  span_ns) + now->error_ns;
	now->epoch = line->epoch;
	now->holdover = (line->flags & HUYGENS_LINE_HOLDOVER) != 0;
	now->upper_epoch = line->upper_epoch;
	now->upper_error_ns = -1;
	if (line->upper_epoch)
		now->upper_error_ns = huygens_grown(line->upper_error_ns, line->utc_growth_ppb,
						    span_ns) + now->error_ns;
	return 0;
}

/**
 * huygens_now() - the common time now
 * @reader: mapped
 * @now: filled
 *
 * Return: 0, or an error of huygens_copy() or huygens_at().
 */
static inline int huygens_now(const struct huygens_reader *reader, struct huygens_time *now)
{
	struct huygens_line line;
	int64_t raw_ns, asleep_ns;
	int error = huygens_copy(reader, &line);

	if (error)
		return error;
	raw_ns = huygens_clock(CLOCK_MONOTONIC_RAW);
	/* In this order: time that passes in between makes it less, not more. */
	asleep_ns = huygens_clock(CLOCK_BOOTTIME);
	asleep_ns -= huygens_clock(CLOCK_MONOTONIC);
	return huygens_at(&line, raw_ns, asleep_ns, now);
}

/**
 * huygens_close() - unmap the file
 * @reader: mapped
 */
static inline void huygens_close(struct huygens_reader *reader)
{
	munmap((void *)reader->line, sizeof(*reader->line));
	reader->line = NULL;
}

#endif /* HUYGENS_LINE_READER_H */
