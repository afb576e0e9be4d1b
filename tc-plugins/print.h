/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Integers to words that parse.h reads back as the same number, and how they
 * reach tc's output.  tc's own sprint_time() keeps three digits.
 */
#ifndef SHARPRAMP_TC_PRINT_H
#define SHARPRAMP_TC_PRINT_H

#include <stdbool.h>
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

/**
 * print_value() - print a parameter or a counter
 * @key: its key in JSON, where it is the plain number
 * @name: its name in text; NULL for none
 * @value: the number
 * @word: its text
 */
void print_value(const char *key, const char *name, uint64_t value,
		 const char *word);

/**
 * print_counter() - print a counter that may be below 0
 * @key: its key in JSON, where it is the plain number
 * @name: its name in text
 * @value: the number; its two's complement if it is below 0
 * @negative: it is below 0
 * @word: its text, without a sign
 */
void print_counter(const char *key, const char *name, uint64_t value,
		   bool negative, const char *word);

/**
 * print_choice() - print a parameter whose values are words
 * @key: its key in JSON, where it is the word as a string
 * @name: its name in text
 * @word: the word
 */
void print_choice(const char *key, const char *name, const char *word);

/**
 * print_switch() - print a parameter that is on or off
 * @key: its key in JSON, where it is true or false
 * @name: its name in text
 * @on: which
 */
void print_switch(const char *key, const char *name, int on);

/**
 * print_text() - print what is said in text only
 * @text: as it is
 */
void print_text(const char *text);

#endif /* SHARPRAMP_TC_PRINT_H */
