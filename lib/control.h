/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control socket of a daemon.  A client sends one line, receives the answer
 * and the daemon closes the connection.  No client makes the daemon wait.
 */
#ifndef SHARPRAMP_LIB_CONTROL_H
#define SHARPRAMP_LIB_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the longest request, with its new line and a zero. */
#define CONTROL_LINE	64

struct control;

/**
 * typedef control_answer_fn - answer a request
 * @out: where the answer is written
 * @line: the request, without its new line; may be changed
 * @data: the daemon's
 */
typedef void (*control_answer_fn)(FILE *out, char *line, void *data);

/**
 * control_open() - begin to listen
 * @path: of the socket; one that no program listens at is replaced
 * @program: name of the daemon, for messages
 * @answer: called for each request
 * @data: for @answer
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * The socket's mode is 0770.  Call before privileges are dropped, so that its
 * directory may be root's.
 *
 * Return: the control socket, or NULL.
 */
struct control *control_open(const char *path, const char *program,
			     control_answer_fn answer, void *data, char *why,
			     size_t size);

/**
 * control_fd() - file descriptor to poll, readable when there is work
 * @control: the control socket
 *
 * Return: a file descriptor, of an epoll of its own.
 */
int control_fd(const struct control *control);

/**
 * control_work() - accept, receive and answer, without waiting
 * @control: the control socket
 */
void control_work(struct control *control);

/**
 * control_asker_is_root() - is the client that is being answered root?
 * @control: the control socket
 *
 * By what the kernel says of the process that connected; a file descriptor that root gave
 * away is root's.
 *
 * Context: within control_answer_fn.
 * Return: false as well if the kernel does not say.
 */
bool control_asker_is_root(const struct control *control);

/**
 * control_close() - close it and remove its name
 * @control: the control socket, or NULL
 */
void control_close(struct control *control);

/**
 * control_request() - send a request to a daemon and wait for the answer
 * @path: of the socket
 * @line: the request, with its new line
 * @answer: filled, for free(); NULL: the daemon did not answer
 *
 * Return: 0; -1 and errno if it cannot connect.
 */
int control_request(const char *path, const char *line, char **answer);

#endif /* SHARPRAMP_LIB_CONTROL_H */
