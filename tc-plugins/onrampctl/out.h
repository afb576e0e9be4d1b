/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output in two formats: aligned columns for people, JSON for programs.
 *
 * JSON has every key always, null if there is no value.  People see what is
 * there.
 */
#ifndef SHARPRAMP_ONRAMPCTL_OUT_H
#define SHARPRAMP_ONRAMPCTL_OUT_H

#include <stdbool.h>

/**
 * enum out_shape - layout of the output
 * @OUT_TABLE: a row for each of many, below headings; in JSON a list
 * @OUT_PAIRS: one thing, a line for each of its values
 * @OUT_LINE: a line for each of many, as they come; in JSON too
 */
enum out_shape {
	OUT_TABLE,
	OUT_PAIRS,
	OUT_LINE,
};

/**
 * out_begin() - begin output
 * @json: JSON
 * @shape: which shape
 */
void out_begin(bool json, enum out_shape shape);

/** out_row() - begin a thing; each has the same cells */
void out_row(void);

/**
 * out_group() - begin a thing inside a thing
 * @key: its key in JSON, its heading for people
 */
void out_group(const char *key);

/** out_group_end() - end it */
void out_group_end(void);

/**
 * out_cell() - a value
 * @key: its key in JSON
 * @name: for people
 * @text: the value for people; NULL: there is none
 * @json: the value in JSON; NULL: there is none
 */
void out_cell(const char *key, const char *name, const char *text,
	      const char *json);

/**
 * out_end() - end output
 *
 * Return: 0, or -1 after a message if it could not be written.
 */
int out_end(void);

#endif /* SHARPRAMP_ONRAMPCTL_OUT_H */
