/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The network: values of the actions in a state, and their gradient.
 *
 * Source: Yan et al., SIGCOMM 2021, section 5.1 and 5.5: "a four-layer NN, {20, 40, 40,
 * 20}", 30 KB, 14 MFLOPS at an interval of 500 us.  Twelve inputs and layers of 20, 40, 40
 * and 20 have 3560 parameters: two networks of them are 28.5 KB, and 2 x 3560 operations
 * 2000 times a second are 14.2 MFLOPS.  So the last 20 are the actions.  The activation is
 * not stated; here it is ReLU, and the last layer is linear.
 *
 * All is float32, in an order that is fixed by the text: only additions, multiplications,
 * comparisons.  With -ffp-contract=off it gives the same bytes whatever compiles it.
 * Weights lie as [input][output], so that the inner loops over outputs are independent
 * sums, which a compiler may vectorise without changing them.
 */
#ifndef ACC_NET_H
#define ACC_NET_H

#include "feature.h"
#include "prng.h"
#include "template.h"

#define NET_IN		FEATURE_STATE
#define NET_H1		20
#define NET_H2		40
#define NET_H3		40
#define NET_OUT		TEMPLATE_NR

/* Weights and biases of a layer. */
#define NET_LAYER(in, out)	(((in) + 1) * (out))
#define NET_PARAMS	(NET_LAYER(NET_IN, NET_H1) + NET_LAYER(NET_H1, NET_H2) + \
			 NET_LAYER(NET_H2, NET_H3) + NET_LAYER(NET_H3, NET_OUT))

/**
 * struct net - a network
 * @w: parameters, layer by layer: weights as [input][output], then biases
 */
struct net {
	float w[NET_PARAMS];
};

/**
 * struct net_trace - what a forward pass leaves for the backward pass
 * @h1: outputs of the first hidden layer
 * @h2: outputs of the second
 * @h3: outputs of the third
 * @out: values of the actions
 */
struct net_trace {
	float h1[NET_H1];
	float h2[NET_H2];
	float h3[NET_H3];
	float out[NET_OUT];
};

/**
 * net_init() - a network that has learned nothing
 * @n: filled: weights of variance 2 / inputs (He et al., "Delving Deep into
 *	Rectifiers", ICCV 2015, section 2.2), biases 0
 * @prng: where chance comes from
 */
void net_init(struct net *n, struct prng *prng);

/**
 * net_forward() - values of the actions in a state
 * @n: the network
 * @in: the state
 * @t: filled; the values are in @t->out
 */
void net_forward(const struct net *n, const float in[NET_IN], struct net_trace *t);

/**
 * net_backward() - the gradient of a loss
 * @n: the network
 * @in: the state
 * @t: its forward pass
 * @slope: the loss's derivatives by the values of the actions
 * @gradient: the loss's derivatives by the parameters are added here
 */
void net_backward(const struct net *n, const float in[NET_IN], const struct net_trace *t,
		  const float slope[NET_OUT], struct net *gradient);

/**
 * net_best() - the action of the highest value
 * @value: values of the actions
 * @allowed: bits of the actions that may be taken, one at least
 *
 * Return: the action; of several equal ones the first.
 */
uint32_t net_best(const float value[NET_OUT], uint32_t allowed);

#endif /* ACC_NET_H */
