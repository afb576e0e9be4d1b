// SPDX-License-Identifier: GPL-2.0
/*
 * Why nothing is acked.
 */
#include <inttypes.h>
#include <string.h>
#include <linux/onramp_wire.h>

#include "finding.h"

/* Each device that the acker looks at, if it is asked about. */
#define FOR_EACH_ACKED(f, dev)						\
	for ((dev) = (f)->devs; (dev) < (f)->devs + (f)->nr_devs; (dev)++) \
		if ((dev)->acked && finding_in_scope(f, (dev)->ifindex))

static const struct facts_dev *receiver_first(const struct facts *f)
{
	const struct facts_dev *dev;

	FOR_EACH_ACKED(f, dev)
		return dev;
	return NULL;
}

/* A device that is asked about, and only to mark, is none of the acker's. */
static bool receiver_is_asked(const struct facts *f)
{
	return f->onramp && (finding_has(f, f->scope, "onramp") ||
			     !finding_has(f, f->scope, "ecnsharp"));
}

static void receiver_absent(const struct facts *f,
			    const struct finding_rule *rule,
			    struct findings *out)
{
	if (!receiver_is_asked(f) || f->acker ||
	    !finding_has(f, f->scope, "onramp"))
		return;
	finding_command(finding_add(out, rule, NULL, NULL,
				    "One-sided: the module onramp_acker is not loaded, so what this host receives is not acked."),
			"modprobe onramp_acker");
}

static void receiver_unattached(const struct facts *f,
				const struct finding_rule *rule,
				struct findings *out)
{
	const struct facts_dev *dev = finding_candidate(f, NULL);
	struct finding *x;

	if (!receiver_is_asked(f) || !f->acker || receiver_first(f) || !dev)
		return;
	x = finding_add(out, rule, dev, NULL,
			"The acker looks at no device, so what this host receives is not acked.");
	finding_command(x, "onrampctl acker dev add ");
	finding_word(x, dev->name);
}

/* Whoever has a connection, and his neighbours if they are ours, too. */
static struct value receiver_peer(const struct facts *f)
{
	const struct facts_dev *dev;

	for (dev = f->devs; dev < f->devs + f->nr_devs; dev++) {
		if (!dev->net.given || dev->loopback ||
		    !finding_in_scope(f, dev->ifindex))
			continue;
		if (f->stranger.given ?
		    value_contains(&dev->net, &f->stranger) : dev->acked)
			return dev->net;
	}
	if (!f->stranger.given)
		for (dev = f->devs; dev < f->devs + f->nr_devs; dev++)
			if (dev->net.given && !dev->loopback)
				return dev->net;
	return f->stranger;
}

static void receiver_add_peer(const struct facts *f, struct finding *x)
{
	static const struct value_range range = { .kind = VALUE_PREFIX };
	struct value peer = receiver_peer(f);

	finding_command(x, "onrampctl peers add %s",
			value_for_people(&range, &peer).text);
}

static void receiver_no_peers(const struct facts *f,
			      const struct finding_rule *rule,
			      struct findings *out)
{
	if (!receiver_is_asked(f) || !f->acker || f->nr_peers ||
	    !receiver_peer(f).given)
		return;
	receiver_add_peer(f, finding_add(out, rule, NULL, NULL,
					 "The allow-list is empty, so nobody's data is acked."));
}

static void receiver_not_listed(const struct facts *f,
				const struct finding_rule *rule,
				struct findings *out)
{
	if (!f->nr_peers || !f->ack.not_peer ||
	    f->ack.not_peer != f->ack.packets || !f->stranger.given)
		return;
	receiver_add_peer(f, finding_add(out, rule, NULL, NULL,
					 "All %" PRIu64 " data packets came from addresses that are not in the allow-list.",
					 f->ack.packets));
}

static void receiver_no_clock(const struct facts *f,
			      const struct finding_rule *rule,
			      struct findings *out)
{
	if (!receiver_first(f) || f->clock.usable)
		return;
	finding_command(finding_add(out, rule, NULL, NULL,
				    "%s, so its OR-ACKs have stamps that nobody may use; if CLOCK_REALTIME is disciplined, vouch for its error.",
				    f->clock.id == ONRAMP_CLOCK_PUBLISHED ?
				    "The published clock is stale" :
				    "This host has no clock"),
			"onrampctl clock set system error 2us");
}

static void receiver_forwards(const struct facts *f,
			      const struct finding_rule *rule,
			      struct findings *out)
{
	const struct facts_dev *dev = receiver_first(f);
	struct finding *x;

	if (!dev || !f->ack.not_ours || f->ack.entries)
		return;
	x = finding_add(out, rule, dev, NULL,
			"What it receives is forwarded, and that is acked by the host that it is for.");
	finding_command(x, "onrampctl acker dev del ");
	finding_word(x, dev->name);
}

static void receiver_refused(const struct facts *f,
			     const struct finding_rule *rule,
			     struct findings *out)
{
	const struct facts_dev *dev = receiver_first(f);

	if (!dev || !f->ack.backed_off)
		return;
	finding_command(finding_add(out, rule, dev, "the sender",
				    "One-sided: a sender answers OR-ACKs with \"port unreachable\", since it has no onramp that looks at delays."),
			"onrampctl doctor");
}

static void receiver_rate(const struct facts *f,
			  const struct finding_rule *rule,
			  struct findings *out)
{
	uint64_t rate = f->ack_rate * 2;

	if (!f->ack.rate_limited || f->ack_rate >= ONRAMP_RANGE_RATE_MAX)
		return;
	if (rate > ONRAMP_RANGE_RATE_MAX)
		rate = ONRAMP_RANGE_RATE_MAX;
	finding_command(finding_add(out, rule, NULL, NULL,
				    "%" PRIu64 " packets were not acked, since more than %" PRIu64 " OR-ACKs a second were due.",
				    f->ack.rate_limited, f->ack_rate),
			"onrampctl acker set rate %" PRIu64, rate);
}

static void receiver_full(const struct facts *f,
			  const struct finding_rule *rule,
			  struct findings *out)
{
	uint64_t most = f->ack_max_flows * 2;

	if (!f->ack.flows_evicted || f->ack_max_flows >= ONRAMP_RANGE_TABLE_MAX)
		return;
	if (most > ONRAMP_RANGE_TABLE_MAX)
		most = ONRAMP_RANGE_TABLE_MAX;
	finding_command(finding_add(out, rule, NULL, NULL,
				    "%" PRIu64 " flows were forgotten to make room for others: the acker follows %" PRIu64 " at most.",
				    f->ack.flows_evicted, f->ack_max_flows),
			"onrampctl acker set max_flows %" PRIu64, most);
}

static void receiver_unseen(const struct facts *f,
			    const struct finding_rule *rule,
			    struct findings *out)
{
	const struct facts_dev *dev;

	FOR_EACH_ACKED(f, dev) {
		struct finding *x;

		if (dev->stamp_rx)
			continue;
		x = finding_add(out, rule, dev, NULL,
				"Nobody sees when packets come to it, so they are not acked.");
		finding_command(x, "onrampctl stamps set dev ");
		finding_word(x, dev->name);
		finding_command(x, " rx auto");
	}
}

static void receiver_lro(const struct facts *f,
			 const struct finding_rule *rule, struct findings *out)
{
	const struct facts_dev *dev;

	FOR_EACH_ACKED(f, dev) {
		struct finding *x;

		if (!dev->lro && !dev->gro_hw)
			continue;
		x = finding_add(out, rule, dev, NULL,
				"Its card merges packets before they are seen (%s): stamps are of the last one, and counts are wrong.",
				dev->lro ? "LRO" : "hardware GRO");
		finding_command(x, "ethtool -K ");
		finding_word(x, dev->name);
		finding_command(x, " %s off", dev->lro ? "lro" : "rx-gro-hw");
	}
}

const struct finding_rule finding_receiver[] = {
	{ "acker-absent", FINDING_NOTE, receiver_absent },
	{ "acker-unattached", FINDING_WARNING, receiver_unattached },
	{ "peers-empty", FINDING_WARNING, receiver_no_peers },
	{ "peer-not-listed", FINDING_ERROR, receiver_not_listed },
	{ "acker-no-clock", FINDING_ERROR, receiver_no_clock },
	{ "acker-unseen", FINDING_ERROR, receiver_unseen },
	{ "acker-forwards", FINDING_WARNING, receiver_forwards },
	{ "peer-refuses", FINDING_WARNING, receiver_refused },
	{ "acker-rate", FINDING_WARNING, receiver_rate },
	{ "acker-full", FINDING_WARNING, receiver_full },
	{ "lro", FINDING_WARNING, receiver_lro },
	{ 0 }
};
