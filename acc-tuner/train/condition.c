// SPDX-License-Identifier: GPL-2.0
/*
 * Conditions.
 */
#include <stdio.h>
#include <unistd.h>

#include "condition.h"

#define US	1000ULL
#define MS	1000000ULL

const struct condition condition_gate[] = {
	{ "dctcp, web search 50 %", SCENARIO_DCTCP, WORKLOAD_WEBSEARCH, 500000, 0 },
	{ "dctcp, web search 80 %", SCENARIO_DCTCP, WORKLOAD_WEBSEARCH, 800000, 0 },
	{ "dctcp, 4 endless + 20 %", SCENARIO_DCTCP, WORKLOAD_WEBSEARCH, 200000, 4 },
	{ "dcqcn, web search 50 %", SCENARIO_DCQCN, WORKLOAD_WEBSEARCH, 500000, 0 },
	{ "dcqcn, web search 80 %", SCENARIO_DCQCN, WORKLOAD_WEBSEARCH, 800000, 0 },
	{ "dcqcn, 4 endless + 20 %", SCENARIO_DCQCN, WORKLOAD_WEBSEARCH, 200000, 4 },
};

const uint32_t condition_gate_nr = ARRAY_SIZE(condition_gate);

const struct condition condition_unseen[] = {
	{ "dctcp, data mining 80 %", SCENARIO_DCTCP, WORKLOAD_DATAMINING, 800000, 0 },
	{ "dcqcn, data mining 70 %", SCENARIO_DCQCN, WORKLOAD_DATAMINING, 700000, 0 },
	{ "dctcp, web search 65 %", SCENARIO_DCTCP, WORKLOAD_WEBSEARCH, 650000, 0 },
	{ "dcqcn, web search 65 %", SCENARIO_DCQCN, WORKLOAD_WEBSEARCH, 650000, 0 },
	{ "dctcp, web search 85 %", SCENARIO_DCTCP, WORKLOAD_WEBSEARCH, 850000, 0 },
	{ "dcqcn, web search 85 %", SCENARIO_DCQCN, WORKLOAD_WEBSEARCH, 850000, 0 },
};

const uint32_t condition_unseen_nr = ARRAY_SIZE(condition_unseen);

int workloads_read(struct workloads *w, const char *folder)
{
	static const char *const name[] = { "websearch", "datamining" };
	char path[4096];
	uint32_t i;

	for (i = 0; i < WORKLOAD_NR; i++) {
		snprintf(path, sizeof(path), "%s/%s.cdf", folder, name[i]);
		if (access(path, R_OK)) {
			fprintf(stderr, "acc-train: %s: %m (--workloads names the folder)\n", path);
			return -1;
		}
		if (cdf_load(&w->sizes[i], path))
			return -1;
	}
	return 0;
}

void workloads_free(struct workloads *w)
{
	uint32_t i;

	for (i = 0; i < WORKLOAD_NR; i++)
		cdf_free(&w->sizes[i]);
}

static struct scenario condition_base(enum scenario_cc cc, const struct cdf *sizes)
{
	return (struct scenario) {
		.cc = cc,
		.rate_bps = CONDITION_RATE,
		.buffer = cc == SCENARIO_DCQCN ? CONDITION_BUFFER_PACED : CONDITION_BUFFER,
		.senders = CONDITION_SENDERS,
		.pool = true,
		.sizes = sizes,
	};
}

struct scenario condition_scenario(const struct condition *c, const struct workloads *w,
				   const uint64_t rtt_ns[2], uint64_t duration_ns, uint64_t seed)
{
	struct scenario x = condition_base(c->cc, &w->sizes[c->workload]);

	x.load_ppm = c->load_ppm;
	x.endless = c->endless;
	x.duration_ns = duration_ns;
	x.seed = seed;
	scenario_range(&x, rtt_ns[0], rtt_ns[1]);
	return x;
}

static uint32_t condition_load(struct prng *prng)
{
	uint32_t load;

	do
		load = 300000 + prng_below(prng, 61) * 10000;
	while (load == 650000 || load == 850000);
	return load;
}

static void condition_fan_in(struct prng *prng, struct scenario *x)
{
	x->fan_in = 2 + prng_below(prng, 63);
	/* 10 kB to 10 MB, each power of ten as likely; at most half of the link. */
	x->fan_in_bytes = 10000 + prng_below(prng, 90000);
	if (prng_below(prng, 3))
		x->fan_in_bytes *= 1 + prng_below(prng, 100);
	x->fan_in_ns = x->fan_in * x->fan_in_bytes * 16000000000ULL / x->rate_bps + MS;
	x->load_ppm = 100000 + prng_below(prng, 30) * 10000;
}

struct scenario condition_draw(struct prng *prng, const struct workloads *w)
{
	static const uint64_t rtt_ns[][2] = {
		{ 10 * US, 10 * US }, { 10 * US, 40 * US }, { 70 * US, 210 * US },
		{ 80 * US, 240 * US }, { 100 * US, 500 * US }, { 500 * US, 500 * US },
	};
	const uint64_t *rtt = rtt_ns[prng_below(prng, ARRAY_SIZE(rtt_ns))];
	struct scenario x = condition_base(prng_below(prng, 2), &w->sizes[WORKLOAD_WEBSEARCH]);
	uint32_t kind = prng_below(prng, 4);

	x.seed = (uint64_t)prng_next(prng) << 32 | prng_next(prng);
	x.duration_ns = (100 + prng_below(prng, 401)) * MS;
	scenario_range(&x, rtt[0], rtt[1]);
	if (kind == 3) {
		condition_fan_in(prng, &x);
	} else {
		x.load_ppm = condition_load(prng);
		if (kind == 2) {
			x.endless = 1U << prng_below(prng, 7);
			x.load_ppm /= 3;
		}
	}
	return x;
}
