// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp's fair queue: a queue for each flow, served by DRR, each packet at
 * the latest of several departure-time rules' times.
 *
 * It does what the kernel's fq does, by its own means, so that it can stand in
 * for it: Liu et al., NSDI 2021, section 4.1 put On-Ramp there, because that
 * is where flows are distinguished and departure times are kept.  Without On-Ramp
 * (mode off) core is not called on the way of a packet.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/prefetch.h>
#include <net/tcp.h>

#include "rules.h"
#include "skb_ecn.h"

/* So many packets may bypass queues that all wait. */
#define ONRAMPQ_DIRECT_MAX	8

/* Enqueue */

/*
 * Did somebody give a packet a departure time: its sender, or a program on its
 * way?  As with fq any time is one, but here one by another clock is none.
 */
static bool onrampq_has_edt(const struct sk_buff *skb)
{
	const struct sock *sk = skb->sk;

	if (!skb->tstamp)
		return false;
	if (compat_skb_has_edt(skb))
		return true;
	return !compat_skb_has_other_time(skb, sk && sk_fullsock(sk) ? sk : NULL);
}

/*
 * The time that a packet brings, or now.  Return: false if it is to be dropped
 * because that is beyond the horizon.  Any 64 bits may be given: times
 * are compared as all rules have them, and what is negative as ktime_t is far
 * beyond, or it would wait for ever.
 */
static bool onrampq_set_time(struct onrampq_sched *q, struct sk_buff *skb, u64 now)
{
	const struct onrampq_conf *conf = &q->conf;
	struct onrampq_cb *cb = onrampq_cb(skb);

	cb->edt = onrampq_has_edt(skb);
	cb->time_ns = cb->edt ? (u64)skb->tstamp : now;
	if (likely(cb->time_ns <= now + conf->horizon_ns))
		return true;
	if (conf->horizon_drop) {
		q->count.horizon_drops++;
		return false;
	}
	q->count.horizon_caps++;
	cb->time_ns = now + conf->horizon_ns;
	skb->tstamp = ns_to_ktime(cb->time_ns);
	return true;
}

/*
 * Need a packet wait for no other?  No queue must be on a DRR list, and what waits
 * must not be due.  Nor does any go this way while there are packets of flows that were
 * held, and whose schedule holds have moved.
 */
static bool onrampq_is_direct(struct Qdisc *sch, const struct sk_buff *skb, u64 now)
{
	const struct onrampq_sched *q = qdisc_priv(sch);
	const struct sock *sk = skb->sk;

	if (onrampq_cb(skb)->time_ns > now || q->conf.maxrate != ~0UL)
		return false;
	if (sch->q.qlen &&
	    (q->nr_detached || q->nr_queues != q->nr_inactive + q->nr_waiting ||
	     q->direct.qlen >= ONRAMPQ_DIRECT_MAX || onrampq_wait_next_ns(q) <= now))
		return false;
	return !sk || sk->sk_protocol == IPPROTO_TCP ||
	       READ_ONCE(sk->sk_max_pacing_rate) == ~0UL;
}

/*
 * Likewise one of TCP that is measured: not if core is to know when it leaves, or packets
 * of its flow wait, which a FIN would overtake, nor while any flow may be held.
 */
static bool onrampq_is_direct_tcp(struct Qdisc *sch, struct onrampq_queue *f,
				  const struct sk_buff *skb, u64 now)
{
	const struct onrampq_sched *q = qdisc_priv(sch);

	if (onrampq_cb(skb)->report || f->qlen || !onrampq_is_calm(q, now) ||
	    !onrampq_is_direct(sch, skb, now))
		return false;
	f->idle_ns = now;
	return true;
}

/* TCP need not pace by itself. */
static void onrampq_take_over_pacing(const struct onrampq_sched *q,
				     const struct onrampq_key *key)
{
	struct sock *sk = (struct sock *)key->sk;

	if (!sk || !q->conf.pacing ||
	    READ_ONCE(sk->sk_pacing_status) == SK_PACING_FQ)
		return;
	/* TCP reads it without a lock, see tcp_needs_internal_pacing(). */
	smp_store_release(&sk->sk_pacing_status, SK_PACING_FQ);
}

/*
 * Without memory for a queue a packet goes to one that is always there: whatever
 * limits a flow limits all of these together.  Nothing there is held, nor paced by
 * its socket's rate, which is not that of the others.
 */
static struct onrampq_queue *onrampq_classify_spare(struct onrampq_sched *q,
						    struct sk_buff *skb)
{
	onrampq_cb(skb)->edt = true;
	return &q->spare;
}

/* Find a packet's reaction point. */
static noinline bool onrampq_is_limited(const struct onrampq_sched *q, struct sk_buff *skb,
					u64 now)
{
	onrampq_cb(skb)->rp = onrampq_rp_packet(q->rp, skb, now);
	return onrampq_cb(skb)->rp;
}

/* Return: the queue, @q->direct for none; NULL if its limit is reached. */
static struct onrampq_queue *onrampq_classify(struct Qdisc *sch, struct sk_buff *skb,
					      u64 now)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	struct onrampq_key key = onrampq_key_of(q, skb);
	struct onrampq_cb *cb = onrampq_cb(skb);
	struct onramp_packet p;
	struct onrampq_queue *f;
	bool tcp = false;

	if (q->measuring) {
		tcp = onramp_read(skb, &p);
		if (!tcp)
			onramp_port_count_other(q->port);
	}
	cb->payload = false;
	cb->overtakes = false;
	/* All in few stores: sorted is set later, and fills the gap. */
	cb->sorted = false;
	cb->report = 0;
	cb->rp = 0;
	cb->mark = 0;
	onrampq_take_over_pacing(q, &key);
	if (unlikely(q->limiting) && onrampq_is_limited(q, skb, now))
		goto queued;
	if (!tcp && onrampq_is_direct(sch, skb, now))
		goto direct;
queued:
	f = onrampq_table_get(q, &key, now);
	if (unlikely(!f))
		f = onrampq_classify_spare(q, skb);
	if (unlikely(f->qlen >= q->conf.flow_limit)) {
		q->count.flows_plimit++;
		onrampq_drop_limited(q, skb);
		return NULL;
	}
	if (tcp && likely(f != &q->spare))
		onrampq_bind_packet(q, f, skb, &p, now);
	else if (q->measuring && f->binding)
		cb->overtakes = true;
	if (!tcp || !onrampq_is_direct_tcp(sch, f, skb, now))
		return f;
direct:
	q->count.fastpath++;
	return &q->direct;
}

/* A queue gets a packet: it goes on a DRR list, if it was idle, and counts. */
static void onrampq_activate(struct onrampq_sched *q, struct onrampq_queue *f,
			     const struct sk_buff *skb, u64 now)
{
	f->band = onrampq_cb(skb)->band;
	q->band[f->band].pkts++;
	if (!f->qlen)
		q->nr_inactive--;
	if (f->state != ONRAMPQ_IDLE)
		return;
	if (now - f->idle_ns > q->conf.refill_delay_ns)
		f->credit = max_t(int, f->credit, q->conf.quantum);
	onrampq_drr_add(q, f, true);
}

/*
 * May a packet be due before what its queue waits for?  One that passes may, and
 * one that brings an earlier time.
 */
static bool onrampq_is_before(const struct onrampq_queue *f, const struct sk_buff *skb)
{
	const struct onrampq_cb *cb = onrampq_cb(skb);

	return cb->overtakes || (cb->edt && cb->time_ns < f->due_ns);
}

static int onrampq_enqueue(struct sk_buff *skb, struct Qdisc *sch,
			   struct sk_buff **to_free)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	u64 now = onrampq_read_time(sch);
	struct onrampq_queue *f;
	u32 band;

	band = onramp_priomap_band(q->conf.priomap, skb->priority & TC_PRIO_MAX);
	if (unlikely(q->band[band].pkts >= q->conf.limit)) {
		q->band[band].drops++;
		return compat_qdisc_drop(skb, sch, to_free, COMPAT_DROP_BAND);
	}
	onrampq_cb(skb)->band = band;
	if (unlikely(!onrampq_set_time(q, skb, now)))
		return compat_qdisc_drop(skb, sch, to_free,
					 COMPAT_DROP_HORIZON);
	f = onrampq_classify(sch, skb, now);
	if (unlikely(!f))
		return compat_qdisc_drop(skb, sch, to_free, COMPAT_DROP_FLOW);

	if (f != &q->direct)
		onrampq_activate(q, f, skb, now);
	onrampq_queue_add(f, skb);
	qdisc_qstats_backlog_inc(sch, skb);
	sch->q.qlen++;
	if (unlikely(f->state == ONRAMPQ_WAIT && onrampq_is_before(f, skb)))
		onrampq_wait_resort(q, f, now);
	return NET_XMIT_SUCCESS;
}

/* Dequeue */

/* How late a packet leaves; its own reading of the clock moves nobody's departure time. */
static noinline void onrampq_count_sojourn(struct Qdisc *sch, const struct sk_buff *skb)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	u64 now = onrampq_now(sch), from_ns = onrampq_cb(skb)->time_ns;

	delay_hist_add(&q->sojourn, now > from_ns ? now - from_ns : 0);
}

static struct sk_buff *onrampq_take_direct(struct Qdisc *sch)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	struct sk_buff *skb = onrampq_queue_peek(&q->direct);

	if (!skb)
		return NULL;
	onrampq_queue_take(sch, &q->direct, skb);
	if (unlikely(q->conf.sojourn_hist))
		onrampq_count_sojourn(sch, skb);
	return skb;
}

/*
 * Mark what leaves later than it may by more than the threshold: since @due, or
 * since a hold was over that kept what was before it, such as a FIN's data.
 */
static void onrampq_mark_late(struct onrampq_sched *q, const struct onrampq_queue *f,
			      struct sk_buff *skb, u64 due, u64 now)
{
	s64 most_ns = q->conf.ce_threshold_ns;

	if (likely((s64)(now - due) <= most_ns))
		return;
	if ((s64)(now - max(due, onrampq_hold_over(f))) <= most_ns)
		return;
	if (skb_ecn_read(skb) & SKB_ECN_ECT && skb_ecn_set_ce(skb))
		q->count.ce_mark++;
}

/* The queue does not count its head any more. */
static void onrampq_take(struct Qdisc *sch, struct onrampq_queue *f,
			 struct sk_buff *skb)
{
	struct onrampq_sched *q = qdisc_priv(sch);

	q->band[onrampq_cb(skb)->band].pkts--;
	onrampq_queue_take(sch, f, skb);
	if (f->qlen)
		return;
	q->nr_inactive++;
	onrampq_bind_drained(q, f);
}

/*
 * An RD leaves ahead of a packet that left its queue already, and which is the next to leave.
 * The qdiscs above do not know the RD.
 */
static noinline struct sk_buff *onrampq_take_rd(struct Qdisc *sch, struct sk_buff *skb)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	struct sk_buff *rd = q->rp->rd;

	q->rp->rd = NULL;
	onrampq_queue_add(&q->direct, skb);
	qdisc_qstats_backlog_inc(sch, skb);
	sch->q.qlen++;
	qdisc_tree_reduce_backlog(sch, -1, -(int)qdisc_pkt_len(rd));
	return rd;
}

/* The head of the next queue of the DRR list, if it is due; else the queue waits. */
static struct sk_buff *onrampq_take_due(struct Qdisc *sch, struct onrampq_queue *f,
					struct onrampq_band *band)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	u64 due, now = q->now_ns;
	struct sk_buff *skb;
	bool overtakes, calm;

	calm = onrampq_is_calm(q, now);
	skb = onrampq_rules_next(q, f, calm, now, &due);
	if (unlikely(due > now && !q->now_exact)) {
		now = onrampq_read_time(sch);
		skb = onrampq_rules_next(q, f, calm, now, &due);
	}
	overtakes = unlikely(skb != onrampq_queue_peek(f));
	if (due > now || overtakes)
		onrampq_hold_wait(q, f, now);
	else if (unlikely(!calm) && onrampq_hold_waited(f, skb))
		onrampq_cb(skb)->report |= ONRAMPQ_REMEMBER;
	if (due > now) {
		onrampq_drr_remove(band);
		onrampq_wait_for(q, f, due);
		return NULL;
	}
	prefetch(&skb->end);
	onrampq_mark_late(q, f, skb, due, now);
	onrampq_take(sch, f, skb);
	f->credit -= qdisc_pkt_len(skb);
	band->credit -= qdisc_pkt_len(skb);
	if (overtakes)
		onrampq_rules_overtook(sch, f, skb, now);
	else
		onrampq_rules_sent(sch, f, calm, skb, now);
	if (onrampq_cb(skb)->report)
		onrampq_bind_sent(q, f, skb);
	if (unlikely(q->limiting) && q->rp->rd)
		return onrampq_take_rd(sch, skb);
	if (unlikely(q->conf.sojourn_hist))
		onrampq_count_sojourn(sch, skb);
	return skb;
}

/*
 * Must dequeue know the time, or is one soon enough that was read since the last tick?
 * It is read later if a packet is not due by that, or its flow is paced.
 */
static bool onrampq_needs_time(const struct onrampq_sched *q)
{
	return q->nr_waiting || q->conf.ce_threshold_ns != S64_MAX ||
	       time_after(onrampq_tick(), q->now_tick) || !onrampq_is_calm(q, q->now_ns) ||
	       (q->measuring && !llist_empty(&q->port->kicked));
}

static struct sk_buff *onrampq_take_next(struct Qdisc *sch)
{
	struct onrampq_sched *q = qdisc_priv(sch);
	struct sk_buff *skb = NULL;
	struct onrampq_band *band;
	struct onrampq_queue *f;

	q->now_exact = false;
	if (onrampq_needs_time(q)) {
		onrampq_read_time(sch);
		if (q->measuring)
			onrampq_wait_kicked(q, q->now_ns);
		if (q->nr_waiting)
			onrampq_wait_release(q, q->now_ns);
	}
	while (!skb) {
		f = onrampq_drr_next(q, q->now_ns, &band);
		if (!f) {
			onrampq_wait_arm(q);
			return NULL;
		}
		skb = onrampq_take_due(sch, f, band);
	}
	return skb;
}

static struct sk_buff *onrampq_dequeue(struct Qdisc *sch)
{
	struct sk_buff *skb;

	if (!sch->q.qlen)
		return NULL;
	skb = onrampq_take_direct(sch);
	if (!skb)
		skb = onrampq_take_next(sch);
	if (skb)
		qdisc_bstats_update(sch, skb);
	return skb;
}

/* Life of an instance */

static void onrampq_reset(struct Qdisc *sch)
{
	struct onrampq_sched *q = qdisc_priv(sch);

	sch->q.qlen = 0;
	sch->qstats.backlog = 0;
	onrampq_queue_purge(&q->direct);
	onrampq_table_purge(q, onrampq_now(sch));
	if (q->rp)
		onrampq_rp_reset(q->rp);
	q->band[0].pkts = 0;
	q->band[1].pkts = 0;
	q->band[2].pkts = 0;
}

static int onrampq_init(struct Qdisc *sch, struct nlattr *opt,
			struct netlink_ext_ack *extack)
{
	struct onrampq_sched *q = qdisc_priv(sch);

	/* State that onrampq_destroy() needs, which is called if this fails, too. */
	onrampq_drr_init(q);
	q->waiting = RB_ROOT_CACHED;
	q->nr_queues = 1;
	q->nr_inactive = 1;
	qdisc_watchdog_init_clockid(&q->watchdog, sch, CLOCK_MONOTONIC);
	return onrampq_settings_init(sch, opt, extack);
}

static void onrampq_destroy(struct Qdisc *sch)
{
	struct onrampq_sched *q = qdisc_priv(sch);

	onrampq_reset(sch);
	qdisc_watchdog_cancel(&q->watchdog);
	onrampq_rp_destroy(q->rp, &q->count);
	kvfree(q->table);
	onramp_port_destroy(q->port);
}

static struct Qdisc_ops onrampq_qdisc_ops __read_mostly = {
	.cl_ops		=	&onrampq_class_ops,
	.id		=	"onramp",
	.priv_size	=	sizeof(struct onrampq_sched),
	.enqueue	=	onrampq_enqueue,
	.dequeue	=	onrampq_dequeue,
	.peek		=	qdisc_peek_dequeued,
	.init		=	onrampq_init,
	.reset		=	onrampq_reset,
	.destroy	=	onrampq_destroy,
	.change		=	onrampq_change,
	.dump		=	onrampq_dump,
	.dump_stats	=	onrampq_dump_stats,
	.owner		=	THIS_MODULE,
};
MODULE_ALIAS_NET_SCH("onramp");

static int __init onrampq_module_init(void)
{
	int err;

	onrampq_queue_cache = kmem_cache_create("onramp_queue",
						sizeof(struct onrampq_queue), 0,
						SLAB_HWCACHE_ALIGN, NULL);
	if (!onrampq_queue_cache)
		return -ENOMEM;
	err = register_qdisc(&onrampq_qdisc_ops);
	if (err)
		kmem_cache_destroy(onrampq_queue_cache);
	return err;
}

static void __exit onrampq_module_exit(void)
{
	unregister_qdisc(&onrampq_qdisc_ops);
	kmem_cache_destroy(onrampq_queue_cache);
}

module_init(onrampq_module_init)
module_exit(onrampq_module_exit)
MODULE_DESCRIPTION("On-Ramp: fair queueing, pacing, and flows held by one-way delay");
MODULE_LICENSE("GPL");
