// SPDX-License-Identifier: GPL-2.0
/*
 * The line in a file: one writer, readers that look again if it wrote meanwhile.
 */
#include <string.h>

#include "../include/huygens_line.h"
#include "driver.h"
#include "line_file.h"
#include "system.h"

_Static_assert(sizeof(struct huygens_line) == 120, "the same for all compilers");

/* @sequence protects all fields from this one on. */
#define LINE_FILE_BEGIN	offsetof(struct huygens_line, flags)

static void line_file_put(struct segment *segment, const struct huygens_line *next)
{
	struct huygens_line *file = segment->map;
	uint32_t sequence = file->sequence | 1;

	__atomic_store_n(&file->sequence, sequence, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy((char *)file + LINE_FILE_BEGIN, (const char *)next + LINE_FILE_BEGIN,
	       sizeof(*file) - LINE_FILE_BEGIN);
	__atomic_store_n(&file->sequence, sequence + 1, __ATOMIC_RELEASE);
}

int line_file_open(struct segment *segment, const char *path, char *why, size_t size)
{
	struct huygens_line *file;

	if (segment_open(segment, path, sizeof(*file), why, size))
		return -1;
	file = segment->map;
	line_file_write(segment, NULL);
	file->version = HUYGENS_LINE_VERSION;
	file->size = sizeof(*file);
	__atomic_store_n(&file->magic, HUYGENS_LINE_MAGIC, __ATOMIC_RELEASE);
	return 0;
}

static uint32_t line_file_limit(int64_t ppb)
{
	return ppb > UINT32_MAX ? UINT32_MAX : (uint32_t)ppb;
}

void line_file_write(struct segment *segment, const struct output_line *line)
{
	struct huygens_line next = { .flags = 0 };

	if (line)
		next = (struct huygens_line){
			.flags = HUYGENS_LINE_VALID |
				 (line->utc_error_ns >= 0 ? HUYGENS_LINE_UTC : 0) |
				 (line->holdover ? HUYGENS_LINE_HOLDOVER : 0),
			.raw_ns = line->raw_ns,
			.until_ns = line->raw_ns + line->valid_ns,
			.asleep_ns = system_asleep(),
			.common_ns = line->common_ns,
			.drift = line->drift,
			.error_ns = line->error_ns,
			.asymmetry_ns = line->asymmetry_ns,
			.utc_error_ns = line->utc_error_ns,
			.growth_ppb = line_file_limit(line->skew_ppb),
			.utc_growth_ppb = line_file_limit(line->utc_skew_ppb),
			.epoch = line->epoch,
			.utc_s = line->leap.seconds,
			.leap = line->leap.step,
			.leap_day = line->leap.day,
			.tai_s = line->leap.tai,
			.upper_epoch = line->upper,
			.upper_error_ns = line->upper_error_ns,
		};
	line_file_put(segment, &next);
}
