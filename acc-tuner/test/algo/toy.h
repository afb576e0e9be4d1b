/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A toy port, whose optimum is known: traffic of one of four kinds, each of which has a
 * template that is best for it.  The kind changes by chance, whatever is done.
 */
#ifndef ACC_TOY_H
#define ACC_TOY_H

#include "agent.h"

#define TOY_KINDS	4

/**
 * struct toy - a port
 * @prng: its chance
 * @kind: traffic at present
 * @present: template in force
 * @window: what the agent sees
 */
struct toy {
	struct prng prng;
	uint32_t kind;
	uint32_t present;
	struct feature_window window;
};

static const uint32_t toy_best[TOY_KINDS] = { 3, 16, 9, 6 };

/* The kind shows in the delay and in the load. */
static inline void toy_observe(struct toy *t)
{
	const struct feature_interval x = {
		.length_ns = 1000000,
		.rate_bps = 10000000000ULL,
		.tx_packets = 100 + 200 * t->kind,
		.tx_bytes = 150000 + 300000 * t->kind,
		.marked_packets = t->present,
		.marked_bytes = 1500 * t->present,
		.backlog_byte_us = 10000000ULL << 2 * (TOY_KINDS - t->kind),
	};

	feature_push(&t->window, &x, t->present, TEMPLATE_NR - 1);
}

static inline void toy_begin(struct toy *t, uint64_t seed)
{
	int i;

	*t = (struct toy){ .present = 10 };
	prng_seed(&t->prng, seed);
	for (i = 0; i < FEATURE_INTERVALS; i++)
		toy_observe(t);
}

/* Return: the reward of an interval with that template: 1, less a quarter for each place off. */
static inline float toy_step(struct toy *t, uint32_t action)
{
	uint32_t best = toy_best[t->kind];
	uint32_t off = action > best ? action - best : best - action;

	t->present = action;
	if (!prng_below(&t->prng, 20))
		t->kind = prng_below(&t->prng, TOY_KINDS);
	toy_observe(t);
	return off < 4 ? 1.0f - 0.25f * (float)off : 0.0f;
}

/**
 * toy_train() - let an agent learn
 * @t: the port
 * @a: the agent
 * @p: constants
 * @steps: decisions
 * @shuffle: give it rewards of another time, whatever it did
 */
static inline void toy_train(struct toy *t, struct agent *a, const struct agent_params *p,
			     uint32_t steps, bool shuffle)
{
	float past[64] = { 0 };
	uint32_t i;

	for (i = 0; i < steps; i++) {
		struct transition x;
		float real;

		memcpy(x.state, t->window.value, sizeof(x.state));
		x.action = agent_act(a, p, x.state, t->present, (1U << TEMPLATE_NR) - 1);
		real = toy_step(t, x.action);
		x.reward = shuffle ? past[prng_below(&t->prng, 64)] : real;
		past[prng_below(&t->prng, 64)] = real;
		memcpy(x.next, t->window.value, sizeof(x.next));
		replay_push(&a->replay, &x);
		agent_learn(a, p, (1U << TEMPLATE_NR) - 1);
	}
}

/* Return: mean reward of the best actions by the network, no chance. */
static inline float toy_judge(const struct net *n, uint64_t seed)
{
	uint32_t steps = 4000, i;
	double sum = 0;
	struct toy t;

	toy_begin(&t, seed);
	for (i = 0; i < steps; i++) {
		struct net_trace trace;

		net_forward(n, t.window.value, &trace);
		sum += (double)toy_step(&t, net_best(trace.out, (1U << TEMPLATE_NR) - 1));
	}
	return sum / steps;
}

#endif /* ACC_TOY_H */
