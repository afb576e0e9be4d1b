// SPDX-License-Identifier: GPL-2.0
/*
 * Refusals of the plugins before a request to the kernel, with their reasons. What the
 * kernel refuses is in selftests/tc-testing.
 */
#include <stdio.h>
#include <string.h>

#include "../../selftests/lib/tap.h"
#include "tc_stub.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* The message must have all parts of @says, separated by '|'. */
struct refusal {
	const char *arguments;
	const char *says;
};

static const struct refusal ecnsharp[] = {
	{ "help", "Usage: ... ecnsharp|preset testbed" },
	{ "limit 10 help", "Usage: ... ecnsharp" },
	{ "speed 10", "\"speed\"|Usage" },
	{ "lim 10", "\"lim\"|Usage" },
	{ "LIMIT 10", "\"LIMIT\"|Usage" },
	{ "limit", "limit needs a value" },
	{ "limit 10 preset", "preset needs a value" },
	{ "limit 0", "limit \"0\"|out of range: not between 1p and 1000000p" },
	{ "limit 1000001", "limit \"1000001\"|not between 1p and 1000000p" },
	{ "limit 4294967297", "limit \"4294967297\"|not between 1p and 1000000p" },
	{ "limit 18446744073709551617", "limit|not between 1p and 1000000p" },
	{ "limit -1", "limit \"-1\"|1p and 1000000p" },
	{ "limit 10.5", "limit \"10.5\"|whole number of packets" },
	{ "limit ten", "limit \"ten\"|not a number of packets" },
	{ "limit 1 limit 2", "limit \"2\"|given twice" },
	{ "memory_limit 64", "memory_limit \"64\"|not between 64Kb and 2147483647b" },
	{ "memory_limit 2gb", "memory_limit \"2gb\"|not between 64Kb and 2147483647b" },
	{ "memory_limit 1us", "memory_limit \"1us\"|not a size|64Kb" },
	{ "ins_target 200", "ins_target \"200\"|not a time|1ns and 1s" },
	{ "ins_target 0ns", "ins_target|not between 1ns and 1s" },
	{ "ins_target 1.1s", "ins_target \"1.1s\"|not between 1ns and 1s" },
	{ "ins_target 0.1ns", "ins_target \"0.1ns\"|whole number of ns" },
	{ "pst_target 2s", "pst_target \"2s\"|not between 1ns and 1s" },
	{ "pst_interval 999ns", "pst_interval|not between 1us and 1s" },
	{ "rtt_avg 10kb", "rtt_avg \"10kb\"|not a time" },
	{ "rtt_tail 999ns", "rtt_tail|not between 1us and 1s" },
	{ "lambda 0", "lambda \"0\"|not between 0.001 and 10" },
	{ "lambda 10.1", "lambda|not between 0.001 and 10" },
	{ "lambda 0.1234567", "lambda|whole number of millionths" },
	{ "transport bbr", "transport \"bbr\"|(reno, cubic, dctcp)" },
	{ "transport 1", "transport \"1\"|(reno, cubic, dctcp)" },
	{ "transport (reno", "transport|(reno, cubic, dctcp)" },
	{ "signal delay", "signal \"delay\"|(sojourn, length)|not one of (sojourn, length)" },
	{ "rate 999bit", "rate \"999bit\"|not between 1Kbit and 100Tbit" },
	{ "rate 101tbit", "rate|not between 1Kbit and 100Tbit" },
	{ "rate 10us", "rate \"10us\"|not a rate" },
	{ "kmin tall", "kmin \"tall\"|neither a time|nor a size" },
	{ "kmin 2s", "kmin \"2s\"|not between 0ns and 1s" },
	{ "kmax 2gb", "kmax \"2gb\"|not between 0b and 2147483647b" },
	{ "kmax .", "kmax \".\"|neither" },
	{ "kmin 0..0", "kmin \"0..0\"|neither a time|nor a size" },
	{ "kmin 0.0.0 kmax 1kb", "kmin \"0.0.0\"|neither" },
	{ "kmin 0 kmax 0.", "kmax \"0.\"|neither" },
	{ "signal length kmin 0.", "kmin \"0.\"|neither" },
	{ "kmin 1us kmin 1kb", "kmin \"1kb\"|given twice" },
	{ "pmax 0", "pmax \"0\"|not between 0.000001 and 1" },
	{ "pmax 101%", "pmax \"101%\"|out of range: not between 0.000001 and 1" },
	{ "pmax p", "pmax \"p\"|not a number|0.000001 and 1" },
	{ "instantaneous 1", "instantaneous \"1\"|(off, on)" },
	{ "persistent yes", "persistent \"yes\"|(off, on)" },
	{ "nonect mark", "nonect \"mark\"|(pass, drop)|not one of (pass, drop)" },
	{ "split_gso ON", "split_gso \"ON\"|(off, on)" },
	{ "bypass 1", "bypass \"1\"|(off, on)" },
	{ "bypass yes", "bypass \"yes\"|(off, on)" },
	{ "bypass on bypass off", "bypass|given twice" },
	{ "preset paper",
	  "preset \"paper\"|(testbed, simulation)|not one of (testbed, simulation)" },
	{ "preset testbed preset simulation", "preset|given twice" },
	{ "pst_target 1us preset testbed", "preset|must come before pst_target" },
	{ "kmin 1us preset testbed", "preset|must come before kmin" },
	{ "rtt_avg 1us preset testbed", "preset|must come before rtt_avg" },
	{ "preset testbed pst_target 1us pst_target 2us", "given twice" },
	{ "preset testbed pst_target 5us rtt_avg 10us rtt_tail 20us",
	  "rtt_avg, rtt_tail, lambda, transport exclude ins_target" },
	{ "preset testbed rtt_avg 10us", "rtt_avg and rtt_tail go together" },
	{ "preset testbed lambda 1", "rtt_avg and rtt_tail go together" },
	{ "preset testbed transport reno", "rtt_avg and rtt_tail go together" },
	{ "ins_target 1us rtt_avg 10us rtt_tail 20us", "exclude ins_target" },
	{ "pst_interval 1us transport reno", "exclude ins_target" },
	{ "lambda 1 transport reno", "transport names a lambda" },
	{ "ins_target 1us kmin 1us kmax 2us pmax 1", "replace ins_target" },
	{ "preset testbed ins_target 1us pmax 1", "replace ins_target" },
	{ "pst_target soon", "pst_target \"soon\"" },
	{ "limit 1.5", "limit \"1.5\"" },
	{ "rtt_avg 1us rtt_tail 1us transport bbr", "not one of (reno, cubic, dctcp)" },
	{ "persistent maybe", "not one of (off, on)" },
	{ "target 5ms", "is not a parameter" },
	{ "limit 5 pst_target", "pst_target needs a value" },
	{ "limit 5 limit 6", "given twice" },
	{ "pst_target 5us preset testbed", "must come before pst_target" },
	{ "preset testbed lambda 0.5", "rtt_avg and rtt_tail go together" },
	{ "preset testbed pst_target 5us rtt_avg 100us rtt_tail 200us",
	  "rtt_avg, rtt_tail, lambda, transport exclude ins_target, pst_target, pst_interval" },
	{ "kmin 0..0 kmax 100us pmax 1",
	  "kmin \"0..0\": neither a time such as 85us nor a size such as 80kb" },
	{ "ins_target 200us rtt_avg 100us rtt_tail 200us",
	  "rtt_avg, rtt_tail, lambda, transport exclude ins_target, pst_target, pst_interval" },
	{ "rtt_avg 100us rtt_tail 200us lambda 0.5 transport reno",
	  "transport names a lambda: give one or the other" },
	{ "ins_target 200us kmin 1us kmax 2us pmax 1",
	  "replace ins_target: give one or the other" },
	{ "limit 5 nonect drop split_gso on pst_interval 0ns",
	  "pst_interval \"0ns\": out of range: not between 1us and 1s" },
};

static const struct refusal cp[] = {
	{ "help", "Usage: ... cp|law step k" },
	{ "law", "law needs a value" },
	{ "speed 1", "\"speed\" is not a parameter" },
	{ "law fecn", "law \"fecn\": not one of (none, qcn, step)" },
	{ "law 2", "law \"2\": not one of (none, qcn, step)" },
	{ "law qcn law step", "law \"step\": given twice" },
	{ "at inputs", "at \"inputs\": not one of (output, input)" },
	{ "at input at output", "at \"output\": given twice" },
	{ "sample first", "sample \"first\": not one of (arrival, random, largest)" },
	{ "signal both", "signal \"both\": not one of (cnm, ecn)" },
	{ "service drr", "service \"drr\": not one of (fifo, rr)" },
	{ "qeq 99", "qeq \"99\": out of range: not between 100b and 2147483647b" },
	{ "qeq 2gb", "qeq \"2gb\": out of range: not between 100b and 2147483647b" },
	{ "qeq 26us", "qeq \"26us\": not a size" },
	{ "qeq 100.5b", "qeq \"100.5b\": not a whole number of bytes" },
	{ "w -11", "w \"-11\": out of range: not between -10 and 10" },
	{ "w 11", "w \"11\": out of range: not between -10 and 10" },
	{ "w 1.5", "w \"1.5\": not a whole number" },
	{ "w --1", "w \"--1\": not a number" },
	{ "w -", "w \"-\": not a number" },
	{ "w 9223372036854775809", "w|out of range: not between -10 and 10" },
	{ "w -9223372036854775809", "w|out of range: not between -10 and 10" },
	{ "sample_base 9999",
	  "sample_base \"9999\": out of range: not between 10000b and 2147483647b" },
	{ "sample_base 2gb",
	  "sample_base \"2gb\": out of range: not between 10000b and 2147483647b" },
	{ "sample_table 1", "sample_table \"1\": not one of (off, on)" },
	{ "k 0", "k \"0\": out of range: not between 1b and 2147483647b" },
	{ "k 2gb", "k \"2gb\": out of range: not between 1b and 2147483647b" },
	{ "k 60us", "k \"60us\": not a size" },
	{ "header_octets 65", "header_octets \"65\": out of range: not between 0b and 64b" },
	{ "header_octets -1", "header_octets \"-1\": not a size" },
	{ "buffer 9999", "buffer \"9999\": out of range: not between 10000b and 2147483647b" },
	{ "buffer 2gb", "buffer \"2gb\": out of range: not between 10000b and 2147483647b" },
	{ "limit 9999", "limit \"9999\": out of range: not between 10000b and 2147483647b" },
	{ "limit 2gb", "limit \"2gb\": out of range: not between 10000b and 2147483647b" },
	{ "limit 100p", "limit \"100p\": not a size" },
	{ "pause on", "pause \"on\": not one of (off, input, output)" },
	{ "xoff 0", "xoff \"0\": out of range: not between 1b and 2147483647b" },
	{ "xoff 2gb", "xoff \"2gb\": out of range: not between 1b and 2147483647b" },
	{ "xon 2gb", "xon \"2gb\": out of range: not between 0b and 2147483647b" },
	{ "xon 1ms", "xon \"1ms\": not a size" },
	{ "quanta 0", "quanta \"0\": out of range: not between 1 and 65535" },
	{ "quanta 65536", "quanta \"65536\": out of range: not between 1 and 65535" },
	{ "quanta 1ms", "quanta \"1ms\": not a number" },
	{ "cnpv 0", "cnpv \"0\": out of range: not between 1 and 255" },
	{ "cnpv 256", "cnpv \"256\": out of range: not between 1 and 255" },
	{ "cnpv ff", "cnpv \"ff\": not a number" },
	{ "rate 401gbit", "rate \"401gbit\": out of range: not between 0bit and 400Gbit" },
	{ "rate 10gb", "rate \"10gb\": not a rate" },
	{ "defense on", "defense \"on\": not one of (interior, edge)" },
	{ "law qcn defense edge defense interior", "defense \"interior\": given twice" },
	{ "law qcn qeq", "qeq needs a value" },
};

#define THREE "02:00:00:00:00:01,02:00:00:00:00:02,02:00:00:00:00:03"

static const struct refusal onramp[] = {
	{ "help", "Usage: ... onramp" },
	{ "speed 1", "\"speed\" is not a parameter" },
	{ "horizon_dropped", "\"horizon_dropped\" is not a parameter" },
	{ "limit", "limit needs a value" },
	{ "limit 1 flow_limit", "flow_limit needs a value" },
	{ "limit 0", "limit \"0\": out of range: not between 1p and 4294967295p" },
	{ "limit 5 limit 6", "limit \"6\": given twice" },
	{ "pacing nopacing", "pacing \"nopacing\": given twice" },
	{ "horizon_cap limit 1 horizon_drop", "given twice" },
	{ "bands 4", "bands \"4\": out of range: not between 3 and 3" },
	{ "priomap 1 2", "priomap needs 16 values" },
	{ "priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 3", "priomap \"3\": not a band between 0 and 2" },
	{ "priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 11", "priomap \"11\"" },
	{ "weights 20000 20000", "weights needs 3 values" },
	{ "weights 20000 1 20000", "weights \"1\": out of range" },
	{ "weights 16384 16384 16384 weights 16384 16384 16384", "weights \"16384\": given twice" },
	{ "mode on", "mode \"on\": not one of (off, observe, hold)" },
	{ "g 16", "g \"16\": not a fraction such as 1/16 between 1/1 and 1/1024" },
	{ "g 1/0", "g \"1/0\": out of range: not between 1/1 and 1/1024" },
	{ "g 1/2.5", "g \"1/2.5\": not a whole number" },
	{ "g 1/-2", "g \"1/-2\": not a fraction" },
	{ "threshold 0us", "threshold \"0us\": not a time such as 85us or auto" },
	{ "threshold auto50", "threshold \"auto50\": not a time" },
	{ "horizon 10", "horizon \"10\": not a time" },
	{ "orphan_mask 0x", "orphan_mask \"0x\": not a number" },
	{ "orphan_mask 0x100000000",
	  "orphan_mask \"0x100000000\": out of range: not between 0 and 4294967295" },
	{ "orphan_mask 0x1ffffffffffffffff", "out of range" },
	{ "orphan_mask 3ff", "orphan_mask \"3ff\": not a number" },
	{ "margin 0.5ns", "margin \"0.5ns\": not a whole number of ns" },
	{ "clock ntp", "clock \"ntp\": not one of (system, published)" },
	{ "nic_comp 1", "nic_comp \"1\": not one of (off, on)" },
	{ "limit 4294967296",
	  "limit \"4294967296\": out of range: not between 1p and 4294967295p" },
	{ "flow_limit 0", "flow_limit \"0\": out of range: not between 1p and 4294967295p" },
	{ "flow_limit 4294967296",
	  "flow_limit \"4294967296\": out of range: not between 1p and 4294967295p" },
	{ "buckets 1", "buckets \"1\": out of range: not between 2 and 262144" },
	{ "buckets 262145", "buckets \"262145\": out of range: not between 2 and 262144" },
	{ "quantum 255", "quantum \"255\": out of range: not between 256b and 1Mb" },
	{ "quantum 1048577", "quantum \"1048577\": out of range: not between 256b and 1Mb" },
	{ "initial_quantum 1048577",
	  "initial_quantum \"1048577\": out of range: not between 0b and 1Mb" },
	{ "maxrate 101tbit", "maxrate \"101tbit\": out of range: not between 0bit and 100Tbit" },
	{ "low_rate_threshold 101tbit",
	  "low_rate_threshold \"101tbit\": out of range: not between 0bit and 100Tbit" },
	{ "link_rate 101tbit",
	  "link_rate \"101tbit\": out of range: not between 0bit and 100Tbit" },
	{ "refill_delay 4294967296us", "refill_delay \"4294967296us\": out of range" },
	{ "ce_threshold 4294967296us", "ce_threshold \"4294967296us\": out of range" },
	{ "horizon 4294967296us", "horizon \"4294967296us\": out of range" },
	{ "timer_slack 4294967296ns", "timer_slack \"4294967296ns\": out of range" },
	{ "bands 2", "bands \"2\": out of range: not between 3 and 3" },
	{ "g 1/1025", "g \"1/1025\": out of range: not between 1/1 and 1/1024" },
	{ "max_hold 999ns", "max_hold \"999ns\": out of range: not between 1us and 1s" },
	{ "max_hold 1000000001ns",
	  "max_hold \"1000000001ns\": out of range: not between 1us and 1s" },
	{ "threshold 1001ms", "threshold \"1001ms\": out of range: not between auto and 1s" },
	{ "margin 1001ms", "margin \"1001ms\": out of range: not between 0ns and 1s" },
	{ "path_fresh 1001ms", "path_fresh \"1001ms\": out of range: not between 0ns and 1s" },
	{ "max_error 0ns", "max_error \"0ns\": out of range: not between 1ns and 1s" },
	{ "max_error 1001ms", "max_error \"1001ms\": out of range: not between 1ns and 1s" },
	{ "record_idle 999us", "record_idle \"999us\": out of range: not between 1ms and 60s" },
	{ "record_idle 60001ms", "record_idle \"60001ms\": out of range: not between 1ms and 60s" },
	{ "error 0ns", "error \"0ns\": out of range: not between 1ns and 1s" },
	{ "error 1001ms", "error \"1001ms\": out of range: not between 1ns and 1s" },
	{ "weights 16383 20000 20000",
	  "weights \"16383\": out of range: not between 16Kb and 2147483647b" },
	{ "weights 20000 20000 2147483648", "weights \"2147483648\": out of range" },
	{ "weights 20000 many 20000", "weights \"many\": not a size" },
	{ "priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3", "priomap \"3\": not a band between 0 and 2" },
	{ "priomap 0 1 2", "priomap needs 16 values" },
	{ "law weak", "law \"weak\": not one of (final, strawman, weighted)" },
	{ "clock ntp error 1us", "clock \"ntp\": not one of (system, published)" },
	{ "threshold 50", "threshold \"50\": not a time such as 85us or auto" },
	{ "threshold 0ns", "threshold \"0ns\": not a time such as 85us or auto" },
	{ "g 2/16", "g \"2/16\": not a fraction such as 1/16" },
	{ "maxrate 1ms", "maxrate \"1ms\": not a rate" },
	{ "quantum 1ms", "quantum \"1ms\": not a size" },
	{ "limit -1", "limit \"-1\": not a number" },
	{ "weights 20000 20000 20000 weights 20000 20000 20000", "given twice" },
	{ "horizon_cap horizon_drop", "given twice" },
	{ "speed 3", "\"speed\" is not a parameter" },
	{ "defrate 1mbit", "\"defrate\" is not a parameter" },
	{ "limit 5 quantum 2000 mode holt", "mode \"holt\": not one of" },
	{ "remember 2mb", "remember" },
	{ "cnm_from", "cnm_from needs a value" },
	{ "cnm_from 02:00:00:00:00", "cnm_from \"02:00:00:00:00\": not any, or addresses such as" },
	{ "cnm_from 02:00:00:00:00:01,", "cnm_from \"02:00:00:00:00:01,\": not any" },
	{ "cnm_from 02:00:00:00:00:1", "cnm_from \"02:00:00:00:00:1\": not any" },
	{ "cnm_from 02:00:00:00:00:0g", "cnm_from \"02:00:00:00:00:0g\": not any" },
	{ "cnm_from 02:00:00:00:00:01:02", "not any" },
	{ "cnm_from 02-00-00-00-00-01", "not any" },
	{ "cnm_from 00:00:00:00:00:00", "cnm_from \"00:00:00:00:00:00\": not any" },
	{ "cnm_from " THREE "," THREE "," THREE,
	  "out of range: not 1 to 8 addresses" },
	{ "cnm_from any cnm_from any", "given twice" },
};

static struct tc_request request;

static bool says_all(const char *message, const char *parts)
{
	char copy[256];
	char *save = NULL, *part;

	snprintf(copy, sizeof(copy), "%s", parts);
	for (part = strtok_r(copy, "|", &save); part; part = strtok_r(NULL, "|", &save))
		if (!strstr(message, part))
			return false;
	return true;
}

static void test_refused(const char *kind, const struct qdisc_util *util,
			 const struct refusal *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		int ret = tc_stub_parse(util, rows[i].arguments, &request);

		if (!tap_ok(ret && says_all(tc_stub_stderr(), rows[i].says),
			    "%s: refuse \"%s\"", kind, rows[i].arguments))
			tap_remark("returned %d: %s", ret, tc_stub_stderr());
	}
}

int main(void)
{
	test_refused("cp", &cp_qdisc_util, cp, ARRAY_SIZE(cp));
	test_refused("ecnsharp", &ecnsharp_qdisc_util, ecnsharp, ARRAY_SIZE(ecnsharp));
	test_refused("onramp", &onramp_qdisc_util, onramp, ARRAY_SIZE(onramp));
	return tap_done();
}
