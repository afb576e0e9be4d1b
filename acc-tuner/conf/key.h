/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every key of the configuration, once.
 */
#ifndef ACC_KEY_H
#define ACC_KEY_H

#include "../../lib/conf_table.h"
#include "conf.h"

/* The most keys that the table may have. */
#define KEYS_MAX	64

extern const struct conf_table acc_table;

#endif /* ACC_KEY_H */
