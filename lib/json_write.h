/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writer of JSON: objects and lists, one value after the other.
 */
#ifndef SHARPRAMP_LIB_JSON_WRITE_H
#define SHARPRAMP_LIB_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct json_writer - a text that is being written
 * @to: output stream
 * @spaced: blanks between values, and a line for each element of a list; otherwise
 *	there is no white space
 * @more: a value precedes in the object or list that is open
 * @depth: objects and lists that are open
 */
struct json_writer {
	FILE		*to;
	bool		spaced;
	bool		more;
	unsigned int	depth;
};

/**
 * json_open() - begin an object or a list
 * @w: the writer
 * @key: its key in the object around it; NULL in a list, or around all
 * @bracket: { or [
 */
void json_open(struct json_writer *w, const char *key, char bracket);

/**
 * json_close() - end an object or a list
 * @w: the writer
 * @bracket: } or ]
 */
void json_close(struct json_writer *w, char bracket);

/**
 * json_value() - write a value
 * @w: the writer
 * @key: its key in an object; NULL in a list
 * @json: a number, a quoted string, true or false; NULL for null
 */
void json_value(struct json_writer *w, const char *key, const char *json);

/**
 * json_unsigned() - write a whole number
 * @w: the writer
 * @key: its key in an object; NULL in a list
 * @value: the number
 */
void json_unsigned(struct json_writer *w, const char *key, uint64_t value);

/**
 * json_signed() - write a whole number with its sign
 * @w: the writer
 * @key: its key in an object; NULL in a list
 * @value: the number
 */
void json_signed(struct json_writer *w, const char *key, int64_t value);

/**
 * json_real() - write a number with 17 digits, from which the same double is read
 * @w: the writer
 * @key: its key in an object; NULL in a list
 * @value: the number; an infinity or NaN is written as null
 */
void json_real(struct json_writer *w, const char *key, double value);

/**
 * json_string() - write a string
 * @w: the writer
 * @key: its key in an object; NULL in a list
 * @text: the string, of any length; NULL for null
 */
void json_string(struct json_writer *w, const char *key, const char *text);

/**
 * json_quote() - quote a string
 * @text: the string
 * @out: written
 * @size: bytes of @out, at least 9; the end of a longer string is left out
 */
void json_quote(const char *text, char *out, size_t size);

#endif /* SHARPRAMP_LIB_JSON_WRITE_H */
