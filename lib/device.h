/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Network devices by the names that users give.
 */
#ifndef SHARPRAMP_LIB_DEVICE_H
#define SHARPRAMP_LIB_DEVICE_H

#include <net/if.h>

/* Bytes of an alternative name, with its 0: the ALTIFNAMSIZ that the kernel keeps to itself. */
#define DEVICE_NAME_MAX	128

/**
 * device_index() - the number of a network device
 * @name: its name, or one of its alternative names
 *
 * For a name that is longer than a device's own can be the kernel is queried over
 * rtnetlink, by the socket of lib/netlink_socket.h, which is closed afterwards.
 *
 * Return: its ifindex in the present network namespace; 0 if there is none.
 */
unsigned int device_index(const char *name);

/**
 * device_name() - the name of a network device that system calls take
 * @name: its name, or one of its alternative names
 * @own: receives its name; without such a device what fits of @name
 *
 * Return: as device_index().
 */
unsigned int device_name(const char *name, char own[IF_NAMESIZE]);

#endif /* SHARPRAMP_LIB_DEVICE_H */
