// SPDX-License-Identifier: GPL-2.0
/*
 * Words to commands, and help.
 */
#include <stdio.h>
#include <string.h>

#include "../../lib/word.h"
#include "command.h"

/* The token at a place of a command's name: its beginning and length. */
static const char *command_token(const struct command *command, int at,
				 size_t *len)
{
	const char *token = command->path;

	while (at--) {
		token += strcspn(token, " ");
		token += *token == ' ';
	}
	*len = strcspn(token, " ");
	return token;
}

static bool command_has(const struct command *command, int at, const char *text)
{
	size_t len;
	const char *token = command_token(command, at, &len);

	return len && strlen(text) == len && !memcmp(token, text, len);
}

/* How many of the arguments are the beginning of a command's name. */
static int command_prefix(const struct command *command, int argc, char **argv)
{
	int n = 0;

	while (n < argc && command_has(command, n, argv[n]))
		n++;
	return n;
}

/* Do the first @n arguments name it?  A last "show" may be left out. */
static bool command_named(const struct command *command, int n)
{
	size_t len;

	command_token(command, n, &len);
	return n && (!len || command_has(command, n, "show"));
}

const struct command *command_find(int argc, char **argv, int *used)
{
	const struct command *command, *found = NULL;
	int n;

	*used = 0;
	for (command = commands; command->path; command++) {
		n = command_prefix(command, argc, argv);
		if (n > *used || (n == *used && !found)) {
			found = n && command_named(command, n) ? command : NULL;
			*used = n;
		}
	}
	return found;
}

void command_next(int argc, char **argv,
		  void (*next)(const char *token, size_t len, void *data),
		  void *data)
{
	const struct command *command;
	size_t len, last_len = 0;
	const char *last = "";

	for (command = commands; command->path; command++) {
		const char *token = command_token(command, argc, &len);

		if (command_prefix(command, argc, argv) < argc || !len)
			continue;
		/* Those that have a token in common follow each other. */
		if (len != last_len || memcmp(token, last, len))
			next(token, len, data);
		last = token;
		last_len = len;
	}
}

static void command_on_token(const char *token, size_t len, void *data)
{
	word_match(data, token, len);
}

void command_expand(int argc, char **argv)
{
	static char tokens[COMMAND_TOKENS_MAX][COMMAND_TOKEN_MAX];
	int i;

	for (i = 0; i < argc && i < COMMAND_TOKENS_MAX && *argv[i]; i++) {
		struct word_match match = { .text = argv[i] };

		command_next(i, argv, command_on_token, &match);
		if (match.n != 1 || match.len >= sizeof(tokens[i]))
			return;
		memcpy(tokens[i], match.word, match.len);
		tokens[i][match.len] = '\0';
		argv[i] = tokens[i];
	}
}

static const struct command_param *
command_param(const struct command *command, const char *token)
{
	const struct command_param *param;

	for (param = command->params; param->range.kind; param++)
		if (!param->name || !strcmp(param->name, token))
			return param;
	return NULL;
}

static int command_refuse(const struct command *command, const char *name,
			  const char *why)
{
	fprintf(stderr, "onrampctl: %s: %s%s\n", command->path, name, why);
	command_usage(command);
	return -1;
}

/* Are all required parameters there? */
static int command_check(const struct command *command,
			 const struct value *values)
{
	const struct command_param *param;
	bool given = false;

	for (param = command->params; param->range.kind; param++) {
		given |= values[param - command->params].given;
		if (!param->optional && !values[param - command->params].given)
			return command_refuse(command, param->name ?
					      param->name : param->operand,
					      " is missing");
	}
	if (command->any && !given)
		return command_refuse(command, "no parameter is given", "");
	return 0;
}

int command_parse(const struct command *command, int argc, char **argv,
		  struct value *values)
{
	const struct command_param *param;
	struct value_why why;
	const char *name;
	int i;

	memset(values, 0, sizeof(*values) * COMMAND_PARAMS_MAX);
	for (i = 0; i < argc; i++) {
		param = command_param(command, argv[i]);
		if (!param)
			return command_refuse(command, argv[i],
					      " is not a parameter");
		name = param->name ? param->name : param->operand;
		if (values[param - command->params].given)
			return param->name ?
			       command_refuse(command, name, " is given twice") :
			       command_refuse(command, argv[i], " is an extra argument");
		if (param->name && ++i == argc)
			return command_refuse(command, name, " needs a value");
		if (value_parse(&param->range, argv[i],
				&values[param - command->params], &why)) {
			fprintf(stderr, "onrampctl: %s: %s \"%s\": %s\n",
				command->path, name, argv[i], why.text);
			return -1;
		}
	}
	return command_check(command, values);
}

static void command_grammar(const struct command *command, FILE *to)
{
	const struct command_param *param;
	size_t len = strlen(command->path);

	/* "show" may be left out. */
	if (len > 5 && !strcmp(command->path + len - 5, " show"))
		fprintf(to, "onrampctl %.*s [show]", (int)len - 5,
			command->path);
	else
		fprintf(to, "onrampctl %s", command->path);
	for (param = command->params; param->range.kind; param++) {
		fprintf(to, "%s", param->optional ? " [" : " ");
		if (param->name)
			fprintf(to, "%s ", param->name);
		fprintf(to, "%s%s", param->operand ? param->operand :
			value_range_text(&param->range).text,
			param->optional ? "]" : "");
	}
	fprintf(to, "\n");
}

void command_usage(const struct command *command)
{
	fprintf(stderr, "Usage: ");
	command_grammar(command, stderr);
}

static void command_describe(const struct command *command)
{
	const struct command_param *param;

	printf("    %s\n", command->what);
	for (param = command->params; param->range.kind; param++) {
		struct value_text range = value_range_text(&param->range);

		printf("    %-10s %s%s%s\n",
		       param->name ? param->name : param->operand, param->what,
		       *range.text ? ": " : "", range.text);
	}
}

bool command_help(int argc, char **argv)
{
	const struct command *command;
	bool found = false;

	for (command = commands; command->path; command++) {
		if (command_prefix(command, argc, argv) < argc)
			continue;
		if (!found && !argc)
			puts("Usage: onrampctl [-j] COMMAND");
		found = true;
		printf("  ");
		command_grammar(command, stdout);
		if (argc)
			command_describe(command);
	}
	if (found && !argc) {
		puts("onrampctl help ARG... describes the commands that begin with ARG...");
		puts("A TIME has a unit: ns, us, ms or s.");
		puts("-j, --json: JSON output; -h, --help: this text; -V, --version: version.");
	}
	return found;
}
