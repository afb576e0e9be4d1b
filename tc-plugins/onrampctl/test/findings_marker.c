// SPDX-License-Identifier: GPL-2.0
/*
 * Why ecnsharp marks nothing, as the doctor finds it.
 */
#include "findings.h"

static void unmarked(void)
{
	ecn->n.marks = 0;
	ecn->longest_ns = 5 * US;
}

#define MARK_INGRESS \
	"ip link add ifb-ecn type ifb && ip link set ifb-ecn up" \
	" && tc qdisc add dev eth1 handle ffff: ingress" \
	" && tc filter add dev eth1 parent ffff: matchall" \
	" action mirred egress redirect dev ifb-ecn" \
	" && tc qdisc replace dev ifb-ecn root ecnsharp"

static void elsewhere(void)
{
	unmarked();
	eth1->tc_offload = true;
	eth1->n.tx_bytes = 5000000;
	ill("offloaded", "ecn-offload", "eth1", "", "ethtool -K eth1 hw-tc-offload off");

	unmarked();
	eth1->n.rx_bytes = 20000000;
	eth0->n.tx_bytes = 20000000;
	ill("the way back", "ecn-direction", "eth1", "",
	    "tc qdisc replace dev eth0 root ecnsharp");

	unmarked();
	eth1->n.rx_bytes = 20000000;
	ill("the way in", "ecn-direction", "eth1", "", MARK_INGRESS);

	unmarked();
	eth1->n.rx_bytes = 20000000;
	eth0->n.tx_bytes = 20000000;
	h.qdiscs[2] = h.qdiscs[1];
	h.qdiscs[2].ifindex = 4;
	h.qdiscs[2].ecnsharp.n.marks = 1;
	h.f.nr_qdiscs = 3;
	fine("ecnsharp on the way back, too");

	h.f.onramp = false;
	h.f.absent = true;
	h.f.acker = false;
	h.qdiscs[0] = h.qdiscs[1];
	h.f.nr_qdiscs = 1;
	eth0->acked = false;
	fine("only ecnsharp, and no module onramp");
}

static void not_ect(void)
{
	unmarked();
	ecn->n.nonect = 1000;
	ill("nothing is ECT", "ecn-not-ect", "eth1", "the senders",
	    "sysctl -w net.ipv4.tcp_ecn=1");

	ecn->n.marks = 0;
	ecn->n.nonect_due = 1;
	ill("what waits is not ECT", "ecn-not-ect", "eth1", "the senders",
	    "sysctl -w net.ipv4.tcp_ecn=1");
}

#define SHAPE_ETH1 \
	"tc qdisc replace dev eth1 root handle ec: tbf rate 9.5Gbit burst 128kb latency 10ms" \
	" && tc qdisc add dev eth1 parent ec:1 ecnsharp"

static void no_queue(void)
{
	unmarked();
	ecn->n.bytes = 20000000;
	eth1->n.rx_bytes = 0;
	ill("a queue inside packets", "ecn-gso", "eth1", "",
	    "tc qdisc change dev eth1 root ecnsharp split_gso on");

	unmarked();
	eth1->bql = false;
	ill("a queue inside the NIC", "ecn-ring", "eth1", "", "ethtool -G eth1 tx 64");

	unmarked();
	ill("never a queue", "ecn-no-queue", "eth1", "", SHAPE_ETH1);

	/* Nothing is sent, so nobody knows of the driver. */
	unmarked();
	eth1->bql = false;
	eth1->still = true;
	ill("never a queue, and nothing known of the NIC", "ecn-no-queue", "eth1", "",
	    SHAPE_ETH1);

	unmarked();
	h.qdiscs[1].parent = 0x10001;
	ill("never a queue below a shaper", "ecn-no-queue", "eth1", "",
	    "tc -s qdisc show dev eth1");

	unmarked();
	ecn->longest_ns = 40 * US;
	ill("a short queue", "ecn-below", "eth1", "",
	    "tc qdisc change dev eth1 root ecnsharp ins_target 20.001us pst_target 10.001us");

	unmarked();
	ecn->longest_ns = 85 * US;
	fine("a queue that is long enough, not marked yet");

	unmarked();
	ecn->n.marks = 1;
	fine("one mark");
}

void marker_tests(void)
{
	elsewhere();
	not_ect();
	no_queue();
}
