/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that are lists of queues, and fractions.
 */
#ifndef ACC_LIST_H
#define ACC_LIST_H

#include "../../lib/conf_table.h"

extern const struct conf_form list_queues;
extern const struct conf_form list_rates;
extern const struct conf_form list_explore;
extern const struct conf_form list_share;
extern const struct conf_form list_pmax;

/* Ranges of the fractions, parts per million. */
#define LIST_EXPLORE_MOST	500000
#define LIST_SHARE_MOST		500000
#define LIST_PMAX_MOST		1000000

#endif /* ACC_LIST_H */
