// SPDX-License-Identifier: GPL-2.0
/*
 * Episodes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "episode.h"

struct feature_interval episode_interval(const struct bottleneck_count *now,
					 struct bottleneck_count *past, uint64_t length_ns,
					 uint64_t rate_bps)
{
	struct feature_interval x = {
		.length_ns = length_ns,
		.rate_bps = rate_bps,
		.tx_packets = now->tx_packets - past->tx_packets,
		.tx_bytes = now->tx_bytes - past->tx_bytes,
		.marked_packets = now->marked_packets - past->marked_packets,
		.marked_bytes = now->marked_bytes - past->marked_bytes,
		.backlog_byte_us = (now->backlog_byte_ns - past->backlog_byte_ns) / 1000,
	};

	*past = *now;
	return x;
}

void episode_open(struct sim *s, const struct scenario *x)
{
	char why[200];

	if (sim_open(s, x, why, sizeof(why))) {
		fprintf(stderr, "acc-train: %s\n", why);
		exit(1);
	}
}

/**
 * struct episode_class - completion times of a class of flows
 * @sum_ns: their sum
 * @n: how many
 */
struct episode_class {
	uint64_t sum_ns;
	uint64_t n;
};

static void episode_add(struct episode_class *c, uint64_t ns)
{
	c->sum_ns += ns;
	c->n++;
}

static uint64_t episode_mean(const struct episode_class *c)
{
	return c->n ? c->sum_ns / c->n : 0;
}

static void episode_flows(const struct sim *s, struct episode_result *r)
{
	struct episode_class all = { 0 }, small = { 0 }, large = { 0 };
	uint64_t bytes = 0;
	uint32_t i;

	for (i = 0; i < s->flows; i++) {
		const struct sim_flow *f = &s->flow[i];
		uint64_t ns = f->end_ns - f->start_ns;

		if (!f->size)
			bytes += f->delivered;
		else if (!f->end_ns)
			r->unfinished++;
		if (!f->size || !f->end_ns)
			continue;
		episode_add(&all, ns);
		if (f->size <= EPISODE_SHORT_BYTES)
			episode_add(&small, ns);
		if (f->size >= EPISODE_LARGE_BYTES)
			episode_add(&large, ns);
	}
	r->flows = all.n;
	r->all_ns = episode_mean(&all);
	r->short_ns = episode_mean(&small);
	r->large_ns = episode_mean(&large);
	r->endless_bps = (__uint128_t)bytes * 8000000000ULL / s->scenario.duration_ns;
}

/* ln(value), parts of 2^32; of a class without flows 0, so that it does not count. */
static int64_t episode_ln(uint64_t value)
{
	return value ? (int64_t)neg_ln_q32(0) - (int64_t)neg_ln_q32(value - 1) : 0;
}

static int64_t episode_cost(const struct scenario *x, const struct episode_result *r)
{
	if (x->endless)
		return (episode_ln(r->short_ns) - episode_ln(r->endless_bps)) / 2;
	return (episode_ln(r->short_ns) + episode_ln(r->large_ns)) / 2;
}

static bool episode_same(const struct template *a, const struct template *b)
{
	return a->kmin_ns == b->kmin_ns && a->kmax_ns == b->kmax_ns && a->pmax_ppm == b->pmax_ppm;
}

/* Decisions, up to the scenario's duration; after that the last one stays. */
static void episode_decide(struct sim *s, const struct episode_times *times,
			   struct policy *policy, struct episode_result *r)
{
	struct bottleneck_count past = { 0 }, now;
	struct template t = policy_begin(policy);
	struct feature_interval x;
	uint32_t n = 0, form;

	bottleneck_set(&s->port, &t);
	while (s->now_ns + times->interval_ns <= s->scenario.duration_ns) {
		uint64_t begin_ns = s->now_ns;
		struct template next;

		sim_run(s, begin_ns + times->delay_ns);
		bottleneck_set(&s->port, &t);
		sim_run(s, begin_ns + times->interval_ns);
		now = bottleneck_read(&s->port, s->now_ns);
		x = episode_interval(&now, &past, times->interval_ns, s->scenario.rate_bps);
		for (form = 0; form < REWARD_NR; form++)
			r->reward[form] += (double)reward(form, &x);
		n++;
		next = policy_decide(policy, &x);
		r->changes += !episode_same(&next, &t);
		t = next;
	}
	bottleneck_set(&s->port, &t);
	r->decisions = policy->decisions;
	memcpy(r->taken, policy->taken, sizeof(r->taken));
	memcpy(r->seen, policy->seen, sizeof(r->seen));
	for (form = 0; n && form < REWARD_NR; form++)
		r->reward[form] /= n;
}

void episode_run(const struct scenario *x, const struct episode_times *times,
		 struct policy *policy, struct episode_result *result)
{
	struct bottleneck_count none = { 0 }, now;
	struct feature_interval whole;
	struct sim s;

	*result = (struct episode_result){};
	episode_open(&s, x);
	episode_decide(&s, times, policy, result);
	now = bottleneck_read(&s.port, s.now_ns);
	whole = episode_interval(&now, &none, s.now_ns ? s.now_ns : 1, x->rate_bps);
	result->delay_ns = feature_delay_ns(&whole);
	result->utilisation = feature_utilisation(&whole);
	result->marked = feature_marked_fraction(&whole);
	while (!sim_is_over(&s) && s.now_ns < EPISODE_DRAIN * x->duration_ns)
		sim_run(&s, s.now_ns + x->duration_ns / 16 + 1);
	result->drops = s.port.count.drops;
	episode_flows(&s, result);
	result->cost = episode_cost(x, result);
	sim_close(&s);
}
