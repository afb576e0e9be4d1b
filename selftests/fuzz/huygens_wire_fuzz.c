// SPDX-License-Identifier: GPL-2.0
/*
 * A message of any bytes: what is accepted keeps its ranges and gives the same
 * bytes when it is written.  Anything else aborts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "../../huygens-lite/net/wire.h"

static void require(bool good)
{
	if (!good)
		abort();
}

static void times(int64_t a, int64_t b)
{
	require(llabs(a) <= WIRE_TIME_MAX && llabs(b) <= WIRE_TIME_MAX);
}

static void numbers(double a, double b, double c)
{
	require(isfinite(a) && isfinite(b) && isfinite(c));
}

static void look_edges(const struct wire_edges *e, uint32_t from)
{
	int i;

	require(e->count <= WIRE_EDGES_MAX);
	times(e->middle_ns, e->correction_ns);
	numbers(e->drift_ppb, e->skew_ppb, e->utc_ppb);
	require(e->std_ns >= 0 && e->skew_ppb >= 0 && e->upper_utc_ns >= 0);
	for (i = 0; i < e->count; i++) {
		require(e->edge[i].peer > from &&
			e->edge[i].peer <= WIRE_ID_MAX);
		times(e->edge[i].theta_ns, 0);
		numbers(e->edge[i].drift_ppb, e->edge[i].delay_sum_ns,
			e->edge[i].sigma_ns);
		require(e->edge[i].sigma_ppb >= 0 && e->edge[i].bias_ns >= 0);
	}
}

static void look_solution(const struct wire_solution *s)
{
	int i;

	require(s->count && s->count <= WIRE_ROWS_MAX && s->part < s->parts);
	times(s->schedule_ns, 0);
	require(s->upper_error_ns >= 0);
	for (i = 0; i < s->count; i++) {
		require(s->row[i].id && s->row[i].id <= WIRE_ID_MAX);
		times(s->row[i].at_ns, s->row[i].offset_ns);
		numbers(s->row[i].drift_ppb, s->row[i].std_ns,
			s->row[i].bias_ns);
	}
}

static void look(const struct wire_message *m)
{
	int i;

	require(m->from && m->from <= WIRE_ID_MAX);
	switch (m->type) {
	case WIRE_PROBE:
		require(m->probe.index <= 1 && m->probe.pair);
		break;
	case WIRE_EDGE:
		look_edges(&m->edges, m->from);
		break;
	case WIRE_SOLUTION:
		look_solution(&m->solution);
		break;
	case WIRE_HELLO:
		require(m->hello.window_ns > 0);
		times(m->hello.window_ns, m->hello.schedule_ns);
		break;
	case WIRE_ENVELOPE:
		require(m->envelope.count &&
			m->envelope.count <= WIRE_POINTS_MAX);
		for (i = 0; i < m->envelope.count; i++)
			times(m->envelope.point[i].t,
			      m->envelope.point[i].delay);
		break;
	default:
		require(false);
	}
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: a message
 * @size: its length
 *
 * Return: 0; does not return if something is wrong with the parser.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t out[WIRE_MAX_BYTES];
	struct wire_message message;

	if (wire_parse(data, size, &message))
		return 0;
	look(&message);
	require(size <= sizeof(out));
	require(wire_write(&message, out) == size && !memcmp(out, data, size));
	return 0;
}
