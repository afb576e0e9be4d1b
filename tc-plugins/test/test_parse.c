// SPDX-License-Identifier: GPL-2.0
/*
 * parse.c and word.c: words to integers and back.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../selftests/lib/tap.h"
#include "../parse.h"
#include "../word.h"

typedef enum parse_result (*parse_fn)(const char *text, uint64_t *value);
typedef struct print_word (*word_fn)(uint64_t value);

static const struct {
	parse_fn parse;
	const char *text;
	uint64_t value;
} accepted[] = {
	{ parse_count, "0", 0 },
	{ parse_count, "10000", 10000 },
	{ parse_count, "10000p", 10000 },
	{ parse_count, "18446744073709551615", UINT64_MAX },
	{ parse_count, "7.000", 7 },
	{ parse_time_ns, "1ns", 1 },
	{ parse_time_ns, "1.5us", 1500 },
	{ parse_time_ns, ".5us", 500 },
	{ parse_time_ns, "0.000000001s", 1 },
	{ parse_time_ns, "137.5us", 137500 },
	{ parse_time_ns, "85USEC", 85000 },
	{ parse_time_ns, "3msecs", 3000000 },
	{ parse_time_ns, "1sec", 1000000000 },
	{ parse_time_ns, "0.10000000000000000000000000000us", 100 },
	{ parse_time_ns, "18446744073.709551615s", UINT64_MAX },
	{ parse_size_bytes, "1500", 1500 },
	{ parse_size_bytes, "1500b", 1500 },
	{ parse_size_bytes, "1.5k", 1536 },
	{ parse_size_bytes, "80kb", 81920 },
	{ parse_size_bytes, "32Mb", 33554432 },
	{ parse_size_bytes, "1g", 1073741824 },
	{ parse_size_bytes, "8kbit", 1024 },
	{ parse_size_bytes, "0.0009765625k", 1 },
	{ parse_rate_bps, "1000", 1000 },
	{ parse_rate_bps, "10Gbit", 10000000000 },
	{ parse_rate_bps, "2.5gbit", 2500000000 },
	{ parse_rate_bps, "100tbit", 100000000000000 },
	{ parse_rate_bps, "1kibit", 1024 },
	{ parse_rate_bps, "1.25gbps", 10000000000 },
	{ parse_rate_bps, "1tibps", 8ULL << 40 },
	{ parse_drift_ppt, "12.5", 12500 },
	{ parse_drift_ppt, "12.5ppb", 12500 },
	{ parse_drift_ppt, "3PPM", 3000000 },
	{ parse_fraction_ppm, "0.29", 290000 },
	{ parse_fraction_ppm, "1", 1000000 },
	{ parse_fraction_ppm, "1%", 10000 },
	{ parse_fraction_ppm, "0.0001%", 1 },
	{ parse_fraction_ppm, "0.428571", 428571 },
};

static const struct {
	parse_fn parse;
	const char *text;
	enum parse_result result;
} refused[] = {
	{ parse_count, "", PARSE_MALFORMED },
	{ parse_count, "x", PARSE_MALFORMED },
	{ parse_count, "-1", PARSE_MALFORMED },
	{ parse_count, "+1", PARSE_MALFORMED },
	{ parse_count, " 1", PARSE_MALFORMED },
	{ parse_count, "1 ", PARSE_MALFORMED },
	{ parse_count, "0x10", PARSE_MALFORMED },
	{ parse_count, "1e3", PARSE_MALFORMED },
	{ parse_count, "1k", PARSE_MALFORMED },
	{ parse_count, "p", PARSE_MALFORMED },
	{ parse_count, "1.5", PARSE_INEXACT },
	{ parse_count, "18446744073709551616", PARSE_TOO_LARGE },
	{ parse_time_ns, "200", PARSE_MALFORMED },
	{ parse_time_ns, "0", PARSE_MALFORMED },
	{ parse_time_ns, "us", PARSE_MALFORMED },
	{ parse_time_ns, ".us", PARSE_MALFORMED },
	{ parse_time_ns, "1.us", PARSE_MALFORMED },
	{ parse_time_ns, "1..5us", PARSE_MALFORMED },
	{ parse_time_ns, "1.5.5us", PARSE_MALFORMED },
	{ parse_time_ns, "1m", PARSE_MALFORMED },
	{ parse_time_ns, "1min", PARSE_MALFORMED },
	{ parse_time_ns, "nan", PARSE_MALFORMED },
	{ parse_time_ns, "infs", PARSE_MALFORMED },
	{ parse_time_ns, "1,5us", PARSE_MALFORMED },
	{ parse_time_ns, "0.5ns", PARSE_INEXACT },
	{ parse_time_ns, "1.2345us", PARSE_INEXACT },
	{ parse_time_ns, "18446744073709551616ns", PARSE_TOO_LARGE },
	{ parse_time_ns, "18446744073.709551616s", PARSE_TOO_LARGE },
	{ parse_time_ns, "18446744074s", PARSE_TOO_LARGE },
	{ parse_size_bytes, "1us", PARSE_MALFORMED },
	{ parse_size_bytes, "1tb", PARSE_MALFORMED },
	{ parse_size_bytes, "0.1k", PARSE_INEXACT },
	{ parse_size_bytes, "17179869184g", PARSE_TOO_LARGE },
	{ parse_rate_bps, "10gb", PARSE_MALFORMED },
	{ parse_rate_bps, "10%", PARSE_MALFORMED },
	{ parse_rate_bps, "1.5bit", PARSE_INEXACT },
	{ parse_rate_bps, "99999999tbit", PARSE_TOO_LARGE },
	{ parse_drift_ppt, "1ppt", PARSE_MALFORMED },
	{ parse_drift_ppt, "-1ppb", PARSE_MALFORMED },
	{ parse_drift_ppt, "0.0001ppb", PARSE_INEXACT },
	{ parse_drift_ppt, "18446744073710ppm", PARSE_TOO_LARGE },
	{ parse_fraction_ppm, "%", PARSE_MALFORMED },
	{ parse_fraction_ppm, "1/2", PARSE_MALFORMED },
	{ parse_fraction_ppm, "0.0000001", PARSE_INEXACT },
	{ parse_fraction_ppm, "18446744073710", PARSE_TOO_LARGE },
};

static const struct {
	word_fn word;
	uint64_t value;
	const char *text;
} written[] = {
	{ print_count_word, 10000, "10000p" },
	{ print_time_word, 0, "0ns" },
	{ print_time_word, 999, "999ns" },
	{ print_time_word, 200000, "200us" },
	{ print_time_word, 137500, "137.5us" },
	{ print_time_word, 1000000, "1ms" },
	{ print_time_word, 1234567, "1234.567us" },
	{ print_time_word, 1050000000, "1.05s" },
	{ print_time_word, UINT64_MAX, "18446744073709551.615us" },
	{ print_size_word, 1500, "1500b" },
	{ print_size_word, 1536, "1.5Kb" },
	{ print_size_word, 33554432, "32Mb" },
	{ print_size_word, 2147483647, "2147483647b" },
	{ print_rate_word, 10000000000, "10Gbit" },
	{ print_rate_word, 2500000000, "2.5Gbit" },
	{ print_rate_word, 1, "1bit" },
	{ print_rate_word, 100000000000000, "100Tbit" },
	{ print_drift_word, 0, "0ppb" },
	{ print_drift_word, 12500, "12.5ppb" },
	{ print_fraction_word, 0, "0" },
	{ print_fraction_word, 10000, "0.01" },
	{ print_fraction_word, 1000000, "1" },
	{ print_fraction_word, 428571, "0.428571" },
	{ print_fraction_word, 10000000, "10" },
	{ print_fraction_word, 1000001, "1.000001" },
};

static const struct {
	const char *name;
	parse_fn parse;
	word_fn word;
} kinds[] = {
	{ "count", parse_count, print_count_word },
	{ "time", parse_time_ns, print_time_word },
	{ "size", parse_size_bytes, print_size_word },
	{ "rate", parse_rate_bps, print_rate_word },
	{ "drift", parse_drift_ppt, print_drift_word },
	{ "fraction", parse_fraction_ppm, print_fraction_word },
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
		enum parse_result result;

		value = ~accepted[i].value;
		result = accepted[i].parse(accepted[i].text, &value);
		if (!tap_ok(result == PARSE_OK && value == accepted[i].value,
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
		enum parse_result result;

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
		struct print_word word = written[i].word(written[i].value);

		if (!tap_ok(!strcmp(word.text, written[i].text), "print %"
			    PRIu64 " is \"%s\"", written[i].value,
			    written[i].text))
			tap_remark("printed \"%s\"", word.text);
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
			struct print_word word = kinds[i].word(value);
			uint64_t back = ~value;

			same = kinds[i].parse(word.text, &back) == PARSE_OK &&
			       back == value;
			if (!same)
				tap_remark("%" PRIu64 " is printed as \"%s\"",
					   value, word.text);
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
