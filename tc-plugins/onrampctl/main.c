// SPDX-License-Identifier: GPL-2.0
/*
 * onrampctl: configure and inspect On-Ramp, onrampctl(8).
 */
#include <stdio.h>
#include <string.h>

#include "../../lib/netlink_socket.h"
#include "../../lib/stdout.h"
#include "command.h"
#include "run.h"

static void main_propose(const char *argument, size_t len, void *data)
{
	int *n = data;

	fprintf(stderr, "%s%.*s", (*n)++ ? ", " : "", (int)len, argument);
}

/* The arguments that were understood, and those that may follow. */
static int main_unknown(int argc, char **argv, int used)
{
	int i, n = 0;

	fprintf(stderr, "onrampctl: ");
	for (i = 0; i < used; i++)
		fprintf(stderr, "%s%s", argv[i], i + 1 < used ? " " : ": ");
	if (used < argc)
		fprintf(stderr, "\"%s\" is not one of ", argv[used]);
	else
		fprintf(stderr, "an argument is missing: one of ");
	command_next(used, argv, main_propose, &n);
	fprintf(stderr, "\n");
	return RUN_USAGE;
}

static int main_help(int argc, char **argv)
{
	int used;

	if (command_help(argc, argv))
		return RUN_OK;
	command_find(argc, argv, &used);
	return main_unknown(argc, argv, used);
}

static bool main_requests_help(const char *argument)
{
	return !strcmp(argument, "help") || !strcmp(argument, "-h") ||
	       !strcmp(argument, "--help");
}

static bool main_requests_version(const char *argument)
{
	return !strcmp(argument, "-V") || !strcmp(argument, "--version");
}

/* "clock bogus" is not "clock show" with a parameter. */
static bool main_is_implied(const struct command *command, int argc,
			    char **argv, int used)
{
	return !command->params[0].range.kind && used < argc &&
	       strcmp(argv[used - 1], "show") &&
	       strstr(command->path, " show");
}

static int main_run(int argc, char **argv, bool json)
{
	struct value values[COMMAND_PARAMS_MAX];
	const struct command *command;
	int used, status;

	command = command_find(argc, argv, &used);
	if (!command || main_is_implied(command, argc, argv, used))
		return main_unknown(argc, argv, used);
	if (command_parse(command, argc - used, argv + used, values))
		return RUN_USAGE;
	status = command->run(command, values, json);
	explicit_bzero(values, sizeof(values));
	nl_socket_close();
	return status;
}

static bool main_requests_json(const char *argument)
{
	return !strcmp(argument, "-j") || !strcmp(argument, "--json");
}

/* It may stand behind the command, too.  Return: how many arguments are left. */
static int main_take_json(int argc, char **argv, bool *json)
{
	int i, left = 0;

	for (i = 0; i < argc; i++) {
		if (main_requests_json(argv[i]))
			*json = true;
		else
			argv[left++] = argv[i];
	}
	return left;
}

static int main_do(int argc, char **argv)
{
	bool json = false;

	if (argc && !strcmp(*argv, "--complete")) {
		command_complete(argc - 1, argv + 1);
		return RUN_OK;
	}
	argc = main_take_json(argc, argv, &json);
	if (argc && main_requests_help(*argv) && **argv == '-')
		return main_help(0, NULL);
	if (argc && main_requests_version(*argv)) {
		puts("onrampctl (sharpramp) " ONRAMPCTL_VERSION);
		return RUN_OK;
	}
	if (argc && **argv == '-') {
		fprintf(stderr,
			"onrampctl: %s: unknown option; the options are -j (--json), -h (--help) and -V (--version)\n",
			*argv);
		return RUN_USAGE;
	}
	if (!argc) {
		fprintf(stderr,
			"onrampctl: a command is missing: 'onrampctl help' lists the commands\n");
		return RUN_USAGE;
	}
	if (main_requests_help(argv[0])) {
		command_expand(argc - 1, argv + 1);
		return main_help(argc - 1, argv + 1);
	}
	command_expand(argc, argv);
	if (main_requests_help(argv[argc - 1]))
		return main_help(argc - 1, argv);
	return main_run(argc, argv, json);
}

int main(int argc, char **argv)
{
	int status = main_do(argc - 1, argv + 1);

	return stdout_flush("onrampctl") && !status ? RUN_FAILED : status;
}
