/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The thread that writes the drift file while the daemon runs.  A disk may block
 * for seconds; probes, the coordinator and the published line must not wait for it.
 */
#ifndef HUYGENS_DRIFT_WRITER_H
#define HUYGENS_DRIFT_WRITER_H

#include <stddef.h>

/**
 * drift_writer_begin() - begin
 * @path: of the drift file, which must live until drift_writer_end(); empty: none is kept
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Call before system calls are filtered, by which no thread begins any more, and
 * with the rights and blocked signals that are the thread's from then on.
 *
 * Return: 0 or -1.
 */
int drift_writer_begin(const char *path, char *why, size_t size);

/**
 * drift_writer_put() - have a drift written, some time; does not wait
 * @drift_ppm: as drift_write() takes it
 * @skew_ppm: same
 *
 * One that the disk has not taken yet gives way to the next.  What cannot be
 * written is logged.
 */
void drift_writer_put(double drift_ppm, double skew_ppm);

/**
 * drift_writer_end() - wait until what was kept last is written, and end
 */
void drift_writer_end(void);

#endif /* HUYGENS_DRIFT_WRITER_H */
