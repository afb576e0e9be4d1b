// SPDX-License-Identifier: GPL-2.0
/*
 * Why nothing is marked: of each ecnsharp that marks nothing the first cause
 * that its counters allow, since one explains what the next would.
 */
#include <inttypes.h>
#include <string.h>
#include <linux/pkt_sched.h>

#include "../word.h"
#include "finding.h"

/* Fewer packets say nothing. */
#define MARKER_SEEN	10

#define TIME(ns)	(print_time_word(ns).text)

/**
 * enum marker_cause - why an ecnsharp marks nothing
 * @MARKER_FINE: it marks, or has nothing to do
 * @MARKER_OFFLOAD: the card forwards without asking it
 * @MARKER_DIRECTION: what comes passes it not, and hardly anything leaves
 * @MARKER_NOT_ECT: what passes cannot be marked
 * @MARKER_GSO: the queue is inside packets
 * @MARKER_RING: the queue is in the card
 * @MARKER_NO_QUEUE: there is none
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

/* Somebody put one where the other way leaves; this one is for the way back. */
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

static enum marker_cause marker_judge(const struct facts *f,
				      const struct facts_qdisc *q,
				      const struct facts_dev *dev)
{
	const struct facts_ecnsharp *e = &q->ecnsharp;
	const struct facts_ecnsharp_counts *n = &e->n;

	if (!dev || n->marks)
		return MARKER_FINE;
	if (marker_is_bypassed(q, dev))
		return MARKER_OFFLOAD;
	if (marker_is_behind(q, dev))
		return marker_is_one_of_two(f, q) ? MARKER_FINE :
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
	return dev->hardware && !dev->bql ? MARKER_RING : MARKER_NO_QUEUE;
}

/* For each ecnsharp that is asked about, if that is why it marks nothing. */
#define FOR_EACH_MARKER(f, q, dev, cause)				\
	for ((q) = (f)->qdiscs; (q) < (f)->qdiscs + (f)->nr_qdiscs; (q)++) \
		if (facts_qdisc_is(q, "ecnsharp") &&			\
		    finding_in_scope(f, (q)->ifindex) &&		\
		    ((dev) = facts_dev(f, (q)->ifindex),		\
		     marker_judge(f, q, dev) == (cause)))

static void marker_offload(const struct facts *f,
			   const struct finding_rule *rule,
			   struct findings *out)
{
	const struct facts_qdisc *q;
	const struct facts_dev *dev;

	FOR_EACH_MARKER(f, q, dev, MARKER_OFFLOAD) {
		struct finding *x;

		x = finding_add(out, rule, dev, NULL,
				"It sent %" PRIu64 " bytes and its ecnsharp saw %" PRIu64 " of them: the card forwards the rest by itself.",
				dev->n.tx_bytes, q->ecnsharp.n.bytes);
		finding_command(x, "ethtool -K ");
		finding_word(x, dev->name);
		finding_command(x, " hw-tc-offload off");
	}
}

/* A device by which far more leaves, as a router's other side. */
static const struct facts_dev *marker_other(const struct facts *f,
					    const struct facts_dev *dev)
{
	const struct facts_dev *other;
	struct facts all = *f;

	all.scope = 0;
	other = finding_candidate(&all, "ecnsharp");
	return other && other->n.tx_bytes > dev->n.rx_bytes / 2 ? other : NULL;
}

/* What comes to this host is made to pass a device that can have a qdisc. */
static void marker_ingress(struct finding *x, const struct facts_dev *dev)
{
	finding_command(x, "ip link add ifb-ecn type ifb && ip link set ifb-ecn up && tc qdisc add dev ");
	finding_word(x, dev->name);
	finding_command(x, " handle ffff: ingress && tc filter add dev ");
	finding_word(x, dev->name);
	finding_command(x, " parent ffff: matchall action mirred egress redirect dev ifb-ecn && tc qdisc replace dev ifb-ecn root ecnsharp");
}

static void marker_direction(const struct facts *f,
			     const struct finding_rule *rule,
			     struct findings *out)
{
	const struct facts_qdisc *q;
	const struct facts_dev *dev;

	FOR_EACH_MARKER(f, q, dev, MARKER_DIRECTION) {
		const struct facts_dev *other = marker_other(f, dev);
		struct finding *x;

		x = finding_add(out, rule, dev, NULL,
				"It received %" PRIu64 " bytes and sent %" PRIu64 ": its ecnsharp is on the way back; a qdisc marks what leaves.",
				dev->n.rx_bytes, q->ecnsharp.n.bytes);
		if (other)
			finding_root(x, other, "ecnsharp", "");
		else
			marker_ingress(x, dev);
	}
}

static void marker_not_ect(const struct facts *f,
			   const struct finding_rule *rule,
			   struct findings *out)
{
	const struct facts_qdisc *q;
	const struct facts_dev *dev;

	FOR_EACH_MARKER(f, q, dev, MARKER_NOT_ECT)
		finding_command(finding_add(out, rule, dev, "the senders",
					    "%" PRIu64 " of %" PRIu64 " packets were not ECN-capable, %" PRIu64 " of them would have been marked.",
					    q->ecnsharp.n.nonect,
					    q->ecnsharp.n.packets,
					    q->ecnsharp.n.nonect_due),
				"sysctl -w net.ipv4.tcp_ecn=1");
}

static void marker_gso(const struct facts *f, const struct finding_rule *rule,
		       struct findings *out)
{
	const struct facts_qdisc *q;
	const struct facts_dev *dev;

	FOR_EACH_MARKER(f, q, dev, MARKER_GSO)
		finding_qdisc(finding_add(out, rule, dev, NULL,
					  "Its packets have %" PRIu64 " bytes on average: the queue is inside GSO packets, and none waits (longest %s).",
					  q->ecnsharp.n.bytes /
					  q->ecnsharp.n.packets,
					  TIME(q->ecnsharp.longest_ns)),
			      f, q, "split_gso on");
}

static void marker_ring(const struct facts *f, const struct finding_rule *rule,
			struct findings *out)
{
	const struct facts_qdisc *q;
	const struct facts_dev *dev;

	FOR_EACH_MARKER(f, q, dev, MARKER_RING) {
		struct finding *x;

		x = finding_add(out, rule, dev, NULL,
				"No packet waited longer than %s, and its driver has no byte queue limits: the queue is in the card's ring.",
				TIME(q->ecnsharp.longest_ns));
		finding_command(x, "ethtool -G ");
		finding_word(x, dev->name);
		finding_command(x, " tx 64");
	}
}

/* How fast a shaper may be, only who built it can tell. */
static void marker_look(struct finding *x, const struct facts_dev *dev)
{
	finding_command(x, "tc -s qdisc show dev ");
	finding_word(x, dev->name);
}

/* A number that hardly anybody else gives, since it must be free. */
static void marker_shape(struct finding *x, const struct facts_dev *dev)
{
	uint64_t bps = dev->bps ? dev->bps : 1000000000;

	finding_command(x, "tc qdisc replace dev ");
	finding_word(x, dev->name);
	finding_command(x, " root handle ec: tbf rate %s burst 128kb latency 10ms && tc qdisc add dev ",
			print_rate_word(bps / 100 * 95).text);
	finding_word(x, dev->name);
	finding_command(x, " parent ec:1 ecnsharp");
}

static void marker_no_queue(const struct facts *f,
			    const struct finding_rule *rule,
			    struct findings *out)
{
	const struct facts_qdisc *q;
	const struct facts_dev *dev;

	FOR_EACH_MARKER(f, q, dev, MARKER_NO_QUEUE) {
		struct finding *x;

		x = finding_add(out, rule, dev, NULL,
				"No packet waited longer than %s: the bottleneck is elsewhere%s.",
				TIME(q->ecnsharp.longest_ns),
				q->parent == TC_H_ROOT ?
				"; a shaper below the link's speed brings it here" :
				", or what is above it lets more pass than comes");
		if (q->parent == TC_H_ROOT)
			marker_shape(x, dev);
		else
			marker_look(x, dev);
	}
}

static void marker_below(const struct facts *f,
			 const struct finding_rule *rule,
			 struct findings *out)
{
	const struct facts_qdisc *q;
	const struct facts_dev *dev;
	char words[96];

	FOR_EACH_MARKER(f, q, dev, MARKER_BELOW) {
		uint64_t longest_ns = q->ecnsharp.longest_ns;

		snprintf(words, sizeof(words), "ins_target %s pst_target %s",
			 TIME(longest_ns / 2 + 1), TIME(longest_ns / 4 + 1));
		finding_qdisc(finding_add(out, rule, dev, NULL,
					  "The longest wait was %s and marks begin at %s: the queue is as short as it was asked to be.",
					  TIME(longest_ns),
					  TIME(marker_target(&q->ecnsharp))),
			      f, q, words);
	}
}

const struct finding_rule finding_marker[] = {
	{ "ecn-offload", FINDING_ERROR, marker_offload },
	{ "ecn-direction", FINDING_ERROR, marker_direction },
	{ "ecn-not-ect", FINDING_ERROR, marker_not_ect },
	{ "ecn-gso", FINDING_ERROR, marker_gso },
	{ "ecn-ring", FINDING_ERROR, marker_ring },
	{ "ecn-no-queue", FINDING_ERROR, marker_no_queue },
	{ "ecn-below", FINDING_NOTE, marker_below },
	{ 0 }
};
