// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of labnic's cross traffic: as a queue M/M/1 has it, for each reader
 * and how often.
 */
#include <math.h>
#include <stdlib.h>

#include "../../../selftests/lib/tap.h"
#include "../cross.h"
#include "../random.h"

#define RATE 1000000000ULL
#define BURST 30000
#define SERVICE_NS (BURST * 8.0)

static struct labnic_wire wire;
static struct labnic_cross cross;

static void begin(u64 permille, u64 limit)
{
	labnic_wire_init(&wire, RATE);
	labnic_cross_init(&cross, RATE, permille, BURST, limit,
			  labnic_random_seed(7, 0, LABNIC_DRAW_CROSS));
}

static u64 waits(u64 at_ns)
{
	return wire.end_ns > at_ns ? wire.end_ns - at_ns : 0;
}

/* Waits at a million times, 100 us apart: their mean, how many are none, and the load. */
static void cross__as_mm1(void)
{
	static const u64 loads[] = { 200, 400, 800 };
	size_t i;

	for (i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		double rho = loads[i] / 1000.0, sum = 0, bytes = 0, want;
		u64 at_ns, none = 0, n = 1000000;

		begin(loads[i], 1000000000);
		for (at_ns = 100000; at_ns <= n * 100000; at_ns += 100000) {
			bytes += labnic_cross_pass(&cross, &wire, at_ns);
			sum += waits(at_ns);
			none += !waits(at_ns);
		}
		want = rho / (1 - rho) * SERVICE_NS;
		tap_ok(fabs(bytes * 8 / RATE / (n * 0.0001) - rho) < 0.01,
		       "cross: load %g (%.3f)", rho, bytes * 8 / RATE / (n * 0.0001));
		if (!tap_ok(fabs(sum / n - want) < 0.06 * want, "cross: load %g: mean wait", rho))
			tap_remark("%.0f instead of %.0f ns", sum / n, want);
		tap_ok(fabs((double)none / n - (1 - rho)) < 0.01, "cross: load %g: idle", rho);
	}
}

/* The same bursts whether the wire is looked at often or seldom. */
static void cross__looks_change_nothing(void)
{
	u64 at_ns, end[2];

	begin(800, 1000000);
	labnic_cross_pass(&cross, &wire, 1000);
	for (at_ns = 2000; at_ns <= 300000000; at_ns += 1000)
		labnic_cross_pass(&cross, &wire, at_ns);
	end[0] = wire.end_ns;
	begin(800, 1000000);
	labnic_cross_pass(&cross, &wire, 1000);
	labnic_cross_pass(&cross, &wire, 300000000);
	end[1] = wire.end_ns;
	tap_ok(end[0] == end[1] && end[0] > 200000000, "cross: looks change nothing");
}

static void cross__edges(void)
{
	u64 at_ns, most = 0;

	begin(0, 1000000);
	tap_ok(!labnic_cross_pass(&cross, &wire, 5000000000) && !wire.end_ns,
	       "cross: without a load there is nothing");
	begin(950, 100000);
	for (at_ns = 1; at_ns < 1000000000; at_ns += 10000) {
		labnic_cross_pass(&cross, &wire, at_ns);
		most = waits(at_ns) > most ? waits(at_ns) : most;
	}
	tap_ok(most > 800000 && most < 800000 + LABNIC_CROSS_BURST_MAX * 8,
	       "cross: the buffer bounds what waits, but for the burst that fills it");
	/* A day at the highest rate: only the last bursts count. */
	labnic_wire_init(&wire, 400000000000ULL);
	labnic_cross_init(&cross, 400000000000ULL, 950, 1500, 1000000, 1);
	labnic_cross_pass(&cross, &wire, 1);
	tap_ok(labnic_cross_pass(&cross, &wire, 86400000000000ULL) < 20000000,
	       "cross: what came long ago is let be");
}

int main(void)
{
	cross__as_mm1();
	cross__looks_change_nothing();
	cross__edges();
	return tap_done();
}
