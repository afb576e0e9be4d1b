// SPDX-License-Identifier: GPL-2.0
/*
 * The ecnsharp plugin: requests it builds, ranges it names, dumps it prints, and
 * that what it prints can be pasted back.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sch_ecnsharp.h>

#include "../../selftests/lib/tap.h"
#include "attr.h"
#include "ecnsharp_params.h"
#include "tc_stub.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Requests as text: "ID=value" in the order of the table. */
static const struct {
	const char *arguments;
	const char *request;
} accepted[] = {
	{ "", "" },
	{ "limit 1", "LIMIT=1" },
	{ "limit 1000000p", "LIMIT=1000000" },
	{ "memory_limit 32mb", "MEMORY_LIMIT=33554432" },
	{ "ins_target 200us pst_target 85us pst_interval 200us",
	  "INS_TARGET_NS=200000 PST_TARGET_NS=85000 PST_INTERVAL_NS=200000" },
	{ "pst_target 137.5us", "PST_TARGET_NS=137500" },
	{ "preset testbed",
	  "INS_TARGET_NS=200000 PST_TARGET_NS=85000 PST_INTERVAL_NS=200000" },
	{ "preset simulation",
	  "INS_TARGET_NS=220000 PST_TARGET_NS=10000 PST_INTERVAL_NS=240000" },
	{ "limit 500 preset testbed pst_target 50us",
	  "LIMIT=500 INS_TARGET_NS=200000 PST_TARGET_NS=50000 PST_INTERVAL_NS=200000" },
	{ "preset testbed kmin 40us kmax 200us pmax 1%",
	  "PST_TARGET_NS=85000 PST_INTERVAL_NS=200000 KMIN_NS=40000 KMAX_NS=200000 PMAX_PPM=10000",
	},
	{ "preset testbed rtt_avg 100us rtt_tail 200us",
	  "RTT_AVG_NS=100000 RTT_TAIL_NS=200000" },
	{ "preset simulation transport cubic rtt_tail 200us rtt_avg 100us",
	  "RTT_AVG_NS=100000 RTT_TAIL_NS=200000 TRANSPORT=2" },
	{ "preset testbed kmin 40us kmax 200us pmax 1% rtt_avg 100us rtt_tail 200us lambda 1",
	  "RTT_AVG_NS=100000 RTT_TAIL_NS=200000 LAMBDA_PPM=1000000 KMIN_NS=40000 KMAX_NS=200000 PMAX_PPM=10000",
	},
	{ "rtt_avg 137us rtt_tail 220us",
	  "RTT_AVG_NS=137000 RTT_TAIL_NS=220000" },
	{ "rtt_avg 137us rtt_tail 220us lambda 0.17",
	  "RTT_AVG_NS=137000 RTT_TAIL_NS=220000 LAMBDA_PPM=170000" },
	{ "rtt_avg 137us rtt_tail 220us transport cubic",
	  "RTT_AVG_NS=137000 RTT_TAIL_NS=220000 TRANSPORT=2" },
	{ "transport reno", "TRANSPORT=1" },
	{ "transport dctcp", "TRANSPORT=3" },
	{ "signal sojourn", "SIGNAL=0" },
	{ "signal length rate 10gbit", "SIGNAL=1 RATE_BPS=10000000000" },
	{ "rate 100Gbit", "RATE_BPS=100000000000" },
	{ "kmin 5kb kmax 200kb pmax 0.01 signal length rate 40gbit",
	  "SIGNAL=1 RATE_BPS=40000000000 KMIN_BYTES=5120 KMAX_BYTES=204800 PMAX_PPM=10000" },
	{ "kmin 0 kmax 100us pmax 1",
	  "KMIN_NS=0 KMAX_NS=100000 PMAX_PPM=1000000" },
	{ "kmin 0 kmax 100kb pmax 1",
	  "KMIN_BYTES=0 KMAX_BYTES=102400 PMAX_PPM=1000000" },
	{ "kmin 0 kmax 0 pmax 1 signal length",
	  "SIGNAL=1 KMIN_BYTES=0 KMAX_BYTES=0 PMAX_PPM=1000000" },
	{ "kmin 0 kmax 0 pmax 1", "KMIN_NS=0 KMAX_NS=0 PMAX_PPM=1000000" },
	{ "kmin 0.00 kmax .0 pmax 1", "KMIN_NS=0 KMAX_NS=0 PMAX_PPM=1000000" },
	{ "kmin 0ns", "KMIN_NS=0" },
	{ "kmax 1500", "KMAX_BYTES=1500" },
	{ "instantaneous off", "INSTANTANEOUS=0" },
	{ "instantaneous on persistent off", "INSTANTANEOUS=1 PERSISTENT=0" },
	{ "nonect drop split_gso on", "NONECT=1 SPLIT_GSO=1" },
	{ "nonect pass split_gso off", "NONECT=0 SPLIT_GSO=0" },
	{ "bypass on", "BYPASS=1" },
	{ "bypass off split_gso on", "SPLIT_GSO=1 BYPASS=0" },
};

#define A8(id, v)	{ TCA_ECNSHARP_##id, 8, v }
#define A32(id, v)	{ TCA_ECNSHARP_##id, 32, v }
#define A64(id, v)	{ TCA_ECNSHARP_##id, 64, v }

struct sent {
	uint16_t type;
	int bits;
	uint64_t value;
};

/* With -d as without it, unless a case differs. */
static const struct {
	const char *name;
	struct sent attr[16];
	struct sent derived[6];
	const char *text;
	const char *details;
	const char *json;
} dumps[] = {
	{ .name = "step",
	  .attr = { A32(LIMIT, 10000), A32(MEMORY_LIMIT, 33554432),
		    A64(INS_TARGET_NS, 200000), A64(PST_TARGET_NS, 85000),
		    A64(PST_INTERVAL_NS, 200000), A8(SIGNAL, 0),
		    A8(INSTANTANEOUS, 1), A8(PERSISTENT, 1), A8(NONECT, 0),
		    A8(SPLIT_GSO, 0), A8(BYPASS, 0) },
	  .text =
		"limit 10000p memory_limit 32Mb ins_target 200us pst_target 85us pst_interval 200us signal sojourn instantaneous on persistent on nonect pass split_gso off bypass off ",
	  .json =
		"{\"limit\":10000,\"memory_limit\":33554432,\"ins_target_ns\":200000,\"pst_target_ns\":85000,\"pst_interval_ns\":200000,\"signal\":\"sojourn\",\"instantaneous\":true,\"persistent\":true,\"nonect\":\"pass\",\"split_gso\":false,\"bypass\":false,\"derived\":false}",
	},
	{ .name = "derived by nobody's lambda",
	  .attr = { A64(RTT_AVG_NS, 137000), A64(RTT_TAIL_NS, 220000) },
	  .derived = { A64(INS_TARGET_NS, 220000), A64(PST_TARGET_NS, 137000),
		       A64(PST_INTERVAL_NS, 220000), A32(LAMBDA_PPM, 1000000) },
	  .text = "rtt_avg 137us rtt_tail 220us ",
	  .details =
		"rtt_avg 137us rtt_tail 220us derived ins_target 220us pst_target 137us pst_interval 220us lambda 1 ",
	  .json =
		"{\"ins_target_ns\":220000,\"pst_target_ns\":137000,\"pst_interval_ns\":220000,\"rtt_avg_ns\":137000,\"rtt_tail_ns\":220000,\"lambda_ppm\":1000000,\"derived\":true}",
	},
	{ .name = "derived by the given lambda 1",
	  .attr = { A64(RTT_AVG_NS, 137000), A64(RTT_TAIL_NS, 220000),
		    A32(LAMBDA_PPM, 1000000) },
	  .derived = { A64(INS_TARGET_NS, 220000), A64(PST_TARGET_NS, 137000),
		       A64(PST_INTERVAL_NS, 220000) },
	  .text = "rtt_avg 137us rtt_tail 220us lambda 1 ",
	  .details =
		"rtt_avg 137us rtt_tail 220us lambda 1 derived ins_target 220us pst_target 137us pst_interval 220us ",
	  .json =
		"{\"ins_target_ns\":220000,\"pst_target_ns\":137000,\"pst_interval_ns\":220000,\"rtt_avg_ns\":137000,\"rtt_tail_ns\":220000,\"lambda_ppm\":1000000,\"derived\":true}",
	},
	{ .name = "derived by transport",
	  .attr = { A64(RTT_AVG_NS, 137000), A64(RTT_TAIL_NS, 220000),
		    A8(TRANSPORT, 2) },
	  .derived = { A64(INS_TARGET_NS, 94285), A64(PST_TARGET_NS, 58714),
		       A64(PST_INTERVAL_NS, 220000), A32(LAMBDA_PPM, 428571) },
	  .text = "rtt_avg 137us rtt_tail 220us transport cubic ",
	  .details =
		"rtt_avg 137us rtt_tail 220us transport cubic derived ins_target 94.285us pst_target 58.714us pst_interval 220us lambda 0.428571 ",
	  .json =
		"{\"ins_target_ns\":94285,\"pst_target_ns\":58714,\"pst_interval_ns\":220000,\"rtt_avg_ns\":137000,\"rtt_tail_ns\":220000,\"lambda_ppm\":428571,\"transport\":\"cubic\",\"derived\":true}",
	},
	{ .name = "derived by lambda, ramp over bytes",
	  .attr = { A64(RTT_AVG_NS, 137000), A64(RTT_TAIL_NS, 220000),
		    A32(LAMBDA_PPM, 170000), A8(SIGNAL, 1),
		    A64(RATE_BPS, 40000000000), A32(KMIN_BYTES, 5120),
		    A32(KMAX_BYTES, 204800), A32(PMAX_PPM, 10000) },
	  .derived = { A64(PST_TARGET_NS, 23290),
		       A64(PST_INTERVAL_NS, 220000) },
	  .text =
		"rtt_avg 137us rtt_tail 220us lambda 0.17 signal length rate 40Gbit kmin 5Kb kmax 200Kb pmax 0.01 ",
	  .details =
		"rtt_avg 137us rtt_tail 220us lambda 0.17 signal length rate 40Gbit kmin 5Kb kmax 200Kb pmax 0.01 derived pst_target 23.29us pst_interval 220us ",
	  .json =
		"{\"pst_target_ns\":23290,\"pst_interval_ns\":220000,\"rtt_avg_ns\":137000,\"rtt_tail_ns\":220000,\"lambda_ppm\":170000,\"signal\":\"length\",\"rate_bps\":40000000000,\"kmin_bytes\":5120,\"kmax_bytes\":204800,\"pmax_ppm\":10000,\"derived\":true}",
	},
	{ .name = "older kernel that sends little",
	  .attr = { A64(INS_TARGET_NS, 1) },
	  .text = "ins_target 1ns ",
	  .json = "{\"ins_target_ns\":1,\"derived\":false}",
	},
	{ .name = "newer kernel: unknown attribute, name and width",
	  .attr = { { __TCA_ECNSHARP_MAX + 3, 32, 7 }, A8(SIGNAL, 9),
		    A8(TRANSPORT, 77), A64(LIMIT, 5000000000),
		    { TCA_ECNSHARP_INS_TARGET_NS, 32, 9000 } },
	  .derived = { { __TCA_ECNSHARP_MAX + 3, 32, 7 }, A8(NONECT, 3) },
	  .text = "limit 5000000000p ins_target 9us transport 77 signal 9 ",
	  .details =
		"limit 5000000000p ins_target 9us transport 77 signal 9 derived nonect 3 ",
	  .json =
		"{\"limit\":5000000000,\"ins_target_ns\":9000,\"transport\":\"77\",\"signal\":\"9\",\"nonect\":\"3\",\"derived\":true}",
	},
};

static struct tc_request request;

static const char *const ids[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(id, name, bits, least, most, unit)			       \
	[ECNSHARP_##id] = #id,
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

static const uint16_t types[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(id, name, bits, least, most, unit)			       \
	[ECNSHARP_##id] = TCA_ECNSHARP_##id,
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

/* The kernel's side of a request: exact widths, no attribute twice. */
static bool take(struct rtattr *opt, struct ecnsharp_settings *s)
{
	int left = RTA_PAYLOAD(opt);
	struct rtattr *attr;
	int id;

	memset(s, 0, sizeof(*s));
	for (attr = RTA_DATA(opt); RTA_OK(attr, left);
	     attr = RTA_NEXT(attr, left)) {
		uint64_t value;

		for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
			if (types[id] == attr->rta_type)
				break;
		if (id == ECNSHARP_NR_PARAMS || s->given >> id & 1 ||
		    RTA_PAYLOAD(attr) * 8 != ecnsharp_param_info(id)->bits ||
		    !attr_get(attr, &value) || ecnsharp_set(s, id, value))
			return false;
	}
	return !left;
}

static bool parse(const char *arguments, struct ecnsharp_settings *s)
{
	struct rtattr *opt;

	if (tc_stub_parse(&ecnsharp_qdisc_util, arguments, &request))
		return false;
	opt = tc_stub_options(&request);
	return opt && take(opt, s);
}

static void as_text(const struct ecnsharp_settings *s, char *text, size_t size)
{
	int id, n = 0;

	text[0] = 0;
	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		if (s->given >> id & 1)
			n += snprintf(text + n, size - n, "%s%s=%" PRIu64,
				      n ? " " : "", ids[id], s->value[id]);
}

static void test_accepted(void)
{
	struct ecnsharp_settings s;
	char text[1024];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(accepted); i++) {
		bool taken = parse(accepted[i].arguments, &s);

		as_text(&s, text, sizeof(text));
		if (!tap_ok(taken && !strcmp(text, accepted[i].request),
			    "accept \"%s\"", accepted[i].arguments))
			tap_remark("%s %s", text, tc_stub_stderr());
	}
}

/* Does a refusal name the range in units that are taken for its two ends? */
static bool says_range(const struct param_info *info, int id)
{
	const char *message = strstr(tc_stub_stderr(), "out of range: not between ");
	struct ecnsharp_settings s;
	char end[2][32], arguments[128];
	int i;

	if (!message || sscanf(message, "out of range: not between %31s and %31s",
			       end[0], end[1]) != 2)
		return false;
	for (i = 0; i < 2; i++) {
		snprintf(arguments, sizeof(arguments), "%s %s", info->name, end[i]);
		if (!parse(arguments, &s) ||
		    s.value[id] != (u64)(i ? info->most : info->least))
			return false;
	}
	return true;
}

/* Below its range, above it, and its two ends, for every number. */
static void test_ranges(void)
{
	struct ecnsharp_settings s;
	char arguments[128];
	int id;

	for (id = 0; id < ECNSHARP_NR_PARAMS; id++) {
		const struct param_info *info = ecnsharp_param_info(id);
		const s64 tries[] = { info->least, info->most, info->most + 1,
				      info->least - 1 };
		const char *unit = "";
		size_t i;

		if (info->bits == 8)
			continue;
		if (strstr(ids[id], "_NS"))
			unit = "ns";
		for (i = 0; i < ARRAY_SIZE(tries); i++) {
			bool fits = tries[i] >= info->least &&
				    tries[i] <= info->most;

			/* 0 has no value below it. */
			if (tries[i] < 0)
				continue;
			if (strstr(ids[id], "_PPM"))
				snprintf(arguments, sizeof(arguments),
					 "%s %" PRId64 ".%06" PRId64,
					 info->name, tries[i] / 1000000,
					 tries[i] % 1000000);
			else
				snprintf(arguments, sizeof(arguments),
					 "%s %" PRId64 "%s", info->name,
					 tries[i], unit);
			/* A bare zero is a time. */
			if (id == ECNSHARP_KMIN_BYTES ||
			    id == ECNSHARP_KMAX_BYTES)
				strcat(arguments, "b");
			if (!tap_ok(fits == parse(arguments, &s) &&
				    (!fits || (s64)s.value[id] == tries[i]) &&
				    (fits || says_range(info, id)),
				    "%s \"%s\"", fits ? "accept" : "refuse",
				    arguments))
				tap_remark("message %s", tc_stub_stderr());
		}
	}
}

static void test_full(void)
{
	char name[] = "limit", value[] = "1";
	char *argv[2];
	FILE *terminal = stderr;
	unsigned int left;
	bool whole = true;
	int ret = 0;

	argv[0] = name;
	argv[1] = value;
	stderr = fopen("/dev/null", "w");
	for (left = 0; left <= 12; left += 4) {
		memset(&request, 0, sizeof(request));
		request.n.nlmsg_len = TC_REQUEST_MAX - left;
		ret = ecnsharp_qdisc_util.parse_qopt(&ecnsharp_qdisc_util, 2,
						     argv, &request.n, "lo");
		whole = whole && (ret == (left < 12 ? -1 : 0)) &&
			request.n.nlmsg_len <= TC_REQUEST_MAX;
	}
	fclose(stderr);
	stderr = terminal;
	tap_ok(whole, "a request without space for the attributes is refused");
}

/* Into a nest of exactly its size, so that a read behind it is found. */
static struct rtattr *copy_nest(struct rtattr *nest)
{
	struct rtattr *copy = malloc(nest->rta_len);

	memcpy(copy, nest, nest->rta_len);
	return copy;
}

static const char *print(struct rtattr *opt, bool json, bool details)
{
	struct rtattr *copy = opt ? copy_nest(opt) : NULL;

	tc_stub_begin(json, details);
	ecnsharp_qdisc_util.print_qopt(&ecnsharp_qdisc_util, stdout, copy);
	free(copy);
	return tc_stub_output();
}

static struct rtattr *begin_dump(void)
{
	memset(&request, 0, sizeof(request));
	request.n.nlmsg_len = NLMSG_LENGTH(sizeof(request.t));
	return attr_nest(&request.n, TCA_OPTIONS);
}

static void put_sent(const struct sent *sent)
{
	for (; sent->type; sent++)
		attr_put(&request.n, sent->type, sent->bits, sent->value);
}

static void test_dumps(void)
{
	struct rtattr *nest, *derived;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(dumps); i++) {
		nest = begin_dump();
		put_sent(dumps[i].attr);
		if (dumps[i].derived[0].type) {
			derived = attr_nest(&request.n, TCA_ECNSHARP_DERIVED);
			put_sent(dumps[i].derived);
			attr_nest_end(&request.n, derived);
		}
		attr_nest_end(&request.n, nest);
		if (!tap_ok(!strcmp(print(nest, false, false), dumps[i].text),
			    "print, %s", dumps[i].name))
			tap_remark("%s", tc_stub_output());
		if (!tap_ok(!strcmp(print(nest, false, true),
				    dumps[i].details ? dumps[i].details :
						       dumps[i].text),
			    "print -d, %s", dumps[i].name))
			tap_remark("%s", tc_stub_output());
		if (!tap_ok(!strcmp(print(nest, true, false), dumps[i].json),
			    "print -j, %s", dumps[i].name))
			tap_remark("%s", tc_stub_output());
	}
	tap_ok(!*print(NULL, false, false), "print nothing without options");
}

static void test_odd_dump(void)
{
	static const uint8_t odd[] = {
		3, 0, 0, 0,	/* shorter than its own header */
		99, 0, 2, 0,	/* longer than the nest */
		7, 0, 2, 0,	/* 3 bytes of payload */
		4, 0, TCA_ECNSHARP_DERIVED, 0,	/* nothing in it */
	};
	struct rtattr *nest;
	size_t i;

	for (i = 0; i < sizeof(odd); i += 4) {
		nest = begin_dump();
		memcpy(RTA_DATA(nest), odd + i, 4);
		nest->rta_len = RTA_LENGTH(8);
		tap_ok(!*print(nest, false, true),
		       "a malformed attribute is skipped, %zu", i / 4);
	}
}

static void put_given(const struct ecnsharp_settings *s)
{
	int id;

	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		if (s->given >> id & 1)
			attr_put(&request.n, types[id],
				 ecnsharp_param_info(id)->bits, s->value[id]);
}

/* Messages of the kernel's ecnsharp_dump() for settings. */
static struct rtattr *dump(const struct ecnsharp_settings *s)
{
	struct rtattr *nest = begin_dump(), *inner;
	struct ecnsharp_settings derived;

	put_given(s);
	ecnsharp_settings_derived(s, &derived);
	if (derived.given) {
		inner = attr_nest(&request.n, TCA_ECNSHARP_DERIVED);
		put_given(&derived);
		attr_nest_end(&request.n, inner);
	}
	attr_nest_end(&request.n, nest);
	return nest;
}

static uint64_t state = 88172645463325252ULL;

static uint64_t random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return n ? state % n : state;
}

/* Now and then an end of the range, else as often small as large. */
static uint64_t random_value(enum ecnsharp_param id)
{
	const struct param_info *info = ecnsharp_param_info(id);
	uint64_t span = info->most - info->least + 1;

	switch (random_below(8)) {
	case 0:
		return info->least;
	case 1:
		return info->most;
	case 2:
		return info->least + random_below(span);
	default:
		return info->least + (random_below(0) >> random_below(64)) % span;
	}
}

static void random_set(struct ecnsharp_settings *req, enum ecnsharp_param id)
{
	ecnsharp_set(req, id, random_value(id));
}

/* Two values in order, as kmin and kmax or the two RTTs must be. */
static void random_pair(struct ecnsharp_settings *req, enum ecnsharp_param low,
			enum ecnsharp_param high)
{
	u64 a = random_value(low), b = random_value(high);

	ecnsharp_set(req, low, a < b ? a : b);
	ecnsharp_set(req, high, a < b ? b : a);
}

static void random_signals(struct ecnsharp_settings *req)
{
	bool length = random_below(2);

	ecnsharp_set(req, ECNSHARP_SIGNAL, length);
	if (length)
		random_set(req, ECNSHARP_RATE_BPS);
	if (random_below(2)) {
		random_pair(req,
			    length ? ECNSHARP_KMIN_BYTES : ECNSHARP_KMIN_NS,
			    length ? ECNSHARP_KMAX_BYTES : ECNSHARP_KMAX_NS);
		random_set(req, ECNSHARP_PMAX_PPM);
	} else {
		random_set(req, ECNSHARP_INS_TARGET_NS);
	}
}

static void random_rule(struct ecnsharp_settings *req)
{
	ecnsharp_unset(req, ECNSHARP_GIVEN_TARGETS);
	random_pair(req, ECNSHARP_RTT_AVG_NS, ECNSHARP_RTT_TAIL_NS);
	if (random_below(2))
		random_set(req, ECNSHARP_LAMBDA_PPM);
	else if (random_below(2))
		random_set(req, ECNSHARP_TRANSPORT);
}

/* Settings that a kernel could have in force after some commands. */
static void random_settings(struct ecnsharp_settings *s)
{
	static const u8 rest[] = {
		ECNSHARP_LIMIT, ECNSHARP_MEMORY_LIMIT, ECNSHARP_PST_TARGET_NS,
		ECNSHARP_PST_INTERVAL_NS, ECNSHARP_INSTANTANEOUS,
		ECNSHARP_PERSISTENT, ECNSHARP_NONECT, ECNSHARP_SPLIT_GSO,
		ECNSHARP_BYPASS,
	};
	struct ecnsharp_settings req;
	int command;
	size_t i;

	ecnsharp_settings_default(s);
	for (command = 0; command < 3; command++) {
		memset(&req, 0, sizeof(req));
		for (i = 0; i < ARRAY_SIZE(rest); i++)
			if (!random_below(3))
				random_set(&req, rest[i]);
		if (random_below(2))
			random_signals(&req);
		if (random_below(2))
			random_rule(&req);
		/* Some are refused, as a kernel would, and change nothing. */
		ecnsharp_settings_apply(s, &req);
	}
}

/* As add does with what show printed: on top of the defaults. */
static bool paste(const char *text, struct ecnsharp_settings *s)
{
	struct ecnsharp_settings req;

	ecnsharp_settings_default(s);
	return parse(text, &req) &&
	       ecnsharp_settings_apply(s, &req) == ECNSHARP_ACCEPTED;
}

static void test_paste(void)
{
	int rtt = 0, ramp = 0, length = 0, n;
	struct ecnsharp_settings s, back;
	char text[2048] = "";
	bool same = true;

	for (n = 0; same && n < 20000; n++) {
		random_settings(&s);
		rtt += ecnsharp_is_given(&s, ECNSHARP_GIVEN_RTT);
		ramp += ecnsharp_is_given(&s, ECNSHARP_GIVEN_RAMP);
		length += s.value[ECNSHARP_SIGNAL] == ECNSHARP_LENGTH;
		snprintf(text, sizeof(text), "%s",
			 print(dump(&s), false, false));
		same = paste(text, &back) && !memcmp(&s, &back, sizeof(s));
	}
	if (!tap_ok(same, "what show prints can be pasted into add"))
		tap_remark("%s: %s", text, tc_stub_stderr());
	tap_ok(rtt > 1000 && ramp > 1000 && length > 1000,
	       "the random settings hold enough rules, ramps and lengths");
}

/* Arguments inside and outside the grammar: any request must be a legal one. */
static void test_noise(void)
{
	static const char *const values[] = {
		"0", "1", "200us", "85us", "1s", "2s", "80kb", "1%", "0.17",
		"10gbit", "on", "off", "testbed", "length", "sojourn", "cubic",
		"drop", "", "-", "1e9us", "999999999999999999999", ".", "p",
	};
	struct ecnsharp_settings s;
	int taken = 0, refusals = 0, n;
	bool legal = true;
	char arguments[512];

	for (n = 0; legal && n < 50000; n++) {
		int length = 0, i;

		arguments[0] = 0;
		for (i = random_below(4); i >= 0; i--) {
			const char *name = random_below(12) ?
				ecnsharp_param_info(random_below(ECNSHARP_NR_PARAMS))->name :
				"preset";

			length += snprintf(arguments + length,
					   sizeof(arguments) - length, "%s %s ",
					   name,
					   values[random_below(ARRAY_SIZE(values))]);
		}
		if (tc_stub_parse(&ecnsharp_qdisc_util, arguments, &request)) {
			legal = *tc_stub_stderr();
			refusals++;
			continue;
		}
		legal = tc_stub_options(&request) &&
			take(tc_stub_options(&request), &s) &&
			!ecnsharp_request_check(&s);
		taken++;
	}
	if (!tap_ok(legal && taken > 500 && refusals > 500,
		    "noise is refused with a message or makes a legal request"))
		tap_remark("%d taken, %d refused, last \"%s\"", taken, refusals,
			   arguments);
}

static const char *print_xstats(const void *data, size_t length, bool json)
{
	struct rtattr *attr = malloc(RTA_LENGTH(length));

	attr->rta_type = TCA_STATS_APP;
	attr->rta_len = RTA_LENGTH(length);
	memcpy(RTA_DATA(attr), data, length);
	tc_stub_begin(json, false);
	ecnsharp_qdisc_util.print_xstats(&ecnsharp_qdisc_util, stdout, attr);
	free(attr);
	return tc_stub_output();
}

static int count_char(const char *text, char c)
{
	int n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

static void test_xstats(void)
{
	const struct tc_ecnsharp_xstats st = {
		.ins_marks = 1, .pst_marks = 2, .both_marks = 3, .ce_seen = 4,
		.nonect_seen = 5, .nonect_passed = 6, .nonect_dropped = 7,
		.mark_failed = 8, .pst_saturated = 9, .pst_episodes = 10,
		.drop_limit = 11, .drop_memory_limit = 12, .tx_packets = 13,
		.tx_bytes = UINT64_MAX, .marked_bytes = 15,
		.backlog_byte_us = 16, .sojourn_ns = 137500,
		.sojourn_max_ns = 1234567890, .pst_count = 19,
		.memory_bytes = 20, .pst_state = 1, .split_gso = 22,
		.drop_gso = 23, .stamp_ns = 86400000000123,
		.sojourn_sum_ns = 1234567, .sojourn_hist = { 1, [11] = 2000, [18] = 3, UINT64_MAX },
	};
	static const char *const lines[] = {
		"  ins_marks 1 pst_marks 2 both_marks 3 ce_seen 4 mark_failed 8 ",
		"  nonect_seen 5 nonect_passed 6 nonect_dropped 7 drop_limit 11 drop_memory_limit 12 drop_gso 23 ",
		"  sojourn 137.5us sojourn_max 1234567.89us pst_state 1 pst_count 19 pst_episodes 10 pst_saturated 9 ",
		"  tx_packets 13 tx_bytes 18446744073709551615 marked_bytes 15 backlog_byte_us 16 memory_bytes 20 split_gso 22 stamp 86400000000.123us ",
		"  sojourn_sum 1234.567us sojourn_hist 1.024us:1 2097.152us:2000 268435.456us:3 inf:18446744073709551615 ",
	};
	const int numbers = sizeof(st) / sizeof(__u64) - TC_ECNSHARP_HIST_BUCKETS;
	struct {
		struct tc_ecnsharp_xstats st;
		uint64_t more[3];
	} newer = { .st = st, .more = { 1, 2, 3 } };
	char whole[4096], *line, *save;
	size_t length, i;
	bool ok = true;

	snprintf(whole, sizeof(whole), "%s",
		 print_xstats(&st, sizeof(st), false));
	tap_ok(!strcmp(whole, print_xstats(&newer, sizeof(newer), false)),
	       "statistics of a newer kernel: the rest is ignored");
	line = strtok_r(whole, "\n", &save);
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!tap_ok(line && !strcmp(line, lines[i]),
			    "statistics as text, line %zu", i + 1))
			tap_remark("%s", line ? line : "is missing");
		line = strtok_r(NULL, "\n", &save);
	}
	tap_ok(!line, "statistics as text, nothing more");

	snprintf(whole, sizeof(whole), "%s",
		 print_xstats(&st, sizeof(st), true));
	tap_ok(count_char(whole, ':') == numbers + 1 &&
	       strstr(whole, "\"tx_bytes\":18446744073709551615,") &&
	       strstr(whole, "\"sojourn_ns\":137500,") &&
	       strstr(whole, "\"pst_state\":1,") &&
	       strstr(whole, "\"stamp_ns\":86400000000123,") &&
	       strstr(whole, "\"sojourn_hist\":[1,0,0,0,0,0,0,0,0,0,0,2000,0,") &&
	       strstr(whole, ",0,3,18446744073709551615]}"),
	       "statistics as JSON, every member raw");

	for (length = 0; length <= sizeof(st); length++)
		ok = ok && count_char(print_xstats(&st, length, true), ':') ==
			   (length == sizeof(st) ? numbers + 1 :
			    min((int)(length / sizeof(__u64)), numbers));
	tap_ok(ok, "statistics of an older kernel: whole members only");
	tap_ok(!strncmp(print_xstats(&st, 8, false), "  ins_marks 1 ", 14),
	       "statistics of an older kernel as text");

	tc_stub_begin(false, false);
	ecnsharp_qdisc_util.print_xstats(&ecnsharp_qdisc_util, stdout, NULL);
	tap_ok(!*tc_stub_output(), "no statistics, no text");
}

int main(void)
{
	tap_ok(!strcmp(ecnsharp_qdisc_util.id, "ecnsharp"), "the kind's name");
	test_accepted();
	test_ranges();
	test_full();
	test_dumps();
	test_odd_dump();
	test_paste();
	test_noise();
	test_xstats();
	return tap_done();
}
