// SPDX-License-Identifier: GPL-2.0
/*
 * The network effect: the paper's example, the error that falls with the root of K, liars, parts cut off, and
 * what the wire may bring.  -s SEED repeats, -n is the number of rounds.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "network.h"
#include "options.h"
#include "world.h"

#define HOSTS	100
#define EDGES	(HOSTS * GRAPH_K_MOST)
#define NOISE	100.0
#define AT_NS	1000000000000LL

/**
 * struct fleet - hosts whose corrections are known, and their edges
 * @hosts: how many
 * @edges: how many
 * @x: corrections at AT_NS
 * @d: their growth, ppb of the reference's time
 * @pair: both hosts
 * @edge: measured
 * @fit: of the network
 * @host: of the network
 * @datum: host 0
 * @memory: for the network
 */
struct fleet {
	uint32_t hosts;
	uint32_t edges;
	double x[HOSTS], d[HOSTS];
	struct graph_edge pair[EDGES];
	struct network_edge edge[EDGES];
	struct network_fit fit[EDGES];
	struct network_host host[HOSTS];
	struct datum datum;
	void *memory;
};

static struct fleet fleet;

/* Edge @e, measured at some time near the window's middle. */
static void filter(struct fleet *f, uint64_t *seed, uint32_t e, double noise)
{
	uint32_t i = f->pair[e].i, j = f->pair[e].j;
	double when = (world_uniform(seed) - 0.5) * 1e9;
	double s = when / 1e9;

	f->edge[e] = (struct network_edge){
		.i = i,
		.j = j,
		.at_ns = AT_NS + llround(when - f->x[i] - f->d[i] * s),
		.theta_ns = llround(f->x[i] - f->x[j] + (f->d[i] - f->d[j]) * s + noise * world_normal(seed)),
		.drift_ppb = (f->d[i] - f->d[j]) / (1 - f->d[i] / 1e9) + noise / 10 * world_normal(seed),
		.sigma_ns = NOISE,
		.sigma_ppb = NOISE / 10,
	};
}

static void make(struct fleet *f, uint64_t *seed, uint32_t hosts, uint32_t k, double noise)
{
	uint32_t h, e;

	f->hosts = hosts;
	f->edges = graph_make(hosts, k, *seed, f->pair);
	f->datum = (struct datum){ .kind = DATUM_HOST, .window_ns = 2000000000 };
	for (h = 0; h < hosts; h++) {
		f->x[h] = h ? (world_uniform(seed) - 0.5) * 4e9 : 0;
		f->d[h] = h ? (world_uniform(seed) - 0.5) * 2e5 : 0;
	}
	for (e = 0; e < f->edges; e++)
		filter(f, seed, e, noise);
}

static struct network_result solve(struct fleet *f, uint32_t dense)
{
	return network_solve(f->hosts, f->edge, f->edges, &f->datum, dense, f->memory, f->fit, f->host);
}

/* A host's error in the solution, at the instant for which the true offsets are given. */
static double error_ns(const struct fleet *f, uint32_t h)
{
	return f->host[h].line.offset_ns +
	       f->host[h].line.drift_ppb * (AT_NS - llround(f->x[h]) - f->host[h].line.at_ns) / 1e9 - f->x[h];
}

static double error_ppb(const struct fleet *f, uint32_t h)
{
	return f->host[h].line.drift_ppb - f->d[h] / (1 - f->d[h] / 1e9);
}

static void example(struct fleet *f)
{
	static const double repaired[] = { 50.0 / 3, -55.0 / 3, -5.0 / 3 };
	static const int64_t measured[] = { 20, -15, -5 };
	bool right = true;
	uint32_t e;

	f->hosts = 3;
	f->edges = graph_make(3, 2, 1, f->pair);
	f->datum = (struct datum){ .kind = DATUM_HOST, .window_ns = 2000000000 };
	/* A-B 20, B-C -15, and C-A 5, which is A-C -5. */
	for (e = 0; e < 3; e++)
		f->edge[e] = (struct network_edge){ .i = e == 2 ? 0 : e, .j = e == 0 ? 1 : 2,
						    .theta_ns = measured[e], .sigma_ns = 1, .sigma_ppb = 1 };
	solve(f, NETWORK_DENSE);
	for (e = 0; e < 3; e++)
		right &= fabs(measured[e] - f->fit[e].residual_ns - repaired[e]) < 1e-9;
	tap_ok(right, "network__20_15_5_becomes_16_67_18_33_1_67");
}

/*
 * The rms error of pairs over that of edges, as tabulated.  The graphs here are regular
 * and a little better, so within 30 %; with K = 1 they are a circle, whose mean
 * resistance is (N + 1) / 6, and not the tables' trees.
 */
static void sweep(struct fleet *f, struct options o)
{
	static const struct { uint32_t hosts, k; double expected; } table[] = {
		{ 16, 1, 1.68 }, { 16, 2, 0.88 }, { 16, 3, 0.65 }, { 16, 5, 0.49 }, { 16, 10, 0.38 },
		{ 50, 1, 2.92 }, { 50, 2, 0.90 }, { 50, 3, 0.68 }, { 50, 5, 0.49 }, { 50, 10, 0.34 }, { 50, 20, 0.25 },
		{ 100, 1, 4.10 }, { 100, 2, 0.91 }, { 100, 3, 0.66 }, { 100, 5, 0.48 }, { 100, 10, 0.34 }, { 100, 20, 0.24 },
	};
	uint32_t n, round, i, j, pairs;
	bool near = true, falls = true;
	double last = 0;

	for (n = 0; n < sizeof(table) / sizeof(table[0]); n++) {
		double sum = 0, rms;

		for (round = 0, pairs = 0; round < 12; round++) {
			make(f, &o.seed, table[n].hosts, table[n].k, NOISE);
			solve(f, NETWORK_DENSE);
			for (i = 0; i < f->hosts; i++) {
				for (j = i + 1; j < f->hosts; j++, pairs++)
					sum += pow(error_ns(f, i) - error_ns(f, j), 2);
			}
		}
		rms = sqrt(sum / pairs) / NOISE;
		tap_remark("N %u K %u: pair error / edge error %.2f, table %.2f", table[n].hosts, table[n].k, rms,
			   table[n].expected);
		near &= fabs(rms / table[n].expected - 1) < 0.3;
		falls &= !n || table[n].hosts != table[n - 1].hosts || rms < last;
		last = rms;
	}
	tap_ok(near, "network__errors_are_those_of_the_table");
	tap_ok(falls, "network__errors_fall_with_k");
}

/*
 * Queues stand before half the hosts, the reference among them; of the others
 * half were known well and half badly.  Hosts that are clean now are solved against those
 * that are clean and were known: the rest moves nobody, and is in nobody's error.
 */
static void loaded(struct fleet *f, struct options o)
{
	struct datum_prior prior[12];
	bool still = true, promised = true, reported = true;
	unsigned long round;
	uint32_t e, h;

	for (round = 0; round < o.n; round++) {
		make(f, &o.seed, 12, 11, NOISE);
		for (e = 0; e < f->edges; e++) {
			if (f->edge[e].i >= 6)
				continue;
			f->edge[e].theta_ns += llround(1e6 * world_normal(&o.seed));
			f->edge[e].bias_ns = 1e6;
		}
		for (h = 0; h < 12; h++) {
			double off = h < 9 ? 30 : 1e5;

			prior[h] = (struct datum_prior){
				true, { AT_NS - llround(f->x[h]), llround(f->x[h] + off * world_normal(&o.seed)), f->d[h] }, off, 1,
			};
		}
		f->datum.prior = prior;
		f->datum.slew_ppb = 10;
		f->datum.host = round % 6;
		f->datum.kind = round % 2 ? DATUM_HOST : DATUM_MEAN;
		solve(f, round % 3 ? NETWORK_DENSE : 3);
		for (h = 6; h < 12; h++) {
			still &= fabs(error_ns(f, h)) < 3 * NOISE;
			promised &= f->host[h].std_ns < NOISE;
		}
		for (h = 0; h < 6; h++)
			reported &= f->host[h].std_ns > 1e5;
	}
	tap_ok(still, "network__queues_and_hosts_that_were_known_badly_move_nobody");
	tap_ok(promised, "network__and_are_in_nobodys_error");
	tap_ok(reported, "network__but_their_own");
}

/*
 * Two hosts are well known in a window, six are not, since queues stand before
 * them.  The common time goes to the two, which may be off all the others by
 * their priors, and those receive that difference of the mean
 * of two and that of eight.
 */
static void frames(struct fleet *f, struct options o)
{
	struct datum_prior prior[8];
	double reported = 0, moved = 0;
	unsigned long round;
	uint32_t e, h;

	for (round = 0; round < 8 * o.n; round++) {
		double one = 0, is = 0;
		struct network_result r;

		make(f, &o.seed, 8, 7, NOISE);
		for (e = 0; e < f->edges; e++)
			if (f->edge[e].j != 1)
				f->edge[e].bias_ns = 1e6;
		for (h = 0; h < 8; h++) {
			int64_t off = llround(1000 * world_normal(&o.seed));

			prior[h] = (struct datum_prior){
				true, { AT_NS - llround(f->x[h]), llround(f->x[h]) + off, f->d[h] }, 1000, 1,
			};
			one += h < 2 ? off / 2.0 : 0;
		}
		f->datum.prior = prior;
		f->datum.kind = DATUM_MEAN;
		r = solve(f, round % 2 ? NETWORK_DENSE : 3);
		is = (error_ns(f, 0) + error_ns(f, 1)) / 2;
		moved += (is - one) * (is - one);
		reported += r.frame_ns * r.frame_ns;
	}
	moved = sqrt(moved / (8 * o.n));
	reported = sqrt(reported / (8 * o.n));
	tap_remark("the common time is %.0f ns from two hosts' priors, %.0f reported", moved, reported);
	tap_ok(moved < NOISE, "network__who_is_well_known_goes_on_as_before");
	tap_ok(reported > 500 && reported < 1000, "network__and_the_others_are_known_that_they_are_off");
	for (e = 0; e < f->edges; e++)
		f->edge[e].bias_ns = 0;
	/* The order of the last round is not part of it. */
	for (h = 0; h < 8; h++) {
		prior[h].line.offset_ns = llround(f->x[h]);
		prior[h].std_ns = NOISE / 4;
	}
	tap_ok(solve(f, NETWORK_DENSE).frame_ns < NOISE / 8, "network__the_better_it_was_known_the_less");
	f->datum.prior = NULL;
	tap_ok(solve(f, NETWORK_DENSE).frame_ns == 0, "network__without_a_common_time_before_there_is_none_to_leave");
}

/* Both solvers: the truth within what they promise, against the mean, so that hosts do not share an error. */
static void promises(struct fleet *f, struct options o)
{
	unsigned long round, hosts = 0, within = 0;
	double sum[2] = { 0, 0 };
	bool drift = true;
	uint32_t h;

	for (round = 0; round < o.n; round++) {
		double mean = 0, mean_ppb = 0;

		make(f, &o.seed, 60, 5, NOISE);
		f->datum.kind = DATUM_MEAN;
		solve(f, round % 2 ? NETWORK_DENSE : 10);
		for (h = 0; h < f->hosts; h++) {
			mean += error_ns(f, h) / f->hosts;
			mean_ppb += error_ppb(f, h) / f->hosts;
		}
		for (h = 0; h < f->hosts; h++) {
			hosts++;
			within += fabs(error_ns(f, h) - mean) < 3 * f->host[h].std_ns;
			drift &= fabs(error_ppb(f, h) - mean_ppb) < 6 * f->host[h].std_ppb;
			sum[0] += pow(error_ns(f, h) - mean, 2);
			sum[1] += pow(f->host[h].std_ns, 2);
		}
	}
	tap_remark("error %.3f of its standard deviation, %.2f %% within three", sqrt(sum[0] / sum[1]), 100.0 * within / hosts);
	tap_ok(within > 0.98 * hosts && fabs(sqrt(sum[0] / sum[1]) - 1) < 0.2, "network__standard_deviations_hold");
	tap_ok(drift, "network__drifts_hold");
}

static void liars(struct fleet *f, struct options o)
{
	bool named = true, near = true, good = true;
	unsigned long round;
	uint32_t e, h, n;
	int64_t lie_ns;

	for (round = 0; round < o.n; round++) {
		bool lies[EDGES] = { false };

		make(f, &o.seed, 30, 5, NOISE);
		for (n = 0; n < 1 + round % 12; n++) {
			e = random_below(&o.seed, f->edges);
			lies[e] = true;
			lie_ns = 5000LL << random_below(&o.seed, 40);
			f->edge[e].theta_ns += random_below(&o.seed, 2) ? lie_ns : -lie_ns;
		}
		solve(f, NETWORK_DENSE);
		for (e = 0; e < f->edges; e++) {
			named &= !lies[e] || f->fit[e].fate == NETWORK_OUTLIER;
			good &= lies[e] || f->fit[e].fate != NETWORK_OUTLIER;
		}
		for (h = 0; h < f->hosts; h++)
			near &= fabs(error_ns(f, h)) < 4 * NOISE;
	}
	tap_ok(named, "network__edges_that_lie_are_named");
	tap_ok(good, "network__edges_that_do_not_are_not");
	tap_ok(near, "network__hosts_are_not_bent");
}

/* All edges of a host lie, each differently: the others do not care. */
static void lying_host(struct fleet *f, struct options o)
{
	bool near = true;
	uint32_t e, h;

	make(f, &o.seed, 16, 10, NOISE);
	for (e = 0; e < f->edges; e++) {
		if (f->edge[e].j == 7 || f->edge[e].i == 7)
			f->edge[e].theta_ns += world_normal(&o.seed) * 1e6;
	}
	solve(f, NETWORK_DENSE);
	for (h = 0; h < f->hosts; h++)
		near &= h == 7 || fabs(error_ns(f, h)) < 4 * NOISE;
	tap_ok(near, "network__a_lying_host_bends_no_other");
}

/* How far hosts but the last are apart, where the last's edges are off by up to 20 us and claim @sigma_ns. */
static double drawn_apart(struct fleet *f, uint64_t seed, double sigma_ns, double *promised)
{
	double least = 0, most = 0;
	uint32_t e, h;

	make(f, &seed, 8, 4, 50);
	for (e = 0; e < f->edges; e++) {
		f->edge[e].sigma_ns = 50;
		if (f->edge[e].j != 7)
			continue;
		f->edge[e].theta_ns += e % 2 ? 20000 : -20000;
		f->edge[e].sigma_ns = sigma_ns;
	}
	solve(f, NETWORK_DENSE);
	for (h = 0, *promised = 0; h < 7; h++) {
		least = fmin(least, error_ns(f, h));
		most = fmax(most, error_ns(f, h));
		*promised = fmax(*promised, f->host[h].std_ns + f->host[h].bias_ns);
	}
	return most - least;
}

/* The statement of docs/security.md about a host that claims to be exact. */
static void claims(struct fleet *f, struct options o)
{
	double honest = 0, exact = 0, wrong = 0, promised = 0, reported;
	unsigned long round;

	for (round = 0; round < o.n; round++, o.seed++) {
		honest = fmax(honest, drawn_apart(f, o.seed, 50, &reported));
		wrong = fmax(wrong, drawn_apart(f, o.seed, 0.99, &reported));
		exact = fmax(exact, drawn_apart(f, o.seed, 1, &reported));
		promised = fmax(promised, reported);
	}
	tap_remark("hosts are %.0f ns apart by a claim of 1 ns (promised: %.0f), %.0f ns by less, %.0f ns by 50 ns", exact, promised,
		   wrong, honest);
	tap_ok(honest < 8 * 50, "network__a_lie_that_claims_no_more_than_others_draws_nobody");
	tap_ok(wrong < 8 * 50, "network__nor_does_a_claim_below_1_ns");
	tap_ok(exact <= 2 * 20000 + 8 * 50, "network__a_claim_of_1_ns_draws_others_by_its_lie_at_most");
	tap_ok(exact >= 2 * 20000 - 8 * 50 && promised < 50,
	       "network__which_is_40_us_and_their_bounds_do_not_say_so");
}

/* Hosts below and above @from hang together, no edge between. */
static void cut(struct fleet *f, uint32_t from)
{
	uint32_t kept = 0, e;

	for (e = 0; e < f->edges; e++) {
		if ((f->edge[e].i < from) == (f->edge[e].j < from))
			f->edge[kept++] = f->edge[e];
	}
	f->edges = kept;
}

static void components(struct fleet *f, struct options o)
{
	struct network_result r;
	bool right = true;
	uint32_t h;

	make(f, &o.seed, 20, 9, NOISE);
	cut(f, 6);
	r = solve(f, NETWORK_DENSE);
	for (h = 0; h < 20; h++)
		right &= f->host[h].reached == (h < 6);
	tap_ok(right && r.reached == 6 && r.components == 2 && r.referenced, "network__the_references_part_is_solved");
	f->datum.host = 15;
	solve(f, NETWORK_DENSE);
	for (right = true, h = 0; h < 20; h++)
		right &= f->host[h].reached == (h >= 6);
	tap_ok(right && f->host[15].line.offset_ns == 0, "network__wherever_the_reference_is");
	f->datum.kind = DATUM_MEAN;
	r = solve(f, NETWORK_DENSE);
	tap_ok(!f->host[0].reached && f->host[6].reached && r.reached == 14 && !r.referenced,
	       "network__without_one_the_greatest_part");
	cut(f, 19);
	r = solve(f, NETWORK_DENSE);
	tap_ok(!f->host[19].reached && f->host[18].reached && !f->host[19].line.offset_ns,
	       "network__a_host_alone_is_cut_off");
	f->datum = (struct datum){ .kind = DATUM_HOST, .host = 19, .window_ns = 1 };
	r = solve(f, NETWORK_DENSE);
	tap_ok(r.reached == 13 && !r.referenced, "network__a_reference_that_is_alone_is_none");
	f->edges = 0;
	r = solve(f, NETWORK_DENSE);
	tap_ok(!r.reached && !r.components && !r.used, "network__no_edges_reach_nobody");
	f->hosts = 1;
	f->datum.host = 0;
	r = solve(f, NETWORK_DENSE);
	tap_ok(r.reached == 1 && f->host[0].reached && !f->host[0].line.offset_ns, "network__one_host_is_its_own_reference");
}

static void biases(struct fleet *f, struct options o)
{
	bool right = true;
	uint32_t e, h;

	make(f, &o.seed, 16, 3, NOISE);
	for (e = 0; e < f->edges; e++)
		f->edge[e].bias_ns = f->edge[e].i == 3 || f->edge[e].j == 3 ? 5000 : 0;
	solve(f, NETWORK_DENSE);
	for (h = 0; h < 16; h++)
		right &= h == 3 ? fabs(f->host[h].bias_ns - 5000) < 1 : f->host[h].bias_ns < 10;
	tap_ok(right, "network__a_bias_of_all_edges_stays_and_counts_little_elsewhere");
	tap_ok(f->host[3].edges == 6, "network__edges_of_a_host_are_counted");
}

/* The common instant is the edges' median, whatever the clocks; a late edge proves bad by itself. */
static void instants(struct fleet *f, struct options o)
{
	struct network_result r;
	bool consistent = true, second = true;
	uint32_t h;

	make(f, &o.seed, 16, 3, 1);
	r = solve(f, NETWORK_DENSE);
	for (h = 0; h < 16; h++)
		consistent &= f->host[h].line.at_ns + f->host[h].line.offset_ns == r.at_ns;
	for (h = 0; h < 16; h++)
		second &= fabs(error_ppb(f, h)) < 0.5;
	tap_ok(second, "network__drifts_are_right_to_the_second_order");
	tap_ok(llabs(r.at_ns - AT_NS) < 200000000, "network__the_instant_is_the_edges_median");
	tap_ok(consistent, "network__lines_are_of_one_instant");
	f->edge[5].at_ns -= 3600000000000LL;
	solve(f, NETWORK_DENSE);
	tap_ok(f->fit[5].fate == NETWORK_OUTLIER, "network__an_edge_of_another_hour_is_out");
	tap_ok(fabs(error_ns(f, f->edge[5].i)) < 10, "network__and_bends_nothing");
}

static void same_again(struct fleet *f, struct options o)
{
	static struct network_host first[HOSTS];
	uint32_t dense[] = { NETWORK_DENSE, 3 };
	int n;

	for (n = 0; n < 2; n++) {
		make(f, &o.seed, 60, 5, NOISE);
		solve(f, dense[n]);
		memcpy(first, f->host, sizeof(first));
		memset(f->memory, 0x5a, network_bytes(HOSTS, EDGES, NETWORK_DENSE));
		solve(f, dense[n]);
		tap_ok(!memcmp(first, f->host, sizeof(first)), "network__the_same_again_%s", n ? "sparse" : "dense");
	}
}

static int64_t hostile_ns(uint64_t *seed)
{
	static const int64_t some[] = { 0, 1, -1, INT64_MAX, INT64_MIN, LINE_MOST_NS, -LINE_MOST_NS };

	if (random_below(seed, 2))
		return some[random_below(seed, 7)];
	return random_below(seed, 2) ? random_scale(seed) : -random_scale(seed);
}

static double hostile_number(uint64_t *seed)
{
	static const double some[] = { 0, 1, -1, 1e9, 0.001, 3e5, -3e5, 1e300, 5e-324, NAN, INFINITY, -INFINITY };

	return some[random_below(seed, 12)];
}

static void survives(struct fleet *f, struct options o)
{
	static struct datum_prior prior[HOSTS];
	struct datum_utc utc[3];
	unsigned long round;
	bool sane = true;
	uint32_t e, h;

	for (round = 0; round < 5 * o.n; round++) {
		struct network_result r;

		h = 2 + random_below(&o.seed, 20);
		make(f, &o.seed, h, 1 + random_below(&o.seed, 5), NOISE);
		for (h = 0; h < f->hosts; h++)
			prior[h] = (struct datum_prior){ random_below(&o.seed, 2),
				{ hostile_ns(&o.seed) / 4, hostile_ns(&o.seed) / 4, world_normal(&o.seed) * 1e5 },
				random_scale(&o.seed) / 1e7, random_below(&o.seed, 2) ? 0 : random_scale(&o.seed) };
		for (h = 0; h < 3; h++)
			utc[h] = (struct datum_utc){ random_below(&o.seed, 25), { hostile_ns(&o.seed) / 4, hostile_ns(&o.seed) / 4, 100 },
				random_scale(&o.seed) };
		f->datum = (struct datum){ random_below(&o.seed, 3), random_below(&o.seed, 25), random_below(&o.seed, 4), utc, 1000, 2000000000,
			random_below(&o.seed, 2) ? prior : NULL };
		for (e = 0; e < f->edges; e++) {
			struct network_edge *x = &f->edge[e];

			switch (random_below(&o.seed, round % 4 ? 16 : 8)) {
			case 0: x->i = random_scale(&o.seed); break;
			case 1: x->j = random_scale(&o.seed); break;
			case 2: x->at_ns = hostile_ns(&o.seed); break;
			case 3: x->theta_ns = hostile_ns(&o.seed); break;
			case 4: x->drift_ppb = hostile_number(&o.seed); break;
			case 5: x->sigma_ns = hostile_number(&o.seed); break;
			case 6: x->sigma_ppb = hostile_number(&o.seed); break;
			case 7: x->bias_ns = hostile_number(&o.seed); break;
			}
		}
		r = solve(f, random_below(&o.seed, 2) ? NETWORK_DENSE : 3);
		sane &= isfinite(r.sigma) && r.reached <= f->hosts;
		for (h = 0; h < f->hosts; h++)
			sane &= isfinite(f->host[h].line.drift_ppb) && isfinite(f->host[h].std_ns) &&
				isfinite(f->host[h].std_ppb) && isfinite(f->host[h].bias_ns) &&
				llabs(f->host[h].line.offset_ns) <= LINE_MOST_NS &&
				llabs(f->host[h].line.at_ns) <= LINE_MOST_NS;
		for (e = 0; e < f->edges; e++)
			sane &= isfinite(f->fit[e].residual_ns) && isfinite(f->fit[e].residual_ppb);
	}
	tap_ok(sane, "network__whatever_the_wire_brings_is_survived");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 40, "random networks");

	fleet.memory = malloc(network_bytes(HOSTS, EDGES, NETWORK_DENSE));
	example(&fleet);
	sweep(&fleet, o);
	loaded(&fleet, o);
	frames(&fleet, o);
	promises(&fleet, o);
	liars(&fleet, o);
	lying_host(&fleet, o);
	claims(&fleet, o);
	components(&fleet, o);
	biases(&fleet, o);
	instants(&fleet, o);
	same_again(&fleet, o);
	survives(&fleet, o);
	free(fleet.memory);
	return tap_done();
}
