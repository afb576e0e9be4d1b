/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system's clocks: all that the outputs read and set of them goes through
 * these functions, so that tests can stand in for the machine's.
 */
#ifndef HUYGENS_SYSTEM_H
#define HUYGENS_SYSTEM_H

#include <stdint.h>
#include <sys/timex.h>

/**
 * system_pair() - two clocks at one instant
 * @raw_ns: CLOCK_MONOTONIC_RAW, filled
 * @real_ns: CLOCK_REALTIME, filled
 */
void system_pair(int64_t *raw_ns, int64_t *real_ns);

/**
 * system_raw_ahead() - offset that this time namespace adds to CLOCK_MONOTONIC_RAW
 * @ahead_ns: filled: that of system_pair() less the kernel's own
 *
 * Return: 0, or -1 and errno.
 */
int system_raw_ahead(int64_t *ahead_ns);

/**
 * system_asleep() - CLOCK_BOOTTIME less CLOCK_MONOTONIC: for how long the machine was suspended
 *
 * Return: ns.
 */
int64_t system_asleep(void);

/**
 * system_coarse_ns() - read CLOCK_MONOTONIC_COARSE, which advances in ticks
 *
 * Return: ns.
 */
int64_t system_coarse_ns(void);

/**
 * system_tick_ns() - length of its ticks
 *
 * Return: ns.
 */
int64_t system_tick_ns(void);

/**
 * system_discipline() - clock_adjtime(2) of CLOCK_REALTIME
 * @timex: what to set; filled with what is set then
 *
 * Return: 0, or -1 and errno.
 */
int system_discipline(struct timex *timex);

/**
 * system_timer() - a timer that is not set
 *
 * Return: a file descriptor, or -1 and errno.
 */
int system_timer(void);

/**
 * system_set_timer() - make it readable after a time
 * @fd: the timer
 * @ns: from now on; 0: never, and what it reported is forgotten
 */
void system_set_timer(int fd, int64_t ns);

#endif /* HUYGENS_SYSTEM_H */
