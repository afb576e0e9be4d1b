/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that one program writes and others have mapped.
 */
#ifndef HUYGENS_SEGMENT_H
#define HUYGENS_SEGMENT_H

#include <stddef.h>

/**
 * struct segment - a file that is mapped; SEGMENT_CLOSED if it is not
 * @fd: the file, locked
 * @map: its bytes
 * @size: how many
 */
struct segment {
	int	fd;
	void	*map;
	size_t	size;
};

#define SEGMENT_CLOSED	((struct segment){ .fd = -1 })

/**
 * segment_open() - map a file that everybody may read
 * @segment: filled
 * @path: the file, made if it is not there; a link is not followed
 * @size: its bytes
 * @why: filled if it fails
 * @why_size: bytes of @why
 *
 * A file that is there keeps its bytes: a program that has mapped it goes on.  It is refused if
 * another daemon has it.
 *
 * Context: before privileges are dropped.
 * Return: 0 or -1.
 */
int segment_open(struct segment *segment, const char *path, size_t size, char *why,
		 size_t why_size);

/**
 * segment_close() - end; the file stays
 * @segment: mapped or SEGMENT_CLOSED
 */
void segment_close(struct segment *segment);

#endif /* HUYGENS_SEGMENT_H */
