/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policies: which setting a port has in the next interval.
 *
 * Those that learn nothing are the baselines; those that spoil a network's decisions are
 * controls: a test that a network decides well must also show that they decide badly.
 */
#ifndef ACC_TRAIN_POLICY_H
#define ACC_TRAIN_POLICY_H

#include <stdint.h>

#include "agent.h"
#include "follow.h"
#include "idle.h"
#include "reward.h"

/**
 * enum policy_kind - how it decides
 * @POLICY_STATIC: one template for ever
 * @POLICY_FOLLOW: follow.h
 * @POLICY_NET: a network's best action
 * @POLICY_PERMUTED: the same, but another template is set than the one that it chose
 * @POLICY_FROZEN: the same, but all that it sees of the queue is the mean of what it saw
 * @POLICY_HISTOGRAM: actions by chance, as often as the network took each
 */
enum policy_kind {
	POLICY_STATIC,
	POLICY_FOLLOW,
	POLICY_NET,
	POLICY_PERMUTED,
	POLICY_FROZEN,
	POLICY_HISTOGRAM,
};

/**
 * struct policy - a policy and its state
 * @kind: how it decides
 * @fixed: the template of POLICY_STATIC
 * @net: the network
 * @template: TEMPLATE_NR templates that it chooses from, sorted
 * @reward: form of the reward by which a queue is idle
 * @permutation: POLICY_PERMUTED: the place that is set, for each that is chosen
 * @mean: POLICY_FROZEN: mean of each feature
 * @taken: how often each action was taken; POLICY_HISTOGRAM: how often each is to be
 * @decisions: of a network, so far
 * @seen: sum of each feature of the newest interval at those
 * @prng: chance of POLICY_HISTOGRAM
 * @present: place of the template in force
 * @window: what it sees
 * @idle: is the queue idle?
 * @follow: state of POLICY_FOLLOW
 */
struct policy {
	enum policy_kind kind;
	struct template fixed;
	const struct net *net;
	const struct template *template;
	enum reward reward;
	const uint32_t *permutation;
	const float *mean;
	uint64_t taken[TEMPLATE_NR];
	uint64_t decisions;
	double seen[FEATURE_NR];
	struct prng prng;
	uint32_t present;
	struct feature_window window;
	struct idle idle;
	struct follow follow;
};

/* Place of the template with which a network begins. */
#define POLICY_FIRST	10

/**
 * policy_begin() - an episode begins
 * @p: the policy; counts of actions stay
 *
 * Return: the first setting.
 */
struct template policy_begin(struct policy *p);

/**
 * policy_decide() - an interval is over
 * @p: the policy
 * @x: the interval
 *
 * Return: the setting of the next one.
 */
struct template policy_decide(struct policy *p, const struct feature_interval *x);

#endif /* ACC_TRAIN_POLICY_H */
