/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Failures that are explained in text.
 */
#ifndef SHARPRAMP_LIB_FAIL_H
#define SHARPRAMP_LIB_FAIL_H

#include <stddef.h>

/**
 * fail() - write the reason of a failure
 * @why: filled
 * @size: its bytes
 * @format: as printf's
 *
 * Return: -1, so that a caller can return it.
 */
int fail(char *why, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* SHARPRAMP_LIB_FAIL_H */
