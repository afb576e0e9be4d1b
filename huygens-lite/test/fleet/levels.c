// SPDX-License-Identifier: GPL-2.0
/*
 * A large fleet on two levels: cells, each a mesh, and an upper mesh of some hosts of each
 * cell, the links, from which the cells take their time; or the same hosts as one mesh.
 *
 *	levels [-c CELLS] [-n HOSTS] [-l LINKS] [-w WINDOWS] [-a PERCENT] [-j | -t]
 *
 * -n is the number of hosts of a cell, and without cells, -c 0, of the only mesh.  Edges are
 * simulated, each with a noise of 100 ns in each window, between clocks whose drift wanders;
 * reports, solutions, corrections, bounds and the reading of the upper mesh's line are the
 * daemon's.  -a is [mesh] max_asymmetry, 0 by default: bounds are as near to the errors as
 * they can be.  After a third of the windows that are looked at, the host that coordinates
 * the upper mesh dies, and after two thirds another link.
 *
 * Prints what a window costs, what a host may send, and how far hosts are apart beside what
 * they state; with -j as JSON.  With -t it prints TAP instead, of a small fleet.
 */
#include <unistd.h>

#include "../../../lib/units.h"
#include "../../../selftests/lib/tap.h"
#include "budget.h"
#include "levels_world.h"

#define LINKS_MOST	8
#define CELLS_MOST	1000
#define WINDOWS_MOST	10000
/* Windows before which nothing is looked at; then twice in each. */
#define WARM		20
#define LOOKS		2
/* Pairs of hosts at a look, within cells and as many across. */
#define PAIRS		5000

/**
 * struct findings - what was found
 * @within_ns: distances of two hosts of a cell
 * @across_ns: of two cells
 * @stated_ns: what those of two cells state together
 * @own_ns: what those of a cell do
 * @pairs: how many of each
 * @broken: those of a cell that are further apart than they state
 * @crossed: those of two cells
 * @bare: those of two cells that are further apart than their cells' bounds
 * @unknown: those of two cells of which one does not know the upper mesh
 * @solve_ms: time to solve, of each window: all cells, and the upper mesh
 */
struct findings {
	double	*within_ns, *across_ns, *stated_ns, *own_ns;
	size_t	pairs, broken, crossed, bare, unknown;
	double	*solve_ms[2];
};

/* A host's common time less true time, and what it states. */
static int64_t error_of(const struct member *s, int64_t true_ns, double *own_ns, double *upper_ns)
{
	int64_t local_ns = local_at(s->oscillator, true_ns);
	struct slew_value slew = slew_at(&s->clock.slew, local_ns);

	*own_ns = slew.bound_ns + s->clock.asymmetry_ns;
	*upper_ns = host_clock_upper_error(&s->clock, local_ns);
	return local_ns + slew.x_ns - true_ns;
}

/* Some host of a cell that lives. */
static const struct member *some(struct world *w, uint32_t cell)
{
	const struct member *s;

	do {
		s = &w->cell[cell].member[random_below(&w->seed, w->hosts)];
	} while (s->dead);
	return s;
}

static void look_within(struct world *w, struct findings *t, size_t at)
{
	uint32_t cell = random_below(&w->seed, meshes(w));
	const struct member *a = some(w, cell), *b = some(w, cell);
	double a_ns, b_ns, upper_ns;
	int64_t apart_ns = error_of(a, w->now_ns, &a_ns, &upper_ns) - error_of(b, w->now_ns, &b_ns, &upper_ns);

	t->within_ns[at] = (double)llabs(apart_ns);
	t->own_ns[at] = a_ns + b_ns;
	t->broken += t->within_ns[at] > t->own_ns[at];
}

static void look_across(struct world *w, struct findings *t, size_t at)
{
	uint32_t one = random_below(&w->seed, w->cells);
	uint32_t other = (one + 1 + random_below(&w->seed, w->cells - 1)) % w->cells;
	const struct member *a = some(w, one), *b = some(w, other);
	double a_ns, b_ns, a_upper_ns, b_upper_ns;
	int64_t apart_ns = error_of(a, w->now_ns, &a_ns, &a_upper_ns) -
			   error_of(b, w->now_ns, &b_ns, &b_upper_ns);

	t->across_ns[at] = (double)llabs(apart_ns);
	t->stated_ns[at] = a_ns + b_ns + a_upper_ns + b_upper_ns;
	t->crossed += t->across_ns[at] > t->stated_ns[at];
	t->bare += t->across_ns[at] > a_ns + b_ns;
	t->unknown += isinf(t->stated_ns[at]) || a->clock.upper != b->clock.upper;
}

static void world_look(struct world *w, struct findings *t)
{
	uint32_t n;

	for (n = 0; n < PAIRS; n++, t->pairs++) {
		look_within(w, t, t->pairs);
		if (w->cells)
			look_across(w, t, t->pairs);
	}
}

static struct findings findings_make(uint32_t windows)
{
	size_t n = (size_t)windows * LOOKS * PAIRS;

	return (struct findings){
		zeros(n, sizeof(double)), zeros(n, sizeof(double)), zeros(n, sizeof(double)),
		zeros(n, sizeof(double)), .solve_ms = { zeros(windows, sizeof(double)),
							zeros(windows, sizeof(double)) },
	};
}

static void findings_free(struct findings *t)
{
	free(t->within_ns);
	free(t->across_ns);
	free(t->stated_ns);
	free(t->own_ns);
	free(t->solve_ms[0]);
	free(t->solve_ms[1]);
}

/* Cells solve soon after the end of a window, and the upper mesh half a window later. */
static void world_run(struct world *w, struct findings *t, uint32_t windows)
{
	uint32_t n, c;

	for (n = 1; n <= WARM + windows; n++) {
		int64_t end_ns = BEGIN_NS + (int64_t)(n + 1) * WINDOW_NS;
		double ms[2] = { 0, 0 };

		world_pass(w, end_ns);
		oscillators_go_on(w);
		world_pass(w, end_ns + SOLVED_NS);
		for (c = 0; c < meshes(w); c++)
			ms[0] += level_window(w, &w->cell[c], n);
		if (n > WARM)
			world_look(w, t);
		world_pass(w, end_ns + SOLVED_NS + WINDOW_NS / 2);
		if (w->cells)
			ms[1] = level_window(w, &w->upper, n);
		if (n <= WARM)
			continue;
		world_look(w, t);
		t->solve_ms[0][n - WARM - 1] = ms[0] / meshes(w);
		t->solve_ms[1][n - WARM - 1] = ms[1];
		if (w->cells && n == WARM + windows / 3)
			world_kill(w, 0);
		if (w->cells && n == WARM + 2 * windows / 3)
			world_kill(w, w->links + 1);
	}
}

/* Most that a host of a mesh sends, probes at the default interval included, Mbit/s. */
static double host_mbps(const struct level *l, bool is_coordinator)
{
	struct budget b = {
		.hosts = l->conf.n_peers,
		.neighbours = graph_neighbours(l->conf.n_peers, l->conf.degree),
		.candidates = ELECTION_CANDIDATES,
		.is_coordinator = is_coordinator,
		.coded = true,
		.window_ns = WINDOW_NS,
		.hello_ns = HELLO_NS,
	};
	double pairs = S_NS / (double)budget_interval(&b, l->conf.interval_ns);

	if (!budget_fits(&b))
		return INFINITY;
	return (budget_other_bps(&b) + 2 * b.neighbours * pairs * 8 * (WIRE_PROBE_BYTES + HEADS)) / 1e6;
}

/**
 * struct figures - of a run
 * @cell_ms: median time to solve a cell, or the only mesh
 * @upper_ms: the upper mesh
 * @cell_mb: memory of a coordinator
 * @upper_mb: same
 * @host_mbps: what a host sends at most
 * @link_mbps: a link, with both daemons
 * @cell_mbps: a coordinator of a cell
 * @upper_mbps: the upper mesh's, with its daemon of the cell
 */
struct figures {
	double cell_ms, upper_ms, cell_mb, upper_mb, host_mbps, link_mbps, cell_mbps, upper_mbps;
};

static struct figures figures_of(const struct world *w, const struct findings *t, uint32_t windows)
{
	struct figures f = {
		.cell_ms = percentile(t->solve_ms[0], windows, 50),
		.cell_mb = coordinator_bytes(&w->cell[0].coordinator) / 1e6,
		.host_mbps = host_mbps(&w->cell[0], false),
		.cell_mbps = host_mbps(&w->cell[0], true),
	};

	if (!w->cells)
		return f;
	f.upper_ms = percentile(t->solve_ms[1], windows, 50);
	f.upper_mb = coordinator_bytes(&w->upper.coordinator) / 1e6;
	f.link_mbps = f.host_mbps + host_mbps(&w->upper, false);
	f.upper_mbps = f.host_mbps + host_mbps(&w->upper, true);
	return f;
}

/* Percentage of pairs within the bound that they state. */
static double cover(size_t broken, size_t pairs)
{
	return 100 - 100.0 * (double)broken / (double)pairs;
}

static void tell_pairs(const char *what, double *apart_ns, double *stated_ns, size_t broken, size_t pairs)
{
	printf("%-18s %.0f ns median, %.0f ns 99th percentile; %.0f ns stated, median; %.3f %% within that\n", what,
	       percentile(apart_ns, pairs, 50), percentile(apart_ns, pairs, 99), percentile(stated_ns, pairs, 50),
	       cover(broken, pairs));
}

static void tell(const struct world *w, struct findings *t, uint32_t windows)
{
	struct figures f = figures_of(w, t, windows);

	printf("%u hosts: %u cells of %u, %u links each; %u windows, %zu pairs\n", meshes(w) * w->hosts, w->cells,
	       w->hosts, w->cells ? w->links : 0, windows, t->pairs);
	printf("%-18s %.1f ms to solve, %.1f MB\n", w->cells ? "a cell" : "the mesh", f.cell_ms, f.cell_mb);
	if (w->cells)
		printf("%-18s %.1f ms to solve, %.1f MB\n", "the upper mesh", f.upper_ms, f.upper_mb);
	printf("%-18s %.2f Mbit/s, a coordinator %.2f\n", "a host sends", f.host_mbps, f.cell_mbps);
	if (w->cells)
		printf("%-18s %.2f Mbit/s, the upper coordinator %.2f\n", "a link sends", f.link_mbps, f.upper_mbps);
	tell_pairs(w->cells ? "within a cell" : "hosts are apart", t->within_ns, t->own_ns, t->broken, t->pairs);
	if (!w->cells)
		return;
	tell_pairs("across cells", t->across_ns, t->stated_ns, t->crossed, t->pairs);
	printf("%-18s %.3f %% of pairs across cells within the bounds of their cells\n", "", cover(t->bare, t->pairs));
}

static void tell_json(const struct world *w, struct findings *t, uint32_t windows)
{
	struct figures f = figures_of(w, t, windows);

	printf("{ \"cells\": %u, \"hosts\": %u, \"links\": %u, \"windows\": %u, \"pairs\": %zu,\n", w->cells, w->hosts,
	       w->cells ? w->links : 0, windows, t->pairs);
	printf("  \"cell_ms\": %.4f, \"upper_ms\": %.4f, \"cell_mb\": %.3f, \"upper_mb\": %.3f,\n", f.cell_ms, f.upper_ms,
	       f.cell_mb, f.upper_mb);
	printf("  \"host_mbps\": %.4f, \"link_mbps\": %.4f, \"cell_mbps\": %.4f, \"upper_mbps\": %.4f,\n",
	       f.host_mbps, f.link_mbps, isfinite(f.cell_mbps) ? f.cell_mbps : -1, f.upper_mbps);
	printf("  \"within_ns\": %.1f, \"within_p99_ns\": %.1f, \"own_ns\": %.1f, \"within_cover\": %.4f,\n",
	       percentile(t->within_ns, t->pairs, 50), percentile(t->within_ns, t->pairs, 99),
	       percentile(t->own_ns, t->pairs, 50), cover(t->broken, t->pairs));
	printf("  \"across_ns\": %.1f, \"across_p99_ns\": %.1f, \"stated_ns\": %.1f, \"across_cover\": %.4f }\n",
	       percentile(t->across_ns, t->pairs, 50), percentile(t->across_ns, t->pairs, 99),
	       percentile(t->stated_ns, t->pairs, 50), cover(t->crossed, t->pairs));
}

static uint32_t withdrawn(const struct world *w)
{
	uint32_t lost = 0, c;

	for (c = 0; c < meshes(w); c++)
		lost += w->cell[c].lost;
	return lost;
}

/* A small fleet: how far the last hosts of two cells are apart at the end, ns. */
static int64_t test_world(bool cut, uint32_t windows, struct findings *t, uint32_t *lost)
{
	struct world w = { .cells = 4, .hosts = 8, .links = 3, .cut = cut, .seed = 1 };
	double own_ns, upper_ns;
	int64_t apart_ns;

	*t = findings_make(windows);
	world_make(&w);
	world_run(&w, t, windows);
	*lost = withdrawn(&w);
	apart_ns = error_of(&w.cell[0].member[7], w.now_ns, &own_ns, &upper_ns) -
		   error_of(&w.cell[1].member[7], w.now_ns, &own_ns, &upper_ns);
	world_free(&w);
	return apart_ns;
}

static bool read_number(const char *text, uint32_t *value)
{
	uint64_t number;

	if (unit_parse_number(text, &number) != UNIT_OK || number > UINT32_MAX)
		return false;
	*value = (uint32_t)number;
	return true;
}

/* The link after the first cell's and the next one dies, so it must be there (world_run()). */
static bool is_within(const struct world *w, uint32_t windows, uint32_t percent)
{
	return w->cells != 1 && w->cells <= CELLS_MOST && w->hosts >= 8 && w->hosts <= GRAPH_HOSTS_MOST &&
	       w->links && w->links <= LINKS_MOST && w->links < w->hosts &&
	       (!w->cells || w->cells * w->links >= w->links + 2) && w->cells * w->links <= GRAPH_HOSTS_MOST &&
	       windows >= 3 && windows <= WINDOWS_MOST && percent <= 100;
}

static void test_ranges(void)
{
	struct world w = { .cells = 3, .hosts = 8, .links = 1 };
	uint32_t value = 7;

	tap_ok(is_within(&w, 3, 0), "levels__three_links_are_enough");
	w.cells = 2;
	tap_ok(!is_within(&w, 3, 0), "levels__two_links_are_refused");
	tap_ok(!read_number("12x", &value) && !read_number("", &value) && !read_number("-1", &value) &&
	       !read_number("4294967296", &value) && value == 7, "levels__bad_numbers_are_refused");
}

static int test(void)
{
	uint32_t lost, windows = 40;
	int64_t apart_ns, later_ns;
	struct findings t;
	double most_ns;

	test_ranges();
	test_world(false, windows, &t, &lost);
	most_ns = percentile(t.across_ns, t.pairs, 100);
	tap_remark("%zu pairs: %zu broken within cells, %zu across, %zu bare; at most %.0f ns apart", t.pairs, t.broken,
		   t.crossed, t.bare, most_ns);
	tap_ok(!t.broken && !t.crossed && !t.unknown, "levels__bounds_cover_within_cells_and_across");
	tap_ok(!lost && most_ns < 5000, "levels__a_dead_coordinator_and_a_dead_link_lose_nothing");
	tap_ok(t.bare > t.pairs / 100, "levels__without_the_upper_part_bounds_do_not_cover");
	findings_free(&t);
	apart_ns = test_world(true, 3, &t, &lost);
	findings_free(&t);
	later_ns = test_world(true, windows, &t, &lost);
	tap_remark("without an upper mesh two hosts are %lld ns apart, and %lld later", (long long)apart_ns,
		   (long long)later_ns);
	tap_ok(t.unknown == t.pairs && llabs(apart_ns) > 1000000 && llabs(later_ns - apart_ns) > 10000,
	       "levels__without_an_upper_mesh_cells_drift_apart");
	findings_free(&t);
	return tap_done();
}

static int usage(const char *name)
{
	fprintf(stderr, "usage: %s [-c 0|2..%d] [-n 8..%d] [-l 1..%d] [-w 3..%d] [-a 0..100] [-j | -t]\n", name,
		CELLS_MOST, GRAPH_HOSTS_MOST, LINKS_MOST, WINDOWS_MOST);
	fprintf(stderr, "links of all cells: LINKS + 2..%d\n", GRAPH_HOSTS_MOST);
	return 2;
}

int main(int argc, char **argv)
{
	struct world w = { .cells = 100, .hosts = 100, .links = 3, .seed = 1 };
	uint32_t windows = 30, percent = 0;
	bool tap = false, json = false;
	struct findings t;
	int opt;

	while ((opt = getopt(argc, argv, "c:n:l:w:a:jt")) != -1) {
		uint32_t *value = opt == 'c' ? &w.cells : opt == 'n' ? &w.hosts : opt == 'l' ? &w.links :
				  opt == 'w' ? &windows : &percent;

		if (opt == '?')
			return usage(argv[0]);
		if (opt == 't' || opt == 'j')
			*(opt == 't' ? &tap : &json) = true;
		else if (!read_number(optarg, value))
			return usage(argv[0]);
	}
	if (optind < argc || !is_within(&w, windows, percent))
		return usage(argv[0]);
	if (tap)
		return test();
	w.asymmetry_ppm = percent * (CONF_FRACTION_ONE / 100);
	t = findings_make(windows);
	world_make(&w);
	world_run(&w, &t, windows);
	(json ? tell_json : tell)(&w, &t, windows);
	findings_free(&t);
	world_free(&w);
	return 0;
}
