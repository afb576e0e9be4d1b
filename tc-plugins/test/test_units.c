// SPDX-License-Identifier: GPL-2.0
/*
 * lib/units.c: text to integers and back.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../selftests/lib/tap.h"
#include "../../lib/units.h"

typedef enum unit_result (*parse_fn)(const char *text, uint64_t *value);
typedef struct unit_text (*format_fn)(uint64_t value);

static const struct {
	parse_fn parse;
	const char *text;
	uint64_t value;
} accepted[] = {
	{ unit_parse_count, "0", 0 },
	{ unit_parse_count, "10000", 10000 },
	{ unit_parse_count, "10000p", 10000 },
	{ unit_parse_count, "18446744073709551615", UINT64_MAX },
	{ unit_parse_count, "7.000", 7 },
	{ unit_parse_time, "1ns", 1 },
	{ unit_parse_time, "1.5us", 1500 },
	{ unit_parse_time, ".5us", 500 },
	{ unit_parse_time, "0.000000001s", 1 },
	{ unit_parse_time, "137.5us", 137500 },
	{ unit_parse_time, "85USEC", 85000 },
	{ unit_parse_time, "3msecs", 3000000 },
	{ unit_parse_time, "1sec", 1000000000 },
	{ unit_parse_time, "0.10000000000000000000000000000us", 100 },
	{ unit_parse_time, "18446744073.709551615s", UINT64_MAX },
	{ unit_parse_size, "1500", 1500 },
	{ unit_parse_size, "1500b", 1500 },
	{ unit_parse_size, "1.5k", 1536 },
	{ unit_parse_size, "80kb", 81920 },
	{ unit_parse_size, "32Mb", 33554432 },
	{ unit_parse_size, "1g", 1073741824 },
	{ unit_parse_size, "8kbit", 1024 },
	{ unit_parse_size, "0.0009765625k", 1 },
	{ unit_parse_rate, "1000", 1000 },
	{ unit_parse_rate, "10Gbit", 10000000000 },
	{ unit_parse_rate, "2.5gbit", 2500000000 },
	{ unit_parse_rate, "100tbit", 100000000000000 },
	{ unit_parse_rate, "1kibit", 1024 },
	{ unit_parse_rate, "1.25gbps", 10000000000 },
	{ unit_parse_rate, "1tibps", 8ULL << 40 },
	{ unit_parse_drift, "12.5", 12500 },
	{ unit_parse_drift, "12.5ppb", 12500 },
	{ unit_parse_drift, "3PPM", 3000000 },
	{ unit_parse_fraction, "0.29", 290000 },
	{ unit_parse_fraction, "1", 1000000 },
	{ unit_parse_fraction, "1%", 10000 },
	{ unit_parse_fraction, "0.0001%", 1 },
	{ unit_parse_fraction, "0.428571", 428571 },
};

static const struct {
	parse_fn parse;
	const char *text;
	enum unit_result result;
} refused[] = {
	{ unit_parse_count, "", UNIT_MALFORMED },
	{ unit_parse_count, "x", UNIT_MALFORMED },
	{ unit_parse_count, "-1", UNIT_MALFORMED },
	{ unit_parse_count, "+1", UNIT_MALFORMED },
	{ unit_parse_count, " 1", UNIT_MALFORMED },
	{ unit_parse_count, "1 ", UNIT_MALFORMED },
	{ unit_parse_count, "0x10", UNIT_MALFORMED },
	{ unit_parse_count, "1e3", UNIT_MALFORMED },
	{ unit_parse_count, "1k", UNIT_MALFORMED },
	{ unit_parse_count, "p", UNIT_MALFORMED },
	{ unit_parse_count, "1.5", UNIT_INEXACT },
	{ unit_parse_count, "18446744073709551616", UNIT_TOO_LARGE },
	{ unit_parse_time, "200", UNIT_MALFORMED },
	{ unit_parse_time, "0", UNIT_MALFORMED },
	{ unit_parse_time, "us", UNIT_MALFORMED },
	{ unit_parse_time, ".us", UNIT_MALFORMED },
	{ unit_parse_time, "1.us", UNIT_MALFORMED },
	{ unit_parse_time, "1..5us", UNIT_MALFORMED },
	{ unit_parse_time, "1.5.5us", UNIT_MALFORMED },
	{ unit_parse_time, "1m", UNIT_MALFORMED },
	{ unit_parse_time, "1min", UNIT_MALFORMED },
	{ unit_parse_time, "nan", UNIT_MALFORMED },
	{ unit_parse_time, "infs", UNIT_MALFORMED },
	{ unit_parse_time, "1,5us", UNIT_MALFORMED },
	{ unit_parse_time, "0.5ns", UNIT_INEXACT },
	{ unit_parse_time, "1.2345us", UNIT_INEXACT },
	{ unit_parse_time, "18446744073709551616ns", UNIT_TOO_LARGE },
	{ unit_parse_time, "18446744073.709551616s", UNIT_TOO_LARGE },
	{ unit_parse_time, "18446744074s", UNIT_TOO_LARGE },
	{ unit_parse_size, "1us", UNIT_MALFORMED },
	{ unit_parse_size, "1tb", UNIT_MALFORMED },
	{ unit_parse_size, "0.1k", UNIT_INEXACT },
	{ unit_parse_size, "17179869184g", UNIT_TOO_LARGE },
	{ unit_parse_rate, "10gb", UNIT_MALFORMED },
	{ unit_parse_rate, "10%", UNIT_MALFORMED },
	{ unit_parse_rate, "1.5bit", UNIT_INEXACT },
	{ unit_parse_rate, "99999999tbit", UNIT_TOO_LARGE },
	{ unit_parse_drift, "1ppt", UNIT_MALFORMED },
	{ unit_parse_drift, "-1ppb", UNIT_MALFORMED },
	{ unit_parse_drift, "0.0001ppb", UNIT_INEXACT },
	{ unit_parse_drift, "18446744073710ppm", UNIT_TOO_LARGE },
	{ unit_parse_fraction, "%", UNIT_MALFORMED },
	{ unit_parse_fraction, "1/2", UNIT_MALFORMED },
	{ unit_parse_fraction, "0.0000001", UNIT_INEXACT },
	{ unit_parse_fraction, "18446744073710", UNIT_TOO_LARGE },
};

static const struct {
	format_fn format;
	uint64_t value;
	const char *text;
} written[] = {
	{ unit_format_count, 10000, "10000p" },
	{ unit_format_time, 0, "0ns" },
	{ unit_format_time, 999, "999ns" },
	{ unit_format_time, 200000, "200us" },
	{ unit_format_time, 137500, "137.5us" },
	{ unit_format_time, 1000000, "1ms" },
	{ unit_format_time, 1234567, "1234.567us" },
	{ unit_format_time, 1050000000, "1.05s" },
	{ unit_format_time, UINT64_MAX, "18446744073709551.615us" },
	{ unit_format_size, 1500, "1500b" },
	{ unit_format_size, 1536, "1.5Kb" },
	{ unit_format_size, 33554432, "32Mb" },
	{ unit_format_size, 2147483647, "2147483647b" },
	{ unit_format_rate, 10000000000, "10Gbit" },
	{ unit_format_rate, 2500000000, "2.5Gbit" },
	{ unit_format_rate, 1, "1bit" },
	{ unit_format_rate, 100000000000000, "100Tbit" },
	{ unit_format_drift, 0, "0ppb" },
	{ unit_format_drift, 12500, "12.5ppb" },
	{ unit_format_fraction, 0, "0" },
	{ unit_format_fraction, 10000, "0.01" },
	{ unit_format_fraction, 1000000, "1" },
	{ unit_format_fraction, 428571, "0.428571" },
	{ unit_format_fraction, 10000000, "10" },
	{ unit_format_fraction, 1000001, "1.000001" },
};

static const struct {
	const char *name;
	parse_fn parse;
	format_fn format;
} kinds[] = {
	{ "count", unit_parse_count, unit_format_count },
	{ "time", unit_parse_time, unit_format_time },
	{ "size", unit_parse_size, unit_format_size },
	{ "rate", unit_parse_rate, unit_format_rate },
	{ "drift", unit_parse_drift, unit_format_drift },
	{ "fraction", unit_parse_fraction, unit_format_fraction },
};

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

static uint64_t state = 1;

/* xorshift64*, cut to a random length so that small numbers are as frequent. */
static uint64_t random_u64(void)
{
	uint64_t bits;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	bits = state * 2685821657736338717ULL;
	return bits >> (state >> 8) % 64;
}

static void test_accepted(void)
{
	uint64_t value;
	size_t i;

	for (i = 0; i < COUNT(accepted); i++) {
		enum unit_result result;

		value = ~accepted[i].value;
		result = accepted[i].parse(accepted[i].text, &value);
		if (!tap_ok(result == UNIT_OK && value == accepted[i].value,
			    "parse \"%s\" is %" PRIu64, accepted[i].text,
			    accepted[i].value))
			tap_remark("result %d, value %" PRIu64, result, value);
	}
}

static void test_refused(void)
{
	uint64_t value = 42;
	size_t i;

	for (i = 0; i < COUNT(refused); i++) {
		enum unit_result result;

		result = refused[i].parse(refused[i].text, &value);
		if (!tap_ok(result == refused[i].result && value == 42,
			    "parse \"%s\" is refused", refused[i].text))
			tap_remark("result %d, value %" PRIu64, result, value);
		value = 42;
	}
}

static void test_written(void)
{
	size_t i;

	for (i = 0; i < COUNT(written); i++) {
		struct unit_text format = written[i].format(written[i].value);

		if (!tap_ok(!strcmp(format.text, written[i].text), "print %"
			    PRIu64 " is \"%s\"", written[i].value,
			    written[i].text))
			tap_remark("printed \"%s\"", format.text);
	}
}

static void test_round_trip(void)
{
	size_t i;
	int n;

	for (i = 0; i < COUNT(kinds); i++) {
		bool same = true;

		for (n = 0; same && n < 200000; n++) {
			uint64_t value = n < 2000 ? (uint64_t)n : random_u64();
			struct unit_text format = kinds[i].format(value);
			uint64_t back = ~value;

			same = kinds[i].parse(format.text, &back) == UNIT_OK &&
			       back == value;
			if (!same)
				tap_remark("%" PRIu64 " is printed as \"%s\"",
					   value, format.text);
		}
		tap_ok(same, "every %s that is printed parses back",
		       kinds[i].name);
	}
}

int main(void)
{
	test_accepted();
	test_refused();
	test_written();
	test_round_trip();
	return tap_done();
}
