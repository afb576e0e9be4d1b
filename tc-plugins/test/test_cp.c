// SPDX-License-Identifier: GPL-2.0
/*
 * The cp plugin: requests it builds, that what it prints of any settings can be pasted back,
 * and statistics of the qdisc and of its classes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <linux/pkt_sch_cp.h>

#include "../../selftests/unit/random.h"
#include "../../selftests/lib/tap.h"
#include "attr.h"
#include "cp_params.h"
#include "kinds.h"
#include "tc_stub.h"

static struct tc_request request;

/* Requests as text: "ID=value" in the order of the table. */
static const struct {
	const char *arguments;
	const char *request;
} accepted[] = {
	{ "", "" },
	{ "law none", "LAW=1" },
	{ "law qcn at output service fifo", "LAW=2 AT=0 SERVICE=0" },
	{ "law qcn at input sample random qeq 60kb buffer 150kb pause input xoff 110kb xon 44kb",
	  "LAW=2 AT=1 SAMPLE=1 QEQ=61440 BUFFER=153600 PAUSE=1 XOFF=112640 XON=45056" },
	{ "law step k 60kb at input sample largest signal ecn",
	  "LAW=3 AT=1 SAMPLE=2 SIGNAL=1 K=61440" },
	{ "w -10", "W=-10" },
	{ "w 10", "W=10" },
	{ "w 0x3", "W=3" },
	{ "w -0", "W=0" },
	{ "cnpv 0x80", "CNPV=128" },
	{ "cnpv 255", "CNPV=255" },
	{ "quanta 65535 pause output", "PAUSE=2 QUANTA=65535" },
	{ "rate 10gbit service rr", "SERVICE=1 RATE_BPS=10000000000" },
	{ "rate 0", "RATE_BPS=0" },
	{ "sample_table off sample_base 10000 header_octets 0",
	  "SAMPLE_BASE=10000 SAMPLE_TABLE=0 HEADER_OCTETS=0" },
	{ "law fecn interval 1ms qeq 24000b a 1.002 b 1.1 c 0.1 gamma 99%",
	  "LAW=4 QEQ=24000 INTERVAL_NS=1000000 A=1002000 B=1100000 C=100000 GAMMA=990000" },
	{ "stages 3 slope 0.002 weight 0.5 flows 100 hot 60kb",
	  "STAGES=3 SLOPE=2000 WEIGHT=500000 FLOWS=100 HOT=61440" },
	{ "limit 32mb defense edge pause off", "LIMIT=33554432 PAUSE=0 DEFENSE=1" },
};

/* The kernel's side of a request: exact widths, no attribute twice. */
static bool take(struct rtattr *opt, struct cp_settings *s)
{
	const struct param_values values = { &s->given, s->value };
	int left = RTA_PAYLOAD(opt), attrs = 0;
	struct rtattr *attr;
	int id;

	cp_settings_default(s);
	param_read(&cp_kind, opt, values);
	for (attr = RTA_DATA(opt); RTA_OK(attr, left); attr = RTA_NEXT(attr, left))
		attrs++;
	for (id = 0; id < cp_kind.count; id++) {
		const struct param *p = &cp_kind.param[id];

		if (!(s->given >> id & 1))
			continue;
		attr = attr_find(opt, p->attr);
		if (RTA_PAYLOAD(attr) * 8 != p->bits || cp_set(s, id, s->value[id]))
			return false;
		attrs--;
	}
	return !left && !attrs;
}

static bool parse(const char *arguments, struct cp_settings *s)
{
	struct rtattr *opt;

	if (tc_stub_parse(&cp_qdisc_util, arguments, &request))
		return false;
	opt = tc_stub_options(&request);
	return opt && take(opt, s);
}

static void test_accepted(void)
{
	struct cp_settings s;
	char text[512];
	size_t i;
	int id;

	for (i = 0; i < ARRAY_SIZE(accepted); i++) {
		bool taken = parse(accepted[i].arguments, &s);
		int n = 0;

		text[0] = 0;
		for (id = 0; taken && id < CP_NR_PARAMS; id++)
			if (s.given >> id & 1)
				n += snprintf(text + n, sizeof(text) - n, "%s%s=%" PRId64,
					      n ? " " : "", cp_kind.param[id].id,
					      (int64_t)s.value[id]);
		if (!tap_ok(taken && !strcmp(text, accepted[i].request), "accept \"%s\"",
			    accepted[i].arguments))
			tap_remark("%s %s", text, tc_stub_stderr());
	}
}

/* Print settings as the kernel would dump them. */
static const char *show(struct cp_settings *s, bool json)
{
	const struct param_values values = { &s->given, s->value };

	request.n.nlmsg_len = NLMSG_LENGTH(sizeof(request.t));
	param_append(&cp_kind, &request.n, values);
	tc_stub_begin(json, false);
	cp_qdisc_util.print_qopt(&cp_qdisc_util, stdout, tc_stub_options(&request));
	return tc_stub_output();
}

static void test_pasted(void)
{
	uint64_t rng = 7;
	int wrong = 0;
	int i, id;

	for (i = 0; i < 5000; i++) {
		struct cp_settings s, back;

		cp_settings_default(&s);
		for (id = 0; id < CP_NR_PARAMS; id++) {
			const struct param_info *info = cp_param_info(id);
			u64 span = info->most - info->least;

			if (random_below(&rng, 2))
				cp_set(&s, id, info->least + (random_below(&rng, 4) ?
							      random_below(&rng, span + 1) : span));
		}
		if (!parse(show(&s, false), &back) || memcmp(&s, &back, sizeof(s)))
			wrong++;
	}
	tap_ok(!wrong, "5000 random settings can be pasted back");
}

static void test_json(void)
{
	static const char want[] =
		"{\"signal\":\"ecn\",\"w\":-3,\"sample_table\":true,\"k\":61440}";
	struct cp_settings s;

	cp_settings_default(&s);
	cp_set(&s, CP_P_SIGNAL, CP_SIGNAL_ECN);
	cp_set(&s, CP_P_W, -3);
	cp_set(&s, CP_P_SAMPLE_TABLE, 1);
	cp_set(&s, CP_P_K, 61440);
	if (!tap_ok(!strcmp(show(&s, true), want), "as JSON"))
		tap_remark("%s", tc_stub_output());
	tc_stub_begin(false, false);
	cp_qdisc_util.print_qopt(&cp_qdisc_util, stdout, NULL);
	cp_qdisc_util.print_copt(&cp_qdisc_util, stdout, NULL);
	cp_qdisc_util.print_xstats(&cp_qdisc_util, stdout, NULL);
	tap_ok(!*tc_stub_output(), "nothing is printed of nothing");
}

static const char *show_xstats(const void *st, size_t length, bool json)
{
	struct rtattr *attr = malloc(RTA_LENGTH(length));

	attr->rta_len = RTA_LENGTH(length);
	memcpy(RTA_DATA(attr), st, length);
	tc_stub_begin(json, false);
	cp_qdisc_util.print_xstats(&cp_qdisc_util, stdout, attr);
	free(attr);
	return tc_stub_output();
}

static void test_xstats(void)
{
	const struct tc_cp_xstats st = {
		.type = TC_CP_XSTATS_QDISC, .q_bytes = 1500, .cnms = UINT64_MAX, .foreign = 3,
		.pausing_ns = 1500, .drop_buffer = 1ULL << 63,
	};
	size_t length;
	bool whole = true;

	tap_ok(strstr(show_xstats(&st, sizeof(st), false), "  q_bytes 1500 ") &&
	       strstr(tc_stub_output(), " foreign 3 ") &&
	       strstr(tc_stub_output(), " pausing 0 ") &&
	       strstr(tc_stub_output(), " pausing_time 1.5us ") &&
	       !strstr(tc_stub_output(), "type") && !strstr(tc_stub_output(), "culprits"),
	       "statistics of the qdisc as text");
	tap_ok(strstr(show_xstats(&st, sizeof(st), true), "\"cnms\":18446744073709551615,") &&
	       strstr(tc_stub_output(), "\"drop_buffer\":9223372036854775808,") &&
	       strstr(tc_stub_output(), "\"pausing_ns\":1500,"),
	       "statistics of the qdisc as JSON, counters up to 2^64 - 1");
	for (length = 0; length <= sizeof(st); length++)
		whole = whole && !strstr(show_xstats(&st, length, true), "\"cnms\"") ==
			(length < offsetof(struct tc_cp_xstats, marks));
	tap_ok(whole, "statistics of an older kernel: whole members only");
}

static void test_class_xstats(void)
{
	struct tc_cp_class_xstats st = {
		.type = TC_CP_XSTATS_CLASS, .ifindex = 1, .bytes = 3000, .culprits = 7,
		.pausing = 1,
	};

	tap_ok(strstr(show_xstats(&st, sizeof(st), false), "  input lo") &&
	       strstr(tc_stub_output(), " bytes 3000 ") &&
	       strstr(tc_stub_output(), "culprits 7 ") && !strstr(tc_stub_output(), "q_bytes"),
	       "statistics of a class as text");
	tap_ok(strstr(show_xstats(&st, sizeof(st), true), "\"input\":\"lo\",") &&
	       strstr(tc_stub_output(), "\"ifindex\":1,") &&
	       strstr(tc_stub_output(), "\"pausing\":1"), "statistics of a class as JSON");
	st.ifindex = 0;
	tap_ok(!strstr(show_xstats(&st, sizeof(st), true), "\"input\""), "a class of no input");
	st.ifindex = 2147483647;
	tap_ok(strstr(show_xstats(&st, sizeof(st), false), "  input if2147483647"),
	       "an input that is gone");
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
