// SPDX-License-Identifier: GPL-2.0
/*
 * The agent.
 */
#include <string.h>

#include "agent.h"

#define AGENT_ONE_PPM	1000000

void agent_params_offline(struct agent_params *p, uint64_t decisions)
{
	*p = (struct agent_params) {
		.gamma = 0.9f,
		.rate = 0.0002f,
		.norm_most = 1.0f,
		.batch = 64,
		.target_every = 1000,
		.explore_begin = AGENT_ONE - AGENT_ONE * 5 / 100,
		.explore_least = AGENT_ONE * 5 / 100,
		.explore_decay = decisions * 15 / 100,
	};
}

void agent_params_online(struct agent_params *p, uint32_t explore_ppm)
{
	*p = (struct agent_params) {
		.gamma = 0.9f,
		.rate = 0.0002f,
		.norm_most = 1.0f,
		.batch = 64,
		.target_every = 1000,
		.explore_least = AGENT_ONE * explore_ppm / AGENT_ONE_PPM,
		.explore_decay = 1,
		.neighbours = true,
	};
}

void agent_load(struct agent *a, const struct net *n)
{
	a->net = *n;
	a->target = *n;
	adam_init(&a->adam);
}

void agent_init(struct agent *a, const struct agent_params *p, struct transition *transitions,
		uint32_t capacity, uint64_t seed)
{
	struct net n;

	memset(a, 0, sizeof(*a));
	prng_seed(&a->prng, seed);
	net_init(&n, &a->prng);
	agent_load(a, &n);
	replay_init(&a->replay, transitions, capacity);
	a->explore = p->explore_begin;
}

/* The @n-th of the bits that are set. */
static uint32_t agent_bit(uint32_t bits, uint32_t n)
{
	while (n--)
		bits &= bits - 1;
	return __builtin_ctz(bits);
}

static uint32_t agent_random(struct agent *a, const struct agent_params *p, uint32_t present,
			     uint32_t allowed)
{
	uint32_t near = (1U << (present + 1) | 1U << present >> 1) & allowed;

	if (p->neighbours)
		allowed = near ? near : allowed;
	return agent_bit(allowed, prng_below(&a->prng, __builtin_popcount(allowed)));
}

uint32_t agent_act(struct agent *a, const struct agent_params *p, const float state[NET_IN],
		   uint32_t present, uint32_t allowed)
{
	bool explores = prng_next(&a->prng) < a->explore + p->explore_least;
	struct net_trace t;

	a->explore -= a->explore / p->explore_decay;
	if (explores)
		return agent_random(a, p, present, allowed);
	net_forward(&a->net, state, &t);
	return net_best(t.out, allowed);
}

float agent_huber(float error)
{
	float size = error < 0.0f ? -error : error;

	return size <= 1.0f ? 0.5f * error * error : size - 0.5f;
}

float agent_huber_slope(float error)
{
	if (error > 1.0f)
		return 1.0f;
	return error < -1.0f ? -1.0f : error;
}

/* y: the network chooses the next action, the older copy says what it is worth. */
static float agent_target(const struct agent *a, const struct agent_params *p,
			  const struct transition *x, uint32_t allowed)
{
	struct net_trace t;
	uint32_t best;

	net_forward(&a->net, x->next, &t);
	best = net_best(t.out, allowed);
	net_forward(&a->target, x->next, &t);
	return x->reward + p->gamma * t.out[best];
}

float agent_learn(struct agent *a, const struct agent_params *p, uint32_t allowed)
{
	float loss = 0.0f;
	uint32_t i;

	if (a->replay.count < p->batch)
		return 0.0f;
	memset(&a->gradient, 0, sizeof(a->gradient));
	for (i = 0; i < p->batch; i++) {
		const struct transition *x = replay_pick(&a->replay, &a->prng);
		float slope[NET_OUT] = { 0 };
		struct net_trace t;
		float error;

		net_forward(&a->net, x->state, &t);
		error = t.out[x->action] - agent_target(a, p, x, allowed);
		loss += agent_huber(error);
		slope[x->action] = agent_huber_slope(error) / (float)p->batch;
		net_backward(&a->net, x->state, &t, slope, &a->gradient);
	}
	adam_limit(&a->gradient, p->norm_most);
	adam_step(&a->adam, &a->net, &a->gradient, p->rate);
	if (++a->updates % p->target_every == 0)
		a->target = a->net;
	return loss / (float)p->batch;
}
