/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters and counters to tc's output, as text or as JSON.  Names are
 * lib/units.h's, because tc's own sprint_time() keeps three digits.
 */
#ifndef SHARPRAMP_TC_PRINT_H
#define SHARPRAMP_TC_PRINT_H

#include "params.h"

/**
 * print_params() - print all values that are given
 * @k: the qdisc
 * @v: the values
 */
void print_params(const struct param_kind *k, struct param_values v);

/**
 * print_counters() - print statistics
 * @k: the qdisc
 * @xstats: the attribute, or NULL
 *
 * Members that an older kernel does not send are not printed; members that
 * only a newer kernel sends are ignored.
 */
void print_counters(const struct param_kind *k, struct rtattr *xstats);

/**
 * print_text() - print what is part of text only
 * @text: as it is
 */
void print_text(const char *text);

#endif /* SHARPRAMP_TC_PRINT_H */
