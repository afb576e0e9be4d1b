/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line of huygens-lite.
 */
#ifndef HUYGENS_OPTIONS_H
#define HUYGENS_OPTIONS_H

#define OPTIONS_FILE	"/etc/huygens-lite.conf"
/* options_read() returns it when the daemon is to begin. */
#define OPTIONS_BEGIN	(-1)

/**
 * options_read() - read the command line, and do what needs no daemon
 * @argc: main()'s
 * @argv: same
 * @path: filled: the configuration, OPTIONS_FILE if none is named
 *
 * --help, --help-keys and --check are done here.
 *
 * Return: OPTIONS_BEGIN, or the exit status.
 */
int options_read(int argc, char **argv, const char **path);

#endif /* HUYGENS_OPTIONS_H */
