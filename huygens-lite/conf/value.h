/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers with units, as they are written in the configuration.
 */
#ifndef HUYGENS_VALUE_H
#define HUYGENS_VALUE_H

#include <stddef.h>
#include <stdint.h>

#define VALUE_TEXT_MAX	32

/**
 * enum value_unit - what a number counts
 * @VALUE_COUNT: things; written without a unit
 * @VALUE_TIME: ns; written with ns, us, ms, s or min
 * @VALUE_RATE: parts per billion; written with ppb or ppm
 */
enum value_unit { VALUE_COUNT, VALUE_TIME, VALUE_RATE };

/**
 * value_parse() - read a number
 * @unit: what it counts
 * @text: the number with its unit, nothing else; 0 needs no unit
 * @value: filled if it is one
 *
 * A fraction is taken if the value is whole: 1.5us, but not 1.5ns.
 *
 * Return: 0, or -1 if it is no such number, or beyond 64 bits.
 */
int value_parse(enum value_unit unit, const char *text, int64_t *value);

/**
 * value_print() - write a number so that value_parse() reads the same
 * @unit: what it counts
 * @value: the number
 * @text: filled, with the greatest unit that leaves no fraction
 *
 * Return: @text.
 */
const char *value_print(enum value_unit unit, int64_t value,
			char text[VALUE_TEXT_MAX]);

#endif /* HUYGENS_VALUE_H */
