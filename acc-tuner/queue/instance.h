/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One program at a time changes the queues of a network namespace.
 */
#ifndef ACC_INSTANCE_H
#define ACC_INSTANCE_H

#include <stddef.h>

/**
 * instance_claim() - be the one
 * @why: filled if it fails: another is
 * @size: bytes of @why
 *
 * Return: a file descriptor to keep open, or -1.
 */
int instance_claim(char *why, size_t size);

#endif /* ACC_INSTANCE_H */
