// SPDX-License-Identifier: GPL-2.0
/*
 * Why onramp holds nothing, or not all, as the doctor finds it.
 */
#include "findings.h"

#define ACK_PEER	"onrampctl peers add 10.0.0.1"
#define SYSTEM_CLOCK	"onrampctl clock set system error 2us"

static void whole_host(void)
{
	fine("a host that is well");

	h.f.onramp = false;
	h.f.absent = true;
	h.f.acker = false;
	h.f.nr_qdiscs = 0;
	ill("no module", "module-absent", "", "", "modprobe -a sch_onramp onramp_acker");

	h.f.untried = true;
	ill("a kernel that nobody tried", "kernel-untried", "", "", "journalctl -k -p warning");

	h.f.held_off = true;
	snprintf(h.f.held_off_why, sizeof(h.f.held_off_why), "drill");
	ill("holding switched off", "held-off", "", "", "onrampctl hold on");

	memset(&h.f.core, 0, sizeof(h.f.core));
	memset(&h.f.ack, 0, sizeof(h.f.ack));
	memset(&h.f.paths, 0, sizeof(h.f.paths));
	memset(&onramp->n, 0, sizeof(onramp->n));
	memset(&ecn->n, 0, sizeof(ecn->n));
	memset(&eth0->n, 0, sizeof(eth0->n));
	memset(&eth1->n, 0, sizeof(eth1->n));
	onramp->measured = 0;
	onramp->recorded = 0;
	onramp->learned = false;
	ecn->longest_ns = 0;
	fine("nothing happens");
}

static void fq_alone(void)
{
	h.f.nr_qdiscs = 0;
	eth0->acked = false;
	h.f.acker = false;
}

/* Two queues, with onramp on the first only. */
static void two_queues(void)
{
	h.qdiscs[0].parent = 0x80010001;
	h.qdiscs[2] = (struct facts_qdisc){
		.ifindex = 2, .handle = 0x80010000, .parent = TC_H_ROOT, .kind = "mq",
	};
	h.qdiscs[3] = (struct facts_qdisc){ .ifindex = 2, .parent = 0x80010002, .kind = "fq" };
	h.f.nr_qdiscs = 4;
}

static void qdiscs(void)
{
	fq_alone();
	ill("another qdisc", "wrong-qdisc", "eth0", "",
	    "tc qdisc replace dev eth0 root onramp mode hold clock system error 2us");

	fq_alone();
	h.f.scope = 3;
	eth1->queues = 4;
	snprintf(eth1->name, IFNAMSIZ, "e$h");
	ill("another qdisc, many queues, a name that a shell misreads", "wrong-qdisc", "e$h", "",
	    "onramp-mq 'e$h' mode hold clock system error 2us");

	fq_alone();
	h.f.clock.id = ONRAMP_CLOCK_PUBLISHED;
	ill("another qdisc where a clock is published", "wrong-qdisc", "eth0", "",
	    "tc qdisc replace dev eth0 root onramp mode hold clock published");

	h.f.core.acks = 0;
	h.f.core.unknown_peer = 100;
	h.f.nr_qdiscs = 1;
	eth1->n.tx_bytes = 2000000;
	ill("flows leave elsewhere", "wrong-device", "eth1", "",
	    "tc qdisc replace dev eth1 root onramp mode hold clock system error 2us");

	h.f.core.unknown_peer = 79;
	fine("fewer unknown OR-ACKs than others");

	two_queues();
	ill("a queue without", "queue-without", "eth0", "", "onramp-mq eth0");
}

static void links(void)
{
	bond()->bond = true;
	ack_eth2();
	ill("onramp on one link of a bond", "link-without", "eth2", "",
	    "tc qdisc replace dev eth2 root onramp mode hold clock system error 2us");

	bond()->bond = true;
	ack_eth2();
	h.devs[3].up = false;
	fine("a link of a bond, down, without onramp");

	bond();
	ack_eth2();
	fine("a port of a VRF without onramp");

	bond_vlan();
	h.f.scope = h.devs[5].ifindex;
	ill_also("the query is for that VLAN", "wrong-qdisc", "bond0.7", "",
		 "tc qdisc replace dev bond0.7 root onramp mode hold clock system error 2us",
		 "nic-unattached");
}

static void modes(void)
{
	onramp->mode = ONRAMP_MODE_OFF;
	ill("mode off", "mode-off", "eth0", "", CHANGE "mode hold");

	two_queues();
	onramp->mode = ONRAMP_MODE_OFF;
	h.qdiscs[3] = h.qdiscs[0];
	h.qdiscs[3].parent = 0x80010002;
	ill("mode off, each queue", "mode-off", "eth0", "", "onramp-mq eth0 mode hold");

	onramp->mode = ONRAMP_MODE_OFF;
	h.qdiscs[0].parent = 0x1000a;
	h.qdiscs[0].handle = 0;
	ill("mode off, below a class, by itself", "mode-off", "eth0", "",
	    "tc qdisc replace dev eth0 parent 1:a onramp mode hold");

	onramp->mode = ONRAMP_MODE_OFF;
	h.f.scope = 3;
	fine("the query is for another device");

	onramp->mode = ONRAMP_MODE_OBSERVE;
	ill("mode observe", "mode-observe", "eth0", "", CHANGE "mode hold");
}

static void own_clock(void)
{
	no_clock();
	ill("no published clock", "no-clock", "eth0", "", RESTART);

	no_clock();
	h.f.clock.id = ONRAMP_CLOCK_PUBLISHED;
	h.f.clock.usable = false;
	ill_also("a stale clock", "clock-stale", "eth0", "", RESTART, "acker-no-clock");

	published();
	fine("a published clock that is there");

	onramp->error_ns = 150 * US;
	h.f.paths.error_ns = 0;
	ill("an uncertain clock", "clock-uncertain", "eth0", "", CHANGE "max_error 150us");

	onramp->error_ns = 100 * US;
	fine("a clock at its bound");

	h.f.paths.in[ONRAMP_STATE_UNCERTAIN] = ends("10.0.0.3");
	h.f.paths.uncertain_ns = 123456;
	ill("a peer's uncertain clock", "clock-uncertain", "eth0", "",
	    CHANGE "max_error 123.456us");
}

static void peer_no_clock(void)
{
	h.f.paths.in[ONRAMP_STATE_NO_CLOCK] = ends("10.0.0.3");
}

static void peers_clock(void)
{
	peer_no_clock();
	ill("a peer without a clock", "peer-no-clock", "", "10.0.0.3", SYSTEM_CLOCK);

	peer_no_clock();
	off_too();
	ill("a peer without a clock, an onramp that is off", "peer-no-clock", "", "10.0.0.3",
	    SYSTEM_CLOCK);

	peer_no_clock();
	published();
	ill("a peer without the published clock", "peer-no-clock", "", "10.0.0.3", RESTART);

	peer_no_clock();
	h.f.clock.id = ONRAMP_CLOCK_PUBLISHED;
	ill("the system's clock where one is published", "peer-no-clock", "eth0", "",
	    CHANGE "clock published");

	peer_no_clock();
	h.f.clock.id = ONRAMP_CLOCK_PUBLISHED;
	h.f.clock.usable = false;
	ill_also("the system's clock where one was published", "peer-no-clock", "eth0", "",
		 RESTART " && " CHANGE "clock published", "acker-no-clock");
}

static void negative(void)
{
	h.f.paths.in[ONRAMP_STATE_NEGATIVE] = ends("10.0.0.3");
}

static void too_long(void)
{
	h.f.paths.in[ONRAMP_STATE_TOO_LONG] = ends("10.0.0.3");
}

static void stale_stamps(void)
{
	h.f.core.stale = 3;
}

static void suspect(void)
{
	h.f.paths.in[ONRAMP_STATE_SUSPECT] = ends("10.0.0.3");
}

/* Only hosts with the system's clock may have ptp4l. */
static void names_pmc(void (*differ)(void), bool names)
{
	struct findings found = { 0 };

	differ();
	if (!names)
		published();
	finding_all(&h.f, &found);
	if (!tap_ok(found.n && names == !!strstr(found.list->what, "pmc"), "%s: pmc is %snamed",
		    found.n ? found.list->id : "none", names ? "" : "not "))
		tell(&found);
	finding_free(&found);
	well();
}

static void clocks_differ(void)
{
	static const struct {
		const char *name;
		void (*differ)(void);
		const char *id;
	} cases[] = {
		{ "negative delays", negative, "clocks-differ" },
		{ "impossible delays", too_long, "clocks-differ" },
		{ "stamps of another time", stale_stamps, "clocks-differ" },
		{ "a suspect path", suspect, "path-suspect" },
	};
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		cases[i].differ();
		ill(cases[i].name, cases[i].id, "", "", "chronyc tracking");
		cases[i].differ();
		published();
		snprintf(name, sizeof(name), "%s by a published clock", cases[i].name);
		ill(name, cases[i].id, "", "", "huygensctl tracking");
		names_pmc(cases[i].differ, true);
		names_pmc(cases[i].differ, false);
	}

	onramp->threshold_ns = 9 * US;
	h.f.paths.in[ONRAMP_STATE_SUSPECT] = ends("10.0.0.2");
	ill("a threshold below the base", "threshold-low", "eth0", "", CHANGE "threshold auto");
}

static void path_unacked(void)
{
	h.f.paths.in[ONRAMP_STATE_UNACKED] = ends("10.0.0.5");
}

static void unlearned(void)
{
	onramp->n.samples = 0;
	onramp->n.unmatched = 0;
	h.f.paths.unacked = ends("10.0.0.4");
}

static void no_acks(void)
{
	h.f.core.acks = 0;
	onramp->n.samples = 0;
	onramp->n.unmatched = 0;
	h.f.paths.in[ONRAMP_STATE_VALID].n = 0;
	h.f.paths.unacked = ends("10.0.0.2");
}

static void acks(void)
{
	path_unacked();
	ill("an unacknowledged path", "path-unacked", "", "10.0.0.5", ACK_PEER);

	/* An OR-ACK that is dropped for its key arrived. */
	path_unacked();
	h.f.core.stale = 5;
	ill("a path unacknowledged for stamps of another time", "clocks-differ", "", "",
	    "chronyc tracking");

	unlearned();
	ill("nothing learned", "threshold-unlearned", "eth0", "10.0.0.4", ACK_PEER);

	unlearned();
	path_unacked();
	ill("nothing learned of an unacknowledged path", "threshold-unlearned", "eth0", "10.0.0.4",
	    ACK_PEER);

	no_acks();
	ill("no OR-ACKs", "no-acks", "", "10.0.0.2", ACK_PEER);

	no_acks();
	onramp->n.records = 9;
	h.f.core.records = 9;
	fine("a few packets, not acked yet");

	onramp->n.unmatched = 91;
	ill("OR-ACKs too late", "records-lost", "eth0", "", CHANGE "record_idle 10s");

	onramp->n.unmatched = 91;
	eth0->gso = false;
	ill("too many packets", "records-lost", "eth0", "", "ethtool -K eth0 gso on tso on");

	onramp->n.unmatched = 90;
	fine("as many late OR-ACKs as others");

	onramp->n.unmatched = 91;
	onramp->remember = 16384;
	fine("reports of packets that were not remembered");
}

static void not_tcp(void)
{
	onramp->n.records = 0;
	onramp->measured = 0;
	onramp->recorded = 0;
	onramp->n.not_tcp = 80;
}

static void recording(void)
{
	eth0->stamp_tx = ONRAMP_STAMP_NONE;
	ill("no stamps", "no-stamps", "eth0", "", "onrampctl stamps set dev eth0 tx qdisc");

	onramp->recorded = 0;
	onramp->n.records = 0;
	ill("no records", "no-stamps", "eth0", "", "onrampctl stamps set dev eth0 tx qdisc");

	not_tcp();
	ill("no TCP", "not-tcp", "eth0", "", "tc qdisc replace dev eth0 root fq");

	onramp->n.not_tcp = 1000;
	fine("other protocols in addition to TCP");

	not_tcp();
	onramp->n.not_tcp = 79;
	fine("OR-ACKs, and no TCP of its own");

	not_tcp();
	onramp->recorded = 1;
	fine("TCP that is idle while other protocols are not");

	not_tcp();
	published();
	fine("a daemon's probes, and no TCP yet");
}

static void gso(void)
{
	eth0->gso_max = 65536;
	ill("large GSO packets", "gso-burst", "eth0", "",
	    "ip link set dev eth0 gso_max_size 17408");

	eth0->gso_max = 65536;
	onramp->threshold_ns = 49 * US;
	ill("large for a threshold", "gso-burst", "eth0", "",
	    "ip link set dev eth0 gso_max_size 49664");

	onramp->link_bps = GBIT;
	ill("large for a slow link", "gso-burst", "eth0", "",
	    "ip link set dev eth0 gso_max_size 3000");

	eth0->gso_max = 17408;
	fine("GSO packets that fit");

	eth0->gso_max = 65536;
	eth0->gso = false;
	fine("large GSO packets where there are none");

	onramp->threshold_ns = 50 * US;
	fine("a threshold that is given");
}

static void nics(void)
{
	eth0->bps = 0;
	onramp->n.gso_unknown_rate = 1;
	ill("unknown speed", "rate-unknown", "eth0", "", CHANGE "link_rate 10gbit");

	onramp->nic_backlog_ns = 15 * US;
	ill("a full NIC", "nic-backlog", "eth0", "", CHANGE "nic_comp on");

	onramp->nic_backlog_ns = 15 * US;
	onramp->nic_comp = true;
	fine("a full NIC that is taken out");

	eth0->bql = false;
	ill("no byte queue limits", "no-bql", "eth0", "", "ethtool -G eth0 tx 256");

	eth0->bql = false;
	eth0->hardware = false;
	fine("no byte queue limits where there is no NIC");

	eth0->bql = false;
	eth0->still = true;
	fine("no limits of a NIC where nothing passes");

	eth0->bql = false;
	eth0->n.tx_bytes = 0;
	fine("no limits of a NIC that sends nothing");
}

static void worst_first(void)
{
	struct findings found = { 0 };

	eth0->lro = true;
	onramp->mode = ONRAMP_MODE_OBSERVE;
	no_clock();
	finding_all(&h.f, &found);
	if (!tap_ok(found.n == 3 && !strcmp(found.list[0].id, "no-clock") &&
		    !strcmp(found.list[1].id, "lro") && !strcmp(found.list[2].id, "mode-observe"),
		    "the worst of several is reported first"))
		tell(&found);
	finding_free(&found);
	well();
}

void sender_tests(void)
{
	whole_host();
	qdiscs();
	links();
	modes();
	own_clock();
	peers_clock();
	clocks_differ();
	acks();
	recording();
	gso();
	nics();
	worst_first();
}
