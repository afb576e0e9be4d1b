// SPDX-License-Identifier: GPL-2.0
/*
 * ECN#: an AQM that marks on instantaneous and on persistent queueing.
 *
 * A FIFO whose packets are judged as they leave by the algorithm in
 * kernel/algo/ecnsharp.h; this file only acts: it queues, reads the clock
 * once per operation (and once more where a dequeue drops), marks, drops,
 * counts, and talks netlink.
 *
 * Packets are dropped in two places.  On enqueue when a limit is reached, and
 * on dequeue, if it is configured (nonect drop), where a packet that is
 * not ECN-capable would be marked.  A packet that leaves nothing behind is
 * never dropped on dequeue: drr and ets rely on a child that had a packet to
 * deliver one, and a parent that is notified of an empty child takes it
 * off its list, which it must not do while it dequeues from it.
 *
 * ->peek() takes a packet as ->dequeue() does and parks it in sch->gso_skb.
 * It is judged, marked and counted as sent then, and so belongs to the parent:
 * none of our own counts has it any more, and it is never dropped.
 *
 * With bypass on, the stack does not show us a packet that comes to an empty
 * root: it has level 0, which no signal marks, and what it would end was ended
 * when the queue ran empty.
 *
 * Locking: enqueue, dequeue, peek and the counters run under the root's
 * qdisc lock; settings change under RTNL plus sch_tree_lock(), so that the
 * dump, under RTNL, needs no lock to read them.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/prefetch.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <net/netlink.h>
#include <net/pkt_sched.h>
#include <linux/pkt_sch_ecnsharp.h>

#include "algo/delay_hist.h"
#include "algo/ecnsharp.h"
#include "compat/compat.h"
#include "param_nl.h"
#include "skb_ecn.h"
#include "skb_segments.h"

#define CREATE_TRACE_POINTS
#include "ecnsharp_trace.h"

/**
 * struct ecnsharp_skb_cb - what the qdisc remembers of a queued packet
 * @enqueue_ns: when it came
 * @memory: its truesize then, bytes
 * @ecn: skb_ecn_read() when it came, while the header is warm
 */
struct ecnsharp_skb_cb {
	u64 enqueue_ns;
	u32 memory;
	u8 ecn;
};

/**
 * struct ecnsharp_sched_data - private data of one qdisc
 * @limit: packets
 * @quick_limit: packets up to which one more is just queued: @limit, or 0 while
 *	each must be judged (@split_gso)
 * @memory_limit: bytes of truesize
 * @drop_nonect: drop what would be marked but cannot
 * @split_gso: segment GSO packets on enqueue
 * @plain: @params are a step on the sojourn time and the persistent signal
 * @params: what the algorithm reads
 * @vars: state of the algorithm
 * @memory: truesize of the packets in sch->q, bytes; at most @memory_limit or
 *	one packet's
 * @backlog: lengths of the packets in sch->q, bytes; qstats.backlog has the
 *	parked one as well, and falls without our doing when that leaves
 * @excess: bytes that qstats.backlog and the parents' have, but no packet; see
 *	ecnsharp_return_excess()
 * @integral: with @backlog x now, what the integral of the backlog has that is
 *	not in @count yet, byte-ns; see ecnsharp_fold()
 * @fold_ns: when that is due to be moved to @count
 * @tx_packets: packets that left
 * @sojourn_ns: level of the signal at the last packet
 * @sojourn_max_ns: the highest yet
 * @sojourn: distribution of the sojourn times
 * @algo: counters of the algorithm
 * @marks: packets marked, by verdict
 * @count: our own counters; members that repeat others' are set in the dump
 * @ended: persistent marks that the last episode had
 * @settings: what the user configured
 */
struct ecnsharp_sched_data {
	/* Read mostly */
	u32				limit;
	u32				quick_limit;
	u64				memory_limit;
	bool				drop_nonect;
	bool				split_gso;
	bool				plain;
	struct ecnsharp_params		params;

	/* Written for every packet */
	struct ecnsharp_vars		vars ____cacheline_aligned;
	u32				memory;
	u32				backlog;
	s32				excess;
	u64				integral;
	u64				fold_ns;
	u64				tx_packets;
	u64				sojourn_ns;
	struct delay_hist		sojourn;

	/* Written for some */
	u64				sojourn_max_ns;
	struct ecnsharp_stats		algo;
	u64				marks[ECNSHARP_MARK_BOTH + 1];
	struct tc_ecnsharp_xstats	count;
	u32				ended;

	/* Seldom used */
	struct ecnsharp_settings	settings ____cacheline_aligned;
};

/* The algorithm speaks no netlink: its numbers are the wire's. */
#define ECNSHARP_SAME(algo, wire) static_assert((u32)(algo) == (u32)(wire))
ECNSHARP_SAME(ECNSHARP_SOJOURN, TC_ECNSHARP_SIGNAL_SOJOURN);
ECNSHARP_SAME(ECNSHARP_LENGTH, TC_ECNSHARP_SIGNAL_LENGTH);
ECNSHARP_SAME(ECNSHARP_PASS, TC_ECNSHARP_NONECT_PASS);
ECNSHARP_SAME(ECNSHARP_DROP, TC_ECNSHARP_NONECT_DROP);
ECNSHARP_SAME(ECNSHARP_RENO, TC_ECNSHARP_TRANSPORT_RENO);
ECNSHARP_SAME(ECNSHARP_CUBIC, TC_ECNSHARP_TRANSPORT_CUBIC);
ECNSHARP_SAME(ECNSHARP_DCTCP, TC_ECNSHARP_TRANSPORT_DCTCP);
ECNSHARP_SAME(DELAY_HIST_BUCKETS, TC_ECNSHARP_HIST_BUCKETS);
#undef ECNSHARP_SAME

/* The one place that reads the clock, so that a lab can give each host its own. */
static u64 ecnsharp_now(void)
{
	return ktime_get_ns();
}

static struct ecnsharp_skb_cb *ecnsharp_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct ecnsharp_skb_cb));
	return (struct ecnsharp_skb_cb *)qdisc_skb_cb(skb)->data;
}

#define ECNSHARP_EPOCH_NS	BIT_ULL(31)

/*
 * Move what makes whole byte-us of the integral of the backlog over time into
 * the counter.
 *
 * A packet contributes its length x (when it left - when it came), so the
 * terms can be summed as they come, modulo 2^64; for those that wait, @backlog
 * x now stands for the first.  That needs no update as time goes by, as long as
 * the sum itself stays below 2^64: the first operation at or after @fold_ns, an
 * epoch after the last time, comes here before it changes the backlog.  Up to
 * then at most 2^32 x 2^31 were added, and from then on the backlog was the
 * same, so that no stall is too long.
 *
 * Return: @now, so that the callers need no place to keep it.
 */
static noinline u64 ecnsharp_fold(struct ecnsharp_sched_data *q, u64 now)
{
	u64 due = min(now, q->fold_ns);
	u64 backlog = q->backlog;
	u32 late_ns, rest;
	u64 late_us = div_u64_rem(now - due, 1000, &late_ns);
	u64 byte_ns = q->integral + backlog * due + backlog * late_ns;

	q->count.backlog_byte_us += backlog * late_us +
				    div_u64_rem(byte_ns, 1000, &rest);
	q->integral = rest - backlog * now;
	q->fold_ns = now + ECNSHARP_EPOCH_NS;
	return now;
}

/* The time of an operation; each begins with this. */
static __always_inline u64 ecnsharp_begin(struct ecnsharp_sched_data *q)
{
	u64 now = ecnsharp_now();

	return likely(now < q->fold_ns) ? now : ecnsharp_fold(q, now);
}

/* Enqueue */

/* One packet always fits, or a 64 KB one could be shut out for ever. */
static bool ecnsharp_is_full(struct Qdisc *sch, const struct sk_buff *skb)
{
	const struct ecnsharp_sched_data *q = qdisc_priv(sch);

	return sch->q.qlen >= q->limit ||
	       ((u64)q->memory + skb->truesize > q->memory_limit && q->memory);
}

/* Count the cause of a refusal. */
static int ecnsharp_refuse(struct sk_buff *skb, struct Qdisc *sch,
			   struct sk_buff **to_free)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);

	if (sch->q.qlen >= q->limit)
		q->count.drop_limit++;
	else
		q->count.drop_memory_limit++;
	return compat_qdisc_drop_overlimit(skb, sch, to_free);
}

/* Account for the memory of a packet that fits. */
static __always_inline void ecnsharp_charge(struct ecnsharp_sched_data *q,
					    struct sk_buff *skb)
{
	u32 memory = skb->truesize;

	q->memory += memory;
	ecnsharp_cb(skb)->memory = memory;
}

/*
 * Queue a packet that was charged for.  Its header is read here, behind the
 * reading of the clock, which on many machines waits for all that precedes it.
 */
static __always_inline int ecnsharp_append(struct sk_buff *skb,
					   struct Qdisc *sch, u64 now)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	struct ecnsharp_skb_cb *cb = ecnsharp_cb(skb);
	u32 len = qdisc_pkt_len(skb);

	cb->enqueue_ns = now;
	q->backlog += len;
	q->integral -= len * now;
	cb->ecn = skb_ecn_read(skb);
	return qdisc_enqueue_tail(skb, sch);
}

/*
 * The parents' backlog has bytes of a GSO packet of which one segment alone was
 * queued.  They can be corrected only while each parent counts the segment:
 * qdisc_tree_reduce_backlog() takes a parent that counts no packet yet for one
 * that became empty, and its own parent deactivates a class that was never
 * active.  So they stay in our own backlog too, until the next dequeue.
 */
static noinline void ecnsharp_return_excess(struct Qdisc *sch)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	s32 excess = q->excess;

	q->excess = 0;
	sch->qstats.backlog -= excess;
	qdisc_tree_reduce_backlog(sch, 0, excess);
}

/*
 * Queue the segments of a GSO packet one by one.  The parents, which count one
 * packet for our NET_XMIT_SUCCESS, are notified of the others and of the headers
 * that segmentation adds.
 */
static noinline int ecnsharp_enqueue_split(struct sk_buff *skb,
					   struct Qdisc *sch,
					   struct sk_buff **to_free)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	unsigned int whole_len = qdisc_pkt_len(skb);
	u64 now = ecnsharp_begin(q);
	struct sk_buff *rest;
	unsigned int len = 0;
	int queued = 0;

	rest = skb_segments(skb);
	if (!rest) {
		q->count.drop_gso++;
		return qdisc_drop(skb, sch, to_free);
	}

	q->count.split_gso++;
	while (rest) {
		struct sk_buff *seg = skb_segments_next(&rest);
		unsigned int seg_len = seg->len;

		if (ecnsharp_is_full(sch, seg)) {
			ecnsharp_refuse(seg, sch, to_free);
			continue;
		}
		ecnsharp_charge(q, seg);
		ecnsharp_append(seg, sch, now);
		queued++;
		len += seg_len;
	}

	/* Each segment that was dropped has its reason. */
	consume_skb(skb);
	if (!queued)
		return NET_XMIT_DROP;
	if (queued > 1) {
		qdisc_tree_reduce_backlog(sch, 1 - queued, whole_len - len);
	} else {
		q->excess += whole_len - len;
		sch->qstats.backlog += whole_len - len;
	}
	return NET_XMIT_SUCCESS;
}

/* For the few packets that cannot just be queued. */
static noinline int ecnsharp_enqueue_any(struct sk_buff *skb, struct Qdisc *sch,
					 struct sk_buff **to_free)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);

	if (q->split_gso && skb_is_gso(skb))
		return ecnsharp_enqueue_split(skb, sch, to_free);
	if (ecnsharp_is_full(sch, skb))
		return ecnsharp_refuse(skb, sch, to_free);

	ecnsharp_charge(q, skb);
	return ecnsharp_append(skb, sch, ecnsharp_begin(q));
}

static int ecnsharp_enqueue(struct sk_buff *skb, struct Qdisc *sch,
			    struct sk_buff **to_free)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);

	if (unlikely(sch->q.qlen >= q->quick_limit ||
		     (u64)q->memory + skb->truesize > q->memory_limit))
		return ecnsharp_enqueue_any(skb, sch, to_free);

	ecnsharp_charge(q, skb);
	return ecnsharp_append(skb, sch, ecnsharp_begin(q));
}

/* Dequeue */

/*
 * One packet may begin an episode, end it, or, leaving nothing behind, both.
 * @count is how many marks the episode had before the packet.
 *
 * Return: @verdict, so that the caller needs no place to keep it.
 */
static noinline enum ecnsharp_verdict
ecnsharp_trace_episode(struct Qdisc *sch, u32 count,
		       enum ecnsharp_verdict verdict)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);

	if (!count)
		trace_ecnsharp_episode_begin(sch, q->sojourn_ns, 1);
	if (verdict & ECNSHARP_MARK_PST && count < U32_MAX)
		count++;
	if (!q->vars.marking) {
		q->ended = count;
		trace_ecnsharp_episode_end(sch, q->sojourn_ns, count);
	}
	return verdict;
}

/* Keep what the statistics want of a packet. */
static __always_inline void ecnsharp_note(struct ecnsharp_sched_data *q,
					  u64 sojourn_ns, u64 level_ns)
{
	delay_hist_add(&q->sojourn, sojourn_ns);
	q->sojourn_ns = level_ns;
	if (unlikely(level_ns > q->sojourn_max_ns))
		q->sojourn_max_ns = level_ns;
}

/* Show a packet to the algorithm. */
static __always_inline enum ecnsharp_verdict
ecnsharp_judge_by(const struct ecnsharp_params *p, struct Qdisc *sch,
		  const struct sk_buff *skb, u64 now)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	const struct ecnsharp_sample x = {
		.now_ns = now,
		.sojourn_ns = now - ecnsharp_cb(skb)->enqueue_ns,
		.backlog_bytes = q->backlog,
		.random = ecnsharp_wants_random(p) ? get_random_u32() : 0,
	};
	u64 level_ns = ecnsharp_level_ns(p, &x);
	enum ecnsharp_verdict verdict;
	bool marking_was;
	u32 count_was;

	ecnsharp_note(q, x.sojourn_ns, level_ns);
	if (likely(ecnsharp_is_calm(p, &q->vars, level_ns)))
		return ECNSHARP_MARK_NONE;

	marking_was = q->vars.marking;
	count_was = q->vars.count;
	verdict = ecnsharp_on_dequeue(p, &q->vars, &q->algo, &x);
	if (unlikely(marking_was ? !q->vars.marking :
		     verdict & ECNSHARP_MARK_PST))
		return ecnsharp_trace_episode(sch, count_was, verdict);
	return verdict;
}

/* For all that is not plain; out of line, to keep the short way short. */
static noinline enum ecnsharp_verdict
ecnsharp_judge_any(struct Qdisc *sch, const struct sk_buff *skb, u64 now)
{
	const struct ecnsharp_sched_data *q = qdisc_priv(sch);

	return ecnsharp_judge_by(&q->params, sch, skb, now);
}

/* The compiler makes a short way for the parameters that nearly all use. */
static enum ecnsharp_verdict ecnsharp_judge(struct Qdisc *sch,
					    const struct sk_buff *skb, u64 now)
{
	const struct ecnsharp_sched_data *q = qdisc_priv(sch);
	const struct ecnsharp_params plain = {
		.ins = ECNSHARP_INS_STEP,
		.ins_target_ns = q->params.ins_target_ns,
		.persistent = true,
		.pst_target_ns = q->params.pst_target_ns,
		.pst_interval_ns = q->params.pst_interval_ns,
	};

	if (unlikely(!q->plain))
		return ecnsharp_judge_any(sch, skb, now);
	return ecnsharp_judge_by(&plain, sch, skb, now);
}

/* The algorithm has forgotten the count if the packet left nothing behind. */
static noinline void ecnsharp_trace_mark(struct Qdisc *sch,
					 const struct sk_buff *skb,
					 enum ecnsharp_verdict verdict)
{
	const struct ecnsharp_sched_data *q = qdisc_priv(sch);
	bool ended = verdict & ECNSHARP_MARK_PST && !q->vars.marking;

	trace_ecnsharp_mark(sch, skb, verdict, q->sojourn_ns,
			    ended ? q->ended : q->vars.count);
}

/* Mark, and count by which signal; a header that is shared may need memory. */
static noinline void ecnsharp_mark(struct Qdisc *sch, struct sk_buff *skb,
				   enum ecnsharp_verdict verdict)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);

	if (unlikely(!skb_ecn_set_ce(skb))) {
		q->count.mark_failed++;
		return;
	}
	q->marks[verdict]++;
	q->count.marked_bytes += qdisc_pkt_len(skb);
	if (trace_ecnsharp_mark_enabled())
		ecnsharp_trace_mark(sch, skb, verdict);
}

/*
 * Count a packet that cannot be marked.  Dropping stands in for marking only
 * where there is a sender that would slow down, so what is not IP (ARP, LLDP)
 * always passes.
 *
 * Return: true if the packet goes on, false if it is to be dropped.
 */
static noinline bool ecnsharp_pass(struct Qdisc *sch, const struct sk_buff *skb,
				   enum ecnsharp_verdict verdict)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	u8 ecn = ecnsharp_cb(skb)->ecn;

	if (ecn == SKB_ECN_CE) {
		q->count.ce_seen++;
		return true;
	}
	q->count.nonect_seen++;
	if (!verdict)
		return true;
	if (q->drop_nonect && ecn != SKB_ECN_NOT_IP && sch->q.qlen) {
		q->count.nonect_dropped++;
		return false;
	}
	q->count.nonect_passed++;
	return true;
}

/* Carry out a verdict.  Return: as ecnsharp_pass(). */
static __always_inline bool ecnsharp_act(struct Qdisc *sch, struct sk_buff *skb,
					 enum ecnsharp_verdict verdict)
{
	if (unlikely(!(ecnsharp_cb(skb)->ecn & SKB_ECN_ECT)))
		return ecnsharp_pass(sch, skb, verdict);
	if (verdict)
		ecnsharp_mark(sch, skb, verdict);
	return true;
}

/* A packet was taken from sch->q. */
static __always_inline void ecnsharp_uncount(struct Qdisc *sch,
					     const struct sk_buff *skb, u64 now)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	u32 len = qdisc_pkt_len(skb);

	qdisc_qstats_backlog_dec(sch, skb);
	q->backlog -= len;
	q->integral += len * now;
	q->memory -= ecnsharp_cb(skb)->memory;
}

/*
 * Drop a packet that dequeue took, and all that follow it until one may leave:
 * at the latest the last, see ecnsharp_pass().
 */
static noinline struct sk_buff *ecnsharp_dequeue_other(struct Qdisc *sch,
						       struct sk_buff *skb)
{
	u64 now = ecnsharp_begin(qdisc_priv(sch));

	do {
		unsigned int len = qdisc_pkt_len(skb);

		qdisc_qstats_drop(sch);
		compat_qdisc_dequeue_drop(sch, skb);
		qdisc_tree_reduce_backlog(sch, 1, len);
		skb = __qdisc_dequeue_head(&sch->q);
		if (!skb)
			return NULL;
		ecnsharp_uncount(sch, skb, now);
	} while (!ecnsharp_act(sch, skb, ecnsharp_judge_any(sch, skb, now)));
	return skb;
}

static struct sk_buff *ecnsharp_dequeue(struct Qdisc *sch)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	struct sk_buff *skb;
	u64 now;

	if (unlikely(q->excess))
		ecnsharp_return_excess(sch);
	skb = __qdisc_dequeue_head(&sch->q);
	if (unlikely(!skb))
		return NULL;

	/* Work that is needed after reading the clock. */
	prefetch(&skb->end);
	now = ecnsharp_begin(q);
	ecnsharp_uncount(sch, skb, now);
	if (unlikely(!ecnsharp_act(sch, skb, ecnsharp_judge(sch, skb, now)))) {
		skb = ecnsharp_dequeue_other(sch, skb);
		if (!skb)
			return NULL;
	}
	q->tx_packets++;
	qdisc_bstats_update(sch, skb);
	return skb;
}

/* Forget what the algorithm observed, from outside it; an episode ends with that. */
static void ecnsharp_forget(struct Qdisc *sch)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);

	if (q->vars.marking)
		trace_ecnsharp_episode_end(sch, q->sojourn_ns, q->vars.count);
	memset(&q->vars, 0, sizeof(q->vars));
}

static void ecnsharp_reset(struct Qdisc *sch)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	u64 now;

	now = ecnsharp_begin(q);
	q->integral += q->backlog * now;
	qdisc_reset_queue(sch);
	q->memory = 0;
	q->backlog = 0;
	q->excess = 0;
	ecnsharp_forget(sch);
}

/* Netlink: every table below is made from ECNSHARP_PARAMETERS. */

#define ECNSHARP_X(id, name, bits, lo, hi, unit)			       \
	static struct netlink_range_validation ecnsharp_range_##id = {	       \
		.min = lo, .max = hi,					       \
	};
ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X

static const struct nla_policy ecnsharp_policy[TCA_ECNSHARP_MAX + 1] = {
#define ECNSHARP_X(id, name, bits, lo, hi, unit)			       \
	[TCA_ECNSHARP_##id] = NLA_POLICY_FULL_RANGE(NLA_U##bits,	       \
						    &ecnsharp_range_##id),
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

static const u8 ecnsharp_attr[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(id, name, bits, lo, hi, unit)			       \
	[ECNSHARP_##id] = TCA_ECNSHARP_##id,
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

static const struct param_nl ecnsharp_nl = {
	.table = ecnsharp_param_info, .attr = ecnsharp_attr, .policy = ecnsharp_policy,
	.max_attr = TCA_ECNSHARP_MAX, .pad = TCA_ECNSHARP_PAD,
};

/*
 * Drop from the head what no longer fits.  One packet stays whatever the
 * memory limit, as on enqueue, and no limit is 0: what is parked never goes,
 * and the parents never learn of an empty queue.
 */
static void ecnsharp_trim(struct Qdisc *sch, u64 now)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	bool over;

	while ((over = sch->q.qlen > q->limit) ||
	       (q->memory > q->memory_limit && sch->q.head != sch->q.tail)) {
		struct sk_buff *skb = __qdisc_dequeue_head(&sch->q);
		unsigned int len;

		if (WARN_ON_ONCE(!skb))
			break;
		ecnsharp_uncount(sch, skb, now);
		if (over)
			q->count.drop_limit++;
		else
			q->count.drop_memory_limit++;
		len = qdisc_pkt_len(skb);
		rtnl_qdisc_drop(skb, sch);
		qdisc_tree_reduce_backlog(sch, 1, len);
	}
}

static void ecnsharp_set_bypass(struct Qdisc *sch, bool bypass)
{
	unsigned int flags = sch->flags & ~TCQ_F_CAN_BYPASS;

	if (bypass)
		flags |= TCQ_F_CAN_BYPASS;
	/* Before it takes the lock the stack reads another bit, which stays. */
	data_race(sch->flags = flags);
}

/*
 * Put new settings in force.  Called under sch_tree_lock(); or by ->init(),
 * when nobody can have seen the qdisc and no lock is needed.
 */
static void ecnsharp_commit(struct Qdisc *sch,
			    const struct ecnsharp_settings *next)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);

	q->settings = *next;
	ecnsharp_params_make(next, &q->params);
	q->plain = q->params.ins == ECNSHARP_INS_STEP && !q->params.length &&
		   q->params.persistent;
	q->limit = next->value[ECNSHARP_LIMIT];
	q->memory_limit = next->value[ECNSHARP_MEMORY_LIMIT];
	q->drop_nonect = next->value[ECNSHARP_NONECT] == ECNSHARP_DROP;
	q->split_gso = next->value[ECNSHARP_SPLIT_GSO];
	q->quick_limit = q->split_gso ? 0 : q->limit;
	sch->limit = q->limit;
	ecnsharp_set_bypass(sch, next->value[ECNSHARP_BYPASS]);
	if (!q->params.persistent)
		ecnsharp_forget(sch);
	ecnsharp_trim(sch, ecnsharp_begin(q));
}

static int ecnsharp_change(struct Qdisc *sch, struct nlattr *opt,
			   struct netlink_ext_ack *extack)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	struct ecnsharp_settings next = q->settings;
	struct nlattr *tb[TCA_ECNSHARP_MAX + 1];
	struct ecnsharp_settings req = {};
	enum ecnsharp_refusal why;
	int err;

	err = param_nl_parse(&ecnsharp_nl, tb, opt, &req.given, req.value, extack);
	if (err)
		return err;
	why = ecnsharp_settings_apply(&next, &req);
	if (why) {
		compat_extack_set(extack, ecnsharp_refusal_text(why));
		return -EINVAL;
	}

	sch_tree_lock(sch);
	ecnsharp_commit(sch, &next);
	sch_tree_unlock(sch);
	return 0;
}

static int ecnsharp_init(struct Qdisc *sch, struct nlattr *opt,
			 struct netlink_ext_ack *extack)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);

	compat_qdisc_dequeue_drops(sch);
	ecnsharp_settings_default(&q->settings);
	ecnsharp_commit(sch, &q->settings);
	return opt ? ecnsharp_change(sch, opt, extack) : 0;
}

static int ecnsharp_put_given(struct sk_buff *skb,
			      const struct ecnsharp_settings *s)
{
	return param_nl_put(&ecnsharp_nl, skb, s->given, s->value);
}

/* A nest within the nest, so that nobody takes it for configuration. */
static int ecnsharp_put_derived(struct sk_buff *skb,
				const struct ecnsharp_settings *s)
{
	struct ecnsharp_settings derived;
	struct nlattr *nest;

	ecnsharp_settings_derived(s, &derived);
	if (!derived.given)
		return 0;
	nest = nla_nest_start(skb, TCA_ECNSHARP_DERIVED);
	if (!nest || ecnsharp_put_given(skb, &derived))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int ecnsharp_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	const struct ecnsharp_sched_data *q = qdisc_priv(sch);
	struct nlattr *nest;

	nest = nla_nest_start(skb, TCA_OPTIONS);
	if (!nest)
		return -EMSGSIZE;
	if (ecnsharp_put_given(skb, &q->settings) ||
	    ecnsharp_put_derived(skb, &q->settings)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	return nla_nest_end(skb, nest);
}

static int ecnsharp_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct ecnsharp_sched_data *q = qdisc_priv(sch);
	struct tc_ecnsharp_xstats st;
	u64 now;

	sch_tree_lock(sch);
	now = ecnsharp_fold(q, ecnsharp_now());
	st = q->count;
	st.stamp_ns = now;
	st.ins_marks = q->marks[ECNSHARP_MARK_INS];
	st.pst_marks = q->marks[ECNSHARP_MARK_PST];
	st.both_marks = q->marks[ECNSHARP_MARK_BOTH];
	st.tx_packets = q->tx_packets;
	st.tx_bytes = compat_qdisc_sent_bytes(sch);
	st.sojourn_ns = q->sojourn_ns;
	st.sojourn_max_ns = q->sojourn_max_ns;
	st.sojourn_sum_ns = q->sojourn.sum_ns;
	memcpy(st.sojourn_hist, q->sojourn.bucket, sizeof(st.sojourn_hist));
	st.pst_saturated = q->algo.pst_saturated;
	st.pst_episodes = q->algo.pst_episodes;
	st.pst_count = q->vars.count;
	st.pst_state = q->vars.marking;
	st.memory_bytes = q->memory;
	sch_tree_unlock(sch);

	return gnet_stats_copy_app(d, &st, sizeof(st));
}

static struct Qdisc_ops ecnsharp_qdisc_ops __read_mostly = {
	.id		=	"ecnsharp",
	.priv_size	=	sizeof(struct ecnsharp_sched_data),
	.enqueue	=	ecnsharp_enqueue,
	.dequeue	=	ecnsharp_dequeue,
	.peek		=	qdisc_peek_dequeued,
	.init		=	ecnsharp_init,
	.reset		=	ecnsharp_reset,
	.change		=	ecnsharp_change,
	.dump		=	ecnsharp_dump,
	.dump_stats	=	ecnsharp_dump_stats,
	.owner		=	THIS_MODULE,
};
MODULE_ALIAS_NET_SCH("ecnsharp");

COMPAT_UNTRIED_PARAM();

static int __init ecnsharp_module_init(void)
{
	untried = compat_warn_untried(KBUILD_MODNAME);
	return register_qdisc(&ecnsharp_qdisc_ops);
}

static void __exit ecnsharp_module_exit(void)
{
	unregister_qdisc(&ecnsharp_qdisc_ops);
}

module_init(ecnsharp_module_init)
module_exit(ecnsharp_module_exit)
MODULE_DESCRIPTION("ECN# AQM: marks on instantaneous and persistent queueing");
MODULE_LICENSE("GPL");
