// SPDX-License-Identifier: GPL-2.0
/*
 * tc plugin of the On-Ramp qdisc: words to attributes, attributes to words.
 *
 * Names, ranges, units and messages come from ONRAMP_PARAMETERS in
 * kernel/algo/onramp_params.h, from which the kernel makes its policy.  The
 * words are those of tc-fq(8), and On-Ramp's.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <linux/pkt_sch_onramp.h>

#include "onramp_params.h"
#include "params.h"
#include "tc_plugin.h"

static const struct param onramp_param[ONRAMP_NR_PARAMS] = {
#define ONRAMP_X(ID, NAME, BITS, LEAST, MOST, UNIT)			       \
	[ONRAMP_P_##ID] = {						       \
		.id = #ID, .name = NAME, .unit = UNIT, .least = LEAST,	       \
		.most = MOST, .attr = TCA_ONRAMP_##ID, .bits = BITS,	       \
	},
	ONRAMP_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X
};

static const struct param_kind onramp_kind = {
	.kind = "onramp",
	.param = onramp_param,
	.count = ONRAMP_NR_PARAMS,
};

static struct param_values onramp_values(struct onramp_settings *s)
{
	return (struct param_values){ &s->given, s->value };
}

/* Words to attributes */

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
	      "\t[ nic_comp on|off ] [ link_rate RATE ] [ help ]\n"
	      "Up to weights these are the words of tc-fq(8); priomap has 16 BANDs.\n"
	      "A TIME has a unit: 85us. A PART is 1/16 or so. See tc-onramp(8).\n",
	      stderr);
}

/* A name may be said once, and of words that stand alone one. */
static int onramp_parse_word(struct onramp_settings *s, int argc, char **argv)
{
	int id = param_find(&onramp_kind, argv[0]);

	if (id < 0) {
		fprintf(stderr, "onramp: \"%s\" is no parameter\n", argv[0]);
		onramp_usage();
		return -1;
	}
	if (s->given >> id & 1)
		return param_refuse(&onramp_kind, onramp_param[id].name,
				    param_words(&onramp_kind, id) && argc > 1 ?
				    argv[1] : argv[0], "given twice");
	return param_parse(&onramp_kind, id, argc, argv, onramp_values(s));
}

static int onramp_parse_opt(const struct qdisc_util *qu, int argc, char **argv,
			    struct nlmsghdr *n, const char *dev)
{
	struct onramp_settings s = { 0 };

	(void)qu;
	(void)dev;
	while (argc > 0) {
		int taken;

		if (!strcmp(argv[0], "help")) {
			onramp_usage();
			return -1;
		}
		taken = onramp_parse_word(&s, argc, argv);
		if (taken < 0)
			return -1;
		argc -= taken;
		argv += taken;
	}
	return param_append(&onramp_kind, n, onramp_values(&s));
}

/* Attributes to words */

static int onramp_print_opt(const struct qdisc_util *qu, FILE *f,
			    struct rtattr *opt)
{
	struct onramp_settings s = { 0 };

	(void)qu;
	(void)f;
	if (!opt)
		return 0;
	param_read(&onramp_kind, opt, onramp_values(&s));
	param_print(&onramp_kind, onramp_values(&s));
	return 0;
}

#define ONRAMP_COUNTER(member)						       \
	.key = #member, .offset = offsetof(struct tc_onramp_xstats, member)
#define ONRAMP_TIME(member)						       \
	ONRAMP_COUNTER(member##_ns), .name = #member, .is_time = true

static const struct param_counter onramp_counters[] = {
	{ ONRAMP_COUNTER(flows) },
	{ ONRAMP_COUNTER(inactive_flows) },
	{ ONRAMP_COUNTER(throttled_flows) },
	{ ONRAMP_TIME(next_release) },
	{ ONRAMP_TIME(latency), .ends_line = true },
	{ ONRAMP_COUNTER(gc) },
	{ ONRAMP_COUNTER(fastpath) },
	{ ONRAMP_COUNTER(throttled) },
	{ ONRAMP_COUNTER(ce_mark) },
	{ ONRAMP_COUNTER(horizon_drops) },
	{ ONRAMP_COUNTER(horizon_caps), .ends_line = true },
	{ ONRAMP_COUNTER(flows_plimit) },
	{ ONRAMP_COUNTER(pkts_too_long) },
	{ ONRAMP_COUNTER(alloc_errors), .ends_line = true },
	{ ONRAMP_COUNTER(band0_pkts) },
	{ ONRAMP_COUNTER(band1_pkts) },
	{ ONRAMP_COUNTER(band2_pkts) },
	{ ONRAMP_COUNTER(band0_drops) },
	{ ONRAMP_COUNTER(band1_drops) },
	{ ONRAMP_COUNTER(band2_drops), .ends_line = true },
	{ ONRAMP_COUNTER(held) },
	{ ONRAMP_TIME(held_time) },
	{ ONRAMP_COUNTER(overtakes) },
	{ ONRAMP_COUNTER(kicks) },
	{ ONRAMP_COUNTER(not_tcp) },
	{ ONRAMP_COUNTER(measured) },
	{ ONRAMP_COUNTER(measured_failed), .ends_line = true },
	{ ONRAMP_COUNTER(samples) },
	{ ONRAMP_COUNTER(holds) },
	{ ONRAMP_COUNTER(holds_bounded) },
	{ ONRAMP_COUNTER(holds_new) },
	{ ONRAMP_COUNTER(holds_observed) },
	{ ONRAMP_COUNTER(holds_off) },
	{ ONRAMP_TIME(hold), .ends_line = true },
	{ ONRAMP_TIME(owd), .is_signed = true },
	{ ONRAMP_TIME(threshold) },
	{ ONRAMP_TIME(base), .is_signed = true },
	{ ONRAMP_TIME(nic_backlog), .ends_line = true },
	{ ONRAMP_COUNTER(no_clock) },
	{ ONRAMP_COUNTER(uncertain) },
	{ ONRAMP_COUNTER(negative) },
	{ ONRAMP_COUNTER(too_long) },
	{ ONRAMP_COUNTER(below_base) },
	{ ONRAMP_COUNTER(suspect) },
	{ ONRAMP_COUNTER(suspicions) },
	{ ONRAMP_COUNTER(unacked) },
	{ ONRAMP_COUNTER(unacked_paths), .ends_line = true },
	{ ONRAMP_COUNTER(retransmitted) },
	{ ONRAMP_COUNTER(unmatched) },
	{ ONRAMP_COUNTER(records) },
	{ ONRAMP_COUNTER(records_evicted) },
	{ ONRAMP_COUNTER(records_failed) },
	{ ONRAMP_COUNTER(gso_unknown_rate) },
};

static_assert(ARRAY_SIZE(onramp_counters) * sizeof(__u64) ==
	      sizeof(struct tc_onramp_xstats), "a counter is missing");

static int onramp_print_xstats(const struct qdisc_util *qu, FILE *f,
			       struct rtattr *xstats)
{
	(void)qu;
	(void)f;
	param_print_counters(onramp_counters, ARRAY_SIZE(onramp_counters),
			     xstats);
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
