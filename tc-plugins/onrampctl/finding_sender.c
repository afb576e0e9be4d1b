// SPDX-License-Identifier: GPL-2.0
/*
 * Why nothing is held: qdisc, clocks, OR-ACKs that do not come or are refused,
 * thresholds that cannot be met.
 */
#include <inttypes.h>
#include <string.h>
#include <linux/onramp_wire.h>

#include "../word.h"
#include "finding.h"

/* Fewer packets may just not have been acked yet. */
#define FINDING_SEEN	10

/* What is proposed where nobody said how good the clock is. */
#define FINDING_SYSTEM	"clock system error 2us"

#define TIME(ns)	(print_time_word(ns).text)

/* Each onramp that is asked about. */
#define FOR_EACH_ONRAMP(f, q)						\
	for ((q) = (f)->qdiscs; (q) < (f)->qdiscs + (f)->nr_qdiscs; (q)++) \
		if (facts_qdisc_is(q, "onramp") &&			\
		    finding_in_scope(f, (q)->ifindex))

/* Of them, those that look at delays. */
#define FOR_EACH_LOOKING(f, q)						\
	FOR_EACH_ONRAMP(f, q)						\
		if ((q)->onramp.mode != ONRAMP_MODE_OFF)

static const struct facts_qdisc *sender_first(const struct facts *f)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q)
		return q;
	return NULL;
}

static const struct facts_dev *sender_dev(const struct facts *f,
					  const struct facts_qdisc *q)
{
	return facts_dev(f, q->ifindex);
}

static bool sender_acks_here(const struct facts *f)
{
	size_t i;

	for (i = 0; i < f->nr_devs; i++)
		if (f->devs[i].acked && finding_in_scope(f, f->devs[i].ifindex))
			return true;
	return false;
}

static void sender_module_absent(const struct facts *f,
				 const struct finding_rule *rule,
				 struct findings *out)
{
	struct finding *x;

	if (!f->absent || finding_has(f, f->scope, "ecnsharp"))
		return;
	x = finding_add(out, rule, NULL, NULL,
			"The module onramp is not loaded: nothing is measured, held or acked.");
	finding_command(x, "modprobe -a sch_onramp onramp_acker");
}

static void sender_wrong_qdisc(const struct facts *f,
			       const struct finding_rule *rule,
			       struct findings *out)
{
	const struct facts_dev *dev = finding_candidate(f, NULL);
	struct finding *x;

	if (!f->onramp || !dev || finding_has(f, f->scope, "onramp") ||
	    finding_has(f, f->scope, "ecnsharp") || sender_acks_here(f))
		return;
	x = finding_add(out, rule, dev, NULL,
			"Its root qdisc is %s, which holds and marks nothing.",
			*dev->root ? dev->root : "none");
	finding_root(x, dev, "onramp", "mode hold " FINDING_SYSTEM);
}

/* How many children of mq a device has, and how many of them are onramp's. */
static void sender_count_queues(const struct facts *f, uint32_t ifindex,
				uint32_t major, uint32_t *queues,
				uint32_t *onramp)
{
	const struct facts_qdisc *q;

	*queues = 0;
	*onramp = 0;
	for (q = f->qdiscs; q < f->qdiscs + f->nr_qdiscs; q++) {
		if (q->ifindex != ifindex || q->parent >> 16 != major ||
		    !(q->parent & 0xffff))
			continue;
		++*queues;
		*onramp += facts_qdisc_is(q, "onramp");
	}
}

static void sender_queue_without(const struct facts *f,
				 const struct finding_rule *rule,
				 struct findings *out)
{
	const struct facts_qdisc *q;
	uint32_t queues, onramp;

	for (q = f->qdiscs; q < f->qdiscs + f->nr_qdiscs; q++) {
		struct finding *x;

		if (!facts_qdisc_is(q, "mq") ||
		    !finding_in_scope(f, q->ifindex))
			continue;
		sender_count_queues(f, q->ifindex, q->handle >> 16, &queues,
				    &onramp);
		if (!onramp || onramp == queues)
			continue;
		x = finding_add(out, rule, sender_dev(f, q), NULL,
				"Only %" PRIu32 " of its %" PRIu32 " queues have onramp: what leaves by the others is not held.",
				onramp, queues);
		finding_command(x, "onramp-mq ");
		finding_word(x, sender_dev(f, q)->name);
	}
}

static void sender_mode_off(const struct facts *f,
			    const struct finding_rule *rule,
			    struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_ONRAMP(f, q)
		if (q->onramp.mode == ONRAMP_MODE_OFF)
			finding_qdisc(finding_add(out, rule, sender_dev(f, q),
						  NULL, "Its onramp has mode off: it is a fair queue and no more."),
				      f, q, "mode hold");
}

static void sender_mode_observe(const struct facts *f,
				const struct finding_rule *rule,
				struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_ONRAMP(f, q)
		if (q->onramp.mode == ONRAMP_MODE_OBSERVE)
			finding_qdisc(finding_add(out, rule, sender_dev(f, q),
						  NULL, "Its onramp has mode observe: holds are counted, not made."),
				      f, q, "mode hold");
}

/* The published line that it wants: is there none, or a stale one? */
static bool sender_wants_line(const struct facts *f,
			      const struct facts_qdisc *q, bool stale)
{
	bool line = f->clock.id == ONRAMP_CLOCK_PUBLISHED;

	return q->onramp.clock == ONRAMP_CLOCK_PUBLISHED &&
	       !(line && f->clock.usable) && line == stale;
}

static void sender_use_system(const struct facts *f, const struct facts_qdisc *q,
			      struct finding *x)
{
	char words[64];

	snprintf(words, sizeof(words), "clock system error %s",
		 f->clock.usable ? TIME(f->clock.error_ns) : "2us");
	finding_qdisc(x, f, q, words);
}

static void sender_no_clock(const struct facts *f,
			    const struct finding_rule *rule,
			    struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q)
		if (sender_wants_line(f, q, false))
			sender_use_system(f, q,
					  finding_add(out, rule, sender_dev(f, q), NULL,
						      "Its onramp wants a published clock and there is none; if CLOCK_REALTIME is disciplined, vouch for its error."));
}

static void sender_clock_stale(const struct facts *f,
			       const struct finding_rule *rule,
			       struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q)
		if (sender_wants_line(f, q, true))
			sender_use_system(f, q,
					  finding_add(out, rule, sender_dev(f, q), NULL,
						      "The published clock is stale: what publishes it has stopped; until it runs, CLOCK_REALTIME may do."));
}

/* The bound that delays had, or will have. */
static uint64_t sender_bound(const struct facts *f, const struct facts_qdisc *q)
{
	uint64_t own_ns = q->onramp.clock == ONRAMP_CLOCK_SYSTEM ?
			  q->onramp.error_ns :
			  f->clock.usable ? f->clock.error_ns : 0;

	if (f->paths.in[ONRAMP_STATE_UNCERTAIN].n &&
	    f->paths.uncertain_ns > own_ns)
		return f->paths.uncertain_ns;
	return own_ns;
}

static void sender_uncertain(const struct facts *f,
			     const struct finding_rule *rule,
			     struct findings *out)
{
	const struct facts_qdisc *q;
	char words[64];

	FOR_EACH_LOOKING(f, q) {
		uint64_t bound_ns = sender_bound(f, q);

		if (bound_ns <= q->onramp.max_error_ns)
			continue;
		snprintf(words, sizeof(words), "max_error %s", TIME(bound_ns));
		finding_qdisc(finding_add(out, rule, sender_dev(f, q), NULL,
					  "Delays may be wrong by %s and its onramp believes none above max_error %s; better clocks are the better cure.",
					  TIME(bound_ns),
					  TIME(q->onramp.max_error_ns)),
			      f, q, words);
	}
}

static void sender_peer_no_clock(const struct facts *f,
				 const struct finding_rule *rule,
				 struct findings *out)
{
	const struct facts_ends *ends = &f->paths.in[ONRAMP_STATE_NO_CLOCK];
	const struct facts_qdisc *q = sender_first(f);
	struct finding *x;

	if (!q || !ends->n || sender_wants_line(f, q, false) ||
	    sender_wants_line(f, q, true))
		return;
	x = finding_add(out, rule, NULL, ends->daddr,
			"%s acks without a clock, or by another one than the %s clock that is used here.",
			ends->daddr, q->onramp.clock == ONRAMP_CLOCK_SYSTEM ?
			"system's" : "published");
	finding_command(x, "onrampctl clock set system error 2us");
}

static void sender_clocks_differ(const struct facts *f,
				 const struct finding_rule *rule,
				 struct findings *out)
{
	static const uint8_t states[] = {
		ONRAMP_STATE_NEGATIVE, ONRAMP_STATE_TOO_LONG,
	};
	struct finding *x;
	size_t i;

	for (i = 0; sender_first(f) && i < sizeof(states); i++) {
		const struct facts_ends *ends = &f->paths.in[states[i]];

		if (!ends->n)
			continue;
		x = finding_add(out, rule, NULL, NULL,
				"Packets seem to come to %s %s: its clock and this one differ by more than their bounds say.",
				ends->daddr,
				states[i] == ONRAMP_STATE_NEGATIVE ?
				"before they leave" : "after they were acked");
		finding_command(x, "timedatectl set-ntp true");
		return;
	}
	if (!sender_first(f) || !f->core.stale)
		return;
	x = finding_add(out, rule, NULL, NULL,
			"%" PRIu64 " signed OR-ACKs had stamps a second or more from the clock here, and were dropped.",
			f->core.stale);
	finding_command(x, "timedatectl set-ntp true");
}

static void sender_path_suspect(const struct facts *f,
				const struct finding_rule *rule,
				struct findings *out)
{
	const struct facts_ends *ends = &f->paths.in[ONRAMP_STATE_SUSPECT];
	const struct facts_qdisc *q = sender_first(f);
	struct finding *x;

	if (!ends->n)
		ends = &f->paths.in[ONRAMP_STATE_BELOW_BASE];
	if (!q || !ends->n || q->onramp.threshold_ns)
		return;
	x = finding_add(out, rule, NULL, NULL,
			"The path to %s is learned anew: a clock was stepped or the route changed; if it lasts, clocks run apart.",
			ends->daddr);
	finding_command(x, "timedatectl set-ntp true");
}

static void sender_threshold_low(const struct facts *f,
				 const struct finding_rule *rule,
				 struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q)
		if (q->onramp.threshold_ns && q->onramp.learned &&
		    (int64_t)q->onramp.threshold_ns <= q->onramp.base_ns)
			finding_qdisc(finding_add(out, rule, sender_dev(f, q), NULL,
						  "Its threshold %s is not above the %s that an idle path takes: all are held, so the path is suspect and none is.",
						  TIME(q->onramp.threshold_ns),
						  TIME(q->onramp.base_ns)),
				      f, q, "threshold auto");
}

static bool sender_is_refused(const struct facts *f)
{
	return f->core.not_signed || f->core.unknown_key || f->core.forged ||
	       f->core.stale;
}

static uint64_t sender_recorded(const struct facts *f)
{
	const struct facts_qdisc *q;
	uint64_t n = 0;

	FOR_EACH_LOOKING(f, q)
		n += q->onramp.n.records;
	return n;
}

/* To be run at the receiver, of which it is the likeliest that it lacks. */
static void sender_add_peer(struct finding *x, const struct facts_ends *ends)
{
	finding_command(x, "onrampctl peers add %s",
			ends->n ? ends->saddr : "0.0.0.0/0");
}

static void sender_no_acks(const struct facts *f,
			   const struct finding_rule *rule,
			   struct findings *out)
{
	const struct facts_ends *ends = f->paths.silent.n ? &f->paths.silent :
							    &f->paths.all;
	uint64_t n = sender_recorded(f);
	struct finding *x;

	if (n < FINDING_SEEN || f->core.acks || f->core.strange ||
	    sender_is_refused(f) || !ends->n)
		return;
	x = finding_add(out, rule, NULL, ends->daddr,
			"One-sided: %" PRIu64 " packets left and no OR-ACK came; if the receiver's doctor finds nothing, UDP port %d is filtered on the way.",
			n, ONRAMP_PORT);
	sender_add_peer(x, ends);
}

static void sender_unlearned(const struct facts *f,
			     const struct finding_rule *rule,
			     struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q) {
		if (q->onramp.n.records < FINDING_SEEN ||
		    q->onramp.n.samples || q->onramp.n.unmatched ||
		    !f->core.acks || !f->paths.silent.n)
			continue;
		sender_add_peer(finding_add(out, rule, sender_dev(f, q),
					    f->paths.silent.daddr,
					    "No OR-ACK is of what leaves by it, so no threshold is learned; %s acks nothing.",
					    f->paths.silent.daddr),
				&f->paths.silent);
	}
}

static void sender_records_lost(const struct facts *f,
				const struct finding_rule *rule,
				struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q) {
		const struct facts_onramp_counts *n = &q->onramp.n;
		const struct facts_dev *dev = sender_dev(f, q);
		struct finding *x;

		if (!dev || n->unmatched < FINDING_SEEN ||
		    n->unmatched <= n->samples)
			continue;
		x = finding_add(out, rule, dev, NULL,
				"%" PRIu64 " OR-ACKs were of packets that are not remembered any more, %" PRIu64 " were not: %s.",
				n->unmatched, n->samples, dev->gso ?
				"they come too late" :
				"without GSO more than 256 packets of a flow are on their way");
		if (dev->gso) {
			finding_qdisc(x, f, q, "record_idle 10s");
			continue;
		}
		finding_command(x, "ethtool -K ");
		finding_word(x, dev->name);
		finding_command(x, " gso on tso on");
	}
}

static void sender_wrong_device(const struct facts *f,
				const struct finding_rule *rule,
				struct findings *out)
{
	struct facts all = *f;
	const struct facts_dev *dev;

	all.scope = 0;
	dev = finding_candidate(&all, "onramp");
	if (!sender_first(f) || f->core.strange < FINDING_SEEN ||
	    f->core.strange <= f->core.acks || !dev || !dev->n.tx_bytes)
		return;
	finding_root(finding_add(out, rule, dev, NULL,
				 "%" PRIu64 " OR-ACKs were of flows that no onramp here has seen: they leave by a device without one.",
				 f->core.strange),
		     dev, "onramp", "mode hold " FINDING_SYSTEM);
}

static void sender_not_tcp(const struct facts *f,
			   const struct finding_rule *rule,
			   struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q)
		if (q->onramp.n.not_tcp >= FINDING_SEEN && !q->onramp.n.records)
			finding_root(finding_add(out, rule, sender_dev(f, q), NULL,
						 "Nothing that leaves by it is TCP with payload, %" PRIu64 " packets were of other protocols: only TCP is held, fq does as well.",
						 q->onramp.n.not_tcp),
				     sender_dev(f, q), "fq", "");
}

static void sender_no_stamps(const struct facts *f,
			     const struct finding_rule *rule,
			     struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q) {
		const struct facts_dev *dev = sender_dev(f, q);
		struct finding *x;

		if (!dev || (dev->stamp_tx &&
			     (!q->onramp.watched || q->onramp.recorded)))
			continue;
		x = finding_add(out, rule, dev, NULL,
				"Nobody sees when packets leave it, so no delay can be measured.");
		finding_command(x, "onrampctl stamps set dev ");
		finding_word(x, dev->name);
		finding_command(x, " tx qdisc");
	}
}

static uint64_t sender_bps(const struct facts_qdisc *q,
			   const struct facts_dev *dev)
{
	return q->onramp.link_bps ? q->onramp.link_bps : dev->bps;
}

/* How much longer than the base a delay may be that is not held; 0: unknown. */
static uint64_t sender_headroom(const struct facts *f,
				const struct facts_qdisc *q)
{
	const struct facts_onramp *o = &q->onramp;
	uint64_t error_ns = f->paths.error_ns ? f->paths.error_ns : o->error_ns;

	if (!o->threshold_ns)
		return o->margin_ns + 2 * error_ns;
	if (!o->learned || (int64_t)o->threshold_ns <= o->base_ns)
		return 0;
	return o->threshold_ns - o->base_ns;
}

/*
 * Two frames are the least that is worth the name, and 512 bytes the step, so
 * that the number is one that a reader may compare.
 */
static uint32_t sender_gso_that_fits(const struct facts_dev *dev,
				     uint64_t headroom_ns, uint64_t bps)
{
	uint64_t bytes = headroom_ns * (bps / 1000) / 8000000;

	bytes -= bytes % 512;
	return bytes < 2 * dev->mtu ? 2 * dev->mtu : bytes;
}

static void sender_gso_burst(const struct facts *f,
			     const struct finding_rule *rule,
			     struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q) {
		uint64_t headroom_ns = sender_headroom(f, q), burst_ns, bps;
		const struct facts_dev *dev = sender_dev(f, q);
		struct finding *x;

		if (!dev || !dev->gso || !headroom_ns)
			continue;
		bps = sender_bps(q, dev);
		if (bps < 1000 || dev->gso_max <= 2 * dev->mtu)
			continue;
		burst_ns = dev->gso_max * 8000000ULL / (bps / 1000);
		if (burst_ns <= headroom_ns ||
		    dev->gso_max <= sender_gso_that_fits(dev, headroom_ns, bps))
			continue;
		x = finding_add(out, rule, dev, NULL,
				"A GSO packet of gso_max_size %" PRIu32 " bytes takes %s, and the threshold leaves %s: flows hold themselves and lose up to a fifth of the rate.",
				dev->gso_max, TIME(burst_ns),
				TIME(headroom_ns));
		finding_command(x, "ip link set dev ");
		finding_word(x, dev->name);
		finding_command(x, " gso_max_size %" PRIu32,
				sender_gso_that_fits(dev, headroom_ns, bps));
	}
}

static void sender_rate_unknown(const struct facts *f,
				const struct finding_rule *rule,
				struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q) {
		const struct facts_dev *dev = sender_dev(f, q);

		if (dev && q->onramp.n.gso_unknown_rate && !sender_bps(q, dev))
			finding_qdisc(finding_add(out, rule, dev, NULL,
						  "The speed of its link is not known, so the later segments of GSO packets seem to take longer than they do; say it (here: 10 Gbit/s)."),
				      f, q, "link_rate 10gbit");
	}
}

static void sender_nic_backlog(const struct facts *f,
			       const struct finding_rule *rule,
			       struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q) {
		uint64_t headroom_ns = sender_headroom(f, q);

		if (q->onramp.nic_comp || !headroom_ns ||
		    q->onramp.nic_backlog_ns <= headroom_ns)
			continue;
		finding_qdisc(finding_add(out, rule, sender_dev(f, q), NULL,
					  "Packets wait %s in its card, longer than the %s that the threshold leaves, and are held for it.",
					  TIME(q->onramp.nic_backlog_ns),
					  TIME(headroom_ns)),
			      f, q, "nic_comp on");
	}
}

static void sender_no_bql(const struct facts *f,
			  const struct finding_rule *rule,
			  struct findings *out)
{
	const struct facts_qdisc *q;

	FOR_EACH_LOOKING(f, q) {
		const struct facts_dev *dev = sender_dev(f, q);
		struct finding *x;

		if (!dev || !dev->hardware || dev->bql || !dev->n.tx_bytes)
			continue;
		x = finding_add(out, rule, dev, NULL,
				"Its driver has no byte queue limits: what waits in its ring is seen by nobody and counts as delay; a short ring bounds it.");
		finding_command(x, "ethtool -G ");
		finding_word(x, dev->name);
		finding_command(x, " tx 256");
	}
}

static const struct facts_group *sender_group(const struct facts *f,
					      bool require)
{
	size_t i;

	for (i = 0; i < f->nr_groups; i++)
		if (!require || f->groups[i].require)
			return &f->groups[i];
	return NULL;
}

static void sender_key_missing(const struct facts *f,
			       const struct finding_rule *rule,
			       struct findings *out)
{
	const struct facts_group *group = sender_group(f, true);
	struct finding *x;

	if (!f->core.not_signed || !group)
		return;
	x = finding_add(out, rule, NULL, NULL,
			"%" PRIu64 " OR-ACKs were dropped because they are not signed: not all peers of group %" PRIu32 " have its key yet.",
			f->core.not_signed, group->group);
	finding_command(x, "onrampctl keys set group %" PRIu32 " require no",
			group->group);
}

static void sender_key_unknown(const struct facts *f,
			       const struct finding_rule *rule,
			       struct findings *out)
{
	const struct facts_group *group = sender_group(f, false);
	const struct facts_ends *ends = &f->paths.all;
	struct finding *x;

	if (!f->core.unknown_key || !group)
		return;
	x = finding_add(out, rule, NULL, ends->n ? ends->daddr : NULL,
			"%" PRIu64 " OR-ACKs were dropped because they are signed with a key that is not here: a peer has rotated too early.",
			f->core.unknown_key);
	finding_command(x, "onrampctl keys rotate group %" PRIu32 " id %" PRIu32,
			group->group, group->signs);
}

static void sender_key_differs(const struct facts *f,
			       const struct finding_rule *rule,
			       struct findings *out)
{
	const struct facts_group *group = sender_group(f, false);
	uint32_t id;
	struct finding *x;

	if (!f->core.forged || !group)
		return;
	x = finding_add(out, rule, NULL, NULL,
			"%" PRIu64 " OR-ACKs had a wrong tag: a peer has other bytes under the same number, or somebody forges; give all a new key from one file, then rotate to it.",
			f->core.forged);
	id = (group->signs + 1) % 256;
	if (group->other >= 0)
		finding_command(x, "onrampctl keys del group %" PRIu32 " id %d && ",
				group->group, group->other);
	finding_command(x, "onrampctl keys add group %" PRIu32 " id %" PRIu32 " file key%" PRIu32,
			group->group, id, id);
}

static void sender_flows_full(const struct facts *f,
			      const struct finding_rule *rule,
			      struct findings *out)
{
	uint64_t most = f->max_flows * 2;
	struct finding *x;

	if (!f->core.flows_failed || f->max_flows >= ONRAMP_RANGE_TABLE_MAX)
		return;
	if (most > ONRAMP_RANGE_TABLE_MAX)
		most = ONRAMP_RANGE_TABLE_MAX;
	x = finding_add(out, rule, NULL, NULL,
			"%" PRIu64 " flows found no room in the table of %" PRIu64 " and are not held.",
			f->core.flows_failed, f->max_flows);
	finding_command(x, "onrampctl limits set flows %" PRIu64, most);
}

const struct finding_rule finding_sender[] = {
	{ "module-absent", FINDING_ERROR, sender_module_absent },
	{ "wrong-qdisc", FINDING_ERROR, sender_wrong_qdisc },
	{ "wrong-device", FINDING_ERROR, sender_wrong_device },
	{ "queue-without", FINDING_WARNING, sender_queue_without },
	{ "mode-off", FINDING_ERROR, sender_mode_off },
	{ "mode-observe", FINDING_NOTE, sender_mode_observe },
	{ "no-clock", FINDING_ERROR, sender_no_clock },
	{ "clock-stale", FINDING_ERROR, sender_clock_stale },
	{ "clock-uncertain", FINDING_ERROR, sender_uncertain },
	{ "peer-no-clock", FINDING_ERROR, sender_peer_no_clock },
	{ "clocks-differ", FINDING_ERROR, sender_clocks_differ },
	{ "path-suspect", FINDING_NOTE, sender_path_suspect },
	{ "threshold-low", FINDING_ERROR, sender_threshold_low },
	{ "threshold-unlearned", FINDING_ERROR, sender_unlearned },
	{ "no-stamps", FINDING_ERROR, sender_no_stamps },
	{ "no-acks", FINDING_ERROR, sender_no_acks },
	{ "records-lost", FINDING_WARNING, sender_records_lost },
	{ "not-tcp", FINDING_WARNING, sender_not_tcp },
	{ "gso-burst", FINDING_WARNING, sender_gso_burst },
	{ "rate-unknown", FINDING_WARNING, sender_rate_unknown },
	{ "nic-backlog", FINDING_WARNING, sender_nic_backlog },
	{ "no-bql", FINDING_NOTE, sender_no_bql },
	{ "key-missing", FINDING_ERROR, sender_key_missing },
	{ "key-unknown", FINDING_ERROR, sender_key_unknown },
	{ "key-differs", FINDING_ERROR, sender_key_differs },
	{ "flows-full", FINDING_WARNING, sender_flows_full },
	{ 0 }
};
