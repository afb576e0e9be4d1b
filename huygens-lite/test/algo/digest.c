// SPDX-License-Identifier: GPL-2.0
/*
 * One number of everything that the algorithms compute from many random windows, to
 * the bit.  The Makefile builds this by several compilers, at several levels
 * and for several processors; all must print the same.  The inputs are integers
 * and quotients of integers: nothing here is left to libm.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "envelope.h"
#include "edge.h"
#include "graph.h"
#include "edge_filter.h"
#include "network.h"
#include "kalman.h"
#include "random.h"
#include "servo.h"
#include "slew.h"

#define HOSTS	30
#define EDGES	(HOSTS * GRAPH_K)
#define S	1000000000LL

static uint64_t sum = 14695981039346656037ULL;

static void add(uint64_t bits)
{
	sum = (sum ^ bits) * 1099511628211ULL;
}

static void add_number(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	add(bits);
}

static void add_line(const struct line *line)
{
	add(line->at_ns);
	add(line->offset_ns);
	add_number(line->drift_ppb);
}

/* Delays with a floor and a long tail, without logarithms. */
static int64_t delay(uint64_t *seed)
{
	uint64_t x = random_below(seed, 1000);

	return 4000 + x * x / 100 + (x > 950 ? random_below(seed, 100000) : 0);
}

static struct edge_fit window(uint64_t *seed, int64_t theta, int64_t drift_ppb, bool hardware,
			      struct edge_filter *m, int64_t from_ns, struct edge_filter_error *w)
{
	struct envelope envelope[2];
	struct edge_filter_window c = {
		.forward = &envelope[0], .backward = &envelope[1], .at_ns = from_ns, .window_ns = 2 * S, .hardware = hardware,
		.drift_most_ppb = EDGE_DRIFT_MOST_PPB,
	};
	struct sample s[200];
	int way, k;

	for (way = 0; way < 2; way++) {
		int64_t sign = way ? -1 : 1;

		for (k = 0; k < 200; k++) {
			int64_t t = (k - 100) * 10000000LL;

			s[k] = (struct sample){ from_ns + t, sign * (theta + t / 1000 * drift_ppb / 1000000) + delay(seed) };
		}
		envelope_make(s, 200, &envelope[way]);
	}
	return edge_filter_update(m, &c, w);
}

static void mesh(uint64_t *seed, uint32_t dense, bool hardware, struct kalman *kalman, int64_t at_ns)
{
	static struct network_edge edge[EDGES];
	static struct network_host host[HOSTS];
	static struct graph_edge pair[EDGES];
	static struct network_fit fit[EDGES];
	static int64_t x[HOSTS], d[HOSTS];
	struct datum datum = { .kind = DATUM_MEAN, .window_ns = 2 * S };
	uint32_t edges = graph_make(HOSTS, 5, *seed, pair);
	void *memory = calloc(1, network_bytes(HOSTS, edges, dense));
	uint32_t e, h;

	for (h = 0; h < HOSTS; h++) {
		x[h] = random_below(seed, S);
		d[h] = random_below(seed, 100000);
	}
	for (e = 0; e < edges; e++) {
		uint32_t i = pair[e].i, j = pair[e].j;
		struct edge_filter filter = { 0 };
		struct edge_filter_error w = { 0 };
		struct edge_fit f = { 0 };
		int64_t k;

		for (k = 0; k < 4; k++)
			f = window(seed, x[i] - x[j] + 2 * k * (d[i] - d[j]), d[i] - d[j], hardware,
				   &filter, 2 * k * S, &w);

		edge[e] = (struct network_edge){ i, j, at_ns - x[i], f.theta_ns, f.drift_ppb,
						 w.sigma_ns, w.sigma_ppb, w.bias_ns, 0 };
		add_number(f.delay_sum_ns);
		add_number(f.noise_ns);
	}
	network_solve(HOSTS, edge, edges, &datum, dense, memory, fit, host);
	for (h = 0; h < HOSTS; h++) {
		struct kalman_measurement m = { host[h].line, host[h].std_ns, host[h].std_ppb, false };
		struct kalman then;

		add_line(&host[h].line);
		add_number(host[h].std_ns);
		add_number(host[h].std_ppb);
		m.line.at_ns = at_ns;
		kalman_update(&kalman[h], &m, &KALMAN_HOST_CLOCK);
		add_line(&kalman[h].line);
		then = kalman_at(&kalman[h], at_ns + S, &KALMAN_HOST_CLOCK);
		add_line(&then.line);
		add_number(kalman_std_ns(&then));
	}
	for (e = 0; e < edges; e++)
		add_number(fit[e].residual_ns);
	free(memory);
}

static void clocks(uint64_t *seed)
{
	struct servo_params p = servo_defaults(2 * S);
	struct servo servo = { 0 };
	struct slew slew = { 0 };
	int64_t k;

	for (k = 0; k < 200; k++) {
		struct slew_target aim = {
			{ k * S, random_below(seed, 1000000), (double)random_below(seed, 99999) / 7 },
			10, { 100, 5, 1000 }, SLEW_MEET_NS, SLEW_MOST_PPB,
		};
		struct slew_value now;
		struct servo_command c;

		slew_to(&slew, k * S, &aim);
		now = slew_at(&slew, k * S + random_below(seed, S));
		c = servo_update(&servo, &p, k * S, now.x_ns, now.drift_ppb);
		add(now.x_ns);
		add_number(now.bound_ns);
		add_number(c.frequency_ppb);
		add(c.until_ns);
	}
}

int main(void)
{
	static struct kalman kalman[HOSTS];
	uint64_t seed = 1;
	int64_t k;

	for (k = 1; k < 12; k++)
		mesh(&seed, k % 2 ? NETWORK_DENSE : 3, k % 3 == 0, kalman, 2 * k * S);
	clocks(&seed);
	printf("%016" PRIx64 "\n", sum);
	return 0;
}
