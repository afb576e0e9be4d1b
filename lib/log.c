// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of a daemon to standard error, and files that it appends to.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"

/* Of a message; a longer one is cut. */
#define LOG_TEXT_MAX	2048

static const char *log_program;
static enum log_level log_least = LOG_LEVEL_INFO;

void log_start(const char *program, enum log_level level)
{
	log_program = program;
	log_least = level;
}

void log_message(enum log_level level, const char *format, ...)
{
	/* sd-daemon(3): the journal reads a syslog level there. */
	static const char *const prefixes[] = { "<3>", "<4>", "<6>", "<7>" };
	bool journal = getenv("JOURNAL_STREAM");
	char text[LOG_TEXT_MAX];
	va_list args;

	if (level > log_least)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* In one write, so that what other threads and programs print comes before or after it. */
	fprintf(stderr, "%s%s%s\n",
		journal ? prefixes[level] : log_program ?: program_invocation_short_name,
		journal ? "" : ": ", text);
}

FILE *log_append(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW |
			    O_NONBLOCK | O_CLOEXEC, 0644);
	FILE *file = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink > 1)
		errno = EMLINK;
	else
		file = fdopen(fd, "a");
	if (!file)
		close(fd);
	return file;
}
