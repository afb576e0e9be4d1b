/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What may be said to our qdiscs and to the generic netlink family, as tables.
 *
 * Numbers and ranges come from <linux/onramp.h> and kernel/algo/NAME_params.h.
 * selftests/consistency/grammar.py holds the tables against the headers and
 * docs/netlink/onramp.yaml.
 */
#ifndef FUZZ_GRAMMAR_H
#define FUZZ_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

/* Devices of a world; a packet that leaves the slow one waits in its qdisc. */
#define GRAMMAR_IFINDEX_DUMMY	20
#define GRAMMAR_IFINDEX_PRIO	21
#define GRAMMAR_IFINDEX_SLOW	22
#define GRAMMAR_IFINDEX_PEER	23
#define GRAMMAR_IFINDEX_NONE	99

/* CLOCK_REALTIME as a guest of the lab boots, ns: lab/host/boot.py. */
#define GRAMMAR_WALL_NS		1735689600000000000ULL

/* Types of attributes, without their flags, are below it. */
#define GRAMMAR_TYPES		0x4000
/* Commands at most. */
#define GRAMMAR_COMMANDS	64
/* Attributes of a request at most. */
#define GRAMMAR_TAKES		40
/* Different errors that a command may end in at most. */
#define GRAMMAR_ERRORS		8

/**
 * enum grammar_form - how a value looks
 * @FORM_U8: a number of 8 bits
 * @FORM_U16: of 16 bits
 * @FORM_U32: of 32 bits
 * @FORM_U64: of 64 bits
 * @FORM_S64: of 64 bits that may be negative
 * @FORM_BYTES: bytes; the range is of their number
 * @FORM_STRING: text with a 0 behind it; the range is of its length
 * @FORM_NEST: attributes; in dumps only
 */
enum grammar_form {
	FORM_U8,
	FORM_U16,
	FORM_U32,
	FORM_U64,
	FORM_S64,
	FORM_BYTES,
	FORM_STRING,
	FORM_NEST,
};

/**
 * enum grammar_pool - which values are good beside being in the range
 * @POOL_ANY: all
 * @POOL_FEW: all, but a few come often, so that requests meet each other
 * @POOL_IFINDEX: the devices of a world, and one that is not there
 * @POOL_POWER: powers of 2
 * @POOL_CRUMBS: 16 numbers of two bits, of 0 to 2
 * @POOL_WALL: 0, or what the clock shows
 * @POOL_PREFIX: addresses with 0 behind their first bits
 * @POOL_BITS: lengths that go with those
 */
enum grammar_pool {
	POOL_ANY,
	POOL_FEW,
	POOL_IFINDEX,
	POOL_POWER,
	POOL_CRUMBS,
	POOL_WALL,
	POOL_PREFIX,
	POOL_BITS,
};

/**
 * struct grammar_attribute - an attribute
 * @name: without its prefix
 * @type: its number
 * @form: enum grammar_form
 * @pool: enum grammar_pool
 * @least: of its range; of FORM_S64 the same bits
 * @most: likewise
 */
struct grammar_attribute {
	const char *name;
	uint16_t type;
	uint8_t form;
	uint8_t pool;
	uint64_t least;
	uint64_t most;
};

/**
 * enum grammar_language - whose attributes
 * @LANGUAGE_ECNSHARP: TCA_OPTIONS of kind ecnsharp
 * @LANGUAGE_ONRAMP: TCA_OPTIONS of kind onramp
 * @LANGUAGE_GENL: the generic netlink family
 */
enum grammar_language {
	LANGUAGE_ECNSHARP,
	LANGUAGE_ONRAMP,
	LANGUAGE_GENL,
	LANGUAGES,
};

/**
 * struct grammar_command - a request
 * @name: as reports have it
 * @language: enum grammar_language
 * @type: RTM_* or ONRAMP_CMD_*
 * @flags: NLM_F_* beside NLM_F_REQUEST and NLM_F_ACK
 * @admin: it wants CAP_NET_ADMIN
 * @needed: so many of @takes must be there, the first ones
 * @takes: types of the attributes that it takes, then 0
 * @errors: errno that it may end in, beside those of every request, then 0
 */
struct grammar_command {
	const char *name;
	uint8_t language;
	uint8_t type;
	uint16_t flags;
	bool admin;
	uint8_t needed;
	uint16_t takes[GRAMMAR_TAKES];
	uint8_t errors[GRAMMAR_ERRORS];
};

/**
 * struct grammar - a language
 * @name: as reports have it; of a qdisc its kind
 * @attributes: all attributes but padding
 * @count: how many
 */
struct grammar {
	const char *name;
	const struct grammar_attribute *attributes;
	size_t count;
};

extern const struct grammar grammars[LANGUAGES];
extern const struct grammar_command grammar_commands[];
extern const size_t grammar_commands_count;

const struct grammar_attribute *grammar_find(uint8_t language, uint16_t type);
const struct grammar_command *grammar_command_find(const char *name);
size_t grammar_takes(const struct grammar_command *command);
size_t grammar_width(uint8_t form);
void grammar_print(void);

#endif /* FUZZ_GRAMMAR_H */
