// SPDX-License-Identifier: GPL-2.0
/*
 * Failures that are explained in text.
 */
#include <stdarg.h>
#include <stdio.h>

#include "fail.h"

int fail(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return -1;
}
