// SPDX-License-Identifier: GPL-2.0
/*
 * Why an onramp with reaction points drops, or does not react to CNMs.
 */
#include "finding.h"

#define COUNT(n)	(finding_count(n).text)

/* Packets that a reaction point delays wait in their flow's queue. */
static void point_flow_limit(const struct finding_check *at)
{
	const struct facts_onramp_counts *n = &at->q->onramp.n;
	struct finding *x;

	if (!at->q->onramp.rp || !n->cnms || !n->flows_plimit)
		return;
	x = finding_add(at, NULL,
			"%s packets were dropped because the queues of their flows were full, while CNMs limit rates.",
			COUNT(n->flows_plimit));
	finding_change(x, at, "flow_limit 1000");
}

static void point_unknown(const struct finding_check *at)
{
	const struct facts_onramp_counts *n = &at->q->onramp.n;
	struct finding *x;

	if (!at->q->onramp.rp || n->cnms || !n->cnms_unknown)
		return;
	x = finding_add(at, NULL,
			"%s CNMs arrived, none about a flow of this qdisc: a CNM must repeat 26 bytes of an IPv4 frame, or 46 of an IPv6 frame (header_octets of tc-cp(8)).",
			COUNT(n->cnms_unknown));
	finding_device(x, "tcpdump -e -x -c 1 -i", at->dev, "ether proto 0x22e7");
}

/* A packet leaves as a whole. */
static void point_gso(const struct finding_check *at)
{
	const struct facts_onramp *o = &at->q->onramp;
	struct finding *x;

	if (!o->rp || !o->n.cnms || !at->dev->gso || at->dev->gso_max <= 1 << 14)
		return;
	x = finding_add(at, NULL,
			"CNMs limit rates, and GSO packets of up to %s bytes leave at once: a limited flow sends in bursts.",
			COUNT(at->dev->gso_max));
	finding_device(x, "ethtool -K", at->dev, "gso off tso off");
}

#define RULE(id, severity, check) \
	{ id, FINDING_##severity, FINDING_ONRAMP, point_##check }

const struct finding_rule finding_point[] = {
	RULE("rp-flow-limit", WARNING, flow_limit),
	RULE("rp-unknown", WARNING, unknown),
	RULE("rp-gso", NOTE, gso),
	{ 0 }
};
