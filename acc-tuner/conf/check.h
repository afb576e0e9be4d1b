/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules between keys.
 */
#ifndef ACC_CHECK_H
#define ACC_CHECK_H

#include "conf.h"

/**
 * check() - do the values of a configuration go together?
 * @conf: the configuration, each value good by itself
 * @path: of the file
 * @lines: where each key of the table was given, 0: not
 * @error: filled if they do not
 *
 * Return: 0 or -1.
 */
int check(const struct acc_conf *conf, const char *path, const int *lines,
	  struct conf_error *error);

#endif /* ACC_CHECK_H */
