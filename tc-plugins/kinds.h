/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The qdiscs: parameters and counters.
 */
#ifndef SHARPRAMP_TC_KINDS_H
#define SHARPRAMP_TC_KINDS_H

#include "params.h"

extern const struct param_kind ecnsharp_kind;
extern const struct param_kind onramp_kind;
extern const struct param_kind cp_kind;

/* Statistics of classes of cp and of onramp, without parameters. */
extern const struct param_kind cp_class_kind;
extern const struct param_kind onramp_class_kind;

#endif /* SHARPRAMP_TC_KINDS_H */
