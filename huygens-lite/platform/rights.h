/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rights of the daemon: as few as its mode needs.
 */
#ifndef HUYGENS_RIGHTS_H
#define HUYGENS_RIGHTS_H

#include <stddef.h>

#include "../conf/conf.h"

/**
 * rights_drop() - become [security] user, keep only the capabilities needed
 * @conf: the configuration
 * @hardware: the NICs' clocks are used, which needs CAP_NET_ADMIN later
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * Call when sockets and files are open.  CAP_NET_ADMIN stays for mode publish
 * and for @hardware, CAP_SYS_TIME for mode steer, CAP_DAC_OVERRIDE, if it is
 * held, for mode sock, whose socket is root's.  No new privileges can be gained.
 * The directory of logs and the drift file are given to the user.  A user
 * namespace that has no such user keeps the one it has.
 *
 * Return: 0 or -1.
 */
int rights_drop(const struct huygens_conf *conf, int hardware, char *why,
		size_t size);

/**
 * rights_test() - become [security] user, without root's rights
 * @conf: the configuration
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * For a test that ends afterwards: it can read the files that the daemon can.
 * Nothing is created or given to the user.
 *
 * Return: 0 or -1.
 */
int rights_test(const struct huygens_conf *conf, char *why, size_t size);

/**
 * rights_confine() - allow only the listed system calls to all threads
 * @conf: the configuration; [security] seccomp no: does nothing
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Any other call kills the process.  The last step before the event loop.
 *
 * Return: 0 or -1.
 */
int rights_confine(const struct huygens_conf *conf, char *why, size_t size);

#endif /* HUYGENS_RIGHTS_H */
