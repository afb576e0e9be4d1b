/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system's clocks: all that the outputs read and set of them goes through
 * these functions, so that tests can stand in for the machine's.
 */
#ifndef HUYGENS_CLOCK_H
#define HUYGENS_CLOCK_H

#include <stdint.h>
#include <sys/timex.h>

/**
 * clock_pair() - two clocks at one moment
 * @raw_ns: CLOCK_MONOTONIC_RAW, filled
 * @real_ns: CLOCK_REALTIME, filled
 */
void clock_pair(int64_t *raw_ns, int64_t *real_ns);

/**
 * clock_discipline() - clock_adjtime(2) of CLOCK_REALTIME
 * @timex: what to set; filled with what is set then
 *
 * Return: 0, or -1 and errno.
 */
int clock_discipline(struct timex *timex);

/**
 * clock_timer() - a timer that is not set
 *
 * Return: a file descriptor, or -1 and errno.
 */
int clock_timer(void);

/**
 * clock_set_timer() - make it readable after a time
 * @fd: the timer
 * @ns: from now on; 0: never, and what it told is forgotten
 */
void clock_set_timer(int fd, int64_t ns);

#endif /* HUYGENS_CLOCK_H */
