/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User and capabilities of a daemon.
 */
#ifndef SHARPRAMP_LIB_PRIVILEGE_H
#define SHARPRAMP_LIB_PRIVILEGE_H

#include <pwd.h>
#include <stdbool.h>
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
 * privilege_bound() - limit the capabilities that any started program can get
 * @keep: one PRIVILEGE_BIT() each
 */
void privilege_bound(uint64_t keep);

/**
 * privilege_become() - become the user of [security] user, if this is root
 * @user: its name; empty: stay root
 * @test: for a test that ends afterwards: no capability is kept
 * @give: called before, unless @test
 * @data: for @give
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * A process that is not root keeps its user, and so does a user namespace that
 * has no such user.
 *
 * Return: 0 or -1.
 */
int privilege_become(const char *user, bool test, privilege_give_fn give, void *data,
		     char *why, size_t size);

/**
 * privilege_keep() - drop all other capabilities for good
 * @keep: one PRIVILEGE_BIT() each
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int privilege_keep(uint64_t keep, char *why, size_t size);

/**
 * privilege_give_directory() - create the directory of a file for a user
 * @file: the file
 * @pw: the user; NULL: root
 *
 * A directory that exists stays as it is.
 */
void privilege_give_directory(const char *file, const struct passwd *pw);

#endif /* SHARPRAMP_LIB_PRIVILEGE_H */
