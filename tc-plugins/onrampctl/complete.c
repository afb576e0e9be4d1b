// SPDX-License-Identifier: GPL-2.0
/*
 * Completion for the shell.
 */
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

static void complete_token(const char *token, size_t len, void *data)
{
	const char *begun = data;

	if (strlen(begun) <= len && !memcmp(token, begun, strlen(begun)))
		printf("%.*s\n", (int)len, token);
}

static void complete_text(const char *token, const char *begun)
{
	complete_token(token, strlen(token), (void *)begun);
}

static void complete_devices(const char *begun)
{
	struct if_nameindex *devices = if_nameindex(), *device;

	for (device = devices; device && device->if_index; device++)
		complete_text(device->if_name, begun);
	if (devices)
		if_freenameindex(devices);
}

/* The beginning of a number may be followed by each unit. */
static void complete_unit(const char *begun, const char *const *units)
{
	size_t digits = strspn(begun, "-0123456789.");
	char token[64];

	if (!digits || digits > 32)
		return;
	for (; *units; units++) {
		snprintf(token, sizeof(token), "%.*s%s", (int)digits, begun,
			 *units);
		complete_text(token, begun);
	}
}

static void complete_value(const struct value_range *range, const char *begun)
{
	static const char *const times[] = { "ns", "us", "ms", "s", NULL };
	static const char *const drifts[] = { "ppb", "ppm", NULL };
	size_t i;

	switch (range->kind) {
	case VALUE_TIME:
	case VALUE_OFFSET:
		complete_unit(begun, times);
		break;
	case VALUE_DRIFT:
		complete_unit(begun, drifts);
		break;
	case VALUE_DEVICE:
		complete_devices(begun);
		break;
	case VALUE_NAME:
		for (i = 0; i < range->nr_names; i++)
			if (range->names[i])
				complete_text(range->names[i], begun);
		break;
	default:
		break;
	}
}

/* Behind the command's name: names and values in turn, or one value. */
static void complete_params(const struct command *command, int argc,
			    char **argv)
{
	const struct command_param *param;
	const char *begun = argv[argc - 1];
	bool used;
	int i;

	for (param = command->params; param->range.kind; param++) {
		if (!param->name) {
			if (argc == 1)
				complete_value(&param->range, begun);
			continue;
		}
		if (argc % 2 == 0) {
			if (!strcmp(argv[argc - 2], param->name))
				complete_value(&param->range, begun);
			continue;
		}
		used = false;
		for (i = 0; i + 1 < argc; i += 2)
			used |= !strcmp(argv[i], param->name);
		if (!used)
			complete_text(param->name, begun);
	}
}

/* Those that command_help() names. */
static void complete_options(const char *begun)
{
	static const char *const options[] = {
		"-j", "--json", "-h", "--help", "-V", "--version", NULL
	};
	size_t i;

	for (i = 0; options[i]; i++)
		complete_text(options[i], begun);
}

void command_complete(int argc, char **argv)
{
	const struct command *command;
	int used;

	while (argc > 1 && **argv == '-') {
		argv++;
		argc--;
	}
	if (!argc)
		return;
	if (**argv == '-') {
		complete_options(*argv);
		return;
	}
	if (argc > 1 && !strcmp(*argv, "help")) {
		command_next(argc - 2, argv + 1, complete_token, argv[argc - 1]);
		return;
	}
	command_expand(argc - 1, argv);
	command = command_find(argc - 1, argv, &used);
	if (command)
		complete_params(command, argc - used, argv + used);
	if (used == argc - 1)
		command_next(argc - 1, argv, complete_token, argv[argc - 1]);
	if (argc == 1)
		complete_text("help", argv[0]);
}
