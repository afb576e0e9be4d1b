// SPDX-License-Identifier: GPL-2.0
/*
 * Why nothing is held: qdisc, clocks, OR-ACKs that do not come, thresholds that cannot be met.
 */
#include <string.h>
#include <linux/onramp_wire.h>

#include "finding.h"

/* Error bound to propose where none was declared. */
#define SENDER_CLOCK	"clock system error 2us"

/* A number that a reader may compare. */
#define SENDER_GSO_STEP	512

#define COUNT(n)	(finding_count(n).text)
#define TIME(ns)	(unit_format_time(ns).text)

static bool sender_acks_here(const struct facts *f)
{
	size_t i;

	for (i = 0; i < f->nr_devs; i++)
		if (f->devs[i].acked && finding_in_scope(f, f->devs[i].ifindex))
			return true;
	return false;
}

/* By the clock that the peers have, too. */
static const char *sender_hold(const struct facts *f)
{
	return finding_publishes(f) ? "mode hold clock published" :
				      "mode hold " SENDER_CLOCK;
}

static void sender_module_absent(const struct finding_check *at)
{
	struct finding *x;

	if (!at->f->absent || finding_is_switch(at->f))
		return;
	x = finding_add(at, NULL,
			"The module onramp is not loaded: nothing is measured, held or acknowledged.");
	finding_command(x, "modprobe -a sch_onramp onramp_acker");
}

static void sender_kernel_untried(const struct finding_check *at)
{
	struct finding *x;

	if (!at->f->untried)
		return;
	x = finding_add(at, NULL,
			"This kernel is newer than all kernels on which the modules were tested: check its log, and look for a newer sharpramp.");
	finding_command(x, "journalctl -k -p warning");
}

static void sender_wrong_qdisc(const struct finding_check *at)
{
	const struct facts *f = at->f;
	struct finding_check that = *at;
	struct finding *x;

	that.dev = finding_candidate(f, f->scope, NULL);
	if (!f->onramp || !that.dev || finding_has(f, f->scope, "onramp") ||
	    finding_is_switch(f) || sender_acks_here(f))
		return;
	x = finding_add(&that, NULL,
			"Its root qdisc is %s, which neither holds nor marks.",
			*that.dev->root ? that.dev->root : "none");
	finding_root(x, that.dev, "onramp", sender_hold(at->f));
}

static void sender_wrong_device(const struct finding_check *at)
{
	const struct facts_core_counts *core = &at->f->core;
	struct finding_check that = *at;
	struct finding *x;

	that.dev = finding_candidate(at->f, 0, "onramp");
	if (!finding_outweighs(core, core->unknown_peer) || !that.dev ||
	    !that.dev->n.tx_bytes)
		return;
	x = finding_add(&that, NULL,
			"%s OR-ACKs were for flows unknown here: these flows leave by a device without onramp.",
			COUNT(core->unknown_peer));
	finding_root(x, that.dev, "onramp", sender_hold(at->f));
}

static void sender_queue_without(const struct finding_check *at)
{
	uint32_t major = at->q->handle >> 16, queues = 0, onramp = 0;
	const struct facts *f = at->f;
	struct finding *x;
	size_t i;

	for (i = 0; i < f->nr_qdiscs; i++) {
		const struct facts_qdisc *q = &f->qdiscs[i];

		if (q->ifindex != at->q->ifindex || q->parent >> 16 != major ||
		    !(q->parent & 0xffff))
			continue;
		queues++;
		onramp += facts_qdisc_is(q, "onramp");
	}
	if (!onramp || onramp == queues)
		return;
	x = finding_add(at, NULL,
			"Only %s of its %s queues have onramp: packets of the others are not held.",
			COUNT(onramp), COUNT(queues));
	finding_device(x, "onramp-mq", at->dev, "");
}

static void sender_link_without(const struct finding_check *at)
{
	const struct facts *f = at->f;
	const struct facts_dev *bond = facts_dev(f, at->dev->master);
	struct finding_check that = *at;
	struct finding *x;
	size_t i;

	for (i = 0; i < f->nr_devs && bond && bond->bond; i++) {
		that.dev = &f->devs[i];
		if (that.dev->master != bond->ifindex || !that.dev->up ||
		    finding_has(f, that.dev->ifindex, "onramp"))
			continue;
		x = finding_add(&that, NULL,
				"It is a link of %s, as %s is, and has no onramp: packets that leave by it are not held.",
				bond->name, at->dev->name);
		finding_root(x, that.dev, "onramp", sender_hold(f));
	}
}

static void sender_mode_off(const struct finding_check *at)
{
	struct finding *x;

	/* With reaction points it is there for these. */
	if (at->q->onramp.mode != ONRAMP_MODE_OFF || at->q->onramp.rp)
		return;
	x = finding_add(at, NULL,
			"Its onramp has mode off: it measures and holds nothing.");
	finding_change(x, at, "mode hold");
}

static void sender_mode_observe(const struct finding_check *at)
{
	struct finding *x;

	if (at->q->onramp.mode != ONRAMP_MODE_OBSERVE)
		return;
	x = finding_add(at, NULL,
			"Its onramp has mode observe: holds are counted and not set.");
	finding_change(x, at, "mode hold");
}

static void sender_held_off(const struct finding_check *at)
{
	const char *why = at->f->held_off_why;
	struct finding *x;

	if (!at->f->held_off)
		return;
	x = finding_add(at, NULL,
			"Holding is switched off in this network namespace%s%s: holds are counted and not set.",
			*why ? ", " : "", why);
	finding_command(x, "onrampctl hold on");
}

static bool sender_is_published(const struct finding_check *at)
{
	return at->q->onramp.clock == ONRAMP_CLOCK_PUBLISHED;
}

/* The published line that it wants: is there none, or a stale one? */
static bool sender_lacks_line(const struct finding_check *at, bool stale)
{
	const struct facts_clock *clock = &at->f->clock;
	bool line = clock->id == ONRAMP_CLOCK_PUBLISHED;

	return sender_is_published(at) && !(line && clock->usable) &&
	       line == stale;
}

static void sender_no_clock(const struct finding_check *at)
{
	struct finding *x;

	if (!sender_lacks_line(at, false))
		return;
	x = finding_add(at, NULL,
			"Its onramp has clock published and no clock is published: the clock daemon is not running; use clock system only if all peers use it.");
	finding_clock(x, at->f);
}

static void sender_clock_stale(const struct finding_check *at)
{
	struct finding *x;

	if (!sender_lacks_line(at, true))
		return;
	x = finding_add(at, NULL,
			"The published clock is stale: the clock daemon has stopped; use clock system only if all peers use it.");
	finding_clock(x, at->f);
}

/* The bound that delays had, or will have. */
static uint64_t sender_bound(const struct finding_check *at)
{
	const struct facts_clock *clock = &at->f->clock;
	const struct facts_paths *paths = &at->f->paths;
	uint64_t own_ns = at->q->onramp.error_ns;

	if (sender_is_published(at))
		own_ns = clock->usable ? clock->error_ns : 0;
	if (paths->in[ONRAMP_STATE_UNCERTAIN].n &&
	    paths->uncertain_ns > own_ns)
		return paths->uncertain_ns;
	return own_ns;
}

static void sender_uncertain(const struct finding_check *at)
{
	uint64_t bound_ns = sender_bound(at);
	struct finding *x;
	char params[64];

	if (bound_ns <= at->q->onramp.max_error_ns)
		return;
	x = finding_add(at, NULL,
			"Delays have an error bound of %s, above its onramp's max_error of %s; prefer more exact clocks to a larger max_error.",
			TIME(bound_ns), TIME(at->q->onramp.max_error_ns));
	snprintf(params, sizeof(params), "max_error %s", TIME(bound_ns));
	finding_change(x, at, params);
}

/* Findings about paths are reported once, and not for each device. */
static struct finding_check sender_host(const struct finding_check *at)
{
	struct finding_check host = *at;

	host.dev = NULL;
	return host;
}

/* The peer's clock is the published one, which its acker prefers. */
static void sender_use_published(const struct finding_check *at)
{
	const struct facts_ends *ends = &at->f->paths.in[ONRAMP_STATE_NO_CLOCK];
	const struct facts_clock *clock = &at->f->clock;
	struct finding *x;

	x = finding_add(at, NULL,
			"Its onramp has clock system, but a clock is published here, and the OR-ACKs of %s have another clock or none.",
			ends->daddr);
	if (clock->id != ONRAMP_CLOCK_PUBLISHED || !clock->usable) {
		finding_clock(x, at->f);
		finding_command(x, " && ");
	}
	finding_change(x, at, "clock published");
}

static void sender_peer_no_clock(const struct finding_check *at)
{
	const struct facts_ends *ends = &at->f->paths.in[ONRAMP_STATE_NO_CLOCK];
	bool system = !sender_is_published(at);
	struct finding_check host = sender_host(at);
	struct finding *x;

	if (!ends->n || sender_lacks_line(at, false) ||
	    sender_lacks_line(at, true))
		return;
	if (system && finding_publishes(at->f)) {
		sender_use_published(at);
		return;
	}
	x = finding_add(&host, ends->daddr,
			"The OR-ACKs of %s have no clock, or another one than the %s clock that is used here.",
			ends->daddr, system ? "system's" : "published");
	finding_clock(x, at->f);
}

/*
 * The command only shows: something keeps the clock already, and a second one that does
 * would make it worse.
 */
static void sender_show_clock(struct finding *x, const struct finding_check *at)
{
	finding_command(x, sender_is_published(at) ? "huygensctl tracking" :
						     "chronyc tracking");
}

/* Appended to a sentence: another program that knows. */
static const char *sender_or_pmc(const struct finding_check *at)
{
	return sender_is_published(at) ? "" : " (for ptp4l: pmc)";
}

static void sender_clocks_differ(const struct finding_check *at)
{
	const struct facts_ends *early = &at->f->paths.in[ONRAMP_STATE_NEGATIVE];
	const struct facts_ends *late = &at->f->paths.in[ONRAMP_STATE_TOO_LONG];
	struct finding_check host = sender_host(at);
	struct finding *x;

	if (early->n)
		x = finding_add(&host, NULL,
				"Packets seem to arrive at %s before they leave: its clock and this one differ by more than the delay; check the clock daemon on both hosts%s.",
				early->daddr, sender_or_pmc(at));
	else if (late->n)
		x = finding_add(&host, NULL,
				"Packets seem to arrive at %s after their OR-ACK: its clock and this one differ by more than the delay; check the clock daemon on both hosts%s.",
				late->daddr, sender_or_pmc(at));
	else if (at->f->core.stale && finding_is_refused(at->f))
		x = finding_add(&host, NULL,
				"%s signed OR-ACKs were dropped because their timestamps differ from the clock here by a second or more; check the clock daemon%s.",
				COUNT(at->f->core.stale), sender_or_pmc(at));
	else
		return;
	sender_show_clock(x, at);
}

static void sender_path_suspect(const struct finding_check *at)
{
	const struct facts_ends *ends = &at->f->paths.in[ONRAMP_STATE_SUSPECT];
	struct finding_check host = sender_host(at);
	struct finding *x;

	if (!ends->n)
		ends = &at->f->paths.in[ONRAMP_STATE_BELOW_BASE];
	if (!ends->n || at->q->onramp.threshold_ns)
		return;
	x = finding_add(&host, NULL,
			"The base of the path to %s is being measured anew: a clock was stepped or the route changed; if this persists, the clocks drift apart; check the clock daemon%s.",
			ends->daddr, sender_or_pmc(at));
	sender_show_clock(x, at);
}

static bool sender_is_below_base(const struct facts_onramp *o)
{
	return o->learned && (int64_t)o->threshold_ns <= o->base_ns;
}

static void sender_threshold_low(const struct finding_check *at)
{
	const struct facts_onramp *o = &at->q->onramp;
	struct finding *x;

	if (!o->threshold_ns || !sender_is_below_base(o))
		return;
	x = finding_add(at, NULL,
			"Its threshold %s is not above %s, the delay of an idle path: all packets would be held, so the path is suspect and none is held.",
			TIME(o->threshold_ns), TIME(o->base_ns));
	finding_change(x, at, "threshold auto");
}

/* To be run at the receiver, of which it is the likeliest that it lacks. */
static void sender_add_peer(struct finding *x, const struct facts_ends *ends)
{
	finding_command(x, "onrampctl peers add %s", ends->saddr);
}

static void sender_no_acks(const struct finding_check *at)
{
	const struct facts_core_counts *core = &at->f->core;
	const struct facts_ends *ends = &at->f->paths.unacked;
	struct finding_check host = sender_host(at);
	struct finding *x;

	if (!ends->n)
		ends = &at->f->paths.all;
	if (at->q->onramp.n.records < FINDING_SEEN || core->acks ||
	    core->unknown_peer || finding_is_refused(at->f) || !ends->n)
		return;
	x = finding_add(&host, ends->daddr,
			"%s packets left and no OR-ACK arrived; if doctor finds nothing on the receiver, UDP port %d is filtered on the way.",
			COUNT(at->q->onramp.n.records), ONRAMP_PORT);
	sender_add_peer(x, ends);
}

static bool sender_is_unlearned(const struct finding_check *at)
{
	const struct facts_onramp_counts *n = &at->q->onramp.n;

	return n->records >= FINDING_SEEN && !n->samples && !n->unmatched &&
	       at->f->core.acks && at->f->paths.unacked.n;
}

static void sender_unlearned(const struct finding_check *at)
{
	const struct facts_ends *ends = &at->f->paths.unacked;
	struct finding *x;

	if (!sender_is_unlearned(at))
		return;
	x = finding_add(at, ends->daddr,
			"No OR-ACK arrives for packets that leave by it, so its threshold is unknown; %s acknowledges nothing.",
			ends->daddr);
	sender_add_peer(x, ends);
}

static void sender_path_silent(const struct finding_check *at)
{
	const struct facts_ends *ends = &at->f->paths.in[ONRAMP_STATE_UNACKED];
	struct finding_check host = sender_host(at);
	struct finding *x;

	if (!ends->n || !at->f->core.acks || finding_is_refused(at->f) ||
	    sender_is_unlearned(at))
		return;
	x = finding_add(&host, ends->daddr,
			"The path to %s is unacknowledged and not held, while other paths are acknowledged: that host has no acker, does not list this host as a peer, or UDP port %d is filtered on the way.",
			ends->daddr, ONRAMP_PORT);
	sender_add_peer(x, ends);
}

/* Where not all packets are remembered, many are reported that were not. */
static void sender_records_lost(const struct finding_check *at)
{
	const struct facts_onramp_counts *n = &at->q->onramp.n;
	struct finding *x;

	if (at->q->onramp.remember || n->unmatched < FINDING_SEEN || n->unmatched <= n->samples)
		return;
	if (at->dev->gso) {
		x = finding_add(at, NULL,
				"%s OR-ACKs arrived after the records of their packets were gone; %s arrived in time.",
				COUNT(n->unmatched), COUNT(n->samples));
		finding_change(x, at, "record_idle 10s");
		return;
	}
	x = finding_add(at, NULL,
			"%s OR-ACKs arrived too late and %s in time: without GSO a flow has more packets in flight than its 256 records.",
			COUNT(n->unmatched), COUNT(n->samples));
	finding_device(x, "ethtool -K", at->dev, "gso on tso on");
}

/*
 * OR-ACKs that leave are not TCP, and not a reason; nor are the probes of a daemon
 * that publishes a clock, however many.  TCP that is idle now may come again.
 */
static void sender_not_tcp(const struct finding_check *at)
{
	const struct facts_onramp_counts *n = &at->q->onramp.n;
	struct finding *x;

	if (n->not_tcp < FINDING_SEEN + at->f->ack.entries ||
	    at->q->onramp.recorded ||
	    at->f->clock.id == ONRAMP_CLOCK_PUBLISHED)
		return;
	x = finding_add(at, NULL,
			"No packet that left by it was TCP with payload, %s packets were of other protocols: only TCP is held, so fq is sufficient.",
			COUNT(n->not_tcp));
	finding_root(x, at->dev, "fq", NULL);
}

static void sender_no_stamps(const struct finding_check *at)
{
	const struct facts_onramp *o = &at->q->onramp;
	struct finding *x;

	if (at->dev->stamp_tx && (!o->measured || o->recorded))
		return;
	x = finding_add(at, NULL,
			"The departure of its packets is not timestamped, so no delay can be measured.");
	finding_device(x, "onrampctl stamps set dev", at->dev, "tx qdisc");
}

static uint64_t sender_bps(const struct finding_check *at)
{
	return at->q->onramp.link_bps ? at->q->onramp.link_bps : at->dev->bps;
}

/* How much longer than the base a delay may be that is not held; 0: unknown. */
static uint64_t sender_headroom(const struct finding_check *at)
{
	const struct facts_onramp *o = &at->q->onramp;
	uint64_t error_ns = at->f->paths.error_ns;

	if (!o->threshold_ns)
		return o->margin_ns + 2 * (error_ns ? error_ns : o->error_ns);
	if (!o->learned || sender_is_below_base(o))
		return 0;
	return o->threshold_ns - o->base_ns;
}

/* Two frames are the least that is worth the name. */
static uint64_t sender_gso_that_fits(const struct finding_check *at)
{
	uint64_t kbps = sender_bps(at) / 1000;
	uint64_t bytes = sender_headroom(at) * kbps / 8000000;

	bytes -= bytes % SENDER_GSO_STEP;
	return bytes < 2 * at->dev->mtu ? 2 * at->dev->mtu : bytes;
}

static void sender_gso_burst(const struct finding_check *at)
{
	uint64_t kbps = sender_bps(at) / 1000, burst_ns;
	uint64_t headroom_ns = sender_headroom(at);
	struct finding *x;

	if (!at->dev->gso || !headroom_ns || !kbps ||
	    at->dev->gso_max <= sender_gso_that_fits(at))
		return;
	burst_ns = at->dev->gso_max * 8000000ULL / kbps;
	if (burst_ns <= headroom_ns)
		return;
	x = finding_add(at, NULL,
			"A GSO packet of gso_max_size %s bytes takes %s, more than the %s that the threshold allows: flows are held because of their own packets and lose throughput.",
			COUNT(at->dev->gso_max), TIME(burst_ns),
			TIME(headroom_ns));
	finding_device(x, "ip link set dev", at->dev, "gso_max_size ");
	finding_command(x, "%s", COUNT(sender_gso_that_fits(at)));
}

static void sender_rate_unknown(const struct finding_check *at)
{
	struct finding *x;

	if (!at->q->onramp.n.gso_unknown_rate || sender_bps(at))
		return;
	x = finding_add(at, NULL,
			"The rate of its link is unknown, so the delay of later segments of GSO packets is overestimated; set the rate (the command assumes 10 Gbit/s).");
	finding_change(x, at, "link_rate 10gbit");
}

static void sender_nic_backlog(const struct finding_check *at)
{
	const struct facts_onramp *o = &at->q->onramp;
	uint64_t headroom_ns = sender_headroom(at);
	struct finding *x;

	if (o->nic_comp || !headroom_ns || o->nic_backlog_ns <= headroom_ns)
		return;
	x = finding_add(at, NULL,
			"Packets wait %s in its NIC, longer than the %s that the threshold allows, and are held because of this.",
			TIME(o->nic_backlog_ns), TIME(headroom_ns));
	finding_change(x, at, "nic_comp on");
}

static void sender_no_bql(const struct finding_check *at)
{
	const struct facts_dev *dev = at->dev;
	struct finding *x;

	if (!finding_lacks_bql(dev))
		return;
	x = finding_add(at, NULL,
			"Its driver has no byte queue limits: the wait in its ring is unknown and counts as delay; a short ring limits it.");
	finding_device(x, "ethtool -G", dev, "tx 256");
}

#define RULE(id, severity, scope, check) \
	{ id, FINDING_##severity, FINDING_##scope, sender_##check }

const struct finding_rule finding_sender[] = {
	RULE("module-absent", ERROR, HOST, module_absent),
	RULE("wrong-qdisc", ERROR, HOST, wrong_qdisc),
	RULE("wrong-device", ERROR, SENDER, wrong_device),
	RULE("queue-without", WARNING, MQ, queue_without),
	RULE("link-without", WARNING, SENDER, link_without),
	RULE("held-off", ERROR, HOST, held_off),
	RULE("mode-off", ERROR, ONRAMP, mode_off),
	RULE("mode-observe", NOTE, ONRAMP, mode_observe),
	RULE("no-clock", ERROR, SENDER, no_clock),
	RULE("clock-stale", ERROR, SENDER, clock_stale),
	RULE("clock-uncertain", ERROR, SENDER, uncertain),
	RULE("peer-no-clock", ERROR, SENDER, peer_no_clock),
	RULE("clocks-differ", ERROR, SENDER, clocks_differ),
	RULE("path-suspect", NOTE, SENDER, path_suspect),
	RULE("path-unacked", WARNING, SENDER, path_silent),
	RULE("threshold-low", ERROR, SENDER, threshold_low),
	RULE("threshold-unlearned", ERROR, SENDER, unlearned),
	RULE("no-stamps", ERROR, SENDER, no_stamps),
	RULE("no-acks", ERROR, SENDER, no_acks),
	RULE("records-lost", WARNING, SENDER, records_lost),
	RULE("not-tcp", WARNING, SENDER, not_tcp),
	RULE("gso-burst", WARNING, SENDER, gso_burst),
	RULE("rate-unknown", WARNING, SENDER, rate_unknown),
	RULE("nic-backlog", WARNING, SENDER, nic_backlog),
	RULE("no-bql", NOTE, SENDER, no_bql),
	RULE("kernel-untried", NOTE, HOST, kernel_untried),
	{ 0 }
};
