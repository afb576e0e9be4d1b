// SPDX-License-Identifier: GPL-2.0
/*
 * Events, packets, and the port of the model: order, chance of a mark, counters.
 */
#include <math.h>

#include "bottleneck.h"
#include "event.h"
#include "options.h"

#define RATE	10000000000ULL
#define FULL	1448

static void test_events(struct options o)
{
	uint64_t last_ns = 0, last_order = 0, fifo_ns[4] = { 0 };
	unsigned long i, taken = 0;
	struct events e = { 0 };
	struct event next;
	bool sorted = true;
	struct prng prng;

	prng_seed(&prng, o.seed);
	for (i = 0; i < o.n; i++) {
		uint32_t fifo = prng_below(&prng, 8);

		if (fifo < 4)
			events_add_fifo(&e, fifo, fifo_ns[fifo] += prng_below(&prng, 2), EVENT_ACK,
					i);
		else
			events_add(&e, prng_below(&prng, o.n / 16), EVENT_ACK, i);
		if (prng_below(&prng, 4) == 0)
			taken += events_take(&e, UINT64_MAX, &next);
	}
	for (; events_take(&e, UINT64_MAX, &next); taken++) {
		if (next.at_ns < last_ns || (next.at_ns == last_ns && next.order < last_order))
			sorted = false;
		last_ns = next.at_ns;
		last_order = next.order;
	}
	tap_ok(sorted, "events come by time, and those of the same time as they were added");
	tap_ok(taken == o.n && !e.fifo[0].active, "each one comes, those of the FIFOs too");
	events_add(&e, 10, EVENT_LINK, 0);
	tap_ok(!events_take(&e, 9, &next) && events_take(&e, 10, &next) && !e.count,
	       "none comes before its time");
	events_free(&e);
}

static void port(struct bottleneck *b, struct packets *packets, uint32_t limit)
{
	packets_init(packets);
	bottleneck_init(b, packets, RATE, limit, 1);
}

static void test_order(struct options o)
{
	uint32_t in = 0, out = 0, dropped = 0, packet;
	struct packets packets;
	struct bottleneck b;
	struct prng prng;
	bool fifo = true;
	uint64_t now;

	port(&b, &packets, 20);
	prng_seed(&prng, o.seed);
	for (now = 0; now < o.n; now++) {
		if (prng_below(&prng, 2)) {
			/* Its flow is its number; those that are dropped have none. */
			packet = packets_take(&packets, in, 1 + prng_below(&prng, FULL));
			fifo = fifo && b.queued <= 20;
			if (bottleneck_enqueue(&b, packet, now))
				in++;
			else
				packets_give(&packets, packet);
		} else {
			packet = bottleneck_dequeue(&b, now);
			if (packet == PACKET_NONE)
				continue;
			fifo = fifo && packets.at[packet].flow == out++;
			packets_give(&packets, packet);
		}
	}
	dropped = b.count.drops;
	tap_ok(fifo && out > o.n / 4, "packets leave in the order in which they came, and no more wait than may");
	tap_ok(dropped && b.count.in_packets == in + dropped && out + b.queued == in &&
	       packets.used == b.queued, "each one leaves, waits, or was dropped");
	tap_ok(b.count.in_bytes == b.count.tx_bytes + b.count.drop_bytes + b.backlog,
	       "and so does each byte");
	packets_free(&packets);
}

/* Packets that all waited for the same time: the part of them that is marked. */
static double marked(const struct template *t, uint64_t wait_ns, uint32_t n)
{
	struct packets packets;
	struct bottleneck b;
	uint32_t i, packet;

	port(&b, &packets, 10);
	bottleneck_set(&b, t);
	for (i = 0; i < n; i++) {
		packet = packets_take(&packets, 0, FULL);
		bottleneck_enqueue(&b, packet, 2000000ULL * i);
		packets_give(&packets, bottleneck_dequeue(&b, 2000000ULL * i + wait_ns));
	}
	packets_free(&packets);
	return (double)b.count.marked_packets / n;
}

static void test_ramp(void)
{
	static const struct template ramp = { 10000, 210000, 600000 };
	const uint32_t n = 20000;
	uint64_t wait_ns;

	for (wait_ns = 30000; wait_ns <= 210000; wait_ns += 60000) {
		double want = 0.6 * (double)(wait_ns - 10000) / 200000;
		double seen = marked(&ramp, wait_ns, n);

		if (!tap_ok(fabs(seen - want) < 4 * sqrt(want * (1 - want) / n),
			    "at %llu us the ramp's part is marked",
			    (unsigned long long)wait_ns / 1000))
			tap_remark("%.4f, not %.4f", seen, want);
	}
	tap_ok(marked(&ramp, 10000, n) == 0 && marked(&ramp, 210001, n) == 1,
	       "nothing up to kmin, everything above kmax");
}

static void test_integral(void)
{
	struct packets packets;
	struct bottleneck b;
	uint32_t bytes = FULL + PACKET_HEADERS;

	port(&b, &packets, 10);
	bottleneck_enqueue(&b, packets_take(&packets, 0, FULL), 1000);
	bottleneck_enqueue(&b, packets_take(&packets, 0, FULL), 3000);
	bottleneck_dequeue(&b, 4000);
	tap_ok(bottleneck_read(&b, 9000).backlog_byte_ns == bytes * (3000ULL + 6000),
	       "the backlog's integral, up to the time of reading");
	tap_ok(b.free_ns == 4000 + 1231, "a full frame takes 1230.4 ns of 10 Gbit/s");
	packets_free(&packets);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 20000, "events");

	test_events(o);
	test_order(o);
	test_ramp();
	test_integral();
	return tap_done();
}
