/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The drift file, written by the thread of writer.h while the daemon runs.
 */
#ifndef HUYGENS_DRIFT_WRITER_H
#define HUYGENS_DRIFT_WRITER_H

/**
 * drift_writer_open() - set the file
 * @path: the file, which must live until writer_end(); empty: none is kept
 */
void drift_writer_open(const char *path);

/**
 * drift_writer_put() - have a drift written, some time; does not wait
 * @drift_ppm: as drift_write() takes it
 * @skew_ppm: same
 *
 * One that the disk has not taken yet gives way to the next.  What cannot be
 * written is logged.  Nothing is written without the thread.
 */
void drift_writer_put(double drift_ppm, double skew_ppm);

#endif /* HUYGENS_DRIFT_WRITER_H */
