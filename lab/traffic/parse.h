/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values on the command line and in the traffic file
 *
 * Every refusal names where the value stands, what it is called, what was
 * given and what is allowed.
 */
#ifndef FLOWGEN_PARSE_H
#define FLOWGEN_PARSE_H

#include <netinet/in.h>

#include "types.h"

/* The load and other fractions are kept in millionths. */
#define PPM		1000000ULL

/**
 * enum quantity - quantity of a number, which lib/units.h reads and writes
 * @QUANTITY_COUNT: things, without a unit
 * @QUANTITY_TIME: ns, unit_parse_time_or_ns()
 * @QUANTITY_BYTES: bytes, unit_parse_bytes()
 * @QUANTITY_RATE: bit/s, unit_parse_rate()
 * @QUANTITY_FRACTION: millionths, unit_parse_fraction()
 * @QUANTITY_TEXT: a text and not a number
 */
enum quantity {
	QUANTITY_COUNT,
	QUANTITY_TIME,
	QUANTITY_BYTES,
	QUANTITY_RATE,
	QUANTITY_FRACTION,
	QUANTITY_TEXT,
};

/**
 * struct range - range of the numbers that a name accepts
 * @quantity: their quantity
 * @min: least value, in the unit kept
 * @max: largest value, in the unit kept
 */
struct range {
	enum quantity quantity;
	u64 min;
	u64 max;
};

/**
 * struct place - where a value was read, for messages
 * @file: name of the file, or NULL for the command line
 * @line: line number from 1, or 0
 */
struct place {
	const char *file;
	unsigned int line;
};

/**
 * complain() - print "flowgen: FILE:LINE: message" to standard error
 * @at: place, or NULL
 * @format: printf format of the message
 *
 * Return: always -1, so that callers can return it.
 */
int complain(const struct place *at, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * parse_number() - read a number that must lie in a range
 * @at: place, for the message
 * @name: what the number is called, for the message
 * @text: the number as written
 * @range: what is allowed
 * @value: receives it, untouched on error
 *
 * Return: 0, or -1 after a message that names the range.
 */
int parse_number(const struct place *at, const char *name, const char *text,
		 const struct range *range, u64 *value);

/**
 * parse_address() - read ADDR, or ADDR:PORT with an IPv6 ADDR in brackets, or HOST:PORT
 * @at: place, for the message
 * @name: what the address is called
 * @text: numeric IPv4 or IPv6 address; of the command line also the name of a host
 * @port: port if none is written; 0 if one must be
 * @address: receives it
 *
 * The hosts of a file have addresses only, so that a run does not depend on a resolver;
 * a static program looks up no names at all. A link-local ADDR of the command line has its link as
 * its zone, ADDR%DEVICE or ADDR%INDEX. DEVICE may be an alternative name. A file's addresses have
 * no zone: its hosts may live in other network namespaces, with devices of their own.
 *
 * Return: 0, or -1 after a message.
 */
int parse_address(const struct place *at, const char *name, const char *text,
		  unsigned int port, struct sockaddr_storage *address);

/**
 * parse_text_start() - pass over the byte order mark that editors put before a text
 * @at: place; all but line 1 is left as it is
 * @line: a line of the text
 *
 * Return: the line without the mark, or NULL after a message where the mark says
 * that the text is UTF-16.
 */
char *parse_text_start(const struct place *at, char *line);

/**
 * format_range() - write a range the way parse_number() reads it
 * @range: range
 * @text: buffer
 * @size: its size, 64 is enough
 *
 * Return: @text.
 */
const char *format_range(const struct range *range, char *text, size_t size);

#endif
