// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers with units: text to integers and back.
 *
 * A text is DIGITS[.DIGITS]SUFFIX and a suffix is a whole number of the unit
 * that the value is kept in, so its value is (whole + fraction) x scale.  No
 * floating point: 0.29 x 1e6 would be 289999 and 64-bit rates lose their end.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "units.h"

/**
 * struct unit_suffix - a suffix
 * @suffix: as written, in any case; "" for a bare number
 * @scale: what one of it is worth; at most 2^43, so that 10 x @scale fits
 */
struct unit_suffix {
	const char *suffix;
	uint64_t scale;
};

#define UNIT_KILO	1000ULL
#define UNIT_MEGA	1000000ULL
#define UNIT_GIGA	1000000000ULL
#define UNIT_TERA	1000000000000ULL
#define UNIT_KIBI	1024ULL
#define UNIT_MEBI	(1024 * UNIT_KIBI)
#define UNIT_GIBI	(1024 * UNIT_MEBI)
#define UNIT_TEBI	(1024 * UNIT_GIBI)

static const struct unit_suffix unit_counts[] = {
	{ "", 1 }, { "p", 1 }, { NULL, 0 }
};

static const struct unit_suffix unit_numbers[] = {
	{ "", 1 }, { NULL, 0 }
};

static const struct unit_suffix unit_times[] = {
	{ "ns", 1 }, { "nsec", 1 }, { "nsecs", 1 },
	{ "us", UNIT_KILO }, { "usec", UNIT_KILO }, { "usecs", UNIT_KILO },
	{ "ms", UNIT_MEGA }, { "msec", UNIT_MEGA }, { "msecs", UNIT_MEGA },
	{ "s", UNIT_GIGA }, { "sec", UNIT_GIGA }, { "secs", UNIT_GIGA },
	{ NULL, 0 }
};

static const struct unit_suffix unit_sizes[] = {
	{ "", 1 }, { "b", 1 },
	{ "k", UNIT_KIBI }, { "kb", UNIT_KIBI }, { "kbit", UNIT_KIBI / 8 },
	{ "m", UNIT_MEBI }, { "mb", UNIT_MEBI }, { "mbit", UNIT_MEBI / 8 },
	{ "g", UNIT_GIBI }, { "gb", UNIT_GIBI }, { "gbit", UNIT_GIBI / 8 },
	{ NULL, 0 }
};

static const struct unit_suffix unit_bytes[] = {
	{ "", 1 }, { "b", 1 }, { "k", UNIT_KILO }, { "m", UNIT_MEGA }, { "g", UNIT_GIGA },
	{ NULL, 0 }
};

static const struct unit_suffix unit_rates[] = {
	{ "", 1 }, { "bit", 1 }, { "bps", 8 },
	{ "kbit", UNIT_KILO }, { "kibit", UNIT_KIBI },
	{ "kbps", 8 * UNIT_KILO }, { "kibps", 8 * UNIT_KIBI },
	{ "mbit", UNIT_MEGA }, { "mibit", UNIT_MEBI },
	{ "mbps", 8 * UNIT_MEGA }, { "mibps", 8 * UNIT_MEBI },
	{ "gbit", UNIT_GIGA }, { "gibit", UNIT_GIBI },
	{ "gbps", 8 * UNIT_GIGA }, { "gibps", 8 * UNIT_GIBI },
	{ "tbit", UNIT_TERA }, { "tibit", UNIT_TEBI },
	{ "tbps", 8 * UNIT_TERA }, { "tibps", 8 * UNIT_TEBI },
	{ NULL, 0 }
};

static const struct unit_suffix unit_drifts[] = {
	{ "", UNIT_KILO }, { "ppb", UNIT_KILO }, { "ppm", UNIT_MEGA }, { NULL, 0 }
};

static const struct unit_suffix unit_fractions[] = {
	{ "", UNIT_MEGA }, { "%", UNIT_MEGA / 100 }, { NULL, 0 }
};

static const struct unit_suffix unit_probabilities[] = {
	{ "", UNIT_GIGA }, { NULL, 0 }
};

/* Quantities with a sign, each from the largest unit to the least, which has scale 1. */
static const struct unit_suffix unit_signed_times[] = {
	{ "min", 60 * UNIT_GIGA }, { "s", UNIT_GIGA }, { "ms", UNIT_MEGA },
	{ "us", UNIT_KILO }, { "ns", 1 }, { NULL, 0 }
};

static const struct unit_suffix unit_signed_ppbs[] = {
	{ "ppm", UNIT_KILO }, { "ppb", 1 }, { NULL, 0 }
};

static const struct unit_suffix *const unit_signed[] = {
	[UNIT_COUNT] = unit_numbers,
	[UNIT_TIME] = unit_signed_times,
	[UNIT_PPB] = unit_signed_ppbs,
};

/* isdigit() follows the locale and wants an unsigned char. */
static bool unit_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t unit_digits(const char *text)
{
	size_t n = 0;

	while (unit_is_digit(text[n]))
		n++;
	return n;
}

static uint64_t unit_scale(const struct unit_suffix *unit, const char *suffix)
{
	for (; unit->suffix; unit++)
		if (!strcasecmp(unit->suffix, suffix))
			return unit->scale;
	return 0;
}

static bool unit_scale_whole(const char *digits, size_t n, uint64_t scale,
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
 * a remainder of any division shows that the whole is not.
 */
static bool unit_scale_fraction(const char *digits, size_t n, uint64_t scale,
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

static enum unit_result unit_parse_decimal(const char *text,
					   const struct unit_suffix *units,
					   uint64_t *value)
{
	size_t whole_n = unit_digits(text);
	const char *end = text + whole_n;
	const char *fraction = end;
	uint64_t scale, whole, part;
	size_t fraction_n = 0;

	if (*end == '.') {
		fraction = end + 1;
		fraction_n = unit_digits(fraction);
		end = fraction + fraction_n;
		if (!fraction_n)
			return UNIT_MALFORMED;
	}
	scale = unit_scale(units, end);
	if (!scale || !(whole_n + fraction_n))
		return UNIT_MALFORMED;
	if (!unit_scale_whole(text, whole_n, scale, &whole))
		return UNIT_TOO_LARGE;
	if (!unit_scale_fraction(fraction, fraction_n, scale, &part))
		return UNIT_INEXACT;
	if (__builtin_add_overflow(whole, part, &whole))
		return UNIT_TOO_LARGE;
	*value = whole;
	return UNIT_OK;
}

enum unit_result unit_parse_count(const char *text, uint64_t *value)
{
	return unit_parse_decimal(text, unit_counts, value);
}

enum unit_result unit_parse_time(const char *text, uint64_t *value)
{
	return unit_parse_decimal(text, unit_times, value);
}

enum unit_result unit_parse_time_or_ns(const char *text, uint64_t *value)
{
	if (*text && !text[unit_digits(text)])
		return unit_parse_decimal(text, unit_numbers, value);
	return unit_parse_time(text, value);
}

enum unit_result unit_parse_bytes(const char *text, uint64_t *value)
{
	return unit_parse_decimal(text, unit_bytes, value);
}

enum unit_result unit_parse_size(const char *text, uint64_t *value)
{
	return unit_parse_decimal(text, unit_sizes, value);
}

enum unit_result unit_parse_rate(const char *text, uint64_t *value)
{
	return unit_parse_decimal(text, unit_rates, value);
}

enum unit_result unit_parse_drift(const char *text, uint64_t *value)
{
	return unit_parse_decimal(text, unit_drifts, value);
}

enum unit_result unit_parse_fraction(const char *text, uint64_t *value)
{
	return unit_parse_decimal(text, unit_fractions, value);
}

enum unit_result unit_parse_probability(const char *text, uint64_t *value)
{
	return unit_parse_decimal(text, unit_probabilities, value);
}

/* 16 digits, and so no overflow. */
static enum unit_result unit_parse_hex(const char *digits, uint64_t *value)
{
	size_t n = strspn(digits, "0123456789abcdefABCDEF");

	if (!n || digits[n])
		return UNIT_MALFORMED;
	if (n > 16)
		return UNIT_TOO_LARGE;
	*value = strtoull(digits, NULL, 16);
	return UNIT_OK;
}

enum unit_result unit_parse_number(const char *text, uint64_t *value)
{
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return unit_parse_hex(text + 2, value);
	return unit_parse_decimal(text, unit_numbers, value);
}

enum unit_result unit_parse_time_or_auto(const char *text, uint64_t *value)
{
	enum unit_result result;

	if (!strcmp(text, "auto")) {
		*value = 0;
		return UNIT_OK;
	}
	/* No time stands for auto, or it would be printed so. */
	result = unit_parse_time(text, value);
	return result == UNIT_OK && !*value ? UNIT_MALFORMED : result;
}

enum unit_result unit_parse_part(const char *text, uint64_t *value)
{
	if (!strcmp(text, "1")) {
		*value = 1;
		return UNIT_OK;
	}
	if (strncmp(text, "1/", 2) || !unit_is_digit(text[2]))
		return UNIT_MALFORMED;
	return unit_parse_decimal(text + 2, unit_numbers, value);
}

enum unit_result unit_parse_signed(enum unit_kind kind, const char *text,
				   int64_t *value)
{
	const char *digits = text + (*text == '-');
	enum unit_result result;
	uint64_t magnitude = 0;

	if (!unit_is_digit(*digits))
		return UNIT_MALFORMED;
	if (digits[strspn(digits, "0")]) {
		result = unit_parse_decimal(digits, unit_signed[kind], &magnitude);
		if (result != UNIT_OK)
			return result;
	}
	if (magnitude > INT64_MAX)
		return UNIT_TOO_LARGE;
	*value = digits == text ? (int64_t)magnitude : -(int64_t)magnitude;
	return UNIT_OK;
}

/**
 * struct unit_step - a suffix for writing
 * @scale: what one of it is worth
 * @suffix: as tc writes it
 */
struct unit_step {
	uint64_t scale;
	const char *suffix;
};

/* Each list from large to small; the last has scale 1 and fits any value. */
static const struct unit_step unit_time_steps[] = {
	{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" },
};

static const struct unit_step unit_size_steps[] = {
	{ 1ULL << 30, "Gb" }, { 1ULL << 20, "Mb" }, { 1ULL << 10, "Kb" },
	{ 1, "b" },
};

static const struct unit_step unit_bytes_steps[] = {
	{ 1000000000, "g" }, { 1000000, "m" }, { 1000, "k" }, { 1, "" },
};

static const struct unit_step unit_rate_steps[] = {
	{ 1000000000000, "Tbit" }, { 1000000000, "Gbit" }, { 1000000, "Mbit" },
	{ 1000, "Kbit" }, { 1, "bit" },
};

/* WHOLE.DECIMALS without the zeros at the end; @decimals below 10^@digits */
static struct unit_text unit_format_decimal(uint64_t whole, uint32_t decimals,
					    int digits, const char *suffix)
{
	struct unit_text out;

	if (!decimals) {
		snprintf(out.text, sizeof(out.text), "%" PRIu64 "%s", whole,
			 suffix);
		return out;
	}
	for (; decimals % 10 == 0; decimals /= 10)
		digits--;
	snprintf(out.text, sizeof(out.text), "%" PRIu64 ".%0*" PRIu32 "%s",
		 whole, digits, decimals, suffix);
	return out;
}

/* rest < scale <= 10^12: 1000 x rest fits. */
static struct unit_text unit_format_scaled(uint64_t value,
					   const struct unit_step *unit)
{
	for (;; unit++) {
		uint64_t thousandths = value % unit->scale * 1000;

		if (unit->scale == 1 || (value >= unit->scale &&
					 thousandths % unit->scale == 0))
			return unit_format_decimal(value / unit->scale,
					     thousandths / unit->scale, 3,
					     unit->suffix);
	}
}

struct unit_text unit_format_count(uint64_t value)
{
	return unit_format_decimal(value, 0, 0, "p");
}

struct unit_text unit_format_time(uint64_t ns)
{
	return unit_format_scaled(ns, unit_time_steps);
}

struct unit_text unit_format_bytes(uint64_t bytes)
{
	return unit_format_scaled(bytes, unit_bytes_steps);
}

struct unit_text unit_format_size(uint64_t bytes)
{
	return unit_format_scaled(bytes, unit_size_steps);
}

struct unit_text unit_format_rate(uint64_t bps)
{
	return unit_format_scaled(bps, unit_rate_steps);
}

struct unit_text unit_format_drift(uint64_t ppt)
{
	return unit_format_decimal(ppt / 1000, ppt % 1000, 3, "ppb");
}

struct unit_text unit_format_fraction(uint64_t ppm)
{
	return unit_format_decimal(ppm / 1000000, ppm % 1000000, 6, "");
}

struct unit_text unit_format_number(uint64_t value)
{
	return unit_format_decimal(value, 0, 0, "");
}

struct unit_text unit_format_time_or_auto(uint64_t ns)
{
	struct unit_text out = { "auto" };

	return ns ? unit_format_time(ns) : out;
}

struct unit_text unit_format_signed(enum unit_kind kind, int64_t value)
{
	const struct unit_suffix *unit = unit_signed[kind];
	struct unit_text out;

	while (unit->scale != 1 && (!value || value % (int64_t)unit->scale))
		unit++;
	snprintf(out.text, sizeof(out.text), "%" PRId64 "%s",
		 value / (int64_t)unit->scale, value ? unit->suffix : "");
	return out;
}

struct unit_text unit_format_part(uint64_t parts)
{
	struct unit_text out;

	snprintf(out.text, sizeof(out.text), "1/%" PRIu64, parts);
	return out;
}
