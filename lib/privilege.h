/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User and capabilities of a daemon.
 */
#ifndef SHARPRAMP_LIB_PRIVILEGE_H
#define SHARPRAMP_LIB_PRIVILEGE_H

#include <pwd.h>
#include <stddef.h>
#include <stdint.h>

#define PRIVILEGE_BIT(capability)	(1ULL << (capability))

/**
 * typedef privilege_give_fn - give files to the user that a daemon becomes
 * @pw: the user; NULL: the daemon stays root, or never was
 * @data: the daemon's
 */
typedef void (*privilege_give_fn)(const struct passwd *pw, void *data);

/**
 * privilege_held() - capabilities that the process may use
 *
 * Return: one PRIVILEGE_BIT() each; 0 as well if the kernel does not report them.
 */
uint64_t privilege_held(void);

/**
 * privilege_drop() - become the user of [security] user, if this is root, and drop all other
 *	capabilities for good
 * @user: its name; empty: stay root
 * @keep: capabilities, one PRIVILEGE_BIT() each; no started program can get others
 * @give: called before the user changes
 * @data: for @give
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * A process that is not root keeps its user, and so does a user namespace that
 * has no such user.  No new privileges can be gained afterwards.
 *
 * Return: 0 or -1.
 */
int privilege_drop(const char *user, uint64_t keep, privilege_give_fn give, void *data,
		   char *why, size_t size);

/**
 * privilege_test() - become the user of [security] user, if this is root, with no capability
 * @user: its name; empty: stay root
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * For a test that ends afterwards: it can do what the daemon can.
 *
 * Return: 0 or -1.
 */
int privilege_test(const char *user, char *why, size_t size);

/**
 * privilege_give_directory() - create the directory of a file for a user
 * @file: the file
 * @pw: the user; NULL: root
 *
 * A directory that exists stays as it is.
 */
void privilege_give_directory(const char *file, const struct passwd *pw);

#endif /* SHARPRAMP_LIB_PRIVILEGE_H */
