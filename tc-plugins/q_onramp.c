// SPDX-License-Identifier: GPL-2.0
/*
 * tc plugin of the On-Ramp qdisc: arguments to attributes, attributes to text.
 *
 * Names, ranges, units and messages come from ONRAMP_PARAMETERS in
 * kernel/algo/onramp_params.h, from which the kernel makes its policy.  The
 * parameters are those of tc-fq(8), and On-Ramp's.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <net/ethernet.h>
#include <stdio.h>
#include <string.h>
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
	      "\t[ nic_comp on|off ] [ link_rate RATE ] [ remember BYTES ]\n"
	      "\t[ sojourn_hist on|off ]\n"
	      "\t[ rp off | rp qcn [ rppp_max_rps NUMBER ] [ rpg_time_reset TIME ]\n"
	      "\t\t[ rpg_byte_reset BYTES ] [ rpg_threshold NUMBER ] [ rpg_max_rate RATE ]\n"
	      "\t\t[ rpg_ai_rate RATE ] [ rpg_hai_rate RATE ] [ rpg_gd NUMBER ]\n"
	      "\t\t[ rpg_min_dec_fac NUMBER ] [ rpg_min_rate RATE ]\n"
	      "\t\t[ cnm_from any|ADDRESS[,ADDRESS]... ] |\n"
	      "\t  rp fecn [ rppp_max_rps NUMBER ] [ rpg_max_rate RATE ] [ rpg_min_rate RATE ]\n"
	      "\t\t[ rd_period TIME ] [ rd_initial RATE ] [ rd_reflect NUMBER ]\n"
	      "\t\t[ rd_hot on|off ] [ cnm_from any|ADDRESS[,ADDRESS]... ] ] [ help ]\n"
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

/* A class has nothing to configure. */
static int onramp_print_copt(const struct qdisc_util *qu, FILE *f, struct rtattr *opt)
{
	(void)qu;
	(void)f;
	(void)opt;
	return 0;
}

/* An address of IP: one of IPv4 is mapped. */
static void onramp_print_address(const char *key, const __u8 address[16])
{
	static const __u8 mapped[12] = { [10] = 0xff, [11] = 0xff };
	bool ipv4 = !memcmp(address, mapped, sizeof(mapped));
	char text[INET6_ADDRSTRLEN];

	inet_ntop(ipv4 ? AF_INET : AF_INET6, ipv4 ? address + sizeof(mapped) : address, text,
		  sizeof(text));
	print_color_string(PRINT_JSON, COLOR_NONE, key, NULL, text);
	print_text(" ");
	print_text(key);
	print_text(" ");
	print_text(text);
}

static void onramp_print_number(const char *key, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), " %s %" PRIu64, key, number);
	print_color_u64(PRINT_JSON, COLOR_NONE, key, NULL, number);
	print_text(text);
}

static void onramp_format_lladdr(char text[sizeof("ff:ff:ff:ff:ff:ff")], const __u8 *at)
{
	sprintf(text, "%02x:%02x:%02x:%02x:%02x:%02x", at[0], at[1], at[2], at[3], at[4], at[5]);
}

/* The flow of a reaction point, as a CNM has it. */
static void onramp_print_flow(const struct tc_onramp_class_xstats *st)
{
	char text[sizeof("ff:ff:ff:ff:ff:ff")];

	print_text("  flow");
	if (st->proto || st->ether_type == ETHERTYPE_IP || st->ether_type == ETHERTYPE_IPV6) {
		onramp_print_address("src", st->saddr);
		onramp_print_address("dst", st->daddr);
		onramp_print_number("proto", st->proto);
		onramp_print_number("sport", st->sport);
		onramp_print_number("dport", st->dport);
	} else {
		onramp_print_number("ether_type", st->ether_type);
	}
	onramp_format_lladdr(text, st->da);
	print_color_string(PRINT_JSON, COLOR_NONE, "lladdr", NULL, text);
	print_text(" lladdr ");
	print_text(text);
	print_nl();
}

/* The congestion point with the least rate: the address of its port. */
static void onramp_print_hop(const struct tc_onramp_class_xstats *st)
{
	char text[sizeof("ff:ff:ff:ff:ff:ff")];
	const __u8 *hop = st->hop;

	if (!st->hops)
		return;
	onramp_format_lladdr(text, hop);
	print_color_string(PRINT_JSON, COLOR_NONE, "hop", NULL, text);
	print_nl();
	print_text("  hop ");
	print_text(text);
}

static int onramp_print_xstats(const struct qdisc_util *qu, FILE *f,
			       struct rtattr *xstats)
{
	struct tc_onramp_class_xstats st = { 0 };
	size_t length;

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;
	length = RTA_PAYLOAD(xstats);
	memcpy(&st, RTA_DATA(xstats), length < sizeof(st) ? length : sizeof(st));
	if (st.type != TC_ONRAMP_XSTATS_CLASS) {
		print_counters(&onramp_kind, xstats);
		return 0;
	}
	onramp_print_flow(&st);
	print_counters(&onramp_class_kind, xstats);
	onramp_print_hop(&st);
	return 0;
}

/* Not const: tc writes ->next. */
extern struct qdisc_util onramp_qdisc_util;
TC_PLUGIN_EXPORT struct qdisc_util onramp_qdisc_util = {
	.id		= "onramp",
	.parse_qopt	= onramp_parse_opt,
	.print_qopt	= onramp_print_opt,
	.print_xstats	= onramp_print_xstats,
	.print_copt	= onramp_print_copt,
};
