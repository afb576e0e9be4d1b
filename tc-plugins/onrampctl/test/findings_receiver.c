// SPDX-License-Identifier: GPL-2.0
/*
 * Why nothing is acked, or not all, as the doctor finds it.
 */
#include "findings.h"

static void devices(void)
{
	h.f.acker = false;
	eth0->acked = false;
	h.f.nr_peers = 0;
	ill("no acker", "acker-absent", "", "", "modprobe onramp_acker");

	eth0->acked = false;
	eth0->n.tx_bytes++;
	ill("no device to ack", "acker-unattached", "eth0", "", "onrampctl acker dev add eth0");

	/* The second device is a bond with the first below it, and counts both ways. */
	eth0->acked = false;
	eth1->passed = true;
	eth1->n.tx_bytes = eth0->n.tx_bytes + 1;
	ill("no NIC of a bond to ack", "acker-unattached", "eth0", "",
	    "onrampctl acker dev add eth0");

	eth0->stamp_rx = ONRAMP_STAMP_NONE;
	ill("an acker that sees nothing", "acker-unseen", "eth0", "",
	    "onrampctl stamps set dev eth0 rx auto");

	h.f.ack.entries = 0;
	h.f.ack.not_ours = 500;
	ill("forwarded", "acker-forwards", "eth0", "", "onrampctl acker dev del eth0");

	eth0->lro = true;
	ill("LRO", "lro", "eth0", "", "ethtool -K eth0 lro off");

	eth0->gro_hw = true;
	ill("hardware GRO", "lro", "eth0", "", "ethtool -K eth0 rx-gro-hw off");
}

/* A setting that an older module took, and an acker off the path. */
static void acked_above(void)
{
	struct facts_dev *bond0 = bond();

	bond0->acked = true;
	bond0->stamp_rx = ONRAMP_STAMP_TRACEPOINT;
	eth0->acked = false;
	h.devs[3].master = 0;
	ack_eth2();
}

static void bonds(void)
{
	bond();
	ill("one link of a bond to ack", "nic-unattached", "eth2", "",
	    "onrampctl acker dev add eth2");

	acked_above();
	ill("a bond to ack, and a NIC next to it", "nic-unattached", "eth0", "",
	    "onrampctl acker dev add eth0");

	acked_above();
	h.devs[3].acked = false;
	h.devs[3].n.tx_bytes = 5000000;
	h.devs[4].acked = false;
	ill("nothing to ack, the busiest NIC being another", "nic-unattached", "eth0", "",
	    "onrampctl acker dev add eth0");

	bond_vlan();
	ill("one link below a bond's VLAN to ack", "nic-unattached", "eth2", "",
	    "onrampctl acker dev add eth2");

	bond();
	ack_eth2();
	fine("both links of a bond to ack");

	bond()->net = net("192.0.2.0", 24);
	fine("a bond where no peers are");

	bond()->up = false;
	fine("a bond that is down");

	bond();
	h.f.scope = 2;
	fine("the query is for another link");
}

/* A VLAN of a bridge, of which no port is acked. */
static struct facts_dev *bridge(void)
{
	struct facts_dev *br0 = bond(), *vlan = more("br0.7");

	snprintf(br0->name, IFNAMSIZ, "br0");
	br0->passed = false;
	eth0->master = 0;
	vlan->passed = true;
	vlan->below = br0->ifindex;
	vlan->net = br0->net;
	h.peers[0] = net("10.0.0.3", 32);
	return br0;
}

static void stacks(void)
{
	struct facts_dev *upper, *other;

	bridge();
	ill("a bridge below a VLAN to ack", "nic-unattached", "br0", "",
	    "onrampctl acker dev add br0");

	eth0->master = bridge()->ifindex;
	fine("a bridge's port to ack, below a VLAN");

	upper = more("macvlan0");
	upper->passed = true;
	upper->away = true;
	upper->net = eth0->net;
	ill("a macvlan of another namespace's NIC", "nic-other-netns", "macvlan0", "",
	    "ip -d link show dev macvlan0");

	/* A loop, which no kernel has. */
	upper = more("a");
	other = more("b");
	upper->passed = true;
	other->passed = true;
	upper->net = eth0->net;
	upper->below = other->ifindex;
	other->below = upper->ifindex;
	other->master = upper->ifindex;
	fine("devices below each other");
}

static void peer_list(void)
{
	h.f.nr_peers = 0;
	ill("no peers", "peers-empty", "", "", "onrampctl peers add 10.0.0.0/24");

	h.f.nr_peers = 0;
	h.f.unlisted = net("192.0.2.9", 32);
	ill("no peers, and one far away", "peers-empty", "", "",
	    "onrampctl peers add 192.0.2.9/32");

	h.f.ack.not_peer = h.f.ack.packets;
	h.f.unlisted = net("10.0.0.9", 32);
	ill("only strangers", "peer-not-listed", "", "", "onrampctl peers add 10.0.0.0/24");

	h.f.ack.not_peer = 599;
	h.f.unlisted = net("192.0.2.9", 32);
	fine("nearly only strangers");
}

static void clocks(void)
{
	h.f.clock = (struct facts_clock){ .id = ONRAMP_CLOCK_SYSTEM };
	ill("an acker without a clock", "acker-no-clock", "", "",
	    "onrampctl clock set system error 2us");

	h.f.clock.id = ONRAMP_CLOCK_PUBLISHED;
	h.f.clock.usable = false;
	ill("an acker with a stale clock", "acker-no-clock", "", "", RESTART);

	h.f.clock = (struct facts_clock){ .id = ONRAMP_CLOCK_SYSTEM };
	no_clock();
	ill_also("an acker without a clock, an onramp that wants one", "no-clock", "eth0", "",
		 RESTART, "acker-no-clock");

	h.f.clock = (struct facts_clock){ .id = ONRAMP_CLOCK_SYSTEM };
	off_too();
	ill("an acker without a clock, an onramp that is off", "acker-no-clock", "", "",
	    "onrampctl clock set system error 2us");
}

static void rates(void)
{
	h.f.ack.backed_off = 30;
	ill("refused", "peer-refuses", "", "the sender", "onrampctl doctor");

	h.f.ack.rate_limited = 30;
	ill("too many OR-ACKs", "acker-rate", "", "", "onrampctl acker set rate 2000000");

	h.f.ack.rate_limited = 30;
	h.f.ack_rate = 9000000;
	ill("too many, up to the most", "acker-rate", "", "",
	    "onrampctl acker set rate 10000000");

	h.f.ack.flows_evicted = 30;
	ill("too many flows to ack", "acker-full", "", "",
	    "onrampctl acker set max_flows 32768");
}

void receiver_tests(void)
{
	devices();
	bonds();
	stacks();
	peer_list();
	clocks();
	rates();
}
