/* SPDX-License-Identifier: GPL-2.0 */
/* A fuzzer's input as a file that has a path, for readers that open theirs. */
#ifndef SHARPRAMP_FILE_H
#define SHARPRAMP_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * struct file - in memory only
 * @fd: open, 0600
 * @path: another way to open it
 */
struct file {
	int	fd;
	char	path[32];
};

/**
 * file_of() - a file of these bytes
 * @data: the bytes
 * @size: how many
 *
 * Return: the file, for file_close().  Aborts if there is no space for it:
 * no verdict on the input is possible then.
 */
static inline struct file file_of(const uint8_t *data, size_t size)
{
	struct file file = { .fd = memfd_create("input", MFD_CLOEXEC) };

	if (file.fd < 0 || fchmod(file.fd, 0600) ||
	    write(file.fd, data, size) != (ssize_t)size)
		abort();
	snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	return file;
}

/**
 * file_close() - and it is gone
 * @file: the file
 */
static inline void file_close(struct file *file)
{
	close(file->fd);
}

#endif
