/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of a tc command line to integers, exactly: "1.5us" is 1500 ns, "0.29"
 * is 290000 millionths and not 289999, and what is no whole number of the unit
 * is refused and not rounded.  Suffixes are tc's own, in upper or lower case.
 */
#ifndef SHARPRAMP_TC_PARSE_H
#define SHARPRAMP_TC_PARSE_H

#include <stdint.h>

/**
 * enum parse_result - what became of a word
 * @PARSE_OK: it has a value
 * @PARSE_MALFORMED: it is not a number with a known unit
 * @PARSE_INEXACT: it is finer than the unit that it is kept in
 * @PARSE_TOO_LARGE: it does not fit 64 bits
 */
enum parse_result {
	PARSE_OK,
	PARSE_MALFORMED,
	PARSE_INEXACT,
	PARSE_TOO_LARGE,
};

/**
 * parse_count() - a number of things
 * @text: such as "10000" or "10000p", as tc prints packets
 * @value: written if PARSE_OK
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_count(const char *text, uint64_t *value);

/**
 * parse_time_ns() - a time
 * @text: with ns, us, ms or s (nsec, usec, ...); a unit is a must, because for
 *	some of tc's qdiscs a bare number is microseconds, for others nanoseconds
 * @value: written if PARSE_OK, nanoseconds
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_time_ns(const char *text, uint64_t *value);

/**
 * parse_size_bytes() - a size
 * @text: bare or with b for bytes; k, m, g (kb, ...) count in 1024s, and so do
 *	kbit, mbit, gbit
 * @value: written if PARSE_OK, bytes
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_size_bytes(const char *text, uint64_t *value);

/**
 * parse_rate_bps() - a rate
 * @text: bare or with bit for bit/s, kbit, mbit, gbit, tbit in 1000s, kibit, ...
 *	in 1024s; bps, kbps, kibps, ... are bytes per second
 * @value: written if PARSE_OK, bit/s
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_rate_bps(const char *text, uint64_t *value);

/**
 * parse_drift_ppt() - by how much a clock is faster
 * @text: bare or with ppb for 10^-9, ppm for 10^-6
 * @value: written if PARSE_OK, 10^-12
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_drift_ppt(const char *text, uint64_t *value);

/**
 * parse_fraction_ppm() - a fraction or a small factor
 * @text: such as "0.01" or "1%"
 * @value: written if PARSE_OK, millionths
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_fraction_ppm(const char *text, uint64_t *value);

/**
 * parse_number() - a number without a unit
 * @text: such as "1023" or "0x3ff"
 * @value: written if PARSE_OK
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_number(const char *text, uint64_t *value);

/**
 * parse_time_or_auto() - a time, or what is found out
 * @text: as for parse_time_ns(), but not 0; or "auto"
 * @value: written if PARSE_OK, nanoseconds; 0 for "auto"
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_time_or_auto(const char *text, uint64_t *value);

/**
 * parse_part() - one part of so many
 * @text: such as "1/16"; "1" is 1/1
 * @value: written if PARSE_OK: how many
 *
 * Return: PARSE_OK, or why not.
 */
enum parse_result parse_part(const char *text, uint64_t *value);

#endif /* SHARPRAMP_TC_PARSE_H */
