// SPDX-License-Identifier: GPL-2.0
/* The tables of what may be said. */
#include <errno.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <linux/onramp.h>
#include <linux/onramp_wire.h>
#include <linux/pkt_sch_ecnsharp.h>
#include <linux/pkt_sch_onramp.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "ecnsharp_params.h"
#include "grammar.h"
#include "onramp_params.h"

#define U64_ALL			0, UINT64_MAX
#define S64_ALL			(uint64_t)INT64_MIN, INT64_MAX
#define U32_ALL			0, UINT32_MAX
#define U16_ALL			0, UINT16_MAX
#define U8_ALL			0, UINT8_MAX

/* Of a qdisc: all that its table of parameters has, and what only dumps have. */
#define PARAMETER(prefix, id, bits, lo, hi)				\
	{ .name = #id, .type = prefix##id, .form = FORM_U##bits,	\
	  .pool = prefix##id##_POOL, .least = lo, .most = hi }

/* Where a value must be more than in its range. */
enum {
#define X(id, name, bits, lo, hi, unit) TCA_ECNSHARP_##id##_POOL = POOL_ANY,
	ECNSHARP_PARAMETERS(X)
#undef X
#define X(id, name, bits, lo, hi, unit)					\
	TCA_ONRAMP_##id##_POOL = TCA_ONRAMP_##id == TCA_ONRAMP_BUCKETS ?	\
		POOL_POWER : TCA_ONRAMP_##id == TCA_ONRAMP_PRIOMAP ?	\
		POOL_CRUMBS : POOL_ANY,
	ONRAMP_PARAMETERS(X)
#undef X
};

static const struct grammar_attribute grammar_ecnsharp[] = {
#define X(id, name, bits, lo, hi, unit) PARAMETER(TCA_ECNSHARP_, id, bits, lo, hi),
	ECNSHARP_PARAMETERS(X)
#undef X
	{ "DERIVED", TCA_ECNSHARP_DERIVED, FORM_NEST, POOL_ANY, U64_ALL },
};

static const struct grammar_attribute grammar_onramp[] = {
#define X(id, name, bits, lo, hi, unit) PARAMETER(TCA_ONRAMP_, id, bits, lo, hi),
	ONRAMP_PARAMETERS(X)
#undef X
};

#define A(id, form, pool, ...) { #id, ONRAMP_A_##id, FORM_##form, POOL_##pool, __VA_ARGS__ }

static const struct grammar_attribute grammar_genl[] = {
	A(CLOCK_ID, U8, ANY, ONRAMP_CLOCK_SYSTEM, ONRAMP_CLOCK_PUBLISHED),
	A(CLOCK_ERROR, U32, ANY, 0, ONRAMP_RANGE_ERROR_MAX_NS),
	A(CLOCK_BASE, U8, ANY, ONRAMP_BASE_REALTIME, ONRAMP_BASE_TAI),
	A(CLOCK_OFFSET, S64, WALL, S64_ALL),
	A(CLOCK_DRIFT, S64, ANY, (uint64_t)-ONRAMP_RANGE_DRIFT_MAX, ONRAMP_RANGE_DRIFT_MAX),
	A(CLOCK_REF, S64, WALL, S64_ALL),
	A(CLOCK_VALID, U64, ANY, 0, ONRAMP_RANGE_VALID_MAX_NS),
	A(CLOCK_EPOCH, U32, FEW, 1, UINT32_MAX),
	A(CLOCK_STATE, U8, ANY, U8_ALL),
	A(FLOW, NEST, ANY, U64_ALL),
	A(PATH, NEST, ANY, U64_ALL),
	A(SADDR, BYTES, ANY, 4, 16),
	A(DADDR, BYTES, ANY, 4, 16),
	A(SPORT, U16, ANY, U16_ALL),
	A(DPORT, U16, ANY, U16_ALL),
	A(DSCP, U8, ANY, U8_ALL),
	A(IFINDEX, U32, IFINDEX, 1, INT32_MAX),
	A(OWD, S64, ANY, S64_ALL),
	A(OWD_AGE, U64, ANY, U64_ALL),
	A(BASE, S64, ANY, S64_ALL),
	A(THRESHOLD, U64, ANY, U64_ALL),
	A(BETA, U32, ANY, U32_ALL),
	A(HOLD, U64, ANY, U64_ALL),
	A(HOLD_TOTAL, U64, ANY, U64_ALL),
	A(HOLDS, U64, ANY, U64_ALL),
	A(SAMPLES, U64, ANY, U64_ALL),
	A(RECORDS, U32, ANY, U32_ALL),
	A(STAMP_TX, U8, ANY, U8_ALL),
	A(STAMP_RX, U8, ANY, U8_ALL),
	A(ERROR, U64, ANY, U64_ALL),
	A(STATE, U8, ANY, U8_ALL),
	A(STATS, BYTES, ANY, 0, sizeof(struct onramp_stats)),
	A(FLOWS, U32, ANY, U32_ALL),
	A(PATHS, U32, ANY, U32_ALL),
	A(MAX_FLOWS, U32, ANY, 1, ONRAMP_RANGE_TABLE_MAX),
	A(MAX_PATHS, U32, ANY, 1, ONRAMP_RANGE_TABLE_MAX),
	A(ACKS, U64, ANY, U64_ALL),
	A(ACKS_BAD, U64, ANY, U64_ALL),
	A(ACKS_UNKNOWN_PEER, U64, ANY, U64_ALL),
	A(ACKER_EVERY, U32, ANY, 1, ONRAMP_RANGE_EVERY_MAX),
	A(ACKER_DELAY, U64, ANY, ONRAMP_RANGE_DELAY_MIN_NS, ONRAMP_RANGE_DELAY_MAX_NS),
	A(ACKER_IDLE, U64, ANY, ONRAMP_RANGE_IDLE_MIN_NS, ONRAMP_RANGE_IDLE_MAX_NS),
	A(ACKER_RATE, U32, ANY, 1, ONRAMP_RANGE_RATE_MAX),
	A(ACKER_MAX_FLOWS, U32, ANY, 1, ONRAMP_RANGE_TABLE_MAX),
	A(ACKER_STATS, BYTES, ANY, 0, sizeof(struct onramp_acker_stats)),
	A(PREFIX, BYTES, PREFIX, 4, 16),
	A(PREFIX_LEN, U8, BITS, 0, 128),
	A(EVENT, U8, ANY, U8_ALL),
	A(STAMP_WANTED_TX, U8, ANY, ONRAMP_STAMP_NONE, ONRAMP_STAMP_QDISC),
	A(STAMP_WANTED_RX, U8, ANY, ONRAMP_STAMP_NONE, ONRAMP_STAMP_QDISC),
	A(HOOK, U8, ANY, U8_ALL),
	A(GROUP, U32, FEW, 1, ONRAMP_RANGE_GROUP_MAX),
	A(KEY, BYTES, ANY, 16, 16),
	A(KEY_ID, U8, FEW, U8_ALL),
	A(KEY_OTHER, U8, ANY, U8_ALL),
	A(KEY_REQUIRE, U8, ANY, 0, 1),
	A(ACKS_SIGNED, U64, ANY, U64_ALL),
	A(ACKS_UNSIGNED, U64, ANY, U64_ALL),
	A(ACKS_UNKNOWN_KEY, U64, ANY, U64_ALL),
	A(ACKS_FORGED, U64, ANY, U64_ALL),
	A(ACKS_REPLAYED, U64, ANY, U64_ALL),
	A(ACKS_STALE, U64, ANY, U64_ALL),
	A(PHC, U8, ANY, U8_ALL),
	A(PHC_BIAS, S64, ANY, (uint64_t)-ONRAMP_RANGE_BIAS_MAX_NS, ONRAMP_RANGE_BIAS_MAX_NS),
	A(PHC_WINDOW, U64, ANY, ONRAMP_RANGE_WINDOW_MIN_NS, ONRAMP_RANGE_WINDOW_MAX_NS),
	A(PHC_TX_GOOD, U64, ANY, U64_ALL),
	A(PHC_TX_STALE, U64, ANY, U64_ALL),
	A(PHC_RX_GOOD, U64, ANY, U64_ALL),
	A(PHC_RX_MISSING, U64, ANY, U64_ALL),
	A(PHC_RX_STALE, U64, ANY, U64_ALL),
	A(PHC_RX_IMPLAUSIBLE, U64, ANY, U64_ALL),
	A(ACKS_UNKNOWN_FLOW, U64, ANY, U64_ALL),
	A(HOLDING, U8, ANY, 0, 1),
	A(HOLDING_WHY, STRING, ANY, 0, ONRAMP_RANGE_WHY_MAX),
	A(SCOPE, U32, ANY, U32_ALL),
	A(ACKS_FORWARDED, U64, ANY, U64_ALL),
	A(FOLLOW, U8, ANY, ONRAMP_FOLLOW_ALL, ONRAMP_FOLLOW_KEYS),
	A(NOT_FOLLOWED, U64, ANY, U64_ALL),
	A(MEMORY, U64, ANY, U64_ALL),
	A(MAX_MEMORY, U64, ANY, ONRAMP_RANGE_MEMORY_MIN, ONRAMP_RANGE_MEMORY_MAX),
	A(FLOWS_EVICTED, U64, ANY, U64_ALL),
};

const struct grammar grammars[LANGUAGES] = {
	[LANGUAGE_ECNSHARP] = { "ecnsharp", grammar_ecnsharp, ARRAY_SIZE(grammar_ecnsharp) },
	[LANGUAGE_ONRAMP] = { "onramp", grammar_onramp, ARRAY_SIZE(grammar_onramp) },
	[LANGUAGE_GENL] = { "genl", grammar_genl, ARRAY_SIZE(grammar_genl) },
};

/* Requests that set parameters of a qdisc take them all. */
#define ECNSHARP_TAKES {						\
	ECNSHARP_PARAMETERS(TAKES_ECNSHARP) }
#define TAKES_ECNSHARP(id, name, bits, lo, hi, unit) TCA_ECNSHARP_##id,
#define ONRAMP_TAKES {							\
	ONRAMP_PARAMETERS(TAKES_ONRAMP) }
#define TAKES_ONRAMP(id, name, bits, lo, hi, unit) TCA_ONRAMP_##id,

#define TC(kind, KIND)							\
	{ .name = kind "-add", .language = LANGUAGE_##KIND,		\
	  .type = RTM_NEWQDISC, .flags = NLM_F_CREATE | NLM_F_EXCL,	\
	  .admin = true, .takes = KIND##_TAKES,				\
	  .errors = { EEXIST, ENODEV, ENOENT } },			\
	{ .name = kind "-change", .language = LANGUAGE_##KIND,		\
	  .type = RTM_NEWQDISC, .admin = true, .takes = KIND##_TAKES,	\
	  .errors = { EEXIST, ENODEV, ENOENT } },			\
	{ .name = kind "-replace", .language = LANGUAGE_##KIND,		\
	  .type = RTM_NEWQDISC, .flags = NLM_F_CREATE | NLM_F_REPLACE,	\
	  .admin = true, .takes = KIND##_TAKES,				\
	  .errors = { ENODEV, ENOENT } },				\
	{ .name = kind "-delete", .language = LANGUAGE_##KIND,		\
	  .type = RTM_DELQDISC, .admin = true,				\
	  .errors = { ENODEV, ENOENT } },				\
	{ .name = kind "-get", .language = LANGUAGE_##KIND,		\
	  .type = RTM_GETQDISC, .errors = { ENODEV, ENOENT } },		\
	{ .name = kind "-dump", .language = LANGUAGE_##KIND,		\
	  .type = RTM_GETQDISC, .flags = NLM_F_DUMP }

#define GENL(id) .name = #id, .language = LANGUAGE_GENL, .type = ONRAMP_CMD_##id
#define ASKS(id) { GENL(id) }
#define DUMPS(id) { GENL(id), .flags = NLM_F_DUMP }
#define P(id) ONRAMP_A_##id

const struct grammar_command grammar_commands[] = {
	TC("ecnsharp", ECNSHARP),
	TC("onramp", ONRAMP),
	{ GENL(CLOCK_SET), .admin = true, .needed = 2,
	  .takes = { P(CLOCK_ID), P(CLOCK_ERROR), P(CLOCK_BASE), P(CLOCK_OFFSET), P(CLOCK_REF),
		     P(CLOCK_VALID), P(CLOCK_EPOCH), P(CLOCK_DRIFT) } },
	ASKS(CLOCK_GET),
	DUMPS(FLOW_GET),
	DUMPS(PATH_GET),
	ASKS(STATS_GET),
	{ GENL(LIMITS_SET), .admin = true,
	  .takes = { P(MAX_FLOWS), P(MAX_PATHS), P(MAX_MEMORY), P(FOLLOW) } },
	{ GENL(ACKER_SET), .admin = true,
	  .takes = { P(ACKER_EVERY), P(ACKER_DELAY), P(ACKER_IDLE), P(ACKER_RATE),
		     P(ACKER_MAX_FLOWS) } },
	ASKS(ACKER_GET),
	{ GENL(ACKER_DEV_ADD), .admin = true, .needed = 1, .takes = { P(IFINDEX) },
	  .errors = { ENODEV, EEXIST } },
	{ GENL(ACKER_DEV_DEL), .admin = true, .needed = 1, .takes = { P(IFINDEX) },
	  .errors = { ENODEV, ENOENT } },
	DUMPS(ACKER_DEV_GET),
	{ GENL(PEER_ADD), .admin = true, .needed = 2, .takes = { P(PREFIX), P(PREFIX_LEN) },
	  .errors = { EEXIST, ENOSPC } },
	{ GENL(PEER_DEL), .admin = true, .needed = 2, .takes = { P(PREFIX), P(PREFIX_LEN) },
	  .errors = { ENOENT } },
	DUMPS(PEER_GET),
	{ GENL(DEV_SET), .admin = true, .needed = 1,
	  .takes = { P(IFINDEX), P(STAMP_WANTED_TX), P(STAMP_WANTED_RX) }, .errors = { ENODEV } },
	DUMPS(DEV_GET),
	{ GENL(KEY_ADD), .admin = true, .needed = 3, .takes = { P(GROUP), P(KEY_ID), P(KEY) },
	  .errors = { EEXIST, ENOSPC } },
	{ GENL(KEY_ROTATE), .admin = true, .needed = 2, .takes = { P(GROUP), P(KEY_ID) },
	  .errors = { ENOENT } },
	{ GENL(KEY_DEL), .admin = true, .needed = 1, .takes = { P(GROUP), P(KEY_ID) },
	  .errors = { ENOENT, EBUSY } },
	{ GENL(KEY_SET), .admin = true, .needed = 2, .takes = { P(GROUP), P(KEY_REQUIRE) },
	  .errors = { ENOENT } },
	{ GENL(KEY_PEER_ADD), .admin = true, .needed = 3,
	  .takes = { P(GROUP), P(PREFIX), P(PREFIX_LEN) }, .errors = { EEXIST, ENOENT, ENOSPC } },
	{ GENL(KEY_PEER_DEL), .admin = true, .needed = 3,
	  .takes = { P(GROUP), P(PREFIX), P(PREFIX_LEN) }, .errors = { ENOENT } },
	DUMPS(KEY_GET),
	{ GENL(PHC_SET), .admin = true, .needed = 6,
	  .takes = { P(IFINDEX), P(CLOCK_ERROR), P(CLOCK_OFFSET), P(CLOCK_REF), P(CLOCK_VALID),
		     P(CLOCK_EPOCH), P(CLOCK_DRIFT), P(PHC_BIAS), P(PHC_WINDOW) },
	  .errors = { ENODEV } },
	{ GENL(PHC_DEL), .admin = true, .needed = 1, .takes = { P(IFINDEX) },
	  .errors = { ENODEV } },
	{ GENL(HOLDING_SET), .admin = true, .needed = 1, .takes = { P(HOLDING), P(HOLDING_WHY) } },
};

_Static_assert(ARRAY_SIZE(grammar_commands) <= GRAMMAR_COMMANDS, "no room for all commands");

const size_t grammar_commands_count = ARRAY_SIZE(grammar_commands);

/**
 * grammar_find() - look up an attribute
 * @language: enum grammar_language
 * @type: its number
 *
 * Return: it, or NULL.
 */
const struct grammar_attribute *grammar_find(uint8_t language, uint16_t type)
{
	const struct grammar *g = &grammars[language];
	size_t i;

	for (i = 0; i < g->count; i++)
		if (g->attributes[i].type == type)
			return &g->attributes[i];
	return NULL;
}

/**
 * grammar_command_find() - look up a command
 * @name: its name
 *
 * Return: it, or NULL.
 */
const struct grammar_command *grammar_command_find(const char *name)
{
	size_t i;

	for (i = 0; i < grammar_commands_count; i++)
		if (!strcmp(grammar_commands[i].name, name))
			return &grammar_commands[i];
	return NULL;
}

/**
 * grammar_takes() - how many attributes a command takes
 * @command: the command
 *
 * Return: their number.
 */
size_t grammar_takes(const struct grammar_command *command)
{
	size_t n = 0;

	while (n < GRAMMAR_TAKES && command->takes[n])
		n++;
	return n;
}

/**
 * grammar_width() - bytes of a number
 * @form: enum grammar_form
 *
 * Return: its bytes; 0 if it is no number.
 */
size_t grammar_width(uint8_t form)
{
	static const uint8_t width[] = {
		[FORM_U8] = 1, [FORM_U16] = 2, [FORM_U32] = 4, [FORM_U64] = 8, [FORM_S64] = 8,
	};

	return form < ARRAY_SIZE(width) ? width[form] : 0;
}

/**
 * grammar_print() - the tables, for selftests/consistency/grammar.py
 *
 * Lines "attribute LANGUAGE NAME NUMBER FORM LEAST MOST" and "command LANGUAGE
 * NAME NUMBER FLAGS admin|anybody NEEDED [ATTRIBUTE...]".
 */
void grammar_print(void)
{
	static const char *const form[] = {
		"u8", "u16", "u32", "u64", "s64", "binary", "string", "nest",
	};
	size_t i, n;

	for (i = 0; i < LANGUAGES; i++)
		for (n = 0; n < grammars[i].count; n++) {
			const struct grammar_attribute *a = &grammars[i].attributes[n];

			printf("attribute %s %s %u %s ", grammars[i].name, a->name, a->type,
			       form[a->form]);
			if (a->form == FORM_S64)
				printf("%" PRId64 " %" PRId64 "\n", a->least, a->most);
			else
				printf("%" PRIu64 " %" PRIu64 "\n", a->least, a->most);
		}
	for (i = 0; i < grammar_commands_count; i++) {
		const struct grammar_command *c = &grammar_commands[i];

		printf("command %s %s %u %u %s %u", grammars[c->language].name, c->name, c->type,
		       c->flags, c->admin ? "admin" : "anybody", c->needed);
		for (n = 0; n < grammar_takes(c); n++)
			printf(" %s", grammar_find(c->language, c->takes[n])->name);
		printf("\n");
	}
}
