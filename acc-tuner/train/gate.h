/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The gate before learning: is there anything to learn, and does a reward lead to it?
 *
 *   a condition whose templates differ by less than GATE_SPREAD says nothing
 *   a reward leads to low costs where its rank correlation with -J is GATE_RHO at least and its
 *     pick's loss GATE_REGRET at most; it must do so in two thirds of the conditions
 *   a static template within GATE_STATIC of the oracle leaves nothing to learn
 */
#ifndef ACC_TRAIN_GATE_H
#define ACC_TRAIN_GATE_H

#include <stdbool.h>

#include "study.h"

#define GATE_SPREAD	0.05
#define GATE_RHO	0.5
#define GATE_REGRET	0.05
#define GATE_STATIC	0.02

/**
 * gate_print() - the tables and what they mean
 * @s: a study that was run
 */
void gate_print(const struct study *s);

/**
 * gate_json() - the same as JSON, on standard output
 * @s: a study that was run
 */
void gate_json(const struct study *s);

#endif /* ACC_TRAIN_GATE_H */
