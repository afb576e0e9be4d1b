/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who writes the drift file while the daemon runs: a thread, since a disk may let
 * wait for it for seconds, and probes, the coordinator and the published line
 * would wait with it.
 */
#ifndef HUYGENS_KEEPER_H
#define HUYGENS_KEEPER_H

#include <stddef.h>

/**
 * keeper_begin() - begin
 * @path: of the drift file, which must live until keeper_end(); empty: none is kept
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Call before system calls are filtered, by which no thread begins any more, and
 * with the rights and blocked signals that are the thread's from then on.
 *
 * Return: 0 or -1.
 */
int keeper_begin(const char *path, char *why, size_t size);

/**
 * keeper_keep() - have a drift written, some time; does not wait
 * @drift_ppm: as drift_write() takes it
 * @skew_ppm: same
 *
 * One that the disk has not taken yet gives way to the next.  What cannot be
 * written is said.
 */
void keeper_keep(double drift_ppm, double skew_ppm);

/**
 * keeper_end() - wait until what was kept last is written, and end
 */
void keeper_end(void);

#endif /* HUYGENS_KEEPER_H */
