/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every key of the configuration, once.
 */
#ifndef HUYGENS_KEY_H
#define HUYGENS_KEY_H

#include "../../lib/conf_table.h"
#include "conf.h"

/* The most keys that the table may have. */
#define KEYS_MAX	128

extern const struct conf_table huygens_table;

#endif /* HUYGENS_KEY_H */
