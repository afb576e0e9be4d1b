/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line of a daemon: -f, -t, -k, -V and -h, -a if it can check the file of another
 * host, and -d for tests.
 */
#ifndef SHARPRAMP_LIB_DAEMON_MAIN_H
#define SHARPRAMP_LIB_DAEMON_MAIN_H

#include <stddef.h>
#include <stdio.h>

/* The daemon's own. */
struct engine;

/**
 * struct daemon_start - how a daemon is started
 * @path: of the configuration
 * @as: as which host -a has the configuration checked; NULL: this one
 * @data: what -d set
 */
struct daemon_start {
	const char	*path;
	const char	*as;
	const void	*data;
};

/**
 * struct daemon_program - a daemon, as its main() describes it
 * @name: its name
 * @version: printed by -V
 * @path: of the configuration, without -f
 * @help_keys: prints the keys of the configuration
 * @check: could it start?  0, and @why says in a line what it would be, or is empty; or -1 and
 *	@why filled; opens and changes nothing
 * @open: starts it; the engine, or NULL and @why filled with what to do about it
 * @run: until SIGINT or SIGTERM; exit status
 * @close: returns all that it has
 * @as_usage: lines of the usage about -a; NULL: there is no -a
 * @debug: reads the argument of -d into @debug_data; 0, or exit status after an explanation;
 *	NULL: there is no -d
 * @debug_data: also the @data of struct daemon_start
 * @debug_usage: lines of the usage about -d
 */
struct daemon_program {
	const char	*name;
	const char	*version;
	const char	*path;
	void		(*help_keys)(FILE *out);
	int		(*check)(const struct daemon_start *start, char *why, size_t size);
	struct engine	*(*open)(const struct daemon_start *start, char *why, size_t size);
	int		(*run)(struct engine *engine);
	void		(*close)(struct engine *engine);
	const char	*as_usage;
	int		(*debug)(char *arg, void *data);
	void		*debug_data;
	const char	*debug_usage;
};

/**
 * daemon_main() - do what a command line says
 * @p: the daemon
 * @argc: as main()'s
 * @argv: as main()'s
 *
 * Return: exit status: 0; 1: it failed; 2: the command line is wrong.
 */
int daemon_main(const struct daemon_program *p, int argc, char **argv);

/**
 * daemon_main_wrong() - report a command line that is wrong
 * @name: of the daemon
 * @what: the fault
 * @arg: the argument, after @what
 *
 * Return: exit status 2.
 */
int daemon_main_wrong(const char *name, const char *what, const char *arg);

#endif /* SHARPRAMP_LIB_DAEMON_MAIN_H */
