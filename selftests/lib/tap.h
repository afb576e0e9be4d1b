/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The least of the Test Anything Protocol that these programs need: one line
 * a test, "ok 1 - name" or "not ok 1 - name", remarks after a '#', the plan at
 * the end, and an exit status for make.
 */
#ifndef SHARPRAMP_TAP_H
#define SHARPRAMP_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* Weak, so that the files of one program count together. */
int __attribute__((weak)) tap_run;
int __attribute__((weak)) tap_failed;

/**
 * tap_ok() - report a test
 * @passed: did it?
 * @name: format of its name, then the arguments
 *
 * Return: @passed, so that a caller can add remarks to a failure.
 */
static inline bool __attribute__((format(printf, 2, 3)))
tap_ok(bool passed, const char *name, ...)
{
	va_list args;

	if (!passed)
		tap_failed++;
	printf("%sok %d - ", passed ? "" : "not ", ++tap_run);
	va_start(args, name);
	vprintf(name, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	return passed;
}

/**
 * tap_remark() - say more about a test
 * @text: format, then the arguments; one line
 */
static inline void __attribute__((format(printf, 1, 2)))
tap_remark(const char *text, ...)
{
	va_list args;

	printf("# ");
	va_start(args, text);
	vprintf(text, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

/**
 * tap_done() - print the plan
 *
 * Return: exit status of the program; a program that ran no test has failed.
 */
static inline int tap_done(void)
{
	printf("1..%d\n", tap_run);
	return tap_failed || !tap_run;
}

#endif /* SHARPRAMP_TAP_H */
