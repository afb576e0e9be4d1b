/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages of a daemon to standard error, and files that it appends to.
 */
#ifndef SHARPRAMP_LIB_LOG_H
#define SHARPRAMP_LIB_LOG_H

#include <stdio.h>

/** enum log_level - severity of a message; each includes those before it */
enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO,
		 LOG_LEVEL_DEBUG };

/* The same in a table of configuration keys. */
#define LOG_LEVELS	"error warning info debug"

/**
 * log_start() - set the name and the level of messages
 * @program: name of the daemon, which must stay valid
 * @level: the least severe that is logged
 */
void log_start(const char *program, enum log_level level);

/**
 * log_message() - log a message, if the level includes it
 * @level: of the message
 * @format: as printf's, without a new line
 *
 * If standard error is a journal, with the prefix by which it knows the level;
 * otherwise with the program's name.  Any thread may call it.
 */
void log_message(enum log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * log_append() - open a file to append to; it is created if it is absent
 * @path: the file
 *
 * A daemon may call it as root in a directory of another user's.  So no link is
 * followed, and a file that is not regular or has another name is refused.
 *
 * Return: the file, or NULL and errno: ELOOP, EMLINK or ENXIO if it is refused.
 */
FILE *log_append(const char *path);

#endif /* SHARPRAMP_LIB_LOG_H */
