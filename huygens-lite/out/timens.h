/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Offset that a time namespace adds to the monotonic clocks (time_namespaces(7)).
 */
#ifndef HUYGENS_TIMENS_H
#define HUYGENS_TIMENS_H

#include <stdint.h>

/**
 * timens_read() - by how much CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW are ahead of the kernel's
 * @path: /proc/self/timens_offsets, or a test's
 * @ahead_ns: filled; 0 if there is no such file: a kernel without time namespaces
 *
 * It does not change while a process lives in its namespace.
 *
 * Return: 0, or -1 and errno: EINVAL if the file does not say.
 */
int timens_read(const char *path, int64_t *ahead_ns);

#endif /* HUYGENS_TIMENS_H */
