// SPDX-License-Identifier: GPL-2.0
/*
 * The onramp plugin: requests it builds, and that what it prints
 * of any settings can be pasted back.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <linux/onramp.h>
#include <linux/pkt_sch_onramp.h>

#include "../../selftests/unit/random.h"
#include "../../selftests/lib/tap.h"
#include "attr.h"
#include "onramp_params.h"
#include "tc_stub.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *id;
	uint16_t type;
} ids[ONRAMP_NR_PARAMS] = {
#define ONRAMP_X(ID, name, bits, least, most, unit)			       \
	[ONRAMP_P_##ID] = { #ID, TCA_ONRAMP_##ID },
	ONRAMP_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X
};

/* Bytes of a list of two addresses. */
#define NOT_USED "CNM_FROM2=0 CNM_FROM3=0 CNM_FROM4=0 CNM_FROM5=0 CNM_FROM6=0 CNM_FROM7=0"

/* Requests as text: "ID=value" in the order of the table. */
static const struct {
	const char *arguments;
	const char *request;
} accepted[] = {
	{ "", "" },
	{ "limit 1 flow_limit 4294967295", "LIMIT=1 FLOW_LIMIT=4294967295" },
	{ "quantum 3028 initial_quantum 15140b buckets 1024",
	  "BUCKETS=1024 QUANTUM=3028 INITIAL_QUANTUM=15140" },
	{ "maxrate 1gbit low_rate_threshold 550kbit",
	  "MAXRATE_BPS=1000000000 LOW_RATE_THRESHOLD_BPS=550000" },
	{ "pacing", "PACING=1" },
	{ "nopacing limit 7", "LIMIT=7 PACING=0" },
	{ "horizon_cap horizon 10s", "HORIZON_NS=10000000000 HORIZON_DROP=0" },
	{ "orphan_mask 0x3FF", "ORPHAN_MASK=1023" },
	{ "bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1",
	  "BANDS=3 PRIOMAP=1431636393" },
	{ "weights 589824 192kb 64kb limit 2",
	  "LIMIT=2 WEIGHT0=589824 WEIGHT1=196608 WEIGHT2=65536" },
	{ "mode hold clock system error 1us",
	  "MODE=2 CLOCK=1 ERROR_NS=1000" },
	{ "g 1/16 law strawman", "LAW=1 GAIN=16" },
	{ "g 1", "GAIN=1" },
	{ "threshold auto", "THRESHOLD_NS=0" },
	{ "threshold 50us", "THRESHOLD_NS=50000" },
	{ "nic_comp on link_rate 10gbit",
	  "NIC_COMP=1 LINK_RATE_BPS=10000000000" },
	{ "rp qcn", "RP=1" },
	{ "rp qcn rppp_max_rps 7 rpg_gd 6 rpg_time_reset 1ms",
	  "RP=1 RP_MAX_RPS=7 RP_TIME_RESET_NS=1000000 RP_GD=6" },
	{ "rpg_min_rate 1mbit rpg_byte_reset 100kb",
	  "RP_BYTE_RESET=102400 RP_MIN_RATE_BPS=1000000" },
	{ "rp fecn rd_period 2ms rd_initial 200mbit rd_reflect 0 rd_hot on",
	  "RP=2 RD_PERIOD_NS=2000000 RD_INITIAL_BPS=200000000 RD_REFLECT=0 RD_HOT=1" },
	{ "rp off", "RP=0" },
	{ "cnm_from any", "CNM_FROM0=0 CNM_FROM1=0 " NOT_USED },
	{ "cnm_from 02:00:00:00:00:01,fE:Ff:ff:ff:ff:FF limit 7",
	  "LIMIT=7 CNM_FROM0=2199023255553 CNM_FROM1=280375465082879 " NOT_USED },
};

static struct tc_request request;

/* The kernel's side of a request: exact widths, no attribute twice. */
static bool take(struct rtattr *opt, struct onramp_settings *s)
{
	int left = RTA_PAYLOAD(opt);
	struct rtattr *attr;
	int id;

	memset(s, 0, sizeof(*s));
	for (attr = RTA_DATA(opt); RTA_OK(attr, left);
	     attr = RTA_NEXT(attr, left)) {
		uint64_t value;

		for (id = 0; id < ONRAMP_NR_PARAMS; id++)
			if (ids[id].type == attr->rta_type)
				break;
		if (id == ONRAMP_NR_PARAMS || s->given >> id & 1 ||
		    RTA_PAYLOAD(attr) * 8 != onramp_param_info(id)->bits ||
		    !attr_get(attr, &value) || onramp_set(s, id, value))
			return false;
	}
	return !left;
}

static bool parse(const char *arguments, struct onramp_settings *s)
{
	struct rtattr *opt;

	if (tc_stub_parse(&onramp_qdisc_util, arguments, &request))
		return false;
	opt = tc_stub_options(&request);
	return opt && take(opt, s);
}

static void test_accepted(void)
{
	struct onramp_settings s;
	char text[1024];
	size_t i;
	int id;

	for (i = 0; i < ARRAY_SIZE(accepted); i++) {
		bool taken = parse(accepted[i].arguments, &s);
		int n = 0;

		text[0] = 0;
		for (id = 0; id < ONRAMP_NR_PARAMS; id++)
			if (s.given >> id & 1)
				n += snprintf(text + n, sizeof(text) - n,
					      "%s%s=%" PRIu64, n ? " " : "",
					      ids[id].id, s.value[id]);
		if (!tap_ok(taken && !strcmp(text, accepted[i].request),
			    "accept \"%s\"", accepted[i].arguments))
			tap_remark("%s %s", text, tc_stub_stderr());
	}
}

/* Print settings as the kernel would dump them. */
static const char *show(const struct onramp_settings *s, bool json)
{
	struct rtattr *nest;
	int id;

	request.n.nlmsg_len = NLMSG_LENGTH(sizeof(request.t));
	nest = attr_nest(&request.n, TCA_OPTIONS);
	for (id = 0; id < ONRAMP_NR_PARAMS; id++)
		if (s->given >> id & 1)
			attr_put(&request.n, ids[id].type,
				 onramp_param_info(id)->bits, s->value[id]);
	attr_nest_end(&request.n, nest);
	tc_stub_begin(json, false);
	onramp_qdisc_util.print_qopt(&onramp_qdisc_util, stdout, nest);
	return tc_stub_output();
}

static u64 any_value(uint64_t *rng, u32 id)
{
	const struct param_info *info = onramp_param_info(id);
	u64 span = info->most - info->least;
	u64 value = 0;
	u32 i;

	if (id == ONRAMP_P_PRIOMAP) {
		for (i = 0; i < ONRAMP_PRIORITIES; i++)
			value |= random_below(rng, ONRAMP_BANDS) << (2 * i);
		return value;
	}
	switch (random_below(rng, 4)) {
	case 0:
		return info->least;
	case 1:
		return info->most;
	case 2:
		return info->least + random_below(rng, min(span + 1, 5000ULL));
	default:
		return info->least + random_below(rng, span + 1);
	}
}

static void test_pasted(void)
{
	uint64_t rng = 7;
	int wrong = 0;
	int i, n;

	for (i = 0; i < 5000; i++) {
		struct onramp_settings s = { .given = 0 }, back;
		char arguments[2048];
		u32 id;

		for (id = 0; id < ONRAMP_NR_PARAMS; id++)
			if (random_below(&rng, 2))
				onramp_set(&s, id, any_value(&rng, id));
		/* The three weights are one parameter to a user. */
		for (id = ONRAMP_P_WEIGHT0; id <= ONRAMP_P_WEIGHT2; id++)
			onramp_set(&s, id, any_value(&rng, id));
		/* So are the addresses, of which those that are used come first. */
		for (n = 0; n < ONRAMP_CNM_FROM; n++) {
			id = ONRAMP_P_CNM_FROM0 + n;
			onramp_set(&s, id, n < i % 9 ? 1 + any_value(&rng, id) / 2 : 0);
		}
		snprintf(arguments, sizeof(arguments), "%s", show(&s, false));
		if ((!parse(arguments, &back) || memcmp(&s, &back, sizeof(s))) &&
		    !wrong++)
			tap_remark("%s: %s", arguments, tc_stub_stderr());
	}
	tap_ok(!wrong, "5000 random settings can be pasted back");
}

static void test_json(void)
{
	static const char want[] =
		"{\"pacing\":\"nopacing\",\"mode\":\"hold\",\"gain\":16,\"nic_comp\":true}";
	struct onramp_settings s = { .given = 0 };

	onramp_set(&s, ONRAMP_P_PACING, 0);
	onramp_set(&s, ONRAMP_P_MODE, 2);
	onramp_set(&s, ONRAMP_P_GAIN, 16);
	onramp_set(&s, ONRAMP_P_NIC_COMP, 1);
	if (!tap_ok(!strcmp(show(&s, true), want), "as JSON"))
		tap_remark("%s", tc_stub_output());
}

static const char *show_xstats(const struct tc_onramp_xstats *st, size_t length,
			       bool json)
{
	static char buffer[RTA_SPACE(sizeof(*st))];
	struct rtattr *attr = (struct rtattr *)buffer;

	attr->rta_len = RTA_LENGTH(length);
	memcpy(RTA_DATA(attr), st, length);
	tc_stub_begin(json, false);
	onramp_qdisc_util.print_xstats(&onramp_qdisc_util, stdout, attr);
	return tc_stub_output();
}

static const char *show_class(const struct tc_onramp_class_xstats *st, size_t length, bool json)
{
	struct rtattr *attr = malloc(RTA_LENGTH(length));

	attr->rta_len = RTA_LENGTH(length);
	memcpy(RTA_DATA(attr), st, length);
	tc_stub_begin(json, false);
	onramp_qdisc_util.print_copt(&onramp_qdisc_util, stdout, NULL);
	onramp_qdisc_util.print_xstats(&onramp_qdisc_util, stdout, attr);
	free(attr);
	return tc_stub_output();
}

static void test_class_xstats(void)
{
	struct tc_onramp_class_xstats st = {
		.type = TC_ONRAMP_XSTATS_CLASS, .rate_bps = 5000000, .target_bps = UINT64_MAX,
		.cnms = 3, .ether_type = 0x800, .proto = 17, .sport = 5001, .dport = 9,
		.saddr = { [10] = 0xff, 0xff, 10, 0, 0, 1 },
		.daddr = { [10] = 0xff, 0xff, 10, 0, 0, 2 },
		.da = { 2, 0, 0, 0, 0, 0xb2 },
	};
	size_t length;
	bool whole = true;

	tap_ok(strstr(show_class(&st, sizeof(st), false),
		      "  flow src 10.0.0.1 dst 10.0.0.2 proto 17 sport 5001 dport 9 lladdr ") &&
	       strstr(tc_stub_output(), "lladdr 02:00:00:00:00:b2") &&
	       strstr(tc_stub_output(), "rate_bps 5000000 ") &&
	       strstr(tc_stub_output(), "cnms 3 ") &&
	       !strstr(tc_stub_output(), "fastpath"), "a reaction point as text");
	tap_ok(strstr(show_class(&st, sizeof(st), true), "\"src\":\"10.0.0.1\",") &&
	       strstr(tc_stub_output(), "\"sport\":5001,") &&
	       strstr(tc_stub_output(), "\"lladdr\":\"02:00:00:00:00:b2\",") &&
	       strstr(tc_stub_output(), "\"target_bps\":18446744073709551615,") &&
	       strstr(tc_stub_output(), "\"shared\":0"), "a reaction point as JSON");
	for (length = 8; length <= sizeof(st); length++)
		whole = whole && !strstr(show_class(&st, length, true), "\"cnms\"") ==
			(length < offsetof(struct tc_onramp_class_xstats, packets));
	tap_ok(whole, "a reaction point of an older kernel: whole members only");
	tap_ok(!strstr(tc_stub_output(), "\"hop\""), "no answer, no hop");
	st.hops = 2;
	memcpy(st.hop, "\2\0\0\0\0\x99\0\0", sizeof(st.hop));
	tap_ok(strstr(show_class(&st, sizeof(st), true), "\"hops\":2,") &&
	       strstr(tc_stub_output(), "\"hop\":\"02:00:00:00:00:99\"") &&
	       strstr(show_class(&st, sizeof(st), false), "\n  hop 02:00:00:00:00:99"),
	       "the congestion point with the least rate");
	st.ether_type = 0x86dd;
	memset(st.saddr, 0, 12);
	st.saddr[0] = 0xfd;
	tap_ok(strstr(show_class(&st, sizeof(st), false), " src fd00::"),
	       "a reaction point of IPv6");
	st.ether_type = 0x8915;
	st.proto = 0;
	tap_ok(strstr(show_class(&st, sizeof(st), false), "  flow ether_type 35093 lladdr ") &&
	       !strstr(tc_stub_output(), "src"), "a reaction point of another protocol");
}

static void test_xstats(void)
{
	struct tc_onramp_xstats st = { .held_time_ns = 1500, .owd_ns = -2500 };

	tap_ok(strstr(show_xstats(&st, sizeof(st), false), "owd -2.5us ") &&
	       strstr(tc_stub_output(), "held_time 1.5us "),
	       "a delay below 0, as text");
	tap_ok(strstr(show_xstats(&st, sizeof(st), true), "\"owd_ns\":-2500,") &&
	       strstr(tc_stub_output(), "\"held_time_ns\":1500,"),
	       "a delay below 0, as JSON");
	tap_ok(!strstr(show_xstats(&st, offsetof(struct tc_onramp_xstats,
						 base_ns), false), " base ") &&
	       strstr(tc_stub_output(), "owd"),
	       "an older kernel's are printed as far as they go");

	st.owd_ns = ONRAMP_NS_NONE;
	st.threshold_ns = ONRAMP_NS_NONE;
	st.base_ns = ONRAMP_NS_NONE;
	st.nic_backlog_ns = ONRAMP_NS_NONE;
	tap_ok(strstr(show_xstats(&st, sizeof(st), false), "\n  no_clock 0 ") &&
	       !strstr(tc_stub_output(), " owd ") &&
	       !strstr(tc_stub_output(), " threshold "),
	       "times that are not known are left out, with their line");

	tap_ok(strstr(show_xstats(&st, sizeof(st), false),
		      "\n  owd_sum 0ns owd_hist empty ") &&
	       strstr(tc_stub_output(), "\n  sojourn_sum 0ns sojourn_hist empty "),
	       "distributions without a delay, as text");
	st.owd_sum_ns = 30000;
	st.owd_hist[4] = 2;
	tap_ok(strstr(show_xstats(&st, sizeof(st), false), "owd_sum 30us owd_hist 16.384us:2 ") &&
	       strstr(show_xstats(&st, sizeof(st), true), "\"owd_hist\":[0,0,0,0,2,0,") &&
	       strstr(tc_stub_output(), "\"sojourn_hist\":[0,0,"),
	       "distributions of delays");
	tap_ok(strstr(show_xstats(&st, sizeof(st), true), "\"no_clock\":0") &&
	       !strstr(tc_stub_output(), "\"owd_ns\"") &&
	       !strstr(tc_stub_output(), "\"threshold_ns\"") &&
	       !strstr(tc_stub_output(), "\"base_ns\"") &&
	       !strstr(tc_stub_output(), "\"nic_backlog_ns\""),
	       "times that are not known are left out, as JSON");
}

int main(void)
{
	test_accepted();
	test_pasted();
	test_json();
	test_xstats();
	test_class_xstats();
	return tap_done();
}
