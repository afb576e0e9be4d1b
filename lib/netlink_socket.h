/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The netlink socket of a program: all its requests go through these functions,
 * so that a test can replace them by a kernel of its own.
 */
#ifndef SHARPRAMP_LIB_NETLINK_SOCKET_H
#define SHARPRAMP_LIB_NETLINK_SOCKET_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes that one call receives: the kernel's dumps use up to 32 KB. */
#define NL_SOCKET_BYTES	(64 * 1024)

/**
 * nl_socket_open() - open a netlink socket in the present network namespace
 * @bus: NETLINK_GENERIC or NETLINK_ROUTE
 *
 * There is one at a time: the previous one is closed.  Refusals carry the
 * kernel's explanations.
 *
 * Return: 0, or -1 and errno.
 */
int nl_socket_open(int bus);

/**
 * nl_socket_join() - receive a multicast group
 * @group: its number
 *
 * Return: 0, or -1 and errno.
 */
int nl_socket_join(uint32_t group);

/**
 * nl_socket_send() - send a request
 * @request: a netlink message
 * @len: bytes of it
 *
 * Return: 0, or -1 and errno.
 */
int nl_socket_send(const void *request, size_t len);

/**
 * nl_socket_receive() - wait for messages
 * @buffer: NL_SOCKET_BYTES bytes
 *
 * Return: bytes received, or -1 and errno.
 */
ssize_t nl_socket_receive(void *buffer);

/**
 * nl_socket_port() - netlink address of the socket
 *
 * Return: the address that answers to its requests carry; 0 for any.
 */
uint32_t nl_socket_port(void);

/** nl_socket_close() - close the socket, if it is open */
void nl_socket_close(void);

#endif /* SHARPRAMP_LIB_NETLINK_SOCKET_H */
