// SPDX-License-Identifier: GPL-2.0
/*
 * tc plugin of the ECN# qdisc: arguments to attributes, attributes to text.
 *
 * Names, ranges, units and messages come from ECNSHARP_PARAMETERS in
 * kernel/algo/ecnsharp_params.h, from which the kernel makes its policy.  The
 * plugin refuses errors within one command line; only the kernel knows the settings
 * in force.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <linux/pkt_sch_ecnsharp.h>

#include "attr.h"
#include "ecnsharp_params.h"
#include "kinds.h"
#include "../lib/units.h"
#include "print.h"
#include "tc_plugin.h"

static struct param_values ecnsharp_values(struct ecnsharp_settings *s)
{
	return (struct param_values){ &s->given, s->value };
}

/* Arguments to attributes */

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
 * @named: bits of the parameters that the user named, by the first of a name
 * @level: the arguments of kmin and kmax, or NULL; their unit is found at the end
 * @has_preset: a preset was named
 */
struct ecnsharp_request {
	struct ecnsharp_settings settings;
	u64 named;
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
	      "\t[ nonect pass|drop ] [ split_gso on|off ] [ bypass on|off ]\n"
	      "\t[ help ]\n"
	      "LEVEL is a TIME with signal sojourn, a size in BYTES with signal length.\n"
	      "A TIME has a unit: 85us. See tc-ecnsharp(8).\n", stderr);
}

static int ecnsharp_refuse(const char *name, const char *text, const char *why)
{
	return param_refuse(&ecnsharp_kind, name, text, why);
}

static int ecnsharp_set_argument(struct ecnsharp_request *req,
				 enum ecnsharp_param id, const char *text)
{
	return param_set(&ecnsharp_kind, id, text,
			 ecnsharp_values(&req->settings));
}

static int ecnsharp_parse_param(struct ecnsharp_request *req,
				enum ecnsharp_param id, const char *text)
{
	if (req->named & 1ULL << id)
		return ecnsharp_refuse(ecnsharp_param_info(id)->name, text,
				       "given twice");
	req->named |= 1ULL << id;
	if (id == ECNSHARP_KMIN_NS || id == ECNSHARP_KMAX_NS) {
		req->level[id == ECNSHARP_KMAX_NS] = text;
		return 0;
	}
	return ecnsharp_set_argument(req, id, text);
}

/* The options that a preset sets, or that replace what it sets. */
#define ECNSHARP_AFTER_PRESET	(ECNSHARP_GIVEN_TARGETS | \
				 ECNSHARP_GIVEN_RULE | ECNSHARP_GIVEN_RAMP)

static int ecnsharp_parse_preset(struct ecnsharp_request *req, const char *text)
{
	u64 early = req->named & ECNSHARP_AFTER_PRESET;
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

/* A zero that may be a time or a size. */
static bool ecnsharp_is_bare_zero(const char *text)
{
	uint64_t value;

	return !text[strspn(text, "0.")] &&
	       unit_parse_size(text, &value) == UNIT_OK;
}

/* Times have a unit that no size has; a bare zero is what the others are. */
static bool ecnsharp_is_size(const struct ecnsharp_request *req,
			     const char *text)
{
	uint64_t value;

	if (!ecnsharp_is_bare_zero(text))
		return unit_parse_time(text, &value) == UNIT_MALFORMED;
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
		return ecnsharp_set_argument(req, ns, text);
	if (unit_parse_size(text, &value) == UNIT_MALFORMED)
		return ecnsharp_refuse(ecnsharp_param_info(ns)->name, text,
				       "neither a time such as 85us nor a size such as 80kb");
	return ecnsharp_set_argument(req, bytes, text);
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

static int ecnsharp_parse_arguments(struct ecnsharp_request *req, int argc,
				    char **argv)
{
	/* kmin and kmax are in the table twice; the first stands for both. */
	for (; argc > 0; argc -= 2, argv += 2) {
		bool preset = !strcmp(argv[0], "preset");
		int id = param_find(&ecnsharp_kind, argv[0]);

		if (!strcmp(argv[0], "help")) {
			ecnsharp_usage();
			return -1;
		}
		if (!preset && id < 0) {
			fprintf(stderr, "ecnsharp: \"%s\" is not a parameter\n",
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
 * Parameters after a preset replace those that it set: a ramp its step, the rule
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
	ecnsharp_unset(s, replaced & ~req->named);
	return NULL;
}

static int ecnsharp_parse_opt(const struct qdisc_util *qu, int argc,
			      char **argv, struct nlmsghdr *n, const char *dev)
{
	struct ecnsharp_request req = { 0 };
	struct ecnsharp_settings *s = &req.settings;
	const char *why;

	(void)qu;
	(void)dev;
	if (ecnsharp_parse_arguments(&req, argc, argv))
		return -1;
	why = ecnsharp_preset_yield(&req);
	if (!why)
		why = ecnsharp_refusal_text(ecnsharp_request_check(s));
	if (why) {
		fprintf(stderr, "ecnsharp: %s\n", why);
		return -1;
	}
	return param_append(&ecnsharp_kind, n, ecnsharp_values(s));
}

/* Attributes to text */

static void ecnsharp_read(struct ecnsharp_settings *s, struct rtattr *nest)
{
	param_read(&ecnsharp_kind, nest, ecnsharp_values(s));
}

static void ecnsharp_print_params(struct ecnsharp_settings *s)
{
	print_params(&ecnsharp_kind, ecnsharp_values(s));
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

static int ecnsharp_print_xstats(const struct qdisc_util *qu, FILE *f,
				 struct rtattr *xstats)
{
	(void)qu;
	(void)f;
	print_counters(&ecnsharp_kind, xstats);
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
