// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the parser of topology scripts: what is accepted and what it becomes, what is
 * refused and by which message, and random damage, which must only ever end in a
 * script or in an error that names a line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../../../selftests/unit/random.h"
#include "../../../selftests/lib/tap.h"
#include "../topology.h"

#define TWO "ns a\nns b\n"
#define LINK TWO "link a e b f rate=1000000 delay=5\n"
#define EPOCH LINK "epoch 1000\n"

static const char whole[] =
	"# a topo with everything\n"
	"module labnic.ko\n"
	"module sub/x.ko a=1  b=2\n"
	"\n"
	"ns a\n"
	"  ns b\t\n"
	"link a eth0 b p0 rate=10000000000 delay=5000 b.profile=switch a.seed=7 mtu=9000 b.queues=4 a.phc=1 a.mac=02:00:00:00:00:0a\n"
	"bridge b br0 p0\n"
	"addr a eth0 10.0.0.1/24\n"
	"addr b p0 fd00::1/64\n"
	"route a 0.0.0.0/0 via 10.0.0.2 dev eth0\n"
	"route a fd01::/64 via fd00::1 dev eth0 fd00::2 dev eth1 initcwnd=4 quickack=1\n"
	"neigh a eth0 10.0.0.9 02:00:00:00:00:01\n"
	"sysctl a net.ipv4.tcp_rmem 4096 131072 6291456\n"
	"sysctl - kernel.panic 1\n"
	"clock a - offset=-1000 rate=20000 wander=5 ramp=-1 seed=7\n"
	"exec a tc qdisc show\n"
	"epoch 3000000000\n"
	"deadline 60000000000\n"
	"watch b p0 from=10 until=20 sample=5\n"
	"clock a eth0 step=-5 at=0\n"
	"pcap a eth0 x/y.pcap\n"
	"pcap a eth0 z.pcap snap=96\n"
	"spawn a iperf3 -s\n"
	"wait 0\n"
	"flowgen --seed 1\n"
	"collect b p0 bottleneck\n";

static bool read_text(struct topo *topo, const char *text, size_t len)
{
	FILE *file = fmemopen((void *)text, len, "r");
	bool ok = topo_read(topo, file);

	fclose(file);
	return ok;
}

static void everything(void)
{
	const struct topo_end *end, *other;
	const struct topo_step *s;
	struct topo topo;

	if (!tap_ok(read_text(&topo, whole, strlen(whole)), "a whole topo"))
		tap_remark("%s", topo.error);
	tap_ok(topo.n_steps == 25 && topo.n_ns == 3 &&
	       topo.epoch == 3000000000 && topo.deadline == 60000000000,
	       "its steps, namespaces, epoch and deadline");
	s = topo.step;
	tap_ok(s[1].kind == TOPO_MODULE && !strcmp(s[1].text, "sub/x.ko") &&
	       !strcmp(s[1].value, "a=1 b=2") && s[1].line == 3,
	       "module with parameters");
	end = topo_find_end(&topo, 1, "eth0", &other);
	tap_ok(end && other->ns == 2 && !strcmp(other->dev, "p0") &&
	       !topo_find_end(&topo, 2, "eth0", NULL), "find an end");
	tap_ok(end->value[IFLA_LABNIC_RATE] == 10000000000 &&
	       other->value[IFLA_LABNIC_DELAY] == 5000 && end->mtu == 9000 &&
	       other->mtu == 9000, "link keys for both ends");
	tap_ok(!(end->given & 1ULL << IFLA_LABNIC_PROFILE) &&
	       other->value[IFLA_LABNIC_PROFILE] == LABNIC_PROFILE_SWITCH &&
	       end->value[IFLA_LABNIC_SEED] == 7 && !end->queues &&
	       other->queues == 4 && end->mac[5] == 10 && other->mac[5] == 1,
	       "link keys for one end");
	tap_ok(s[5].kind == TOPO_BRIDGE && s[5].ns == 2 && !strcmp(s[5].dev, "br0") &&
	       !strcmp(s[5].argv[0], "p0") && !s[5].argv[1], "bridge");
	tap_ok(s[7].address.family == AF_INET6 && s[7].address.plen == 64 &&
	       s[7].address.bytes[0] == 0xfd, "IPv6 address");
	tap_ok(s[9].nhops == 2 && !strcmp(s[9].hop[1].dev, "eth1") &&
	       s[9].hop[1].via.bytes[15] == 2, "route with two next hops");
	tap_ok(s[9].initcwnd == 4 && s[9].quickack == 1 && !s[8].initcwnd &&
	       !s[8].quickack, "route with and without keys");
	tap_ok(!strcmp(s[11].value, "4096 131072 6291456") &&
	       s[12].ns == TOPO_NS_ROOT, "sysctl");
	tap_ok(s[13].clock->given == 0x1f && !*s[13].dev &&
	       s[13].clock->value[OSC_OFFSET] == -1000 &&
	       s[13].clock->value[OSC_RAMP] == -1, "a host's clock");
	tap_ok(!strcmp(s[14].argv[0], "tc") && !strcmp(s[14].argv[2], "show") &&
	       !s[14].argv[3], "exec");
	tap_ok(s[17].from == 10 && s[17].until == 20 && s[17].sample == 5,
	       "watch");
	tap_ok(!strcmp(s[18].dev, "eth0") && !s[18].clock->value[OSC_AT] &&
	       s[18].clock->value[OSC_STEP] == -5, "a NIC's clock");
	tap_ok(s[19].snap == 262144 && s[20].snap == 96 &&
	       !strcmp(s[20].text, "z.pcap"), "pcap");
	tap_ok(!strcmp(s[23].argv[0], "flowgen") &&
	       !strcmp(s[23].argv[2], "1"), "flowgen");
	topo_free(&topo);
}

static const struct {
	const char *text;
	const char *error;
} refused[] = {
	{ "bogus\n", "topology:1: unknown directive 'bogus'" },
	{ "\n\n ns\n", "topology:3: ns needs at least 1 arguments" },
	{ "ns a b\n", "'b' is too many" },
	{ "ns ..\n", "namespace '..'" },
	{ "ns a/b\n", "namespace 'a/b'" },
	{ "ns -\n", "is defined twice" },
	{ "ns a\nns a\n", "topology:2: namespace 'a' is defined twice" },
	{ "module /etc/x.ko\n", "must be a relative path" },
	{ "module a/../x.ko\n", "must not contain .." },
	{ LINK "bridge b br0\n", "bridge needs at least 3 arguments" },
	{ LINK "bridge c br0 f\n", "namespace 'c' is not defined" },
	{ LINK "bridge b f f\n", "interface f of b is defined twice" },
	{ LINK "bridge b br/0 f\n", "interface 'br/0'" },
	{ LINK "bridge b br0 e\n", "no link above has the interface e in b" },
	{ LINK "bridge b br0 f f\n", "port f is given twice" },
	{ TWO "link a e b f rate=1000000 delay=5 pause=2\n",
	  "pause=2: must be an integer from 0 to 1" },
	{ "link a e b f rate=1000000 delay=0\n", "namespace 'a' is not defined" },
	{ TWO "link a e b f rate=1000000 mtu=100\n", "rate= and delay=" },
	{ TWO "link a e b f a.rate=1000000 delay=0\n", "rate= and delay=" },
	{ TWO "link a e a e rate=1000000 delay=0\n", "same name" },
	{ TWO "link a 1234567890123456 b f rate=1000000 delay=0\n",
	  "1 to 15 letters" },
	{ LINK "link a e b g rate=1000000 delay=5\n", "e of a is defined twice" },
	{ TWO "link a e b f rate=999999 delay=0\n",
	  "rate=999999: must be an integer from 1000000 to 400000000000" },
	{ TWO "link a e b f rate=400000000001 delay=0\n", "rate=400000000001" },
	{ TWO "link a e b f rate=10gbit delay=0\n", "rate=10gbit" },
	{ TWO "link a e b f rate=-1 delay=0\n", "rate=-1" },
	{ TWO "link a e b f rate=99999999999999999999999 delay=0\n", "rate=9999" },
	{ TWO "link a e b f rate=1000000 delay=1000000001\n",
	  "delay=1000000001: must be an integer from 0 to 1000000000" },
	{ TWO "link a e b f rate=1000000 delay=0 ring=0\n", "from 1 to 4096" },
	{ TWO "link a e b f rate=1000000 delay=0 ring=4097\n", "from 1 to 4096" },
	{ TWO "link a e b f rate=1000000 delay=0 tso=2\n", "from 0 to 1" },
	{ TWO "link a e b f rate=1000000 delay=0 jitter=10000001\n", "jitter=" },
	{ TWO "link a e b f rate=1000000 delay=0 mtu=67\n", "from 68 to 65517" },
	{ TWO "link a e b f rate=1000000 delay=0 queues=65\n", "from 1 to 64" },
	{ TWO "link a e b f rate=1000000 delay=0 c.ring=1\n",
	  "unknown key 'c.ring'" },
	{ TWO "link a e b f rate=1000000 delay=0 ring\n", "is not key=value" },
	{ TWO "link a e b f rate=1000000 delay=0 profile=card\n",
	  "must be host or switch" },
	{ TWO "link a e b f rate=1000000 delay=0 mac=02:00:00:00:00:01\n",
	  "mac is for one end" },
	{ TWO "link a e b f rate=1000000 delay=0 a.mac=03:00:00:00:00:01\n",
	  "unicast" },
	{ TWO "link a e b f rate=1000000 delay=0 a.mac=xyz\n",
	  "not a MAC address" },
	{ LINK "addr a e 10.0.0.1\n", "with /LENGTH" },
	{ LINK "addr a e 10.0.0.1/33\n", "from 0 to 32" },
	{ LINK "addr a e fd00::1/129\n", "from 0 to 128" },
	{ LINK "addr a e 10.0.0.256/8\n", "is not an address" },
	{ LINK "route a 10.0.0.0/8 dev 10.0.0.1 dev e\n", "expected: via" },
	{ LINK "route a 10.0.0.0/8 via 10.0.0.1 dev e 10.0.0.2\n",
	  "expected: via" },
	{ LINK "route a 10.0.0.0/8 via fd00::1 dev e\n",
	  "another address family" },
	{ LINK "route a 10.0.0.0/8 via 10.0.0.1 on e\n", "dev was expected" },
	{ LINK "route a 10.0.0.0/8 via 10.0.0.1 dev e initcwnd=0\n",
	  "initcwnd=0: must be an integer from 1 to 65535" },
	{ LINK "route a 10.0.0.0/8 via 10.0.0.1 dev e quickack=2\n",
	  "quickack=2: must be an integer from 0 to 1" },
	{ LINK "route a 10.0.0.0/8 via 10.0.0.1 dev e mtu=9000\n",
	  "unknown key 'mtu'" },
	{ LINK "route a 10.0.0.0/8 via initcwnd=4 quickack=1 initcwnd=5\n",
	  "expected: via" },
	{ LINK "neigh a e 10.0.0.1 00:00:00:00:00:00\n", "unicast" },
	{ LINK "sysctl a net/../../x 1\n", "is not a sysctl key" },
	{ LINK "sysctl a /net/x 1\n", "is not a sysctl key" },
	{ LINK "clock a -\n", "clock needs at least 3 arguments" },
	{ "clock a - offset=1\n", "namespace 'a' is not defined" },
	{ LINK "clock a x offset=1\n", "has the interface x" },
	{ LINK "clock a e offset=1\n", "e has no clock, its link wants phc=1" },
	{ LINK "clock a - offset\n", "is not key=value" },
	{ LINK "clock a - colour=1\n", "unknown key 'colour'" },
	{ LINK "clock a - rate=1 rate=2\n", "rate= is given twice" },
	{ LINK "clock a - rate=\n", "rate=: must be an integer" },
	{ LINK "clock a - rate=+1\n", "rate=+1" },
	{ LINK "clock a - rate=20ppm\n", "rate=20ppm" },
	{ LINK "clock a - rate=10000001\n",
	  "rate=10000001: must be an integer from -10000000 to 10000000" },
	{ LINK "clock a - offset=-1000000000000001\n", "offset=" },
	{ LINK "clock a - wander=-1\n", "from 0 to 100000" },
	{ LINK "clock a - ramp=-10001\n", "from -10000 to 10000" },
	{ LINK "clock a - seed=9223372036854775808\n", "seed=" },
	{ LINK "clock a - step=1 at=1\n", "an epoch directive" },
	{ EPOCH "clock a - step=1\n", "belong together" },
	{ EPOCH "clock a - at=1\n", "belong together" },
	{ EPOCH "clock a - step=1 at=86400000000001\n", "at=" },
	{ "exec nobody ls\n", "namespace 'nobody' is not defined" },
	{ "epoch 0\n", "from 1 to 86400000000000" },
	{ "epoch 1\nepoch 2\n", "topology:2: a second epoch" },
	{ "wait 5\n", "an epoch directive must stand above" },
	{ LINK "watch a e from=0 until=1 sample=0\n", "an epoch directive" },
	{ EPOCH "watch a x from=0 until=1 sample=0\n", "has the interface x" },
	{ EPOCH "watch a e until=1 from=0 sample=0\n", "from= was expected" },
	{ EPOCH "watch a e from=5 until=5 sample=0\n", "until must be after" },
	{ EPOCH "pcap a e ../x\n", "must not contain .." },
	{ EPOCH "pcap a e x snap=63\n", "snap" },
	{ EPOCH "pcap a e x snap=262145\n", "snap" },
	{ EPOCH "pcap a e x 96\n", "where snap= was expected" },
	{ EPOCH "pcap a lo x\n", "has the interface lo" },
	{ EPOCH "collect a e a/b\n", "name 'a/b'" },
};

static void refusals(void)
{
	struct topo topo;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		bool ok = !read_text(&topo, refused[i].text,
				     strlen(refused[i].text)) &&
			  strstr(topo.error, refused[i].error) &&
			  !strncmp(topo.error, "topology:", 9);

		if (!tap_ok(ok, "refused: %s", refused[i].error))
			tap_remark("error '%s'", topo.error);
		topo_free(&topo);
	}
}

static void long_lines(void)
{
	char *text = malloc(TOPO_LINE_MAX + 3);
	struct topo topo;

	memset(text, ' ', TOPO_LINE_MAX + 2);
	text[TOPO_LINE_MAX - 1] = '\n';
	tap_ok(read_text(&topo, text, TOPO_LINE_MAX), "the longest line");
	topo_free(&topo);
	tap_ok(!read_text(&topo, "ns a\0b\n", 7) &&
	       strstr(topo.error, "zero byte"), "refused: a zero byte");
	topo_free(&topo);
	text[TOPO_LINE_MAX - 1] = ' ';
	tap_ok(!read_text(&topo, text, TOPO_LINE_MAX + 2) &&
	       strstr(topo.error, "longer than"), "refused: a longer line");
	topo_free(&topo);
	free(text);
}

static void random_damage(uint64_t seed)
{
	uint64_t random = seed;
	char text[sizeof(whole)];
	struct topo topo;
	bool ok = true;
	int i, flips;

	for (i = 0; ok && i < 20000; i++) {
		memcpy(text, whole, sizeof(whole));
		for (flips = random_below(&random, 4); flips >= 0; flips--)
			text[random_below(&random, sizeof(whole) - 1)] =
				random_below(&random, 3) ?
				whole[random_below(&random, sizeof(whole) - 1)] :
				(char)random_u64(&random);
		ok = read_text(&topo, text, sizeof(whole) - 1) ||
		     !strncmp(topo.error, "topology:", 9);
		topo_free(&topo);
	}
	tap_ok(ok, "random damage ends in a script or an error, %d scripts", i);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;

	tap_remark("seed %" PRIu64, seed);
	everything();
	refusals();
	long_lines();
	random_damage(seed);
	return tap_done();
}
