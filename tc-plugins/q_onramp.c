// SPDX-License-Identifier: GPL-2.0
/*
 * tc plugin of the On-Ramp qdisc: arguments to attributes, attributes to text.
 *
 * Names, ranges, units and messages come from ONRAMP_PARAMETERS in
 * kernel/algo/onramp_params.h, from which the kernel makes its policy.  The
 * parameters are those of tc-fq(8), and On-Ramp's.
 */
#include <stdio.h>
#include <linux/pkt_sch_onramp.h>

#include "kinds.h"
#include "onramp_params.h"
#include "print.h"
#include "tc_plugin.h"

static struct param_values onramp_values(struct onramp_settings *s)
{
	return (struct param_values){ &s->given, s->value };
}

/* Arguments to attributes */

static void onramp_usage(void)
{
	fputs("Usage: ... onramp [ limit PACKETS ] [ flow_limit PACKETS ] [ buckets NUMBER ]\n"
	      "\t[ quantum BYTES ] [ initial_quantum BYTES ]\n"
	      "\t[ maxrate RATE ] [ low_rate_threshold RATE ] [ pacing | nopacing ]\n"
	      "\t[ refill_delay TIME ] [ orphan_mask NUMBER ] [ timer_slack TIME ]\n"
	      "\t[ ce_threshold TIME ]\n"
	      "\t[ horizon TIME ] [ horizon_drop | horizon_cap ]\n"
	      "\t[ bands 3 ] [ priomap BAND... ] [ weights BYTES BYTES BYTES ]\n"
	      "\t[ mode off|observe|hold ] [ law weighted|final|strawman ]\n"
	      "\t[ g PART ] [ max_hold TIME ]\n"
	      "\t[ threshold TIME|auto ] [ margin TIME ]\n"
	      "\t[ clock system error TIME | clock published ] [ max_error TIME ]\n"
	      "\t[ path_fresh TIME ] [ record_idle TIME ]\n"
	      "\t[ nic_comp on|off ] [ link_rate RATE ] [ remember BYTES ] [ help ]\n"
	      "Up to weights these are the parameters of tc-fq(8); priomap has 16 BANDs.\n"
	      "A TIME has a unit: 85us. A PART is 1/16 or so. See tc-onramp(8).\n",
	      stderr);
}

static int onramp_parse_opt(const struct qdisc_util *qu, int argc, char **argv,
			    struct nlmsghdr *n, const char *dev)
{
	struct onramp_settings s = { 0 };

	(void)qu;
	(void)dev;
	if (param_parse_all(&onramp_kind, argc, argv, onramp_values(&s),
			    onramp_usage))
		return -1;
	return param_append(&onramp_kind, n, onramp_values(&s));
}

/* Attributes to text */

static int onramp_print_opt(const struct qdisc_util *qu, FILE *f,
			    struct rtattr *opt)
{
	struct onramp_settings s = { 0 };

	(void)qu;
	(void)f;
	if (!opt)
		return 0;
	param_read(&onramp_kind, opt, onramp_values(&s));
	print_params(&onramp_kind, onramp_values(&s));
	return 0;
}

static int onramp_print_xstats(const struct qdisc_util *qu, FILE *f,
			       struct rtattr *xstats)
{
	(void)qu;
	(void)f;
	print_counters(&onramp_kind, xstats);
	return 0;
}

/* Not const: tc writes ->next. */
extern struct qdisc_util onramp_qdisc_util;
TC_PLUGIN_EXPORT struct qdisc_util onramp_qdisc_util = {
	.id		= "onramp",
	.parse_qopt	= onramp_parse_opt,
	.print_qopt	= onramp_print_opt,
	.print_xstats	= onramp_print_xstats,
};
