// SPDX-License-Identifier: GPL-2.0
/*
 * SHA-256 of when flows ended in some runs, and of what the port counted, for determinism.sh.
 *
 *	digest [SEED]
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../../lib/digest.h"
#include "scenarios.h"

static void digest_run(struct sha256_ctx *sha, const struct scenario *x)
{
	static const struct template t = { 6500, 105000, 300000 };
	struct bottleneck_count c;
	static struct sim sim;
	char why[200];
	uint32_t i;

	if (sim_open(&sim, x, why, sizeof(why))) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
	bottleneck_set(&sim.port, &t);
	sim_run(&sim, x->duration_ns);
	c = bottleneck_read(&sim.port, sim.now_ns);
	sha256_update(sha, sizeof(c), (const uint8_t *)&c);
	for (i = 0; i < sim.flows; i++)
		sha256_update(sha, sizeof(sim.flow[i].end_ns),
			      (const uint8_t *)&sim.flow[i].end_ns);
	sim_close(&sim);
}

int main(int argc, char **argv)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx sha;
	size_t i;
	int cc;

	sha256_init(&sha);
	for (cc = SCENARIO_DCTCP; cc <= SCENARIO_DCQCN; cc++) {
		struct scenario x = scenario_base(cc);

		x.seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
		x.duration_ns = 40000000;
		x.load_ppm = 500000;
		x.closed = 2;
		x.endless = 1;
		x.fan_in = 50;
		x.fan_in_bytes = 20000;
		x.fan_in_ns = 9000000;
		x.buffer = 300;
		digest_run(&sha, &x);
	}
	digest_sha256(&sha, digest);
	for (i = 0; i < sizeof(digest); i++)
		printf("%02x", digest[i]);
	putchar('\n');
	return 0;
}
