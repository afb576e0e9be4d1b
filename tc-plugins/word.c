// SPDX-License-Identifier: GPL-2.0
/*
 * Integers to words that parse back.
 */
#include <inttypes.h>
#include <stdio.h>

#include "word.h"

/**
 * struct print_unit - a suffix
 * @scale: what one of it is worth
 * @suffix: as tc writes it
 */
struct print_unit {
	uint64_t scale;
	const char *suffix;
};

/* Each list from large to small; the last has scale 1 and fits any value. */
static const struct print_unit time_units[] = {
	{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" },
};

static const struct print_unit size_units[] = {
	{ 1ULL << 30, "Gb" }, { 1ULL << 20, "Mb" }, { 1ULL << 10, "Kb" },
	{ 1, "b" },
};

static const struct print_unit rate_units[] = {
	{ 1000000000000, "Tbit" }, { 1000000000, "Gbit" }, { 1000000, "Mbit" },
	{ 1000, "Kbit" }, { 1, "bit" },
};

/* WHOLE.DECIMALS without the zeros at the end; @decimals below 10^@digits */
static struct print_word print_decimal(uint64_t whole, uint32_t decimals,
				       int digits, const char *suffix)
{
	struct print_word word;

	if (!decimals) {
		snprintf(word.text, sizeof(word.text), "%" PRIu64 "%s", whole,
			 suffix);
		return word;
	}
	for (; decimals % 10 == 0; decimals /= 10)
		digits--;
	snprintf(word.text, sizeof(word.text), "%" PRIu64 ".%0*" PRIu32 "%s",
		 whole, digits, decimals, suffix);
	return word;
}

/* rest < scale <= 10^12: 1000 x rest fits. */
static struct print_word print_scaled(uint64_t value,
				      const struct print_unit *unit)
{
	for (;; unit++) {
		uint64_t thousandths = value % unit->scale * 1000;

		if (unit->scale == 1 || (value >= unit->scale &&
					 thousandths % unit->scale == 0))
			return print_decimal(value / unit->scale,
					     thousandths / unit->scale, 3,
					     unit->suffix);
	}
}

struct print_word print_count_word(uint64_t value)
{
	return print_decimal(value, 0, 0, "p");
}

struct print_word print_time_word(uint64_t ns)
{
	return print_scaled(ns, time_units);
}

struct print_word print_size_word(uint64_t bytes)
{
	return print_scaled(bytes, size_units);
}

struct print_word print_rate_word(uint64_t bps)
{
	return print_scaled(bps, rate_units);
}

struct print_word print_drift_word(uint64_t ppt)
{
	return print_decimal(ppt / 1000, ppt % 1000, 3, "ppb");
}

struct print_word print_fraction_word(uint64_t ppm)
{
	return print_decimal(ppm / 1000000, ppm % 1000000, 6, "");
}

struct print_word print_number_word(uint64_t value)
{
	return print_decimal(value, 0, 0, "");
}

struct print_word print_time_or_auto_word(uint64_t ns)
{
	struct print_word word = { "auto" };

	return ns ? print_time_word(ns) : word;
}

struct print_word print_part_word(uint64_t parts)
{
	struct print_word word;

	snprintf(word.text, sizeof(word.text), "1/%" PRIu64, parts);
	return word;
}
