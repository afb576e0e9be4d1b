// SPDX-License-Identifier: GPL-2.0
/*
 * The schedule of windows, which host probes when, what comes back together, and how much
 * is sent: one at a time.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../selftests/lib/tap.h"
#include "../../net/budget.h"
#include "../../algo/prng.h"
#include "../../net/collector.h"
#include "../../net/mesh.h"
#include "../../net/schedule.h"
#include "../../net/prober.h"

#define S	1000000000LL
#define MS	1000000LL

/* --- schedule --- */

static void plans(void)
{
	struct schedule schedule = { .window_ns = 2 * S };
	int64_t local_ns;
	int wrong = 0, i;
	uint64_t seed = 1;

	tap_ok(schedule_receive(&schedule, -5 * S, 100 * S) && schedule.known &&
	       schedule_window(&schedule, -5 * S) == 50 &&
	       schedule_window(&schedule, -3 * S - 1) == 50 &&
	       schedule_window(&schedule, -3 * S) == 51, "a schedule is received");
	tap_ok(schedule_end(&schedule, 50) == -3 * S && schedule_middle(&schedule, 50) == -4 * S,
	       "a window has a middle and an end");
	tap_ok(!schedule_receive(&schedule, 0, 105 * S + 100 * MS) &&
	       schedule_now(&schedule, 0) == 105 * S, "a HELLO that was late changes nothing");
	tap_ok(!schedule_receive(&schedule, 0, 105 * S - 125 * MS), "nor one within a sixteenth");
	tap_ok(schedule_receive(&schedule, 0, 105 * S - 126 * MS) &&
	       schedule_now(&schedule, 0) == 105 * S - 126 * MS, "one beyond does");
	tap_ok(schedule_receive(&schedule, 0, 500 * S) && schedule_window(&schedule, 0) == 250,
	       "and so does another schedule");
	schedule_set(&schedule, 10 * S, 1000 * S, 200000);
	for (i = 0; i < 10000; i++) {
		int64_t common = prng_next(&seed) % (10000 * S);

		local_ns = schedule_local(&schedule, common);
		wrong += llabs(schedule_now(&schedule, local_ns) - common) > 1;
	}
	tap_ok(!wrong, "times of the schedule and local ones lead back, with drift");
	schedule_set(&schedule, 0, -5 * S, 0);
	tap_ok(schedule_now(&schedule, 0) == 0 && schedule_window(&schedule, 4 * S) == 0,
	       "there is no window below 0");
}

/* --- prober --- */

static void prober_times(struct prober *p)
{
	int64_t least = INT64_MAX, most = 0, last[4] = { 0 }, end = 100 * S;
	uint64_t pairs = 0;

	for (;;) {
		uint32_t place = prober_next(p);
		int64_t due = p->neighbour[place].due_ns, delay_sum;

		if (due > end)
			break;
		delay_sum = due - last[place];
		if (last[place]) {
			least = delay_sum < least ? delay_sum : least;
			most = delay_sum > most ? delay_sum : most;
		}
		last[place] = due;
		prober_pair(p, place, due);
		pairs++;
	}
	tap_ok(pairs > 19900 && pairs < 20100,
	       "pairs go out once an interval in the mean: %llu",
	       (unsigned long long)pairs);
	tap_ok(least >= 16 * MS - 1 && most <= 24 * MS + 1,
	       "give or take a fifth: %lld to %lld", (long long)least,
	       (long long)most);
}

/* Pairs to each neighbour in a second from @from on. */
static void prober_second(struct prober *p, int64_t from, uint32_t pairs[4])
{
	uint32_t place;

	memset(pairs, 0, 4 * sizeof(*pairs));
	while (place = prober_next(p), p->neighbour[place].due_ns < from + S) {
		pairs[place]++;
		prober_pair(p, place, p->neighbour[place].due_ns);
	}
}

static bool prober_near(uint32_t pairs, uint32_t wanted)
{
	return pairs + 3 > wanted && pairs < wanted + 3;
}

static void prober_bursts(struct prober *p)
{
	uint32_t pairs[4];

	prober_begin(p, 7, 0);
	tap_ok(prober_least_ns(p) == 20 * MS, "without a burst there is one interval");
	prober_burst(p, 1, true, 0);
	tap_ok(p->neighbour[1].due_ns < 5 * MS && prober_least_ns(p) == 5 * MS,
	       "a burst begins within the shorter interval");
	prober_burst(p, 1, true, 0);
	prober_second(p, 0, pairs);
	tap_ok(prober_near(pairs[1], 200) && prober_near(pairs[0], 50) && prober_near(pairs[2], 50),
	       "it is to one neighbour: %u pairs, %u to another", pairs[1], pairs[0]);
	prober_burst(p, 1, false, S);
	tap_ok(prober_least_ns(p) == 20 * MS, "a burst that began twice ends once");
	prober_second(p, S, pairs);
	tap_ok(prober_near(pairs[1], 50), "and then pairs are as they were: %u", pairs[1]);
	prober_burst(p, 1, false, 2 * S);
	tap_ok(!p->bursts, "a burst that ended does not end again");
}

static void probers(void)
{
	struct prober *p = calloc(1, sizeof(*p)), *q = calloc(1, sizeof(*q));
	struct prober_neighbour n[4] = { 0 }, m[4] = { 0 };
	struct wire_probe probe;
	uint64_t lost;
	int64_t due;

	p->neighbours = 4;
	q->neighbours = 4;
	p->neighbour = n;
	q->neighbour = m;
	p->interval_ns = 20 * MS;
	q->interval_ns = 20 * MS;
	p->burst_ns = 5 * MS;
	prober_begin(p, 7, 0);
	prober_begin(q, 8, 0);
	tap_ok(n[0].due_ns < 20 * MS && n[0].due_ns != m[0].due_ns,
	       "seeds decide when they begin");
	prober_times(p);
	prober_bursts(p);

	prober_begin(p, 7, 0);
	memset(n[2].pair, 0, sizeof(n[2].pair));
	n[2].number = 0;
	n[2].lost = 0;
	prober_pair(p, 2, 0);
	prober_sent(p, 2, 0, 10, 5);
	prober_sent(p, 2, 1, 11, 6);
	prober_fill(p, 2, 0, &probe);
	tap_ok(probe.pair == 1 && probe.index == 0 && !probe.echo[0].pair &&
	       !probe.echo[1].pair && probe.echo[0].tx[0] == WIRE_NO_TIME,
	       "the first pair brings no stamps");
	tap_ok(prober_stamp(p, 10, 100) && !prober_stamp(p, 10, 101) &&
	       !prober_stamp(p, 12, 5) && !prober_stamp(p, 10 + PROBER_FLYING, 5) &&
	       p->odd == 3, "a stamp belongs to one probe, once");
	prober_pair(p, 2, 20 * MS);
	prober_fill(p, 2, 1, &probe);
	tap_ok(probe.pair == 2 && probe.echo[0].pair == 1 &&
	       probe.echo[0].tx[0] == 100 && probe.echo[0].tx[1] == WIRE_NO_TIME,
	       "the next one brings what has come");
	prober_sent(p, 2, 0, 20, 7);
	prober_sent(p, 2, 1, 21, 8);
	tap_ok(prober_stamp(p, 11, 110), "the rest comes late");
	prober_pair(p, 2, 40 * MS);
	prober_fill(p, 2, 0, &probe);
	tap_ok(probe.echo[1].pair == 1 && probe.echo[1].tx[1] == 110 &&
	       probe.echo[0].pair == 2 && probe.echo[0].tx[0] == WIRE_NO_TIME,
	       "and goes with the one after");
	lost = n[2].lost;
	prober_pair(p, 2, 60 * MS);
	prober_pair(p, 2, 80 * MS);
	prober_pair(p, 2, 100 * MS);
	tap_ok(lost == 0 && n[2].lost == 2, "stamps that never come are counted");
	prober_sent(p, 2, 0, 30, 7);
	prober_forget(p);
	tap_ok(!prober_flies(p, 30) && !prober_stamp(p, 30, 9),
	       "what is forgotten does not come back");
	prober_fill(p, 2, 1, &probe);
	tap_ok(!probe.echo[0].pair && !probe.echo[1].pair, "nor is it reported");
	due = n[1].due_ns;
	prober_pair(p, 1, due + 100 * S);
	tap_ok(n[1].due_ns > due + 100 * S &&
	       n[1].due_ns < due + 100 * S + 25 * MS,
	       "after a pause it does not catch up");
	n[3].number = UINT32_MAX;
	prober_pair(p, 3, 0);
	tap_ok(n[3].number == 1, "there is no pair 0");
	free(p);
	free(q);
}

/* --- collector --- */

static struct wire_probe probe_of(uint32_t pair, uint8_t index, uint64_t window)
{
	struct wire_probe p = { .index = index, .stamps = WIRE_SOFTWARE,
				.pair = pair, .window = window };
	int i;

	for (i = 0; i < WIRE_ECHOES; i++) {
		p.echo[i].tx[0] = WIRE_NO_TIME;
		p.echo[i].tx[1] = WIRE_NO_TIME;
	}
	return p;
}

static struct wire_probe echo_of(uint32_t pair, uint64_t window, uint32_t of,
				 int64_t a, int64_t b)
{
	struct wire_probe p = probe_of(pair, 0, window);

	p.echo[0] = (struct wire_echo){ of, { a, b } };
	return p;
}

static bool take(struct collector *c, struct wire_probe p, int64_t rx,
		 uint64_t window, bool coded)
{
	return collector_take(c, &p, rx, window, coded);
}

static uint32_t pairs_in(struct collector *c, uint64_t window)
{
	struct collector_window *w = collector_window(c, window);

	return w ? w->count : 0;
}

static void collectors(void)
{
	struct collector c = { 0 };
	struct collector_window *w;
	uint32_t i;

	collector_make(&c, 4);
	tap_ok(!collector_window(&c, 9), "nothing came in a window");
	take(&c, probe_of(1, 0, 9), 1000, 9, true);
	take(&c, probe_of(1, 1, 9), 1010, 9, true);
	tap_ok(pairs_in(&c, 9) == 0 && collector_window(&c, 9)->arrived == 1,
	       "a pair waits for its Tx stamps");
	take(&c, echo_of(2, 9, 1, 500, 510), 2000, 9, true);
	w = collector_window(&c, 9);
	tap_ok(w->count == 1 && w->pair[0].tx_ns[0] == 500 &&
	       w->pair[0].tx_ns[1] == 510 && w->pair[0].rx_ns[0] == 1000 &&
	       w->pair[0].rx_ns[1] == 1010, "they meet");
	take(&c, echo_of(3, 9, 1, 500, 510), 3000, 9, true);
	tap_ok(pairs_in(&c, 9) == 1, "once");
	take(&c, echo_of(4, 9, 2, 600, 610), 4000, 9, true);
	tap_ok(pairs_in(&c, 9) == 1, "a pair of which one probe was lost is none");
	take(&c, echo_of(5, 9, 4, 700, WIRE_NO_TIME), 5000, 9, false);
	tap_ok(pairs_in(&c, 9) == 2 && w->pair[1].tx_ns[1] == 700 &&
	       w->pair[1].rx_ns[1] == 4000, "but single probes are one");
	take(&c, echo_of(6, 9, 5, WIRE_NO_TIME, WIRE_NO_TIME), 6000, 9, false);
	tap_ok(pairs_in(&c, 9) == 2, "without a stamp nothing meets");
	take(&c, echo_of(7, 10, 6, 800, 810), 7000, 10, false);
	tap_ok(pairs_in(&c, 9) == 3 && pairs_in(&c, 10) == 0,
	       "a pair counts in the window it was sent in");
	take(&c, probe_of(8, 0, 9), WIRE_NO_TIME, 9, false);
	take(&c, echo_of(9, 9, 8, 900, 910), 9000, 9, false);
	tap_ok(pairs_in(&c, 9) == 3, "a probe without Rx stamp is none");
	for (i = 10; i < 20; i++)
		take(&c, echo_of(i, 9, i - 1, i, i), 100 * i, 9, false);
	tap_ok(pairs_in(&c, 9) == 4 && w->full == 9, "more than there is space for is counted");
	tap_ok(!take(&c, probe_of(30, 0, 7), 1, 9, true) &&
	       !take(&c, probe_of(30, 0, 11), 1, 9, true) &&
	       !take(&c, probe_of(30, 0, 0), 1, 9, true) &&
	       !take(&c, probe_of(30, 0, WIRE_WINDOW_MAX), 1, 9, true),
	       "windows before and after are refused");
	tap_ok(take(&c, probe_of(31, 0, 11), 1, 10, true) &&
	       !take(&c, probe_of(32, 0, 9), 1, 10, true) &&
	       !collector_window(&c, 9), "a window that was replaced is over");
	take(&c, echo_of(1, 11, 0, 5, 5), 1, 11, false);
	take(&c, echo_of(2, 11, 31, 5, 5), 1, 11, false);
	tap_ok(pairs_in(&c, 11) == 1, "numbers may begin at 1 again");
	take(&c, echo_of(40, 11, 40, 5, 5), 1, 11, false);
	take(&c, echo_of(41, 11, 24, 5, 5), 1, 11, false);
	tap_ok(pairs_in(&c, 11) == 2, "a pair that was overtaken by sixteen is forgotten");
	collector_forget(&c);
	tap_ok(!pairs_in(&c, 11) && !pairs_in(&c, 10), "all is forgotten");
	collector_free(&c);
}

/* --- membership --- */

static uint32_t checksum_of(const struct huygens_conf *conf)
{
	struct member_list list;
	uint32_t checksum = 0;

	if (!member_list_make(&list, conf))
		checksum = list.checksum;
	member_list_free(&list);
	return checksum;
}

/* Settings that must be equal on all hosts of a mesh. */
static void memberships(void)
{
	struct conf_peer peers[5] = {
		{ .id = 1 }, { .id = 2 }, { .id = 3 }, { .id = 4 }, { .id = 5 },
	};
	struct huygens_conf conf = { .peers = peers, .n_peers = 4, .degree = 2, .seed = 1 };
	uint32_t sum = checksum_of(&conf), ids[] = { 2, 3 };

	conf.self = 3;
	tap_ok(sum && checksum_of(&conf) == sum, "hosts of one file have one checksum");
	conf.n_peers = 5;
	tap_ok(checksum_of(&conf) != sum, "other hosts, another checksum");
	conf.n_peers = 4;
	peers[3].id = 5;
	tap_ok(checksum_of(&conf) != sum, "another id, another checksum");
	peers[3].id = 4;
	conf.degree = 3;
	tap_ok(checksum_of(&conf) != sum, "another degree, another checksum");
	conf.degree = 2;
	conf.seed = 2;
	tap_ok(checksum_of(&conf) != sum, "another seed, another checksum");
	conf.seed = 1;
	conf.candidates = ids;
	conf.n_candidates = 2;
	tap_ok(checksum_of(&conf) != sum, "other candidates, another checksum");
}

/* --- budget --- */

static double probes_bps(const struct budget *b, int64_t interval_ns)
{
	uint32_t bytes = WIRE_PROBE_BYTES + (b->is_ipv6 ? 66 : 46) +
			 (b->is_signed ? AUTH_BYTES : 0);

	return 1e9 / (double)interval_ns * b->neighbours * (b->coded ? 2 : 1) *
	       bytes * 8;
}

static void budgets(void)
{
	struct budget b = { .hosts = 50, .neighbours = 20, .candidates = 16,
			    .coded = true, .window_ns = 2 * S,
			    .hello_ns = 500 * MS };
	int wrong = 0, unfit = 0, few = 0, i;
	double most = 0;

	tap_ok(budget_interval(&b, 20 * MS) == 20 * MS,
	       "twenty neighbours at 20 ms fit");
	tap_ok(budget_interval(&b, MS) > 10 * MS, "at 1 ms they do not");
	b.neighbours = 1;
	tap_ok(budget_interval(&b, MS) == MS, "one at 1 ms does");
	for (i = 0; i < 5 * 3 * 64; i++) {
		static const uint32_t hosts[] = { 50, 256, 1000, 2000, 4096 };
		static const int64_t windows[] = { 500 * MS, S, 2 * S };
		struct budget c = { .hosts = hosts[i / 64 % 5],
				    .neighbours = 20, .candidates = 16,
				    .is_coordinator = i & 2, .is_signed = i & 4,
				    .is_ipv6 = i & 8, .coded = i & 16,
				    .window_ns = windows[i / 320],
				    .hello_ns = 500 * MS };
		int64_t interval = budget_interval(&c, i & 32 ? MS : 20 * MS);
		double bps = probes_bps(&c, interval) + budget_other_bps(&c);

		if (!budget_fits(&c)) {
			unfit++;
			continue;
		}
		most = bps > most ? bps : most;
		few += interval * 20 > c.window_ns;
		wrong += bps > 3e6;
	}
	tap_ok(!few, "a host that fits probes twenty times a window");
	tap_ok(unfit > 100, "and some do not fit: %d", unfit);
	b = (struct budget){ .hosts = 1000, .neighbours = 20, .candidates = 16,
			     .is_coordinator = true, .coded = true,
			     .window_ns = 2 * S, .hello_ns = 500 * MS };
	tap_ok(budget_fits(&b), "a coordinator of 1,000 hosts fits");
	b.window_ns = 500 * MS;
	tap_ok(!budget_fits(&b), "not with four windows a second of it");
	b.window_ns = 2 * S;
	b.hosts = 4096;
	tap_ok(!budget_fits(&b), "nor one of 4,096");
	b.is_coordinator = false;
	tap_ok(budget_fits(&b), "of whom each other does");
	tap_ok(!wrong, "no host plans more than 3 Mbit/s: %.2f", most / 1e6);
}

/* --- requirements on a configuration --- */

/* As if so many hosts were in a configuration of two. */
static bool judged(const struct huygens_conf *two, uint32_t hosts,
		   struct conf_error *error)
{
	struct huygens_conf conf = *two;

	conf.n_peers = hosts;
	return !mesh_check(&conf, "f", error);
}

/* The most hosts that are taken, and one more is not. */
static void judges(void)
{
	static const char ipv4[] = "[mesh]\npeers = 10.0.0.1 10.0.0.2\n";
	static const char ipv6[] = "[mesh]\npeers = fd00::1 fd00::2\n";
	static const char keys[] = "[security]\nkey_file = /keys\n";
	static const struct {
		const char *peers, *more, *what;
	} dear[] = {
		{ ipv4, keys, "with keys" }, { ipv6, "", "on IPv6" },
		{ ipv4, "[mesh]\nwindow = 1900ms\n", "with a shorter window" },
		{ ipv4, "[coordinator]\nhello = 450ms\n", "with a shorter hello" },
	}, cheap[] = {
		{ ipv4, "[mesh]\ncoded = no\n", "with single probes" },
		{ ipv4, "[mesh]\ndegree = 9\n", "with fewer neighbours" },
		{ ipv4, "[coordinator]\ncandidates = 1 2\n", "with fewer candidates" },
		{ ipv4, "[coordinator]\nhello = 550ms\n", "with a longer hello" },
	};
	struct huygens_conf conf;
	struct conf_error error;
	uint32_t hosts = 2;
	char text[256];
	size_t i;

	if (conf_parse(&conf, "f", ipv4, strlen(ipv4), &error))
		return;
	while (hosts < CONF_PEERS_MAX && judged(&conf, hosts + 1, &error))
		hosts++;
	conf_free(&conf);
	tap_ok(hosts > 1000 && hosts < CONF_PEERS_MAX &&
	       strstr(error.text, "f: [mesh] window, [coordinator] hello: with "),
	       "%u hosts are taken, and one more is refused", hosts);
	for (i = 0; i < sizeof(dear) / sizeof(*dear); i++) {
		snprintf(text, sizeof(text), "%s%s", dear[i].peers, dear[i].more);
		tap_ok(!conf_parse(&conf, "f", text, strlen(text), &error) &&
		       !judged(&conf, hosts, &error),
		       "they are refused %s", dear[i].what);
		conf_free(&conf);
	}
	for (i = 0; i < sizeof(cheap) / sizeof(*cheap); i++) {
		snprintf(text, sizeof(text), "%s%s", cheap[i].peers, cheap[i].more);
		tap_ok(!conf_parse(&conf, "f", text, strlen(text), &error) &&
		       judged(&conf, hosts + 1, &error),
		       "one more is taken %s", cheap[i].what);
		conf_free(&conf);
	}
}

/* --- a coordinator of a thousand hosts, whose owners' reports are made up --- */

struct thousand {
	struct mesh	mesh;
	struct huygens_conf conf;
	uint64_t	bytes;
	uint32_t	notified[1001];
	uint32_t	bad;
	size_t		longest;
	uint32_t	key;
};

static int thousand_send(void *data, uint32_t to, const void *bytes, size_t len)
{
	struct thousand *t = data;
	struct wire_message m;

	t->bytes += len + 46;
	t->longest = len > t->longest ? len : t->longest;
	if (wire_parse(bytes, len - AUTH_BYTES, &m))
		t->bad++;
	else if (m.type == WIRE_SOLUTION)
		t->notified[to] += m.solution.count == 1 &&
			       m.solution.row[0].id == to + 1 &&
			       m.solution.row[0].flags == WIRE_ROW_SOLVED;
	return 0;
}

static int thousand_probe(void *data, uint32_t to, const void *bytes, size_t len,
			  uint32_t *key, int64_t *left_ns)
{
	struct thousand *t = data;

	*key = t->key++;
	*left_ns = 0;
	return thousand_send(data, to, bytes, len);
}

static void thousand_space(void *data, int64_t ns)
{
	(void)data;
	(void)ns;
}

static void thousand_nothing(void *data)
{
	(void)data;
}

static const struct mesh_ops thousand_ops = {
	.transport = { thousand_send, thousand_probe },
	.space = thousand_space,
	.line = thousand_nothing,
	.solved = thousand_nothing,
};

static char *thousand_text(void)
{
	char *text = malloc(40000);
	int at = sprintf(text, "[security]\nkey_file = /keys\n[mesh]\npeers ="), i;

	for (i = 1; i <= 1000; i++)
		at += sprintf(text + at, " %d=10.0.%d.%d", i, i / 250,
			      i % 250 + 1);
	return text;
}

/* Each owner reports its edges as the graph has them; clock n is n us ahead. */
static void thousand_report(struct thousand *t, uint64_t window)
{
	const struct membership *r = &t->mesh.membership;
	uint32_t e = 0, i;

	for (i = 0; i < r->hosts; i++) {
		struct wire_edges m = { .window = window,
			.middle_ns = schedule_middle(&t->mesh.schedule, window) +
				     1000 * (int64_t)i };

		for (; e < r->edges && r->edge[e].i == i; e++) {
			if (m.count == WIRE_EDGES_MAX) {
				coordinator_report(&t->mesh.coordinator, i, false, &m);
				m.count = 0;
			}
			m.edge[m.count++] = (struct wire_edge){
				.peer = r->host[r->edge[e].j].id,
				.theta_ns = 1000 * ((int64_t)r->edge[e].j - i),
				.delay_sum_ns = 1000, .sigma_ns = 50, .sigma_ppb = 50,
				.out = 100, .in = 100,
			};
		}
		coordinator_report(&t->mesh.coordinator, i, false, &m);
	}
}

static void thousand(void)
{
	struct thousand *t = calloc(1, sizeof(*t));
	struct auth_keys keys = { 0 };
	struct mesh_begin begin = { .conf = &t->conf, .keys = &keys,
				    .ops = &thousand_ops, .data = t,
				    .session = 1, .seed = 1,
				    .stamps = WIRE_SOFTWARE };
	struct mesh_now now = { 1000 * S, 5000 * S };
	struct conf_error error;
	char *text = thousand_text();
	uint64_t reported = 0, began_bytes = 0;
	int64_t began_ns = 0;
	uint32_t least = UINT32_MAX, i;
	double rate;

	auth_add_key(&keys, 1, "a key of the fleet", 18);
	if (conf_parse(&t->conf, "thousand", text, strlen(text), &error) ||
	    mesh_make(&t->mesh, &begin, &now)) {
		tap_ok(false, "%s", error.text);
		return;
	}
	while (now.raw_ns < 1020 * S) {
		int64_t next = mesh_run(&t->mesh, &now);
		int64_t step = next > now.raw_ns ? next - now.raw_ns : 1000;

		if (t->mesh.phase == MESH_SOLVE && t->mesh.window > reported) {
			reported = t->mesh.window;
			thousand_report(t, reported);
		}
		now.raw_ns += step;
		now.local_ns += step;
		if (!began_ns && now.raw_ns > 1010 * S) {
			began_ns = now.raw_ns;
			began_bytes = t->bytes;
		}
	}
	rate = (double)(t->bytes - began_bytes) * 8e9 /
	       (double)(now.raw_ns - began_ns);
	for (i = 1; i < 1000; i++)
		least = t->notified[i] < least ? t->notified[i] : least;
	tap_ok(t->mesh.verdict.self && t->mesh.count.solved >= 6 &&
	       t->mesh.coordinator.result.reached == 1000,
	       "hosts are solved, 1000");
	tap_ok(!t->bad && least >= 6, "and each receives its own: %u times", least);
	tap_ok(rate < 3e6 && rate > 1e6,
	       "their coordinator transmits %.2f Mbit/s, signed", rate / 1e6);
	tap_ok(t->longest <= 1232, "no datagram is longer than IPv6 carries: %zu",
	       t->longest);
	tap_ok(llabs(t->mesh.coordinator.host[999].line.offset_ns -
		     t->mesh.coordinator.host[0].line.offset_ns + 999000) < 10,
	       "the solution is what was made up");
	mesh_free(&t->mesh);
	conf_free(&t->conf);
	free(text);
	free(t);
}

/* A window with the correction @offset_ns, each a second after the one before. */
static void clock_window(struct host_clock *host_clock, uint64_t window, int64_t offset_ns)
{
	int64_t at_ns = (int64_t)window * 1000000000;
	struct wire_solution solution = { .window = window, .timeline = 8 };
	struct wire_row row = { .flags = WIRE_ROW_SOLVED, .at_ns = at_ns, .offset_ns = offset_ns,
				.std_ns = 100, .std_ppb = 10, .bias_ns = 100 };

	host_clock_update(host_clock, at_ns + 100000000, &solution, &row);
}

static void turns(void)
{
	const char *text = "[mesh]\npeers = 10.0.0.1 10.0.0.2\n";
	struct host_clock host_clock;
	struct huygens_conf conf;
	struct conf_error error;
	uint64_t n;

	if (conf_parse(&conf, "turns", text, strlen(text), &error))
		exit(2);
	host_clock_begin(&host_clock, &conf, 0);
	host_clock.params.step_ns = 1000000;
	host_clock.params.step_updates = 100;
	for (n = 1; n < 10; n++)
		clock_window(&host_clock, n, 0);
	tap_ok(host_clock.turned_ppb == 0, "a host's rate has not changed");
	clock_window(&host_clock, n++, 50000);
	tap_ok(host_clock.turned_ppb > 10000, "a window 50 us off: it may have");
	clock_window(&host_clock, n, 10000000);
	tap_ok(host_clock.taken && host_clock.turned_ppb == 0, "a step: that is forgotten");
	conf_free(&conf);
}

int main(void)
{
	plans();
	probers();
	collectors();
	memberships();
	budgets();
	judges();
	thousand();
	turns();
	return tap_done();
}
