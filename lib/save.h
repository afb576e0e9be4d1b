/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that are replaced as a whole: after a crash there is the old one or the new one.
 */
#ifndef SHARPRAMP_LIB_SAVE_H
#define SHARPRAMP_LIB_SAVE_H

#include <stddef.h>

/**
 * save_file() - replace a file
 * @path: the file; PATH.part in the same folder is used
 * @data: its bytes
 * @bytes: how many
 * @why: filled if it fails: the path, and the reason
 * @size: bytes of @why
 *
 * The bytes are on the disk before the file has its name.
 *
 * Return: 0, or -1, and then the file is as it was.
 */
int save_file(const char *path, const void *data, size_t bytes, char *why, size_t size);

/**
 * save_check() - would save_file() be refused a file of this name?
 * @path: the file
 * @why: filled if it would: the path, and the reason
 * @size: bytes of @why
 *
 * For a program that works for long before it has what it writes. The disk may be full by then.
 *
 * Return: 0, or -1.
 */
int save_check(const char *path, char *why, size_t size);

#endif /* SHARPRAMP_LIB_SAVE_H */
