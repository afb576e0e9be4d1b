// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration: what is taken, what is refused, and with which message.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/log.h"
#include "../../../lib/units.h"
#include "../../conf/key.h"
#include "conf_test.h"

#define PEERS	"[mesh]\npeers = 10.0.0.1 10.0.0.2 10.0.0.3\n"
/* A device name of 127 characters, and what makes it one too long. */
#define NAME16	"abcdefghijklmnop"
#define NAME64	NAME16 NAME16 NAME16 NAME16
#define NAME127	NAME64 NAME16 NAME16 NAME16 "abcdefghijklmno"

static void test_defaults(void)
{
	tap_ok(!parse(PEERS), "peers are enough");
	tap_ok(conf.n_peers == 3 && conf.peers[2].id == 3 &&
	       !strcmp(conf.peers[2].name, "10.0.0.3") &&
	       ntohs(conf.peers[2].address.in.sin_port) == 31900,
	       "peers without ids are counted, and have the port");
	tap_ok(conf.interval_ns == 20000000 && conf.burst_interval_ns == 5000000 && conf.window_ns == 2000000000 &&
	       conf.degree == 10 && conf.coded == 1 && !conf.tolerance_ns &&
	       conf.max_asymmetry_ppm == CONF_FRACTION_ONE,
	       "the mesh is that of the paper");
	tap_ok(conf.mode == CONF_MODE_PUBLISH && conf.step_ns == 1000000 &&
	       conf.step_updates == 3 && conf.max_change_ns == 10000000 &&
	       conf.max_slew_ppb == 500000 && conf.error_growth_ppb == 1000 && conf.learned_growth_ppb == 100,
	       "the output's limits are those of the robustness table");
	tap_ok(conf.reference == CONF_REFERENCE_MEAN && !conf.n_candidates &&
	       !conf.id && !*conf.name && !conf.n_links && !*conf.key_file,
	       "auto, all and none are empty");
}

static void test_accepted(void)
{
	tap_ok(!parse("; all forms\n[node]\nid = 7\nname=a.b-c\r\ninterface = eth0, eth1\n"
		      "[mesh]\npeers = 9=fd00::9/nine\n   # in between\n\n\t7=fd00::7 ,\n"
		      " 300=fd00::300/last   # behind\n"
		      "asymmetry = 7-9:1.5us 300-7:-10ms\ntolerance = 2us\n"
		      "[coordinator]\ncandidates = 300 7\nreference = utc:9\n"
		      "[mesh]\nspacing = 0ns\n"), "comments, continued lines, a section twice");
	tap_ok(conf.n_peers == 3 && conf.peers[0].id == 7 && conf.peers[1].id == 9 &&
	       conf.peers[2].id == 300, "peers are sorted by id");
	tap_ok(!strcmp(conf.peers[1].name, "nine") && !strcmp(conf.peers[0].name, "fd00::7") &&
	       ntohs(conf.peers[0].address.in6.sin6_port) == 31900,
	       "a host without a name is called as its address");
	tap_ok(conf.n_asymmetries == 2 && conf.asymmetries[0].ns == 1500 &&
	       conf.asymmetries[1].from == 300 && conf.asymmetries[1].ns == -10000000,
	       "asymmetries have a direction");
	tap_ok(conf.n_candidates == 2 && conf.candidates[0] == 7, "candidates are sorted");
	tap_ok(conf.reference == CONF_REFERENCE_UTC && conf.n_utc_hosts == 1 && conf.utc_hosts[0] == 9,
	       "utc:9");
	tap_ok(conf.n_links == 2 && !strcmp(conf.links[1].name, "eth1"), "two devices");
	tap_ok(!conf.links[0].has_comp && !conf.links[1].has_comp, "without values of their own");
	tap_ok(!parse(PEERS "[node]\ntx_comp = 5ns\ninterface = eth0/110ns/-35ns eth1 eth2/-1ms/1ms eth3/0/0\n") &&
	       conf.n_links == 4 && !strcmp(conf.links[0].name, "eth0") && conf.links[0].has_comp &&
	       conf.links[0].tx_comp_ns == 110 && conf.links[0].rx_comp_ns == -35,
	       "a device with values of its own");
	tap_ok(!conf.links[1].has_comp && conf.tx_comp_ns == 5, "and one without next to it");
	tap_ok(conf.links[2].tx_comp_ns == -1000000 && conf.links[2].rx_comp_ns == 1000000, "they have the range of tx_comp and rx_comp");
	tap_ok(conf.links[3].has_comp && !conf.links[3].tx_comp_ns, "and 0 is one");
	tap_ok(!parse(PEERS "[node]\ninterface = " NAME127 "/-0.999999ms/0.999999ms\n") && conf.n_links == 1 &&
	       !strcmp(conf.links[0].name, NAME127) && conf.links[0].tx_comp_ns == -999999,
	       "an alternative name of 127 characters, with values of its own");
	tap_ok(!parse("[mesh]\npeers = 7=fd00::7 9=fd00::9 300=fd00::300\n"), "and another file");
	tap_ok(conf_find(&conf, 9) == &conf.peers[1] && !conf_find(&conf, 8) &&
	       !conf_find(&conf, 0) && !conf_find(&conf, 301), "peers are found by id");
}

/* Errors, and the messages with which they are refused. */
static const struct refusal {
	const char *text, *message;
} refusals[] = {
	{ "", "f: [mesh] peers: must be given: 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]" },
	{ "degree = 3\n", "f:1: degree: a section such as [node] must come first" },
	{
		"\n\n[mash]\n",
		"f:3: [mash]: unknown section; the sections are [node], [mesh], [coordinator], [output], [security] and [log]",
	},
	{ "[mesh\n", "f:1: a section must be [name] on a line of its own" },
	{ "[]\n", "f:1: a section must be [name] on a line of its own" },
	{ "[mesh] peers\n", "f:1: a section must be [name] on a line of its own" },
	{ " peers = 1\n", "f:1: a line that begins with a blank continues a value, but there is no value before it" },
	{ "[mesh]\npeers\n", "f:2: neither \"key = value\" nor [section]" },
	{ "[mesh]\n= 3\n", "f:2: neither \"key = value\" nor [section]" },
	{ "[mesh]\npeers\n = 3\n", "f:2: neither \"key = value\" nor [section]" },
	{
		"[mesh]\nspeed = 3\n",
		"f:2: [mesh] speed: unknown key; huygens-lite --help-keys lists the keys",
	},
	{ "[mesh]\nport = 3\n", "f:2: [mesh] port: unknown key; it belongs to section [node]" },
	{
		"[mesh]\nDegree = 3\n",
		"f:2: [mesh] Degree: unknown key; huygens-lite --help-keys lists the keys",
	},
	{
		PEERS "degree = 3\n[log]\n[mesh]\ndegree = 3\n",
		"f:6: [mesh] degree: given twice, first in line 3",
	},
	{ PEERS "degree =\n", "f:3: [mesh] degree: \"\" is not 1 to 64" },
	{ PEERS "degree = 3 4\n", "f:3: [mesh] degree: \"3 4\" is not 1 to 64" },
	{ PEERS "degree = 3\n 4\n", "f:3: [mesh] degree: \"3\n 4\" is not 1 to 64" },
	{ PEERS "degree = +3\n", "f:3: [mesh] degree: \"+3\" is not 1 to 64" },
	{ PEERS "degree = 0x3\n", "f:3: [mesh] degree: \"0x3\" is not 1 to 64" },
	{ PEERS "degree = 1.5\n", "f:3: [mesh] degree: \"1.5\" is not 1 to 64" },
	{
		PEERS "degree = 18446744073709551617\n",
		"f:3: [mesh] degree: \"18446744073709551617\" is not 1 to 64",
	},
	{ PEERS "burst_interval = 999us\n", "f:3: [mesh] burst_interval: \"999us\" is not 1ms to 1s" },
	{ PEERS "burst_interval = 0\n", "f:3: [mesh] burst_interval: \"0\" is not 1ms to 1s" },
	{ PEERS "burst_interval = 1001ms\n", "f:3: [mesh] burst_interval: \"1001ms\" is not 1ms to 1s" },
	{ PEERS "burst_interval = no\n", "f:3: [mesh] burst_interval: \"no\" is not 1ms to 1s" },
	{ PEERS "interval = 20\n", "f:3: [mesh] interval: \"20\" is not 1ms to 1s" },
	{ PEERS "interval = 20 ms\n", "f:3: [mesh] interval: \"20 ms\" is not 1ms to 1s" },
	{ PEERS "interval = 20ppm\n", "f:3: [mesh] interval: \"20ppm\" is not 1ms to 1s" },
	{ PEERS "interval = 1h\n", "f:3: [mesh] interval: \"1h\" is not 1ms to 1s" },
	{ PEERS "interval = -20ms\n", "f:3: [mesh] interval: \"-20ms\" is not 1ms to 1s" },
	{ PEERS "interval = auto\n", "f:3: [mesh] interval: \"auto\" is not 1ms to 1s" },
	{ PEERS "tolerance = 100.5ns\n", "f:3: [mesh] tolerance: \"100.5ns\" is not auto or 100ns to 1ms" },
	{ PEERS "tolerance = 99ns\n", "f:3: [mesh] tolerance: \"99ns\" is not auto or 100ns to 1ms" },
	{ PEERS "tolerance = none\n", "f:3: [mesh] tolerance: \"none\" is not auto or 100ns to 1ms" },
	{ PEERS "coded = true\n", "f:3: [mesh] coded: \"true\" is not no or yes" },
	{ PEERS "coded = y\n", "f:3: [mesh] coded: \"y\" is not no or yes" },
	{
		PEERS "timestamping = auto software\n",
		"f:3: [mesh] timestamping: \"auto software\" is not auto, software, hardware or hardware-receive",
	},
	{
		PEERS "[output]\nmode = observe\n",
		"f:4: [output] mode: \"observe\" is not publish, steer, sock or none",
	},
	{
		PEERS "[output]\nmax_slew = 501ppm\n",
		"f:4: [output] max_slew: \"501ppm\" is not 1ppm to 500ppm",
	},
	{
		PEERS "[node]\nname = a b\n",
		"f:4: [node] name: \"a b\" is not auto or a name of 1 to 31 letters, digits, \".\", \"_\" or \"-\"",
	},
	{
		PEERS "[node]\nname = -a\n",
		"f:4: [node] name: \"-a\" is not auto or a name of 1 to 31 letters, digits, \".\", \"_\" or \"-\"",
	},
	{
		PEERS "[node]\ndrift_file = drift\n",
		"f:4: [node] drift_file: \"drift\" is not none or an absolute path of up to 255 characters",
	},
	{ PEERS "[node]\nid = 0\n", "f:4: [node] id: \"0\" is not auto or 1 to 65535" },
	{ PEERS "[node]\nid = 4\n", "f:4: [node] id: 4 is missing in [mesh] peers" },
	{
		PEERS "[node]\ninterface = " NAME64 NAME64 "\n",
		"f:4: [node] interface: \"" NAME64 NAME16 NAME16 "abcd\" is not a device name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a a\n",
		"f:4: [node] interface: \"a\" is given twice: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a/1us\n",
		"f:4: [node] interface: \"a/1us\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a/\n",
		"f:4: [node] interface: \"a/\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a/1us/\n",
		"f:4: [node] interface: \"a/1us/\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a//1us\n",
		"f:4: [node] interface: \"a//1us\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a/1/1us\n",
		"f:4: [node] interface: \"a/1/1us\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a/1us/x\n",
		"f:4: [node] interface: \"a/1us/x\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a/1us/1us/1us\n",
		"f:4: [node] interface: \"a/1us/1us/1us\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = b a/1.000001ms/0\n",
		"f:4: [node] interface: \"a/1.000001ms/0\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a/0/-1000001ns\n",
		"f:4: [node] interface: \"a/0/-1000001ns\" does not have two times after its name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = /1us/1us\n",
		"f:4: [node] interface: \"/1us/1us\" is not a device name: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a/1us/1us a\n",
		"f:4: [node] interface: \"a\" is given twice: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		PEERS "[node]\ninterface = a a/1us/2us\n",
		"f:4: [node] interface: \"a/1us/2us\" is given twice: it takes auto or 1 to 16 devices, each NAME[/TX_COMP/RX_COMP]",
	},
	{
		"[mesh]\npeers = 10.0.0.1\n",
		"f:2: [mesh] peers: \"10.0.0.1\" is below the minimum number: it takes 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]",
	},
	{
		"[mesh]\npeers = 10.0.0.1\n  10.0.0.300\n",
		"f:3: [mesh] peers: \"10.0.0.300\" has no IPv4 or IPv6 address, nor a host name: it takes 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]",
	},
	{
		"[mesh]\npeers = 10.0.0.1\n# no\n\n  10.0.0.2 host_1\n",
		"f:5: [mesh] peers: \"host_1\" has no IPv4 or IPv6 address, nor a host name: it takes 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]",
	},
	{
		"[mesh]\npeers = 10.0.0.1 010.0.0.2\n",
		"f:2: [mesh] peers: \"010.0.0.2\" has no IPv4 or IPv6 address, nor a host name: it takes 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]",
	},
	{
		"[mesh]\npeers = 1=10.0.0.1 10.0.0.2\n",
		"f:2: [mesh] peers: \"10.0.0.2\" differs from the hosts before it: either all or none have an id: it takes 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]",
	},
	{
		"[mesh]\npeers = 0=10.0.0.1 1=10.0.0.2\n",
		"f:2: [mesh] peers: \"0=10.0.0.1\" is not an id, 1 to 65535: it takes 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]",
	},
	{
		"[mesh]\npeers = 1=10.0.0.1 1=10.0.0.2\n",
		"f:2: [mesh] peers: \"10.0.0.2\" has the same id as another: it takes 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]",
	},
	{ "[mesh]\npeers = 1=10.0.0.1 2=10.0.0.1/b\n", "has the same address as another" },
	{
		"[mesh]\npeers = 10.0.0.1/a 10.0.0.2/a\n",
		"f:2: [mesh] peers: \"a\" has the same name as another: it takes 2 to 4096 hosts, each [ID=]ADDRESS[/NAME]",
	},
	{ "[mesh]\npeers = 10.0.0.1/ 10.0.0.2\n", "does not have a name of 1 to 31 letters" },
	{
		"[mesh]\npeers = 10.0.0.1 224.0.0.1\n",
		"\"224.0.0.1\" is a multicast or reserved address",
	},
	{ "[mesh]\npeers = 10.0.0.1 255.255.255.255\n", "is a multicast or reserved address" },
	{ "[mesh]\npeers = 10.0.0.1 0.0.0.0\n", "is not a host's address" },
	{ "[mesh]\npeers = fd00::1 ::\n", "is not a host's address" },
	{ "[mesh]\npeers = fd00::1 ff02::1\n", "is a multicast address" },
	{ "[mesh]\npeers = fd00::1 fe80::1\n", "is a link-local address" },
	{ "[mesh]\npeers = fd00::1 fe80::1%eth0\n", "has no IPv4 or IPv6 address" },
	{ "[mesh]\npeers = fd00::1 ::ffff:10.0.0.1\n", "is an IPv4 address and must be written as one" },
	{
		"[mesh]\npeers = 10.0.0.1 fd00::1\n",
		"\"fd00::1\" differs from the first host in address family",
	},
	{
		"[mesh]\npeers = 10.0.0.1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
		"is too long",
	},
	{
		PEERS "asymmetry = 1-2\n",
		"f:3: [mesh] asymmetry: \"1-2\" is none: it takes none or 1 to 4096 of ID-ID:TIME, at most 10ms",
	},
	{ PEERS "asymmetry = 1-1:1us\n", "\"1-1:1us\" is none" },
	{ PEERS "asymmetry = 1-2:11ms\n", "\"1-2:11ms\" is none" },
	{ PEERS "asymmetry = 1-2:5\n", "\"1-2:5\" is none" },
	{ PEERS "asymmetry = 1-2:1us 2-1:1us\n", "\"2-1:1us\" gives the same pair twice" },
	{
		PEERS "max_asymmetry = 101%\n",
		"f:3: [mesh] max_asymmetry: \"101%\" is out of range: it takes 0% to 100%",
	},
	{
		PEERS "[output]\nclockbound = /run/shm0\n",
		"f:4: [output] clockbound: its clients need UTC: set [coordinator] reference to utc:ID",
	},
	{ PEERS "[coordinator]\nreference = 1\n[output]\nclockbound = /run/shm0\n", "its clients need UTC" },
	{
		PEERS "[coordinator]\nreference = utc:1\n[output]\nclockbound = /a\nline_file = /a\n",
		"f:6: [output] clockbound: /a is line_file, too",
	},
	{ PEERS "[output]\nline_file = line\n", "[output] line_file: \"line\" is not none or an absolute path" },
	{ PEERS "[coordinator]\nutc_error = 0\n", "[coordinator] utc_error: \"0\" is not auto or 1ns to 1s" },
	{ PEERS "[coordinator]\nutc_error = 2s\n", "\"2s\" is not auto or 1ns to 1s" },
	{ PEERS "max_asymmetry = -1%\n", "\"-1%\" is out of range" },
	{ PEERS "max_asymmetry = 2\n", "\"2\" is out of range" },
	{ PEERS "max_asymmetry = half\n", "\"half\" is out of range" },
	{ PEERS "asymmetry = 1-4:1us\n", "f:3: [mesh] asymmetry: 4 is missing in [mesh] peers" },
	{
		PEERS "[coordinator]\ncandidates = 1 2 1\n",
		"[coordinator] candidates: \"1\" is given twice: it takes all or 1 to 16 ids of peers",
	},
	{
		PEERS "[coordinator]\ncandidates = 1 x\n",
		"f:4: [coordinator] candidates: \"x\" is not an id, 1 to 65535: it takes all or 1 to 16 ids of peers",
	},
	{
		PEERS "[coordinator]\ncandidates = 1 9\n",
		"f:4: [coordinator] candidates: 9 is missing in [mesh] peers",
	},
	{
		PEERS "[coordinator]\nreference = 9\n",
		"f:4: [coordinator] reference: 9 is missing in [mesh] peers",
	},
	{
		PEERS "interval = 60ms\n",
		"f:3: [mesh] interval: 60ms gives less than 40 pairs in a window of 2s",
	},
	{ PEERS "window = 500ms\n", "gives less than 40 pairs in a window of 500ms" },
	{
		PEERS "[coordinator]\ndead = 1s\n",
		"f:4: [coordinator] dead: 1s is less than 3 times hello, 500ms",
	},
	{
		PEERS "interval = 1ms\n",
		"f:3: [mesh] interval: 1ms with 2 neighbours is 4800000 bit/s of probes, at most 3000000",
	},
	{
		PEERS " 10.0.0.4 10.0.0.5 10.0.0.6\ndegree = 2\ninterval = 2ms\n",
		"f:5: [mesh] interval: 2ms with 4 neighbours is 4800000 bit/s of probes, at most 3000000",
	},
	{ PEERS "window = 6s\n", "f: [output] valid: 5s is less than two windows of 6s" },
	{ PEERS "\x01\n", "f:3: character 0x01 is not text" },
	{ PEERS "# \x7f\n", "f:3: character 0x7f is not text" },
};

static void test_refused(void)
{
	size_t i;

	for (i = 0; i < N(refusals); i++) {
		const struct refusal *r = &refusals[i];
		int result = parse(r->text);

		if (!tap_ok(result == -1 && strstr(error.text, r->message) &&
			    (strncmp(r->message, "f:", 2) || !strcmp(error.text, r->message)),
			    "refused: %.*s", (int)strcspn(r->message, "\n"), r->message))
			tap_remark("%d %s", result, error.text);
	}
	tap_ok(conf_parse(&conf, "f", "[mesh]\n\0", 8, &error) == -1 &&
	       !strcmp(error.text, "f:2: character 0x00 is not text"), "refused: a zero");
}

/* Bytes that editors add before and after the text. */
static void test_editors(void)
{
	static const struct {
		const char	*name;
		const char	*text;
		size_t		len;
	} wide[] = {
		{ "UTF-16LE", "\xff\xfe[\0m\0", 6 },
		{ "UTF-16BE", "\xfe\xff\0[\0m", 6 },
		{ "UTF-32LE", "\xff\xfe\0\0[\0\0\0", 8 },
		{ "UTF-32BE", "\0\0\xfe\xff\0\0\0[", 8 },
	};
	size_t i;

	tap_ok(!parse("\xef\xbb\xbf" PEERS) && conf.n_peers == 3, "a byte order mark of UTF-8 is taken");
	tap_ok(!parse("\xef\xbb\xbf# a comment\r\n[mesh]\r\npeers = 10.0.0.1 ; first\r\n\t10.0.0.2\r\n\r\nwindow = 1s\r\n") &&
	       conf.n_peers == 2 && conf.window_ns == 1000000000, "and so are lines that end in CR LF");
	tap_ok(parse("[mesh]\n\xef\xbb\xbf" "peers = 10.0.0.1\n") == -1 && strstr(error.text, "f:2: "),
	       "refused: a mark that is not at the beginning");
	tap_ok(parse("\xef\xbb\xbf\xef\xbb\xbf" PEERS) == -1 && strstr(error.text, "f:1: "), "refused: two of them");
	tap_ok(parse("\xef\xbb\xbf" PEERS "\x01\n") == -1 && !strncmp(error.text, "f:3: ", 5), "after a mark lines have their numbers");
	for (i = 0; i < N(wide); i++)
		tap_ok(conf_parse(&conf, "f", wide[i].text, wide[i].len, &error) == -1 &&
		       !strcmp(error.text, "f:1: it is UTF-16 or UTF-32, by its byte order mark: save it as UTF-8"),
		       "refused by its name: %s", wide[i].name);
}

static int give(const struct conf_key *key, const char *value)
{
	char text[512];

	snprintf(text, sizeof(text), "[%s]\n%s = %s\n" PEERS, key->section, key->name, value);
	return parse(text);
}

/* Both ends of every range are good by themselves, what is beyond is refused. */
static void test_range(const struct conf_key *key)
{
	enum unit_kind unit = (enum unit_kind)key->kind;
	const struct unit_text least = unit_format_signed(unit, key->least);
	const struct unit_text most = unit_format_signed(unit, key->most);
	const struct unit_text beyond[] = {
		unit_format_signed(unit, key->least - 1), unit_format_signed(unit, key->most + 1),
	};
	char range[CONF_RANGE_MAX], message[512];
	size_t i;

	/* A rule between keys may refuse it, which then does not name its range. */
	give(key, least.text);
	tap_ok(!strstr(error.text, "is not"), "%s.%s: %s is taken", key->section, key->name, least.text);
	give(key, most.text);
	tap_ok(!strstr(error.text, "is not"), "%s.%s: %s is taken", key->section, key->name, most.text);
	for (i = 0; i < N(beyond); i++) {
		give(key, beyond[i].text);
		snprintf(message, sizeof(message), "[%s] %s: \"%s\" is not %s", key->section,
			 key->name, beyond[i].text, conf_key_range(key, range));
		if (!tap_ok(strstr(error.text, message), "%s.%s: %s is refused, with the range",
			    key->section, key->name, beyond[i].text))
			tap_remark("%s", error.text);
	}
}

static void test_table(void)
{
	size_t i, j;

	for (i = 0; i < huygens_table.n; i++) {
		const struct conf_key *key = &huygens_table.keys[i];

		if (key->kind <= CONF_KEY_PPB)
			test_range(key);
		for (j = 0; j < i; j++)
			if (conf_key_find(&huygens_table, key->section, key->name) != key)
				tap_ok(false, "%s.%s is there once", key->section, key->name);
		if (strlen(key->what) > 72 || key->what[strlen(key->what) - 1] == '.')
			tap_ok(false, "%s.%s: its line is short", key->section, key->name);
	}
	tap_ok(true, "%zu keys", huygens_table.n);
}

static void test_values(void)
{
	static const struct {
		enum unit_kind unit;
		const char *text;
		int64_t value;
	} good[] = {
		{ UNIT_TIME, "0", 0 }, { UNIT_TIME, "0ns", 0 }, { UNIT_TIME, "1.5us", 1500 },
		{ UNIT_TIME, "0.000000001s", 1 }, { UNIT_TIME, "1.000000000000s", 1000000000 },
		{ UNIT_TIME, "0.25min", 15000000000 }, { UNIT_TIME, "-10ms", -10000000 },
		{ UNIT_TIME, "9223372036854775807ns", INT64_MAX }, { UNIT_TIME, "9223372036s", 9223372036000000000 },
		{ UNIT_PPB, "0.1ppm", 100 }, { UNIT_PPB, "5ppb", 5 }, { UNIT_COUNT, "007", 7 },
		{ UNIT_COUNT, "-3", -3 }, { UNIT_TIME, "1S", 1000000000 },
	};
	static const struct {
		enum unit_kind unit;
		const char *text;
	} bad[] = {
		{ UNIT_TIME, "" }, { UNIT_TIME, "-" }, { UNIT_TIME, "1" }, { UNIT_TIME, "1." }, { UNIT_TIME, ".5s" },
		{ UNIT_TIME, "1.s" }, { UNIT_TIME, "1.5" }, { UNIT_TIME, "0.0000000001s" }, { UNIT_TIME, "1.5ns" },
		{ UNIT_TIME, "9223372037s" }, { UNIT_TIME, "9223372036854775808ns" },
		{ UNIT_TIME, "1s " }, { UNIT_TIME, " 1s" }, { UNIT_TIME, "--1s" }, { UNIT_TIME, "1e3s" },
		{ UNIT_TIME, "0.0" }, { UNIT_TIME, "nan" }, { UNIT_TIME, "inf" }, { UNIT_PPB, "1" }, { UNIT_PPB, "1s" },
		{ UNIT_PPB, "0.5ppb" }, { UNIT_COUNT, "1ppb" }, { UNIT_COUNT, "1.0000000000000000000000000000001" },
	};
	struct unit_text text = { "" };
	int64_t value, again;
	size_t i;
	int same = 1;

	for (i = 0; i < N(good); i++)
		tap_ok(!unit_parse_signed(good[i].unit, good[i].text, &value) && value == good[i].value,
		       "%s is %" PRId64, good[i].text, good[i].value);
	for (i = 0; i < N(bad); i++) {
		value = 42;
		tap_ok(unit_parse_signed(bad[i].unit, bad[i].text, &value) && value == 42,
		       "\"%s\" is no number", bad[i].text);
	}
	srandom(1);
	for (i = 0; i < 100000 && same; i++) {
		enum unit_kind unit = i % 3;

		value = ((int64_t)random() << 32 ^ random()) >> random() % 63;
		if (i & 1)
			value -= value % 1000000;
		text = unit_format_signed(unit, value);
		same = !unit_parse_signed(unit, text.text, &again) && again == value;
	}
	tap_ok(same, "100000 random numbers are read as they were printed");
	if (!same)
		tap_remark("%" PRId64 " %s %" PRId64, value, text.text, again);
}

static union conf_address ip(const char *text)
{
	union conf_address address = { .in.sin_family = AF_INET };

	if (inet_pton(AF_INET, text, &address.in.sin_addr) != 1) {
		address.in6.sin6_family = AF_INET6;
		inet_pton(AF_INET6, text, &address.in6.sin6_addr);
	}
	return address;
}

static void test_identity(void)
{
	union conf_address local[] = { ip("127.0.0.1"), ip("10.0.0.2"), ip("fd00::1"), ip("10.0.0.3") };
	union conf_address *all;

	parse(PEERS);
	tap_ok(!conf_identify(&conf, local, 3, &error) && conf.self == 1, "a host is found by its address");
	tap_ok(conf_identify(&conf, local, 4, &error) == -1 &&
	       strstr(error.text, "this host has the addresses of both 10.0.0.2 and 10.0.0.3"),
	       "two addresses of the list: refused, with both");
	tap_ok(conf_identify(&conf, local, 1, &error) == -1 &&
	       strstr(error.text, "no peer has an address of this host"), "none: refused");
	tap_ok(conf_identify(&conf, NULL, 0, &error) == -1, "a host without addresses: refused");
	parse(PEERS "[node]\nid = 3\n");
	tap_ok(!conf_identify(&conf, local, 4, &error) && conf.self == 2, "[node] id decides");
	tap_ok(conf_local(&all) >= 1 && all, "this machine has an address");
	free(all);
}

static char path[] = "/tmp/huygens-conf.XXXXXX";

static void write_file(const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static int reload(const char *text)
{
	union conf_address local[] = { ip("10.0.0.2") };
	struct huygens_conf next;

	write_file(text);
	if (conf_reload(&next, &conf, path, local, 1, &error)) {
		conf_free(&next);
		return -1;
	}
	conf_free(&conf);
	conf = next;
	return 0;
}

/* A change of each key that is not live, and what else would be applied with it. */
static void test_reload(void)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "[log]\nlevel = debug\n[mesh]\npeers = 10.0.0.2 10.0.0.1 10.0.0.3\n",
		  ":4: [mesh] peers: this host would have another id or address: a change needs a restart" },
		{ "[log]\nlevel = debug\n[mesh]\npeers = 10.0.0.1 10.0.0.3\n", "[mesh] peers: no peer has an address of this host" },
		{ "[log]\nlevel = debug\n[mesh]\npeers = 10.0.0.1 10.0.0.2 new.example\n",
		  ":4: [mesh] peers: host name \"new.example\" is new, and names are looked up at start only" },
		{ "[log]\nlevel = debug\n" PEERS "transition = 9s\n", "[mesh] transition: \"9s\" is not 10s to" },
		{ "[log]\nlevel = debug\n" PEERS "[coordinator]\ncandidates = 9\n", "[coordinator] candidates: 9 is missing in [mesh] peers" },
		{ "[log]\nlevel = debug\n" PEERS "[coordinator]\nreference = 1\n", "[coordinator] reference: a change needs a restart" },
		{ "[log]\nlevel = debug\n" PEERS "[node]\ninterface = eth0\n", "[node] interface: a change needs a restart" },
		{ "[log]\nlevel = debug\n" PEERS "[node]\ninterface = eth0/1ns/1ns\n", "[node] interface: a change needs a restart" },
		{ "[log]\nlevel = debug\n" PEERS "[node]\nport = 1\n", "[node] port: a change needs a restart" },
		{ "[log]\nlevel = debug\n" PEERS "[security]\nkey_file = /k\n", "[security] key_file: a change needs a restart" },
		{ "[log]\nlevel = debug\n" PEERS "[output]\nmode = none\n", "[output] mode: a change needs a restart" },
		{ "[log]\nlevel = debug\n" PEERS "[output]\nstep = x\n", ":6: [output] step: \"x\" is not 0 to" },
		{ "[log]\nlevel = debug\n", "[mesh] peers: must be given" },
	};
	struct huygens_conf was;
	size_t i;

	parse(PEERS);
	conf.self = 1;
	close(mkstemp(path));
	for (i = 0; i < N(bad); i++) {
		was = conf;
		if (!tap_ok(reload(bad[i].text) == -1 && strstr(error.text, bad[i].message) &&
			    !memcmp(&was, &conf, sizeof(was)),
			    "reload: refused, and nothing changed: %s", bad[i].message))
			tap_remark("%s", error.text);
	}
	tap_ok(!reload(PEERS "max_asymmetry = 12.5%\n") && conf.max_asymmetry_ppm == 125000,
	       "reload: max_asymmetry");
	tap_ok(!reload(PEERS "asymmetry = 1-2:3us\ninterval=10ms\n[output]\nstep = 0\nvalid=20s\n[log]\nlevel = debug\ntracking=yes\n") &&
	       conf.n_asymmetries == 1 && conf.interval_ns == 10000000 && !conf.step_ns &&
	       conf.valid_ns == 20000000000 && conf.level == LOG_LEVEL_DEBUG && conf.tracking,
	       "reload: what is live is taken");
	tap_ok(!reload("[mesh]\npeers = 10.0.0.1 10.0.0.2 10.0.0.9/new\ndegree = 2\nseed = 7\n[coordinator]\ncandidates = 2\n") &&
	       conf.n_peers == 3 && conf.degree == 2 && conf.seed == 7 && conf.n_candidates == 1, "reload: other peers");
	tap_ok(conf.self == 1 && !strcmp(conf.peers[1].name, "10.0.0.2"), "reload: still the same host");
	tap_ok(!reload(PEERS) && conf.level == LOG_LEVEL_INFO && !conf.n_asymmetries, "reload: defaults come back");
	unlink(path);
	conf_free(&conf);
	tap_ok(conf_read(&conf, path, &error) == -1 && strstr(error.text, ": cannot read it: No such file"),
	       "no file: refused");
	tap_ok(conf_read(&conf, "/tmp", &error) == -1 && strstr(error.text, "/tmp: cannot read it: Is a directory"),
	       "a folder: refused");
	tap_ok(conf_read(&conf, "/dev/zero", &error) == -1 && strstr(error.text, "cannot read it"), "a device: refused");
}

/* As many peers as there may be, and one more. */
static void test_many(void)
{
	char *text = malloc(1 << 20);
	size_t n = sprintf(text, "[mesh]\npeers =\n");
	int i;

	for (i = 0; i < CONF_PEERS_MAX; i++)
		n += sprintf(text + n, " %d=10.1.%d.%d/h%d\n", 65535 - i, i >> 8, i & 255, i);
	tap_ok(!parse(text) && conf.n_peers == CONF_PEERS_MAX && conf.peers[0].id == 65536 - CONF_PEERS_MAX &&
	       conf_find(&conf, 65535) == &conf.peers[CONF_PEERS_MAX - 1], "%d peers", CONF_PEERS_MAX);
	sprintf(text + n, " 1=10.2.0.0\n");
	if (!tap_ok(parse(text) == -1 && strstr(error.text, "f:4099: [mesh] peers: \"1=10.2.0.0\" exceeds the maximum number"),
		    "and one too many, with its line"))
		tap_remark("%s", error.text);
	n += sprintf(text + n, "[coordinator]\ncandidates =");
	for (i = 0; i < CONF_CANDIDATES_MAX; i++)
		n += sprintf(text + n, " %d", 65535 - i);
	sprintf(text + n, "\n");
	tap_ok(!parse(text) && conf.n_candidates == CONF_CANDIDATES_MAX, "%d candidates", CONF_CANDIDATES_MAX);
	sprintf(text + n, " 65000\n");
	if (!tap_ok(parse(text) == -1 && strstr(error.text, "[coordinator] candidates: \"65000\" exceeds the maximum number: it takes all or 1 to 16 ids"),
		    "and one too many, that none is left out without a message"))
		tap_remark("%s", error.text);
	free(text);
	text = calloc(1, (1 << 20) + 2);
	memset(text, '\n', (1 << 20) + 1);
	tap_ok(parse(text) == -1 && !strcmp(error.text, "f: more than 1048576 characters"), "refused: a file too long");
	free(text);
}

int main(void)
{
	test_values();
	test_defaults();
	test_accepted();
	test_refused();
	test_editors();
	test_table();
	test_identity();
	test_reload();
	test_many();
	conf_free(&conf);
	return tap_done();
}
