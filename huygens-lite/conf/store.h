/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A value goes into its field.
 */
#ifndef HUYGENS_STORE_H
#define HUYGENS_STORE_H

#include "list.h"

/**
 * store() - check a value and put it into its field
 * @list: the value
 *
 * Return: 0 or -1.
 */
int store(struct list *list);

/**
 * store_default() - put a key's default into its field
 * @conf: the configuration
 * @key: the key, which has one
 */
void store_default(struct huygens_conf *conf, const struct key *key);

#endif /* HUYGENS_STORE_H */
