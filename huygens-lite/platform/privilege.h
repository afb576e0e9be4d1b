/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the daemon may do: as little as its mode needs.
 */
#ifndef HUYGENS_PRIVILEGE_H
#define HUYGENS_PRIVILEGE_H

#include <stddef.h>

#include "../conf/conf.h"

/**
 * privilege_drop() - become [security] user, keep only the capabilities needed
 * @conf: the configuration
 * @hardware: the NICs' clocks are used, which takes CAP_NET_ADMIN later
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * Call when sockets and files are open.  CAP_NET_ADMIN stays for mode publish
 * and for @hardware, CAP_SYS_TIME for mode steer, CAP_DAC_OVERRIDE, if it is
 * there, for mode sock, whose socket is root's, nothing else; no new
 * privileges can be gained.  The directory of logs and the drift file are given
 * to the user.  A user namespace that has no such user keeps the one it has.
 *
 * Return: 0 or -1.
 */
int privilege_drop(const struct huygens_conf *conf, int hardware, char *why,
		   size_t size);

/**
 * privilege_test() - become [security] user, with nothing of root's
 * @conf: the configuration
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * For a test that ends afterwards: files are then what they are for the daemon.
 * Nothing is made or given to the user.  Who is not root stays who he is, and so
 * does a user namespace that has no such user.
 *
 * Return: 0 or -1.
 */
int privilege_test(const struct huygens_conf *conf, char *why, size_t size);

/**
 * privilege_confine() - from now on, no system call but those of the list, by any thread
 * @conf: the configuration; [security] seccomp no: does nothing
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * A call that is not on the list kills the process.  Last of all before the
 * event loop.
 *
 * Return: 0 or -1.
 */
int privilege_confine(const struct huygens_conf *conf, char *why, size_t size);

#endif /* HUYGENS_PRIVILEGE_H */
