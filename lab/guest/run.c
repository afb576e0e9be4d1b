// SPDX-License-Identifier: GPL-2.0
/* run.c - the run's clock and its end, see run.h */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

#define STATUS RESULT_DIR "/status"

/**
 * now_ns() - read the clock that all times of a run refer to
 *
 * Return: ns of CLOCK_MONOTONIC.
 */
uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static noreturn void power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

/**
 * fail() - end the run with an error
 * @line: line of the topology script that could not be carried out, 0 if it is none
 * @fmt: what is wrong
 */
void fail(unsigned int line, const char *fmt, ...)
{
	char text[1024], at[32] = "";
	va_list args;
	FILE *file;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (line)
		snprintf(at, sizeof(at), "topology:%u: ", line);
	fprintf(stderr, "init: %s%s\n", at, text);
	file = fopen(STATUS, "w");
	if (file) {
		fprintf(file, "error: %s%s\n", at, text);
		fclose(file);
	}
	power_off();
}

/**
 * write_text() - write a file anew or fail
 * @line: line of the topology script to blame
 * @path: file
 * @text: its content
 */
void write_text(unsigned int line, const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		fail(line, "%s: %s", path, strerror(errno));
}

/**
 * succeed() - end the run without an error
 */
void succeed(void)
{
	write_text(0, STATUS, "ok\n");
	power_off();
}
