/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Integers to words that parse.h reads back as the same number.
 */
#ifndef SHARPRAMP_TC_WORD_H
#define SHARPRAMP_TC_WORD_H

#include <stdint.h>

/* The longest is 20 digits, a point and a suffix. */
#define PRINT_WORD_MAX	32

/** struct print_word - a value as a word, ends in 0 */
struct print_word {
	char text[PRINT_WORD_MAX];
};

/**
 * print_count_word() - a number of packets
 * @value: any
 *
 * Return: such as "10000p".
 */
struct print_word print_count_word(uint64_t value);

/**
 * print_time_word() - a time
 * @ns: nanoseconds
 *
 * Return: in the largest unit that needs at most three decimals, "137.5us".
 */
struct print_word print_time_word(uint64_t ns);

/**
 * print_size_word() - a size
 * @bytes: bytes
 *
 * Return: in the largest unit that needs at most three decimals, "32Mb".
 */
struct print_word print_size_word(uint64_t bytes);

/**
 * print_rate_word() - a rate
 * @bps: bit/s
 *
 * Return: in the largest unit that needs at most three decimals, "10Gbit".
 */
struct print_word print_rate_word(uint64_t bps);

/**
 * print_drift_word() - a difference of rates
 * @ppt: 10^-12
 *
 * Return: such as "12.5ppb".
 */
struct print_word print_drift_word(uint64_t ppt);

/**
 * print_fraction_word() - a fraction or a small factor
 * @ppm: millionths
 *
 * Return: with as many decimals as it needs, "0.01".
 */
struct print_word print_fraction_word(uint64_t ppm);

/**
 * print_number_word() - a number
 * @value: any
 *
 * Return: such as "1023".
 */
struct print_word print_number_word(uint64_t value);

/**
 * print_time_or_auto_word() - a time, or what is found out
 * @ns: nanoseconds, or 0
 *
 * Return: as print_time_word(); "auto" for 0.
 */
struct print_word print_time_or_auto_word(uint64_t ns);

/**
 * print_part_word() - one part of so many
 * @parts: how many
 *
 * Return: such as "1/16".
 */
struct print_word print_part_word(uint64_t parts);

#endif /* SHARPRAMP_TC_WORD_H */
