// SPDX-License-Identifier: GPL-2.0
/* The algorithm against its table of vectors, and the oracle against the same. */
#include <inttypes.h>

#include "ecnsharp_vectors.h"
#include "oracle.h"
#include "../lib/tap.h"

static void algo_case(const struct ecnsharp_case *c)
{
	const struct ecnsharp_vector *failed = NULL;
	const char *what;

	what = ecnsharp_case_run(c, &failed);
	if (!tap_ok(!what, "ecnsharp_on_dequeue__%s", c->name))
		tap_remark("vector %u: %s differs", failed->nr, what);
}

static struct oracle_config oracle_config_of(const struct ecnsharp_params *p)
{
	return (struct oracle_config){
		.pst_target = p->pst_target_ns,
		.pst_interval = p->pst_interval_ns,
		.ins_target = p->ins_target_ns,
		.instantaneous = p->ins == ECNSHARP_INS_OFF ? ORACLE_INS_OFF :
				 p->ins == ECNSHARP_INS_RAMP ? ORACLE_INS_RAMP :
				 ORACLE_INS_CUT_OFF,
		.persistent = p->persistent,
		.length = p->length,
		.rate = p->rate_bps,
		.kmin = p->kmin,
		.kmax = p->kmax,
		.pmax_q32 = p->pmax_q32,
	};
}

/* A table that the paper contradicts would be worse than none. */
static void oracle_case(const struct ecnsharp_case *c)
{
	const struct oracle_config config = oracle_config_of(&c->params);
	struct oracle_state state = {
		.marking_state = c->start.marking,
		.marking_count = c->start.count,
		.marking_next = c->start.next_ns,
		.above = c->start.is_above,
		.first_above_time = c->start.first_above_ns,
	};
	struct oracle_verdict verdict;
	u32 i;

	for (i = 0; i < c->nr_vectors; i++) {
		const struct ecnsharp_vector *v = &c->vector[i];
		const struct oracle_packet pkt = {
			.now = v->x.now_ns,
			.sojourn = v->x.sojourn_ns,
			.backlog = v->x.backlog_bytes,
			.random = v->x.random,
		};

		verdict = horrible_ecnsharp(&config, &state, &pkt);
		if ((verdict.instantaneous ? 1u : 0u) +
		    (verdict.persistent ? 2u : 0u) != v->verdict ||
		    state.above != v->vars.is_above ||
		    state.marking_state != v->vars.marking ||
		    (state.marking_state &&
		     state.marking_next != v->vars.next_ns))
			break;
	}
	if (!tap_ok(i == c->nr_vectors, "oracle__%s", c->name))
		tap_remark("vector %u differs", c->vector[i].nr);
}

/* "Longer than six intervals", so that saturation is in the table. */
static void vectors_length(void)
{
	u64 longest = 0, saturated = 0;
	u32 i, j;

	for (i = 0; i < ECNSHARP_NR_CASES; i++) {
		const struct ecnsharp_case *c = &ecnsharp_cases[i];
		const struct ecnsharp_vector *last = &c->vector[c->nr_vectors - 1];
		u64 spanned = last->x.now_ns - c->vector[0].x.now_ns;

		if (spanned / c->params.pst_interval_ns > longest &&
		    last->stats.pst_episodes == 1) {
			longest = spanned / c->params.pst_interval_ns;
			saturated = last->stats.pst_saturated;
		}
		for (j = 1; j < c->nr_vectors; j++)
			if (c->vector[j].nr != c->vector[j - 1].nr + 1)
				tap_ok(false, "vector %u follows %u",
				       c->vector[j].nr, c->vector[j - 1].nr);
	}
	if (!tap_ok(longest > 6 && saturated > 6,
		    "vectors__longer_than_six_intervals"))
		tap_remark("longest %" PRIu64 " intervals, saturated %" PRIu64,
			   longest, saturated);
}

static void on_empty(void)
{
	struct ecnsharp_vars v = {
		.first_above_ns = 1, .next_ns = 2, .count = 3,
		.is_above = true, .marking = true,
	};

	ecnsharp_on_empty(&v);
	tap_ok(!v.is_above && !v.marking && !v.count, "ecnsharp_on_empty__forgets");
}

int main(void)
{
	u32 i;

	for (i = 0; i < ECNSHARP_NR_CASES; i++)
		algo_case(&ecnsharp_cases[i]);
	for (i = 0; i < ECNSHARP_NR_CASES; i++)
		oracle_case(&ecnsharp_cases[i]);
	vectors_length();
	on_empty();
	return tap_done();
}
