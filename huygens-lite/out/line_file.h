/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line of the common time in a file, for programs that read it with huygens_line.h.
 */
#ifndef HUYGENS_LINE_FILE_H
#define HUYGENS_LINE_FILE_H

#include "output.h"
#include "segment.h"

/**
 * line_file_open() - begin, with a line that is not valid
 * @segment: filled
 * @path: [output] line_file
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int line_file_open(struct segment *segment, const char *path, char *why, size_t size);

/**
 * line_file_write() - another line
 * @segment: open
 * @line: the line; NULL: there is none any more
 */
void line_file_write(struct segment *segment, const struct output_line *line);

#endif /* HUYGENS_LINE_FILE_H */
