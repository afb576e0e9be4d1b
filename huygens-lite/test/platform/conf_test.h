/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common parts of the tests of a configuration: one that is parsed again and again.
 */
#ifndef HUYGENS_CONF_TEST_H
#define HUYGENS_CONF_TEST_H

#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "../../conf/conf.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))

static struct huygens_conf conf;
static struct conf_error error;

/* Parse a text as file "f".  Return: 0, or -1 with @error. */
static inline int parse(const char *text)
{
	conf_free(&conf);
	memset(&error, 0, sizeof(error));
	return conf_parse(&conf, "f", text, strlen(text), &error);
}

#endif /* HUYGENS_CONF_TEST_H */
