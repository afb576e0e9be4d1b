/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A row of an algorithm's table of parameters (NAME_params.h), and settings made of them:
 * bit n of a word says whether parameter n was given, member n of an array is its value.  One
 * that may be below 0 is in two's complement.
 */
#ifndef SHARPRAMP_ALGO_PARAM_INFO_H
#define SHARPRAMP_ALGO_PARAM_INFO_H

#include "port.h"

/**
 * struct param_info - a row of a table
 * @name: as in tc
 * @refusal: message for a value out of range
 * @least: smallest value
 * @most: largest value
 * @preset: the default, of tables that have defaults
 * @bits: width on the wire: 8, 32 or 64; of a signed number if @least is below 0
 */
struct param_info {
	const char *name;
	const char *refusal;
	s64 least;
	s64 most;
	s64 preset;
	u8 bits;
};

#define PARAM_INFO(text, width, lo, hi, def, unit) {				       \
	.name = text, .bits = width, .least = lo, .most = hi, .preset = def,	       \
	.refusal = text " is out of range: " __stringify(lo) " to " __stringify(hi)    \
		   " " unit,							       \
}

/* A table by number; NULL for a number that is not in it. */
typedef const struct param_info *(*param_table)(u32 id);

/**
 * params_set() - give a parameter a value
 * @table: its table
 * @id: its number, which the table has
 * @value: within the range of its row, or it is refused
 * @given: the settings' bits
 * @values: the settings' values
 *
 * Return: NULL, or the message that refuses the value.
 */
static inline const char *params_set(param_table table, u32 id, u64 value, u64 *given, u64 *values)
{
	const struct param_info *info = table(id);

	if ((s64)value < info->least || (s64)value > info->most)
		return info->refusal;
	*given |= 1ULL << id;
	values[id] = value;
	return NULL;
}

/**
 * params_add() - values of some settings replace those of others
 * @count: number of parameters
 * @given: bits of the settings that are changed
 * @values: their values
 * @more: bits of the others
 * @more_values: their values
 */
static inline void params_add(u32 count, u64 *given, u64 *values, u64 more, const u64 *more_values)
{
	u32 id;

	for (id = 0; id < count; id++)
		if (more >> id & 1)
			values[id] = more_values[id];
	*given |= more;
}

/**
 * params_unset() - some parameters are as if nobody had given them
 * @table: their table
 * @which: bits of these parameters
 * @given: the settings' bits
 * @values: the settings' values, which become the table's defaults
 */
static inline void params_unset(param_table table, u64 which, u64 *given, u64 *values)
{
	const struct param_info *info;
	u32 id;

	for (id = 0; (info = table(id)); id++)
		if (which >> id & 1)
			values[id] = info->preset;
	*given &= ~which;
}

#endif /* SHARPRAMP_ALGO_PARAM_INFO_H */
