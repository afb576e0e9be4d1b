/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The drift file: how fast this host's clock was, for the next start.
 */
#ifndef HUYGENS_DRIFT_H
#define HUYGENS_DRIFT_H

#include <stddef.h>

#define DRIFT_MAX_PPM	1000.0

/**
 * drift_read() - read the drift that the last run learned
 * @path: the file; empty: there is none
 * @drift_ppm: filled: by how much the local clock is too slow, at most
 *	DRIFT_MAX_PPM either way
 * @skew_ppm: filled: how sure that is
 * @why: filled if it cannot be accepted; empty if there is no file
 * @size: bytes of @why
 *
 * Return: 0, or -1, and then nothing was filled but @why.
 */
int drift_read(const char *path, double *drift_ppm, double *skew_ppm, char *why,
	       size_t size);

/**
 * drift_write() - for the next run; the old file or the new one, never half
 * @path: the file; empty: nothing is written
 * @drift_ppm: as above
 * @skew_ppm: same
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int drift_write(const char *path, double drift_ppm, double skew_ppm, char *why,
		size_t size);

#endif /* HUYGENS_DRIFT_H */
