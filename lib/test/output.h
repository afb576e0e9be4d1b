/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output and result of a function, in a process of its own.
 */
#ifndef SHARPRAMP_LIB_TEST_OUTPUT_H
#define SHARPRAMP_LIB_TEST_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/**
 * struct output - of a process
 * @status: its exit status; -1: it did not exit
 * @out: its standard output
 * @err: its standard error
 */
struct output {
	int	status;
	char	out[4096];
	char	err[4096];
};

static inline void output_read(FILE *file, char *text, size_t size)
{
	rewind(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

/**
 * output_of() - call a function in a process of its own
 * @call: the function; its value is the exit status
 * @data: for it
 *
 * Return: what it printed, and the status.
 */
static inline struct output output_of(int (*call)(void *data), void *data)
{
	FILE *out = tmpfile(), *err = tmpfile();
	struct output o = { .status = -1 };
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(err), STDERR_FILENO);
		status = call(data);
		fflush(NULL);
		_exit(status);
	}
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status))
		o.status = WEXITSTATUS(status);
	output_read(out, o.out, sizeof(o.out));
	output_read(err, o.err, sizeof(o.err));
	return o;
}

/**
 * output_is() - compare what a process did
 * @o: what it did
 * @status: its exit status
 * @out: its standard output
 * @err: a part of its standard error; empty: there is none
 *
 * Return: true if all are so.
 */
static inline bool output_is(const struct output *o, int status, const char *out, const char *err)
{
	if (o->status == status && !strcmp(o->out, out) &&
	    (*err ? !!strstr(o->err, err) : !*o->err))
		return true;
	printf("# status %d, standard output \"%s\", standard error \"%s\"\n", o->status, o->out,
	       o->err);
	return false;
}

#endif /* SHARPRAMP_LIB_TEST_OUTPUT_H */
