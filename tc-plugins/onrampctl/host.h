/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of the host that is not read over netlink, so that tests
 * can stand in for it, too.
 */
#ifndef SHARPRAMP_ONRAMPCTL_HOST_H
#define SHARPRAMP_ONRAMPCTL_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * host_file() - open a file of /proc or /sys
 * @path: its path, beginning with a slash
 *
 * Return: the file, or NULL and errno.
 */
FILE *host_file(const char *path);

/** host_has() - is there a file of /proc or /sys? */
bool host_has(const char *path);

/** host_sleep() - wait for so many nanoseconds */
void host_sleep(uint64_t ns);

/** host_now() - nanoseconds of a clock that is never set */
uint64_t host_now(void);

/**
 * host_rows() - height of the terminal
 *
 * Return: lines, or 0 if standard output is not a terminal.
 */
unsigned int host_rows(void);

#endif /* SHARPRAMP_ONRAMPCTL_HOST_H */
