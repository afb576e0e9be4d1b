// SPDX-License-Identifier: GPL-2.0
/*
 * Ranks, policies, runs by several processes, the numbers of a study.
 */
#include <math.h>
#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "jobs.h"
#include "policy.h"
#include "rank.h"
#include "study.h"

#define MS	1000000ULL

static void test_ranks(void)
{
	static const double up[] = { 1, 2, 30, 400 }, other[] = { -7, 0, 2, 3 };
	static const double down[] = { 4, 3, 2, 1 }, same[] = { 5, 5, 5, 5 };
	static const double ties[] = { 1, 2, 2, 3 };

	tap_ok(rank_correlation(up, other, 4) == 1, "the same order has rho 1");
	tap_ok(rank_correlation(up, down, 4) == -1, "the reverse order has rho -1");
	tap_ok(rank_correlation(up, same, 4) == 0, "no order has rho 0");
	/* Ranks 1, 2.5, 2.5, 4 with 1, 2, 3, 4: 4.5 / sqrt(4.5 x 5). */
	tap_ok(fabs(rank_correlation(ties, up, 4) - sqrt(4.5 / 5)) < 0.000001,
	       "equal numbers share a rank");
}

static void square(uint32_t i, void *result, const void *context)
{
	*(uint64_t *)result = (uint64_t)i * i + *(const uint64_t *)context;
}

static void test_jobs(void)
{
	const uint64_t more = 7;
	struct jobs j = { "squares", 100, 3, sizeof(uint64_t), square, &more };
	uint64_t *result = jobs_run(&j);
	bool right = result;
	uint32_t i;

	for (i = 0; right && i < j.count; i++)
		right = result[i] == (uint64_t)i * i + 7;
	tap_ok(right, "each run's result is at its place, whichever process it is from");
	if (result)
		jobs_free(&j, result);
}

/* A network that always takes one action. */
static void prefer(struct net *n, uint32_t action)
{
	*n = (struct net){};
	n->w[NET_PARAMS - NET_OUT + action] = 1;
}

static bool is_template(const struct template *a, const struct template *b)
{
	return a->kmin_ns == b->kmin_ns && a->kmax_ns == b->kmax_ns && a->pmax_ppm == b->pmax_ppm;
}

/* Settings of a policy after some busy intervals; rewards differ, so that it is not idle. */
static struct template decided(struct policy *p)
{
	struct template t = policy_begin(p);
	int i;

	for (i = 0; i < 10; i++) {
		const struct feature_interval x = {
			.length_ns = MS, .rate_bps = 10000000000ULL, .tx_packets = 400 + i,
			.tx_bytes = 600000 + 1500 * i, .backlog_byte_us = 100000000,
		};

		t = policy_decide(p, &x);
	}
	return t;
}

static void test_policies(void)
{
	struct template t[TEMPLATE_NR], seen;
	uint32_t permutation[TEMPLATE_NR], i;
	float mean[FEATURE_NR] = { 0 };
	struct policy p = { .kind = POLICY_NET, .template = t };
	struct net net;

	template_fill(TEMPLATE_RAMP20, t);
	prefer(&net, 17);
	p.net = &net;
	seen = decided(&p);
	tap_ok(is_template(&seen, &t[17]) && p.taken[17] && !p.taken[16],
	       "a network's best action is set, and counted");

	for (i = 0; i < TEMPLATE_NR; i++)
		permutation[i] = TEMPLATE_NR - 1 - i;
	p = (struct policy){ .kind = POLICY_PERMUTED, .template = t, .net = &net,
			     .permutation = permutation };
	seen = decided(&p);
	tap_ok(is_template(&seen, &t[2]) && p.present == 17,
	       "permuted: another one is set, and the network does not know");

	p = (struct policy){ .kind = POLICY_FROZEN, .template = t, .net = &net, .mean = mean };
	/* An input of the first feature alone would lead elsewhere. */
	seen = decided(&p);
	tap_ok(is_template(&seen, &t[17]), "frozen: it decides by the means");

	p = (struct policy){ .kind = POLICY_HISTOGRAM, .template = t };
	p.taken[4] = 1;
	seen = decided(&p);
	tap_ok(is_template(&seen, &t[4]), "by chance: only actions that were taken");

	p = (struct policy){ .kind = POLICY_FOLLOW };
	seen = decided(&p);
	tap_ok(seen.kmax_ns == FOLLOW_BEGIN_NS, "the rule that follows stays without marks");
}

static struct cdf_point point[] = { { 10000, 300000000 }, { 100000, 800000000 },
				    { 10000000, CDF_ONE } };

static void test_study(void)
{
	struct workloads w = { .sizes = { { point, 3 }, { point, 3 } } };
	struct template t[TEMPLATE_NR];
	static struct settings settings;
	struct study s = {
		.settings = &settings, .condition = condition_gate, .conditions = 2,
		.workloads = &w, .rtt_ns = { 70000, 210000 }, .duration_ns = 10 * MS,
		.times = { .interval_ns = MS }, .first_seed = 1, .seeds = 1, .processes = 1,
	};
	struct episode_result *first;
	size_t bytes;
	bool least = true;
	uint32_t i;

	template_fill(TEMPLATE_RAMP20, t);
	settings_begin(&settings, t);
	tap_ok(!study_run(&s), "a study runs");
	for (i = 0; i < TEMPLATE_NR; i++)
		least = least && study_loss(&s, i, 0) >= 0 && study_mean_loss(&s, i) >= 0;
	tap_ok(least && study_loss(&s, study_best(&s, 1), 1) == 0,
	       "no template is better than the best one");
	tap_ok(study_mean_loss(&s, study_best_single(&s)) <= study_mean_loss(&s, 3) &&
	       study_worst_loss(&s, 3) >= study_loss(&s, 3, 0), "best single, worst condition");

	first = s.result;
	s.processes = 2;
	bytes = settings.count * s.conditions * s.seeds * sizeof(*first);
	tap_ok(!study_run(&s) && !memcmp(first, s.result, bytes),
	       "two processes have the same results");
	study_free(&s);
}

int main(void)
{
	test_ranks();
	test_jobs();
	test_policies();
	test_study();
	return tap_done();
}
