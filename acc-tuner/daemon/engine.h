/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The daemon: an event loop around the fleet.  Its functions are those of struct
 * daemon_program.
 */
#ifndef ACC_ENGINE_H
#define ACC_ENGINE_H

#include "../../lib/daemon_main.h"

/**
 * engine_check() - test a configuration, with its model
 * @start: the configuration
 * @why: filled if it is refused
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int engine_check(const struct daemon_start *start, char *why, size_t size);

/**
 * engine_open() - start
 * @start: the configuration
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: the daemon, or NULL.
 */
struct engine *engine_open(const struct daemon_start *start, char *why, size_t size);

/**
 * engine_run() - run until SIGTERM or SIGINT, then give all queues their own settings
 * @engine: the daemon
 *
 * Return: exit status.
 */
int engine_run(struct engine *engine);

/**
 * engine_close() - return all it has
 * @engine: the daemon, or NULL
 */
void engine_close(struct engine *engine);

#endif /* ACC_ENGINE_H */
