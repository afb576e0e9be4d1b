// SPDX-License-Identifier: GPL-2.0
/*
 * Runs of the model: times by formula, nothing is lost, senders react to marks and to marks
 * only, and the order of settings.
 */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "scenarios.h"

#define MS	1000000ULL

static const struct template low = { 6500, 6500, TEMPLATE_ONE_PPM };
static const struct template high = { 6500, 420000, TEMPLATE_ONE_PPM };
/* Nothing waits so long. */
static const struct template never = { 90 * MS, 90 * MS, TEMPLATE_ONE_PPM };

static struct sim sim;

static void begin(const struct scenario *x, const struct template *t)
{
	char why[200];

	if (sim_open(&sim, x, why, sizeof(why))) {
		tap_ok(false, "a scenario is refused: %s", why);
		exit(tap_done());
	}
	bottleneck_set(&sim.port, t);
}

/* Until every flow has ended, or for ten seconds. */
static bool finish(void)
{
	while (!sim_is_over(&sim) && sim.now_ns < 10000 * MS)
		sim_run(&sim, sim.now_ns + MS);
	/* Acknowledgments of the last ones. */
	sim_run(&sim, sim.now_ns + MS);
	return sim_is_over(&sim);
}

/* One flow of so many full segments alone. */
static uint64_t alone(enum scenario_cc cc, uint32_t segments)
{
	struct scenario x = scenario_base(cc);
	uint64_t took_ns;

	x.fan_in = 1;
	x.fan_in_bytes = segments * PACKET_PAYLOAD;
	x.fan_in_ns = x.duration_ns;
	x.senders = 1;
	begin(&x, &never);
	took_ns = finish() ? sim.flow[0].end_ns - sim.flow[0].start_ns : 0;
	sim_close(&sim);
	return took_ns;
}

static void test_alone(void)
{
	struct scenario x = scenario_base(SCENARIO_DCTCP);
	uint64_t wire = packet_wire_ns(PACKET_PAYLOAD + PACKET_HEADERS, x.rate_bps);
	uint64_t there = scenario_delay_ns(&x, 0) + wire + SCENARIO_BEHIND_NS;
	uint64_t ack = scenario_ack_ns(&x, 0), took, want;
	uint64_t least = packet_wire_ns(PACKET_LEAST_WIRE - PACKET_OVERHEAD, x.rate_bps);

	tap_ok(scenario_delay_ns(&x, 0) + 2 * least + SCENARIO_BEHIND_NS + ack == x.rtt_ns[0],
	       "there and back is the RTT");
	took = alone(SCENARIO_DCTCP, 10);
	want = 3 * ack + 10 * wire + there;
	if (!tap_ok(took == want, "a flow of an initial window: handshake, request, its packets"))
		tap_remark("%llu ns, not %llu", (unsigned long long)took, (unsigned long long)want);

	took = alone(SCENARIO_DCTCP, 40);
	/* A third of the window is free after the second acknowledgment, then after the fourth. */
	want = 3 * ack + 2 * (wire + there + ack) + (1 + 3 + 10) * wire + there;
	if (!tap_ok(took == want, "one of 10 + 20 + 10 segments: two round trips more"))
		tap_remark("%llu ns, not %llu", (unsigned long long)took, (unsigned long long)want);

	took = alone(SCENARIO_DCQCN, 1000);
	want = 1000 * wire + there;
	if (!tap_ok(took <= want && want - took <= 1000, "a paced flow: its packets at line rate"))
		tap_remark("%llu ns, not %llu", (unsigned long long)took, (unsigned long long)want);
}

static bool is_conserved(void)
{
	struct bottleneck_count c = bottleneck_read(&sim.port, sim.now_ns);

	return c.in_bytes == c.tx_bytes + c.drop_bytes + sim.port.backlog &&
	       c.in_packets == c.tx_packets + c.drops + sim.port.queued;
}

static void test_conservation(enum scenario_cc cc, const char *name)
{
	struct scenario x = scenario_base(cc);
	uint64_t packets = 0, bytes = 0;
	bool conserved = true;
	uint32_t i;

	x.duration_ns = 20 * MS;
	x.load_ppm = 400000;
	x.closed = 3;
	x.fan_in = 60;
	x.fan_in_bytes = 20000;
	x.fan_in_ns = 7 * MS;
	x.buffer = 150;
	begin(&x, &high);
	for (i = 0; i < 40; i++) {
		sim_run(&sim, sim.now_ns + MS / 2);
		conserved = conserved && is_conserved();
	}
	tap_ok(finish(), "%s: every flow ends, with losses too", name);
	for (i = 0; i < sim.flows; i++) {
		packets += (sim.flow[i].size + PACKET_PAYLOAD - 1) / PACKET_PAYLOAD;
		bytes += sim.flow[i].size;
		conserved = conserved && sim.flow[i].delivered == sim.flow[i].size;
	}
	tap_ok(conserved && is_conserved(), "%s: what came in left, waits, or was dropped", name);
	tap_ok(sim.port.count.drops && sim.port.count.tx_packets == packets &&
	       sim.port.count.tx_bytes == bytes + packets * PACKET_HEADERS,
	       "%s: each byte of each flow came once", name);
	tap_ok(!sim.packets.used, "%s: no packet is left", name);
	sim_close(&sim);
}

/* Mean delay of four endless flows, us; marked packets and Mbit/s too. */
static double endless(enum scenario_cc cc, const struct template *t, uint64_t *marks,
		      double *rate)
{
	struct scenario x = scenario_base(cc);
	struct bottleneck_count c;
	uint64_t bytes = 0, cnps = 0;
	uint32_t i;

	x.endless = 4;
	x.buffer = 2000;
	x.duration_ns = 60 * MS;
	begin(&x, t);
	sim_run(&sim, x.duration_ns);
	c = bottleneck_read(&sim.port, sim.now_ns);
	for (i = 0; i < sim.flows; i++) {
		bytes += sim.flow[i].delivered;
		cnps += sim.flow[i].paced.stats.cnps;
	}
	if (cnps && !c.drops)
		tap_ok(cnps < c.marked_packets / 2, "of marks close together one is notified");
	*marks = c.marked_packets;
	*rate = (double)bytes * 8000 / (double)x.duration_ns;
	sim_close(&sim);
	return (double)c.backlog_byte_ns / (double)c.tx_bytes / 1000;
}

static void test_reaction(enum scenario_cc cc, const char *name)
{
	static const struct template ramp = { 6500, 210000, TEMPLATE_ONE_PPM };
	double with, without, rate, full;
	uint64_t marks, none;

	with = endless(cc, &ramp, &marks, &rate);
	without = endless(cc, &never, &none, &full);
	tap_remark("%s: %.1f us and %.0f Mbit/s with marks, %.1f us and %.0f without", name, with,
		   rate, without, full);
	tap_ok(marks && !none && with < without / 4, "%s: marks keep the queue short", name);
	tap_ok(rate > 7000 && full > 9000, "%s: and the link busy", name);
}

static void test_closed(void)
{
	struct scenario x = scenario_base(SCENARIO_DCTCP);
	uint32_t i, open = 0;

	x.closed = 5;
	x.duration_ns = 50 * MS;
	begin(&x, &high);
	sim_run(&sim, x.duration_ns - 1);
	for (i = 0; i < sim.flows; i++)
		open += !sim.flow[i].end_ns;
	tap_ok(open == 5 && sim.flows > 5, "a closed loop always has as many flows");
	tap_ok(finish() && sim.connections <= 7, "they end, and take each other's connections");
	sim_close(&sim);
}

static void test_drawn(void)
{
	struct scenario x = scenario_base(SCENARIO_DCQCN);
	struct flows a, b;
	bool same;
	uint32_t i;

	x.load_ppm = 500000;
	x.duration_ns = 1000 * MS;
	scenario_flows(&x, &a);
	x.cc = SCENARIO_DCTCP;
	scenario_flows(&x, &b);
	same = a.n == b.n;
	for (i = 0; same && i < a.n; i++)
		same = a.flow[i].size == b.flow[i].size && a.flow[i].planned == b.flow[i].planned;
	tap_ok(same && a.n > 100, "all senders get the same flows");
	flows_free(&b);
	x.seed = 2;
	scenario_flows(&x, &b);
	tap_ok(a.n != b.n || a.flow[0].size != b.flow[0].size, "another seed, other flows");
	flows_free(&a);
	flows_free(&b);
}

/* The mean time of flows from a megabyte on, us; of all that the link sent, bytes. */
static double large(const struct template *t, uint64_t *bytes)
{
	struct scenario x = scenario_base(SCENARIO_DCQCN);
	double sum = 0;
	uint32_t n = 0, i;

	x.load_ppm = 500000;
	x.duration_ns = 300 * MS;
	begin(&x, t);
	sim_run(&sim, x.duration_ns);
	*bytes = sim.port.count.tx_bytes;
	finish();
	for (i = 0; i < sim.flows; i++) {
		if (sim.flow[i].size < 1000000)
			continue;
		sum += (double)(sim.flow[i].end_ns - sim.flow[i].start_ns) / 1000;
		n++;
	}
	sim_close(&sim);
	return sum / n;
}

static void test_settings(void)
{
	uint64_t bytes_low, bytes_high;
	double slow = large(&low, &bytes_low), fast = large(&high, &bytes_high);
	double sent = (double)bytes_low / (double)bytes_high;

	tap_remark("large flows: %.0f us with a step at 6.5 us, %.0f with a ramp to 420 us", slow,
		   fast);
	tap_remark("bytes that the link sent: %.3f of those with the ramp", sent);
	tap_ok(sent > 0.94 && slow > 1.2 * fast,
	       "at half load a low step makes large flows slow, and the link sends as much");
}

static bool is_refused(const struct scenario *x, const char *expected)
{
	char why[200] = "";

	return sim_open(&sim, x, why, sizeof(why)) && strstr(why, expected);
}

static void test_refusals(void)
{
	struct scenario x = scenario_base(SCENARIO_DCTCP), y = x;

	y.rate_bps = 1000;
	tap_ok(is_refused(&y, "rate"), "a rate out of range is refused");
	y = x;
	y.senders = SCENARIO_SENDERS + 1;
	tap_ok(is_refused(&y, "senders"), "too many senders are refused");
	y = x;
	y.rtt_ns[3] = 100;
	tap_ok(is_refused(&y, "rtt"), "an RTT that the links alone exceed is refused");
	y = x;
	y.load_ppm = 1000000;
	tap_ok(is_refused(&y, "load"), "a load of 1 is refused");
	y = x;
	y.load_ppm = 1;
	y.sizes = NULL;
	tap_ok(is_refused(&y, "sizes"), "flows without sizes are refused");
	y = x;
	y.duration_ns = 0;
	tap_ok(is_refused(&y, "duration"), "no duration is refused");
}

int main(void)
{
	test_alone();
	test_conservation(SCENARIO_DCTCP, "dctcp");
	test_conservation(SCENARIO_DCQCN, "dcqcn");
	test_reaction(SCENARIO_DCTCP, "dctcp");
	test_reaction(SCENARIO_DCQCN, "dcqcn");
	test_closed();
	test_drawn();
	test_settings();
	test_refusals();
	return tap_done();
}
