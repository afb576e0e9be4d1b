/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that are lists or fractions, and those that name a host.
 */
#ifndef HUYGENS_LIST_H
#define HUYGENS_LIST_H

#include "../../lib/conf_table.h"
#include "conf.h"

extern const struct conf_form list_peers;
extern const struct conf_form list_ids;
extern const struct conf_form list_links;
extern const struct conf_form list_asymmetries;
extern const struct conf_form list_max_asymmetry;
extern const struct conf_form list_reference;

/**
 * list_bad_address() - can a host have this address?
 * @address: IPv4 or IPv6
 *
 * Return: what is wrong with it, after "it", or NULL.
 */
const char *list_bad_address(const union conf_address *address);

#endif /* HUYGENS_LIST_H */
