/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The agent: a double deep Q-network that learns which template to set.
 *
 * Source: Yan et al., SIGCOMM 2021, section 3.4, Algorithm 1 and equations (3) to (5):
 *
 *   y = r + gamma Q(s', argmax_a Q(s', a; theta); theta')
 *   loss = mean over a batch of (y - Q(s, a; theta))^2, by the action that was taken only
 *   theta' = theta after every so many updates
 *
 *   in the paper     here
 *   theta, theta'    net, target
 *   D, N             replay, batch
 *   n                target_every
 *
 * The paper states neither gamma, nor the batch, nor the optimiser.  Here the loss is
 * Huber's, the square near 0 and linear beyond 1, the gradient's norm is limited, and
 * Adam takes the step.  Chance takes the action with a probability that falls
 * exponentially ("exponential decayed", section 4.3): by integers, so that it needs no
 * exponential function.
 */
#ifndef ACC_AGENT_H
#define ACC_AGENT_H

#include "adam.h"
#include "replay.h"

/* Probability 1 of AGENT_ONE. */
#define AGENT_ONE	(1ULL << 32)

/**
 * struct agent_params - constants of learning
 * @gamma: how much the next interval's value counts
 * @rate: Adam's step size
 * @norm_most: limit of the gradient's norm
 * @batch: transitions an update, above 0
 * @target_every: updates from one copy of the network to the next, above 0
 * @explore_begin: extra probability of a random action at first, parts of AGENT_ONE
 * @explore_least: its least probability, parts of AGENT_ONE
 * @explore_decay: decisions in which the extra probability falls to 1/e, above 0
 * @neighbours: a random action is the place before or after the present one
 */
struct agent_params {
	float gamma;
	float rate;
	float norm_most;
	uint32_t batch;
	uint32_t target_every;
	uint64_t explore_begin;
	uint64_t explore_least;
	uint64_t explore_decay;
	bool neighbours;
};

/**
 * struct agent - state of learning
 * @net: values of actions, as they are known
 * @target: an older copy, for the values of next states
 * @adam: the optimiser
 * @gradient: space for an update
 * @replay: transitions
 * @prng: where chance comes from
 * @explore: extra probability of a random action, parts of AGENT_ONE
 * @updates: how many there were
 */
struct agent {
	struct net net;
	struct net target;
	struct adam adam;
	struct net gradient;
	struct replay replay;
	struct prng prng;
	uint64_t explore;
	uint64_t updates;
};

/**
 * agent_params_offline() - constants of training before use
 * @p: filled
 * @decisions: how many there will be, above 6
 */
void agent_params_offline(struct agent_params *p, uint64_t decisions);

/**
 * agent_params_online() - constants of learning in use
 * @p: filled
 * @explore_ppm: probability of a random action, 0 to 1000000
 */
void agent_params_online(struct agent_params *p, uint32_t explore_ppm);

/**
 * agent_init() - an agent that knows nothing
 * @a: filled
 * @p: constants
 * @transitions: for transitions
 * @capacity: how many, above 0
 * @seed: of its chance
 */
void agent_init(struct agent *a, const struct agent_params *p, struct transition *transitions,
		uint32_t capacity, uint64_t seed);

/**
 * agent_load() - what was learned before
 * @a: an agent
 * @n: its network from now on
 */
void agent_load(struct agent *a, const struct net *n);

/**
 * agent_act() - take an action
 * @a: the agent
 * @p: constants
 * @state: features
 * @present: place of the template in force
 * @allowed: bits of the templates that may be taken, one at least
 *
 * Return: place of the template to set.
 */
uint32_t agent_act(struct agent *a, const struct agent_params *p, const float state[NET_IN],
		   uint32_t present, uint32_t allowed);

/**
 * agent_learn() - an update, once there are as many transitions as a batch has
 * @a: the agent
 * @p: constants
 * @allowed: as for agent_act(); no value of another template counts
 *
 * Return: the mean loss of the batch; 0 if there was none.
 */
float agent_learn(struct agent *a, const struct agent_params *p, uint32_t allowed);

/**
 * agent_huber() - Huber's loss with threshold 1
 * @error: Q - y
 *
 * Return: half the square up to 1, linear beyond.
 */
float agent_huber(float error);

/**
 * agent_huber_slope() - its derivative
 * @error: Q - y
 *
 * Return: -1 to 1.
 */
float agent_huber_slope(float error);

#endif /* ACC_AGENT_H */
