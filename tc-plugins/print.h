/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How parameters and counters reach tc's output; their words are word.h's,
 * because tc's own sprint_time() keeps three digits.
 */
#ifndef SHARPRAMP_TC_PRINT_H
#define SHARPRAMP_TC_PRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "word.h"

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
