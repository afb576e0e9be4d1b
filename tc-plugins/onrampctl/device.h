/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Network devices by the names that users give.
 */
#ifndef SHARPRAMP_ONRAMPCTL_DEVICE_H
#define SHARPRAMP_ONRAMPCTL_DEVICE_H

/**
 * device_index() - the number of a network device
 * @name: its name, or one of its alternative names
 *
 * For a name that is longer than a device's own can be the kernel is queried over
 * rtnetlink, by the socket of lib/netlink_socket.h, which is another one afterwards.
 *
 * Return: its ifindex in the present network namespace; 0 if there is none.
 */
unsigned int device_index(const char *name);

#endif /* SHARPRAMP_ONRAMPCTL_DEVICE_H */
