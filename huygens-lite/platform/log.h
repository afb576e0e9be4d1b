/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is written down: messages to standard error, and a line a window to the
 * files of [log], in columns as chrony's.
 */
#ifndef HUYGENS_LOG_H
#define HUYGENS_LOG_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../conf/conf.h"
#include "../ctl/status.h"

/**
 * log_message() - log a message, if [log] level has its level
 * @level: of the message
 * @format: as printf's, without a new line
 *
 * With the prefix by which a journal knows the level if standard error is one.
 */
void log_message(enum conf_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * log_open() - begin, or after SIGHUP begin anew: files that were moved away
 * stay closed
 * @conf: the configuration; its folder is made if it is not there
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0, or -1, and then the files are those that were.
 */
int log_open(const struct huygens_conf *conf, char *why, size_t size);

/**
 * log_give() - let a user go on with the files that are open
 * @uid: the user
 * @gid: group
 *
 * Before privileges are dropped.  A folder that log_open() made is given, too;
 * one that was there stays as it is.
 */
void log_give(uid_t uid, gid_t gid);

/**
 * log_window() - write what [log] asks for of a window
 * @utc_ns: the middle of the window, CLOCK_REALTIME
 * @status: after the window was solved
 *
 * tracking.log gets a line, measurements.log one a peer, statistics.log one an
 * edge.
 */
void log_window(int64_t utc_ns, const struct status *status);

/** log_close() - end */
void log_close(void);

#endif /* HUYGENS_LOG_H */
