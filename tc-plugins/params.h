/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters and counters of a qdisc, by tables: arguments to numbers, numbers to
 * attributes, and back.  Each plugin makes its tables from the one list of its
 * algorithm (kernel/algo/NAME_params.h), from which the kernel makes its policy.
 */
#ifndef SHARPRAMP_TC_PARAMS_H
#define SHARPRAMP_TC_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rtnetlink.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Longest name of a parameter or of one of its values, with its end. */
#define PARAM_NAME_MAX	48

/**
 * struct param - a row of the list
 * @id: the attribute's name in upper case; in lower case it is the JSON key
 * @name: in tc; rows of one name are the values that follow it
 * @unit: "ns", or choices: "(off, on)"; without the name: "[nopacing, pacing]"
 * @least: smallest value, and that of the first choice; values of a parameter that
 *	may be below 0 are in two's complement
 * @most: largest value
 * @attr: its attribute
 * @bits: width on the wire: 8, 32 or 64
 */
struct param {
	const char *id;
	const char *name;
	const char *unit;
	int64_t least;
	int64_t most;
	uint16_t attr;
	uint8_t bits;
};

/**
 * struct param_counter - a member of the statistics, 64 bits, or several as an array
 * @key: its name, and its key in JSON
 * @name: its name in text; NULL: the key
 * @offset: where it is
 * @buckets: length of the array, which is a distribution of delays as delay_hist.h has it,
 *	and follows their sum; 0: it is no array
 * @is_time: it is in nanoseconds
 * @is_signed: it may be below 0
 * @is_gauge: it may fall, or is a point in time
 * @ends_line: a line of text ends behind it
 */
struct param_counter {
	const char *key;
	const char *name;
	size_t offset;
	uint8_t buckets;
	bool is_time;
	bool is_signed;
	bool is_gauge;
	bool ends_line;
};

/**
 * struct param_kind - a qdisc
 * @kind: its name
 * @param: its parameters
 * @count: number of them, at most 64
 * @counter: its counters, in the order of printing
 * @counters: number of them
 */
struct param_kind {
	const char *kind;
	const struct param *param;
	int count;
	const struct param_counter *counter;
	size_t counters;
};

/**
 * PARAM_ROW() - a row made of the list in kernel/algo
 * @KIND: the qdisc in upper case
 * @ID: the attribute's name behind TCA_KIND_
 */
#define PARAM_ROW(KIND, ID, NAME, BITS, LEAST, MOST, UNIT) {		       \
	.id = #ID, .name = NAME, .unit = UNIT, .least = LEAST, .most = MOST,   \
	.attr = TCA_##KIND##_##ID, .bits = BITS,			       \
}

/**
 * struct param_values - the values of all parameters, wherever they are kept
 * @given: bit n is set if parameter n has a value
 * @value: the values
 */
struct param_values {
	uint64_t *given;
	uint64_t *value;
};

/**
 * param_find() - look for a parameter
 * @k: the qdisc
 * @argument: its name, or one of its values if they stand alone
 *
 * Return: its number; of several with the name the first; -1 if there is none.
 */
int param_find(const struct param_kind *k, const char *argument);

/**
 * param_arguments() - how many arguments a parameter takes behind its name
 * @k: the qdisc
 * @id: number of the parameter
 *
 * Return: 0 if its values stand alone.
 */
int param_arguments(const struct param_kind *k, int id);

/**
 * param_set() - take an argument for the value of a parameter
 * @k: the qdisc
 * @id: number of the parameter
 * @text: the argument
 * @v: gets the value
 *
 * Return: 0, or -1 after an explanation on stderr.
 */
int param_set(const struct param_kind *k, int id, const char *text,
	      struct param_values v);

/**
 * param_parse() - take a parameter and its values from a command line
 * @k: the qdisc
 * @id: number of the parameter
 * @argc: arguments from its name on
 * @argv: the arguments
 * @v: gets the values
 *
 * Return: how many arguments were taken, or -1 after an explanation on stderr.
 */
int param_parse(const struct param_kind *k, int id, int argc, char **argv,
		struct param_values v);

/**
 * param_parse_all() - take a command line; no parameter may be given twice
 * @k: the qdisc
 * @argc: number of arguments
 * @argv: the arguments
 * @v: gets the values
 * @usage: explains the qdisc on stderr
 *
 * Return: 0, or -1 after an explanation on stderr.
 */
int param_parse_all(const struct param_kind *k, int argc, char **argv,
		    struct param_values v, void (*usage)(void));

/**
 * param_refuse() - explain why an argument is refused
 * @k: the qdisc
 * @name: of the parameter
 * @text: the argument
 * @why: the reason
 *
 * Return: -1.
 */
int param_refuse(const struct param_kind *k, const char *name,
		 const char *text, const char *why);

/**
 * param_append() - append TCA_OPTIONS to a request
 * @k: the qdisc
 * @n: the request
 * @v: the values
 *
 * Return: 0, or -1 after an explanation on stderr.
 */
int param_append(const struct param_kind *k, struct nlmsghdr *n,
		 struct param_values v);

/**
 * param_read() - read a nest of attributes; what is not known is left out
 * @k: the qdisc
 * @nest: the nest
 * @v: gets the values, in range or not: a newer kernel may allow more
 */
void param_read(const struct param_kind *k, struct rtattr *nest,
		struct param_values v);

/**
 * param_is_address() - is a parameter one of a list of link-layer addresses?
 * @p: the parameter
 *
 * Return: as for "cnm_from", whose rows are one argument, addresses with commas between them.
 */
bool param_is_address(const struct param *p);

/* Text of the longest list of addresses, with its end. */
#define PARAM_ADDRESSES_MAX	(64 * 18)

/**
 * param_addresses() - write a list of addresses
 * @k: the qdisc
 * @id: number of its first row
 * @v: the values
 * @text: its text, "any" if there is none, which param_parse() reads back
 *
 * Return: number of the row behind the list.
 */
int param_addresses(const struct param_kind *k, int id, struct param_values v,
		    char text[PARAM_ADDRESSES_MAX]);

/**
 * enum param_shape - how a value is written
 * @PARAM_NUMBER: a number
 * @PARAM_SIGNED: a number that may be below 0
 * @PARAM_SWITCH: on or off; in JSON true or false
 * @PARAM_CHOICE: text; in JSON a string
 */
enum param_shape {
	PARAM_NUMBER,
	PARAM_SIGNED,
	PARAM_SWITCH,
	PARAM_CHOICE,
};

/**
 * param_write() - write a value
 * @p: the parameter
 * @value: the value
 * @text: its text, which param_set() reads back
 *
 * Return: how the value is written in JSON.
 */
enum param_shape param_write(const struct param *p, uint64_t value,
			     char text[PARAM_NAME_MAX]);

/**
 * param_key() - the key of a parameter in JSON
 * @p: the parameter
 * @key: written
 */
void param_key(const struct param *p, char key[PARAM_NAME_MAX]);

/**
 * param_stands_alone() - are the values of a parameter used without its name?
 * @p: the parameter
 *
 * Return: as for "pacing" and "nopacing".
 */
bool param_stands_alone(const struct param *p);

/**
 * param_counter_read() - read a counter
 * @c: the counter
 * @xstats: the statistics
 * @length: bytes of them
 * @value: space for all of an array; written if true is returned
 *
 * Return: false if an older kernel does not have it, or its value is not known.
 */
bool param_counter_read(const struct param_counter *c, const void *xstats,
			size_t length, uint64_t *value);

#endif /* SHARPRAMP_TC_PARAMS_H */
