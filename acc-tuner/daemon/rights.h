/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rights of the daemon: as few as its mode needs.
 */
#ifndef ACC_RIGHTS_H
#define ACC_RIGHTS_H

#include <stddef.h>

#include "conf.h"

/**
 * rights_drop() - become [security] user, keep only the capabilities needed
 * @conf: the configuration
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * Call when sockets are open.  CAP_NET_ADMIN stays for mode tune, none for mode observe.
 * The directories of the file with own settings and of learned models are made for the
 * user.
 *
 * Return: 0 or -1.
 */
int rights_drop(const struct acc_conf *conf, char *why, size_t size);

/**
 * rights_confine() - allow only the listed system calls
 * @conf: the configuration; [security] seccomp no: does nothing
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Any other call kills the process.  The last step before the event loop.
 *
 * Return: 0 or -1.
 */
int rights_confine(const struct acc_conf *conf, char *why, size_t size);

#endif /* ACC_RIGHTS_H */
