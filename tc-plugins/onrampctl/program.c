// SPDX-License-Identifier: GPL-2.0
/*
 * Output of other programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "program.h"

/* The answer about the 65,536 peers of the largest system is below this. */
#define PROGRAM_OUTPUT_MAX	(32 << 20)

char *program_output(const char *shell, int *status)
{
	FILE *from = popen(shell, "re"), *to;
	char *text = NULL, part[4096];
	size_t size = 0, len, total = 0;
	int ended;

	*status = -1;
	if (!from)
		return NULL;
	to = open_memstream(&text, &size);
	while (to && total < PROGRAM_OUTPUT_MAX &&
	       (len = fread(part, 1, sizeof(part), from))) {
		/* A zero byte would hide what is behind it. */
		if (memchr(part, 0, len))
			total = PROGRAM_OUTPUT_MAX;
		fwrite(part, 1, len, to);
		total += len;
	}
	if (to)
		fclose(to);
	ended = pclose(from);
	if (WIFEXITED(ended))
		*status = WEXITSTATUS(ended);
	if (text && total < PROGRAM_OUTPUT_MAX)
		return text;
	free(text);
	return NULL;
}
