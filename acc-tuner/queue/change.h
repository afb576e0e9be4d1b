/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes of qdiscs: several messages in one write, and their acknowledgments.
 */
#ifndef ACC_CHANGE_H
#define ACC_CHANGE_H

#include "settings.h"

/* A message with all parameters of a qdisc. */
#define CHANGE_BYTES	(NLMSG_HDRLEN + 64 + SETTINGS_BYTES_MAX)
#define CHANGE_MAX	32

/**
 * struct change - a change of a qdisc
 * @ifindex: its device
 * @parent: the class that it is in, or TC_H_ROOT
 * @handle: its own
 * @request: the settings to change
 * @error: filled by change_send(): 0, or errno
 */
struct change {
	uint32_t ifindex;
	uint32_t parent;
	uint32_t handle;
	struct ecnsharp_settings request;
	int error;
};

/**
 * change_put() - a message
 * @buffer: space for CHANGE_BYTES; filled
 * @c: the change
 * @serial: of the message
 *
 * Without NLM_F_CREATE: a qdisc that is gone is not made.
 *
 * Return: bytes of it.
 */
size_t change_put(void *buffer, const struct change *c, uint32_t serial);

/**
 * change_acknowledge() - read what came back
 * @data: netlink messages
 * @len: bytes of them
 * @c: changes; the error of each that is answered is set
 * @n: how many
 * @serial: of the first one
 *
 * Return: how many were answered.
 */
size_t change_acknowledge(const void *data, size_t len, struct change *c, size_t n,
			  uint32_t serial);

/**
 * change_send() - have qdiscs changed
 * @c: changes
 * @n: how many, at most CHANGE_MAX
 *
 * By the socket of lib/netlink_socket.h.
 *
 * Return: 0, or -1 and errno if the kernel did not answer; the errors of changes that
 * were not answered are -1 then.
 */
int change_send(struct change *c, size_t n);

#endif /* ACC_CHANGE_H */
