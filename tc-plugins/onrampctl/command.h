/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of commands.  Parser, help and completion are made from it.
 */
#ifndef SHARPRAMP_ONRAMPCTL_COMMAND_H
#define SHARPRAMP_ONRAMPCTL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value.h"

/* No command has more parameters. */
#define COMMAND_PARAMS_MAX	9
/* Tokens of a command's name, and bytes of one. */
#define COMMAND_TOKENS_MAX	4
#define COMMAND_TOKEN_MAX	16

/**
 * struct command_param - a parameter
 * @name: its argument; NULL: the value stands alone
 * @operand: what stands for the value in help; NULL: its names do
 * @attr: enum onramp_attr; 0: not sent
 * @bits: 8, 32 or 64, if it is a number
 * @optional: it may be left out
 * @range: its kind, and what it may be
 * @what: a line of help
 */
struct command_param {
	const char		*name;
	const char		*operand;
	uint16_t		attr;
	uint8_t			bits;
	bool			optional;
	struct value_range	range;
	const char		*what;
};

/**
 * struct command - a command
 * @path: such as "clock set system"; a "show" at the end may be left out
 * @cmd: enum onramp_cmd
 * @fixed: enum onramp_attr of a u8 that is always sent; 0: none
 * @fixed_value: its value
 * @any: parameters are optional, but one must be given
 * @params: end with VALUE_NONE
 * @run: carry it out; the exit status
 * @what: a line of help
 */
struct command {
	const char			*path;
	uint8_t				cmd;
	uint16_t			fixed;
	uint8_t				fixed_value;
	bool				any;
	struct command_param		params[COMMAND_PARAMS_MAX + 1];
	int (*run)(const struct command *command, const struct value *values,
		   bool json);
	const char			*what;
};

/* Ends with a command without a path. */
extern const struct command commands[];

/**
 * command_find() - the command that some arguments name
 * @argc: number of arguments
 * @argv: the arguments
 * @used: written: how many of them name it; if none is found, how many are
 *	the beginning of one
 *
 * Return: the command or NULL.
 */
const struct command *command_find(int argc, char **argv, int *used);

/**
 * command_expand() - unique beginnings of tokens in place of them
 * @argc: number of arguments
 * @argv: the arguments; the first that is not the beginning of a command's token, or of
 *	several, and what follows it stay as they are
 */
void command_expand(int argc, char **argv);

/**
 * command_parse() - read what follows a command's name
 * @command: the command
 * @argc: number of arguments
 * @argv: the arguments
 * @values: one for each parameter, filled
 *
 * Return: 0, or -1 after an explanation.
 */
int command_parse(const struct command *command, int argc, char **argv,
		  struct value *values);

/**
 * command_next() - list the tokens that may follow the beginning of a command's name
 * @argc: number of arguments
 * @argv: the arguments, all of the name
 * @next: called for each token, once
 * @data: for @next
 */
void command_next(int argc, char **argv,
		  void (*next)(const char *token, size_t len, void *data),
		  void *data);

/**
 * command_help() - describe the commands whose names begin with some arguments
 * @argc: number of arguments; with 0 all commands, in short
 * @argv: the arguments
 *
 * Return: false if there is none.
 */
bool command_help(int argc, char **argv);

/**
 * command_usage() - a command's grammar, to standard error
 * @command: the command
 */
void command_usage(const struct command *command);

/**
 * command_complete() - propose completions of the last argument
 * @argc: number of arguments
 * @argv: the arguments
 */
void command_complete(int argc, char **argv);

#endif /* SHARPRAMP_ONRAMPCTL_COMMAND_H */
