/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program that asks a daemon at its control socket, and prints the answer.  An answer begins
 * with a line "ok", or is "error " and the reason.
 */
#ifndef SHARPRAMP_LIB_CLIENT_H
#define SHARPRAMP_LIB_CLIENT_H

#include <stdbool.h>

#include "control.h"

/* Bytes of a request, with its zero: " json" and a new line may follow it. */
#define CLIENT_REQUEST	(CONTROL_LINE - sizeof(" json"))

/**
 * struct client - a program and its daemon
 * @program: its own name, for messages
 * @daemon: the daemon's name, that of its unit
 * @group: name of the group whose members may ask
 * @socket: path of the control socket
 * @json: answers are to be JSON
 */
struct client {
	const char	*program;
	const char	*daemon;
	const char	*group;
	const char	*socket;
	bool		json;
};

/**
 * client_request() - send a request and wait for the answer
 * @c: the program and its daemon
 * @request: the request, below CLIENT_REQUEST bytes
 * @quiet: print no explanation if it fails
 *
 * Return: the answer, for free(); NULL after an explanation.
 */
char *client_request(const struct client *c, const char *request, bool quiet);

/**
 * client_show() - send a request and print the answer
 * @c: the program and its daemon
 * @request: the request, below CLIENT_REQUEST bytes
 *
 * Return: exit status.
 */
int client_show(const struct client *c, const char *request);

/**
 * client_command() - find the command that an argument names
 * @c: the program
 * @commands: names of its commands, then NULL
 * @text: the argument: a name, or a beginning of one alone; NULL: there is none
 *
 * Return: the command's place in @commands; -1 after a complaint.
 */
int client_command(const struct client *c, const char *const *commands, const char *text);

/**
 * client_print() - print a text, and write all that was printed
 * @c: the program that prints
 * @text: the text
 *
 * Return: exit status.
 */
int client_print(const struct client *c, const char *text);

/**
 * client_wrong() - report a command line that is wrong
 * @c: whose it is
 * @what: the fault
 * @arg: the argument, after @what; NULL: none
 *
 * Return: exit status 2.
 */
int client_wrong(const struct client *c, const char *what, const char *arg);

#endif /* SHARPRAMP_LIB_CLIENT_H */
