// SPDX-License-Identifier: GPL-2.0
/*
 * Words of a tc command line to integers.
 *
 * A word is DIGITS[.DIGITS]SUFFIX and a suffix is a whole number of the unit
 * that the value is kept in, so its value is (whole + fraction) x scale.  No
 * floating point: 0.29 x 1e6 would be 289999 and 64-bit rates lose their end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "parse.h"

/**
 * struct parse_unit - a suffix
 * @suffix: as written, in any case; "" for a bare number
 * @scale: what one of it is worth; at most 2^43, so that 10 x @scale fits
 */
struct parse_unit {
	const char *suffix;
	uint64_t scale;
};

#define KILO	1000ULL
#define MEGA	1000000ULL
#define GIGA	1000000000ULL
#define TERA	1000000000000ULL
#define KIBI	1024ULL
#define MEBI	(1024 * KIBI)
#define GIBI	(1024 * MEBI)
#define TEBI	(1024 * GIBI)

static const struct parse_unit count_units[] = {
	{ "", 1 }, { "p", 1 }, { NULL, 0 }
};

static const struct parse_unit number_units[] = {
	{ "", 1 }, { NULL, 0 }
};

static const struct parse_unit time_units[] = {
	{ "ns", 1 }, { "nsec", 1 }, { "nsecs", 1 },
	{ "us", KILO }, { "usec", KILO }, { "usecs", KILO },
	{ "ms", MEGA }, { "msec", MEGA }, { "msecs", MEGA },
	{ "s", GIGA }, { "sec", GIGA }, { "secs", GIGA },
	{ NULL, 0 }
};

static const struct parse_unit size_units[] = {
	{ "", 1 }, { "b", 1 },
	{ "k", KIBI }, { "kb", KIBI }, { "kbit", KIBI / 8 },
	{ "m", MEBI }, { "mb", MEBI }, { "mbit", MEBI / 8 },
	{ "g", GIBI }, { "gb", GIBI }, { "gbit", GIBI / 8 },
	{ NULL, 0 }
};

static const struct parse_unit rate_units[] = {
	{ "", 1 }, { "bit", 1 }, { "bps", 8 },
	{ "kbit", KILO }, { "kibit", KIBI },
	{ "kbps", 8 * KILO }, { "kibps", 8 * KIBI },
	{ "mbit", MEGA }, { "mibit", MEBI },
	{ "mbps", 8 * MEGA }, { "mibps", 8 * MEBI },
	{ "gbit", GIGA }, { "gibit", GIBI },
	{ "gbps", 8 * GIGA }, { "gibps", 8 * GIBI },
	{ "tbit", TERA }, { "tibit", TEBI },
	{ "tbps", 8 * TERA }, { "tibps", 8 * TEBI },
	{ NULL, 0 }
};

static const struct parse_unit drift_units[] = {
	{ "", KILO }, { "ppb", KILO }, { "ppm", MEGA }, { NULL, 0 }
};

static const struct parse_unit fraction_units[] = {
	{ "", MEGA }, { "%", MEGA / 100 }, { NULL, 0 }
};

/* isdigit() follows the locale and wants an unsigned char. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text)
{
	size_t n = 0;

	while (is_digit(text[n]))
		n++;
	return n;
}

static uint64_t find_scale(const struct parse_unit *unit, const char *suffix)
{
	for (; unit->suffix; unit++)
		if (!strcasecmp(unit->suffix, suffix))
			return unit->scale;
	return 0;
}

static bool scale_whole(const char *digits, size_t n, uint64_t scale,
			uint64_t *value)
{
	uint64_t whole = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, (uint64_t)(digits[i] - '0'),
					   &whole))
			return false;
	return !__builtin_mul_overflow(whole, scale, value);
}

/*
 * 0.d1d2d3 x scale = (d1 x scale + (d2 x scale + d3 x scale / 10) / 10) / 10.
 * If the whole is an integer then so is each quotient, from the last digit on:
 * what remains of any division shows that the whole is none.
 */
static bool scale_fraction(const char *digits, size_t n, uint64_t scale,
			   uint64_t *value)
{
	uint64_t sum = 0;

	while (n--) {
		sum += (uint64_t)(digits[n] - '0') * scale;
		if (sum % 10)
			return false;
		sum /= 10;
	}
	*value = sum;
	return true;
}

static enum parse_result parse_decimal(const char *text,
				       const struct parse_unit *units,
				       uint64_t *value)
{
	size_t whole_n = count_digits(text);
	const char *end = text + whole_n;
	const char *fraction = end;
	uint64_t scale, whole, part;
	size_t fraction_n = 0;

	if (*end == '.') {
		fraction = end + 1;
		fraction_n = count_digits(fraction);
		end = fraction + fraction_n;
		if (!fraction_n)
			return PARSE_MALFORMED;
	}
	scale = find_scale(units, end);
	if (!scale || !(whole_n + fraction_n))
		return PARSE_MALFORMED;
	if (!scale_whole(text, whole_n, scale, &whole))
		return PARSE_TOO_LARGE;
	if (!scale_fraction(fraction, fraction_n, scale, &part))
		return PARSE_INEXACT;
	if (__builtin_add_overflow(whole, part, &whole))
		return PARSE_TOO_LARGE;
	*value = whole;
	return PARSE_OK;
}

enum parse_result parse_count(const char *text, uint64_t *value)
{
	return parse_decimal(text, count_units, value);
}

enum parse_result parse_time_ns(const char *text, uint64_t *value)
{
	return parse_decimal(text, time_units, value);
}

enum parse_result parse_size_bytes(const char *text, uint64_t *value)
{
	return parse_decimal(text, size_units, value);
}

enum parse_result parse_rate_bps(const char *text, uint64_t *value)
{
	return parse_decimal(text, rate_units, value);
}

enum parse_result parse_drift_ppt(const char *text, uint64_t *value)
{
	return parse_decimal(text, drift_units, value);
}

enum parse_result parse_fraction_ppm(const char *text, uint64_t *value)
{
	return parse_decimal(text, fraction_units, value);
}

/* 16 digits, and so no overflow. */
static enum parse_result parse_hex(const char *digits, uint64_t *value)
{
	size_t n = strspn(digits, "0123456789abcdefABCDEF");

	if (!n || digits[n])
		return PARSE_MALFORMED;
	if (n > 16)
		return PARSE_TOO_LARGE;
	*value = strtoull(digits, NULL, 16);
	return PARSE_OK;
}

enum parse_result parse_number(const char *text, uint64_t *value)
{
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return parse_hex(text + 2, value);
	return parse_decimal(text, number_units, value);
}

enum parse_result parse_time_or_auto(const char *text, uint64_t *value)
{
	enum parse_result result;

	if (!strcmp(text, "auto")) {
		*value = 0;
		return PARSE_OK;
	}
	/* No time stands for auto, or it would be printed so. */
	result = parse_time_ns(text, value);
	return result == PARSE_OK && !*value ? PARSE_MALFORMED : result;
}

enum parse_result parse_part(const char *text, uint64_t *value)
{
	if (!strcmp(text, "1")) {
		*value = 1;
		return PARSE_OK;
	}
	if (strncmp(text, "1/", 2) || !is_digit(text[2]))
		return PARSE_MALFORMED;
	return parse_decimal(text + 2, number_units, value);
}
