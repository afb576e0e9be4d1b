// SPDX-License-Identifier: GPL-2.0
/*
 * Why nothing is marked: of each ecnsharp that marks nothing the first cause
 * that its counters allow, since one explains what the next would.
 */
#include <linux/pkt_sched.h>

#include "finding.h"

/* Fewer packets are too small a sample. */
#define MARKER_SEEN	10

#define COUNT(n)	(finding_count(n).text)
#define TIME(ns)	(unit_format_time(ns).text)

/**
 * enum marker_cause - why an ecnsharp marks nothing
 * @MARKER_FINE: it marks, or has nothing to do
 * @MARKER_OFFLOAD: the NIC forwards in hardware
 * @MARKER_DIRECTION: what comes passes it not, and hardly anything leaves
 * @MARKER_NOT_ECT: what passes cannot be marked
 * @MARKER_GSO: the queue is inside packets
 * @MARKER_RING: the queue is in the NIC
 * @MARKER_NO_QUEUE: there is no queue
 * @MARKER_BELOW: it is too short
 */
enum marker_cause {
	MARKER_FINE,
	MARKER_OFFLOAD,
	MARKER_DIRECTION,
	MARKER_NOT_ECT,
	MARKER_GSO,
	MARKER_RING,
	MARKER_NO_QUEUE,
	MARKER_BELOW,
};

/* The level at which marks begin. */
static uint64_t marker_target(const struct facts_ecnsharp *e)
{
	return e->ins_target_ns < e->pst_target_ns ? e->ins_target_ns :
						     e->pst_target_ns;
}

static bool marker_is_bypassed(const struct facts_qdisc *q,
			       const struct facts_dev *dev)
{
	return dev->tc_offload && q->parent == TC_H_ROOT &&
	       dev->n.tx_bytes > 2 * q->ecnsharp.n.bytes + 100000;
}

static bool marker_is_behind(const struct facts_qdisc *q,
			     const struct facts_dev *dev)
{
	return q->parent == TC_H_ROOT &&
	       q->ecnsharp.longest_ns < marker_target(&q->ecnsharp) &&
	       dev->n.rx_bytes > 10 * q->ecnsharp.n.bytes + 10000;
}

/* There is an ecnsharp where the other direction leaves; this one is for the way back. */
static bool marker_is_one_of_two(const struct facts *f,
				 const struct facts_qdisc *q)
{
	const struct facts_qdisc *other;

	for (other = f->qdiscs; other < f->qdiscs + f->nr_qdiscs; other++)
		if (other->ifindex != q->ifindex &&
		    facts_qdisc_is(other, "ecnsharp"))
			return true;
	return false;
}

static enum marker_cause marker_judge(const struct finding_check *at)
{
	const struct facts_ecnsharp *e = &at->q->ecnsharp;
	const struct facts_ecnsharp_counts *n = &e->n;
	const struct facts_dev *dev = at->dev;

	if (n->marks)
		return MARKER_FINE;
	if (marker_is_bypassed(at->q, dev))
		return MARKER_OFFLOAD;
	if (marker_is_behind(at->q, dev))
		return marker_is_one_of_two(at->f, at->q) ? MARKER_FINE :
							    MARKER_DIRECTION;
	if (n->packets < MARKER_SEEN)
		return MARKER_FINE;
	if (n->nonect_due || n->nonect == n->packets)
		return MARKER_NOT_ECT;
	if (e->longest_ns >= marker_target(e))
		return MARKER_FINE;
	if (!e->split_gso && n->bytes / n->packets > 2 * dev->mtu)
		return MARKER_GSO;
	if (e->longest_ns >= marker_target(e) / 4)
		return MARKER_BELOW;
	return finding_lacks_bql(dev) ? MARKER_RING : MARKER_NO_QUEUE;
}

static void marker_offload(const struct finding_check *at)
{
	struct finding *x;

	if (marker_judge(at) != MARKER_OFFLOAD)
		return;
	x = finding_add(at, NULL,
			"It sent %s bytes, of which %s passed its ecnsharp: the NIC forwards the rest in hardware.",
			COUNT(at->dev->n.tx_bytes),
			COUNT(at->q->ecnsharp.n.bytes));
	finding_device(x, "ethtool -K", at->dev, "hw-tc-offload off");
}

/* A device by which far more leaves, as a router's other side. */
static const struct facts_dev *marker_other(const struct finding_check *at)
{
	const struct facts_dev *other = finding_candidate(at->f, 0, "ecnsharp");

	return other && other->n.tx_bytes > at->dev->n.rx_bytes / 2 ?
	       other : NULL;
}

/* Received packets are redirected through a device that can have a qdisc. */
static void marker_ingress(struct finding *x, const struct facts_dev *dev)
{
	finding_command(x, "ip link add ifb-ecn type ifb && ip link set ifb-ecn up && ");
	finding_device(x, "tc qdisc add dev", dev, "handle ffff: ingress && ");
	finding_device(x, "tc filter add dev", dev,
		       "parent ffff: matchall action mirred egress redirect dev ifb-ecn && ");
	finding_command(x, "tc qdisc replace dev ifb-ecn root ecnsharp");
}

static void marker_direction(const struct finding_check *at)
{
	const struct facts_dev *other = marker_other(at);
	struct finding *x;

	if (marker_judge(at) != MARKER_DIRECTION)
		return;
	x = finding_add(at, NULL,
			"It received %s bytes and sent %s: its ecnsharp is in the return direction; a qdisc marks only packets that leave.",
			COUNT(at->dev->n.rx_bytes),
			COUNT(at->q->ecnsharp.n.bytes));
	if (other)
		finding_root(x, other, "ecnsharp", NULL);
	else
		marker_ingress(x, at->dev);
}

static void marker_not_ect(const struct finding_check *at)
{
	const struct facts_ecnsharp_counts *n = &at->q->ecnsharp.n;
	struct finding *x;

	if (marker_judge(at) != MARKER_NOT_ECT)
		return;
	x = finding_add(at, "the senders",
			"%s of %s packets were not ECN-capable, and %s of these would have been marked.",
			COUNT(n->nonect), COUNT(n->packets),
			COUNT(n->nonect_due));
	finding_command(x, "sysctl -w net.ipv4.tcp_ecn=1");
}

static void marker_gso(const struct finding_check *at)
{
	const struct facts_ecnsharp *e = &at->q->ecnsharp;
	struct finding *x;

	if (marker_judge(at) != MARKER_GSO)
		return;
	x = finding_add(at, NULL,
			"Its packets have %s bytes on average: the queue is inside GSO packets, and packets hardly wait (at most %s).",
			COUNT(e->n.bytes / e->n.packets), TIME(e->longest_ns));
	finding_change(x, at, "split_gso on");
}

static void marker_ring(const struct finding_check *at)
{
	struct finding *x;

	if (marker_judge(at) != MARKER_RING)
		return;
	x = finding_add(at, NULL,
			"No packet waited longer than %s, and its driver has no byte queue limits: the queue is in the NIC's ring.",
			TIME(at->q->ecnsharp.longest_ns));
	finding_device(x, "ethtool -G", at->dev, "tx 64");
}

/* A number that hardly anybody else gives, since it must be free. */
static void marker_shape(struct finding *x, const struct facts_dev *dev)
{
	uint64_t bps = dev->bps ? dev->bps : 1000000000;

	finding_device(x, "tc qdisc replace dev", dev,
		       "root handle ec: tbf rate ");
	finding_command(x, "%s burst 128kb latency 10ms && ",
			unit_format_rate(bps / 100 * 95).text);
	finding_device(x, "tc qdisc add dev", dev, "parent ec:1 ecnsharp");
}

static void marker_no_queue(const struct finding_check *at)
{
	struct unit_text longest = unit_format_time(at->q->ecnsharp.longest_ns);
	struct finding *x;

	if (marker_judge(at) != MARKER_NO_QUEUE)
		return;
	if (at->q->parent == TC_H_ROOT) {
		x = finding_add(at, NULL,
				"No packet waited longer than %s: the bottleneck is elsewhere; a shaper below the rate of the link moves it here.",
				longest.text);
		marker_shape(x, at->dev);
		return;
	}
	/* The right rate of a shaper is known to its administrator only. */
	x = finding_add(at, NULL,
			"No packet waited longer than %s: the bottleneck is elsewhere, or the shaper above this qdisc has a higher rate than the traffic.",
			longest.text);
	finding_device(x, "tc -s qdisc show dev", at->dev, "");
}

static void marker_below(const struct finding_check *at)
{
	uint64_t longest_ns = at->q->ecnsharp.longest_ns;
	struct finding *x;
	char params[96];

	if (marker_judge(at) != MARKER_BELOW)
		return;
	x = finding_add(at, NULL,
			"The longest wait was %s and marking begins at %s: the queue is as short as configured.",
			TIME(longest_ns), TIME(marker_target(&at->q->ecnsharp)));
	snprintf(params, sizeof(params), "ins_target %s pst_target %s",
		 TIME(longest_ns / 2 + 1), TIME(longest_ns / 4 + 1));
	finding_change(x, at, params);
}

#define RULE(id, severity, check) \
	{ id, FINDING_##severity, FINDING_MARKER, marker_##check }

const struct finding_rule finding_marker[] = {
	RULE("ecn-offload", ERROR, offload),
	RULE("ecn-direction", ERROR, direction),
	RULE("ecn-not-ect", ERROR, not_ect),
	RULE("ecn-gso", ERROR, gso),
	RULE("ecn-ring", ERROR, ring),
	RULE("ecn-no-queue", ERROR, no_queue),
	RULE("ecn-below", NOTE, below),
	{ 0 }
};
