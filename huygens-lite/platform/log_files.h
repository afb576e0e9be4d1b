/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of [log]: a line a window, in columns as chrony's.  The thread of
 * writer.h writes them.
 */
#ifndef HUYGENS_LOG_FILES_H
#define HUYGENS_LOG_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../conf/conf.h"
#include "../ctl/status.h"

/**
 * log_files_open() - open the files, or after SIGHUP open them again: files that
 * were moved away stay closed
 * @conf: the configuration; its directory is made if it is absent, and its
 *	level is that of messages from now on
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0, or -1, and then the files are those that were.
 */
int log_files_open(const struct huygens_conf *conf, char *why, size_t size);

/**
 * log_files_give() - give the open files to a user
 * @uid: the user
 * @gid: group
 *
 * Call before privileges are dropped.  A directory that log_files_open() made is
 * given, too; one that existed stays as it is.
 */
void log_files_give(uid_t uid, gid_t gid);

/**
 * log_files_window() - log a window, as [log] configures
 * @utc_ns: the middle of the window, CLOCK_REALTIME
 * @status: after the window was solved
 *
 * tracking.log gets a line, measurements.log one a peer, statistics.log one an
 * edge.  Does not wait for the disk.  Windows that come while 1 MiB of a file waits
 * for it are not logged; how many is reported when it answers.
 */
void log_files_window(int64_t utc_ns, const struct status *status);

/** log_files_close() - close the files */
void log_files_close(void);

#endif /* HUYGENS_LOG_FILES_H */
