// SPDX-License-Identifier: GPL-2.0
/*
 * SHA-256 of what an agent knows after 1,500 decisions on the toy port, for determinism.sh,
 * which compares it between compilers.
 */
#include <stdio.h>
#include <string.h>

#include "../../../lib/digest.h"
#include "follow.h"
#include "guard.h"
#include "reward.h"
#include "toy.h"

#define STEPS	1500

static struct transition transitions[STEPS];
static struct agent agent;

/* Decisions of rules and the guard in the same time. */
static void digest_rules(struct sha256_ctx *sha)
{
	const struct guard_params p = { 100000, GUARD_HOLDOFF_NS, GUARD_HOLDOFF_MOST_NS };
	struct guard_vars guard;
	struct follow follow;
	struct prng prng;
	uint32_t i, form;

	prng_seed(&prng, 1);
	guard_begin(&p, &guard);
	follow_begin(&follow);
	for (i = 0; i < STEPS * 20; i++) {
		const struct feature_interval x = {
			.length_ns = 1000000, .rate_bps = 10000000000ULL,
			.tx_packets = prng_below(&prng, 820),
			.tx_bytes = prng_below(&prng, 1230000),
			.marked_bytes = prng_below(&prng, 2) * prng_below(&prng, 100000),
			.backlog_byte_us = prng_next(&prng),
		};
		float all[REWARD_NR];
		const struct guard_interval seen = {
			.now_ns = i * 1000000ULL, .reward = reward(i % REWARD_NR, &x), .random = prng_next(&prng),
			.delay_ns = feature_delay_ns(&x), .utilisation = feature_utilisation(&x),
		};

		for (form = 0; form < REWARD_NR; form++)
			all[form] = reward(form, &x);
		guard_on_interval(&p, &guard, &seen);
		follow_on_interval(&follow, &x);
		sha256_update(sha, sizeof(all), (const uint8_t *)all);
		sha256_update(sha, sizeof(follow.kmax_ns), (const uint8_t *)&follow.kmax_ns);
		sha256_update(sha, sizeof(guard.difference), (const uint8_t *)guard.difference);
	}
}

int main(void)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct agent_params p;
	struct sha256_ctx sha;
	struct toy toy;
	size_t i;

	agent_params_offline(&p, STEPS);
	agent_init(&agent, &p, transitions, STEPS, 1);
	toy_begin(&toy, 1);
	toy_train(&toy, &agent, &p, STEPS, false);

	sha256_init(&sha);
	sha256_update(&sha, sizeof(agent.net), (const uint8_t *)&agent.net);
	sha256_update(&sha, sizeof(agent.adam), (const uint8_t *)&agent.adam);
	digest_rules(&sha);
	digest_sha256(&sha, digest);
	for (i = 0; i < sizeof(digest); i++)
		printf("%02x", digest[i]);
	putchar('\n');
	return 0;
}
