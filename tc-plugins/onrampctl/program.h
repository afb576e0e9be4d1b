/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output of other programs.
 */
#ifndef SHARPRAMP_ONRAMPCTL_PROGRAM_H
#define SHARPRAMP_ONRAMPCTL_PROGRAM_H

/**
 * program_output() - run a program, and read all that it prints
 * @shell: the command, for a shell
 * @status: filled with its exit status; -1: it was killed, or was not started
 *
 * Return: the text, to be freed; NULL if it is not text, or longer than any of our programs
 * prints.
 */
char *program_output(const char *shell, int *status);

#endif /* SHARPRAMP_ONRAMPCTL_PROGRAM_H */
