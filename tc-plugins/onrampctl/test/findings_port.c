// SPDX-License-Identifier: GPL-2.0
/*
 * Why a port with cp drops, as the doctor finds it.
 */
#include "findings.h"

/* eth1 is a port of a bridge, with cp in place of its ecnsharp. */
static struct facts_cp *port(void)
{
	h.qdiscs[1] = (struct facts_qdisc){
		.ifindex = 3, .handle = 0x20000, .parent = TC_H_ROOT, .kind = "cp",
		.cp = { .pauses = true, .n = { .packets = 1000 } },
	};
	eth1->master = 9;
	return &h.qdiscs[1].cp;
}

void port_tests(void)
{
	struct facts_dev *other;

	port();
	fine("a port of a bridge");
	port();
	eth1->gro = true;
	ill("GRO", "cp-gro", "eth1", "", "ethtool -K eth1 gro off");
	port();
	eth1->gro = true;
	eth1->lro = true;
	eth1->gro_hw = true;
	ill("GRO and LRO", "cp-gro", "eth1", "", "ethtool -K eth1 gro off lro off rx-gro-hw off");
	port()->n.foreign = 7;
	ill("foreign frames, of nobody known", "cp-foreign", "eth1", "",
	    "tc -s class show dev eth1");
	port()->n.foreign = 7;
	other = more("eth2");
	other->master = 9;
	ill("foreign frames of another port", "cp-foreign", "eth1", "",
	    "tc qdisc replace dev eth2 root cp law none");
	port();
	eth1->drops_pause = true;
	ill("a NIC that drops PAUSE frames", "cp-pause-dropped", "eth1", "",
	    "tc qdisc change dev eth1 root cp pause off");
	port()->pauses = false;
	eth1->drops_pause = true;
	fine("a NIC that drops PAUSE frames, and none is sent");
	h.f.onramp = false;
	h.f.absent = true;
	h.f.acker = false;
	port();
	h.qdiscs[0] = h.qdiscs[1];
	h.f.nr_qdiscs = 1;
	eth0->acked = false;
	fine("only cp, and no module onramp");
}
