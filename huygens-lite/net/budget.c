// SPDX-License-Identifier: GPL-2.0
/*
 * How often a host may probe.
 */
#include "budget.h"
#include "auth.h"
#include "wire.h"

/* Above this many hosts a coordinator greets a quarter of them at a time. */
#define BUDGET_GREETS_ALL	256
#define BUDGET_TURNS		4

/* Payloads of HELLO, report with ten edges, envelope and solution. */
#define BUDGET_HELLO	48
#define BUDGET_REPORT	760
#define BUDGET_ENVELOPE	(32 + 16 * WIRE_POINTS_MAX)
#define BUDGET_ALONE	169
#define BUDGET_TABLE	1193

static double budget_bits(const struct budget *b, uint32_t payload)
{
	uint32_t heads = b->is_ipv6 ? 66 : 46;

	return 8.0 * (payload + heads + (b->is_signed ? AUTH_BYTES : 0));
}

bool budget_greets(uint32_t hosts, uint64_t tick, uint32_t index)
{
	return hosts <= BUDGET_GREETS_ALL ||
	       (tick + index) % BUDGET_TURNS == 0;
}

bool budget_repeats(uint32_t hosts)
{
	return hosts <= BUDGET_GREETS_ALL;
}

double budget_other_bps(const struct budget *b)
{
	double windows = 1e9 / (double)b->window_ns;
	double hellos = 1e9 / (double)b->hello_ns;
	double greeted = b->candidates;
	double bps;

	if (b->is_coordinator)
		greeted += b->hosts / (b->hosts <= BUDGET_GREETS_ALL ? 1.0 :
							  BUDGET_TURNS);
	/* Envelopes, of the half of the edges that others own, go out twice. */
	bps = hellos * greeted * budget_bits(b, BUDGET_HELLO) +
	      windows * b->neighbours * budget_bits(b, BUDGET_ENVELOPE) +
	      windows * 2 * (b->neighbours / 20.0 + 1) *
		      budget_bits(b, BUDGET_REPORT);
	if (b->is_coordinator)
		bps += windows * b->hosts * (budget_repeats(b->hosts) ? 2 : 1) *
		       budget_bits(b, b->hosts <= WIRE_ROWS_MAX ?
					      BUDGET_TABLE : BUDGET_ALONE);
	return bps;
}

/* The least interval for which there is bandwidth, ns; below 0: there is none. */
static double budget_least_ns(const struct budget *b)
{
	double probes = (b->coded ? 2.0 : 1.0) * b->neighbours *
			budget_bits(b, WIRE_PROBE_BYTES);

	return probes / (BUDGET_BPS - budget_other_bps(b)) * 1e9;
}

bool budget_fits(const struct budget *b)
{
	double least_ns = budget_least_ns(b);

	return least_ns >= 0 &&
	       least_ns * BUDGET_PAIRS < (double)b->window_ns;
}

int64_t budget_interval(const struct budget *b, int64_t wanted_ns)
{
	double least_ns = budget_least_ns(b);

	return (double)wanted_ns >= least_ns ? wanted_ns :
					       (int64_t)least_ns + 1;
}
