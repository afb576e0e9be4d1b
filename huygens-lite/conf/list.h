/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that are lists or fractions, and those that name a host.
 */
#ifndef HUYGENS_LIST_H
#define HUYGENS_LIST_H

#include "../../lib/conf_table.h"

extern const struct conf_form list_peers;
extern const struct conf_form list_ids;
extern const struct conf_form list_links;
extern const struct conf_form list_asymmetries;
extern const struct conf_form list_max_asymmetry;
extern const struct conf_form list_reference;

#endif /* HUYGENS_LIST_H */
