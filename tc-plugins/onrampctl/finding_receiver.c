// SPDX-License-Identifier: GPL-2.0
/*
 * Why nothing is acked.
 */
#include <linux/onramp_wire.h>

#include "finding.h"

#define COUNT(n)	(finding_count(n).text)

/* A device in scope that has ecnsharp or cp only is not a device for the acker. */
static bool receiver_is_checked(const struct facts *f)
{
	return f->onramp && (finding_has(f, f->scope, "onramp") ||
			     !finding_is_switch(f));
}

/* For a bond or a VLAN the question is whether the acker is attached to a NIC below it. */
static bool receiver_may_be(const struct facts *f, const struct facts_dev *dev)
{
	const struct facts_dev *scope = facts_dev(f, f->scope);

	return finding_in_scope(f, dev->ifindex) || (scope && scope->passed);
}

/* An older module was attached to a bond, too, and saw nothing. */
static bool receiver_can_attach(const struct facts_dev *dev)
{
	return dev->acked && !dev->passed;
}

static bool receiver_has_device(const struct facts *f)
{
	size_t i;

	for (i = 0; i < f->nr_devs; i++)
		if (receiver_can_attach(&f->devs[i]) &&
		    receiver_may_be(f, &f->devs[i]))
			return true;
	return false;
}

/* The device that has sent most, among those to which the acker can be attached. */
static const struct facts_dev *receiver_candidate(const struct facts *f)
{
	const struct facts_dev *found = NULL;
	size_t i;

	for (i = 0; i < f->nr_devs; i++) {
		const struct facts_dev *dev = &f->devs[i];

		if (!dev->up || dev->loopback || dev->passed ||
		    !receiver_may_be(f, dev))
			continue;
		if (!found || dev->n.tx_bytes > found->n.tx_bytes)
			found = dev;
	}
	return found;
}

/* Does the acker see what comes by a NIC?  By a bridge's ports, too. */
static bool receiver_sees(const struct facts *f, const struct facts_dev *nic)
{
	size_t i;

	if (receiver_can_attach(nic))
		return true;
	for (i = 0; i < f->nr_devs; i++)
		if (receiver_can_attach(&f->devs[i]) &&
		    f->devs[i].master == nic->ifindex)
			return true;
	return false;
}

static bool receiver_overlap(const struct value *net, const struct value *peer)
{
	return net->given && (value_contains(net, peer) ||
			      value_contains(peer, net));
}

/* May data of a peer be sent to it by a neighbour? */
static bool receiver_has_peers(const struct facts *f,
			       const struct facts_dev *dev)
{
	size_t i;

	for (i = 0; i < f->nr_peers; i++)
		if (receiver_overlap(&dev->net, &f->peers[i]) ||
		    receiver_overlap(&dev->other_net, &f->peers[i]))
			return true;
	return false;
}

/**
 * struct receiver_stack - a device above NICs, and the acker's attachments to them
 * @at: the examination, if findings are wanted
 * @f: the facts
 * @dev: the device
 * @seen: the acker is attached to some of the NICs
 * @missed: it is not attached to one in scope
 */
struct receiver_stack {
	const struct finding_check	*at;
	const struct facts		*f;
	const struct facts_dev		*dev;
	bool				seen;
	bool				missed;
};

static void receiver_report_nic(const struct finding_check *at,
				const struct facts_dev *dev,
				const struct facts_dev *nic)
{
	struct finding_check that = *at;
	struct finding *x;

	that.dev = nic;
	x = finding_add(&that, NULL,
			"Packets of peers arrive at %s through it, and the acker is not attached to it: they are not acknowledged.",
			dev->name);
	finding_device(x, "onrampctl acker dev add", nic, "");
}

static void receiver_on_nic(const struct facts_dev *nic, void *data)
{
	struct receiver_stack *stack = data;
	const struct facts *f = stack->f;

	if (receiver_sees(f, nic)) {
		stack->seen = true;
		return;
	}
	if (!finding_in_scope(f, stack->dev->ifindex) &&
	    !finding_in_scope(f, nic->ifindex))
		return;
	stack->missed = true;
	if (stack->at)
		receiver_report_nic(stack->at, stack->dev, nic);
}

static struct receiver_stack receiver_stack(const struct finding_check *at,
					    const struct facts *f,
					    const struct facts_dev *dev)
{
	struct receiver_stack stack = { .at = at, .f = f, .dev = dev };

	finding_nics(f, dev, receiver_on_nic, &stack);
	return stack;
}

/* Is data of peers missed?  Adds findings if @at is given. */
static bool receiver_misses(const struct facts *f,
			    const struct finding_check *at)
{
	bool missed = false;
	size_t i;

	for (i = 0; i < f->nr_devs; i++)
		if (f->devs[i].up && f->devs[i].passed &&
		    receiver_has_peers(f, &f->devs[i]))
			missed |= receiver_stack(at, f, &f->devs[i]).missed;
	return missed;
}

static void receiver_absent(const struct finding_check *at)
{
	const struct facts *f = at->f;
	struct finding *x;

	if (!f->onramp || f->acker || !finding_has(f, f->scope, "onramp"))
		return;
	x = finding_add(at, NULL,
			"The module onramp_acker is not loaded, so data that this host receives is not acknowledged.");
	finding_command(x, "modprobe onramp_acker");
}

static void receiver_unattached(const struct finding_check *at)
{
	const struct facts *f = at->f;
	struct finding_check that = *at;
	struct finding *x;

	that.dev = receiver_candidate(f);
	if (!receiver_is_checked(f) || !f->acker || receiver_has_device(f) ||
	    !that.dev || receiver_misses(f, NULL))
		return;
	x = finding_add(&that, NULL,
			"The acker is not attached to any device, so data that this host receives is not acknowledged.");
	finding_device(x, "onrampctl acker dev add", that.dev, "");
}

static void receiver_nic_unattached(const struct finding_check *at)
{
	if (receiver_is_checked(at->f) && at->f->acker)
		receiver_misses(at->f, at);
}

/* A macvlan or ipvlan in a container: it needs no NIC here, but others do. */
static void receiver_nic_other_netns(const struct finding_check *at)
{
	const struct facts *f = at->f;
	struct finding_check that = *at;
	struct finding *x;
	size_t i;

	for (i = 0; i < f->nr_devs && receiver_is_checked(f) && f->acker; i++) {
		that.dev = &f->devs[i];
		if (!that.dev->away || !that.dev->up ||
		    !finding_in_scope(f, that.dev->ifindex) ||
		    !receiver_has_peers(f, that.dev))
			continue;
		x = finding_add(&that, NULL,
				"Packets arrive at it through a physical device in another network namespace and cannot be acknowledged; use a veth on a bridge there, or move that device here.");
		finding_device(x, "ip -d link show dev", that.dev, "");
	}
}

/* The neighbours of a device that is acked, or of any. */
static struct value receiver_neighbours(const struct facts *f)
{
	struct value any = { 0 };
	size_t i;

	for (i = 0; i < f->nr_devs; i++) {
		const struct facts_dev *dev = &f->devs[i];

		if (!dev->net.given || dev->loopback)
			continue;
		if (dev->acked || receiver_stack(NULL, f, dev).seen)
			return dev->net;
		any = dev->net;
	}
	return any;
}

/* The other end of a connection; its whole prefix if this host is in it. */
static struct value receiver_peer(const struct facts *f)
{
	size_t i;

	if (!f->unlisted.given)
		return receiver_neighbours(f);
	for (i = 0; i < f->nr_devs; i++)
		if (f->devs[i].net.given && !f->devs[i].loopback &&
		    value_contains(&f->devs[i].net, &f->unlisted))
			return f->devs[i].net;
	return f->unlisted;
}

static void receiver_add_peer(struct finding *x, const struct facts *f)
{
	static const struct value_range range = { .kind = VALUE_PREFIX };
	struct value peer = receiver_peer(f);

	finding_command(x, "onrampctl peers add %s",
			value_for_people(&range, &peer).text);
}

static void receiver_no_peers(const struct finding_check *at)
{
	const struct facts *f = at->f;
	struct finding *x;

	if (!receiver_is_checked(f) || !f->acker || f->nr_peers ||
	    !receiver_peer(f).given)
		return;
	x = finding_add(at, NULL,
			"The list of peers is empty, so no data is acknowledged.");
	receiver_add_peer(x, f);
}

static void receiver_not_listed(const struct finding_check *at)
{
	const struct facts_acker_counts *ack = &at->f->ack;
	struct finding *x;

	if (!at->f->nr_peers || !ack->not_peer ||
	    ack->not_peer != ack->packets || !at->f->unlisted.given)
		return;
	x = finding_add(at, NULL,
			"All %s data packets came from addresses that are not in the list of peers.",
			COUNT(ack->packets));
	receiver_add_peer(x, at->f);
}

static void receiver_no_clock(const struct finding_check *at)
{
	const struct facts_clock *clock = &at->f->clock;
	bool stale = clock->id == ONRAMP_CLOCK_PUBLISHED;
	bool publishes = finding_publishes(at->f);
	struct finding *x;

	if (!receiver_has_device(at->f) || clock->usable)
		return;
	x = finding_add(at, NULL,
			"%s, so the timestamps of its OR-ACKs cannot be used; %s.",
			stale ? "The published clock is stale" :
				"This host has no clock",
			publishes ? "the clock daemon is not running" :
				    "if another program synchronises CLOCK_REALTIME, declare its error bound");
	finding_clock(x, at->f);
}

static void receiver_forwards(const struct finding_check *at)
{
	struct finding *x;

	if (!at->f->ack.not_ours || at->f->ack.entries)
		return;
	x = finding_add(at, NULL,
			"All packets that it receives are forwarded; their destination acknowledges them.");
	finding_device(x, "onrampctl acker dev del", at->dev, "");
}

static void receiver_refused(const struct finding_check *at)
{
	struct finding *x;

	if (!receiver_has_device(at->f) || !at->f->ack.backed_off)
		return;
	x = finding_add(at, "the sender",
			"A sender answers OR-ACKs with \"port unreachable\" because it has no onramp that measures delays.");
	finding_command(x, "onrampctl doctor");
}

static void receiver_rate(const struct finding_check *at)
{
	uint64_t rate = at->f->ack_rate, more = 2 * rate;
	struct finding *x;

	if (!at->f->ack.rate_limited || rate >= ONRAMP_RANGE_RATE_MAX)
		return;
	if (more > ONRAMP_RANGE_RATE_MAX)
		more = ONRAMP_RANGE_RATE_MAX;
	x = finding_add(at, NULL,
			"%s packets were not acknowledged because more than %s OR-ACKs per second were due.",
			COUNT(at->f->ack.rate_limited), COUNT(rate));
	finding_command(x, "onrampctl acker set rate %s", COUNT(more));
}

static void receiver_full(const struct finding_check *at)
{
	uint64_t most = at->f->ack_max_flows, more = 2 * most;
	struct finding *x;

	if (!at->f->ack.flows_evicted || most >= ONRAMP_RANGE_TABLE_MAX)
		return;
	if (more > ONRAMP_RANGE_TABLE_MAX)
		more = ONRAMP_RANGE_TABLE_MAX;
	x = finding_add(at, NULL,
			"%s flows were evicted to make space for others: the acker tracks at most %s.",
			COUNT(at->f->ack.flows_evicted), COUNT(most));
	finding_command(x, "onrampctl acker set max_flows %s", COUNT(more));
}

static void receiver_unseen(const struct finding_check *at)
{
	struct finding *x;

	if (at->dev->stamp_rx)
		return;
	x = finding_add(at, NULL,
			"The arrival of its packets is not timestamped, so they are not acknowledged.");
	finding_device(x, "onrampctl stamps set dev", at->dev, "rx auto");
}

static void receiver_lro(const struct finding_check *at)
{
	const struct facts_dev *dev = at->dev;
	struct finding *x;

	if (!dev->lro && !dev->gro_hw)
		return;
	x = finding_add(at, NULL,
			"Its NIC merges packets before they are timestamped (%s): timestamps are those of the last one, and counters are wrong.",
			dev->lro ? "LRO" : "hardware GRO");
	finding_device(x, "ethtool -K", dev, dev->lro ? "lro off" :
							"rx-gro-hw off");
}

#define RULE(id, severity, scope, check) \
	{ id, FINDING_##severity, FINDING_##scope, receiver_##check }

const struct finding_rule finding_receiver[] = {
	RULE("acker-absent", NOTE, HOST, absent),
	RULE("acker-unattached", WARNING, HOST, unattached),
	RULE("nic-unattached", WARNING, HOST, nic_unattached),
	RULE("nic-other-netns", NOTE, HOST, nic_other_netns),
	RULE("peers-empty", WARNING, HOST, no_peers),
	RULE("peer-not-listed", ERROR, HOST, not_listed),
	RULE("acker-no-clock", ERROR, HOST, no_clock),
	RULE("acker-unseen", ERROR, ACKED, unseen),
	RULE("acker-forwards", WARNING, ACKED, forwards),
	RULE("peer-refuses", WARNING, HOST, refused),
	RULE("acker-rate", WARNING, HOST, rate),
	RULE("acker-full", WARNING, HOST, full),
	RULE("lro", WARNING, ACKED, lro),
	{ 0 }
};
