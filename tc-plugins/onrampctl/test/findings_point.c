// SPDX-License-Identifier: GPL-2.0
/*
 * Why an onramp with reaction points drops or does not react, as the doctor finds it.
 */
#include "findings.h"

/* eth0's onramp has reaction points, and CNMs came. */
static struct facts_onramp_counts *point(void)
{
	onramp->rp = true;
	onramp->n.cnms = 5;
	return &onramp->n;
}

void point_tests(void)
{
	point()->cnms_unknown = 3;
	fine("reaction points, and CNMs about flows of others, too");
	point();
	onramp->mode = 0;
	fine("reaction points only");
	point()->flows_plimit = 7;
	ill("a full queue", "rp-flow-limit", "eth0", "", CHANGE "flow_limit 1000");
	onramp->n.flows_plimit = 7;
	fine("a full queue, and no reaction points");
	onramp->rp = true;
	onramp->n.flows_plimit = 7;
	fine("a full queue, and no CNMs");
	point()->cnms = 0;
	onramp->n.cnms_unknown = 3;
	ill("CNMs about no flow", "rp-unknown", "eth0", "",
	    "tcpdump -e -x -c 1 -i eth0 ether proto 0x22e7");
	onramp->n.cnms_unknown = 3;
	fine("CNMs of before rp off");
	point();
	onramp->mode = 0;
	eth0->gso_max = 65536;
	ill("GSO packets at low rates", "rp-gso", "eth0", "", "ethtool -K eth0 gso off tso off");
	point();
	onramp->mode = 0;
	eth0->gso_max = 65536;
	eth0->gso = false;
	fine("GSO that is off");
}
