/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filter of system calls for a daemon that waits for events.
 */
#ifndef SHARPRAMP_LIB_SYSCALL_FILTER_H
#define SHARPRAMP_LIB_SYSCALL_FILTER_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct syscall_arg - a call that is allowed if an argument has a value
 * @call: its name
 * @arg: index of the argument, which has 32 bits
 * @value: its value
 */
struct syscall_arg {
	const char	*call;
	unsigned int	arg;
	uint64_t	value;
};

/**
 * struct syscall_socket - a kind of socket that may be opened
 * @family: address family
 * @type: without flags
 * @protocol: protocol
 */
struct syscall_socket {
	int	family;
	int	type;
	int	protocol;
};

/**
 * struct syscall_filter - calls that a daemon needs besides those of all daemons
 * @args: calls with an argument
 * @n_args: how many
 * @sockets: sockets
 * @n_sockets: how many
 */
struct syscall_filter {
	const struct syscall_arg	*args;
	size_t				n_args;
	const struct syscall_socket	*sockets;
	size_t				n_sockets;
};

/**
 * syscall_filter_load() - allow only the listed system calls to all threads
 * @own: the daemon's own
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Any other call kills the process.
 *
 * Return: 0 or -1.
 */
int syscall_filter_load(const struct syscall_filter *own, char *why, size_t size);

#endif /* SHARPRAMP_LIB_SYSCALL_FILTER_H */
