/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the service manager is told, by the protocol of sd_notify(3).
 */
#ifndef HUYGENS_NOTIFY_H
#define HUYGENS_NOTIFY_H

/**
 * notify_open() - remember where $NOTIFY_SOCKET is
 *
 * Before privileges are dropped.  Without that variable all else does nothing.
 */
void notify_open(void);

/** notify_ready() - started, READY=1; once more after a reload */
void notify_ready(void);

/** notify_reloading() - SIGHUP came, RELOADING=1 */
void notify_reloading(void);

/** notify_stopping() - STOPPING=1 */
void notify_stopping(void);

/**
 * notify_status() - a line for systemctl status
 * @format: as printf's
 */
void notify_status(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif /* HUYGENS_NOTIFY_H */
