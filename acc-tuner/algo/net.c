// SPDX-License-Identifier: GPL-2.0
/*
 * A fully connected network, forwards and backwards.
 *
 * Each layer is an inline function of its dimensions, so that the compiler knows them.
 */
#include <math.h>

#include "net.h"

#define NET_AT_1	0
#define NET_AT_2	(NET_AT_1 + NET_LAYER(NET_IN, NET_H1))
#define NET_AT_3	(NET_AT_2 + NET_LAYER(NET_H1, NET_H2))
#define NET_AT_4	(NET_AT_3 + NET_LAYER(NET_H2, NET_H3))

#define NET_WIDEST	40

_Static_assert(NET_PARAMS == 3560, "the paper's network");
_Static_assert(!(NET_H2 % 4 || NET_H3 % 4 || NET_OUT % 4), "sums in fours");
_Static_assert(NET_IN <= NET_WIDEST && NET_H1 <= NET_WIDEST && NET_H2 <= NET_WIDEST &&
	       NET_H3 <= NET_WIDEST && NET_OUT <= NET_WIDEST, "no layer is wider");

static inline void net_layer(const float *w, const float *x, float *y, int in, int out)
{
	int i, o;

	for (o = 0; o < out; o++)
		y[o] = w[in * out + o];
	for (i = 0; i < in; i++)
		for (o = 0; o < out; o++)
			y[o] += w[i * out + o] * x[i];
}

static inline void net_relu(float *y, int n)
{
	int i;

	for (i = 0; i < n; i++)
		y[i] = y[i] > 0.0f ? y[i] : 0.0f;
}

void net_forward(const struct net *n, const float in[NET_IN], struct net_trace *t)
{
	net_layer(n->w + NET_AT_1, in, t->h1, NET_IN, NET_H1);
	net_relu(t->h1, NET_H1);
	net_layer(n->w + NET_AT_2, t->h1, t->h2, NET_H1, NET_H2);
	net_relu(t->h2, NET_H2);
	net_layer(n->w + NET_AT_3, t->h2, t->h3, NET_H2, NET_H3);
	net_relu(t->h3, NET_H3);
	net_layer(n->w + NET_AT_4, t->h3, t->out, NET_H3, NET_OUT);
}

/* @slope is of the layer's outputs before ReLU. */
static inline void net_layer_gradient(const float *x, const float *slope, float *gradient, int in,
				      int out)
{
	int i, o;

	for (i = 0; i < in; i++)
		for (o = 0; o < out; o++)
			gradient[i * out + o] += x[i] * slope[o];
	for (o = 0; o < out; o++)
		gradient[in * out + o] += slope[o];
}

/*
 * Slopes of the inputs, which are another layer's outputs: none where ReLU cut them off.
 * The four sums are independent; no layer's width has a remainder.
 */
static inline void net_layer_back(const float *w, const float *x, const float *slope, float *back,
				  int in, int out)
{
	int i, o;

	for (i = 0; i < in; i++) {
		float sum[4] = { 0 };

		for (o = 0; o < out; o += 4) {
			sum[0] += w[i * out + o] * slope[o];
			sum[1] += w[i * out + o + 1] * slope[o + 1];
			sum[2] += w[i * out + o + 2] * slope[o + 2];
			sum[3] += w[i * out + o + 3] * slope[o + 3];
		}
		back[i] = x[i] > 0.0f ? sum[0] + sum[1] + (sum[2] + sum[3]) : 0.0f;
	}
}

void net_backward(const struct net *n, const float in[NET_IN], const struct net_trace *t,
		  const float slope[NET_OUT], struct net *gradient)
{
	float here[NET_WIDEST], below[NET_WIDEST];

	net_layer_gradient(t->h3, slope, gradient->w + NET_AT_4, NET_H3, NET_OUT);
	net_layer_back(n->w + NET_AT_4, t->h3, slope, here, NET_H3, NET_OUT);

	net_layer_gradient(t->h2, here, gradient->w + NET_AT_3, NET_H2, NET_H3);
	net_layer_back(n->w + NET_AT_3, t->h2, here, below, NET_H2, NET_H3);

	net_layer_gradient(t->h1, below, gradient->w + NET_AT_2, NET_H1, NET_H2);
	net_layer_back(n->w + NET_AT_2, t->h1, below, here, NET_H1, NET_H2);

	net_layer_gradient(in, here, gradient->w + NET_AT_1, NET_IN, NET_H1);
}

static void net_init_layer(float *w, int in, int out, struct prng *prng)
{
	float deviation = sqrtf(2.0f / (float)in);
	int i;

	for (i = 0; i < in * out; i++)
		w[i] = prng_normal(prng) * deviation;
	for (; i < (in + 1) * out; i++)
		w[i] = 0.0f;
}

void net_init(struct net *n, struct prng *prng)
{
	net_init_layer(n->w + NET_AT_1, NET_IN, NET_H1, prng);
	net_init_layer(n->w + NET_AT_2, NET_H1, NET_H2, prng);
	net_init_layer(n->w + NET_AT_3, NET_H2, NET_H3, prng);
	net_init_layer(n->w + NET_AT_4, NET_H3, NET_OUT, prng);
}

uint32_t net_best(const float value[NET_OUT], uint32_t allowed)
{
	uint32_t best = __builtin_ctz(allowed);
	uint32_t a;

	for (a = best + 1; a < NET_OUT; a++)
		if (allowed >> a & 1 && value[a] > value[best])
			best = a;
	return best;
}
