// SPDX-License-Identifier: GPL-2.0
/*
 * When packets of a flow at a constant mean rate are sent (cc=cbr)
 */
#include <stdio.h>

#include "pattern.h"

/* The largest number whose cube is not above; of at most 2^114. */
static u64 cube_root(u128 value)
{
	u64 root = 0;
	int bit;

	for (bit = 38; bit >= 0; bit--) {
		u64 more = root | 1ULL << bit;

		if ((u128)more * more * more <= value)
			root = more;
	}
	return root;
}

/*
 * A uniform u makes x = least / u^(1 / shape), whose mean is 3 times the least with shape 1.5.
 * With u = n / 2^32 the factor is the cube root of 2^64 / n^2, and in Q16 of 2^112 / n^2.
 */
u64 pattern_pareto_ns(u64 mean_ns, u32 uniform)
{
	u64 n = (u64)uniform + 1;
	u64 factor = cube_root(((u128)1 << 112) / ((u128)n * n));

	return (u128)mean_ns * factor / 3 >> 16;
}

static u64 wire_ns(struct pattern *p, u64 wire_bytes, u64 rate_bps)
{
	u128 scaled = (u128)wire_bytes * 8 * NSEC_PER_SEC + p->rest;

	p->rest = scaled % rate_bps;
	return scaled / rate_bps;
}

/* Packet times from one packet to the next: a geometric number, at least 1. */
static u64 bernoulli_slots(struct pattern *p)
{
	u64 none = p->line_bps - p->rate_bps;
	u64 per_slot = neg_ln_q32((((u128)none << 64) - 1) / p->line_bps);

	return none ? 1 + rng_exp_q32(&p->rng) / per_slot : 1;
}

static u64 off_ns(struct pattern *p)
{
	u64 mean = (u128)PATTERN_ON_NS * (p->line_bps - p->rate_bps) / p->rate_bps;

	return pattern_pareto_ns(mean, rng_next(&p->rng) >> 32);
}

static void draw_on(struct pattern *p)
{
	p->on_ns = pattern_pareto_ns(PATTERN_ON_NS, rng_next(&p->rng) >> 32);
}

u64 pattern_init(struct pattern *p, enum pattern_kind kind, u64 rate_bps, u64 line_bps,
		 u64 seed, u64 flow)
{
	char owner[24];

	*p = (struct pattern){ .kind = kind, .rate_bps = rate_bps, .line_bps = line_bps };
	snprintf(owner, sizeof(owner), "%llu", (unsigned long long)flow);
	rng_seed(&p->rng, seed, owner, "pattern");
	if (kind != PATTERN_ONOFF)
		return 0;
	draw_on(p);
	return off_ns(p);
}

u64 pattern_next(struct pattern *p, u64 wire_bytes)
{
	u64 ns;

	if (p->kind == PATTERN_CBR)
		return wire_ns(p, wire_bytes, p->rate_bps);
	if (p->kind == PATTERN_BERNOULLI)
		return wire_ns(p, wire_bytes * bernoulli_slots(p), p->line_bps);
	ns = wire_ns(p, wire_bytes, p->line_bps);
	if (p->on_ns > ns) {
		p->on_ns -= ns;
		return ns;
	}
	draw_on(p);
	return ns + off_ns(p);
}
