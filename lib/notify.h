/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notifications of the service manager, by the protocol of sd_notify(3).
 */
#ifndef SHARPRAMP_LIB_NOTIFY_H
#define SHARPRAMP_LIB_NOTIFY_H

#include <stdint.h>

/**
 * notify_open() - open the socket that $NOTIFY_SOCKET names
 *
 * Call before privileges are dropped.  Without that variable the other functions
 * do nothing.
 */
void notify_open(void);

/** notify_ready() - notify that the daemon has started or reloaded, READY=1 */
void notify_ready(void);

/** notify_reloading() - notify that it reloads, RELOADING=1 */
void notify_reloading(void);

/** notify_stopping() - notify that it stops, STOPPING=1 */
void notify_stopping(void);

/**
 * notify_alive() - notify that the daemon works, WATCHDOG=1
 * @now_ns: CLOCK_MONOTONIC
 *
 * Three times in $WATCHDOG_USEC at most; without that variable, or if $WATCHDOG_PID is another
 * process, never.  Call whenever the daemon has done what was due.
 */
void notify_alive(int64_t now_ns);

/**
 * notify_status() - set the line of systemctl status
 * @format: as printf's
 */
void notify_status(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif /* SHARPRAMP_LIB_NOTIFY_H */
