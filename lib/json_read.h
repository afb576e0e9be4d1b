/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reader of JSON that another program prints: an object, or a list of objects,
 * whose members are strings, numbers, true, false or null.
 */
#ifndef SHARPRAMP_LIB_JSON_READ_H
#define SHARPRAMP_LIB_JSON_READ_H

#include <stdbool.h>

/* Longer keys, strings and numbers are refused. */
#define JSON_READ_MAX	1024

/**
 * enum json_type - type of a member
 * @JSON_STRING: its text is without quotes and escapes
 * @JSON_NUMBER: as printed
 * @JSON_BOOL: "true" or "false"
 * @JSON_NULL: "null"
 */
enum json_type {
	JSON_STRING,
	JSON_NUMBER,
	JSON_BOOL,
	JSON_NULL,
};

/**
 * struct json_reader - functions that receive what is read
 * @member: called for each member of an object
 * @end: called at the end of each object
 * @data: for both
 *
 * A member that is an object or a list is checked and left out.
 */
struct json_reader {
	void (*member)(const char *key, enum json_type type, const char *text,
		       void *data);
	void (*end)(void *data);
	void *data;
};

/**
 * json_read() - read a text
 * @text: the text, ends in 0
 * @reader: receives it
 *
 * Return: false if the text is anything but one object or one list of objects;
 * the reader may have received a part by then.
 */
bool json_read(const char *text, const struct json_reader *reader);

#endif /* SHARPRAMP_LIB_JSON_READ_H */
