// SPDX-License-Identifier: GPL-2.0
/*
 * tc plugin of the ECN# qdisc: words to attributes, attributes to words.
 *
 * Names, ranges, units and messages come from ECNSHARP_PARAMETERS in
 * kernel/algo/ecnsharp_params.h, from which the kernel makes its policy.  What
 * is refused here is what one command line says wrongly or twice; how it fits
 * what is in force only the kernel can judge.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <linux/pkt_sch_ecnsharp.h>

#include "attr.h"
#include "ecnsharp_params.h"
#include "parse.h"
#include "print.h"
#include "tc_plugin.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Longest name of a parameter or of one of its values, with its end. */
#define ECNSHARP_NAME_MAX	32

static const uint16_t ecnsharp_attr[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(id, name, bits, least, most, unit)			       \
	[ECNSHARP_##id] = TCA_ECNSHARP_##id,
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

/* The attribute's name in upper case; in lower case it is the JSON key. */
static const char *const ecnsharp_id_text[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(id, name, bits, least, most, unit)			       \
	[ECNSHARP_##id] = #id,
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

static const char *const ecnsharp_unit_text[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(id, name, bits, least, most, unit)			       \
	[ECNSHARP_##id] = unit,
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

/**
 * struct ecnsharp_unit - how the values of a unit are read and written
 * @unit: as in ECNSHARP_PARAMETERS
 * @what: what a value is, for the user
 * @parse: word to number
 * @word: number to word
 */
struct ecnsharp_unit {
	const char *unit;
	const char *what;
	enum parse_result (*parse)(const char *text, uint64_t *value);
	struct print_word (*word)(uint64_t value);
};

static const struct ecnsharp_unit ecnsharp_units[] = {
	{ "packets", "a number of packets", parse_count, print_count_word },
	{ "bytes", "a size such as 80kb", parse_size_bytes, print_size_word },
	{ "ns", "a time such as 85us", parse_time_ns, print_time_word },
	{ "bit/s", "a rate such as 10gbit", parse_rate_bps, print_rate_word },
	{ "millionths", "a number such as 0.17 or 17%", parse_fraction_ppm,
	  print_fraction_word },
};

/* NULL for a parameter whose values are words. */
static const struct ecnsharp_unit *ecnsharp_unit_of(enum ecnsharp_param id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ecnsharp_units); i++)
		if (!strcmp(ecnsharp_units[i].unit, ecnsharp_unit_text[id]))
			return &ecnsharp_units[i];
	return NULL;
}

/*
 * The word for @value out of a list such as "(reno, cubic, dctcp)", which
 * begins with that for the least value.  False if the list has none: a newer
 * kernel may know more.
 */
static bool ecnsharp_choice(enum ecnsharp_param id, uint64_t value,
			    char word[ECNSHARP_NAME_MAX])
{
	const char *list = ecnsharp_unit_text[id];
	uint64_t at = ecnsharp_param_info(id)->least;
	int length;

	if (value < at)
		return false;
	for (list += strspn(list, "(, "); *list; list += strspn(list, "), ")) {
		length = strcspn(list, ",)");
		if (at++ == value) {
			snprintf(word, ECNSHARP_NAME_MAX, "%.*s", length, list);
			return true;
		}
		list += length;
	}
	return false;
}

/* Words to attributes */

/**
 * struct ecnsharp_preset - parameters of an experiment in the paper
 * @name: its name
 * @ins_target_ns: cut-off of the instantaneous signal
 * @pst_target_ns: level of a persistent queue
 * @pst_interval_ns: observation time
 */
struct ecnsharp_preset {
	const char *name;
	u64 ins_target_ns;
	u64 pst_target_ns;
	u64 pst_interval_ns;
};

/* Section 5.2, and sections 5.3 and 5.4. */
static const struct ecnsharp_preset ecnsharp_presets[] = {
	{ "testbed", 200000, 85000, 200000 },
	{ "simulation", 220000, 10000, 240000 },
};

/**
 * struct ecnsharp_request - what a command line asks for
 * @settings: the values
 * @said: bits of the parameters that the user named, by the first of a name
 * @level: the words of kmin and kmax, or NULL; their unit is found at the end
 * @has_preset: a preset was named
 */
struct ecnsharp_request {
	struct ecnsharp_settings settings;
	u64 said;
	const char *level[2];
	bool has_preset;
};

static void ecnsharp_usage(void)
{
	fputs("Usage: ... ecnsharp [ limit PACKETS ] [ memory_limit BYTES ]\n"
	      "\t[ preset testbed|simulation ]\n"
	      "\t[ ins_target TIME ] [ pst_target TIME ] [ pst_interval TIME ]\n"
	      "\t[ rtt_avg TIME rtt_tail TIME\n"
	      "\t\t[ lambda NUMBER | transport reno|cubic|dctcp ] ]\n"
	      "\t[ kmin LEVEL kmax LEVEL pmax PROBABILITY ]\n"
	      "\t[ signal sojourn | signal length rate RATE ]\n"
	      "\t[ instantaneous on|off ] [ persistent on|off ]\n"
	      "\t[ nonect pass|drop ] [ split_gso on|off ] [ help ]\n"
	      "LEVEL is a TIME with signal sojourn, a size in BYTES with signal length.\n"
	      "A TIME has a unit: 85us. See tc-ecnsharp(8).\n", stderr);
}

static int ecnsharp_refuse(const char *name, const char *text, const char *why)
{
	fprintf(stderr, "ecnsharp: %s \"%s\": %s\n", name, text, why);
	return -1;
}

/* "not a time such as 85us between 1ns and 1s" */
static int ecnsharp_refuse_number(enum ecnsharp_param id, const char *text,
				  const char *fault, const char *what)
{
	const struct ecnsharp_param_info *info = ecnsharp_param_info(id);
	const struct ecnsharp_unit *unit = ecnsharp_unit_of(id);
	char why[160];

	snprintf(why, sizeof(why), "%s%s between %s and %s", fault, what,
		 unit->word(info->least).text, unit->word(info->most).text);
	return ecnsharp_refuse(info->name, text, why);
}

static int ecnsharp_set_choice(struct ecnsharp_request *req,
			       enum ecnsharp_param id, const char *text)
{
	const struct ecnsharp_param_info *info = ecnsharp_param_info(id);
	char word[ECNSHARP_NAME_MAX];
	char why[80];
	u64 value;

	for (value = info->least; value <= info->most; value++) {
		if (ecnsharp_choice(id, value, word) && !strcmp(word, text)) {
			ecnsharp_set(&req->settings, id, value);
			return 0;
		}
	}
	snprintf(why, sizeof(why), "not one of %s", ecnsharp_unit_text[id]);
	return ecnsharp_refuse(info->name, text, why);
}

static int ecnsharp_set_number(struct ecnsharp_request *req,
			       enum ecnsharp_param id, const char *text)
{
	const struct ecnsharp_unit *unit = ecnsharp_unit_of(id);
	uint64_t value;

	switch (unit->parse(text, &value)) {
	case PARSE_MALFORMED:
		return ecnsharp_refuse_number(id, text, "not ", unit->what);
	case PARSE_INEXACT:
		return ecnsharp_refuse_number(id, text, "not a whole number of ",
					      unit->unit);
	case PARSE_OK:
		/* What the kernel would say has no units a user could paste. */
		if (!ecnsharp_set(&req->settings, id, value))
			return 0;
		break;
	case PARSE_TOO_LARGE:
		break;
	}
	return ecnsharp_refuse_number(id, text, "out of range: not", "");
}

/* kmin and kmax are in the table twice; the first stands for both. */
static bool ecnsharp_find(const char *name, enum ecnsharp_param *id)
{
	int i;

	for (i = 0; i < ECNSHARP_NR_PARAMS; i++) {
		if (!strcmp(ecnsharp_param_info(i)->name, name)) {
			*id = i;
			return true;
		}
	}
	return false;
}

static int ecnsharp_parse_param(struct ecnsharp_request *req,
				enum ecnsharp_param id, const char *text)
{
	if (req->said & 1ULL << id)
		return ecnsharp_refuse(ecnsharp_param_info(id)->name, text,
				       "given twice");
	req->said |= 1ULL << id;
	if (id == ECNSHARP_KMIN_NS || id == ECNSHARP_KMAX_NS) {
		req->level[id == ECNSHARP_KMAX_NS] = text;
		return 0;
	}
	if (!ecnsharp_unit_of(id))
		return ecnsharp_set_choice(req, id, text);
	return ecnsharp_set_number(req, id, text);
}

/* The options that a preset sets, or that replace what it sets. */
#define ECNSHARP_AFTER_PRESET	(ECNSHARP_GIVEN_TARGETS | \
				 ECNSHARP_GIVEN_RULE | ECNSHARP_GIVEN_RAMP)

static int ecnsharp_parse_preset(struct ecnsharp_request *req, const char *text)
{
	u64 early = req->said & ECNSHARP_AFTER_PRESET;
	const struct ecnsharp_preset *preset = NULL;
	struct ecnsharp_settings *s = &req->settings;
	char why[80];
	size_t i;

	if (req->has_preset)
		return ecnsharp_refuse("preset", text, "given twice");
	for (i = 0; i < ARRAY_SIZE(ecnsharp_presets); i++)
		if (!strcmp(ecnsharp_presets[i].name, text))
			preset = &ecnsharp_presets[i];
	if (!preset)
		return ecnsharp_refuse("preset", text,
				       "not one of (testbed, simulation)");
	if (early) {
		snprintf(why, sizeof(why), "must come before %s",
			 ecnsharp_param_info(__builtin_ctzll(early))->name);
		return ecnsharp_refuse("preset", text, why);
	}
	req->has_preset = true;
	ecnsharp_set(s, ECNSHARP_INS_TARGET_NS, preset->ins_target_ns);
	ecnsharp_set(s, ECNSHARP_PST_TARGET_NS, preset->pst_target_ns);
	ecnsharp_set(s, ECNSHARP_PST_INTERVAL_NS, preset->pst_interval_ns);
	return 0;
}

/* A zero that does not tell whether it is a time or a size. */
static bool ecnsharp_is_bare_zero(const char *text)
{
	uint64_t value;

	return !text[strspn(text, "0.")] &&
	       parse_size_bytes(text, &value) == PARSE_OK;
}

/* Times have a unit that no size has; a bare zero is what the others are. */
static bool ecnsharp_is_size(const struct ecnsharp_request *req,
			     const char *text)
{
	uint64_t value;

	if (!ecnsharp_is_bare_zero(text))
		return parse_time_ns(text, &value) == PARSE_MALFORMED;
	if (ecnsharp_is_given(&req->settings, ECNSHARP_BIT(SIGNAL)))
		return req->settings.value[ECNSHARP_SIGNAL] == ECNSHARP_LENGTH;
	return false;
}

static int ecnsharp_set_level(struct ecnsharp_request *req, const char *text,
			      bool size, enum ecnsharp_param ns,
			      enum ecnsharp_param bytes)
{
	uint64_t value;

	if (!text)
		return 0;
	if (ecnsharp_is_bare_zero(text)) {
		ecnsharp_set(&req->settings, size ? bytes : ns, 0);
		return 0;
	}
	if (!size)
		return ecnsharp_set_number(req, ns, text);
	if (parse_size_bytes(text, &value) == PARSE_MALFORMED)
		return ecnsharp_refuse(ecnsharp_param_info(ns)->name, text,
				       "neither a time such as 85us nor a size such as 80kb");
	return ecnsharp_set_number(req, bytes, text);
}

static int ecnsharp_parse_levels(struct ecnsharp_request *req)
{
	const char *kmin = req->level[0] ? req->level[0] : req->level[1];
	const char *kmax = req->level[1] ? req->level[1] : req->level[0];
	bool sizes[2];

	if (!kmin)
		return 0;
	if (ecnsharp_is_bare_zero(kmin))
		kmin = kmax;
	if (ecnsharp_is_bare_zero(kmax))
		kmax = kmin;
	sizes[0] = ecnsharp_is_size(req, kmin);
	sizes[1] = ecnsharp_is_size(req, kmax);
	if (ecnsharp_set_level(req, req->level[0], sizes[0], ECNSHARP_KMIN_NS,
			       ECNSHARP_KMIN_BYTES))
		return -1;
	return ecnsharp_set_level(req, req->level[1], sizes[1],
				  ECNSHARP_KMAX_NS, ECNSHARP_KMAX_BYTES);
}

static int ecnsharp_parse_words(struct ecnsharp_request *req, int argc,
				char **argv)
{
	enum ecnsharp_param id;

	for (; argc > 0; argc -= 2, argv += 2) {
		bool preset = !strcmp(argv[0], "preset");

		if (!strcmp(argv[0], "help")) {
			ecnsharp_usage();
			return -1;
		}
		if (!preset && !ecnsharp_find(argv[0], &id)) {
			fprintf(stderr, "ecnsharp: \"%s\" is no parameter\n",
				argv[0]);
			ecnsharp_usage();
			return -1;
		}
		if (argc < 2) {
			fprintf(stderr, "ecnsharp: %s needs a value\n",
				argv[0]);
			return -1;
		}
		if (preset ? ecnsharp_parse_preset(req, argv[1]) :
			     ecnsharp_parse_param(req, id, argv[1]))
			return -1;
	}
	return ecnsharp_parse_levels(req);
}

/*
 * What comes after a preset replaces what that set: a ramp its step, the rule
 * of thumb all of it.  Return: NULL, or why that leaves too little.
 */
static const char *ecnsharp_preset_yield(struct ecnsharp_request *req)
{
	struct ecnsharp_settings *s = &req->settings;
	u64 replaced = 0;

	if (!req->has_preset)
		return NULL;
	if (ecnsharp_is_given(s, ECNSHARP_GIVEN_RAMP))
		replaced = ECNSHARP_BIT(INS_TARGET_NS);
	if (ecnsharp_is_given(s, ECNSHARP_GIVEN_RULE)) {
		replaced = ECNSHARP_GIVEN_TARGETS;
		/* RTTs that are in force went with the preset. */
		if ((s->given & ECNSHARP_GIVEN_RTT) != ECNSHARP_GIVEN_RTT)
			return ecnsharp_refusal_text(ECNSHARP_REFUSE_RTT_INCOMPLETE);
	}
	ecnsharp_unset(s, replaced & ~req->said);
	return NULL;
}

static int ecnsharp_append(struct nlmsghdr *n,
			   const struct ecnsharp_settings *s)
{
	struct rtattr *nest = attr_nest(n, TCA_OPTIONS);
	bool fits = nest;
	int id;

	for (id = 0; fits && id < ECNSHARP_NR_PARAMS; id++)
		if (s->given >> id & 1)
			fits = attr_put(n, ecnsharp_attr[id],
					ecnsharp_param_info(id)->bits,
					s->value[id]);
	if (!fits) {
		fputs("ecnsharp: the request is full\n", stderr);
		return -1;
	}
	attr_nest_end(n, nest);
	return 0;
}

static int ecnsharp_parse_opt(const struct qdisc_util *qu, int argc,
			      char **argv, struct nlmsghdr *n, const char *dev)
{
	struct ecnsharp_request req = { 0 };
	struct ecnsharp_settings *s = &req.settings;
	const char *why;

	(void)qu;
	(void)dev;
	if (ecnsharp_parse_words(&req, argc, argv))
		return -1;
	why = ecnsharp_preset_yield(&req);
	if (!why)
		why = ecnsharp_refusal_text(ecnsharp_request_check(s));
	if (why) {
		fprintf(stderr, "ecnsharp: %s\n", why);
		return -1;
	}
	return ecnsharp_append(n, s);
}

/* Attributes to words */

static void ecnsharp_read(struct ecnsharp_settings *s, struct rtattr *nest)
{
	int left = RTA_PAYLOAD(nest);
	struct rtattr *attr;
	uint64_t value;
	int id;

	for (attr = RTA_DATA(nest); RTA_OK(attr, left);
	     attr = RTA_NEXT(attr, left)) {
		for (id = 0; id < ECNSHARP_NR_PARAMS; id++) {
			if (ecnsharp_attr[id] != attr_type(attr) ||
			    !attr_get(attr, &value))
				continue;
			/* Not ecnsharp_set(): a newer kernel may allow more. */
			s->given |= 1ULL << id;
			s->value[id] = value;
		}
	}
}

static void ecnsharp_json_key(enum ecnsharp_param id,
			      char key[ECNSHARP_NAME_MAX])
{
	const char *text = ecnsharp_id_text[id];
	int i;

	for (i = 0; text[i] && i < ECNSHARP_NAME_MAX - 1; i++)
		key[i] = text[i] >= 'A' && text[i] <= 'Z' ?
			 text[i] - 'A' + 'a' : text[i];
	key[i] = 0;
}

static bool ecnsharp_is_switch(enum ecnsharp_param id)
{
	return !strcmp(ecnsharp_unit_text[id], "(off, on)");
}

static void ecnsharp_print_param(enum ecnsharp_param id, u64 value)
{
	const struct ecnsharp_unit *unit = ecnsharp_unit_of(id);
	const char *name = ecnsharp_param_info(id)->name;
	char key[ECNSHARP_NAME_MAX];
	char word[ECNSHARP_NAME_MAX];

	ecnsharp_json_key(id, key);
	if (unit) {
		print_value(key, name, value, unit->word(value).text);
	} else if (ecnsharp_is_switch(id)) {
		print_switch(key, name, value != 0);
	} else {
		if (!ecnsharp_choice(id, value, word))
			snprintf(word, sizeof(word), "%" PRIu64, value);
		print_choice(key, name, word);
	}
}

static void ecnsharp_print_params(const struct ecnsharp_settings *s)
{
	int id;

	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		if (s->given & 1ULL << id)
			ecnsharp_print_param(id, s->value[id]);
}

static int ecnsharp_print_opt(const struct qdisc_util *qu, FILE *f,
			      struct rtattr *opt)
{
	struct ecnsharp_settings derived = { 0 };
	struct ecnsharp_settings s = { 0 };
	struct rtattr *nest;

	(void)qu;
	(void)f;
	if (!opt)
		return 0;
	ecnsharp_read(&s, opt);
	nest = attr_find(opt, TCA_ECNSHARP_DERIVED);
	if (nest)
		ecnsharp_read(&derived, nest);
	if (is_json_context()) {
		ecnsharp_add(&s, &derived);
		ecnsharp_print_params(&s);
		print_color_bool(PRINT_JSON, COLOR_NONE, "derived", NULL,
				 derived.given);
		return 0;
	}
	ecnsharp_print_params(&s);
	if (show_details && derived.given) {
		print_text("derived ");
		ecnsharp_print_params(&derived);
	}
	return 0;
}

/**
 * struct ecnsharp_counter - a member of struct tc_ecnsharp_xstats
 * @key: its name, and its key in JSON
 * @name: its name in text
 * @offset: where it is
 * @is_time: it is in nanoseconds
 * @ends_line: a line of text ends behind it
 */
struct ecnsharp_counter {
	const char *key;
	const char *name;
	size_t offset;
	bool is_time;
	bool ends_line;
};

#define ECNSHARP_COUNTER(member)					       \
	.key = #member, .offset = offsetof(struct tc_ecnsharp_xstats, member)

static const struct ecnsharp_counter ecnsharp_counters[] = {
	{ ECNSHARP_COUNTER(ins_marks) },
	{ ECNSHARP_COUNTER(pst_marks) },
	{ ECNSHARP_COUNTER(both_marks) },
	{ ECNSHARP_COUNTER(ce_seen) },
	{ ECNSHARP_COUNTER(mark_failed), .ends_line = true },
	{ ECNSHARP_COUNTER(nonect_seen) },
	{ ECNSHARP_COUNTER(nonect_passed) },
	{ ECNSHARP_COUNTER(nonect_dropped) },
	{ ECNSHARP_COUNTER(drop_limit) },
	{ ECNSHARP_COUNTER(drop_memory_limit) },
	{ ECNSHARP_COUNTER(drop_gso), .ends_line = true },
	{ ECNSHARP_COUNTER(sojourn_ns), .name = "sojourn", .is_time = true },
	{ ECNSHARP_COUNTER(sojourn_max_ns), .name = "sojourn_max",
	  .is_time = true },
	{ ECNSHARP_COUNTER(pst_state) },
	{ ECNSHARP_COUNTER(pst_count) },
	{ ECNSHARP_COUNTER(pst_episodes) },
	{ ECNSHARP_COUNTER(pst_saturated), .ends_line = true },
	{ ECNSHARP_COUNTER(tx_packets) },
	{ ECNSHARP_COUNTER(tx_bytes) },
	{ ECNSHARP_COUNTER(marked_bytes) },
	{ ECNSHARP_COUNTER(backlog_byte_us) },
	{ ECNSHARP_COUNTER(memory_bytes) },
	{ ECNSHARP_COUNTER(split_gso) },
};

static_assert(ARRAY_SIZE(ecnsharp_counters) * sizeof(__u64) ==
	      sizeof(struct tc_ecnsharp_xstats), "a counter is missing");

static void ecnsharp_print_counter(const struct ecnsharp_counter *c,
				   uint64_t value)
{
	struct print_word word;

	if (c->is_time)
		word = print_time_word(value);
	else
		snprintf(word.text, sizeof(word.text), "%" PRIu64, value);
	print_value(c->key, c->name ? c->name : c->key, value, word.text);
}

/*
 * An older kernel sends less: what it does not count is not printed.  Of a
 * newer one's what is not known here is ignored.
 */
static int ecnsharp_print_xstats(const struct qdisc_util *qu, FILE *f,
				 struct rtattr *xstats)
{
	bool line_begins = true;
	size_t length, i;

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;
	length = RTA_PAYLOAD(xstats);
	for (i = 0; i < ARRAY_SIZE(ecnsharp_counters); i++) {
		const struct ecnsharp_counter *c = &ecnsharp_counters[i];
		uint64_t value;

		if (c->offset + sizeof(value) > length)
			continue;
		memcpy(&value, (char *)RTA_DATA(xstats) + c->offset,
		       sizeof(value));
		if (line_begins) {
			if (i)
				print_nl();
			print_text("  ");
		}
		ecnsharp_print_counter(c, value);
		line_begins = c->ends_line;
	}
	return 0;
}

/* Not const: tc writes ->next. */
extern struct qdisc_util ecnsharp_qdisc_util;
TC_PLUGIN_EXPORT struct qdisc_util ecnsharp_qdisc_util = {
	.id		= "ecnsharp",
	.parse_qopt	= ecnsharp_parse_opt,
	.print_qopt	= ecnsharp_print_opt,
	.print_xstats	= ecnsharp_print_xstats,
};
