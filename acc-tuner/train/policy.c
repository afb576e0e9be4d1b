// SPDX-License-Identifier: GPL-2.0
/*
 * Policies.
 */
#include "policy.h"

#define POLICY_ALL	((1U << TEMPLATE_NR) - 1)

struct template policy_begin(struct policy *p)
{
	switch (p->kind) {
	case POLICY_STATIC:
		return p->fixed;
	case POLICY_FOLLOW:
		follow_begin(&p->follow);
		return (struct template){ FOLLOW_KMIN_NS, FOLLOW_BEGIN_NS, TEMPLATE_ONE_PPM };
	default:
		p->window = (struct feature_window){};
		p->idle = (struct idle){};
		p->present = POLICY_FIRST;
		return p->template[p->present];
	}
}

static uint32_t policy_by_chance(struct policy *p)
{
	uint64_t sum = 0, place;
	uint32_t a;

	for (a = 0; a < TEMPLATE_NR; a++)
		sum += p->taken[a];
	if (!sum)
		return p->present;
	place = ((uint64_t)prng_next(&p->prng) << 32 | prng_next(&p->prng)) % sum;
	for (a = 0; place >= p->taken[a]; a++)
		place -= p->taken[a];
	return a;
}

static uint32_t policy_choose(const struct policy *p)
{
	struct feature_window seen = p->window;
	struct net_trace trace;
	uint32_t i;

	if (p->kind == POLICY_FROZEN)
		for (i = 0; i < FEATURE_STATE; i++)
			seen.value[i] = p->mean[i % FEATURE_NR];
	net_forward(p->net, seen.value, &trace);
	return net_best(trace.out, POLICY_ALL);
}

static void policy_act(struct policy *p)
{
	uint32_t action, i;

	if (p->kind == POLICY_HISTOGRAM) {
		p->present = policy_by_chance(p);
		return;
	}
	action = policy_choose(p);
	p->taken[action]++;
	p->decisions++;
	for (i = 0; i < FEATURE_NR; i++)
		p->seen[i] += (double)p->window.value[FEATURE_STATE - FEATURE_NR + i];
	p->present = action;
}

struct template policy_decide(struct policy *p, const struct feature_interval *x)
{
	const struct template *t;

	if (p->kind == POLICY_STATIC)
		return p->fixed;
	if (p->kind == POLICY_FOLLOW)
		return follow_on_interval(&p->follow, x);

	feature_push(&p->window, x, p->present, TEMPLATE_NR - 1);
	t = &p->template[p->present];
	/* An idle queue needs no decision, and keeps its setting. */
	if (!idle_on_interval(&p->idle, feature_delay_ns(x), t->kmin_ns, reward(p->reward, x)) &&
	    feature_is_full(&p->window))
		policy_act(p);
	return p->template[p->kind == POLICY_PERMUTED ? p->permutation[p->present] : p->present];
}
