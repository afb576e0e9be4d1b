// SPDX-License-Identifier: GPL-2.0
/*
 * One coordinator of a large mesh: every host of a simulated fleet reports the
 * edges that it owns, in the messages of the wire; the daemon's coordinator
 * reads, solves and tells each host.
 *
 *	fleet [-n HOSTS] [-k DEGREE] [-w WINDOWS] [-j | -t]
 *
 * Prints what a window costs: processor time, as a share of the window too,
 * memory, traffic as often as the daemon sends each message; with -j as JSON.
 * With -t it prints TAP instead, of what does not depend on the machine: that
 * all hosts are solved, within what the solution promises, and the traffic
 * within 3 Mbit/s.
 */
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "budget.h"
#include "common.h"
#include "election.h"
#include "../../../selftests/lib/tap.h"

#define FLEET_HOSTS	1000
#define FLEET_WINDOWS	10

/**
 * struct fleet - hosts and their coordinator
 * @conf: what the coordinator needs of a configuration
 * @membership: hosts and edges
 * @coordinator: the daemon's
 * @count: the daemon's
 * @schedule: windows by the first host's clock
 * @x: corrections of the hosts, ns
 * @d: their growth, ppb of the reference's time
 * @reports: messages to the coordinator in a window
 * @length: of each
 * @from: index of the host that sent it
 * @report_bytes: of a window, of those that travel, as often as they do
 * @report_count: how many
 * @sent_bytes: solutions of a window, as often as they travel
 * @greeted_bytes: the coordinator's HELLOs in a window
 * @seed: of random.h
 */
struct fleet {
	struct huygens_conf conf;
	struct membership membership;
	struct coordinator coordinator;
	struct count count;
	struct schedule schedule;
	double *x, *d;
	uint8_t (*reports)[WIRE_MAX_BYTES];
	size_t *length;
	uint32_t *from;
	size_t report_bytes, report_count, sent_bytes, greeted_bytes;
	uint64_t seed;
};

static void fleet_make(struct fleet *f, uint32_t hosts, uint32_t degree)
{
	const struct member_list none = { 0 };
	struct member_list list;
	uint32_t h;

	memset(f, 0, sizeof(*f));
	f->seed = 1;
	f->conf.n_peers = hosts;
	f->conf.peers = calloc(hosts, sizeof(*f->conf.peers));
	f->conf.degree = degree;
	f->conf.seed = 1;
	f->conf.window_ns = WINDOW_NS;
	f->conf.utc_slew_ppb = 1000;
	f->conf.reference = CONF_REFERENCE_HOST;
	f->conf.reference_id = 1;
	f->x = calloc(hosts, sizeof(*f->x));
	f->d = calloc(hosts, sizeof(*f->d));
	for (h = 0; h < hosts; h++) {
		f->conf.peers[h].id = h + 1;
		f->x[h] = h ? (uniform(&f->seed) - 0.5) * 2e9 : 0;
		f->d[h] = h ? (uniform(&f->seed) - 0.5) * 1e5 : 0;
	}
	if (member_list_make(&list, &f->conf) ||
	    membership_make(&f->membership, &list, &none, f->conf.peers[0].id) ||
	    coordinator_make(&f->coordinator, &f->conf, &f->membership, 0, &f->count)) {
		fprintf(stderr, "fleet: no memory\n");
		exit(1);
	}
	member_list_free(&list);
	f->schedule = (struct schedule){ .window_ns = WINDOW_NS, .known = true };
	f->reports = calloc(f->membership.edges + hosts, sizeof(*f->reports));
	f->length = calloc(f->membership.edges + hosts, sizeof(*f->length));
	f->from = calloc(f->membership.edges + hosts, sizeof(*f->from));
}

static void fleet_free(struct fleet *f)
{
	coordinator_free(&f->coordinator);
	membership_free(&f->membership);
	free(f->conf.peers);
	free(f->x);
	free(f->d);
	free(f->reports);
	free(f->length);
	free(f->from);
}

/* Edge @e of the window whose middle is @s seconds from the first's. */
static struct wire_edge measured(struct fleet *f, uint32_t e, double s)
{
	uint32_t i = f->membership.edge[e].i, j = f->membership.edge[e].j;

	return (struct wire_edge){
		.peer = f->conf.peers[j].id,
		.theta_ns = llround(f->x[i] - f->x[j] + (f->d[i] - f->d[j]) * s +
				    NOISE_NS * normal(&f->seed)),
		.drift_ppb = (f->d[i] - f->d[j]) / (1 - f->d[i] / 1e9) + NOISE_PPB * normal(&f->seed),
		.delay_sum_ns = 10000,
		.sigma_ns = NOISE_NS,
		.sigma_ppb = NOISE_PPB,
		.out = 200,
		.in = 200,
	};
}

static void transport(struct fleet *f, const struct wire_message *message)
{
	size_t n = f->report_count++;

	f->length[n] = wire_write(message, f->reports[n]);
	f->from[n] = message->from - 1;
	/* Messages of the coordinator to itself are not sent. */
	if (f->from[n])
		f->report_bytes += REPORTED * (f->length[n] + HEADS);
}

/* Reports of a window, as agents send them. */
static void fleet_report(struct fleet *f, uint64_t window)
{
	double s = (double)window * WINDOW_NS / 1e9;
	uint32_t h, e = 0;

	f->report_bytes = 0;
	f->report_count = 0;
	for (h = 0; h < f->membership.hosts; h++) {
		struct wire_message m = { .type = WIRE_EDGE, .from = f->conf.peers[h].id };

		m.edges.window = window;
		m.edges.term = 1;
		m.edges.middle_ns = llround(s * 1e9 - f->x[h] - f->d[h] * s);
		for (; e < f->membership.edges && f->membership.edge[e].i == h; e++) {
			if (m.edges.count == WIRE_EDGES_MAX) {
				transport(f, &m);
				m.edges.count = 0;
			}
			m.edges.edge[m.edges.count++] = measured(f, e, s);
		}
		transport(f, &m);
	}
}

/* HELLOs of a window: to candidates each time, to others in their turn. */
static void fleet_greet(struct fleet *f, uint64_t window)
{
	struct wire_message m = { .type = WIRE_HELLO, .from = 1 };
	uint64_t each = WINDOW_NS / HELLO_NS, tick;
	uint8_t buffer[WIRE_MAX_BYTES];
	uint32_t h;

	m.hello.stamps = WIRE_SOFTWARE;
	m.hello.flags = WIRE_HELLO_ALIGNED | WIRE_HELLO_LEADER | WIRE_HELLO_CANDIDATE;
	m.hello.term = 1;
	m.hello.leader = 1;
	m.hello.window_ns = WINDOW_NS;
	f->greeted_bytes = 0;
	for (tick = window * each; tick < (window + 1) * each; tick++)
		for (h = 1; h < f->membership.hosts; h++)
			if (h < ELECTION_CANDIDATES || budget_greets(f->membership.hosts, tick, h))
				f->greeted_bytes += wire_write(&m, buffer) + HEADS;
}

/**
 * struct cost - of a window, ms of a processor
 * @read: to read reports
 * @solve: to solve
 * @tell: to write what hosts receive
 */
struct cost {
	double read, solve, tell;
};

static struct cost fleet_window(struct fleet *f, uint64_t window)
{
	static struct wire_message message;
	uint32_t repeats = budget_repeats(f->membership.hosts) ? 2 : 1, h;
	uint8_t buffer[WIRE_MAX_BYTES];
	double times[4];
	size_t n;

	fleet_report(f, window);
	fleet_greet(f, window);
	times[0] = cpu_ms();
	for (n = 0; n < REPORTED * f->report_count; n++) {
		size_t r = n % f->report_count;

		if (wire_parse(f->reports[r], f->length[r], &message) == WIRE_GOOD)
			coordinator_report(&f->coordinator, f->from[r], false, &message.edges);
	}
	times[1] = cpu_ms();
	coordinator_solve(&f->coordinator, window, &f->schedule, 1);
	times[2] = cpu_ms();
	f->sent_bytes = 0;
	for (h = 1; h < f->membership.hosts; h++) {
		coordinator_message(&f->coordinator, h, 1, &message);
		message.from = 1;
		f->sent_bytes += repeats * (wire_write(&message, buffer) + HEADS);
	}
	times[3] = cpu_ms();
	return (struct cost){ times[1] - times[0], times[2] - times[1], times[3] - times[2] };
}

/* Root mean square of the errors, and of what is promised; all solved? */
static bool fleet_errors(struct fleet *f, uint64_t window, double *error, double *promise)
{
	double s = (double)window * WINDOW_NS / 1e9;
	bool all = true;
	uint32_t h;

	*error = 0;
	*promise = 0;
	for (h = 1; h < f->membership.hosts; h++) {
		const struct network_host *host = &f->coordinator.host[h];
		double at = s * 1e9 - f->x[h] - f->d[h] * s;
		double off = host->line.offset_ns + host->line.drift_ppb * (at - host->line.at_ns) / 1e9 -
			     f->x[h] - f->d[h] * s;

		all &= host->reached;
		*error += off * off;
		*promise += host->std_ns * host->std_ns;
	}
	*error = sqrt(*error / (f->membership.hosts - 1));
	*promise = sqrt(*promise / (f->membership.hosts - 1));
	return all;
}

static double seconds(void)
{
	return WINDOW_NS / 1e9;
}

static double resident_mb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1e3;
}

static void tell_json(const struct fleet *f, double *cost[3], uint32_t windows)
{
	printf("{ \"hosts\": %u, \"edges\": %u, \"windows\": %u, \"steps\": %u,\n", f->membership.hosts,
	       f->membership.edges, windows, f->coordinator.result.iterations);
	printf("  \"read_ms\": %.4f, \"solve_ms\": %.4f, \"tell_ms\": %.4f,\n", percentile(cost[0], windows, 50),
	       percentile(cost[1], windows, 50), percentile(cost[2], windows, 50));
	printf("  \"tables_mb\": %.3f, \"resident_mb\": %.3f,\n", coordinator_bytes(&f->coordinator) / 1e6, resident_mb());
	printf("  \"reports_mbps\": %.4f, \"solutions_mbps\": %.4f, \"hellos_mbps\": %.4f }\n",
	       mbps(f->report_bytes), mbps(f->sent_bytes), mbps(f->greeted_bytes));
}

static void tell(const struct fleet *f, double *cost[3], uint32_t windows)
{
	static const char *const what[] = { "read reports", "solve", "write solutions" };
	double sum = 0;
	int n;

	printf("hosts %u, edges %u, windows of 2 s: %u; steps of the solver in the last: %u\n", f->membership.hosts,
	       f->membership.edges, windows, f->coordinator.result.iterations);
	for (n = 0; n < 3; n++) {
		double ms = percentile(cost[n], windows, 50);

		sum += ms;
		printf("%-16s %8.1f ms  %6.2f %% of a window\n", what[n], ms, ms / seconds() / 10);
	}
	printf("%-16s %8.1f ms  %6.2f %% of a window\n", "all", sum, sum / seconds() / 10);
	printf("%-16s %8.1f MB of tables and buffers, %.1f MB of this program with its fleet\n", "memory",
	       coordinator_bytes(&f->coordinator) / 1e6, resident_mb());
	printf("%-16s %8.2f Mbit/s in: reports, each sent %d times\n", "traffic", mbps(f->report_bytes), REPORTED);
	printf("%-16s %8.2f Mbit/s out: solutions %.2f, each sent %s, HELLOs %.2f\n", "",
	       mbps(f->sent_bytes + f->greeted_bytes), mbps(f->sent_bytes),
	       budget_repeats(f->membership.hosts) ? "twice" : "once", mbps(f->greeted_bytes));
}

static int test(struct fleet *f, uint64_t window)
{
	double error, promise;
	bool all = fleet_errors(f, window, &error, &promise);

	tap_ok(all, "fleet__all_hosts_are_solved");
	tap_remark("error %.1f ns, promised %.1f, edges %.0f", error, promise, NOISE_NS);
	tap_ok(error < 3 * promise && promise < NOISE_NS, "fleet__within_what_is_promised");
	tap_ok(f->coordinator.result.used == f->membership.edges, "fleet__every_edge_counts");
	tap_remark("%.2f Mbit/s in, %.2f out, %.1f MB", mbps(f->report_bytes), mbps(f->sent_bytes + f->greeted_bytes),
		   coordinator_bytes(&f->coordinator) / 1e6);
	tap_ok(mbps(f->sent_bytes + f->greeted_bytes) < BUDGET_BPS / 1e6, "fleet__traffic_within_the_budget");
	return tap_done();
}

int main(int argc, char **argv)
{
	uint32_t hosts = FLEET_HOSTS, degree = GRAPH_K, windows = FLEET_WINDOWS, n;
	bool tap = false, json = false;
	double *cost[3];
	struct fleet f;
	int opt, ret = 0;

	while ((opt = getopt(argc, argv, "n:k:w:jt")) != -1) {
		if (opt == '?')
			return 2;
		if (opt == 't')
			tap = true;
		if (opt == 'j')
			json = true;
		if (opt == 'n')
			hosts = strtoul(optarg, NULL, 0);
		if (opt == 'k')
			degree = strtoul(optarg, NULL, 0);
		if (opt == 'w')
			windows = strtoul(optarg, NULL, 0);
	}
	if (optind < argc || hosts < 2 || hosts > GRAPH_HOSTS_MOST || !degree || degree > GRAPH_K_MOST || !windows) {
		fprintf(stderr, "usage: %s [-n 2..%d] [-k 1..%d] [-w WINDOWS] [-j | -t]\n", argv[0], GRAPH_HOSTS_MOST, GRAPH_K_MOST);
		return 2;
	}
	fleet_make(&f, hosts, degree);
	for (n = 0; n < 3; n++)
		cost[n] = calloc(windows, sizeof(double));
	for (n = 0; n < windows; n++) {
		struct cost c = fleet_window(&f, n + 1);

		cost[0][n] = c.read;
		cost[1][n] = c.solve;
		cost[2][n] = c.tell;
	}
	if (tap)
		ret = test(&f, windows);
	else if (json)
		tell_json(&f, cost, windows);
	else
		tell(&f, cost, windows);
	for (n = 0; n < 3; n++)
		free(cost[n]);
	fleet_free(&f);
	return ret;
}
