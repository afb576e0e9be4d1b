// SPDX-License-Identifier: GPL-2.0
/*
 * The network, its gradient, the optimiser, chance: against oracles in double precision
 * that are written layer by layer over a table, and against finite differences.  -s SEED
 * repeats, -n is the number of networks.
 */
#include <math.h>
#include <string.h>

#include "adam.h"
#include "net.h"
#include "options.h"

#define LAYERS	4
#define WIDEST	64

static const int width[LAYERS + 1] = { 12, 20, 40, 40, 20 };

/* Return: sum of the last layer's outputs, each times its slope. */
static double oracle(const double *w, const double *in, const double *slope, double *out)
{
	double x[WIDEST], y[WIDEST];
	double sum = 0;
	int layer, i, o;

	memcpy(x, in, width[0] * sizeof(*x));
	for (layer = 0; layer < LAYERS; layer++) {
		const double *bias = w + width[layer] * width[layer + 1];

		for (o = 0; o < width[layer + 1]; o++) {
			y[o] = bias[o];
			for (i = 0; i < width[layer]; i++)
				y[o] += x[i] * w[i * width[layer + 1] + o];
			if (layer < LAYERS - 1)
				y[o] = fmax(y[o], 0);
		}
		memcpy(x, y, sizeof(x));
		w = bias + width[layer + 1];
	}
	for (o = 0; o < width[LAYERS]; o++) {
		out[o] = y[o];
		sum += slope[o] * y[o];
	}
	return sum;
}

/**
 * struct example - a network and its input
 * @net: the network
 * @in: a state
 * @slope: derivatives of a loss by the outputs
 * @wide_net: all that in double precision
 * @wide_in: same
 * @wide_slope: same
 */
struct example {
	struct net net;
	float in[NET_IN];
	float slope[NET_OUT];
	double wide_net[NET_PARAMS];
	double wide_in[NET_IN];
	double wide_slope[NET_OUT];
};

static void example_make(struct example *e, uint64_t seed)
{
	struct prng prng;
	int i;

	prng_seed(&prng, seed);
	net_init(&e->net, &prng);
	for (i = 0; i < NET_PARAMS; i++) {
		e->net.w[i] += 0.1f * prng_normal(&prng);
		e->wide_net[i] = e->net.w[i];
	}
	for (i = 0; i < NET_IN; i++) {
		e->in[i] = prng_uniform(&prng);
		e->wide_in[i] = e->in[i];
	}
	for (i = 0; i < NET_OUT; i++) {
		e->slope[i] = prng_normal(&prng);
		e->wide_slope[i] = e->slope[i];
	}
}

static void test_forward(struct example *e)
{
	double out[NET_OUT], worst = 0;
	struct net_trace t;
	int o;

	net_forward(&e->net, e->in, &t);
	oracle(e->wide_net, e->wide_in, e->wide_slope, out);
	for (o = 0; o < NET_OUT; o++)
		worst = fmax(worst, fabs((double)t.out[o] - out[o]) / fmax(1, fabs(out[o])));
	tap_ok(worst < 1e-5, "forward: within %.1e of the oracle", worst);
}

static void test_gradient(struct example *e)
{
	const double step = 1e-6;
	double out[NET_OUT], worst = 0;
	struct net gradient = { { 0 } };
	struct net_trace t;
	int i;

	net_forward(&e->net, e->in, &t);
	net_backward(&e->net, e->in, &t, e->slope, &gradient);
	for (i = 0; i < NET_PARAMS; i++) {
		double was = e->wide_net[i], above, below, slope;

		e->wide_net[i] = was + step;
		above = oracle(e->wide_net, e->wide_in, e->wide_slope, out);
		e->wide_net[i] = was - step;
		below = oracle(e->wide_net, e->wide_in, e->wide_slope, out);
		e->wide_net[i] = was;
		slope = (above - below) / (2 * step);
		worst = fmax(worst, fabs((double)gradient.w[i] - slope) / fmax(1, fabs(slope)));
	}
	tap_ok(worst <= 1e-3, "gradient: all %d within %.1e of finite differences", NET_PARAMS,
	       worst);
}

static void test_accumulates(struct example *e)
{
	struct net once = { { 0 } }, twice = { { 0 } };
	struct net_trace t;
	bool doubled = true;
	int i;

	net_forward(&e->net, e->in, &t);
	net_backward(&e->net, e->in, &t, e->slope, &once);
	net_backward(&e->net, e->in, &t, e->slope, &twice);
	net_backward(&e->net, e->in, &t, e->slope, &twice);
	for (i = 0; i < NET_PARAMS; i++)
		doubled = doubled && twice.w[i] == 2 * once.w[i];
	tap_ok(doubled, "gradient: a batch is a sum");
}

static void test_best(void)
{
	float value[NET_OUT] = { 0 };

	value[3] = 2;
	value[7] = 2;
	value[19] = 3;
	tap_ok(net_best(value, 0xfffff) == 19, "best: the highest");
	tap_ok(net_best(value, 0x7ffff) == 3, "best: of equal ones the first");
	tap_ok(net_best(value, 0x7fff7) == 7, "best: of those that may be taken");
	tap_ok(net_best(value, 1 << 5) == 5, "best: the only one");
	value[0] = -1;
	tap_ok(net_best(value, 0x30001) == 16, "best: 0 is more than -1");
}

static void test_adam(struct example *e)
{
	static double wide[NET_PARAMS], mean[NET_PARAMS], square[NET_PARAMS];
	static struct adam a;
	struct net n = e->net, gradient;
	double worst = 0;
	struct prng prng;
	int step, i;

	adam_init(&a);
	prng_seed(&prng, 1);
	memset(mean, 0, sizeof(mean));
	memset(square, 0, sizeof(square));
	memcpy(wide, e->wide_net, sizeof(wide));
	for (step = 1; step <= 50; step++) {
		for (i = 0; i < NET_PARAMS; i++) {
			double g = gradient.w[i] = prng_normal(&prng) * (i % 7 ? 1.0f : 0.001f);

			mean[i] = 0.9 * mean[i] + 0.1 * g;
			square[i] = 0.999 * square[i] + 0.001 * g * g;
			wide[i] -= 1e-3 * (mean[i] / (1 - pow(0.9, step))) /
				   (sqrt(square[i] / (1 - pow(0.999, step))) + 1e-8);
		}
		adam_step(&a, &n, &gradient, 1e-3f);
	}
	for (i = 0; i < NET_PARAMS; i++)
		worst = fmax(worst, fabs((double)n.w[i] - wide[i]));
	tap_ok(worst < 2e-5, "Adam: 50 steps within %.1e of the oracle", worst);

	adam_init(&a);
	n = e->net;
	memset(&gradient, 0, sizeof(gradient));
	gradient.w[5] = 0.01f;
	adam_step(&a, &n, &gradient, 0.5f);
	tap_ok(fabsf(e->net.w[5] - n.w[5] - 0.5f) < 1e-3f && n.w[6] == e->net.w[6],
	       "Adam: the first step is the step size, whatever the gradient's");
}

static void test_limit(void)
{
	struct net g = { { 0 } };

	g.w[0] = 3;
	g.w[NET_PARAMS - 1] = 4;
	tap_ok(adam_limit(&g, 6) == 5 && g.w[0] == 3, "norm: below the limit nothing happens");
	tap_ok(adam_limit(&g, 5) == 5 && g.w[0] == 3, "norm: nor at it");
	tap_ok(adam_limit(&g, 1) == 5 && fabsf(g.w[0] - 0.6f) < 1e-6f &&
	       fabsf(g.w[NET_PARAMS - 1] - 0.8f) < 1e-6f, "norm: above it all are scaled");
}

/* The authors' own outputs of this generator from seed 42. */
static void test_prng(void)
{
	static const uint32_t want[] = {
		0xc2f57bd6, 0x6b07c4a9, 0x72b7b29b, 0x44215383, 0xf5af5ead, 0x68beb632,
	};
	double sum = 0, squares = 0, lowest = 1, highest = 0;
	struct prng prng;
	bool same = true;
	size_t i;

	prng_seed(&prng, 42);
	for (i = 0; i < sizeof(want) / sizeof(*want); i++)
		same = same && prng_next(&prng) == want[i];
	tap_ok(same, "prng: its authors' numbers");
	for (i = 0; i < 100000; i++) {
		double x = prng_normal(&prng), u = prng_uniform(&prng);

		sum += x;
		squares += x * x;
		lowest = fmin(lowest, u);
		highest = fmax(highest, u);
		same = same && prng_below(&prng, 7) < 7;
	}
	tap_ok(fabs(sum / i) < 0.02 && fabs(squares / i - 1) < 0.02, "prng: mean 0 and variance 1");
	tap_ok(same && lowest >= 0 && lowest < 1e-3 && highest < 1 && highest > 0.999,
	       "prng: uniform numbers are below their limit");
}

static void test_init(void)
{
	static const int begin[LAYERS] = { 0, 260, 1100, 2740 };
	struct prng prng;
	struct net n;
	int layer, i;

	prng_seed(&prng, 3);
	net_init(&n, &prng);
	for (layer = 0; layer < LAYERS; layer++) {
		int weights = width[layer] * width[layer + 1];
		const float *w = n.w + begin[layer];
		double squares = 0;
		bool zero = true;

		for (i = 0; i < weights; i++)
			squares += (double)w[i] * (double)w[i];
		for (; i < weights + width[layer + 1]; i++)
			zero = zero && w[i] == 0;
		tap_ok(zero && fabs(squares / weights * width[layer] / 2 - 1) < 0.2,
		       "init: layer %d has variance 2 / inputs, and no biases", layer);
	}
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 5, "networks");
	static struct example e;
	unsigned long i;

	for (i = 0; i < o.n; i++) {
		example_make(&e, o.seed + i);
		test_forward(&e);
		test_gradient(&e);
	}
	test_accumulates(&e);
	test_best();
	test_adam(&e);
	test_limit();
	test_prng();
	test_init();
	return tap_done();
}
