/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The running daemon: sockets, timers and clocks on one side, the mesh, which
 * knows none of them, on the other.
 */
#ifndef HUYGENS_ENGINE_H
#define HUYGENS_ENGINE_H

#include "../../lib/daemon_main.h"
#include "../conf/conf.h"
#include "../net/clock.h"

/**
 * struct engine_debug - simulated errors, for tests: the @data of struct daemon_start
 * @clock: how the clock is made worse
 * @loss_ppm: of datagrams that come, so many are thrown away
 */
struct engine_debug {
	struct clock_debug	clock;
	int64_t			loss_ppm;
};

/**
 * engine_check() - whether a daemon could begin with a configuration
 * @start: how it would be started
 * @why: filled if it could not, as engine_open() fills it
 * @size: bytes of @why
 *
 * Reads the configuration and its file of keys, and finds this host among the
 * peers; opens and changes nothing.  With @start->as, which is an id, it is that host, and its
 * keys and user, which are not here, are not looked at.
 *
 * Return: 0 and @why says which host it would be, or -1.
 */
int engine_check(const struct daemon_start *start, char *why, size_t size);

/**
 * engine_open() - all that needs rights
 * @start: how to start
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * Return: the engine, or NULL.
 */
struct engine *engine_open(const struct daemon_start *start, char *why, size_t size);

/**
 * engine_run() - until SIGINT or SIGTERM
 * @engine: the engine
 *
 * Return: exit status.
 */
int engine_run(struct engine *engine);

/**
 * engine_close() - end
 * @engine: the engine, or NULL
 */
void engine_close(struct engine *engine);

#endif /* HUYGENS_ENGINE_H */
