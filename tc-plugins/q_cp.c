// SPDX-License-Identifier: GPL-2.0
/*
 * tc plugin of the qdisc cp: arguments to attributes, attributes to text.
 *
 * Names, ranges, units and messages come from CP_PARAMETERS in
 * kernel/algo/cp_params.h, from which the kernel makes its policy.  How parameters
 * fit together, and what is in force, only the kernel can judge.
 */
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <linux/pkt_sch_cp.h>

#include "cp_params.h"
#include "kinds.h"
#include "print.h"
#include "tc_plugin.h"

static struct param_values cp_values(struct cp_settings *s)
{
	return (struct param_values){ &s->given, s->value };
}

static void cp_usage(void)
{
	fputs("Usage: ... cp { law none | law step k BYTES signal ecn | law qcn\n"
	      "\t\t[ qeq BYTES ] [ w EXPONENT ] [ sample_base BYTES ] [ sample_table on|off ] |\n"
	      "\t    law fecn [ qeq BYTES ] [ interval TIME ] [ a N ] [ b N ] [ c N ] [ gamma N ]\n"
	      "\t\t[ stages NUMBER [ slope N ] ] [ weight N ] [ flows NUMBER ] [ hot BYTES ] }\n"
	      "\t[ at output|input ] [ sample arrival|random|largest ]\n"
	      "\t[ signal cnm|ecn ] [ header_octets BYTES ]\n"
	      "\t[ service fifo|rr ] [ rate RATE ]\n"
	      "\t[ buffer BYTES ] [ limit BYTES ] [ cnpv MASK ]\n"
	      "\t[ pause off | pause input|output\n"
	      "\t\t[ xoff BYTES ] [ xon BYTES ] [ quanta NUMBER ] ]\n"
	      "\t[ defense interior|edge ] [ help ]\n"
	      "A MASK has a bit for each priority: 0xff. N is a fraction: 0.99.\n"
	      "See tc-cp(8).\n", stderr);
}

static int cp_parse_opt(const struct qdisc_util *qu, int argc, char **argv,
			struct nlmsghdr *n, const char *dev)
{
	struct cp_settings s = { 0 };

	(void)qu;
	(void)dev;
	if (param_parse_all(&cp_kind, argc, argv, cp_values(&s), cp_usage))
		return -1;
	return param_append(&cp_kind, n, cp_values(&s));
}

static int cp_print_opt(const struct qdisc_util *qu, FILE *f, struct rtattr *opt)
{
	struct cp_settings s = { 0 };

	(void)qu;
	(void)f;
	if (!opt)
		return 0;
	param_read(&cp_kind, opt, cp_values(&s));
	print_params(&cp_kind, cp_values(&s));
	return 0;
}

/* A class has nothing to configure. */
static int cp_print_copt(const struct qdisc_util *qu, FILE *f, struct rtattr *opt)
{
	(void)qu;
	(void)f;
	(void)opt;
	return 0;
}

/* The input of a class, as ip(8) names devices. */
static void cp_print_input(const struct tc_cp_class_xstats *st)
{
	char name[IF_NAMESIZE];

	if (!st->ifindex)
		return;
	if (!if_indextoname(st->ifindex, name))
		snprintf(name, sizeof(name), "if%u", (unsigned int)st->ifindex);
	print_color_string(PRINT_JSON, COLOR_NONE, "input", NULL, name);
	print_text("  input ");
	print_text(name);
	print_nl();
}

static int cp_print_xstats(const struct qdisc_util *qu, FILE *f, struct rtattr *xstats)
{
	struct tc_cp_class_xstats st = { 0 };
	size_t length;

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;
	length = RTA_PAYLOAD(xstats);
	memcpy(&st, RTA_DATA(xstats), length < sizeof(st) ? length : sizeof(st));
	if (st.type != TC_CP_XSTATS_CLASS) {
		print_counters(&cp_kind, xstats);
		return 0;
	}
	cp_print_input(&st);
	print_counters(&cp_class_kind, xstats);
	return 0;
}

/* Not const: tc writes ->next. */
extern struct qdisc_util cp_qdisc_util;
TC_PLUGIN_EXPORT struct qdisc_util cp_qdisc_util = {
	.id		= "cp",
	.parse_qopt	= cp_parse_opt,
	.print_qopt	= cp_print_opt,
	.print_xstats	= cp_print_xstats,
	.print_copt	= cp_print_copt,
};
