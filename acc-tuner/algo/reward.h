/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rewards: how good an interval was.
 *
 * Source: Yan et al., SIGCOMM 2021, section 3.3, Reward, equation (2) and figure 4,
 * with the weights of the paper's storage system.
 *
 *   in the paper     here
 *   T(R)             utilisation of the link
 *   D(L)             reward_delay(): a step function of the mean delay
 *   w1, w2           REWARD_WEIGHT_TX, REWARD_WEIGHT_DELAY
 *
 *   REWARD_PAPER     w1 T + w2 D
 *   REWARD_MARKS     w1 T + w2 D - 4 F (1 - T), F: the marked part of the bytes that left
 *   REWARD_BUSY      0.8 B + 0.2 D, B: T if packets waited in the interval, else 1
 *
 * At a load that the link can carry T is the load, whatever the setting is, so the
 * paper's reward then sees the delay alone and prefers the lowest thresholds.  The
 * other two forms are our own.  The second charges for marks while the link is not full.
 * The third charges for what the link did not send while there was a queue, but not for
 * the time in which there was none: with all flows open-loop, large flows are fast where
 * the link is busy for a short time.
 */
#ifndef ACC_REWARD_H
#define ACC_REWARD_H

#include "feature.h"

#define REWARD_WEIGHT_TX	0.7f
#define REWARD_WEIGHT_DELAY	0.3f
#define REWARD_WEIGHT_MARKS	4.0f

#define REWARD_BUSY_TX		0.8f
#define REWARD_BUSY_DELAY	0.2f
/* Packets waited where the mean delay is longer. */
#define REWARD_BUSY_NS		1000

/**
 * enum reward - which form, by its number in a model file
 * @REWARD_MARKS: with a charge for marks while the link is not full
 * @REWARD_PAPER: the paper's
 * @REWARD_BUSY: the link's use counts while packets wait
 * @REWARD_NR: how many
 */
enum reward { REWARD_MARKS, REWARD_PAPER, REWARD_BUSY, REWARD_NR };

/**
 * reward_text() - name of a form
 * @form: which
 *
 * Return: its name in options and configuration.
 */
const char *reward_text(enum reward form);

/**
 * reward_delay() - D(L)
 * @delay_ns: mean delay
 *
 * The paper says 1 - n / 10 for the least n with E(n) >= L, and nothing of a longer queue
 * than E(9): 0.
 *
 * Return: tenths, 0 to 10.
 */
uint32_t reward_delay(uint64_t delay_ns);

/**
 * reward() - of an interval
 * @form: which
 * @x: the interval
 *
 * Return: -4 to 1.
 */
float reward(enum reward form, const struct feature_interval *x);

#endif /* ACC_REWARD_H */
