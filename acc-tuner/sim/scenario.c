// SPDX-License-Identifier: GPL-2.0
/*
 * Scenarios of the model.
 */
#include <inttypes.h>

#include "../../lib/fail.h"
#include "packet.h"
#include "scenario.h"

/* Cumulative probability and place in the range, thousandths: PAPER_SHAPE of lab/host/rtt.py. */
static const struct {
	uint32_t p;
	uint32_t place;
} scenario_shape[] = {
	{ 0, 0 }, { 250, 80 }, { 500, 270 }, { 750, 540 }, { 900, 875 }, { 1000, 1000 },
};

#define SCENARIO_SHAPE_SCALE	1000000ULL

static uint64_t scenario_point_ns(uint32_t i, uint64_t least_ns, uint64_t most_ns)
{
	return least_ns + (most_ns - least_ns) * scenario_shape[i].place / 1000;
}

/* The quantile of the probability @p, in parts of 1000 SCENARIO_SHAPE_SCALE. */
static uint64_t scenario_quantile_ns(uint64_t p, uint64_t least_ns, uint64_t most_ns)
{
	uint64_t below, above, from, to;
	uint32_t i = 1;

	while (p > scenario_shape[i].p * SCENARIO_SHAPE_SCALE)
		i++;
	below = scenario_shape[i - 1].p * SCENARIO_SHAPE_SCALE;
	above = scenario_shape[i].p * SCENARIO_SHAPE_SCALE;
	from = scenario_point_ns(i - 1, least_ns, most_ns);
	to = scenario_point_ns(i, least_ns, most_ns);
	return from + (uint64_t)((u128)(to - from) * (p - below) / (above - below));
}

void scenario_range(struct scenario *s, uint64_t least_ns, uint64_t most_ns)
{
	uint64_t p;
	uint32_t i;

	for (i = 0; i < s->senders; i++) {
		/* Four places, as the laboratory rounds it. */
		p = 10000 * (2 * i + 1) / (2 * s->senders) * (SCENARIO_SHAPE_SCALE / 10);
		s->rtt_ns[i] = scenario_quantile_ns(p, least_ns, most_ns);
	}
}

static uint64_t scenario_least_wire_ns(const struct scenario *s)
{
	return packet_wire_ns(PACKET_LEAST_WIRE - PACKET_OVERHEAD, s->rate_bps);
}

uint64_t scenario_delay_ns(const struct scenario *s, uint32_t sender)
{
	uint64_t fixed = 4 * scenario_least_wire_ns(s) + 2 * SCENARIO_BEHIND_NS;

	return (s->rtt_ns[sender] - fixed) / 2;
}

uint64_t scenario_ack_ns(const struct scenario *s, uint32_t sender)
{
	return 2 * scenario_least_wire_ns(s) + SCENARIO_BEHIND_NS + scenario_delay_ns(s, sender);
}

static int scenario_check_rtts(const struct scenario *s, char *why, size_t size)
{
	uint64_t least = 4 * scenario_least_wire_ns(s) + 2 * SCENARIO_BEHIND_NS;
	uint32_t i;

	if (least < SCENARIO_RTT_LEAST_NS)
		least = SCENARIO_RTT_LEAST_NS;
	for (i = 0; i < s->senders; i++)
		if (s->rtt_ns[i] < least || s->rtt_ns[i] > SCENARIO_RTT_MOST_NS)
			return fail(why, size, "rtt: %llu ns is not from %llu to %llu",
				    (unsigned long long)s->rtt_ns[i], (unsigned long long)least,
				    SCENARIO_RTT_MOST_NS);
	return 0;
}

static int scenario_check_flows(const struct scenario *s, char *why, size_t size)
{
	if (s->load_ppm >= PPM)
		return fail(why, size, "load: %u ppm is not below %llu", s->load_ppm, PPM);
	if ((s->load_ppm || s->closed) && !s->sizes)
		return fail(why, size, "flows that arrive need sizes");
	if (s->closed > SCENARIO_FLOWS_MOST || s->endless > SCENARIO_FLOWS_MOST ||
	    s->fan_in > SCENARIO_FLOWS_MOST)
		return fail(why, size, "flows: more than %u of a kind", SCENARIO_FLOWS_MOST);
	if (s->fan_in && (!s->fan_in_ns || !s->fan_in_bytes || s->fan_in_bytes > FLOW_SIZE_MAX))
		return fail(why, size, "fan-in: size and period must be above 0, size at most %llu",
			    FLOW_SIZE_MAX);
	return 0;
}

int scenario_check(const struct scenario *s, char *why, size_t size)
{
	if (s->rate_bps < SCENARIO_RATE_LEAST || s->rate_bps > SCENARIO_RATE_MOST)
		return fail(why, size, "rate: %" PRIu64 " bit/s is not from %llu to %llu",
			    s->rate_bps, SCENARIO_RATE_LEAST, SCENARIO_RATE_MOST);
	if (!s->senders || s->senders > SCENARIO_SENDERS)
		return fail(why, size, "senders: %u is not from 1 to %u", s->senders,
			    SCENARIO_SENDERS);
	if (!s->duration_ns || s->duration_ns > SCENARIO_DURATION_MOST)
		return fail(why, size, "duration: %" PRIu64 " ns is not from 1 to %llu",
			    s->duration_ns, SCENARIO_DURATION_MOST);
	if (!s->buffer)
		return fail(why, size, "buffer: 0 packets are not above 0");
	if (scenario_check_rtts(s, why, size))
		return -1;
	return scenario_check_flows(s, why, size);
}

/* Groups of the laboratory's names, from which their random streams are. */
static uint32_t scenario_groups(const struct scenario *s, const struct host_list *senders,
				const struct host_list *receivers, struct group *g)
{
	g[SCENARIO_LOAD] = (struct group) {
		.name = "load", .kind = KIND_POISSON, .senders = *senders,
		.receivers = *receivers, .until = s->duration_ns, .rate = s->rate_bps,
		.load = s->load_ppm,
	};
	if (s->load_ppm)
		g[SCENARIO_LOAD].cdf = *s->sizes;
	g[SCENARIO_FAN_IN] = (struct group) {
		.name = "query", .kind = KIND_QUERY, .senders = *senders,
		.receivers = *receivers, .until = s->duration_ns, .flows = s->fan_in,
		.lo = s->fan_in_bytes, .hi = s->fan_in_bytes, .period = s->fan_in_ns,
	};
	g[SCENARIO_ENDLESS] = (struct group) {
		.name = "long", .kind = KIND_LONG, .senders = *senders,
		.receivers = *receivers, .until = s->duration_ns, .flows = s->endless,
	};
	return SCENARIO_ENDLESS + 1;
}

/* Groups without flows are those that flows_build() knows nothing of: left out, places kept. */
static int scenario_build(const struct scenario *s, struct group *g, uint32_t groups,
			  struct flows *flows)
{
	const bool wanted[] = { s->load_ppm, s->fan_in, s->endless };
	struct group some[SCENARIO_ENDLESS + 1];
	uint32_t place[SCENARIO_ENDLESS + 1];
	struct traffic t = { .group = some };
	uint32_t i;

	for (i = 0; i < groups; i++) {
		if (!wanted[i])
			continue;
		some[t.groups] = g[i];
		place[t.groups++] = i;
	}
	if (flows_build(flows, &t, s->seed))
		return -1;
	for (i = 0; i < flows->n; i++)
		flows->flow[i].group = place[flows->flow[i].group];
	return 0;
}

int scenario_flows(const struct scenario *s, struct flows *flows)
{
	u32 sender[SCENARIO_SENDERS], receiver = s->senders, i;
	struct host_list senders = { sender, s->senders }, receivers = { &receiver, 1 };
	struct group g[SCENARIO_ENDLESS + 1];

	for (i = 0; i < s->senders; i++)
		sender[i] = i;
	return scenario_build(s, g, scenario_groups(s, &senders, &receivers, g), flows);
}
