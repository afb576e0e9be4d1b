/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control socket.  A client writes one line, is answered, and the server
 * hangs up.  Nothing that a client does or does not do makes the daemon wait.
 */
#ifndef HUYGENS_SERVER_H
#define HUYGENS_SERVER_H

#include <stddef.h>

#include "status.h"

struct server;

/**
 * server_open() - begin to listen
 * @path: of the socket; one that nobody listens at is replaced
 * @fill: called for each request
 * @data: for @fill
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * The socket's mode is 0770; before privileges are dropped, so that its folder
 * may be root's.
 *
 * Return: the server, or NULL.
 */
struct server *server_open(const char *path, status_fill_fn fill, void *data,
			   char *why, size_t size);

/**
 * server_fd() - what to poll: readable when there is work
 * @server: the server
 *
 * Return: a file descriptor, of an epoll of its own.
 */
int server_fd(const struct server *server);

/**
 * server_work() - do it, without waiting
 * @server: the server
 */
void server_work(struct server *server);

/**
 * server_close() - end; the socket's name goes
 * @server: the server, or NULL
 */
void server_close(struct server *server);

#endif /* HUYGENS_SERVER_H */
