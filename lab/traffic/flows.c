// SPDX-License-Identifier: GPL-2.0
/*
 * Every flow of a run, drawn before it starts
 *
 * Drawing them beforehand makes the traffic independent of what the network
 * does with it: runs that differ only in the AQM see the same flows with the
 * same ids. Each group has one random stream for each purpose, so a change of
 * load keeps the sizes, and a change of the sizes keeps the arrivals' shape.
 *
 * Poisson arrivals: the mean gap in ns, Q16, is
 *
 *	gap = mean size * 8 / (rate * load) * 10^9 * 2^16
 *
 * and each gap is that times an exponential of mean 1 in Q32. Times add up in
 * Q16, so that no rounding accumulates. Queries that follow one another as
 * a Poisson process have the same, their period in the place of that mean.
 *
 * Workers of a closed loop: when their requests start is up to the network, so as
 * many are drawn as there may be, and those for which there is no time never begin.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flows.h"

/* Streams of a group, one per purpose. */
struct streams {
	struct rng gap;
	struct rng size;
	struct rng pair;
	struct rng jitter;
	struct rng pick;
};

/* A group being drawn: where its flows go, and how many there are. */
struct draft {
	struct flows *flows;
	size_t capacity;
	const struct group *g;
	u32 group;
	u32 order;
	u32 *deck;		/* of senders, those dealt first */
	u32 dealt;
	struct streams rng;
};

static int draft_add(struct draft *d, u64 planned, u64 size, u32 sender, u32 receiver,
		     u32 query)
{
	const struct group *g = d->g;
	struct flows *flows = d->flows;
	struct flow *f;

	if (flows->n == FLOWS_MAX)
		return complain(NULL, "group '%s': more than %u flows in all", d->g->name,
				FLOWS_MAX);
	if (flows->n == d->capacity) {
		d->capacity = d->capacity ? 2 * d->capacity : 1024;
		f = realloc(flows->flow, d->capacity * sizeof(*f));
		if (!f)
			return complain(NULL, "out of memory");
		flows->flow = f;
	}
	f = &flows->flow[flows->n++];
	*f = (struct flow) {
		.planned = planned,
		.size = size,
		.pace_bps = g->kind == KIND_LONG && !cc_is_rated(g->cc) ? g->rate : 0,
		.group = d->group,
		.sender = sender,
		.receiver = receiver,
		.query = query,
		.order = d->order++,
		.retrans = UNKNOWN,
		.timeouts = UNKNOWN,
		.delivered_ce = UNKNOWN,
		.min_rtt_us = UNKNOWN,
	};
	return 0;
}

static u32 draw_host(const struct host_list *list, struct rng *r)
{
	return list->index[rng_below(r, list->n)];
}

/* The sender whose turn it is, passing over the receiver itself. */
static u32 next_sender(const struct group *g, u32 receiver, u64 *turn)
{
	u32 sender;

	do
		sender = g->senders.index[(*turn)++ % g->senders.n];
	while (sender == receiver);
	return sender;
}

static int draft_poisson(struct draft *d)
{
	const struct group *g = d->g;
	/* below 2^71 * 2^22 * 2^16; the rate's 2^44 times the load's 2^20 */
	u128 gap = (cdf_sum2(&g->cdf) * 4 * PPM << 16) / ((u128)g->rate * g->load);
	u128 t = (u128)g->from << 16, end = (u128)g->until << 16;
	u32 sender, receiver;

	if (!gap || (end - t) / gap > FLOWS_MAX)
		return complain(NULL, "group '%s': rate, load and until make more than %u flows",
				g->name, FLOWS_MAX);
	for (;;) {
		/* times an exponential's 2^38 it must fit; no flow comes in 2^72 ns */
		if (gap >> 88)
			break;
		t += gap * rng_exp_q32(&d->rng.gap) >> 32;
		if (t >= end)
			break;
		receiver = draw_host(&g->receivers, &d->rng.pair);
		do
			sender = draw_host(&g->senders, &d->rng.pair);
		while (sender == receiver);
		if (draft_add(d, t >> 16, cdf_draw(&g->cdf, &d->rng.size), sender, receiver, 0))
			return -1;
	}
	return 0;
}

/* A sender that this query has not had, or not more often than the others. */
static u32 deal_sender(struct draft *d, u32 receiver)
{
	u32 n = d->g->senders.n, *deck = d->deck, i, sender;

	do {
		if (d->dealt == n)
			d->dealt = 0;
		i = d->dealt + rng_below(&d->rng.pick, n - d->dealt);
		sender = deck[i];
		deck[i] = deck[d->dealt];
		deck[d->dealt++] = sender;
	} while (sender == receiver);
	return sender;
}

/* The flows of one query. */
static int draft_flows(struct draft *d, u64 at, u32 query, u64 *turn)
{
	const struct group *g = d->g;
	u32 receiver = draw_host(&g->receivers, &d->rng.pair), sender;
	u64 i, planned, size;

	d->dealt = 0;
	for (i = 0; i < g->flows; i++) {
		planned = at + rng_below(&d->rng.jitter, g->jitter + 1);
		size = g->lo + rng_below(&d->rng.size, g->hi - g->lo + 1);
		sender = g->pick ? deal_sender(d, receiver) : next_sender(g, receiver, turn);
		if (draft_add(d, planned, size, sender, receiver, query))
			return -1;
	}
	return 0;
}

static int draft_queries(struct draft *d)
{
	const struct group *g = d->g;
	u128 gap = (u128)g->period << 16, t = (u128)g->at << 16, end = (u128)g->until << 16;
	u64 query, turn = 0;

	if (end && ((end - t) / gap + 1) * g->flows > FLOWS_MAX)
		return complain(NULL, "group '%s': flows, period and until make more than %u flows",
				g->name, FLOWS_MAX);
	if (g->poisson)
		t += gap * rng_exp_q32(&d->rng.gap) >> 32;
	for (query = 0; end ? t < end : query < g->count; query++) {
		if (draft_flows(d, t >> 16, query, &turn))
			return -1;
		t += g->poisson ? gap * rng_exp_q32(&d->rng.gap) >> 32 : gap;
	}
	return 0;
}

static int draft_query(struct draft *d)
{
	size_t size = d->g->senders.n * sizeof(*d->deck);
	int ret;

	d->deck = malloc(size);
	if (!d->deck)
		return complain(NULL, "out of memory");
	memcpy(d->deck, d->g->senders.index, size);
	ret = draft_queries(d);
	free(d->deck);
	return ret;
}

static int draft_long(struct draft *d)
{
	const struct group *g = d->g;
	u64 i, turn = 0;
	u32 receiver;

	for (i = 0; i < g->flows; i++) {
		receiver = g->receivers.index[i % g->receivers.n];
		if (draft_add(d, g->from, g->size, next_sender(g, receiver, &turn), receiver, 0))
			return -1;
	}
	return 0;
}

/* Requests of one round after the other: a worker's next is @depth places further on. */
static int draft_closed(struct draft *d)
{
	const struct group *g = d->g;
	u32 worker, receiver, round;
	u64 turn, size;

	if (g->depth * g->count > FLOWS_MAX)
		return complain(NULL, "group '%s': depth and count make more than %u flows",
				g->name, FLOWS_MAX);
	for (round = 0; round < g->count; round++) {
		turn = 0;
		for (worker = 0; worker < g->depth; worker++) {
			receiver = g->receivers.index[worker % g->receivers.n];
			size = g->lo + rng_below(&d->rng.size, g->hi - g->lo + 1);
			if (draft_add(d, g->from, size, next_sender(g, receiver, &turn), receiver,
				      worker))
				return -1;
			d->flows->flow[d->flows->n - 1].chained = round;
		}
	}
	return 0;
}

static int compare_flows(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;

	if (x->planned != y->planned)
		return x->planned < y->planned ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

int flows_build(struct flows *flows, const struct traffic *t, u64 seed)
{
	static int (*const draft[])(struct draft *d) = {
		[KIND_POISSON] = draft_poisson,
		[KIND_QUERY] = draft_query,
		[KIND_LONG] = draft_long,
		[KIND_CLOSED] = draft_closed,
	};
	struct draft d = { .flows = flows };
	int ret = 0;

	flows->flow = NULL;
	flows->n = 0;
	for (d.group = 0; d.group < t->groups; d.group++) {
		d.g = &t->group[d.group];
		d.order = 0;
		rng_seed(&d.rng.gap, seed, d.g->name, "gap");
		rng_seed(&d.rng.size, seed, d.g->name, "size");
		rng_seed(&d.rng.pair, seed, d.g->name, "pair");
		rng_seed(&d.rng.jitter, seed, d.g->name, "jitter");
		rng_seed(&d.rng.pick, seed, d.g->name, "pick");
		ret = draft[d.g->kind](&d);
		if (ret) {
			flows_free(flows);
			return ret;
		}
	}
	if (flows->n)
		qsort(flows->flow, flows->n, sizeof(*flows->flow), compare_flows);
	return 0;
}

void flows_print(const struct flows *flows, const struct traffic *t, FILE *f)
{
	u32 id;

	fputs("id,group,sender,receiver,size_bytes,start_ns,query\n", f);
	for (id = 0; id < flows->n; id++) {
		const struct flow *flow = &flows->flow[id];

		fprintf(f, "%" PRIu32 ",%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 "\n", id,
			t->group[flow->group].name, t->host[flow->sender].name,
			t->host[flow->receiver].name, flow->size, flow->planned, flow->query);
	}
}

void flows_free(struct flows *flows)
{
	free(flows->flow);
	flows->flow = NULL;
	flows->n = 0;
}
