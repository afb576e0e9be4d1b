/* SPDX-License-Identifier: GPL-2.0 */
/*
 * run.h - the run that everything in the guest serves: its folder, its clock,
 * its end
 *
 * Any failure ends it: fail() writes the reason to result/status and to the
 * console and powers off, so that nothing in init returns errors.
 */
#ifndef GUEST_RUN_H
#define GUEST_RUN_H

#include <stdint.h>
#include <stdnoreturn.h>

#define RUN_DIR "/run/lab"
#define RESULT_DIR RUN_DIR "/result"

uint64_t now_ns(void);
void write_text(unsigned int line, const char *path, const char *text);
noreturn void fail(unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
noreturn void succeed(void);

#endif /* GUEST_RUN_H */
