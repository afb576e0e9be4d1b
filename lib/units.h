/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers with units: text to integers and back, exactly.  "1.5us" is 1500 ns,
 * "0.29" is 290000 millionths and not 289999; a value that is not a whole number
 * of the unit that it is kept in is refused and not rounded.  A written number
 * reads back as the same number.
 *
 * Suffixes are those of tc(8), in upper or lower case.  Rates have decimal prefixes:
 * 1kbit is 1000 bit/s.  A size is of one of two kinds, which differ in the prefix:
 *
 *  unit_parse_size()	sizes of tc and onrampctl, binary as in tc: k and kb are 1024
 *			bytes, m and mb 2^20, g and gb 2^30
 *  unit_parse_bytes()	sizes of flowgen and of the laboratory's keys, decimal as in
 *			papers: k is 1000 bytes, m 10^6, g 10^9
 *
 * So kb, mb and gb are binary wherever they are accepted; unit_parse_bytes(), and
 * lab/host/units.py for the laboratory, refuse them.
 */
#ifndef SHARPRAMP_LIB_UNITS_H
#define SHARPRAMP_LIB_UNITS_H

#include <stdint.h>

/**
 * enum unit_result - outcome of reading a text
 * @UNIT_OK: the value is written
 * @UNIT_MALFORMED: it is not a number with a known unit
 * @UNIT_INEXACT: it is finer than the unit that it is kept in
 * @UNIT_TOO_LARGE: it does not fit 64 bits
 */
enum unit_result {
	UNIT_OK,
	UNIT_MALFORMED,
	UNIT_INEXACT,
	UNIT_TOO_LARGE,
};

/**
 * unit_parse_count() - read a number of things
 * @text: such as "10000" or "10000p", as tc prints packets
 * @value: written if UNIT_OK
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_count(const char *text, uint64_t *value);

/**
 * unit_parse_time() - read a time
 * @text: with ns, us, ms or s (nsec, usec, ...); a unit is required, because for
 *	some of tc's qdiscs a bare number is microseconds, for others nanoseconds
 * @value: written if UNIT_OK, nanoseconds
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_time(const char *text, uint64_t *value);

/**
 * unit_parse_time_or_ns() - read a time
 * @text: as for unit_parse_time(); a bare number is nanoseconds
 * @value: written if UNIT_OK, nanoseconds
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_time_or_ns(const char *text, uint64_t *value);

/**
 * unit_parse_size() - read a size with a binary prefix
 * @text: bare or with b for bytes; k, m, g (kb, ...) count in 1024s, and so do
 *	kbit, mbit, gbit
 * @value: written if UNIT_OK, bytes
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_size(const char *text, uint64_t *value);

/**
 * unit_parse_bytes() - read a size with a decimal prefix
 * @text: bare or with b for bytes; k, m, g count in 1000s
 * @value: written if UNIT_OK, bytes
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_bytes(const char *text, uint64_t *value);

/**
 * unit_parse_rate() - read a rate
 * @text: bare or with bit for bit/s, kbit, mbit, gbit, tbit in 1000s, kibit, ...
 *	in 1024s; bps, kbps, kibps, ... are bytes per second
 * @value: written if UNIT_OK, bit/s
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_rate(const char *text, uint64_t *value);

/**
 * unit_parse_drift() - read a difference of rates
 * @text: bare or with ppb for 10^-9, ppm for 10^-6
 * @value: written if UNIT_OK, 10^-12
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_drift(const char *text, uint64_t *value);

/**
 * unit_parse_fraction() - read a fraction or a small factor
 * @text: such as "0.01" or "1%"
 * @value: written if UNIT_OK, millionths
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_fraction(const char *text, uint64_t *value);

/**
 * unit_parse_probability() - read a fraction more finely than unit_parse_fraction()
 * @text: such as "0.000000001"
 * @value: written if UNIT_OK, 10^-9
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_probability(const char *text, uint64_t *value);

/**
 * unit_parse_number() - read a number without a unit
 * @text: such as "1023" or "0x3ff"
 * @value: written if UNIT_OK
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_number(const char *text, uint64_t *value);

/**
 * unit_parse_time_or_auto() - read a time or auto
 * @text: as for unit_parse_time(), but not 0; or "auto"
 * @value: written if UNIT_OK, nanoseconds; 0 for "auto"
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_time_or_auto(const char *text, uint64_t *value);

/**
 * unit_parse_part() - read a fraction 1/N
 * @text: such as "1/16"; "1" is 1/1
 * @value: written if UNIT_OK: N
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_part(const char *text, uint64_t *value);

/**
 * enum unit_kind - quantity of a number with a sign, as configurations have them
 * @UNIT_COUNT: things; written without a unit
 * @UNIT_TIME: ns; written with ns, us, ms, s or min
 * @UNIT_PPB: parts per billion; written with ppb or ppm
 */
enum unit_kind { UNIT_COUNT, UNIT_TIME, UNIT_PPB };

/**
 * unit_parse_signed() - read a number with a sign
 * @kind: its quantity
 * @text: the number with its unit, and nothing else; 0 needs no unit
 * @value: written if UNIT_OK
 *
 * Return: UNIT_OK, or why not.
 */
enum unit_result unit_parse_signed(enum unit_kind kind, const char *text,
				   int64_t *value);

/* The longest is 20 digits, a point and a suffix. */
#define UNIT_TEXT_MAX	32

/** struct unit_text - a value as text, ends in 0 */
struct unit_text {
	char text[UNIT_TEXT_MAX];
};

/**
 * unit_format_count() - write a number of packets
 * @value: any
 *
 * Return: such as "10000p".
 */
struct unit_text unit_format_count(uint64_t value);

/**
 * unit_format_time() - write a time
 * @ns: nanoseconds
 *
 * Return: in the largest unit that needs at most three decimals, "137.5us".
 */
struct unit_text unit_format_time(uint64_t ns);

/**
 * unit_format_bytes() - write a size with a decimal prefix
 * @bytes: bytes
 *
 * Return: in the largest unit that needs at most three decimals, "512k".
 */
struct unit_text unit_format_bytes(uint64_t bytes);

/**
 * unit_format_size() - write a size with a binary prefix
 * @bytes: bytes
 *
 * Return: in the largest unit that needs at most three decimals, "32Mb".
 */
struct unit_text unit_format_size(uint64_t bytes);

/**
 * unit_format_rate() - write a rate
 * @bps: bit/s
 *
 * Return: in the largest unit that needs at most three decimals, "10Gbit".
 */
struct unit_text unit_format_rate(uint64_t bps);

/**
 * unit_format_drift() - write a difference of rates
 * @ppt: 10^-12
 *
 * Return: such as "12.5ppb".
 */
struct unit_text unit_format_drift(uint64_t ppt);

/**
 * unit_format_fraction() - write a fraction or a small factor
 * @ppm: millionths
 *
 * Return: with as many decimals as it needs, "0.01".
 */
struct unit_text unit_format_fraction(uint64_t ppm);

/**
 * unit_format_number() - write a number
 * @value: any
 *
 * Return: such as "1023".
 */
struct unit_text unit_format_number(uint64_t value);

/**
 * unit_format_time_or_auto() - write a time or auto
 * @ns: nanoseconds, or 0
 *
 * Return: as unit_format_time(); "auto" for 0.
 */
struct unit_text unit_format_time_or_auto(uint64_t ns);

/**
 * unit_format_signed() - write a number with a sign
 * @kind: its quantity
 * @value: any
 *
 * Return: in the largest unit that needs no decimals, "-10ms"; "0" has no unit.
 */
struct unit_text unit_format_signed(enum unit_kind kind, int64_t value);

/**
 * unit_format_part() - write a fraction 1/N
 * @parts: N
 *
 * Return: such as "1/16".
 */
struct unit_text unit_format_part(uint64_t parts);

#endif /* SHARPRAMP_LIB_UNITS_H */
