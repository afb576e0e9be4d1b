// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers with units: integers from the first digit to the last, so that what
 * is printed is what was read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "value.h"

/**
 * struct value_scale - a unit
 * @name: as written
 * @size: how much it is
 */
struct value_scale {
	const char	*name;
	int64_t		size;
};

/* Each from the greatest to the least, which has size 1. */
static const struct value_scale value_counts[] = {
	{ "", 1 }, { NULL, 0 },
};

static const struct value_scale value_times[] = {
	{ "min", 60000000000LL }, { "s", 1000000000 }, { "ms", 1000000 },
	{ "us", 1000 }, { "ns", 1 }, { NULL, 0 },
};

static const struct value_scale value_rates[] = {
	{ "ppm", 1000 }, { "ppb", 1 }, { NULL, 0 },
};

static const struct value_scale *const value_scales[] = {
	[VALUE_COUNT] = value_counts,
	[VALUE_TIME] = value_times,
	[VALUE_RATE] = value_rates,
};

/* The size of the unit that ends a number; 0 if there is no such unit. */
static int64_t value_size(enum value_unit unit, const char *name, int zero)
{
	const struct value_scale *scale = value_scales[unit];

	if (!*name && zero)
		return 1;
	for (; scale->name; scale++)
		if (!strcmp(scale->name, name))
			return scale->size;
	return 0;
}

/* Append digits to a number. */
static int value_digits(const char *at, const char *end, int64_t *sum)
{
	for (; at < end; at++)
		if (__builtin_mul_overflow(*sum, 10, sum) ||
		    __builtin_add_overflow(*sum, *at - '0', sum))
			return -1;
	return 0;
}

int value_parse(enum value_unit unit, const char *text, int64_t *value)
{
	const char *whole = text + (*text == '-'), *point, *part, *end;
	int64_t size, sum = 0;

	point = whole + strspn(whole, "0123456789");
	part = point + (*point == '.');
	end = part + strspn(part, "0123456789");
	if (point == whole || (part != point && end == part) ||
	    value_digits(whole, point, &sum))
		return -1;
	size = value_size(unit, end, !sum && part == point);
	if (!size)
		return -1;
	/* Zeros at the end of a fraction say nothing; else each takes a tenth. */
	while (end > part && end[-1] == '0')
		end--;
	if (value_digits(part, end, &sum))
		return -1;
	for (; end > part && !(size % 10); end--)
		size /= 10;
	if (end > part || __builtin_mul_overflow(sum, size, &sum))
		return -1;
	*value = whole == text ? sum : -sum;
	return 0;
}

const char *value_print(enum value_unit unit, int64_t value,
			char text[VALUE_TEXT_MAX])
{
	const struct value_scale *scale = value_scales[unit];

	while (scale->size != 1 && (!value || value % scale->size))
		scale++;
	snprintf(text, VALUE_TEXT_MAX, "%" PRId64 "%s", value / scale->size,
		 value ? scale->name : "");
	return text;
}
