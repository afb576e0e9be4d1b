/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of values: how each is read from a command line, and how it is written
 * for people and in JSON.
 */
#ifndef SHARPRAMP_ONRAMPCTL_VALUE_H
#define SHARPRAMP_ONRAMPCTL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum value_kind - what a value means
 * @VALUE_NONE: ends a list
 * @VALUE_COUNT: a number of things
 * @VALUE_TIME: ns, not negative
 * @VALUE_OFFSET: ns, of either sign
 * @VALUE_DRIFT: 2^-32 ns each ns, of either sign
 * @VALUE_SHARE: of 65536
 * @VALUE_PORT: in network order
 * @VALUE_NAME: one of some names
 * @VALUE_FLAG: yes or no
 * @VALUE_ADDRESS: IPv4 or IPv6
 * @VALUE_PREFIX: ADDRESS/LENGTH, or an address alone
 * @VALUE_DEVICE: a network device, by its index
 * @VALUE_KEY: a key, by the name of its file
 * @VALUE_TEXT: printable text
 * @VALUE_FILE: name of a file
 */
enum value_kind {
	VALUE_NONE,
	VALUE_COUNT,
	VALUE_TIME,
	VALUE_OFFSET,
	VALUE_DRIFT,
	VALUE_SHARE,
	VALUE_PORT,
	VALUE_NAME,
	VALUE_FLAG,
	VALUE_ADDRESS,
	VALUE_PREFIX,
	VALUE_DEVICE,
	VALUE_KEY,
	VALUE_TEXT,
	VALUE_FILE,
};

/**
 * struct value - a value
 * @given: there is one
 * @number: of most kinds; in two's complement if it may be negative
 * @address: of VALUE_ADDRESS and VALUE_PREFIX; of VALUE_KEY, the key
 * @address_len: bytes of it, 4 or 16
 * @prefix_len: bits that count
 * @text: of VALUE_TEXT and VALUE_FILE; as long as what it was read from
 */
struct value {
	bool		given;
	uint64_t	number;
	uint8_t		address[16];
	uint8_t		address_len;
	uint8_t		prefix_len;
	const char	*text;
};

/**
 * struct value_range - what a value may be
 * @kind: its kind
 * @least: lowest number, of kinds with a sign an int64_t
 * @most: highest number; of VALUE_TEXT most characters
 * @names: of VALUE_NAME, by number, NULL where there is none
 * @nr_names: entries of @names
 */
struct value_range {
	enum value_kind		kind;
	uint64_t		least;
	uint64_t		most;
	const char *const	*names;
	size_t			nr_names;
};

/* The longest is a reason of which each character is escaped, in quotes. */
#define VALUE_TEXT_MAX	160

/** struct value_text - a value as text, ends in 0 */
struct value_text {
	char text[VALUE_TEXT_MAX];
};

/** struct value_why - why an argument is not a value, ends in 0 */
struct value_why {
	char text[VALUE_TEXT_MAX + 64];
};

/**
 * value_parse() - read a value
 * @range: what it may be
 * @text: the argument
 * @v: filled if 0 is returned
 * @why: filled with the reason if not
 *
 * Return: 0 or -1.
 */
int value_parse(const struct value_range *range, const char *text,
		struct value *v, struct value_why *why);

/**
 * value_range_text() - describe the values that are accepted
 * @range: the range
 *
 * Return: such as "1us to 100ms", "realtime|raw|tai"; empty if it has none.
 */
struct value_text value_range_text(const struct value_range *range);

/**
 * value_for_people() - write a value
 * @range: its kind and names
 * @v: the value
 *
 * Return: text that value_parse() reads back.
 */
struct value_text value_for_people(const struct value_range *range,
				   const struct value *v);

/**
 * value_for_json() - write a value
 * @range: its kind and names
 * @v: the value
 *
 * Return: a JSON number, string, true or false.
 */
struct value_text value_for_json(const struct value_range *range,
				 const struct value *v);

/**
 * value_contains() - is an address in a prefix?
 * @prefix: the prefix
 * @address: the address
 *
 * Return: false also if one is IPv4 and the other IPv6.
 */
bool value_contains(const struct value *prefix, const struct value *address);

#endif /* SHARPRAMP_ONRAMPCTL_VALUE_H */
