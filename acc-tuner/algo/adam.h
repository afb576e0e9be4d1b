/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adam: steps down a gradient.
 *
 * Source: Kingma, Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015, Algorithm 1,
 * with its constants.  The gradient's norm is limited before (Pascanu et al., "On the
 * difficulty of training recurrent neural networks", ICML 2013, Algorithm 1).
 *
 *   in the paper      here
 *   m, v              mean, square
 *   beta1^t, beta2^t  power1, power2
 *   alpha             rate
 */
#ifndef ACC_ADAM_H
#define ACC_ADAM_H

#include "net.h"

#define ADAM_BETA1	0.9f
#define ADAM_BETA2	0.999f
#define ADAM_EPSILON	0.00000001f

/**
 * struct adam - state of the optimiser
 * @mean: of the gradients, exponential
 * @square: mean of their squares, exponential
 * @power1: ADAM_BETA1 to the number of steps
 * @power2: ADAM_BETA2 to the same
 */
struct adam {
	struct net mean;
	struct net square;
	float power1;
	float power2;
};

/**
 * adam_init() - the first step is to come
 * @a: filled
 */
void adam_init(struct adam *a);

/**
 * adam_limit() - limit a gradient's norm
 * @gradient: scaled to the limit if its norm is above it
 * @most: the limit, above 0
 *
 * Return: the norm that it had.
 */
float adam_limit(struct net *gradient, float most);

/**
 * adam_step() - a step down a gradient
 * @a: state
 * @n: the network
 * @gradient: of the loss
 * @rate: step size, above 0
 */
void adam_step(struct adam *a, struct net *n, const struct net *gradient, float rate);

#endif /* ACC_ADAM_H */
