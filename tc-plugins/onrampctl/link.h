/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The socket: all netlink requests of this program go through
 * these functions, so that tests can stand in for the kernel.
 */
#ifndef SHARPRAMP_ONRAMPCTL_LINK_H
#define SHARPRAMP_ONRAMPCTL_LINK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Room for what one call receives: the kernel's dumps use up to 32 KB. */
#define LINK_ROOM	(64 * 1024)

/**
 * link_open() - a netlink socket in the present network namespace
 * @bus: NETLINK_GENERIC or NETLINK_ROUTE
 *
 * There is one at a time: another one is closed.  Its errors have the kernel's explanations.
 *
 * Return: 0, or -1 and errno.
 */
int link_open(int bus);

/**
 * link_join() - receive a multicast group
 * @group: its number
 *
 * Return: 0, or -1 and errno.
 */
int link_join(uint32_t group);

/**
 * link_send() - send a request
 * @request: a netlink message
 * @len: bytes of it
 *
 * Return: 0, or -1 and errno.
 */
int link_send(const void *request, size_t len);

/**
 * link_receive() - wait for messages
 * @room: for LINK_ROOM bytes
 *
 * Return: bytes received, or -1 and errno.
 */
ssize_t link_receive(void *room);

/**
 * link_port() - the socket's netlink address
 *
 * Return: what answers to its requests carry; 0 for any.
 */
uint32_t link_port(void);

/** link_close() - close the socket, if it is open */
void link_close(void);

#endif /* SHARPRAMP_ONRAMPCTL_LINK_H */
