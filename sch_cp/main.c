// SPDX-License-Identifier: GPL-2.0
/*
 * A switch port that knows which input fills it, and notifies the sender of the culprit.
 *
 * N. Chrysos et al., quantized congestion notification with congestion points at inputs and
 * occupancy sampling: what waits is accounted to the input by which it came, wherever it
 * waits; the culprit is chosen by what it has in the buffer.  The decisions are taken in
 * kernel/algo; these files queue, account, mark, build control frames, and talk netlink.
 *
 * A frame is accounted for once, with the length that the qdisc layer noted (tc stab), and
 * given back the same way.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "cp.h"
#include "skb_segments.h"

/* By so much a timer may be late without loss of rate. */
#define CP_LATE_NS	1000000ULL
/* Frames that are dropped at a time while PAUSE has no end. */
#define CP_STORM_DROPS	64U

/* Enqueue */

static int cp_refuse(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free,
		     u64 *port, u64 *voq)
{
	struct cp_port *q = qdisc_priv(sch);

	(*port)++;
	(*voq)++;
	if (q->advertising && q->cnpv & BIT(cp_class(skb)))
		cp_fecn_charge(q, qdisc_pkt_len(skb));
	return compat_qdisc_drop_overlimit(skb, sch, to_free);
}

/* Count a frame that is no input's. */
static void cp_count_other(struct cp_port *q, const struct cp_voq *voq)
{
	if (voq == &q->local)
		q->count.local++;
	else
		q->count.foreign++;
}

/* The output's own account, and its congestion point. */
static void cp_output_charge(struct cp_port *q, struct sk_buff *skb)
{
	if (unlikely(!(q->cnpv & BIT(cp_class(skb)))))
		return;
	if (unlikely(q->advertising))
		cp_fecn_charge(q, qdisc_pkt_len(skb));
	q->counted += qdisc_pkt_len(skb);
	cp_point_add(&q->point, skb);
	if (q->point.law != CP_LAW_NONE)
		cp_point_sample_output(q, skb);
}

static int cp_enqueue_one(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	struct cp_port *q = qdisc_priv(sch);
	struct cp_voq *voq = cp_voq_get(q, skb);
	u32 len = qdisc_pkt_len(skb);

	if (unlikely(!voq)) {
		q->count.drop_memory++;
		return compat_qdisc_drop_overlimit(skb, sch, to_free);
	}
	if (unlikely((u64)q->bytes + len > q->limit))
		return cp_refuse(skb, sch, to_free, &q->count.drop_limit, &voq->drop_limit);
	*cp_cb(skb) = (struct cp_cb){
		.voq = voq,
		.slot_in = CP_OUTSIDE,
		.slot_out = CP_OUTSIDE,
	};
	/* Under an input's lock the frame may be marked; nobody may read its headers then. */
	if (q->point.sampling && q->point.sample == CP_SAMPLE_LARGEST)
		skb_get_hash(skb);
	if (!voq->input)
		cp_count_other(q, voq);
	else if (unlikely(!cp_input_charge(q, voq, skb)))
		return cp_refuse(skb, sch, to_free, &q->count.drop_buffer,
				 &voq->drop_buffer);
	if (!sch->q.qlen)
		q->was_idle = true;
	cp_output_charge(q, skb);
	cp_voq_put(q, skb);
	cp_voq_pause(q, voq);
	q->count.q_max_bytes = max_t(u64, q->count.q_max_bytes, q->bytes);
	return NET_XMIT_SUCCESS;
}

/* A GSO packet would be half a buffer: its segments are queued one by one. */
static noinline int cp_enqueue_split(struct sk_buff *skb, struct Qdisc *sch,
				     struct sk_buff **to_free)
{
	struct cp_port *q = qdisc_priv(sch);
	struct sk_buff *rest;
	int queued = 0;

	rest = skb_segments(skb);
	if (!rest) {
		q->count.drop_gso++;
		return qdisc_drop(skb, sch, to_free);
	}
	q->count.split_gso++;
	while (rest) {
		struct sk_buff *seg = skb_segments_next(&rest);

		if (cp_enqueue_one(seg, sch, to_free) == NET_XMIT_SUCCESS)
			queued++;
	}
	/* Each segment that was dropped has its reason. */
	consume_skb(skb);
	return queued ? NET_XMIT_SUCCESS : NET_XMIT_DROP;
}

static int cp_enqueue(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	struct cp_port *q = qdisc_priv(sch);

	q->now_ns = 0;
	if (skb_is_gso(skb))
		return cp_enqueue_split(skb, sch, to_free);
	return cp_enqueue_one(skb, sch, to_free);
}

/* Dequeue */

/* Is there a control frame to send, or a PAUSE to repeat?  Nearly never, and no lock is taken. */
static bool cp_has_control(struct cp_port *q)
{
	u8 pending = READ_ONCE(q->input->pending);

	if (likely(!pending))
		return false;
	if (pending & CP_PENDING_FRAME || cp_now(q) >= q->refresh_ns)
		return true;
	q->wake_ns = min(q->wake_ns, q->refresh_ns);
	return false;
}

/* Frames that wait for a faulty neighbour are dropped, a part at a time. */
static noinline void cp_drop_storm(struct Qdisc *sch, u8 drop)
{
	struct cp_port *q = qdisc_priv(sch);
	struct sk_buff *skb;
	u32 left;

	for (left = CP_STORM_DROPS; left; left--) {
		skb = cp_voq_take(q, drop);
		if (!skb)
			return;
		q->count.drop_storm++;
		cp_voq_uncharge(q, skb);
		qdisc_qstats_drop(sch);
		compat_qdisc_dequeue_drop(sch, skb);
	}
	q->wake_ns = cp_now(q);
}

/* Return: priorities that may leave. */
static noinline u8 cp_pause_rx(struct Qdisc *sch)
{
	u8 drop, allowed = cp_pause_rx_allowed(qdisc_priv(sch), &drop);

	if (unlikely(drop))
		cp_drop_storm(sch, drop);
	return allowed;
}

/* May a frame leave by the rate? */
static bool cp_is_due(struct cp_port *q)
{
	u64 now;

	if (likely(!q->rate_bps))
		return true;
	now = cp_now(q);
	if (q->was_idle)
		q->next_ns = max(q->next_ns, now);
	q->was_idle = false;
	if (now >= q->next_ns)
		return true;
	q->wake_ns = min(q->wake_ns, q->next_ns);
	return false;
}

static void cp_rate_charge(struct cp_port *q, u32 len)
{
	u64 now;

	if (likely(!q->rate_bps))
		return;
	now = cp_now(q);
	/* The clock may have begun less than that ago. */
	q->next_ns = max(q->next_ns + CP_LATE_NS, now) - CP_LATE_NS +
		     cp_rate_ns(len, q->rate_bps);
}

static struct sk_buff *cp_dequeue_data(struct Qdisc *sch)
{
	struct cp_port *q = qdisc_priv(sch);
	u8 allowed = U8_MAX;
	struct sk_buff *skb;
	struct cp_voq *voq;

	if (unlikely(q->pause_rx_active))
		allowed = cp_pause_rx(sch);
	if (!sch->q.qlen || !cp_is_due(q))
		return NULL;
	skb = cp_voq_take(q, allowed);
	if (!skb) {
		q->was_idle = true;
		return NULL;
	}
	cp_rate_charge(q, qdisc_pkt_len(skb));
	voq = cp_cb(skb)->voq;
	voq->tx_packets++;
	voq->tx_bytes += qdisc_pkt_len(skb);
	cp_voq_uncharge(q, skb);
	if (unlikely(q->advertising))
		cp_fecn_pass(q, skb);
	qdisc_bstats_update(sch, skb);
	return skb;
}

static struct sk_buff *cp_dequeue(struct Qdisc *sch)
{
	struct cp_port *q = qdisc_priv(sch);
	struct sk_buff *skb;

	q->now_ns = 0;
	q->wake_ns = U64_MAX;
	if (unlikely(cp_has_control(q))) {
		skb = cp_input_control(q);
		if (skb)
			return skb;
		if (READ_ONCE(q->input->pending) & CP_PENDING_REFRESH)
			q->wake_ns = min(q->wake_ns, q->refresh_ns);
	}
	skb = sch->q.qlen ? cp_dequeue_data(sch) : NULL;
	if (!skb && q->wake_ns != U64_MAX)
		qdisc_watchdog_schedule_ns(&q->watchdog, q->wake_ns);
	return skb;
}

/* Life of an instance */

static void cp_reset(struct Qdisc *sch)
{
	struct cp_port *q = qdisc_priv(sch);
	struct sk_buff *skb;

	qdisc_watchdog_cancel(&q->watchdog);
	local_bh_disable();
	q->now_ns = 0;
	while ((skb = cp_voq_take(q, U8_MAX))) {
		cp_voq_uncharge(q, skb);
		rtnl_kfree_skbs(skb, skb);
	}
	if (q->input)
		cp_input_purge(q->input);
	local_bh_enable();
}

static int cp_init(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct cp_port *q = qdisc_priv(sch);

	/* State that cp_destroy() needs, which is called if this fails, too. */
	q->sch = sch;
	INIT_LIST_HEAD(&q->list);
	INIT_LIST_HEAD(&q->active);
	cp_voq_init(q, &q->local, TC_CP_CLASS_LOCAL);
	cp_voq_init(q, &q->foreign, TC_CP_CLASS_FOREIGN);
	q->point.law = CP_LAW_NONE;
	qdisc_watchdog_init_clockid(&q->watchdog, sch, CLOCK_MONOTONIC);
	compat_qdisc_dequeue_drops(sch);
	return cp_settings_init(sch, opt, extack);
}

static void cp_destroy(struct Qdisc *sch)
{
	struct cp_port *q = qdisc_priv(sch);

	cp_reset(sch);
	cp_port_destroy(q);
}

static struct Qdisc_ops cp_qdisc_ops __read_mostly = {
	.id		=	"cp",
	.cl_ops		=	&cp_class_ops,
	.priv_size	=	sizeof(struct cp_port),
	.enqueue	=	cp_enqueue,
	.dequeue	=	cp_dequeue,
	.peek		=	qdisc_peek_dequeued,
	.init		=	cp_init,
	.reset		=	cp_reset,
	.destroy	=	cp_destroy,
	.change		=	cp_change,
	.dump		=	cp_dump,
	.dump_stats	=	cp_dump_stats,
	.owner		=	THIS_MODULE,
};
MODULE_ALIAS_NET_SCH("cp");

COMPAT_UNTRIED_PARAM();

static int __init cp_module_init(void)
{
	int err;

	untried = compat_warn_untried(KBUILD_MODNAME);
	err = cp_port_register();
	if (err)
		return err;
	err = register_qdisc(&cp_qdisc_ops);
	if (err)
		cp_port_unregister();
	return err;
}

static void __exit cp_module_exit(void)
{
	unregister_qdisc(&cp_qdisc_ops);
	cp_port_unregister();
}

module_init(cp_module_init)
module_exit(cp_module_exit)
MODULE_DESCRIPTION("Congestion point for ports of a lossless bridge: PAUSE, CNMs, ECN marks");
MODULE_LICENSE("GPL");
