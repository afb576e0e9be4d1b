/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Standard output of a program: write errors such as a full disk are reported.
 */
#ifndef SHARPRAMP_TC_STDOUT_H
#define SHARPRAMP_TC_STDOUT_H

/**
 * stdout_flush() - write what was printed, and report an error
 * @program: whose output it is
 *
 * A program calls it as the last thing before it ends, and one that prints on
 * and on calls it at times.  A reader that went away ends a program by SIGPIPE
 * before it gets here.
 *
 * Return: 0, or -1 after a line on standard error, the first time.
 */
int stdout_flush(const char *program);

#endif /* SHARPRAMP_TC_STDOUT_H */
