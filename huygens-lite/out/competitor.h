/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Other programs that discipline the clock.
 */
#ifndef HUYGENS_COMPETITOR_H
#define HUYGENS_COMPETITOR_H

#include <stddef.h>

/**
 * competitor_find() - is there a program that disciplines the clock?
 * @proc: where procfs is, "/proc"
 * @name: filled with its name and process id
 * @size: bytes of @name
 *
 * Return: 1 or 0.
 */
int competitor_find(const char *proc, char *name, size_t size);

#endif /* HUYGENS_COMPETITOR_H */
