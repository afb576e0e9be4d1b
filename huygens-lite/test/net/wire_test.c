// SPDX-License-Identifier: GPL-2.0
/*
 * Messages: what is written is read, byte for byte; what is out of a range is
 * neither.
 */
#include <math.h>
#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "../../algo/prng.h"
#include "../../net/wire.h"

static struct wire_message probe(void)
{
	return (struct wire_message){
		.type = WIRE_PROBE, .from = 7,
		.probe = { .index = 1, .stamps = WIRE_SOFTWARE, .pair = 42,
			   .window = 850000000,
			   .echo = { { 41, { 1700000000000000001, -5 } },
				     { 40, { WIRE_NO_TIME, 9 } } } },
	};
}

static struct wire_message edges(int count)
{
	struct wire_message m = {
		.type = WIRE_EDGE, .from = 7,
		.edges = { .count = count,
			   .flags = WIRE_EDGES_TRACKED | WIRE_EDGES_UTC,
			   .window = 3, .term = 9, .middle_ns = -100,
			   .correction_ns = 77, .std_ns = 31.5, .drift_ppb = -35000.5,
			   .skew_ppb = 800, .utc_ns = 5, .utc_ppb = 0.25,
			   .utc_error_ns = 13,
			   .timeline = 0xdeadbeef,
			   .leap = { -2, 39, -1, 17167 }, .utc_step = 1, .utc_tai = 37,
			   .upper = 17, .upper_utc_ns = 1.5 },
	};
	int i;

	for (i = 0; i < count; i++)
		m.edges.edge[i] = (struct wire_edge){
			.peer = 8 + i, .theta_ns = -1000 + i, .drift_ppb = i,
			.delay_sum_ns = 4000.5, .sigma_ns = 50, .sigma_ppb = 30,
			.bias_ns = 1, .out = 100, .in = 90,
		};
	return m;
}

static struct wire_message solution(int count)
{
	struct wire_message m = {
		.type = WIRE_SOLUTION, .from = 65535,
		.solution = { .count = count, .part = 1, .parts = 2,
			      .term = 9, .window = 3, .schedule_ns = 1ull << 60,
			      .schedule_ppb = -20, .timeline = 1, .reference = 0,
			      .hosts = 65535, .frame_ns = 11.5,
			      .frame_ppb = 12, .flags = WIRE_SOLUTION_FLAGS,
			      .utc_error_ns = 14, .leap = { 1, 36, 1, 17167 },
			      .upper = 18, .upper_error_ns = 2.5 },
	};
	int i;

	for (i = 0; i < count; i++)
		m.solution.row[i] = (struct wire_row){
			.id = 1 + i, .flags = WIRE_ROW_SOLVED, .at_ns = 5,
			.offset_ns = -6, .drift_ppb = 7.5, .std_ns = 8,
			.std_ppb = 9, .bias_ns = 10, .asymmetry_ns = 11,
		};
	return m;
}

static struct wire_message hello(void)
{
	return (struct wire_message){
		.type = WIRE_HELLO, .from = 1,
		.hello = { .flags = WIRE_HELLO_FLAGS, .stamps = WIRE_HARDWARE,
			   .term = 4, .leader = 1, .membership = 0x12345678, .files = 0x9abcdef0,
			   .window_ns = 2000000000, .schedule_ns = 99 },
	};
}

static struct wire_message envelope(int count)
{
	struct wire_message m = {
		.type = WIRE_ENVELOPE, .from = 9,
		.envelope = { .stamps = WIRE_SOFTWARE, .count = count,
			      .window = 3, .pairs = 100, .samples = 180,
			      .hulls = 2 },
	};
	int i;

	for (i = 0; i < count; i++)
		m.envelope.point[i] = (struct wire_point){ 1000 * i, 3000 - i };
	return m;
}

/* Written, read and written again. */
static bool survives(const struct wire_message *m, size_t bytes)
{
	uint8_t one[WIRE_MAX_BYTES], two[WIRE_MAX_BYTES];
	struct wire_message read;
	size_t len = wire_write(m, one);

	return len == bytes && wire_parse(one, len, &read) == WIRE_GOOD &&
	       read.type == m->type && read.from == m->from &&
	       wire_write(&read, two) == len && !memcmp(one, two, len);
}

static void good(void)
{
	struct wire_message m = probe(), read;
	uint8_t bytes[WIRE_MAX_BYTES];

	tap_ok(survives(&m, 64), "a probe has 64 bytes");
	wire_write(&m, bytes);
	tap_ok(!wire_parse(bytes, 64, &read) && read.from == 7 &&
	       read.probe.index == 1 && read.probe.stamps == WIRE_SOFTWARE &&
	       read.probe.pair == 42 && read.probe.window == 850000000 &&
	       read.probe.echo[0].pair == 41 && read.probe.echo[1].pair == 40 &&
	       read.probe.echo[0].tx[0] == 1700000000000000001 &&
	       read.probe.echo[0].tx[1] == -5 &&
	       read.probe.echo[1].tx[0] == WIRE_NO_TIME &&
	       read.probe.echo[1].tx[1] == 9,
	       "what a probe says arrives");
	m.probe.burst = true;
	m.probe.index = 0;
	tap_ok(survives(&m, 64), "and a request for a burst");
	tap_ok(!memcmp(bytes, "HGLT\1\1\1\1\0\0\0\7\0\0\0\52", 16),
	       "a probe's first bytes are those of the document");
	m = edges(0);
	tap_ok(survives(&m, 120), "a report without edges");
	m = edges(WIRE_EDGES_MAX);
	tap_ok(survives(&m, 120 + 64 * WIRE_EDGES_MAX), "a report with all it holds");
	m = solution(1);
	tap_ok(survives(&m, 105 + 64), "a solution for one host");
	m = solution(WIRE_ROWS_MAX);
	tap_ok(survives(&m, 105 + 64 * WIRE_ROWS_MAX), "a solution for seventeen");
	m = hello();
	tap_ok(survives(&m, 48), "a HELLO");
	m = envelope(1);
	tap_ok(survives(&m, 32 + 16), "an envelope of one point");
	m = envelope(WIRE_POINTS_MAX);
	tap_ok(survives(&m, 32 + 16 * WIRE_POINTS_MAX), "an envelope of 64");
}

static void bad_head(void)
{
	struct wire_message m = hello(), read;
	uint8_t bytes[WIRE_MAX_BYTES + 1], other[WIRE_MAX_BYTES + 1];
	size_t len = wire_write(&m, bytes), i;
	int wrong = 0;

	memset(other, 0, sizeof(other));
	tap_ok(wire_parse(bytes, 0, &read) == WIRE_SHORT, "nothing");
	tap_ok(wire_parse(bytes, WIRE_HEAD_BYTES - 1, &read) == WIRE_SHORT,
	       "a head less one byte");
	for (i = WIRE_HEAD_BYTES; i < sizeof(bytes); i++)
		wrong += i != len &&
			 wire_parse(bytes, i, &read) != WIRE_BAD_LENGTH;
	tap_ok(!wrong, "every other length");
#define WITH(at, byte, fault, what) do {				       \
		memcpy(other, bytes, len);				       \
		other[at] = (byte);					       \
		tap_ok(wire_parse(other, len, &read) == (fault), what);	       \
	} while (0)
	WITH(0, 'h', WIRE_STRANGE, "another magic");
	WITH(4, 0, WIRE_OTHER_VERSION, "version 0");
	WITH(4, 2, WIRE_OTHER_VERSION, "version 2");
	WITH(5, 0, WIRE_OTHER_TYPE, "type 0");
	WITH(5, 6, WIRE_OTHER_TYPE, "type 6");
	WITH(5, 255, WIRE_OTHER_TYPE, "type 255");
	WITH(11, 0, WIRE_BAD_ID, "host 0");
	WITH(9, 1, WIRE_BAD_ID, "host 65537");
	WITH(8, 0x80, WIRE_BAD_ID, "host 2^31 + 1");
	WITH(6, 16, WIRE_BAD_FIELD, "a flag of the future");
	WITH(7, 0, WIRE_BAD_FIELD, "stamps of no kind");
	WITH(7, 3, WIRE_GOOD, "a NIC's stamps of what comes alone");
	WITH(7, 4, WIRE_BAD_FIELD, "stamps of another kind");
	WITH(7, 255, WIRE_BAD_FIELD, "stamps of the last kind");
#undef WITH
}

/* A message that must not be written, nor its bytes read. */
static void refused(const struct wire_message *m, const char *what)
{
	uint8_t bytes[WIRE_MAX_BYTES];

	tap_ok(!wire_write(m, bytes), "not %s", what);
}

#define REFUSED(make, change, what) do {				       \
		struct wire_message m = make;				       \
		change;							       \
		refused(&m, what);					       \
	} while (0)

static void bad_probe(void)
{
	REFUSED(probe(), m.probe.index = 4, "probe 4 of a pair");
	REFUSED(probe(), (m.probe.index = 5, m.probe.burst = true),
		"probe 5 of a pair, with a burst");
	REFUSED(probe(), m.probe.stamps = 0, "a probe stamped nowhere");
	REFUSED(probe(), m.probe.pair = 0, "pair 0");
	REFUSED(probe(), m.probe.window = WIRE_WINDOW_MAX + 1, "a window beyond all");
	REFUSED(probe(), m.probe.echo[0].tx[0] = WIRE_TIME_MAX + 1,
		"a stamp too late");
	REFUSED(probe(), m.probe.echo[1].tx[1] = -WIRE_TIME_MAX - 1,
		"a stamp too early");
	REFUSED(probe(), m.probe.echo[0].tx[1] = INT64_MAX, "a stamp at the end");
	REFUSED(probe(), m.probe.echo[1].pair = 0, "stamps of no pair");
	REFUSED(probe(), m.from = 0, "a probe of nobody");
	REFUSED(probe(), m.from = 65536, "a probe of host 65536");
	REFUSED(probe(), m.type = 0, "a message of type 0");
	REFUSED(probe(), m.type = 6, "a message of type 6");
}

static void bad_edges(void)
{
	REFUSED(edges(1), m.edges.count = WIRE_EDGES_MAX + 1, "17 edges");
	REFUSED(edges(1), m.edges.flags = 8, "an unknown flag of a report");
	REFUSED(edges(1), m.edges.term = UINT64_MAX, "a term beyond all");
	REFUSED(edges(1), m.edges.window = UINT64_MAX, "window 2^64 - 1");
	REFUSED(edges(1), m.edges.middle_ns = INT64_MIN, "a middle at the beginning");
	REFUSED(edges(1), m.edges.correction_ns = INT64_MAX, "a correction of 292 years");
	REFUSED(edges(1), m.edges.utc_ns = INT64_MAX, "UTC of 292 years");
	REFUSED(edges(1), m.edges.std_ns = -1, "a negative standard deviation of a correction");
	REFUSED(edges(1), m.edges.std_ns = 2e12, "one of 2000 s");
	REFUSED(edges(1), m.edges.drift_ppb = NAN, "a correction's drift of NaN");
	REFUSED(edges(1), m.edges.skew_ppb = -1, "a negative skew");
	REFUSED(edges(1), m.edges.utc_ppb = INFINITY, "a drift of UTC without end");
	REFUSED(edges(1), m.edges.leap.step = 2, "two leap seconds at once");
	REFUSED(edges(1), m.edges.leap.step = -2, "two that are deleted");
	REFUSED(edges(1), m.edges.leap.step = 0, "the day of no leap second");
	REFUSED(edges(1), m.edges.leap.day = 0, "a leap second on no day");
	REFUSED(edges(1), m.edges.leap.day = LEAP_DAY_MOST + 1, "one beyond all times");
	REFUSED(edges(1), m.edges.leap.seconds = 101, "101 leap seconds");
	REFUSED(edges(1), m.edges.leap.seconds = -101, "101 that were deleted");
	REFUSED(edges(1), m.edges.leap.tai = 1001, "TAI 1001 s ahead");
	REFUSED(edges(1), m.edges.utc_step = 2, "two leap seconds announced");
	REFUSED(edges(1), m.edges.utc_step = INT8_MIN, "128 that are deleted");
	REFUSED(edges(1), m.edges.utc_tai = 9, "TAI as far ahead as it never was");
	REFUSED(edges(1), m.edges.utc_tai = UINT16_MAX, "TAI of a kernel 18 hours ahead");
	REFUSED(edges(1), m.edges.upper_utc_ns = -1, "an upper mesh nearer to UTC than at it");
	REFUSED(edges(1), m.edges.upper_utc_ns = NAN, "one that is NaN from UTC");
	REFUSED(edges(1), m.edges.upper_utc_ns = INFINITY, "one that is infinitely far");
	REFUSED(edges(1), m.edges.edge[0].peer = 0, "an edge to nobody");
	REFUSED(edges(1), m.edges.edge[0].peer = 7, "an edge to oneself");
	REFUSED(edges(1), m.edges.edge[0].peer = 6, "an edge that the other owns");
	REFUSED(edges(1), m.edges.edge[0].peer = 65536, "an edge to host 65536");
	REFUSED(edges(1), m.edges.edge[0].theta_ns = INT64_MIN, "a theta of 292 years");
	REFUSED(edges(1), m.edges.edge[0].drift_ppb = NAN, "a drift of NaN");
	REFUSED(edges(1), m.edges.edge[0].drift_ppb = -INFINITY, "a drift of -inf");
	REFUSED(edges(1), m.edges.edge[0].drift_ppb = 1.1e7, "a drift of 1.1 %%");
	REFUSED(edges(1), m.edges.edge[0].delay_sum_ns = NAN, "a delay sum of NaN");
	REFUSED(edges(1), m.edges.edge[0].delay_sum_ns = 2e12, "a delay sum of 2000 s");
	REFUSED(edges(1), m.edges.edge[0].sigma_ns = -1, "a negative deviation");
	REFUSED(edges(1), m.edges.edge[0].sigma_ns = NAN, "a deviation of NaN");
	REFUSED(edges(1), m.edges.edge[0].sigma_ppb = INFINITY, "one without end");
	REFUSED(edges(1), m.edges.edge[0].bias_ns = -0.001, "a negative bias");
	REFUSED(edges(3), m.edges.edge[2].bias_ns = NAN, "a fault in the last edge");
}

static void bad_solution(void)
{
	REFUSED(solution(1), m.solution.leap.step = -2, "two leap seconds of a solution");
	REFUSED(solution(1), m.solution.leap.day = 0, "a leap second of a solution on no day");
	REFUSED(solution(1), m.solution.leap.seconds = INT16_MIN, "32768 of a solution deleted");
	REFUSED(solution(1), m.solution.leap.tai = UINT16_MAX, "TAI of a solution 18 hours ahead");
	REFUSED(solution(1), m.solution.count = 0, "a solution without rows");
	REFUSED(solution(1), m.solution.count = WIRE_ROWS_MAX + 1, "21 rows");
	REFUSED(solution(1), m.solution.parts = 0, "a solution of no parts");
	REFUSED(solution(1), m.solution.part = 2, "part 2 of 2");
	REFUSED(solution(1), m.solution.timeline = 0, "no common time");
	REFUSED(solution(1), m.solution.hosts = 0, "a solution of no hosts");
	REFUSED(solution(1), m.solution.hosts = 65536, "65536 hosts");
	REFUSED(solution(1), m.solution.reference = 65536, "reference 65536");
	REFUSED(solution(1), m.solution.window = UINT64_MAX, "its window 2^64 - 1");
	REFUSED(solution(1), m.solution.term = UINT64_MAX, "its term 2^64 - 1");
	REFUSED(solution(1), m.solution.schedule_ns = INT64_MIN, "a schedule of -292 years");
	REFUSED(solution(1), m.solution.schedule_ppb = NAN, "a schedule's drift of NaN");
	REFUSED(solution(1), m.solution.frame_ns = -1, "a frame of less than nothing");
	REFUSED(solution(1), m.solution.frame_ns = NAN, "by NaN");
	REFUSED(solution(1), m.solution.frame_ns = 1.1 * WIRE_SPAN_MAX, "by more than the most");
	REFUSED(solution(1), m.solution.frame_ppb = INFINITY, "at an infinite rate");
	REFUSED(solution(1), m.solution.row[0].id = 0, "a row of nobody");
	REFUSED(solution(1), m.solution.row[0].id = 1 << 16, "a row of host 65536");
	REFUSED(solution(1), m.solution.row[0].flags = 2, "a row's unknown flag");
	REFUSED(solution(1), m.solution.row[0].at_ns = INT64_MAX, "an instant too late");
	REFUSED(solution(1), m.solution.row[0].offset_ns = INT64_MAX, "an offset of 292 years");
	REFUSED(solution(1), m.solution.row[0].drift_ppb = NAN, "a row's drift of NaN");
	REFUSED(solution(1), m.solution.row[0].std_ns = -1, "a negative std");
	REFUSED(solution(1), m.solution.row[0].std_ppb = NAN, "a std of NaN");
	REFUSED(solution(9), m.solution.row[8].bias_ns = 1e13, "a bias of 10000 s");
	REFUSED(solution(1), m.solution.flags = 2, "a solution with a flag of the future");
	REFUSED(solution(1), m.solution.utc_error_ns = -1, "an error of UTC below 0");
	REFUSED(solution(1), m.solution.utc_error_ns = INFINITY, "an infinite error of UTC");
	REFUSED(solution(1), m.solution.upper_error_ns = -1, "an error to the upper mesh below 0");
	REFUSED(solution(1), m.solution.upper_error_ns = NAN, "one that is no number");
	REFUSED(solution(1), m.solution.upper_error_ns = 2e12, "one of 2000 s");
	REFUSED(edges(0), m.edges.utc_error_ns = -1, "a report of an error of UTC below 0");
	REFUSED(edges(0), m.edges.utc_error_ns = NAN,
		"a report of an error of UTC that is no number");
	REFUSED(solution(1), m.solution.row[0].asymmetry_ns = -1, "an asymmetry below 0");
	REFUSED(solution(9), m.solution.row[8].asymmetry_ns = NAN,
		"an asymmetry that is no number");
}

static void bad_rest(void)
{
	uint8_t bytes[WIRE_MAX_BYTES];
	struct wire_message whole = solution(1), read;
	size_t len = wire_write(&whole, bytes);

	bytes[7] = 2;
	tap_ok(wire_parse(bytes, len, &read) == WIRE_BAD_FIELD,
	       "a flag of the future in a solution");
	REFUSED(hello(), m.hello.window_ns = 0, "windows of 0 ns");
	REFUSED(hello(), m.hello.window_ns = -1, "windows of -1 ns");
	REFUSED(hello(), m.hello.window_ns = INT64_MAX, "windows of 292 years");
	REFUSED(hello(), m.hello.schedule_ns = INT64_MIN, "a schedule at the beginning");
	REFUSED(hello(), m.hello.leader = 65536, "coordinator 65536");
	REFUSED(hello(), m.hello.term = UINT64_MAX, "term 2^64 - 1");
	REFUSED(hello(), m.hello.flags = 0x80, "an unknown flag of a HELLO");
	REFUSED(envelope(1), m.envelope.count = 0, "an envelope without points");
	REFUSED(envelope(1), m.envelope.count = 65, "an envelope of 65");
	REFUSED(envelope(1), m.envelope.stamps = 0, "an envelope stamped nowhere");
	REFUSED(envelope(1), m.envelope.window = UINT64_MAX, "an envelope's window 2^64 - 1");
	REFUSED(envelope(4), m.envelope.point[3].t = INT64_MIN, "a point at the beginning");
	REFUSED(envelope(4), m.envelope.point[3].delay = INT64_MAX, "a delay of 292 years");
}

/* Whatever is read is written as the same bytes. */
static void random_bytes(void)
{
	uint8_t bytes[WIRE_MAX_BYTES], again[WIRE_MAX_BYTES];
	struct wire_message all[] = { probe(), edges(2), solution(2), hello(),
				      envelope(5) }, read;
	int wrong = 0, taken = 0, i, k;
	uint64_t seed = 1;

	for (i = 0; i < 200000; i++) {
		size_t len = wire_write(&all[i % 5], bytes);

		for (k = prng_next(&seed) % 4; k >= 0; k--)
			bytes[prng_next(&seed) % len] = prng_next(&seed);
		if (wire_parse(bytes, len, &read))
			continue;
		taken++;
		wrong += wire_write(&read, again) != len ||
			 memcmp(bytes, again, len);
	}
	tap_ok(!wrong && taken > 1000 && taken < 199000,
	       "mangled messages that are taken come back as they were");
}

/**
 * struct vector - one of the document
 * @fault: the expected fault, by name
 * @name: of it
 * @len: bytes
 * @byte: they
 */
struct vector {
	char	fault[16];
	char	name[32];
	size_t	len;
	uint8_t	byte[WIRE_MAX_BYTES];
};

static void try_vector(const struct vector *v)
{
	uint8_t again[WIRE_MAX_BYTES];
	struct wire_message m;
	enum wire_fault fault = wire_parse(v->byte, v->len, &m);
	bool same = fault || (wire_write(&m, again) == v->len &&
			      !memcmp(again, v->byte, v->len));

	tap_ok(!strcmp(wire_fault_name(fault), v->fault) && same,
	       "document: %s: %s", v->name, v->fault);
}

static void add_bytes(struct vector *v, const char *text)
{
	unsigned int byte;
	int used;

	while (sscanf(text, " %2x%n", &byte, &used) == 1) {
		v->byte[v->len++] = byte;
		text += used;
	}
}

static void documented(void)
{
	FILE *page = fopen("../../../docs/wire.md", "r");
	struct vector v = { .len = 0 };
	char line[512];
	int inside = 0, used, vectors = 0;

	while (page && fgets(line, sizeof(line), page)) {
		if (!strncmp(line, "```", 3)) {
			if (inside && *v.name)
				try_vector(&v);
			inside = !strncmp(line, "```huygens", 10);
			continue;
		}
		if (!inside)
			continue;
		used = 0;
		if (*line != ' ') {
			if (*v.name)
				try_vector(&v);
			memset(&v, 0, sizeof(v));
			if (sscanf(line, "%15s %31s%n", v.fault, v.name, &used) != 2)
				break;
			vectors++;
		}
		add_bytes(&v, line + used);
	}
	if (page)
		fclose(page);
	tap_ok(vectors >= 15, "the document has vectors: %d", vectors);
}

static void spoken(void)
{
	int i, wrong = 0;

	for (i = 0; i < WIRE_FAULTS; i++)
		wrong += !*wire_fault_name(i);
	tap_ok(!wrong && wire_fault_name(99), "faults have names");
}

int main(void)
{
	good();
	bad_head();
	bad_probe();
	bad_edges();
	bad_solution();
	bad_rest();
	random_bytes();
	spoken();
	documented();
	return tap_done();
}
